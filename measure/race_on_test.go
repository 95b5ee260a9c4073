//go:build race

package measure_test

// raceDetected says that the race detector watches, and slows everything.
const raceDetected = true

// Package record says what happened: one record per request, histograms, the
// summary of a run, and the folder that holds them. A measured and a simulated
// run are recorded in the same way, so that nothing behind this package asks
// where a run came from.
package record

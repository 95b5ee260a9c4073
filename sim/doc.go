// Package sim executes a workload against a model of a server on a virtual
// clock: a discrete-event simulation. It gives the same record as a
// measurement of the same workload, and the same seed gives the same arrivals.
//
// Time is in whole nanoseconds. What falls on one instant happens in a fixed
// order: departures from the station first, then timeouts, then arrivals, and
// within each the one that was caused first. So a server that becomes free and
// a request that arrives at that instant meet without a wait, and an answer at
// the very instant of its timeout counts.
package sim

// Package sim executes a workload against a model of a server on a virtual
// clock: a discrete-event simulation. It gives the same record as a
// measurement of the same workload, and the same seed gives the same arrivals.
//
// Time is in whole nanoseconds. What falls on one instant happens in a fixed
// order: departures from the station first, then timeouts, then the beginning or
// end of a stall, then further copies of requests, then arrivals, and within
// each the one that was caused first. So
//
//   - a server that becomes free and a request that arrives at that instant meet
//     without a wait;
//   - an answer at the very instant of the timeout, or of the next copy, counts,
//     and the copy is not sent; neither is one that is due when its request
//     times out;
//   - work that ends as a stall begins has ended, and a request that arrives as
//     a stall begins meets the stall, as a stall ends none.
//
// # Stalls
//
// A station that stands still from an instant to another gives back all the
// work that it was doing: a freeze puts off every departure by its length. A
// server that stands idle through a stall is as idle as before, so utilisation
// counts the work that is done, out of the whole time.
//
// # Retries
//
// A copy of a request is a job like any other to the station, with the service
// time of the first one. The first answer to any copy ends the request, and so
// does the timeout of the first copy. Copies that are left over occupy the
// station until they are done, but nobody waits for them: a run ends without
// them.
package sim

// Package limit bounds what a caller may have within a sliding minute: how many requests
// (Rate), how many bytes of the log (Volume), and how many lines about what it was refused
// (Refusals).
//
// What is reserved is settled when the append succeeds and given back when it fails, so a failure costs
// the caller nothing; an append with an unknown outcome stays charged.
// Where the log says what was accepted, a Rate is seeded from it and holds over restarts.
//
// Everything is safe for concurrent use and takes the time as an argument.
package limit

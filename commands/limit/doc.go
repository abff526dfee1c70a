// Package limit bounds a caller's use within a sliding minute: its requests (Rate), its
// bytes of the log (Volume), and the lines about its refusals (Refusals).
//
// A reservation is settled when the append succeeds and given back when it fails, so a
// failure costs the caller nothing; an append with an unknown outcome stays charged. A
// Rate is seeded from the accepted requests in the log, so it holds over restarts.
//
// Everything is safe for concurrent use and takes the time as an argument.
package limit

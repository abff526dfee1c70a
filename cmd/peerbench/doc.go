// Command peerbench measures Chalie beside its peers, in one run on one machine,
// and prints one table with the ratios.
//
//	peerbench                       measure, about eight minutes
//	peerbench -run append           only rows whose name matches
//	peerbench -write benchmarks.md  also write the table as a document
//	peerbench -short                one short round of everything: does it run?
//
// # How it measures
//
// A machine's speed changes from one second to the next, so nothing is measured
// alone. A row runs its two sides in turn, changing who goes first, each time in a
// fresh folder after the disk has settled, and the ratio of a row is the median of
// the ratios of its rounds, not the ratio of two medians taken at different
// times. Where a row has no peer, its target is a plain number.
//
// Libraries are measured in this process. The whole program, and the WebSocket
// server beside it, run in processes of their own, where their memory is theirs
// alone; this one then holds their clients.
//
// # Why it is a module of its own
//
// The peers (an embedded NATS server among them) must not enter the
// dependencies of the program, which this module takes from the folder above.
package main

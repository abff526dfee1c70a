// Command peerbench measures Chalie's log beside its peers, in one process and
// one run on one machine, and prints one table with the ratios.
//
//	peerbench                       measure, about five minutes
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
// # Why it is a module of its own
//
// The peers (an embedded NATS server among them) must not enter the
// dependencies of the program, which this module takes from the folder above.
package main

// Package replay tells what happened and why. It reads records and changes
// nothing.
//
// A Tree puts the records of one trace under what caused them:
//
//	err := replay.NewTree(records).Walk(func(rec domain.Record, last []bool) error { … })
//
// Nothing here reads a clock, writes to the log or has any other effect, so what
// it tells is the same whenever it is asked. To test with it, make records by
// hand: a position, an id and a parent are enough.
package replay

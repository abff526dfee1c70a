// Package replay looks back. It reads records and changes nothing.
//
// A Target names what a question is about, by an id, a position or "last":
//
//	target, err := replay.ParseTarget("last")
//
// A Tree orders the records of one trace by cause, and Steps makes rows of them. A Past
// is the world state at a position.
//
// Each kind of question has a package: explain answers why and why not, player replays
// decisions with today's code, with or without a change. narrate has the words for every
// type of event, draw makes pictures of explanations, and repro replaces names in records
// that are passed on.
//
// Nothing here reads a clock, writes to the log or has any other effect, so the same
// question always has the same answer. To test with it, make records by hand: a position,
// an id and a parent are enough.
package replay

// Package replay looks back. It reads records and changes nothing.
//
// A Target is what a question is about, by whatever a person has of it:
//
//	target, err := replay.ParseTarget("last")
//
// A Tree puts the records of one trace under what caused them, and Steps makes rows of
// them. A Past is what was in mind at a position.
//
// What is asked of a target has a package of its own: explain tells why and why not,
// player has today's code decide again, with or without a change. Beneath them narrate
// has the words for every type of event; draw makes pictures of explanations, and repro
// takes names out of what is handed on.
//
// Nothing here reads a clock, writes to the log or has any other effect, so what
// it tells is the same whenever it is asked. To test with it, make records by
// hand: a position, an id and a parent are enough.
package replay

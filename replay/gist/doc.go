// Package gist tells what an envelope says in one line of plain words.
//
//	text := gist.Of(record.Envelope)
//
// The command line and the pages show the same line for the same envelope. It is
// read from that envelope alone, so it costs no look at the log and is the same
// every time. What was erased is told as erased, and what this version can't read
// is shown as it stands.
//
// Whatever an envelope holds, Of gives one line of valid text: control characters,
// and those that turn the writing direction around, are gone. It may be long, and
// may hold HTML as text: whoever shows it bounds and escapes it.
package gist

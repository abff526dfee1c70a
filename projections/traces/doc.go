// Package traces is the projection that keeps one line per trace: its beginning, its
// size, its latest record, its state, its cost and its tools.
//
// It keeps numbers, references and the names of tools, never a text. Of most
// envelopes it reads the header only. It reads the payloads of three: what a
// model's reply cost, which tool was invoked, and what reasoning came to. One of
// these that was erased, or that this version can't read, adds nothing.
//
// # Outcome
//
// A trace is open while something in it waits for its answer: a command for its
// result, a message, an action or a spine signal for the conclusion of its
// reasoning. Each of them opens one more wait and each result ends one, if there is
// one, as does dropping a signal for its signal; a conclusion
// ends them all, since a model that failed leaves its call without a result. When
// nothing waits it has failed if its last answer carries errors, and otherwise it is
// done; a trace without any answer is judged by its last envelope, so an event
// that came alone is done. A trace that goes on changes its outcome.
//
// # Layout
//
// Most traces are short, come by the hundred thousand and never change again,
// so what is stored is not one key per trace:
//
//   - "b" and a block's number, eight bytes, big endian: the lines of the traces
//     whose first envelope is at one of 64 positions, in that order. Listing
//     the newest is a scan from the end.
//   - "x" and a trace's id: that trace and up to 63 with greater ids, each with
//     its first position. These blocks are written from ids greater than every
//     one before, as ids mostly are, so they don't overlap.
//   - "t" and a trace's id: the first position of one that came out of order.
//
// Lines changed since the last save, and those saved by it, are in memory:
// twice the records between two saves at most.
package traces

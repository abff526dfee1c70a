// Package traces is the projection that keeps one line per trace: where it
// began, how much is in it, when it last moved and how it stands.
//
// It reads headers only, never payloads, so an erased payload changes nothing.
//
// # Outcome
//
// A trace is open while a command in it waits for its result: each command
// opens one more wait and each result ends one, if there is one. When nothing
// waits it has failed if its last result carries errors, and otherwise it is
// done; a trace without any result is judged by its last envelope, so an event
// that came alone is done. A trace that goes on changes its outcome.
//
// # Layout
//
// A line is stored under "t" and the trace's id; "l" and the position of the
// trace's first envelope, eight bytes, big endian, leads to the id, so that
// listing the newest is a scan from the end.
//
// Lines changed since the last save, and those saved by it, are in memory:
// twice the records between two saves at most.
package traces

// Package otlp sends the log's traces to an OpenTelemetry collector, so that Jaeger
// or Tempo shows an episode: its calls to models and tools, how long a yes was
// waited for, and what it rests on.
//
// A [Follower] reads the log behind everybody else, from a checkpoint of its own.
// When a trace has come to its end it makes spans of it and sends them, and moves
// on when the collector has taken them. A trace that goes on after its end sends
// what came since.
//
// # Ids
//
// A trace keeps its id: the 32 digits that Jaeger shows are taken by every command.
// A span's id is the last eight bytes of the id of the envelope that begins it. So
// what is sent again, after a crash or an answer that got lost, is the same.
//
// # What is sent
//
// Types, times, names of tools and models, numbers, codes and ids. What was said,
// heard, asked of a tool or answered is sent only if Content is set.
//
// # Failure
//
// The log is the queue. A collector that doesn't answer is tried again, at first
// after a second and then up to every minute; nothing is kept in memory meanwhile
// but one batch, and nobody waits for it. What it says is wrong with the spans
// themselves is counted and passed over, or it would be in the way for ever. Status
// tells of both. Errors name the collector's host, and never a header.
//
// # Tests
//
// Package otlptest is a collector in the test's own process.
package otlp

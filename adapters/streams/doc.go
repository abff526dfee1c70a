// Package streams listens to broadcasts: it connects to the WebSocket of each
// stream the registry knows and takes what it hears into the log.
//
// New makes a Listener, and Run listens until its context ends. Look makes it
// compare what it listens to with the registry at once; it does so by itself
// every LookEvery. Run it when the registry is folded, or it listens to streams
// that were removed.
//
// # What is understood
//
// A message is one JSON object, at most MaxMessageBytes long, in a text frame or
// in several:
//
//	{"type":"signal","signal_type":"…","content":"…","source":"…","topic":"…",
//	 "activation_energy":0.5,"metadata":{…}}
//
// signal_type and content are required; null is as good as nothing. Messages of
// another type are ignored. What is malformed is skipped: what is no such object
// or not UTF-8, fields of wrong types, a signal that domain.SignalReceived.Check
// refuses, binary messages, and those too large. Both are counted, and the
// connection stays. It is closed, and made anew, over what breaks the WebSocket
// protocol, and over a message that doesn't end within MaxSkippedBytes.
//
// # Order and backpressure
//
// The signals of a stream are in the log in the order they came. One append of
// a stream is under way at a time, and what comes meanwhile is the next: it
// begins when the one before has ended and BatchEvery has passed or Batch signals
// are there. So batches grow as the log gets slower, up to what one append takes
// (domain.MaxBatchBytes, and a thousand signals). When that is full, reading
// stops, and TCP slows the sender down: a flood costs two batches of memory, and
// nothing is dropped. Reading also waits for the folds (Applied), so that they
// never fall more than Behind records back on account of a stream, and so that a
// stream brings PerSecond signals at most: who speaks with Chalie meanwhile finds
// the machine and the log free enough.
//
// # Failure
//
// A connection that can't be made or ends is tried again: after a random part of
// a pause that doubles from FirstPause to LongestPause, and starts over once a
// connection held for HealthyAfter. Redirects aren't followed and addresses that
// commands.CheckDialled refuses aren't connected to. A server that is silent is
// pinged, and given up after three pings without any byte.
//
// When the log refuses a batch, it is repeated with the same ids until the log
// takes it. What a stream was read of is taken in after its removal, and after
// the end of Run, for Grace at most; signals that the log didn't take by then are
// counted as lost, and logged. A broadcast has no acknowledgement: what the
// sender wrote and nobody read, or was read and not durable when the process was
// killed, is gone.
//
// # Tests
//
// Config.Dial takes any connection, so that a test can bring net.Pipe and run in
// a synctest bubble.
package streams

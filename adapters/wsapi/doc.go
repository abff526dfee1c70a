// Package wsapi holds the WebSockets of people's clients: it sends every frame to each of
// them, and takes in their messages.
//
// New makes a Hub, Hub.Run moves frames to clients, and Hub.Upgrade makes a request a
// socket. The caller authenticates the request; while a socket is open, its session is
// checked again with every delivery.
//
// # The protocol
//
// A message is one JSON object in a text frame, at most Config.MaxMessageBytes long. A
// client sends
//
//	{"type":"chat","text":"…","source":"text"|"voice","image_ids":["…"]}
//	{"type":"action","payload":{"skill":"…", …},"label":"…"}
//	{"type":"act_steer","text":"…"}
//	{"type":"cancel","exchange_id":"…"}  // without an id, the latest under way
//	{"type":"seen","exchange_ids":["…"]} // what is shown while the person can see it
//	{"type":"resume","last_seq":123}
//	{"type":"pong"}
//
// and receives status, act_narration, delta, retracted, card, message, done, error,
// notification, escalation, image_ready, exchange, task, gap and ping, whose fields are in outgoing.go
// and testdata/frames.jsonl. Messages of one client are handled one after another. A
// message that can't be understood or is refused is answered with a recoverable error
// frame, to this client alone, and the socket stays open. An error that isn't recoverable
// is sent in one case: the session is over, so the client should ask for a login.
//
// Every PingEvery a client gets a ping in JSON, and in the same write one of the
// WebSocket protocol, which its stack answers even if its program doesn't. Any
// byte is a sign of life. A client silent for SilentFor is closed.
//
// Close codes: 1001 stopping, or silent; 1002 against the protocol; 1003 binary; 1007 not
// UTF-8; 1008 the session is over, or a message that doesn't end within MessageWithin;
// 1009 too large; 1011 no frames can be sent any more; 1013 too slow. The peer's own code
// is echoed. After our close frame we only read, and discard what comes, for two seconds
// at most: then the connection is cut.
//
// # Numbers and order
//
// Frames come in order of seq. A new client gets what is appended after its upgrade
// began. With resume it gets what the buffer holds after last_seq; if some of that is
// gone, a gap frame {from, to, seq} comes first, which ends where the buffer begins. A
// client gets no frames before its first message or before OpeningGrace has passed, so
// that resuming is never too late: each frame comes once. A client that resumes from a
// number it has already passed gets those frames again.
//
// A refusal and the end of a session come from no record, so they have no number of their
// own. They get one from the upper half of the range of the record that was sent last (or
// of the last one before the upgrade), and are sent only when all frames of that record
// were. So their numbers collide with no frame's, never go back, and a client that
// resumes from one misses nothing. The range is used up after eight of them: the further
// ones repeat the last number, until the next frame.
//
// What is added to an answer while it is made comes as delta frames. Buffer and ring forget
// them, but for the last, once the answer is there or they were retracted: a client that
// hasn't had them by then is sent what replaces them.
//
// # Backpressure
//
// There are no queues. The latest frames, as the buffer has them, are encoded once in a
// ring that all clients share, and a client is a position in it. Frames are first written
// without waiting. What the socket doesn't take is left to a goroutine of this client,
// which ends when the client has caught up; so a stalled client delays no other.
//
// A client that is still taking earlier frames while its next one falls out of the ring
// is too slow: it is closed with 1013 and resumes. One that needs more than WriteWithin
// for 16 KiB is cut. A client that wasn't slow but missed a frame because the hub was
// behind or the client was still opening gets a gap frame instead. While a client has too
// many unread refusals, nothing is read from it.
//
// An idle client costs one goroutine, its connection and some hundred bytes. Memory for a
// message grows as its bytes come in, whatever length it announces.
//
// # Failure
//
// A record that can't be read gives an error frame in its place that names the
// position; those after it are sent. While the log can't be read for now, frames
// wait. When there will be no more frames because the buffer failed, clients are
// closed with 1011 and Run returns why. Frames in the ring are text: one whose
// payload is erased stays readable until 200 newer ones have come, or a restart.
//
// # Shutdown
//
// Run's ctx ends; new sockets are refused; the pump and the pings stop; every client gets
// 1001 and two seconds; commands still under way are cancelled after that; Run returns
// when every goroutine has ended. The log must stay open until then.
//
// # Testing with it
//
// Upgrade wants a real connection: httptest.NewServer will do. In the tests here
// join takes any net.Conn, so with net.Pipe in a testing/synctest bubble minutes
// pass at once. The connections have deadlines, which follow the system's clock;
// that is why no clock is injected.
package wsapi

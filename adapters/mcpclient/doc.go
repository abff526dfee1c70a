// Package mcpclient speaks to servers of the Model Context Protocol: the commands.Peer of
// those interfaces that are such servers, and the pairing.Servers that lets them in.
//
// A server is somebody else's program. One that is given by a command runs as a child with
// the rights of the user that Chalie runs as, so what bounds it keeps accidents small, and
// no enemy in:
//
//   - It gets no variable of Chalie's environment but those its person named, a folder of
//     its own, and a path of the system's folders.
//   - Between Chalie and the server stands a guard, Chalie's own program with another task
//     (see Guard): it counts the memory and processes of all that comes of the server, ends
//     them over their bounds, and ends them when Chalie ends, however that happens. Where
//     control groups (v2) can be made, the kernel bounds them as well.
//   - What it says is bounded: a message, the messages of a second, its tools together, an
//     answer, and the time of a call, which progress makes longer.
//
// # Once means once
//
// A call is sent once. A server that dies, or whose answer is too large, leaves it open
// what was done. A session that ends is made anew by the next check or call, after a pause
// that doubles; calls are never repeated.
//
// # Pins
//
// A session lists its tools when it begins, and again when the server says that they have
// changed. A tool is only called while it is the one that the registry has: whoever changes
// a tool's words or schema has another tool, which waits for its person.
package mcpclient

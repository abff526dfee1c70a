// Package interfaces is the HTTP client that Chalie speaks to interfaces with:
// the commands.Peer of the running program.
//
// An interface is somebody else's program. It may answer slowly or without end,
// with the wrong thing, with a redirect to somewhere else, or lie at an address
// that only this machine's surroundings should reach. So every call has an end,
// and costs no more than its bounds:
//
//   - Time: a connection, and the call as a whole with its last byte, end with
//     their timeouts.
//   - Size: one byte over the bound is read of a body, then the connection is
//     dropped. Headers have a bound of their own, and nothing is decompressed.
//   - Place: the address that is dialled is judged, not the name that was given,
//     so it doesn't help to let a name resolve to a forbidden address. No proxy is
//     taken from the environment, and no redirect is followed.
//
// # What goes wrong
//
// Errors are *domain.Error with one of the codes of package commands, and a
// message that names the interface's address, what it did, and what to do.
// Until there is a connection nothing was sent: unreachable, retriable. After it,
// an answer that didn't come, or not whole, is connection_lost: what was asked may
// have been done.
//
// # Once means once
//
// net/http sends a request again by itself when a kept-alive connection turns out
// dead and it takes the request for repeatable, which an Idempotency-Key makes it
// think of any POST that can be rewound. A tool must not run twice that way. So a
// POST can't be rewound here, and goes over a connection of its own: on a fresh
// one there is also no doubt about whose silence it was.
//
// # Testing
//
// A Client works with any server on loopback; Config.Resolver lets names resolve
// to what a test wants.
package interfaces

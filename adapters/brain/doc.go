// Package brain serves the Brain SDK on the Unix socket: /lms/chat, /vault/*, /capabilities/*
// and what a program needs that offers capabilities of its own. Everything else on the socket
// goes on to the handler behind it.
//
//	brain.New(brain.Config{…, Otherwise: trusted})
//
// Each request is a POST with an object that carries the sender's metadata. What goes wrong in
// the domain, an away dependency included, is a 200 with errors; a body that is no JSON object or is too
// large, a bad token, and a process that stops are statuses. Members that aren't known are
// refused as validation.
//
// Commands (chat, invoke, writing, registering) are recorded and happen once for each envelope_id;
// see package intake. Reads are not recorded.
//
// # Programs
//
// A Hub is the [commands.Peer] of programs that listen nowhere. Each asks for its calls, one request
// at a time or several beside each other, and answers them by another request. A program that
// hasn't asked for PresentFor is away. A call that no program has taken in time was not
// sent; one that was taken and isn't answered in time has an unknown outcome. Calls that wait for one program
// are bounded: more are refused as not sent.
package brain

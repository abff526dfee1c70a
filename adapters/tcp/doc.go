// Package tcp bounds the connections of an HTTP server, in all and of one place, so
// that strangers who only connect take neither the descriptors that the program's files
// need nor the room of everyone else.
//
// Guard a server before it serves, and serve on the listener that Guard returns:
//
//	listener := tcp.Guard(server, inner, tcp.Bounds{Total: 1000, PerPlace: 500}, logger)
//	err := server.Serve(listener)
//
// # Places
//
// A place is an IPv4 address or the /64 network of an IPv6 one, because whoever has one
// address of such a network has all of it. All of loopback is one place.
//
// # When it is full
//
// A new connection takes the place of one that is quiet: of the one that waits longest
// without having sent the head of a request, and when there is none, of the one that
// keeps alive longest after an answer. One whose request is being answered is never
// ended, nor one that was taken over, as a WebSocket is. When none is quiet, the new one
// is closed. So a crowd that connects and waits keeps nobody out, and its room is free
// again at once when it goes.
//
// That there is no room is logged once a minute.
//
// # Two servers
//
// Split lets a server of TLS and one of plain HTTP share a guarded listener. A connection
// that says nothing within ten seconds is closed.
package tcp

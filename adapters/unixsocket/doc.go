// Package unixsocket lets processes of the same user on the same machine reach
// a running Chalie without a login.
//
// The server calls Listen with its data directory, a client Dial or Client; both
// find the same path. It is DIR/run/chalie.sock, or, when that is over 100 bytes
// (the operating systems' bound is a little above), TMP/chalie-UID/HASH.sock,
// where HASH stands for the data directory. TMP follows TMPDIR, so server and
// client must agree on it.
//
// # Who may connect
//
// The folder of the socket belongs to the user and is closed to everyone else
// (mode 0700); Listen refuses one that doesn't or isn't. On Linux, macOS and
// FreeBSD the operating system also says which user a peer runs as, and Accept
// hangs up on all but this user and root; Dial in turn sends nothing to a server that
// another user runs. Elsewhere the folder's mode stands
// alone.
//
// # Start and end
//
// A socket whose server is gone is found by calling it: nobody answers, and
// Listen takes its place. One that answers is a conflict. Close removes the
// socket only while it is still the one this listener made.
package unixsocket

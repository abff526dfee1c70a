// Command chalie is one person's cognitive router: `chalie serve` runs it, the
// other subcommands read what it knows.
//
// This package wires the parts together and is the command line. main reads the
// process (arguments, environment, terminal) into a cli and hands it to run, which
// tests call the same way. App is the running program, for serve and for end-to-end
// tests.
//
// A noun of the command line is one file with its verbs, and cli.go lists them all. Every
// reading subcommand is a request to the operator API: the running program answers it
// over its Unix socket, or, when none runs, the same handler over the data directory
// opened read-only. connect.go has the connections; show and showAll write answers as
// JSON or in words, and a noun adds only its request and its words. Terminal output is in
// internal/term, and the demo in internal/demo.
//
// # Exit codes
//
//	0  done
//	1  it failed, or damage was found
//	2  the command was not understood
//	3  a tool was called, and nobody knows what came of it
//	4  the log holds what this build can't read
//	130  ended by a second Ctrl-C, or by one while it waited for an answer
//
// # Tests
//
// testdata/script holds whole sessions with the real binary; story_test.go runs
// an App in this process with a clock of its own.
package main

import (
	"net"
	"net/http"
	"os"
	"runtime"

	"chalie/adapters/mcpclient"
	"chalie/adapters/rlimit"
	"chalie/adapters/tcp"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == guardName {
		os.Exit(mcpclient.Guard(os.Args[2:]))
	}
	os.Exit(run(processCLI(), os.Args[1:]))
}

// heapFloor is memory that is asked for and never touched, so that it takes
// none. What lives on this program's heap is a few megabytes: the collector
// would run each time as much again is allocated, fifty times a second under
// load, for a sixth of all computing time. It counts the floor as living and
// waits accordingly. GOGC would do the same, but multiply a large heap, too.
type heapFloor []byte

// newHeapFloor is one for a program that may take so much: its limit counts the floor.
func newHeapFloor(m allowance) heapFloor { return make(heapFloor, m.heapFloor()) }

// release lets the collector take it. Until then it must be held.
func (f heapFloor) release() { runtime.KeepAlive(f) }

// descriptors is the allotment of open files, so that connections never take those that
// the log and the projections need.
type descriptors struct {
	limit     int // 0 when unknown
	logTables int // open tables of the log
	tables    int // and of each fold
	others    int // calls to interfaces, images, exports, new files of the stores
}

// atRest is about the number of files open without connections.
const atRest = 179

// shareOut divides a limit; for 0 it returns the defaults.
func shareOut(limit int) descriptors {
	if limit == 0 {
		return descriptors{}
	}
	spare := max(0, limit-atRest)
	return descriptors{
		limit:     limit,
		logTables: min(max(spare/4, 8), 990),
		tables:    min(max(spare/64, 1), 118),
		others:    min(max(spare/16, 4), 1024),
	}
}

// fewest is the least bound of connections: a browser opens several.
const fewest = 4

// connections is how many may be open at once, when so many files are open at rest and
// there are so many folds. Half of them may come from one address, because the person
// shares loopback with all local programs.
func (d descriptors) connections(open, folds int) tcp.Bounds {
	const some = 1 << 16
	if d.limit == 0 {
		return tcp.Bounds{Total: some, PerPlace: some}
	}
	total := max(fewest, d.limit-open-d.logTables-folds*d.tables-d.others)
	return tcp.Bounds{Total: total, PerPlace: max(total/2, min(total, 4*fewest))}
}

// bounded keeps strangers' connections from taking what the stores need. The Unix
// socket is not bounded: only this user's programs get there.
func (a *App) bounded(server *http.Server, others ...*http.Server) net.Listener {
	inner, ok := a.tcp.(*net.TCPListener)
	if !ok {
		return a.tcp
	}
	return tcp.Guard(server, inner, a.files.connections(rlimit.Open(), len(a.folds.all)+1), a.cfg.Logger, others...) // the keyframes are a store, too
}

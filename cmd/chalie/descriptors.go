package main

import (
	"net"
	"net/http"

	"chalie/adapters/rlimit"
	"chalie/adapters/tcp"
)

// descriptors is how the files that this process may have open are shared out: so that
// those who connect never take what the log and the folds need.
type descriptors struct {
	limit     int // 0 where nobody can tell
	logTables int // open tables of the log
	tables    int // and of each fold
	others    int // calls to interfaces, images, exports, new files of the stores
}

// atRest is about what the program has open before anybody connects.
const atRest = 128

// shareOut shares a limit out; of 0 it leaves the defaults.
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

// fewest is how many connections there may always be: a browser opens several.
const fewest = 4

// connections is how many may be open at once, when so many files are open at rest and
// there are so many folds. Half of them may come from one place: from loopback the
// person comes as any neighbour does.
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
func (a *App) bounded(server *http.Server) net.Listener {
	inner, ok := a.tcp.(*net.TCPListener)
	if !ok {
		return a.tcp
	}
	return tcp.Guard(server, inner, a.files.connections(rlimit.Open(), len(a.folds.of)), a.cfg.Logger)
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/adapters/interfaces"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections/rebuild"
)

// offline is a data directory that no program runs on, opened to be read. It
// folds in memory and never changes a byte of the directory; only what rebuilds
// projections keeps what it folds.
type offline struct {
	log      *pebblelog.Log
	folds    *folds
	rebuilds *rebuild.Rebuilder // nil when what is folded isn't kept
	env      commands.Env       // what it appends to only refuses
	core     *core
}

func openOffline(ctx context.Context, data string, need needs, m term.Meter) (_ *offline, err error) {
	clock := sysclock.Clock{}
	off := &offline{}
	defer func() {
		if err != nil {
			off.close()
		}
	}()
	quiet := slog.New(slog.DiscardHandler)
	room := machineMemory()
	kept := storesOf(data, quiet, room, 0)
	off.log, err = pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock, ReadOnly: true,
		CacheBytes: room.logCache(), MemTableBytes: room.logTable(), Known: kept.FoldedThrough(today())})
	if err == nil && need == foldsKept {
		err = off.log.Refusal() // what was folded is a witness that must not be folded over
	}
	if err != nil {
		return nil, err
	}
	if need != recordsOnly {
		if err := passGate(ctx, off.log); err != nil {
			return nil, err
		}
	}
	stores := map[needs]opener{recordsOnly: emptyStores, foldsToo: kept.Overlay, foldsKept: kept.Serve}[need]
	if off.folds, err = newFolds(off.log, clock, quiet, stores); err != nil {
		return nil, err
	}
	if need == foldsKept {
		off.rebuilds = off.folds.rebuilder(kept, off.log, clock, quiet, nil)
	}
	if need != recordsOnly {
		off.folds.run()
		// One that has stopped is no reason not to rebuild: it is the best one there is.
		if err := off.foldThrough(ctx, off.log.Tail(), m); err != nil && (need != foldsKept || ctx.Err() != nil) {
			return nil, err
		}
	}
	off.env = commands.Env{Log: off.log, Reader: off.log, Tail: off.log, Clock: clock, IDs: ulids.New(clock), Logger: quiet}
	off.core, err = newCore(ctx, parts{
		rebuilds: off.rebuilds, stores: kept,
		Env: off.env, log: off.log, feed: off.log, folds: off.folds, thinkers: &thinkers{models: []reasoning.Model{builtinmodel.Model{}}},
		running: off.remember,
		health:  func(context.Context) httpapi.Health { return httpapi.Health{Reason: "Chalie does not run"} },
	})
	return off, err
}

// remember gives the API the interfaces as they were when Chalie stopped. What
// would change them fails: the log is only read.
func (off *offline) remember(_ *core, cfg *httpapi.Config) error {
	peer, err := interfaces.New(interfaces.Config{})
	if err != nil {
		return err
	}
	book := off.folds.registry
	cfg.Interfaces, err = pairing.New(pairing.Config{
		Env: off.env, Book: book, Applied: off.folds.of[book.Name()], Peer: peer,
	})
	return err
}

// drawEvery is how often the meter moves.
const drawEvery = 200 * time.Millisecond

// foldThrough waits for the projections, which takes a while when their stored
// state is missing.
func (off *offline) foldThrough(ctx context.Context, tail domain.Position, m term.Meter) error {
	defer m.Clear()
	for {
		step, cancel := context.WithTimeout(ctx, drawEvery)
		err := off.folds.group.WaitFor(step, tail)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
		through := tail
		for _, s := range off.folds.group.Status(ctx) {
			through = min(through, s.Position)
		}
		m.Draw(through, tail, 0)
	}
}

// close lets go of the data directory. There is nothing to save, so a failure
// has nothing to tell.
func (off *offline) close() {
	if off.rebuilds != nil {
		off.rebuilds.Close()
	}
	if off.folds != nil {
		_ = off.folds.close()
	}
	if off.log != nil {
		_ = off.log.Close()
	}
}

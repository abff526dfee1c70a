package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/adapters/interfaces"
	"chalie/adapters/pebblelog"
	"chalie/adapters/pebblestore"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections/rebuild"
)

// needs says which parts of the data directory a request needs when no program runs, besides
// the log.
type needs int

const (
	recordsOnly needs = 0 // nothing
	foldsToo    needs = 1 // every projection, folded through the log's tail
	foldsKept   needs = 3 // and their stores are kept, for rebuilds
	pastToo     needs = 4 // what projections held at earlier positions
)

// offline is a data directory that no program runs on, opened to be read. Nothing in its log is
// changed. What is folded of it is folded in memory; but where that is much it is kept among the
// projections, from which the next command goes on, and the next start.
type offline struct {
	data     string
	quiet    *slog.Logger
	stores   *pebblestore.Set
	log      *pebblelog.Log
	folds    *folds
	kept     keyframes
	rebuilds *rebuild.Rebuilder // nil when stores aren't kept
	env      commands.Env       // its appender refuses everything
	core     *core
	folded   domain.Position // records, for the projections
}

func openOffline(ctx context.Context, data string, need needs, m *foldMeter) (_ *offline, err error) {
	clock, room := sysclock.Clock{}, machineMemory()
	off := &offline{data: data, quiet: slog.New(slog.DiscardHandler)}
	defer func() {
		if err != nil {
			off.close()
		}
	}()
	off.stores = storesOf(data, off.quiet, room, 0)
	saved, err := savedCluster(data)
	if err != nil {
		return nil, err
	}
	off.log, err = pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Of: saved.name(), Clock: clock, ReadOnly: true,
		CacheBytes: room.logCache(), MemTableBytes: room.logTable(), Known: off.stores.FoldedThrough(today())})
	if err == nil && need == foldsKept {
		err = off.log.Refusal() // the projections know lost records, and must not be replaced
	}
	if err != nil {
		return nil, err
	}
	if need&foldsToo != 0 {
		if err := passGate(ctx, off.log); err != nil {
			return nil, err
		}
	}
	if err := off.fold(ctx, need, m); err != nil {
		return nil, err
	}
	off.env = commands.Env{Log: off.log, Reader: off.log, Tail: off.log, Clock: clock, IDs: ulids.New(clock), Logger: off.quiet}
	var backed *backups
	if need&foldsToo != 0 {
		backed = &backups{data: data, log: off.log, folds: off.folds}
	}
	off.openKept(ctx, need, room, m)
	off.core, err = newCore(coreParts{
		backups: backed, rebuilds: off.rebuilds, stores: off.stores, scans: need&foldsToo == 0,
		Env: off.env, log: off.log, feed: off.log, folds: off.folds, kept: off.kept, thinkers: &answeringModels{models: []reasoning.Model{builtinmodel.Model{}}},
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
	book := off.folds.Registry
	cfg.Interfaces, err = pairing.New(pairing.Config{
		Env: off.env, Book: book, Applied: off.folds.Of(book.Name()), Peer: peer,
	})
	return err
}

// fold has the projections fold through the log's tail, those that are needed.
func (off *offline) fold(ctx context.Context, need needs, m *foldMeter) (err error) {
	open := map[needs]rebuild.Open{recordsOnly: rebuild.InMemory, foldsToo: off.stores.Overlay, foldsKept: off.stores.Serve}[need&foldsKept]
	if err = off.open(open); err != nil || need&foldsToo == 0 {
		return err
	}
	if need == foldsKept {
		off.rebuilds = rebuild.New(rebuild.Config{Serving: off.folds.Serving, Stores: off.stores, Feed: off.log, Clock: sysclock.Clock{}, Logger: off.quiet})
		// A stopped projection is a reason to rebuild, not an error.
		if err = off.run(ctx, m); err != nil && ctx.Err() == nil {
			return nil
		}
		return err
	}
	if off.folds.Group.Unfolded(ctx) <= muchToFold {
		return off.run(ctx, m)
	}
	if err := off.keepable(); err != nil {
		m.notKept(err)
		return off.run(ctx, m)
	}
	kept := off.reopen(off.stores.Serve)
	if kept == nil {
		kept = off.run(ctx, m)
	}
	if kept == nil || ctx.Err() != nil {
		return kept
	}
	// What the disk refuses is folded in memory, from where it was kept.
	m.notKept(kept)
	if err := off.reopen(off.stores.Overlay); err != nil {
		return err
	}
	return off.run(ctx, m)
}

func (off *offline) open(stores rebuild.Open) (err error) {
	off.folds, err = newFolds(off.log, sysclock.Clock{}, off.quiet, stores)
	return err
}

// reopen goes on with other stores.
func (off *offline) reopen(stores rebuild.Open) error {
	if off.folds != nil {
		_ = off.folds.Close() // whatever of it is there is used, or isn't
	}
	return off.open(stores)
}

// run folds what isn't folded yet.
func (off *offline) run(ctx context.Context, m *foldMeter) error {
	tail := off.log.Tail()
	off.folded = off.folds.Group.Unfolded(ctx)
	off.folds.Run()
	defer m.clear()
	return foldThrough(ctx, off.folds.Group, tail-off.folded, tail, m.draw)
}

// keepable is why what is folded can't be kept in the data directory; nil when it can, as far as
// that can be told before.
func (off *offline) keepable() error {
	if lost := off.log.Refusal(); lost != nil {
		return errors.New("the log is damaged")
	}
	if info, err := os.Stat(logFolder(off.data)); err != nil || !ownedByUs(info) {
		return errors.New("the data directory is another user's") // who couldn't use what is made here
	}
	if usage, err := vfs.Default.GetDiskUsage(off.data); err == nil && usage.AvailBytes < leftByFolds {
		return fmt.Errorf("the disk has less than %s left", size(leftByFolds))
	}
	return off.log.Settle()
}

// leftByFolds is the free space below which a command keeps nothing that it folds.
const leftByFolds = 1 << 30

// openKept opens what is kept of the past. Where a look back needs it, and much is missing, it is
// made on the way.
func (off *offline) openKept(ctx context.Context, need needs, room allowance, m *foldMeter) {
	at := keyframesIn(off.data, off.quiet, room, 0)
	off.kept = readKeyframes(off.log, at)
	if need&pastToo == 0 || off.kept.behind(ctx, off.log) <= muchToFold {
		return
	}
	err := off.keepable()
	if err == nil {
		err = passGate(ctx, off.log) // what another build can't read it may pass over
	}
	if err != nil {
		m.notKept(err)
		return
	}
	off.kept.close(off.quiet)
	if off.kept, err = demandKeyframes(off.log, at); err != nil {
		m.notKept(err)
		off.kept = readKeyframes(off.log, at)
	}
}

// close releases the data directory. What isn't saved is folded again, so errors don't matter.
func (off *offline) close() {
	if off.rebuilds != nil {
		off.rebuilds.Close()
	}
	if off.folds != nil {
		_ = off.folds.Close()
	}
	off.kept.close(off.quiet)
	if off.log != nil {
		_ = off.log.Close()
	}
}

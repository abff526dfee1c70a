package pebblelog_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// countingFS counts the syncs of WAL files.
type countingFS struct {
	vfs.FS
	syncs atomic.Int64
}

func (c *countingFS) wrap(f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return &countingFile{f, c}, nil
}

func (c *countingFS) Create(name string, cat vfs.DiskWriteCategory) (vfs.File, error) {
	return c.wrap(c.FS.Create(name, cat))
}

func (c *countingFS) ReuseForWrite(from, to string, cat vfs.DiskWriteCategory) (vfs.File, error) {
	return c.wrap(c.FS.ReuseForWrite(from, to, cat))
}

type countingFile struct {
	vfs.File
	fs *countingFS
}

func (f *countingFile) Sync() error {
	f.fs.syncs.Add(1)
	return f.File.Sync()
}

func (f *countingFile) SyncData() error {
	f.fs.syncs.Add(1)
	return f.File.SyncData()
}

func TestSequentialAppendsSyncEach(t *testing.T) {
	fs := &countingFS{FS: vfs.NewMem()}
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: fs})
	defer l.Close()
	before := fs.syncs.Load()
	for range 100 {
		appendOne(t, l, domaintest.NewEntry(ids, "signals"))
	}
	if n := fs.syncs.Load() - before; n < 100 {
		t.Errorf("100 appends, each after the one before was acknowledged, made %d syncs, want at least 100", n)
	}
}

func TestConcurrentAppendsShareSyncs(t *testing.T) {
	const publishers, each = 512, 4
	fs := &countingFS{FS: vfs.NewMem()}
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: fs})
	defer l.Close()
	before := fs.syncs.Load()
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() {
			for range each {
				if _, err := l.Append(context.Background(), domain.Batch{Entries: domaintest.NewEntries(ids, "signals", 1)}); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if n := fs.syncs.Load() - before; n > publishers*each/4 {
		t.Errorf("%d concurrent appends made %d syncs, want far fewer", publishers*each, n)
	}
}

func appendOne(t testing.TB, l *pebblelog.Log, e domain.Entry) domain.Position {
	t.Helper()
	r, err := l.Append(context.Background(), domain.Batch{Entries: []domain.Entry{e}})
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	return r.Positions[0]
}

// readAll reads the whole log and fails on any gap. An append whose caller gave
// up may still arrive meanwhile.
func readAll(t testing.TB, l domain.Log) []domain.Record {
	t.Helper()
	tail := l.Tail()
	recs, err := l.Select(context.Background(), domain.Selector{}, 1, 1<<30)
	if err != nil {
		t.Fatalf("reading the whole log: %v", err)
	}
	if len(recs) < int(tail) {
		t.Fatalf("read %d records of a log with tail %d", len(recs), tail)
	}
	for i, r := range recs {
		if r.Position != domain.Position(i+1) {
			t.Fatalf("record %d has position %d", i+1, r.Position)
		}
	}
	return recs
}

func mustVerify(t testing.TB, l *pebblelog.Log) {
	t.Helper()
	tail := l.Tail()
	report, err := l.Verify(context.Background(), nil)
	if err != nil {
		t.Fatalf("verify: %v", err)
	}
	if !report.OK() {
		t.Fatalf("verify found %v", report.Problems)
	}
	if report.Records+report.Retired < uint64(tail) {
		t.Fatalf("verify saw %d records of %d", report.Records, tail)
	}
}

// ledger remembers what was acknowledged and what was seen, to hold a log to
// both after a failure.
type ledger struct {
	mu    sync.Mutex
	acked map[domain.ID]domain.Position
	seen  map[domain.Position]domain.ID
}

func newLedger() *ledger {
	return &ledger{acked: map[domain.ID]domain.Position{}, seen: map[domain.Position]domain.ID{}}
}

func (g *ledger) ack(id domain.ID, pos domain.Position) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.acked[id] = pos
}

func (g *ledger) see(recs []domain.Record) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range recs {
		g.seen[r.Position] = r.Envelope.ID
	}
}

// check holds a log to the ledger: all that was acknowledged is at its place,
// all that was seen is still what it was, nothing is there twice.
func (g *ledger) check(recs []domain.Record) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	where := map[domain.ID]domain.Position{}
	for _, r := range recs {
		if earlier, twice := where[r.Envelope.ID]; twice {
			return fmt.Errorf("envelope %s is at positions %d and %d", r.Envelope.ID, earlier, r.Position)
		}
		where[r.Envelope.ID] = r.Position
	}
	for id, pos := range g.acked {
		if where[id] != pos {
			return fmt.Errorf("envelope %s was acknowledged at position %d and is at %d", id, pos, where[id])
		}
	}
	for pos, id := range g.seen {
		if int(pos) > len(recs) || recs[pos-1].Envelope.ID != id {
			return fmt.Errorf("a reader saw envelope %s at position %d, and it is gone", id, pos)
		}
	}
	return nil
}

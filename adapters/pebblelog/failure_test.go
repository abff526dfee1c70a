package pebblelog_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// brokenDisk fails every operation of some kinds while it is broken.
type brokenDisk struct {
	broken atomic.Bool
	cause  error
	kinds  []errorfs.OpKind
	files  *regexp.Regexp // that fail; nil for all
	hits   atomic.Int64
	// mendAfter is the number of failures after which the disk mends itself; 0 for never.
	mendAfter int64
}

func (d *brokenDisk) MaybeError(op errorfs.Op) error {
	if !d.broken.Load() {
		return nil
	}
	if !slices.Contains(d.kinds, op.Kind) || (d.files != nil && !d.files.MatchString(op.Path)) {
		return nil
	}
	if d.hits.Add(1) == d.mendAfter {
		d.broken.Store(false)
	}
	return d.cause
}

func (d *brokenDisk) String() string { return "broken disk" }

var allWrites = []errorfs.OpKind{errorfs.OpCreate, errorfs.OpReuseForWrite, errorfs.OpFileWrite, errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo, errorfs.OpRename, errorfs.OpFilePreallocate}

// TestDiskFailure breaks the disk under a running log and mends it again.
func TestDiskFailure(t *testing.T) {
	full := errors.New("no space left on device")
	for _, tc := range []struct {
		name  string
		cause error
		kinds []errorfs.OpKind
	}{
		{"full disk", full, allWrites},
		{"failing write", errors.New("input/output error"), []errorfs.OpKind{errorfs.OpFileWrite, errorfs.OpCreate}},
		{"failing sync", errors.New("input/output error"), []errorfs.OpKind{errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo, errorfs.OpCreate}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			disk := &brokenDisk{cause: tc.cause, kinds: tc.kinds}
			clock := domaintest.NewClock()
			ids := domaintest.NewIDs(clock, 1)
			mem := vfs.NewCrashableMem()
			var told atomic.Int64
			l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: errorfs.Wrap(mem, disk), RetryEvery: time.Millisecond, Failed: func() { told.Add(1) }})
			defer l.Close()
			good := domaintest.NewEntries(ids, "signals", 10)
			for _, e := range good {
				appendOne(t, l, e)
			}

			disk.broken.Store(true)
			batch := domain.Batch{Entries: domaintest.NewEntries(ids, "messages", 3)}
			_, err := l.Append(context.Background(), batch)
			if domain.CodeOf(err) != domain.CodeOutcomeUnknown || !domain.IsRetriable(err) || !errors.Is(err, tc.cause) {
				t.Fatalf("an append that met the broken disk returned %v, want a retriable %s with the cause", err, domain.CodeOutcomeUnknown)
			}
			_, err = l.Append(context.Background(), domain.Batch{Entries: domaintest.NewEntries(ids, "signals", 1)})
			if domain.CodeOf(err) != domain.CodeDiskFailed || !strings.Contains(err.Error(), "check the disk") {
				t.Fatalf("an append while the disk is broken returned %v, want %s and what to do", err, domain.CodeDiskFailed)
			}
			if recs := readAll(t, l); len(recs) != len(good) {
				t.Errorf("while the disk is broken %d records can be read, want %d", len(recs), len(good))
			}

			disk.broken.Store(false)
			receipt := retry(t, l, batch)
			recs := readAll(t, l)
			last := recs[len(recs)-1]
			if got := receipt.Positions[len(receipt.Positions)-1]; last.Position != got {
				t.Errorf("the repeated batch ends at position %d, the log at %d", got, last.Position)
			}
			if n := len(recs); n != len(good)+len(batch.Entries) {
				t.Errorf("the log holds %d records, want %d and %d: the repeat must add nothing twice", n, len(good), len(batch.Entries))
			}
			mustVerify(t, l)
			if told.Load() == 0 {
				t.Error("that it had failed was told nobody")
			}
			if disk.hits.Load() == 0 {
				t.Error("the disk never failed; the test tested nothing")
			}
		})
	}
}

// TestBackgroundTroubleIsToldOnce: what fails in the background is tried for ever, and told
// when it begins.
func TestBackgroundTroubleIsToldOnce(t *testing.T) {
	disk := &brokenDisk{cause: errors.New("input/output error"), kinds: []errorfs.OpKind{errorfs.OpCreate}, files: regexp.MustCompile(`\.sst$`)}
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	var logged domaintest.Buffer
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: errorfs.Wrap(vfs.NewMem(), disk), RetryEvery: time.Millisecond, MemTableBytes: 4 << 20,
		Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	defer l.Close()
	const piece = 256 << 10
	noise, numbers := make([]byte, piece/2), rand.NewChaCha8([32]byte{})
	add := func() {
		t.Helper()
		_, _ = numbers.Read(noise) // it never fails
		e := domaintest.NewEntry(ids, "signals")
		e.Envelope.Payload = domain.JSONPayload(fmt.Appendf(nil, `"%x"`, noise))
		appendOne(t, l, e)
	}
	for times := range 2 {
		before := disk.hits.Load()
		disk.broken.Store(true)
		for disk.hits.Load() == before {
			add()
		}
		domaintest.Until(t, "it fails again and again", func() bool { return disk.hits.Load() >= before+8 })
		if told := strings.Count(logged.String(), "background work failed"); told != times+1 {
			t.Errorf("it was told %d times, want %d:\n%s", told, times+1, logged.String())
		}
		disk.broken.Store(false)
		for range 4 * (4 << 20) / piece { // tables that are written meanwhile
			add()
		}
	}
}

// retry repeats a batch until the log takes it.
func retry(t *testing.T, l domain.Log, b domain.Batch) domain.Receipt {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		r, err := l.Append(context.Background(), b)
		if err == nil {
			return r
		}
		if !domain.IsRetriable(err) || time.Now().After(deadline) {
			t.Fatalf("append after the disk was mended: %v", err)
		}
	}
}

// TestDiskFailureUnderLoad breaks and mends the disk while many append: what
// was acknowledged stays, nothing is there twice, and a batch is there whole or not at all.
func TestDiskFailureUnderLoad(t *testing.T) {
	disk := &brokenDisk{cause: errors.New("input/output error"), kinds: []errorfs.OpKind{errorfs.OpFileWrite, errorfs.OpFileSync, errorfs.OpFileSyncData}}
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: errorfs.Wrap(vfs.NewCrashableMem(), disk), RetryEvery: time.Millisecond})
	defer l.Close()
	known := newLedger()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var wg sync.WaitGroup
	var count atomic.Int64
	for w := range 8 {
		wg.Go(func() { publish(ctx, l, known, ids, w, 0, func() { count.Add(1) }) })
	}
	wg.Go(func() { follow(ctx, l, known) })
	wg.Go(func() {
		for ctx.Err() == nil { // who runs Verify asks so, while each opening finds it anew
			if loss, err := l.Loss(), l.Refusal(); loss != nil || err != nil {
				t.Errorf("it lacks %v and would be refused with %v", loss, err)
				return
			}
			runtime.Gosched()
		}
	})
	for range 20 {
		waitFor(t, &count, count.Load()+50)
		before := disk.hits.Load()
		disk.broken.Store(true)
		waitFor(t, &disk.hits, before+1)
		disk.broken.Store(false)
	}
	stop()
	wg.Wait()
	recs := readAll(t, l)
	if err := known.check(recs); err != nil {
		t.Error(err)
	}
	mustVerify(t, l)
}

// TestDiskFailureAtRotation fails what Pebble does when one WAL or memtable is
// full and the next begins: there it knows no way but to end the process.
func TestDiskFailureAtRotation(t *testing.T) {
	for _, tc := range []struct {
		name  string
		kinds []errorfs.OpKind
		files string
	}{
		{"the next WAL can't be made", []errorfs.OpKind{errorfs.OpCreate, errorfs.OpReuseForWrite}, `\.log$`},
		{"a WAL can't be synced", []errorfs.OpKind{errorfs.OpFileSync, errorfs.OpFileSyncData}, `\.log$`},
		{"the folder can't be synced", []errorfs.OpKind{errorfs.OpFileSync}, `^log$`},
		{"the manifest can't be written", []errorfs.OpKind{errorfs.OpFileWrite, errorfs.OpFileSync}, `MANIFEST-`},
		{"a table can't be made", []errorfs.OpKind{errorfs.OpCreate}, `\.sst$`},
		{"a table can't be written", []errorfs.OpKind{errorfs.OpFileWrite}, `\.sst$`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			disk := &brokenDisk{cause: errors.New("input/output error"), kinds: tc.kinds, files: regexp.MustCompile(tc.files), mendAfter: 3}
			clock := domaintest.NewClock()
			ids := domaintest.NewIDs(clock, 1)
			l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: errorfs.Wrap(vfs.NewMem(), disk), RetryEvery: time.Millisecond, MemTableBytes: 4 << 20})
			defer l.Close()
			known := newLedger()
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			disk.broken.Store(true)
			var wg sync.WaitGroup
			var count atomic.Int64
			for range 4 {
				wg.Go(func() {
					for ctx.Err() == nil { // batches large enough to fill a memtable soon
						fat := domaintest.NewEntries(ids, "signals", 4)
						for i := range fat {
							fat[i].Envelope.Payload.Bytes = []byte(`"` + strings.Repeat("x", 20_000) + `"`)
						}
						for ctx.Err() == nil {
							r, err := l.Append(ctx, domain.Batch{Entries: fat})
							if err == nil {
								for i, e := range fat {
									known.ack(e.Envelope.ID, r.Positions[i])
								}
								count.Add(1)
								break
							}
						}
					}
				})
			}
			waitFor(t, &disk.hits, disk.mendAfter)
			waitFor(t, &count, count.Load()+20)
			stop()
			wg.Wait()
			if err := known.check(readAll(t, l)); err != nil {
				t.Error(err)
			}
			mustVerify(t, l)
		})
	}
}

func waitFor(t *testing.T, n *atomic.Int64, want int64) {
	t.Helper()
	domaintest.Until(t, fmt.Sprintf("%d are counted", want), func() bool { return n.Load() >= want })
}

// smallDisk reports as much free space as the test says.
type smallDisk struct {
	vfs.FS
	free atomic.Uint64
}

func (d *smallDisk) GetDiskUsage(string) (vfs.DiskUsage, error) {
	return vfs.DiskUsage{AvailBytes: d.free.Load(), TotalBytes: 1 << 30}, nil
}

func TestLowDiskRefusesAppends(t *testing.T) {
	disk := &smallDisk{FS: vfs.NewMem()}
	disk.free.Store(1 << 30)
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: disk, MinFreeBytes: 100 << 20})
	defer l.Close()
	appendOne(t, l, domaintest.NewEntry(ids, "signals"))
	disk.free.Store(99 << 20)
	_, err := l.Append(context.Background(), domain.Batch{Entries: domaintest.NewEntries(ids, "signals", 1)})
	if domain.CodeOf(err) != domain.CodeDiskLow || !domain.IsRetriable(err) || !strings.Contains(err.Error(), "99 MiB left") {
		t.Errorf("append with too little space returned %v, want a retriable %s that says how much is left", err, domain.CodeDiskLow)
	}
	if n := len(readAll(t, l)); n != 1 {
		t.Errorf("the log holds %d records, want 1", n)
	}
	disk.free.Store(1 << 30)
	appendOne(t, l, domaintest.NewEntry(ids, "signals"))
}

// The room that the log takes is known as it grows, not from flush to flush only.
func TestUsageGrowsWithTheLog(t *testing.T) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: vfs.NewMem()})
	defer l.Close()
	before := l.Usage().LogBytes
	entries := domaintest.NewEntries(ids, "signals", 50)
	wrote := 0
	for _, e := range entries {
		wrote += len(e.Envelope.Payload.Bytes)
	}
	if _, err := l.Append(context.Background(), domain.Batch{Entries: entries}); err != nil {
		t.Fatal(err)
	}
	if after := l.Usage().LogBytes; after < before+uint64(wrote) {
		t.Errorf("the log takes %d bytes after %d with payloads of %d", after, before, wrote)
	}
}

func TestLockedFolderNamesItsHolder(t *testing.T) {
	dir := t.TempDir()
	clock := domaintest.NewClock()
	l := open(t, pebblelog.Config{Dir: dir, Clock: clock, Holder: "chalie serve"})
	defer l.Close()
	for _, readOnly := range []bool{false, true} {
		_, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock, ReadOnly: readOnly})
		if domain.CategoryOf(err) != domain.Conflict || !strings.Contains(err.Error(), "chalie serve (process ") {
			t.Errorf("opening a folder in use (read-only %v) returned %v, want a conflict that names the holder", readOnly, err)
		}
	}
}

func TestHolderThatWasKilledIsNotNamed(t *testing.T) {
	dir := t.TempDir()
	clock := domaintest.NewClock()
	if err := open(t, pebblelog.Config{Dir: dir, Clock: clock}).Close(); err != nil {
		t.Fatal(err)
	}
	// What a killed process leaves behind; no process has this number.
	if err := os.WriteFile(filepath.Join(dir, "HOLDER"), []byte(`{"program":"chalie serve","pid":1073741824}`), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := open(t, pebblelog.Config{Dir: dir, Clock: clock, ReadOnly: true})
	defer reader.Close()
	_, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock})
	if domain.CategoryOf(err) != domain.Conflict || strings.Contains(err.Error(), "chalie serve (") {
		t.Errorf("opening beside a reader returned %v, want a conflict that doesn't name the dead", err)
	}
}

func TestReadOnlyNeedsALog(t *testing.T) {
	_, err := pebblelog.Open(pebblelog.Config{Dir: t.TempDir() + "/none", Clock: domaintest.NewClock(), ReadOnly: true})
	if domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("opening a missing folder read-only returned %v, want not_found", err)
	}
}

// A clock beyond what can be written is named, and not the disk.
func TestAClockBeyondYears(t *testing.T) {
	clock := domaintest.NewClockAt(time.Date(12026, time.January, 1, 0, 0, 0, 0, time.UTC))
	_, err := pebblelog.Open(pebblelog.Config{Dir: "data/log", Clock: clock, FS: vfs.NewMem()})
	if domain.CodeOf(err) != "clock_wrong" || !strings.Contains(err.Error(), "the year 12026") {
		t.Errorf("opened with %v", err)
	}
}

package pebblelog_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// newestWAL is the write-ahead file of a folder that was written last.
func newestWAL(t *testing.T, fs vfs.FS, dir string) string {
	t.Helper()
	names, err := fs.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasSuffix(n, ".log") })
	if len(names) == 0 {
		t.Fatal("there is no write-ahead file")
	}
	return fs.PathJoin(dir, slices.Max(names))
}

func readFile(t *testing.T, fs vfs.FS, name string) []byte {
	t.Helper()
	file, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeFile(t *testing.T, fs vfs.FS, name string, text []byte) {
	t.Helper()
	file, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// closedLog makes a log of n records in a file system, consumers' positions included.
func closedLog(t *testing.T, fs vfs.FS, n int) []domain.Record {
	t.Helper()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "data/log", Clock: clock, FS: fs})
	for range n {
		appendOne(t, l, domaintest.NewEntry(ids, "signals"))
	}
	if err := l.SaveCheckpoint(t.Context(), "reader", 7); err != nil {
		t.Fatal(err)
	}
	recs := readAll(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return recs
}

func repairAt(fs vfs.FS) pebblelog.RepairConfig {
	clock := domaintest.NewClock()
	return pebblelog.RepairConfig{
		Log: pebblelog.Config{Dir: "data/log", Clock: clock, FS: fs}, IDs: domaintest.NewIDs(clock, 99), Folded: []string{"data/projections"},
	}
}

// One slot of the mark may be worth nothing: a kill can leave it so.
func TestHalfAMarkIsNoAlarm(t *testing.T) {
	for name, at := range map[string]int{"the newer slot": 9, "the older slot": 4096 + 9} {
		t.Run(name, func(t *testing.T) {
			fs := vfs.NewMem()
			recs := closedLog(t, fs, 50)
			text := readFile(t, fs, "data/log/MARK")
			text[at]++
			writeFile(t, fs, "data/log/MARK", text)
			l := open(t, pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs})
			if got := readAll(t, l); len(got) != len(recs) {
				t.Errorf("%d of %d records are there", len(got), len(recs))
			}
			appendOne(t, l, domaintest.NewEntry(domaintest.NewIDs(domaintest.NewClock(), 7), "signals"))
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			loseEnd(t, fs)
		})
	}
}

// loseEnd cuts the end of a log, which has to be noticed.
func loseEnd(t *testing.T, fs vfs.FS) {
	t.Helper()
	name := newestWAL(t, fs, "data/log")
	writeFile(t, fs, name, readFile(t, fs, name)[:20])
	if _, err := pebblelog.Open(pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs}); domain.CodeOf(err) != pebblelog.CodeRecordsLost {
		t.Errorf("with its end cut off the log opens with %v, want %s", err, pebblelog.CodeRecordsLost)
	}
}

// A log that had a mark of its end, and has none, may have lost its end, too.
func TestALostMarkIsTold(t *testing.T) {
	for name, spoil := range map[string]func(text []byte) []byte{
		"deleted":            nil,
		"empty":              func([]byte) []byte { return nil },
		"zeroes":             func(text []byte) []byte { clear(text); return text },
		"cut within a slot":  func(text []byte) []byte { return text[:10] },
		"both slots damaged": func(text []byte) []byte { text[9]++; text[4096+9]++; return text },
		"of something else":  func([]byte) []byte { return []byte("hello") },
	} {
		for _, cut := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, end cut off %v", name, cut), func(t *testing.T) {
				fs := vfs.NewMem()
				recs := closedLog(t, fs, 50)
				if cut {
					name := newestWAL(t, fs, "data/log")
					text := readFile(t, fs, name)
					writeFile(t, fs, name, text[:len(text)/2])
				}
				if spoil == nil {
					if err := fs.Remove("data/log/MARK"); err != nil {
						t.Fatal(err)
					}
				} else {
					writeFile(t, fs, "data/log/MARK", spoil(readFile(t, fs, "data/log/MARK")))
				}
				cfg := pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs}
				if _, err := pebblelog.Open(cfg); domain.CodeOf(err) != pebblelog.CodeRecordsLost || !strings.Contains(err.Error(), "the mark of its end (the file MARK) is ") {
					t.Fatalf("a server opens it with %v", err)
				}
				reading := cfg
				reading.ReadOnly = true
				l := open(t, reading)
				report, err := l.Verify(t.Context(), nil)
				if err != nil || report.OK() || !strings.Contains(report.Problems[0].Error, "nobody knows whether its last records are there") {
					t.Errorf("verify says %+v, %v", report, err)
				}
				left := uint64(len(readAll(t, l)))
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				done, err := pebblelog.Repair(t.Context(), repairAt(fs))
				if err != nil || done.Records != left || done.Lost != 0 || !cut && left != uint64(len(recs)) {
					t.Fatalf("the repair of %d records says %+v, %v", left, done, err)
				}
				l = open(t, cfg)
				mustVerify(t, l)
				appendOne(t, l, domaintest.NewEntry(domaintest.NewIDs(domaintest.NewClock(), 7), "signals"))
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				loseEnd(t, fs)
			})
		}
	}
}

// A log that never had a mark starts like any other, and has one from then on.
func TestALogWithoutAMarkGetsOne(t *testing.T) {
	fs := vfs.NewMem()
	recs := closedLog(t, unmarked{fs}, 50)
	l := open(t, pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs})
	if got := readAll(t, l); len(got) != len(recs) {
		t.Errorf("%d of %d records are there", len(got), len(recs))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := fs.Remove("data/log/MARK"); err != nil {
		t.Fatal(err)
	}
	if _, err := pebblelog.Open(pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs}); domain.CodeOf(err) != pebblelog.CodeRecordsLost {
		t.Errorf("without the mark that it had it opens with %v", err)
	}
}

// syncs is a file system that tells of each sync of the mark.
type syncs struct {
	vfs.FS
	done chan struct{}
}

func (s syncs) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	file, err := s.FS.OpenReadWrite(name, c, opts...)
	return syncedFile{file, s.done}, err
}

type syncedFile struct {
	vfs.File
	done chan struct{}
}

func (f syncedFile) SyncData() error {
	defer func() { f.done <- struct{}{} }()
	return f.File.SyncData()
}

// While a log is open its mark gets to the disk without anybody waiting for it.
func TestTheMarkReachesTheDisk(t *testing.T) {
	mem := vfs.NewCrashableMem()
	synced := make(chan struct{})
	l := open(t, pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: syncs{mem, synced}})
	<-synced // what the opening wrote
	for _, e := range domaintest.NewEntries(domaintest.NewIDs(domaintest.NewClock(), 1), "signals", 50) {
		appendOne(t, l, e)
	}
	<-synced
	loseEnd(t, mem.CrashClone(vfs.CrashCloneCfg{}))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// What stands whole behind damage is named before anything is changed, and saved by a
// repair. What a power loss leaves there of what nobody was told of is no loss.
func TestRecordsBehindDamageAreSaved(t *testing.T) {
	fs := vfs.NewMem()
	recs := closedLog(t, fs, 200)
	name := newestWAL(t, fs, "data/log")
	text := readFile(t, fs, name)
	text[len(text)*8/10] ^= 1
	writeFile(t, fs, name, slices.Clone(text)) // the file system may spoil what it was given

	_, err := pebblelog.Open(pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs})
	if domain.CodeOf(err) != pebblelog.CodeRecordsLost || !strings.Contains(err.Error(), "to 200 (the mark beside it went through 200)") ||
		!strings.Contains(err.Error(), "behind the damage") || !strings.Contains(err.Error(), "run `chalie repair`") {
		t.Fatalf("opening it says %v", err)
	}
	if again := readFile(t, fs, name); !slices.Equal(again, text) {
		t.Error("the refusal changed the damaged file")
	}
	done, err := pebblelog.Repair(t.Context(), repairAt(fs))
	if err != nil {
		t.Fatal(err)
	}
	if done.Lost != 1 || done.Records != 199 {
		t.Errorf("of 200 records with a damaged one between them the repair says %+v", done)
	}
	l := open(t, pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs})
	defer l.Close()
	got := readAll(t, l)
	if err := alike(got, recs, done.LostAt); err != nil {
		t.Error(err)
	}
	if at, err := l.Checkpoint(t.Context(), "reader"); err != nil || at != 7 {
		t.Errorf("the consumer's position is %d (%v), want 7", at, err)
	}
	mustVerify(t, l)
	lost := done.LostAt[0].From
	if p, err := domain.Decode[domain.RecordLost](got[lost-1].Envelope); err != nil || p.Reason != domain.LostToDamage || p.Copy != done.Copy {
		t.Errorf("at the lost position stands %+v (%v)", p, err)
	}
	if _, err := fs.Stat("data/" + done.Copy + "/log/MARK"); err != nil {
		t.Errorf("the copy isn't there: %v", err)
	}
}

// A sound log isn't touched, and one that another process uses isn't either.
func TestRepairRefuses(t *testing.T) {
	fs := vfs.NewMem()
	closedLog(t, fs, 5)
	if _, err := pebblelog.Repair(t.Context(), repairAt(fs)); domain.CodeOf(err) != pebblelog.CodeSound {
		t.Errorf("repairing a sound log says %v, want %s", err, pebblelog.CodeSound)
	}
	l := open(t, pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: fs})
	defer l.Close()
	if _, err := pebblelog.Repair(t.Context(), repairAt(fs)); domain.CodeOf(err) != "locked" {
		t.Errorf("repairing a log in use says %v, want locked", err)
	}
	empty := vfs.NewMem()
	if _, err := pebblelog.Repair(t.Context(), repairAt(empty)); domain.CodeOf(err) != "no_log" {
		t.Errorf("repairing nothing says %v, want no_log", err)
	}
}

// A running log that opens its store anew, after its disk failed, is held to what it
// acknowledged itself: with its end gone it refuses appends and touches nothing.
func TestReopeningWithALostEnd(t *testing.T) {
	mem := vfs.NewMem()
	disk := &brokenDisk{cause: errors.New("input/output error"), kinds: allWrites}
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "data/log", Clock: clock, FS: errorfs.Wrap(mem, disk), RetryEvery: time.Millisecond})
	defer l.Close()
	for range 40 {
		appendOne(t, l, domaintest.NewEntry(ids, "signals"))
	}
	disk.broken.Store(true)
	if _, err := l.Append(t.Context(), domain.Batch{Entries: domaintest.NewEntries(ids, "signals", 1)}); err == nil {
		t.Fatal("an append succeeded on a broken disk")
	}
	name := newestWAL(t, mem, "data/log")
	writeFile(t, mem, name, readFile(t, mem, name)[:1000])
	writeFile(t, mem, "data/log/MARK", nil)
	disk.broken.Store(false)
	for {
		_, err := l.Append(t.Context(), domain.Batch{Entries: domaintest.NewEntries(ids, "signals", 1)})
		if err == nil {
			t.Fatal("an append succeeded on a log that had lost its end")
		}
		if domain.CodeOf(err) == pebblelog.CodeRecordsLost {
			if !strings.Contains(err.Error(), "to 40 (this process went through 40)") {
				t.Errorf("the refusal says %v", err)
			}
			break
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

// stopping is a file system that ends a process at one of its changes: nothing is
// changed after it.
type stopping struct {
	vfs.FS
	at, n atomic.Int64
}

var errStopped = errors.New("the process was killed")

func (s *stopping) step() error {
	if s.n.Add(1) > s.at.Load() {
		return errStopped
	}
	return nil
}

func (s *stopping) wrap(file vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return &stoppingFile{file, s}, nil
}

func (s *stopping) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := s.step(); err != nil {
		return nil, err
	}
	return s.wrap(s.FS.Create(name, c))
}

func (s *stopping) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if err := s.step(); err != nil {
		return nil, err
	}
	return s.wrap(s.FS.OpenReadWrite(name, c, opts...))
}

func (s *stopping) Rename(from, to string) error {
	return errors.Join(s.step(), s.unless(func() error { return s.FS.Rename(from, to) }))
}

func (s *stopping) Remove(name string) error {
	return errors.Join(s.step(), s.unless(func() error { return s.FS.Remove(name) }))
}

func (s *stopping) RemoveAll(name string) error {
	return errors.Join(s.step(), s.unless(func() error { return s.FS.RemoveAll(name) }))
}

func (s *stopping) MkdirAll(name string, perm os.FileMode) error {
	return errors.Join(s.step(), s.unless(func() error { return s.FS.MkdirAll(name, perm) }))
}

// unless does nothing once the process has ended.
func (s *stopping) unless(op func() error) error {
	if s.n.Load() > s.at.Load() {
		return nil
	}
	return op()
}

type stoppingFile struct {
	vfs.File
	fs *stopping
}

func (f *stoppingFile) Write(p []byte) (int, error) {
	if err := f.fs.step(); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

func (f *stoppingFile) WriteAt(p []byte, at int64) (int, error) {
	if err := f.fs.step(); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, at)
}

// TestRepairIsKilled ends a repair at each of its changes to the disk, with and without
// a loss of power, and runs it again.
func TestRepairIsKilled(t *testing.T) {
	seed := domaintest.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	every := max(1, 12/domaintest.Rounds(t, domaintest.AttackRounds, 1))
	finished, ends := false, 0
	for at := int64(rng.IntN(every)); !finished; at += int64(every) {
		ends++
		mem := vfs.NewCrashableMem()
		recs := closedLog(t, mem, 60)
		name := newestWAL(t, mem, "data/log")
		text := readFile(t, mem, name)
		text[len(text)/2] ^= 1
		writeFile(t, mem, name, text)
		if err := mem.MkdirAll("data/projections", 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, mem, "data/projections/state", []byte("folded"))
		syncDirs(t, mem, "data/log", "data/projections", "data", "")
		fs := &stopping{FS: mem}
		fs.at.Store(at)
		_, err := pebblelog.Repair(t.Context(), repairAt(fs))
		finished = err == nil && fs.n.Load() <= at
		after := mem
		if rng.IntN(2) == 0 {
			after = mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		}
		if err := repairedAfter(after, recs, finished); err != nil {
			t.Fatalf("ended at change %d of seed %d: %v", at, seed, err)
		}
	}
	if ends < 5 {
		t.Errorf("the repair was over after %d changes; the test tested nothing", ends*every)
	}
}

func syncDirs(t *testing.T, fs vfs.FS, dirs ...string) {
	t.Helper()
	for _, name := range dirs {
		dir, err := fs.OpenDir(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// repairedAfter runs a repair on what another one left, and holds the log to what was
// there before. Until then nobody may start on it.
func repairedAfter(fs vfs.FS, want []domain.Record, finished bool) error {
	clock := domaintest.NewClock()
	cfg := pebblelog.Config{Dir: "data/log", Clock: clock, FS: fs, Known: domain.Position(len(want))}
	if l, err := pebblelog.Open(cfg); err == nil {
		if err := l.Close(); err != nil {
			return err
		}
		if report, err := reportOf(cfg); err != nil || !report.OK() || report.Lost == 0 {
			return fmt.Errorf("it starts, and verify says %+v (%w)", report, err)
		}
	} else {
		again := repairAt(fs)
		again.Log.Known = cfg.Known
		if _, err := pebblelog.Repair(context.Background(), again); err != nil {
			return fmt.Errorf("the repair, run again: %w", err)
		}
	}
	report, err := reportOf(cfg)
	if err != nil || !report.OK() || report.Lost != 1 {
		return fmt.Errorf("repaired, verify says %+v (%w)", report, err)
	}
	l, err := pebblelog.Open(cfg)
	if err != nil {
		return err
	}
	defer l.Close()
	recs, err := l.Select(context.Background(), domain.Selector{}, 1, 1000)
	if err != nil {
		return err
	}
	if err := alike(recs, want, report.LostAt); err != nil {
		return err
	}
	if _, err := fs.Stat("data/projections/state"); err == nil {
		return errors.New("what was folded from the damaged log is still there")
	}
	names, err := fs.List("data")
	if err != nil {
		return err
	}
	copies := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, "damaged-") })
	for _, name := range copies {
		if _, err := fs.Stat(filepath.Join("data", name, "log", "LOCK")); err == nil {
			return nil
		}
	}
	return fmt.Errorf("no copy of the damaged log is in %v (finished: %v)", names, finished)
}

func reportOf(cfg pebblelog.Config) (pebblelog.Report, error) {
	cfg.ReadOnly = true
	l, err := pebblelog.Open(cfg)
	if err != nil {
		return pebblelog.Report{}, err
	}
	defer l.Close()
	return l.Verify(context.Background(), nil)
}

package pebblelog_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// someRuns draws positions of a log, but neither its first nor its last.
func someRuns(rng *rand.Rand, tail domain.Position) (out domain.Runs) {
	for pos := 2 + domain.Position(rng.IntN(4)); pos+40 < tail; {
		through := pos + domain.Position(rng.IntN(8))
		if rng.IntN(40) == 0 {
			through += 1500 // more than goes at once
		}
		through = min(through, tail-1)
		out = out.Add(pos, through)
		pos = through + 2 + domain.Position(rng.IntN(20))
	}
	return out
}

// without are the records at no position of the runs.
func without(records []domain.Record, runs domain.Runs) []domain.Record {
	return slices.DeleteFunc(slices.Clone(records), func(rec domain.Record) bool {
		_, went := runs.Covering(rec.Position)
		return went
	})
}

// holds compares all that a log can be asked with what it should hold.
func holds(t *testing.T, l *pebblelog.Log, want []domain.Record) {
	t.Helper()
	if got := everything(t, l); !reflect.DeepEqual(got, want) {
		t.Fatalf("it has %d records, want %d, or they differ", len(got), len(want))
	}
	selectors := map[domain.Selector][]domain.Record{}
	counts := map[domain.TypeVersion]uint64{}
	for _, rec := range want {
		e := rec.Envelope
		counts[domain.TypeVersion{Type: e.Type, Version: e.Version}]++
		for _, s := range []domain.Selector{{Topic: rec.Topic}, {Trace: e.Trace}, {Parent: e.Parent}, {Key: e.Keys[0]}} {
			if s != (domain.Selector{}) {
				selectors[s] = append(selectors[s], rec)
			}
		}
	}
	for s, want := range selectors {
		if got, err := l.Select(t.Context(), s, 1, 1<<20); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v selects %d records, want %d: %v", s, len(got), len(want), err)
		}
	}
	if got, err := l.Counts(t.Context()); err != nil || !reflect.DeepEqual(got, counts) {
		t.Errorf("it counts %v, want %v: %v", got, counts, err)
	}
	for _, rec := range want {
		pos, err := l.Since(t.Context(), rec.RecordedAt)
		if err != nil {
			t.Fatal(err)
		}
		some, err := l.Select(t.Context(), domain.Selector{}, pos, 1)
		if err != nil || len(some) == 0 || some[0].RecordedAt != rec.RecordedAt {
			t.Fatalf("since %d is position %d, of %+v: %v", rec.RecordedAt, pos, some, err)
		}
	}
}

func TestRetiredRecords(t *testing.T) {
	seed := domaintest.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	records := original(t, 6000)
	clock := domaintest.NewClock()
	clock.Advance(365 * 24 * time.Hour)
	cfg := pebblelog.Config{Dir: "data/log", Clock: clock, FS: vfs.NewMem()}
	imports(t, cfg, records)
	l := open(t, cfg)
	runs := someRuns(rng, l.Tail())
	left := without(records, runs)
	for range 2 { // the second has nothing to do
		if err := l.Retire(t.Context(), runs); err != nil {
			t.Fatal(err)
		}
		holds(t, l, left)
		mustVerify(t, l)
	}
	if report, err := l.Verify(t.Context(), nil); err != nil || report.Retired != runs.Count() || report.Records != uint64(len(left)) {
		t.Errorf("verify says %+v of %d that went: %v", report, runs.Count(), err)
	}
	if got, err := l.Retired(t.Context(), 1, l.Tail()); err != nil || !reflect.DeepEqual(got, runs) {
		t.Errorf("%v went, want %v: %v", got, runs, err)
	}
	some := runs[len(runs)/2]
	if got, err := l.Retired(t.Context(), some.From+1, some.Through); err != nil || got.Count() != uint64(some.Through-some.From) {
		t.Errorf("from %d through %d %v went: %v", some.From+1, some.Through, got, err)
	}
	went := records[some.From-1]
	if _, err := l.Find(t.Context(), went.Envelope.ID); domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("what went is found: %v", err)
	}
	for range 2 { // as it is, and opened again
		again := domain.Batch{Entries: []domain.Entry{{Topic: went.Topic, Envelope: went.Envelope}}}
		if r, err := l.Append(t.Context(), again); err != nil || r.Positions[0] <= records[len(records)-1].Position {
			t.Errorf("what went and comes again is at %v: %v", r.Positions, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l = open(t, cfg)
		mustVerify(t, l)
	}
	if err := l.Retire(t.Context(), domain.Runs{{From: l.Tail(), Through: l.Tail()}}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("the last record was retired: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// cutting copies the disk at every so many writes, as a loss of power would leave it.
type cutting struct {
	disk  *vfs.MemFS
	mu    sync.Mutex
	rng   *rand.Rand
	on    bool
	left  int
	found []*vfs.MemFS
}

func (c *cutting) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return nil
	}
	if c.left--; c.left <= 0 && len(c.found) < 60 {
		c.left = 1 + c.rng.IntN(4)
		c.found = append(c.found, c.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: c.rng.IntN(101), RNG: c.rng}))
	}
	return nil
}

func (c *cutting) String() string { return "cutting" }

func (c *cutting) set(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
}

// Whenever the power goes, nothing is gone but what was to go, and the same call goes on.
func TestRetiringLosesPower(t *testing.T) {
	seed := domaintest.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 2))
	records := original(t, 5000)
	disk := vfs.NewCrashableMem()
	faults := &cutting{disk: disk, rng: rand.New(rand.NewPCG(seed, 3))}
	cfg := pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: errorfs.Wrap(disk, faults)}
	imports(t, cfg, records)
	l := open(t, cfg)
	runs := someRuns(rng, l.Tail())
	left := without(records, runs)
	faults.set(true)
	if err := l.Retire(t.Context(), runs); err != nil {
		t.Fatal(err)
	}
	faults.set(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if len(faults.found) < 20 {
		t.Fatalf("the power went %d times", len(faults.found))
	}
	partly := 0
	for i, disk := range faults.found {
		cfg.FS = disk
		l := open(t, cfg)
		mustVerify(t, l)
		got := everything(t, l)
		if len(got) > len(left) && len(got) < len(records) {
			partly++
		}
		if !reflect.DeepEqual(without(got, runs), left) {
			t.Fatalf("cut %d of seed %d: what was to stay isn't all there", i, seed)
		}
		if err := l.Retire(t.Context(), runs); err != nil {
			t.Fatalf("cut %d of seed %d: %v", i, seed, err)
		}
		if got := everything(t, l); !reflect.DeepEqual(got, left) {
			t.Fatalf("cut %d of seed %d: %d records are left, want %d", i, seed, len(got), len(left))
		}
		mustVerify(t, l)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if partly < 3 {
		t.Errorf("the power went %d times while a part was gone", partly)
	}
}

// silent logs nothing.
type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(string, ...any) {}

// A damaged record isn't taken for one that went, nor is one that is missing; and a repair
// knows the difference, too.
func TestDamageBesideRetiredRecords(t *testing.T) {
	records := original(t, 400)
	runs := domain.Runs{{From: 10, Through: 19}, {From: 100, Through: 129}, {From: 200, Through: 200}}
	cases := []struct {
		what   string
		damage func(db *pebble.DB) error
		lost   domain.Runs
	}{
		{"a record is missing", func(db *pebble.DB) error { return db.Delete(pebblelog.RecordKey(50), pebble.Sync) }, domain.Runs{{From: 50, Through: 50}}},
		{"a marker is missing", func(db *pebble.DB) error { return db.Delete(pebblelog.RecordKey(100), pebble.Sync) }, domain.Runs{{From: 100, Through: 129}}},
		{"a marker is damaged", func(db *pebble.DB) error {
			return db.Set(pebblelog.RecordKey(100), []byte("\x03\x00\x00\x00\x00\x00\x00\x01\x00................"[:21]), pebble.Sync)
		}, domain.Runs{{From: 100, Through: 129}}},
		{"the one behind is missing", func(db *pebble.DB) error { return db.Delete(pebblelog.RecordKey(201), pebble.Sync) }, domain.Runs{{From: 201, Through: 201}}},
		{"the one before is damaged", func(db *pebble.DB) error { return db.Set(pebblelog.RecordKey(9), []byte("nothing"), pebble.Sync) }, domain.Runs{{From: 9, Through: 9}}},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			clock := domaintest.NewClock()
			clock.Advance(365 * 24 * time.Hour)
			cfg := pebblelog.Config{Dir: "data/log", Clock: clock, FS: vfs.NewMem()}
			imports(t, cfg, records)
			l := open(t, cfg)
			if err := l.Retire(t.Context(), runs); err != nil {
				t.Fatal(err)
			}
			left := without(without(records, runs), c.lost)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			db, err := pebble.Open(cfg.Dir, &pebble.Options{FS: cfg.FS, FormatMajorVersion: pebble.FormatNewest, Logger: silent{}})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.damage(db); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			l = open(t, cfg)
			report, err := l.Verify(t.Context(), nil)
			if err != nil || len(report.Problems) == 0 || report.Problems[0].Position != c.lost[0].From || max(report.Problems[0].Through, report.Problems[0].Position) != c.lost[0].Through {
				t.Errorf("verify says %+v, want %v: %v", report.Problems, c.lost, err)
			}
			if _, err := l.Select(t.Context(), domain.Selector{}, 1, 1<<20); domain.CodeOf(err) != domain.CodeCorrupt || !strings.Contains(err.Error(), "position") {
				t.Errorf("reading says %v", err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			done, err := pebblelog.Repair(context.Background(), pebblelog.RepairConfig{Log: cfg, IDs: domaintest.NewIDs(clock, 2)})
			if err != nil || done.Lost != c.lost.Count() && done.Lost != 0 {
				t.Fatalf("the repair says %+v: %v", done, err)
			}
			l = open(t, cfg)
			mustVerify(t, l)
			got := slices.DeleteFunc(everything(t, l), func(rec domain.Record) bool { return rec.Envelope.Type == domain.RecordLostType })
			if done.Lost > 0 && !reflect.DeepEqual(got, left) {
				t.Errorf("after the repair it has %d records, want %d", len(got), len(left))
			}
			if again, err := l.Verify(t.Context(), nil); err != nil || again.Retired+again.Lost+again.Records-again.Lost != uint64(len(records)) {
				t.Errorf("after the repair verify says %+v: %v", again, err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestNothingGoesFromACopy: of a log that a cluster keeps nothing goes, and the refusal says what to do.
func TestNothingGoesFromACopy(t *testing.T) {
	up, clock := &upstream{}, domaintest.NewClock()
	log := open(t, pebblelog.Config{Dir: "log", FS: vfs.NewMem(), Clock: clock, Upstream: up, Of: "elsewhere"})
	defer log.Close()
	ids := domaintest.NewIDs(clock, 1)
	for range 20 {
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(ids, "a")}}); err != nil {
			t.Fatal(err)
		}
	}
	before := everything(t, log)
	for what, err := range map[string]error{"asked": log.MayRetire(), "told": log.Retire(t.Context(), domain.Runs{{From: 2, Through: 9}})} {
		if domain.CategoryOf(err) != domain.Conflict || domain.CodeOf(err) != pebblelog.CodeIsCopy ||
			!strings.Contains(err.Error(), "of the stream elsewhere of a cluster") || !strings.Contains(err.Error(), "set the times to keep back to 0s, or bring the log back") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := everything(t, log); !reflect.DeepEqual(got, before) {
		t.Errorf("it has %d records, want %d, or they differ", len(got), len(before))
	}
	mustVerify(t, log)
}

// TestOnDiskForetells: what the preview of retention makes of the sizes on the disk is about what comes back.
func TestOnDiskForetells(t *testing.T) {
	records := original(t, 12_000)
	clock := domaintest.NewClock()
	clock.Advance(365 * 24 * time.Hour)
	cfg := pebblelog.Config{Dir: "data/log", Clock: clock, FS: vfs.NewMem()}
	imports(t, cfg, records)
	l := open(t, cfg)
	var runs domain.Runs
	for pos := domain.Position(2); pos < 9000; pos += 3 {
		runs = runs.Add(pos, pos+1)
	}
	bytes := func(of []domain.Record) (n float64) {
		for i := range of {
			n += float64(of[i].Size())
		}
		return n
	}
	some, indexes := l.OnDisk(9001)
	all, _ := l.OnDisk(l.Tail())
	if some == 0 || indexes == 0 || all <= some {
		t.Fatalf("%d of %d bytes of records through position 9,001, and %d of indexes", some, all, indexes)
	}
	gone := bytes(records[:9001]) - bytes(without(records[:9001], runs))
	foretold := float64(some)*gone/bytes(records[:9001]) + float64(indexes)*float64(runs.Count())/float64(len(records))
	if err := l.Retire(t.Context(), runs); err != nil {
		t.Fatal(err)
	}
	left, leftIndexes := l.OnDisk(l.Tail())
	came := float64(all) + float64(indexes) - float64(left) - float64(leftIndexes)
	if foretold < 0.6*came || foretold > 1.7*came {
		t.Errorf("%.0f bytes were foretold, and %.0f came back", foretold, came)
	}
}

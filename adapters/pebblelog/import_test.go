package pebblelog_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// original is a log with records of several traces, topics, keys and times.
func original(t *testing.T, n int) []domain.Record {
	t.Helper()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := memlog.New(clock)
	var parent domain.Envelope
	for i := range n {
		e := domaintest.NewEntry(ids, domain.Topic(fmt.Sprintf("topic-%d", i%3)))
		if i%4 != 0 {
			e.Envelope.Trace, e.Envelope.Parent = parent.Trace, parent.ID
		}
		parent = e.Envelope
		e.Envelope.Keys = []domain.Key{domain.Key(fmt.Sprintf("key-%d", i%7))}
		if _, err := l.Append(t.Context(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
			t.Fatal(err)
		}
		clock.Advance(1e9)
		if i%100 == 42 { // it is put back again and again
			clock.Advance(-30e9)
		}
	}
	return everything(t, l)
}

func everything(t *testing.T, l domain.Reader) []domain.Record {
	t.Helper()
	records, err := l.Select(t.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func imports(t *testing.T, cfg pebblelog.Config, records []domain.Record) {
	t.Helper()
	im, err := pebblelog.BeginImport(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		if pos, err := im.Append(rec); err != nil || pos != rec.Position {
			t.Fatalf("record %d got position %d, %v", rec.Position, pos, err)
		}
	}
	if err := im.Finish(); err != nil {
		t.Fatal(err)
	}
}

// An imported log can't be told from the one its records are from, and goes on
// as that would.
func TestImportedLogIsTheSame(t *testing.T) {
	records := original(t, 5000)
	clock := domaintest.NewClock() // earlier than most of the records
	cfg := pebblelog.Config{Dir: "data/log", Clock: clock, FS: vfs.NewMem()}
	imports(t, cfg, records)
	l := open(t, cfg)
	defer l.Close()
	if got := everything(t, l); !reflect.DeepEqual(got, records) {
		t.Fatal("the records differ")
	}
	report, err := l.Verify(t.Context(), nil)
	if err != nil || !report.OK() || report.Records != 5000 {
		t.Errorf("verified: %+v, %v", report, err)
	}
	counts, err := l.Counts(t.Context())
	if want := map[domain.TypeVersion]uint64{{Type: domaintest.SampleType, Version: 1}: 5000}; err != nil || !reflect.DeepEqual(counts, want) {
		t.Errorf("counts are %v, %v", counts, err)
	}
	if found, err := l.Find(t.Context(), records[4000].Envelope.ID); err != nil || found.Position != 4001 {
		t.Errorf("found %d, %v", found.Position, err)
	}
	if of, err := l.Select(t.Context(), domain.Selector{Key: "key-3"}, 1, 5000); err != nil || len(of) != 714 {
		t.Errorf("%d records have the key, %v", len(of), err)
	}
	if at, err := l.Since(t.Context(), records[2000].RecordedAt); err != nil || at != 2001 {
		t.Errorf("since the time of 2001 is %d, %v", at, err)
	}

	// What is known is a duplicate, what is new comes after, and time doesn't go back.
	again := domain.Batch{Entries: []domain.Entry{{Topic: records[9].Topic, Envelope: records[9].Envelope}}}
	if r, err := l.Append(t.Context(), again); err != nil || !r.Duplicate || r.Positions[0] != 10 || r.RecordedAt != records[9].RecordedAt {
		t.Errorf("the same again: %+v, %v", r, err)
	}
	next := domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(domaintest.NewIDs(clock, 7), "topic-1")}}
	if r, err := l.Append(t.Context(), next); err != nil || r.Positions[0] != 5001 || r.RecordedAt != records[4999].RecordedAt {
		t.Errorf("the next: %+v, %v", r, err)
	}
}

func TestImportNeedsAnEmptyLog(t *testing.T) {
	clock := domaintest.NewClock()
	records := original(t, 3)
	cfg := pebblelog.Config{Dir: "log", Clock: clock, FS: vfs.NewMem(), Holder: "a test"}
	if err := open(t, cfg).Close(); err != nil { // one without records is empty
		t.Fatal(err)
	}
	imports(t, cfg, records)
	_, err := pebblelog.BeginImport(cfg)
	if domain.CodeOf(err) != pebblelog.CodeNotEmpty || !strings.Contains(err.Error(), "holds 3 records") {
		t.Errorf("into one with records: %v", err)
	}
	l := open(t, cfg)
	defer l.Close()
	if _, err := pebblelog.BeginImport(cfg); domain.CodeOf(err) != "locked" {
		t.Errorf("into one that is in use: %v", err)
	}
	if l.Tail() != 3 {
		t.Errorf("there are %d records", l.Tail())
	}
}

func TestImportRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(records []domain.Record)
		want   domain.Code
	}{
		{"an id that comes again", func(r []domain.Record) { r[2].Envelope.ID = r[0].Envelope.ID }, domain.CodeIDReused},
		{"a time that goes back", func(r []domain.Record) { r[2].RecordedAt = r[0].RecordedAt }, "invalid"},
		{"an envelope without a type", func(r []domain.Record) { r[2].Envelope.Type = "" }, "invalid"},
		{"a topic that is none", func(r []domain.Record) { r[2].Topic = domain.TopicAll }, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			records := original(t, 4)
			c.change(records)
			cfg := pebblelog.Config{Dir: "log", Clock: domaintest.NewClock(), FS: vfs.NewMem()}
			im, err := pebblelog.BeginImport(cfg)
			if err != nil {
				t.Fatal(err)
			}
			for _, rec := range records[:2] {
				if _, err := im.Append(rec); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := im.Append(records[2]); domain.CodeOf(err) != c.want {
				t.Errorf("it was answered %v, want %s", err, c.want)
			}
			if err := im.Abandon(); err != nil {
				t.Fatal(err)
			}
			isEmpty(t, cfg)
		})
	}
}

// An id far back is found, too: the importer remembers only the last ones.
func TestImportFindsAnOldID(t *testing.T) {
	records := original(t, 10_000)
	cfg := pebblelog.Config{Dir: "log", Clock: domaintest.NewClock(), FS: vfs.NewMem()}
	im, err := pebblelog.BeginImport(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		if _, err := im.Append(rec); err != nil {
			t.Fatal(err)
		}
	}
	twice := records[9999]
	twice.Envelope.ID = records[0].Envelope.ID
	if _, err := im.Append(twice); domain.CodeOf(err) != domain.CodeIDReused {
		t.Errorf("it was answered %v", err)
	}
	if err := im.Abandon(); err != nil {
		t.Fatal(err)
	}
}

func isEmpty(t *testing.T, cfg pebblelog.Config) {
	t.Helper()
	l := open(t, cfg)
	defer l.Close()
	if l.Tail() != 0 {
		t.Errorf("there are %d records", l.Tail())
	}
	for _, left := range []string{".importing", ".replaced"} {
		if _, err := cfg.FS.Stat(cfg.Dir + left); err == nil {
			t.Errorf("%s%s is still there", cfg.Dir, left)
		}
	}
}

// When the power goes at any change of the disk, the log is empty afterwards or
// holds everything.
func TestImportLosesPower(t *testing.T) {
	records := original(t, 300)
	clock := domaintest.NewClock()
	whole, rounds := 0, 0
	for crashAfter := int32(0); ; crashAfter++ {
		rounds++
		mem := vfs.NewCrashableMem()
		done := importUntil(t, mem, clock, records, crashAfter)
		after := mem.CrashClone(vfs.CrashCloneCfg{})
		cfg := pebblelog.Config{Dir: "data/log", Clock: clock, FS: after}
		if err := after.MkdirAll("data", 0o700); err != nil {
			t.Fatal(err)
		}
		l := open(t, cfg)
		tail := l.Tail()
		if tail == 300 {
			whole++
			if report, err := l.Verify(t.Context(), nil); err != nil || !report.OK() {
				t.Errorf("after %d changes: %+v, %v", crashAfter, report, err)
			}
		} else if tail != 0 || done {
			t.Errorf("after %d changes there are %d records; it said it was done: %t", crashAfter, tail, done)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if tail == 0 { // and it can be done again
			imports(t, cfg, records)
		}
		if done {
			break
		}
	}
	t.Logf("%d crashes", rounds)
	if whole == 0 {
		t.Error("no import was ever whole")
	}
}

// importUntil imports on a disk that fails after some changes; it reports
// whether it was told that everything is in.
func importUntil(t *testing.T, mem *vfs.MemFS, clock domain.Clock, records []domain.Record, changes int32) bool {
	t.Helper()
	broken := errorfs.OnIndex(changes)
	injector := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
			return nil
		}
		if err := broken.MaybeError(op); err != nil {
			broken.Store(0) // and all that come after
			return err
		}
		return nil
	})
	if err := mem.MkdirAll("data", 0o700); err != nil {
		t.Fatal(err)
	}
	root, err := mem.OpenDir("/")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(root.Sync(), root.Close()); err != nil {
		t.Fatal(err)
	}
	im, err := pebblelog.BeginImport(pebblelog.Config{Dir: "data/log", Clock: clock, FS: errorfs.Wrap(mem, injector)})
	if err != nil {
		return false
	}
	for _, rec := range records {
		if _, err := im.Append(rec); err != nil {
			_ = im.Abandon() // on a broken disk
			return false
		}
	}
	return im.Finish() == nil
}

func BenchmarkImport(b *testing.B) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	im, err := pebblelog.BeginImport(pebblelog.Config{Dir: b.TempDir() + "/log", Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := im.Abandon(); err != nil {
			b.Error(err)
		}
	}()
	rec := domain.Record{Topic: "signals", RecordedAt: 1, Envelope: domaintest.NewEntry(ids, "signals").Envelope}
	rec.Envelope.Payload = domain.JSONPayload([]byte(`{"text":"` + strings.Repeat("x", 300) + `"}`))
	for b.Loop() {
		rec.Envelope.ID = ids.NewID()
		rec.Envelope.Trace = domain.TraceID{ID: rec.Envelope.ID}
		if _, err := im.Append(rec); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// Who worked through the log goes on where they were, and never behind the tail.
func TestImportKeepsConsumers(t *testing.T) {
	records := original(t, 5)
	cfg := pebblelog.Config{Dir: "log", Clock: domaintest.NewClock(), FS: vfs.NewMem()}
	im, err := pebblelog.BeginImport(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		if _, err := im.Append(rec); err != nil {
			t.Fatal(err)
		}
	}
	for name, pos := range map[string]domain.Position{"behind": 3, "beyond": 9} {
		if err := im.SaveCheckpoint(name, pos); err != nil {
			t.Fatal(err)
		}
	}
	if err := im.SaveCheckpoint("", 1); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a consumer without a name: %v", err)
	}
	if err := im.Finish(); err != nil {
		t.Fatal(err)
	}
	l := open(t, cfg)
	defer l.Close()
	if err := l.SaveCheckpoint(t.Context(), "new", 4); err != nil {
		t.Fatal(err)
	}
	got, err := l.Consumers(t.Context())
	if want := map[string]domain.Position{"behind": 3, "beyond": 5, "new": 4}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the consumers are %v, %v, want %v", got, err, want)
	}
}

// Who opens what a killed import left is told what happened, and what to do.
func TestImportIsBrokenOff(t *testing.T) {
	mem := vfs.NewCrashableMem()
	if err := mem.MkdirAll("data", 0o700); err != nil {
		t.Fatal(err)
	}
	cfg := pebblelog.Config{Dir: "data/log", Clock: domaintest.NewClock(), FS: mem}
	im, err := pebblelog.BeginImport(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range original(t, 3) {
		if _, err := im.Append(rec); err != nil {
			t.Fatal(err)
		}
	}
	killed := cfg
	killed.FS, killed.ReadOnly = mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(1, 1))}), true
	if err := im.Abandon(); err != nil {
		t.Fatal(err)
	}
	if l, err := pebblelog.Open(killed); domain.CodeOf(err) != pebblelog.CodeBrokenOff {
		t.Errorf("it was opened as %v, %v", l, err)
	}
}

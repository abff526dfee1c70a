package pebblelog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// image is a log's folder as some end left it, with what stands in the log then.
type image struct {
	name    string
	files   map[string][]byte
	records []domain.Record // that an opening finds
	acked   int             // how many of them were acknowledged
}

// imaged copies a folder.
func imaged(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // Pebble tidies up in the background
		}
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = text
	}
	return out
}

func (im image) writeTo(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range im.files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// images are logs of several shapes, each after a kill and after a clean stop: all in
// one write-ahead file; tables and a write-ahead file; several of both.
func images(t *testing.T) []image {
	t.Helper()
	var out []image
	for _, shape := range []struct {
		name          string
		before, after int // records before and after the log is opened again
		fat           int // bytes in a payload
	}{
		{"one write-ahead file", 0, 400, 0},
		{"tables and a write-ahead file", 300, 300, 0},
		{"several of both", 100, 200, 25_000},
	} {
		dir := t.TempDir()
		clock := domaintest.NewClock()
		ids := domaintest.NewIDs(clock, 1)
		n := 0
		for _, records := range []int{shape.before, shape.after} {
			l := open(t, pebblelog.Config{Dir: dir, Clock: clock, MemTableBytes: 4 << 20})
			for i := 0; i < records; {
				entries := domaintest.NewEntries(ids, domain.Topic(fmt.Sprintf("topic-%d", i%3)), 1+i%4)
				for j := range entries {
					if shape.fat > 0 {
						entries[j].Envelope.Payload.Bytes = []byte(`"` + strings.Repeat("x", shape.fat) + `"`)
					}
				}
				if _, err := l.Append(t.Context(), domain.Batch{Entries: entries}); err != nil {
					t.Fatal(err)
				}
				i += len(entries)
				n += len(entries)
			}
			if records == shape.after {
				killed := imaged(t, dir)
				delete(killed, "LOCK")
				recs := readAll(t, l)
				out = append(out, image{shape.name + ", killed", killed, recs, n})
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if records == shape.after {
				out = append(out, image{shape.name + ", closed", imaged(t, dir), out[len(out)-1].records, n})
			}
		}
	}
	return out
}

// kindOf groups the files of a folder, so that each kind is damaged as often.
func kindOf(name string) string {
	for _, kind := range []string{".sst", ".log", "MANIFEST", "OPTIONS", "marker."} {
		if strings.Contains(name, kind) {
			return kind
		}
	}
	return name
}

// damage changes one file, and says how.
func damage(t *testing.T, dir string, files map[string][]byte, rng *rand.Rand) string {
	t.Helper()
	kinds := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		kinds[kindOf(name)] = append(kinds[kindOf(name)], name)
	}
	order := slices.Sorted(maps.Keys(kinds))
	for range 2 { // most of what can go wrong silently does so in write-ahead files
		order = append(order, ".log")
	}
	of := kinds[order[rng.IntN(len(order))]]
	name := of[rng.IntN(len(of))]
	text := bytes.Clone(files[name])
	path := filepath.Join(dir, name)
	how := rng.IntN(6)
	if len(text) == 0 {
		how = 5
	}
	at := 0
	if len(text) > 0 {
		at = rng.IntN(len(text))
	}
	said := fmt.Sprintf("%s of %d bytes: ", name, len(text))
	switch how {
	case 0, 1:
		bit := rng.IntN(8)
		text[at] ^= 1 << bit
		said += fmt.Sprintf("bit %d of byte %d", bit, at)
	case 2:
		run := min(1+rng.IntN(64), len(text)-at)
		for i := range run {
			text[at+i] = byte(rng.Uint32())
		}
		said += fmt.Sprintf("%d other bytes at %d", run, at)
	case 3:
		run := min(1<<rng.IntN(17), len(text)-at)
		clear(text[at : at+run])
		said += fmt.Sprintf("%d zeroes at %d", run, at)
	case 4:
		text = text[:at]
		said += fmt.Sprintf("cut at %d", at)
	case 5:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return said + "deleted"
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return said
}

// TestRandomDamage damages one file of a log, again and again, and holds the log to
// its word: what was acknowledged is there, or its loss is told before anything is
// written. Then the log is repaired, and holds all that a file still held.
func TestRandomDamage(t *testing.T) {
	seed := domaintest.Seed(t)
	all := images(t)
	found := map[string]int{}
	for round := range domaintest.Rounds(t, domaintest.AttackRounds, 40) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		im := all[rng.IntN(len(all))]
		dir := filepath.Join(t.TempDir(), "log")
		im.writeTo(t, dir)
		said := damage(t, dir, im.files, rng)
		outcome, err := judge(t, im, dir)
		if err != nil {
			t.Errorf("round %d of seed %d: %s; %s: %v", round, seed, im.name, said, err)
		}
		found[outcome]++
		_ = os.RemoveAll(filepath.Dir(dir))
	}
	t.Logf("%v", found)
	if found["detected"] == 0 || found["harmless"] == 0 {
		t.Errorf("outcomes were %v: the damage is not of all kinds", found)
	}
}

// judge opens a damaged log as a command that reads and as a server would, and says
// what came of it.
func judge(t *testing.T, im image, dir string) (string, error) {
	t.Helper()
	before := imaged(t, dir)
	read := tryLog(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), ReadOnly: true}, im)
	after := imaged(t, dir)
	delete(after, "LOCK")
	delete(before, "LOCK")
	if !maps.EqualFunc(before, after, bytes.Equal) {
		return "changed", fmt.Errorf("reading changed the folder")
	}
	if read.silent {
		return "silent", fmt.Errorf("a command that reads it sees nothing wrong: %s", read.what)
	}
	if !read.detected {
		served := tryLog(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock()}, im)
		if served.silent {
			return "silent", fmt.Errorf("a server sees nothing wrong: %s", served.what)
		}
		if served.detected {
			return "detected late", fmt.Errorf("only a server finds it: %s", served.what)
		}
		return "harmless", nil
	}
	served := tryLog(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock()}, im)
	if !served.detected {
		return "undone", fmt.Errorf("a reader finds %s, and a server then finds nothing", read.what)
	}
	return "detected", mend(im, dir)
}

// finding is what trying a log came to.
type finding struct {
	detected, silent bool
	what             string
}

func tryLog(cfg pebblelog.Config, im image) finding {
	l, err := pebblelog.Open(cfg)
	if err != nil {
		return finding{detected: true, what: err.Error()}
	}
	defer l.Close()
	report, err := l.Verify(context.Background(), nil)
	if err != nil {
		return finding{silent: true, what: "verify: " + err.Error()}
	}
	if !report.OK() {
		return finding{detected: true, what: report.Problems[0].Error}
	}
	recs, err := l.Select(context.Background(), domain.Selector{}, 1, 1<<30)
	if err != nil {
		return finding{silent: true, what: "verify passes, and reading says " + err.Error()}
	}
	if len(recs) < im.acked {
		return finding{silent: true, what: fmt.Sprintf("%d of %d acknowledged records are there", len(recs), im.acked)}
	}
	if err := alike(recs, im.records[:len(recs)], nil); err != nil {
		return finding{silent: true, what: err.Error()}
	}
	return finding{}
}

// alike compares records with what was written, but for those named lost.
func alike(got, want []domain.Record, lost []pebblelog.Span) error {
	if len(got) < len(want) {
		return fmt.Errorf("%d records instead of %d", len(got), len(want))
	}
	for i := range want {
		named := slices.ContainsFunc(lost, func(s pebblelog.Span) bool {
			return got[i].Position >= s.From && got[i].Position <= s.Through
		})
		switch {
		case named && got[i].Envelope.Type != domain.RecordLostType:
			return fmt.Errorf("position %d is named lost and isn't", i+1)
		case !named && !reflect.DeepEqual(got[i], want[i]):
			return fmt.Errorf("position %d holds %.200s instead of %.200s", i+1, fmt.Sprint(got[i].Envelope), fmt.Sprint(want[i].Envelope))
		}
	}
	return nil
}

// mend repairs a log, and holds what comes out to what was there.
func mend(im image, dir string) error {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 99)
	done, err := pebblelog.Repair(context.Background(), pebblelog.RepairConfig{Log: pebblelog.Config{Dir: dir, Clock: clock, Known: domain.Position(im.acked)}, IDs: ids})
	if err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	l, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock, Known: domain.Position(im.acked)})
	if err != nil {
		return fmt.Errorf("after the repair: %w", err)
	}
	defer l.Close()
	report, err := l.Verify(context.Background(), nil)
	if err != nil || !report.OK() || report.Lost != done.Lost || report.Records != done.Records+done.Lost {
		return fmt.Errorf("the repair says %+v, and verify afterwards %+v (%w)", done, report, err)
	}
	recs, err := l.Select(context.Background(), domain.Selector{}, 1, 1<<30)
	if err != nil {
		return err
	}
	return alike(recs, im.records, report.LostAt)
}

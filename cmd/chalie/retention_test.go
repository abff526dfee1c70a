package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"chalie/adapters/argon2"
	"chalie/adapters/exportfile"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/explain"
	"chalie/replay/player"
)

// retires has records of a data directory at rest go, as the running Chalie has.
func retires(t *testing.T, data string, runs domain.Runs, deleted bool) {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}})
	if err != nil {
		t.Fatal(err)
	}
	var ends []domain.Record
	for _, pos := range []domain.Position{runs[0].From, runs.Last()} {
		found, err := log.Select(t.Context(), domain.Selector{}, pos, 1)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, found...)
	}
	id := ulids.New(sysclock.Clock{}).NewID()
	span := domain.SpanRetired{
		Through: log.Tail(), Runs: runs.Write(), Oldest: ends[0].RecordedAt, Newest: ends[1].RecordedAt, Kept: []domain.KeptFor{{Topic: domain.TopicSignals, For: 1}}, Records: runs.Count(),
		Counts: []domain.RetiredCount{{Topic: domain.TopicSignals, Type: domain.SignalReceivedType, Records: runs.Count()}},
	}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(sysclock.Clock{}.Now()), domain.SourceRetention, span)
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = span.Keys()
	if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	if deleted {
		if err := log.Retire(t.Context(), runs); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// verified is what verify says of a data directory's log, and which records went from it.
func verified(t *testing.T, data string) (pebblelog.Report, domain.Runs) {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	report, err := log.Verify(t.Context(), nil)
	if err != nil || !report.OK() {
		t.Fatalf("verify says %+v, %v", report, err)
	}
	went, err := log.Retired(t.Context(), 1, log.Tail())
	if err != nil {
		t.Fatal(err)
	}
	return report, went
}

// exportOf is the whole log of a data directory as a file.
func exportOf(t *testing.T, data string) []byte {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var out bytes.Buffer
	if err := exportfile.Export(t.Context(), log, exportfile.Selection{}, exportfile.JSONL, "", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What is brought elsewhere of a log from which records went has its gaps, and nothing of it
// is taken for lost; and what is folded is the same, whether the records were there when it was.
func TestGapsGoAlong(t *testing.T) {
	t.Parallel()
	data := resting(t, 1500)
	folded(t, data) // so that the folds go on over what went
	old := filepath.Join(t.TempDir(), "old")
	if _, err := backedUp(t, data, old); err != nil {
		t.Fatal(err)
	}
	runs := domain.Runs{{From: 2, Through: 700}, {From: 702, Through: 702}, {From: 900, Through: 1200}}
	retires(t, data, runs, true)
	report, went := verified(t, data)
	if report.Lost > 0 || report.Retired != runs.Count() || !reflect.DeepEqual(went, runs) {
		t.Fatalf("verify says %+v, and %v went", report, went)
	}
	after := folded(t, data)
	file := exportOf(t, data)
	imported := filepath.Join(t.TempDir(), "imported")
	came, err := importFile(t.Context(), imported, bytes.NewReader(file), false, term.NoMeter())
	if err != nil || came.Lost > 0 || came.Retired != runs.Count() || came.Renumbered {
		t.Fatalf("imported %+v, %v", came, err)
	}
	if again := exportOf(t, imported); !bytes.Equal(again, file) {
		t.Error("the export of what was imported is another file")
	}
	fresh := filepath.Join(t.TempDir(), "backup")
	for _, c := range []struct{ what, folder string }{{"a new backup", fresh}, {"one that goes on from before", old}} {
		if _, err := backedUp(t, data, c.folder); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		to := filepath.Join(t.TempDir(), "restored")
		got, err := restores(t.Context(), c.folder, to)
		if err != nil || got.Lost > 0 || len(got.Compared) != len(today()) {
			t.Fatalf("%s: %+v, %v", c.what, got, err)
		}
		if is := folded(t, to); !maps.Equal(is, after) {
			t.Errorf("%s: what is folded differs: %v, want %v", c.what, is, after)
		}
		if report, _ := verified(t, to); report.Lost > 0 {
			t.Errorf("%s: verify says %+v", c.what, report)
		}
	}
}

// TestPartOfWhatIsLeft: a part of a log has other positions, so what says which of them went isn't taken
// along: the next start would have others go.
func TestPartOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	data := hearing(t, 200)
	retires(t, data, domain.Runs{{From: 20, Through: 60}}, true)
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	first, err := log.Select(t.Context(), domain.Selector{}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	err = exportfile.Export(t.Context(), log, exportfile.Selection{Since: first[0].RecordedAt + 1}, exportfile.JSONL, "", &file)
	if err := errors.Join(err, log.Close()); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(t.TempDir(), "part")
	came, err := importFile(t.Context(), part, &file, false, term.NoMeter())
	if err != nil || !came.Renumbered || came.LeftOut != 1 {
		t.Fatalf("imported %+v, %v", came, err)
	}
	before := exportOf(t, part)
	goes(t, part, nil, -1)
	if report, went := verified(t, part); report.Retired > 0 || len(went) > 0 || !bytes.Equal(exportOf(t, part), before) {
		t.Errorf("after a start %v went", went)
	}
}

// later is a clock that stands long after everything.
type later struct{ at time.Time }

func (l later) Now() time.Time { return l.at }

// nobody waits for an answer.
type nobody struct{}

func (nobody) Waiting() bool            { return false }
func (nobody) First() domain.ID         { return domain.ID{} }
func (nobody) Changed() <-chan struct{} { return nil }

// broken is a retirer that is killed after so many runs.
type broken struct {
	retirer
	after int
}

var errBrokenOff = errors.New("killed")

func (b broken) Retire(ctx context.Context, went domain.Runs) error {
	if err := b.retirer.Retire(ctx, went[:min(b.after, len(went))]); err != nil {
		return err
	}
	return errBrokenOff
}

// goes has go what is due in a data directory at rest, as a start does; killed after so many runs, or
// never where that is negative. It returns what is folded then, from the beginning and as kept.
func goes(t *testing.T, data string, keep map[string]string, killed int) {
	t.Helper()
	off, err := openOffline(t.Context(), data, foldsToo, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer off.close()
	if err := off.log.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}()
	last, err := log.Select(t.Context(), domain.Selector{}, log.Tail(), 1)
	if err != nil {
		t.Fatal(err)
	}
	clock := later{last[0].RecordedAt.Time().Add(30 * 24 * time.Hour)}
	whole := retirer{log, nil, clock, off.folds, log, nil}
	var r background.Retirer = whole
	if killed >= 0 {
		r = broken{whole, killed}
	}
	env := commands.Env{Log: log, Reader: log, Tail: log, Clock: clock, IDs: ulids.New(clock), Logger: slog.New(slog.DiscardHandler)}
	retention, err := background.NewRetention(background.RetentionConfig{Env: env, Retirer: r, Settings: setTo(keep), Priority: nobody{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := retention.Round(t.Context()); err != nil && !errors.Is(err, errBrokenOff) {
		t.Fatal(err)
	}
}

// hearing is a data directory at rest whose log has so many signals.
func hearing(t *testing.T, n int) string {
	t.Helper()
	data := resting(t, 1)
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}})
	if err != nil {
		t.Fatal(err)
	}
	ids := ulids.New(sysclock.Clock{})
	for n > 0 {
		var batch domain.Batch
		for ; n > 0 && len(batch.Entries) < domain.MaxSignalsPerBatch; n-- {
			id := ids.NewID()
			entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, domain.MillisOf(sysclock.Clock{}.Now()), "station",
				domain.SignalReceived{SignalType: "weather", Content: strings.Repeat("rain ", n%20), ActivationEnergy: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			batch.Entries = append(batch.Entries, entry)
		}
		if _, err := log.Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

// setTo are settings by name.
type setTo map[string]string

func (s setTo) Read(fn func(*domain.SettingsBook)) {
	fn(&domain.SettingsBook{Settings: domain.Settings{Values: s}})
}

// explained is the why of everything that the log says was told, answered or done.
func explained(t *testing.T, data string) map[domain.ID]string {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	out := map[domain.ID]string{}
	if _, err := domain.Look(t.Context(), log, domain.Selector{}, 1, 1<<20, func(rec domain.Record) {
		told := rec.Topic == domain.TopicTools || rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicMemory
		if c, err := domain.ConclusionOf(rec.Envelope); rec.Envelope.Type == domain.ReasoningConcludedType && err == nil {
			told = c.Shown != domain.ShownNot
		}
		if !told {
			return
		}
		target, err := replay.ParseTarget(rec.Envelope.ID.String())
		if err != nil {
			t.Fatal(err)
		}
		why, err := explain.Why(t.Context(), log, target, time.UTC)
		if err != nil {
			t.Errorf("%s: %v", rec.Envelope.ID, err)
		}
		out[rec.Envelope.ID] = strings.Join(why.Sentences, "\n")
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// decidedOtherwise counts what today's code decides otherwise than what is recorded, by kind.
func decidedOtherwise(t *testing.T, data string) map[string]int {
	t.Helper()
	off, err := openOffline(t.Context(), data, foldsToo, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer off.close()
	a := &offlineAPI{t: t, api: off.core.api.TrustedHandler()}
	var out section
	kinds := map[string]int{}
	for _, k := range tells[player.Report](a, &out, http.MethodPost, "/api/replay", `{}`).Kinds {
		kinds[string(k.Kind)] += k.Count
	}
	return kinds
}

// anew is what each projection makes of a directory's log when all of it is folded from the
// beginning, in a copy.
func anew(t *testing.T, data string) map[string]string {
	t.Helper()
	if err := os.RemoveAll(foldedFolder(data)); err != nil {
		t.Fatal(err)
	}
	return folded(t, data)
}

// The law of what goes, over the witness and over many signals, whenever it is killed: what is folded goes on as if it
// were there, and is the same folded anew; why anything was told, answered or done is told as before.
func TestWhatGoesIsNotMissed(t *testing.T) {
	t.Parallel()
	keep := map[string]string{"keep_signals": "7d", "keep_reasoning": "7d"}
	witness := filepath.Join(t.TempDir(), "witness")
	imports(t, unpacked(t, "testdata/witness", "whole.jsonl.gz"), witness)
	for _, c := range []struct {
		what, data string
		least      uint64
		whys       int
	}{{"the witness", witness, 400, 50}, {"signals", hearing(t, 1500), 1300, 0}} {
		folded(t, c.data)
		whys, differed := explained(t, c.data), decidedOtherwise(t, c.data)
		if len(whys) < c.whys {
			t.Fatalf("%s: only %d things are explained", c.what, len(whys))
		}
		var left []byte
		for _, killed := range []int{0, 1, 2, -1} {
			goes(t, c.data, keep, killed)
			report, went := verified(t, c.data)
			if report.Retired != went.Count() {
				t.Fatalf("%s, killed after %d: verify says %+v", c.what, killed, report)
			}
			kept := folded(t, c.data)
			if is := anew(t, c.data); !maps.Equal(is, kept) {
				for name, digest := range is {
					if kept[name] != digest {
						t.Errorf("%s, killed after %d: %s is something else when it is folded anew", c.what, killed, name)
					}
				}
			}
			if killed < 0 && report.Retired < c.least {
				t.Errorf("%s: %d records went, want %d at least", c.what, report.Retired, c.least)
			}
			for id, why := range explained(t, c.data) {
				if why != whys[id] {
					t.Errorf("%s, killed after %d: why %s is\n%s\nand was\n%s", c.what, killed, id, why, whys[id])
				}
			}
			left = exportOf(t, c.data)
		}
		for kind, now := range decidedOtherwise(t, c.data) {
			if now > differed[kind] {
				t.Errorf("%s: a replay differs in %d times %s, and did in %d before something went", c.what, now, kind, differed[kind])
			}
		}
		goes(t, c.data, keep, -1)
		if again := exportOf(t, c.data); !bytes.Equal(again, left) {
			t.Errorf("%s: again on the same day something goes", c.what)
		}
	}
}

var idLike = regexp.MustCompile(`[0-9A-Z]{26}|[0-9a-f-]{36}`)

// TestNothingBreaksByWhatWent has far more go than ever would, evidence included: whatever is asked
// of the rest is answered, or refused with a word of what went.
func TestNothingBreaksByWhatWent(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	imports(t, unpacked(t, "testdata/witness", "whole.jsonl.gz"), data)
	var went domain.Runs
	var ids []domain.ID
	var said domain.ID // a message that is left
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := domain.Look(t.Context(), log, domain.Selector{}, 2, 1<<20, func(rec domain.Record) {
		if rec.Topic == domain.TopicSignals || rec.Position%7 == 0 && rec.Position < log.Tail() {
			went = went.Add(rec.Position, rec.Position)
		} else if rec.Envelope.Type == domain.MessageReceivedType && rec.Position < 700 {
			said = rec.Envelope.ID
		}
		ids = append(ids, rec.Envelope.ID)
	}); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	retires(t, data, went, true)
	a := askAt(t, data)
	ask := func(path string) (int, string) {
		answer := httptest.NewRecorder()
		a.api.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return answer.Code, answer.Body.String()
	}
	failed := map[string]int{}
	for pos := domain.Position(11); pos < domain.Position(len(ids)); pos += 45 {
		_, gone := went.Covering(pos)
		for _, path := range []string{"/api/world", "/api/plans", "/api/settings"} {
			if code, text := ask(fmt.Sprintf("%s?at=pos:%d", path, pos)); code != http.StatusOK || !strings.Contains(text, "went since") ||
				!strings.Contains(text, fmt.Sprintf(`"position":%d`, pos)) {
				failed[fmt.Sprintf("%s of then: %d %.300s", path, code, text)]++
			}
		}
		for _, path := range []string{"/api/why/", "/api/log/"} {
			code, text := ask(fmt.Sprintf("%spos:%d", path, pos))
			if gone != (code == http.StatusNotFound) || gone && !strings.Contains(text, " went on ") {
				failed[fmt.Sprintf("%s of a position that went (%t): %d %.300s", path, gone, code, text)]++
			}
		}
	}
	if code, text := ask("/api/world"); code != http.StatusOK || strings.Contains(text, "went since") {
		t.Errorf("now it is %d %.300s", code, text)
	}
	replays := func(body string) (int, string) {
		t.Helper()
		answer := httptest.NewRecorder()
		asked := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/replay", strings.NewReader(body))
		asked.Header.Set("Content-Type", "application/json")
		a.api.ServeHTTP(answer, asked)
		return answer.Code, answer.Body.String()
	}
	says := fmt.Sprintf(`"went":%d`, went.Count())
	for _, body := range []string{"{}", fmt.Sprintf(`{"without":[%q]}`, said), `{"set":{"half_life":"1h"},"since":"pos:900"}`} {
		if code, text := replays(body); code != http.StatusOK || !strings.Contains(text, says) || !strings.Contains(text, "records went from this log, from position 7 on, and what was decided") {
			t.Errorf("a replay of %s says %d %.600s", body, code, text)
		}
	}
	for _, gone := range []string{"pos:7", ids[5].String()} {
		if code, text := replays(fmt.Sprintf(`{"without":[%q]}`, gone)); code != http.StatusNotFound || !strings.Contains(text, " went on ") && !strings.Contains(text, "may have gone on") {
			t.Errorf("without %s, which went, it says %d %.300s", gone, code, text)
		}
	}
	for i := 0; i < len(ids); i += 3 {
		id := ids[i]
		_, gone := went.Covering(domain.Position(i + 2))
		for _, path := range []string{"/api/why/ID", "/api/why/ID?direction=forward", "/api/why-not/ID", "/api/traces/ID", "/api/traces/ID/steps", "/api/log/ID"} {
			code, text := ask(strings.ReplaceAll(path, "ID", id.String()))
			switch {
			case code == http.StatusOK, code == http.StatusBadRequest && strings.Contains(text, "nothing_to_tell"):
			case code == http.StatusNotFound && strings.Contains(text, "may have gone on") && (gone || strings.Contains(path, "why-not")):
			default:
				failed[fmt.Sprintf("%s (it went: %t) %d %.300s", path, gone, code, idLike.ReplaceAllString(text, "ID"))]++
			}
		}
	}
	for what, n := range failed {
		t.Errorf("%d times %s", n, what)
	}
}

// stuck is a retirer without whose records something else would be known.
type stuck struct{ background.Retirer }

func (stuck) Next(context.Context, []domain.KeptFor) (domain.SpanRetired, domain.Runs, error) {
	return domain.SpanRetired{Records: 7, Kept: []domain.KeptFor{}, Counts: []domain.RetiredCount{}}, nil, nil
}

func (stuck) Differing(context.Context, domain.Runs, domain.Envelope) ([]string, error) {
	return []string{"world"}, nil
}

// TestWhatStaysIsTold: that records stay which are over is told by health and by the preview, with what
// to do; Chalie is ready all the same.
func TestWhatStaysIsTold(t *testing.T) {
	t.Parallel()
	app, err := Open(t.Context(), Config{Addr: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, told := app.health(t.Context()).Services[retentionService]; told {
		t.Error("it is told of where nothing stays")
	}
	app.retainer, err = background.NewRetention(background.RetentionConfig{Env: app.env(), Retirer: stuck{}, Settings: setTo(map[string]string{"keep_signals": "7d"}), Priority: nobody{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := app.retainer.Round(t.Context()); domain.CodeOf(err) != background.CodeFoldsDiffer {
		t.Fatal(err)
	}
	const says = "7 records whose time to be kept is over stay"
	if told := app.health(t.Context()).Services[retentionService]; told.Ready || !strings.Contains(told.Detail, says) || !strings.Contains(told.Detail, "set keep_signals and keep_reasoning back to 0s") {
		t.Errorf("health says %+v", told)
	}
	answer := httptest.NewRecorder()
	app.core.api.TrustedHandler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/retention", nil))
	if !strings.Contains(answer.Body.String(), `"stays":"`+says) {
		t.Errorf("the preview says %d %s", answer.Code, answer.Body)
	}
}

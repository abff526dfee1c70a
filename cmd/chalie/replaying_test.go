package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/replay/player"
	"chalie/replay/wiring"
)

// failing is a test, or one of the many of a law.
type failing interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// playerOf replays with today's code, on so many walks.
func playerOf(t failing, log memlog.Base, workers int) *player.Player {
	t.Helper()
	p, err := player.New(player.Config{Log: log, Staging: sandboxes(keyframes{}).Open, Workers: workers, Today: todaysCode()})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func replayed(t failing, log memlog.Base) player.Report {
	t.Helper()
	report, err := playerOf(t, log, 1).All(context.Background(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// identical expects that today's code decides everything in a data directory that
// nothing runs on as it was decided.
func identical(t testing.TB, data string) {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := diverging(replayed(t, log)); err != nil {
		t.Error(err)
	}
	out, err := player.WhatIf(context.Background(), log, sandboxes(keyframes{}).Open, player.Change{}, player.Scope{}, nil)
	if err != nil || len(out.Outcomes) > 0 {
		t.Errorf("with nothing changed a branch comes to other ends: %+v, %v", out.Outcomes, err)
	}
}

// diverging is the divergence of a report as an error; nil without one.
func diverging(r player.Report) error {
	if d := r.Divergence; d != nil || !r.Identical || r.Diverged > 0 {
		return fmt.Errorf("%d of %d traces diverge, the first at %+v", r.Diverged, r.Traces, d)
	}
	return nil
}

func recordsOf(t failing, log domain.Reader) []domain.Record {
	t.Helper()
	records, err := log.Select(context.Background(), domain.Selector{}, 1, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// copied is a log with every record that change returns true for, as change leaves it.
func copied(t failing, log domain.Reader, change func(*domain.Record) bool) *memlog.Log {
	t.Helper()
	clock := domaintest.NewClock()
	out := memlog.New(clock)
	for _, rec := range recordsOf(t, log) {
		if !change(&rec) {
			continue
		}
		clock.Set(rec.RecordedAt.Time())
		if _, err := out.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}}); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// edited is a log in which something stands in place of a text in one payload.
func edited(t failing, log domain.Reader, id domain.ID, old, now string) *memlog.Log {
	t.Helper()
	done := false
	out := copied(t, log, func(rec *domain.Record) bool {
		if rec.Envelope.ID == id {
			text := strings.Replace(string(rec.Envelope.Payload.Bytes), old, now, 1)
			done = text != string(rec.Envelope.Payload.Bytes)
			rec.Envelope.Payload.Bytes = []byte(text)
		}
		return true
	})
	if !done {
		t.Fatalf("%q isn't in %s", old, id)
	}
	return out
}

// unread is a log as it was written before steps recorded how far they had read.
func unread(t failing, log domain.Reader) *memlog.Log {
	t.Helper()
	return copied(t, log, func(rec *domain.Record) bool {
		if read := domain.ReadOf(rec.Envelope); read != 0 {
			rec.Envelope.Payload.Bytes = bytes.Replace(rec.Envelope.Payload.Bytes, fmt.Appendf(nil, `,"read":%d`, read), nil, 1)
		}
		return true
	})
}

// lastOfType is the last record of a type.
func lastOfType(t failing, log domain.Reader, kind domain.EventType) (found domain.Record) {
	t.Helper()
	for _, rec := range recordsOf(t, log) {
		if rec.Envelope.Type == kind {
			found = rec
		}
	}
	if found.Position == 0 {
		t.Fatalf("there is no %s", kind)
	}
	return found
}

// expectDivergence expects the first one at a record, in a field.
func expectDivergence(t failing, r player.Report, at domain.Record, field, recorded, now string) {
	t.Helper()
	d := r.Divergence
	if d == nil || r.Identical || d.Envelope != at.Envelope.ID || d.Trace != at.Envelope.Trace || d.Position != at.Position || d.Type != at.Envelope.Type || d.Field != field {
		t.Fatalf("the report is %+v with %+v, want a divergence at %s %s in %s", r, d, at.Envelope.Type, at.Envelope.ID, field)
	}
	if string(d.Recorded) != recorded && recorded != "" || string(d.Replayed) != now && now != "" {
		t.Errorf("%s is %s and %s, want %s and %s", field, d.Recorded, d.Replayed, recorded, now)
	}
}

// TestReplayFindsAChangedRule: with another half-life the first score that is recorded
// differs; put back, nothing does.
func TestReplayFindsAChangedRule(t *testing.T) {
	l := newLife(t)
	l.hears(t, "Luigi's is closed tonight", 0.4)
	l.clock.Advance(3 * time.Hour)
	trace := l.says(t, "what's up?")
	started, err := l.log.Select(t.Context(), domain.Selector{Trace: trace}, 3, 1)
	if err != nil || started[0].Envelope.Type != "reasoning.started" {
		t.Fatalf("%v %v", started, err)
	}
	changed, err := domain.New(by(domain.PrincipalOperator), l.ids.NewID(), 0, "test", domain.SettingsChanged{Name: "half_life", To: "5h"})
	if err != nil {
		t.Fatal(err)
	}
	other := func(env player.Environment) (player.Runtime, error) {
		box, err := sandboxes(keyframes{}).Open(env)
		if err == nil {
			err = box.Apply(domain.Record{Envelope: changed.Envelope})
		}
		return box, err
	}
	p, err := player.New(player.Config{Log: l.log, Staging: other, Workers: 1, Today: todaysCode()})
	if err != nil {
		t.Fatal(err)
	}
	report, err := p.All(t.Context(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	expectDivergence(t, report, started[0], "payload.world.items[0].salience", "", "")
	if v := report.Divergence.Versions; v.Recorded.Rules == "" || v.Replayed.Rules != wiring.RulesHash(domain.Settings{Values: set("half_life", "5h")}.Params()) {
		t.Errorf("the versions are %+v", v)
	}
	if report := replayed(t, l.log); diverging(report) != nil || report.Traces != 1 || report.Steps < 4 {
		t.Errorf("put back it is %+v", report)
	}
}

// TestReplayFindsAnEdit: whoever changes what was decided is found out at that envelope
// and field, and what is given is believed.
func TestReplayFindsAnEdit(t *testing.T) {
	l, news, _ := restaurant(t)
	end := lastOfType(t, l.log, "reasoning.concluded")
	for _, c := range []struct{ old, now, field, recorded, replayed string }{
		{`"outcome":"held"`, `"outcome":"surfaced"`, "payload.outcome", `"surfaced"`, `"held"`},
		{`"gate":"already_told"`, `"gate":"cooldown"`, "payload.rejected[0].gate", `"cooldown"`, `"already_told"`},
	} {
		report := replayed(t, edited(t, l.log, end.Envelope.ID, c.old, c.now))
		expectDivergence(t, report, end, c.field, c.recorded, c.replayed)
		if report.Diverged != 1 {
			t.Errorf("%d traces diverge", report.Diverged)
		}
		if d := report.Divergence; len(report.Differing) != 1 || report.Differing[0] != (player.Differing{Trace: d.Trace, Position: d.Position, Type: d.Type, Field: d.Field, Kind: report.Kinds[0].Kind}) {
			t.Errorf("those that differ are %+v", report.Differing)
		}
	}
	// A signal that said something else would have been believed, and been told.
	report := replayed(t, edited(t, l.log, news, "closed tonight", "painted pink"))
	if report.Identical || report.Divergence.Type == "signal.received" {
		t.Errorf("with other news it is %+v", report)
	}
}

// TestReplayGoesOnOrEnds: where one of the two ends and the other goes on, the last
// envelope that agrees is named.
func TestReplayGoesOnOrEnds(t *testing.T) {
	l := newLife(t)
	l.says(t, "hello")
	replied, end := lastOfType(t, l.log, "model.replied"), lastOfType(t, l.log, "reasoning.concluded")
	// It went on with a step that nobody makes.
	further := copied(t, l.log, func(*domain.Record) bool { return true })
	called := lastOfType(t, l.log, "model.called").Envelope
	called.ID, called.Parent, called.Keys = domain.ID{1, 1}, end.Envelope.ID, nil
	called.Payload.Bytes = bytes.Replace(called.Payload.Bytes, []byte(`"read":`), []byte(`"read":1`), 1) // its own place
	if _, err := further.Append(t.Context(), domain.Batch{Entries: []domain.Entry{{Topic: domain.TopicReasoning, Envelope: called}}}); err != nil {
		t.Fatal(err)
	}
	expectDivergence(t, replayed(t, further), end, "next", `"model.called"`, "null")
	// Its end isn't there: it isn't over, and that is no divergence.
	open := replayed(t, copied(t, l.log, func(rec *domain.Record) bool { return rec.Envelope.ID != end.Envelope.ID }))
	if diverging(open) != nil || open.Open != 1 || open.Skipped != 1 || open.Traces != 1 || open.Steps != 3 {
		t.Errorf("without its end it is %+v", open)
	}
	// Neither is the reply: it ended without one.
	unsaid := copied(t, l.log, func(rec *domain.Record) bool { return rec.Envelope.ID != replied.Envelope.ID })
	expectDivergence(t, replayed(t, unsaid), lastOfType(t, unsaid, "reasoning.concluded"), "type", `"reasoning.concluded"`, `"model.replied"`)
}

// TestReplayOfWhatIsErased: a step that can't be read, or rests on what can't be, is
// skipped and counted. Nobody says that it differs.
func TestReplayOfWhatIsErased(t *testing.T) {
	l, news, _ := restaurant(t)
	for name, id := range map[string]domain.ID{
		"the news": news, "the question": recordsOf(t, l.log)[0].Envelope.ID, "a step": lastOfType(t, l.log, "reasoning.started").Envelope.ID,
	} {
		report := replayed(t, copied(t, l.log, func(rec *domain.Record) bool {
			if rec.Envelope.ID == id {
				rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
			}
			return true
		}))
		if diverging(report) != nil || report.Erased == 0 || report.Skipped != report.Erased {
			t.Errorf("with %s erased: %+v %v", name, report, diverging(report))
		}
	}
}

// TestReplayOfAPart: what began before isn't replayed; where the log has lost the
// beginning, it says so.
func TestReplayOfAPart(t *testing.T) {
	l, _, cycle := restaurant(t)
	whole := replayed(t, l.log)
	opening, err := l.log.Find(t.Context(), cycle.ID)
	if err != nil {
		t.Fatal(err)
	}
	p := playerOf(t, l.log, 2)
	later, err := p.All(t.Context(), opening.Position, nil)
	if err != nil || diverging(later) != nil || later.Traces != whole.Traces-1 || later.Cut != 0 || later.WithoutDecisions != 0 {
		t.Errorf("since the cycle it is %+v, of %+v: %v", later, whole, err)
	}
	one, err := p.Replay(t.Context(), player.Request{Trace: cycle}, nil)
	if err != nil || diverging(one) != nil || one.Traces != 1 || one.WithoutDecisions != 0 {
		t.Errorf("the cycle alone is %+v: %v", one, err)
	}
	if _, err := p.Trace(t.Context(), domain.TraceID{ID: domain.ID{1}}, nil); domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("no trace at all: %v", err)
	}
	cut := replayed(t, copied(t, l.log, func(rec *domain.Record) bool { return rec.Position > 1 }))
	// Every world that was recorded stands elsewhere here: it is taken as recorded, and what
	// follows from it is decided again.
	if cut.Given < whole.Traces-cut.Cut || cut.Steps == 0 || cut.Steps+cut.Given > whole.Steps || cut.Diverged != 0 {
		t.Errorf("without the first record it is %+v, of %+v", cut, whole)
	}
}

// TestReplayIsTheSameOnManyWalks, and ends with who asked.
func TestReplayOnManyWalks(t *testing.T) {
	l, _, _ := restaurant(t)
	end := lastOfType(t, l.log, "reasoning.concluded")
	log := edited(t, l.log, end.Envelope.ID, `"outcome":"held"`, `"outcome":"surfaced"`)
	one := replayed(t, log)
	many, err := playerOf(t, log, 5).All(t.Context(), 0, func(player.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	if one.Divergence.Envelope != many.Divergence.Envelope || one.Steps != many.Steps || one.Traces != many.Traces || one.WithoutDecisions != many.WithoutDecisions {
		t.Errorf("on one walk it is %+v, on many %+v", one, many)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := playerOf(t, log, 2).All(ctx, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("when nobody waits any more: %v", err)
	}
}

// TestReplayOfALateFold: an answer that was started before the end of the one before
// was folded doesn't know it. One that came after it does.
func TestReplayOfALateFold(t *testing.T) {
	recent := func(l *life, trace domain.TraceID) *memlog.Log {
		started, err := l.log.Select(t.Context(), domain.Selector{Trace: trace}, 1, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range started {
			if p, err := domain.Decode[domain.ReasoningStarted](rec.Envelope); err == nil {
				if len(p.Recent) != 1 {
					t.Fatalf("it looks back on %v", p.Recent)
				}
				return edited(t, l.log, rec.Envelope.ID, `"recent":["`+p.Recent[0].String()+`"]`, `"recent":[]`)
			}
		}
		t.Fatal("it wasn't started")
		return nil
	}
	l := newLife(t)
	first := l.asks(t, "hello")
	second := l.asks(t, "how are you?")
	l.goesOn(t, first)
	l.goesOn(t, second)
	if report := replayed(t, unread(t, recent(l, second))); diverging(report) != nil || report.Unread != report.Steps {
		t.Errorf("at once: %+v, %v", report, diverging(report))
	}
	// It says that it was: then there is nothing to guess.
	if report := replayed(t, recent(l, second)); report.Divergence == nil || report.Unread != 0 {
		t.Errorf("as it was read: %+v", report)
	}
	l = newLife(t)
	l.says(t, "hello")
	if report := replayed(t, recent(l, l.says(t, "how are you?"))); report.Divergence == nil || report.Divergence.Field != "payload.recent[0]" {
		t.Errorf("one after the other: %+v", report)
	}
}

// TestReplayOfALateInterface: the same of what interfaces offer.
func TestReplayOfALateInterface(t *testing.T) {
	without := func(l *life) *memlog.Log {
		called := lastOfType(t, l.log, "model.called").Envelope
		_, shown, _ := strings.Cut(string(called.Payload.Bytes), `"shown":`)
		// What it doesn't offer it doesn't show words of.
		return edited(t, edited(t, l.log, called.ID, `"`+dimmer.Name+`",`, ""), called.ID, `"shown":`+shown, `"shown":[]}`)
	}
	l := newLife(t)
	trace := l.asks(t, "hello")
	l.pairs(t, "house", dimmer)
	l.goesOn(t, trace)
	if report := replayed(t, without(l)); diverging(report) != nil {
		t.Errorf("at once: %v", diverging(report))
	}
	l = newLife(t)
	l.pairs(t, "house", dimmer)
	l.says(t, "hello")
	if report := replayed(t, without(l)); report.Divergence == nil || !strings.HasPrefix(report.Divergence.Field, "payload.tools[") {
		t.Errorf("one after the other: %+v", report)
	}
}

// TestReplayLeavesNothingRunning: the code of traces that have no end, or differ, is
// broken off. What is left of it would not let the bubble end.
func TestReplayLeavesNothingRunning(t *testing.T) {
	l, _, _ := restaurant(t)
	end := lastOfType(t, l.log, "reasoning.concluded")
	open := copied(t, l.log, func(rec *domain.Record) bool { return rec.Envelope.ID != end.Envelope.ID })
	changed := edited(t, l.log, end.Envelope.ID, `"outcome":"held"`, `"outcome":"surfaced"`)
	synctest.Test(t, func(t *testing.T) {
		if report := replayed(t, open); report.Open == 0 || diverging(report) != nil {
			t.Errorf("without its end it is %+v: %v", report, diverging(report))
		}
		if replayed(t, changed).Identical {
			t.Error("the edit isn't seen")
		}
	})
}

// TestReplayHasNoEffects: a replay of a conversation that calls an interface asks it
// nothing, and leaves every file as it was.
func TestReplayHasNoEffects(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := startProgram(t, "lab")
	v.pair(p)
	d := v.listening(register(t, v.setup), 1)[0]
	d.tells("what's up?")
	d.hears("done")
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{"to":3}}`)
	v.stop()
	asked, before := p.requests(), filesIn(t, v.data)
	if p.times("/execute") != 1 {
		t.Fatalf("the tool was called %d times", p.times("/execute"))
	}
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(v.data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	tail := log.Tail()
	report := replayed(t, log)
	if diverging(report) != nil || report.Steps < 7 || log.Tail() != tail {
		t.Errorf("the replay is %+v, and the log ends at %d instead of %d", report, log.Tail(), tail)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if after := filesIn(t, v.data); after != before {
		t.Errorf("the files were\n%s\nand are\n%s", before, after)
	}
	if now := p.requests(); now != asked {
		t.Errorf("the interface was asked %d times, and %d before the replay", now, asked)
	}
}

// filesIn are the files of a folder with what they hold.
func filesIn(t testing.TB, folder string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&out, "%s %s\n", path, domain.HashSecret(string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLawReplayIsIdentical: whatever happened, the code that decided it decides it
// again.
func TestLawReplayIsIdentical(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		calls, tail := l.calls, l.log.Tail()
		report := replayed(rt, l.log)
		if err := diverging(report); err != nil {
			rt.Fatal(err)
		}
		if l.calls != calls || l.log.Tail() != tail {
			rt.Fatal("something was called, or written")
		}
		if report.Cut+report.Erased > 0 {
			rt.Fatalf("some was left out: %+v", report)
		}
	})
}

// TestLawEditIsFound: whatever of an end is changed, the replay names that envelope
// and that field.
func TestLawEditIsFound(t *testing.T) {
	edits := []struct{ old, now, field string }{
		{`"outcome":"`, `"outcome":"un`, "payload.outcome"},
		{`"shown":"`, `"shown":"x`, "payload.shown"},
		{`"role":"asked"`, `"role":"guessed"`, "payload.evidence[0].role"},
	}
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		l.says(t, "hello")
		edit := rapid.SampledFrom(edits).Draw(rt, "edit")
		var found []domain.Record
		for _, rec := range recordsOf(rt, l.log) {
			if rec.Envelope.Type == "reasoning.concluded" && strings.Contains(string(rec.Envelope.Payload.Bytes), edit.old) {
				found = append(found, rec)
			}
		}
		at := rapid.SampledFrom(found).Draw(rt, "at")
		expectDivergence(rt, replayed(rt, edited(rt, l.log, at.Envelope.ID, edit.old, edit.now)), at, edit.field, "", "")
	})
}

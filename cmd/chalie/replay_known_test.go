package main

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"chalie/domain"
	"chalie/replay/baseline"
	"chalie/replay/player"
)

// begunBy begins a life whose log says which code writes it.
func begunBy(t *testing.T, build string, amendments int) *life {
	t.Helper()
	l := newLife(t)
	put(t, l, by(domain.PrincipalCore), "system", domain.SystemStarted{Version: build, Amendments: amendments, Over: domain.OverToday})
	return l
}

// fading replays with another rule: what was heard fades twice as fast.
func fading(t *testing.T, l *life) player.Report {
	t.Helper()
	changed, err := domain.New(by(domain.PrincipalOperator), l.ids.NewID(), 0, "test", domain.SettingsChanged{Name: "half_life", To: "3h"})
	if err != nil {
		t.Fatal(err)
	}
	open := func(env player.Environment) (player.Runtime, error) {
		box, err := sandboxes(keyframes{}).Open(env)
		if err == nil {
			err = box.Apply(domain.Record{Envelope: changed.Envelope})
		}
		return box, err
	}
	p, err := player.New(player.Config{Log: l.log, Staging: open, Workers: 2, Today: todaysCode()})
	if err != nil {
		t.Fatal(err)
	}
	report, err := p.All(t.Context(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// accepts has what a replay found accepted, as the person does.
func accepts(t *testing.T, l *life, r player.Report) {
	t.Helper()
	var accepted domain.DifferencesAccepted
	for _, k := range r.Kinds {
		accepted.Kinds = append(accepted.Kinds, domain.AcceptedKind{Kind: string(k.Kind), Count: k.Count})
	}
	put(t, l, by(domain.PrincipalOperator), "api", accepted, domain.AcceptedKey)
}

// saysLater has something heard fade before something is said.
func saysLater(t *testing.T, l *life) {
	t.Helper()
	l.hears(t, "Luigi's is closed tonight", 0.4)
	l.clock.Advance(3 * time.Hour)
	l.says(t, "what's up?")
}

// TestReplayTellsWhatIsNew: what a changed rule decides otherwise is new, is accepted once, and is
// told again when there is more of it. What differs in another way is new beside it.
func TestReplayTellsWhatIsNew(t *testing.T) {
	t.Parallel()
	l := begunBy(t, "1.0.0", baseline.Latest())
	saysLater(t, l)
	const faded = "reasoning.started world.items"
	found := fading(t, l)
	if found.New == 0 || found.Known > 0 || found.Deeds > 0 || found.Identical || found.Kinds[0].Kind != faded || len(found.Differing) != found.New {
		t.Fatalf("by another rule it is %+v", found)
	}
	if found.Steps-found.Differ < 3 {
		t.Errorf("what follows from the first step isn't compared by itself: %d of %d differ", found.Differ, found.Steps)
	}
	accepts(t, l, found)
	again := fading(t, l)
	if again.New > 0 || again.Known != found.New || again.Identical || len(again.Differing) > 0 || again.Kinds[0].Accepted == nil || again.Divergence == nil {
		t.Errorf("once it is accepted it is %+v", again)
	}

	// One more of the same kind, and one of another.
	end := lastOfType(t, l.log, domain.ReasoningConcludedType)
	edit := *l
	edit.log = edited(t, l.log, end.Envelope.ID, `"outcome":"responded"`, `"outcome":"held"`)
	other := fading(t, &edit)
	if other.New != 1 || other.Known != found.New || other.Divergence.Field != "payload.outcome" || other.Kinds[0].Kind != "reasoning.concluded outcome" {
		t.Errorf("with another difference it is %+v", other)
	}
	saysLater(t, l)
	more := fading(t, l)
	if i := slices.IndexFunc(more.Kinds, func(k player.Kind) bool { return k.Kind == faded }); i < 0 || more.Kinds[i].Known || more.Kinds[i].Accepted == nil || more.Kinds[i].Count != 2 || more.New < 2 {
		t.Errorf("with more of that it is %+v", more)
	}
}

// TestReplayOfTodaysCode: what today's own code recorded can't have been decided otherwise.
func TestReplayOfTodaysCode(t *testing.T) {
	t.Parallel()
	today := todaysCode()
	l := begunBy(t, today.Build, today.Amendments)
	saysLater(t, l)
	found := fading(t, l)
	accepts(t, l, found)
	if again := fading(t, l); again.New != found.New || again.Known > 0 || !again.Kinds[0].SameCode || again.Kinds[0].Accepted != nil {
		t.Errorf("accepted it is %+v", again)
	}
}

// TestReplayGoesOnBehindADifference: of a trace each step is told that is decided otherwise, and a
// call that wouldn't be made is a deed.
func TestReplayGoesOnBehindADifference(t *testing.T) {
	t.Parallel()
	l := begunBy(t, "1.0.0", baseline.Latest())
	l.says(t, "remind me to call Ann tomorrow at 9")
	replied, end := lastOfType(t, l.log, domain.ModelRepliedType), lastOfType(t, l.log, domain.ReasoningConcludedType)
	for _, rec := range recordsOf(t, l.log) {
		if rec.Envelope.Type == domain.ModelRepliedType && bytes.Contains(rec.Envelope.Payload.Bytes, []byte(`"tool":"remind"`)) {
			replied = rec
		}
	}
	log := edited(t, edited(t, l.log, replied.Envelope.ID, "call Ann", "call Bob"), end.Envelope.ID, `"outcome":"responded"`, `"outcome":"held"`)
	found := replayed(t, log)
	if found.Diverged != 1 || found.Differ < 2 || found.Deeds == 0 {
		t.Errorf("it is %+v", found)
	}
	for _, kind := range []baseline.Kind{"model.replied call of remind", "reasoning.concluded outcome"} {
		if !slices.ContainsFunc(found.Kinds, func(k player.Kind) bool { return k.Kind == kind && k.Deed == (kind == "model.replied call of remind") }) {
			t.Errorf("%s isn't among %+v", kind, found.Kinds)
		}
	}
}

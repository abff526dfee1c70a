package domain

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTurns(t *testing.T) {
	rules := DefaultWorldRules()
	soon, later := noon.Add(2*time.Hour), noon.Add(1000*time.Hour)
	never := Millis(0)
	for _, c := range []struct {
		name string
		in   Candidate
		want Millis
	}{
		// 2 · 0.3 is a quarter after two half-lives.
		{"a signal fades", Candidate{Kind: ItemSignal, RecordedAt: noon, Energy: 300_000}, noon.Add(12*time.Hour + time.Second)},
		{"a faded one stays out", Candidate{Kind: ItemSignal, RecordedAt: noon, Energy: 1000}, never},
		{"a reminder is told, and fades", Candidate{Kind: ItemReminder, Phase: PhasePending, Moment: soon}, soon.Add(24*time.Hour + time.Millisecond)},
		{"one for later comes to mind", Candidate{Kind: ItemReminder, Phase: PhasePending, Moment: later}, later.Add(-32*time.Hour - 50*time.Minute)},
		{"a task that is due stays", Candidate{Kind: ItemTask, Phase: PhasePending, Moment: soon}, never},
		{"so does one without a deadline", Candidate{Kind: ItemTask, Phase: PhaseOpen}, never},
		{"what was done expires", Candidate{Kind: ItemTask, Phase: PhaseDone, Moment: noon}, noon.Add(24*time.Hour + time.Millisecond)},
	} {
		got, turns := rules.Turns(c.in, noon)
		if turns != (c.want != never) || turns && (got < c.want.Add(-time.Minute) || got > c.want.Add(time.Minute)) {
			t.Errorf("%s: at %v, %v, want %v", c.name, got.Time(), turns, c.want.Time())
		}
	}
}

// Just before it turns a thing is as it is now, and then it isn't.
func TestTurnsExactly(t *testing.T) {
	rules := DefaultWorldRules()
	rapid.Check(t, func(t *rapid.T) {
		c := Candidate{
			Kind:       rapid.SampledFrom([]ItemKind{ItemSignal, ItemReminder, ItemTask, ItemContext}).Draw(t, "kind"),
			Phase:      rapid.SampledFrom([]Phase{PhasePending, PhaseOpen, PhaseDone}).Draw(t, "phase"),
			RecordedAt: noon.Add(-time.Duration(rapid.Int64Range(0, 1e14).Draw(t, "age"))),
			Moment:     noon.Add(time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "moment"))),
			Energy:     PPM(rapid.Int64Range(0, 1_000_000).Draw(t, "energy")),
		}
		in := func(at Millis) bool {
			salience, expired := rules.Ahead(c, at)
			return !expired && salience >= rules.Threshold
		}
		at, turns := rules.Turns(c, noon)
		if turns && (at <= noon || in(at-1) != in(noon) || in(at) == in(noon)) {
			t.Fatalf("%+v is said to turn at %v", c, at.Time())
		}
		if !turns && in(noon) && !in(noon.Add(turnWithin)) {
			t.Fatalf("%+v is said to stay", c)
		}
	})
}

package main

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/replay/player"
)

// lived is a log of all sorts of things that happened, with the inputs in it.
type lived struct {
	*life
	face   domain.ID
	inputs []domain.ID
	direct []domain.ID
	unset  map[string]string // parameters that nobody set, as they are
}

var (
	news = []string{"Luigi's is closed tonight", "Heavy rain at the harbour", "Flight LH 123 to Rome is delayed by 3 hours", "The gym is shut", "A comet will pass"}
	talk = []string{
		"remind me: dinner at Luigi's in 4 hours", "add a task: book flight LH 123 to Rome", "add milk to the shopping list", "remember that my gym is Iron House",
		"dim lights in the kitchen", "read temperature of the hall", "hello", "what's up?", "what do you know about me?", "yes", "no", "why?", "mark book flight LH 123 as done",
		"cancel the reminder about dinner", "how are you?",
	}
)

// live lets some things happen.
func live(t *rapid.T, tb testing.TB) *lived {
	l := &lived{life: newLife(tb), unset: map[string]string{}}
	for _, p := range domain.DefaultParams().Listed() {
		l.unset[p.Name] = p.Value
	}
	l.face = l.pairs(tb, "house", dimmer, gauge)
	l.goOn(t, tb)
	return l
}

// goOn lets more things happen.
func (l *lived) goOn(t *rapid.T, tb testing.TB) {
	var asked []domain.TraceID
	for range rapid.IntRange(1, 14).Draw(t, "things") {
		switch rapid.SampledFrom([]string{"hear", "hear", "say", "say", "say", "tell", "think", "think", "wait", "direct", "policy", "set", "set", "steer", "start", "pass"}).Draw(t, "thing") {
		case "hear":
			l.inputs = append(l.inputs, l.hears(tb, rapid.SampledFrom(news).Draw(t, "news"), float64(rapid.IntRange(0, 10).Draw(t, "energy"))/10))
		case "say":
			trace := l.says(tb, rapid.SampledFrom(talk).Draw(t, "talk"))
			asked = append(asked, trace)
			l.inputs = append(l.inputs, trace.ID)
			for _, before := range asked { // a yes may be what they waited for
				l.goesOn(tb, before)
			}
		case "tell":
			l.inputs = append(l.inputs, l.tells(tb, rapid.SampledFrom(news).Draw(t, "news")).ID)
		case "think":
			l.inputs = append(l.inputs, l.thinks(tb).ID)
		case "wait":
			l.clock.Advance(time.Duration(rapid.IntRange(1, 600).Draw(t, "minutes")) * time.Minute)
			l.falls(tb)
		case "direct":
			tool := rapid.SampledFrom([]string{"dim_lights", "read_temperature"}).Draw(t, "tool")
			l.direct = append(l.direct, l.directs(tb, l.face, tool, `{"room":"hall"}`))
		case "policy":
			rules := domain.DefaultPolicy()
			if rapid.Bool().Draw(t, "strict") {
				rules.Rules = append([]domain.PolicyRule{{Name: "ask", SideEffects: &changes, Verdict: domain.VerdictApproval}}, rules.Rules...)
			}
			l.inputs = append(l.inputs, put(tb, l.life, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey))
		case "set":
			p := rapid.SampledFrom(domain.DefaultParams().Listed()).Draw(t, "parameter")
			to := rapid.SampledFrom([]string{p.Least, p.Value, p.Most}).Draw(t, "to")
			delete(l.unset, p.Name)
			l.inputs = append(l.inputs, put(tb, l.life, by(domain.PrincipalOperator), "api", domain.SettingsChanged{Name: p.Name, From: p.Value, To: to, Default: to == p.Value}, domain.SettingsKey))
		case "steer": // before it is answered
			trace := l.asks(tb, rapid.SampledFrom(talk).Draw(t, "talk"))
			l.inputs = append(l.inputs, trace.ID, l.steers(tb, trace, "in the hall"))
			l.goesOn(tb, trace)
		case "start":
			l.inputs = append(l.inputs, put(tb, l.life, by(domain.PrincipalCore), "system", domain.SystemStarted{}))
		case "pass": // what nobody folds
			l.inputs = append(l.inputs, put(tb, l.life, by(domain.PrincipalOperator), "api", domain.ImageUploaded{Hash: "h", MediaType: "image/png", Bytes: 1, Width: 1, Height: 1}))
		}
	}
}

func supposing(t *rapid.T, l *lived, change player.Change, scope player.Scope) player.Outcomes {
	t.Helper()
	out, err := player.WhatIf(t.Context(), l.log, sandboxes(keyframes{}).Open, change, scope, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// With nothing changed everything is decided as it was, by the settings of its time, and comes
// to the end that it came to.
func TestLawNothingChanged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		calls := l.calls
		if out := supposing(rt, l, player.Change{}, player.Scope{}); len(out.Outcomes) > 0 {
			rt.Fatalf("it differs: %+v", out.Outcomes)
		}
		if err := diverging(replayed(rt, l.log)); err != nil {
			rt.Fatal(err)
		}
		since := domain.Position(rapid.IntRange(0, int(l.log.Tail())).Draw(rt, "since"))
		if out := supposing(rt, l, player.Change{Set: l.unset}, player.Scope{Since: since}); len(out.Outcomes) > 0 {
			rt.Fatalf("since %d it differs: %+v", since, out.Outcomes)
		}
		if l.calls != calls {
			rt.Fatal("something was called")
		}
	})
}

// A yes goes to what was shown last: without that it decides the one before, whose trace was
// opened long before the branch begins, and stands where it was.
func TestYesForTheOneBefore(t *testing.T) {
	l := newLife(t)
	rules := domain.DefaultPolicy()
	rules.Rules = append([]domain.PolicyRule{{Name: "ask", SideEffects: &changes, Verdict: domain.VerdictApproval}}, rules.Rules...)
	put(t, l, by(domain.PrincipalOperator), "api", domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
	first := l.says(t, "remind me: dinner at Luigi's in 4 hours")
	second := l.says(t, "remind me: dinner at Luigi's in 4 hours")
	l.says(t, "yes")
	for _, trace := range []domain.TraceID{first, second} {
		l.goesOn(t, trace)
	}
	rec, err := l.log.Find(t.Context(), first.ID)
	if err != nil {
		t.Fatal(err)
	}
	out := listed(otherwise(t, l, player.Change{Without: []domain.ID{second.ID}}, player.Scope{}))
	if o := out[first]; o.Recorded.Outcome != domain.EndingWaits || o.Replayed.Outcome != domain.OutcomeResponded || o.Position != rec.Position {
		t.Errorf("the one before ends as %+v, and stands at %d", o, rec.Position)
	}
}

// Leaving out an input changes nothing that was over before it; what nobody folds
// changes nothing at all; and twice the same is the same.
func TestLawWithout(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		if len(l.inputs) == 0 {
			return
		}
		id := rapid.SampledFrom(l.inputs).Draw(rt, "without")
		rec, err := l.log.Find(rt.Context(), id)
		if err != nil {
			rt.Fatal(err)
		}
		out := supposing(rt, l, player.Change{Without: []domain.ID{id}}, player.Scope{})
		for _, o := range out.Outcomes {
			if o.Recorded.At != 0 && o.Recorded.At < rec.RecordedAt || o.Position == 0 {
				rt.Errorf("what ended before it would have been otherwise: %+v", o)
			}
		}
		if rec.Envelope.Type == "image.uploaded" && len(out.Outcomes) > 0 {
			rt.Errorf("nobody folds it: %+v", out)
		}
		again := supposing(rt, l, player.Change{Without: []domain.ID{id}}, player.Scope{})
		if a, b := written(rt, out), written(rt, again); a != b {
			rt.Errorf("once it is\n%s\nthen\n%s", a, b)
		}
	})
}

// Leaving out what was read by hand concerns nobody else.
func TestLawOwnTraceOnly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := live(rt, t)
		id := l.directs(t, l.face, "read_temperature", `{"room":"attic"}`)
		l.says(t, "hello")
		out := supposing(rt, l, player.Change{Without: []domain.ID{id}}, player.Scope{})
		if len(out.Outcomes) != 1 || out.Outcomes[0].Trace.ID != id || out.Outcomes[0].Replayed.Outcome != domain.EndingNone {
			rt.Errorf("without %s: %+v", id, out)
		}
	})
}

func written(t *rapid.T, out player.Outcomes) string {
	t.Helper()
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
	"chalie/replay/explain"
	"chalie/replay/player"
)

// loud is what is heard beside the one thing that matters, and more loudly.
var loud = []string{
	"Stock markets rally to a record high", "A comet will pass near the Moon", "The city marathon draws record crowds",
	"A new phone was presented in California", "Heavy snow closes mountain passes in the Andes",
}

// TestLuigis is the story that Chalie is there for: of all that is heard, the one
// thing that spoils what is planned is told, by itself, once, on every device.
func TestLuigis(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), idling...)
	v.ready()
	token := v.issueToken()
	devices := v.listening(register(t, v.setup), 3)
	devices[0].tells("remind me: dinner reservation at Luigi's in 2 hours")
	devices[0].hears("done")
	heard := v.overhears(token)

	// The first cycle that could know of it tells it, and both things it rests on.
	first := v.cycle(heard.Position, 0)
	if first.Outcome != domain.OutcomeSurfaced || first.Shown != domain.ShownNotification || len(first.Findings) != 1 {
		t.Fatalf("the first cycle after it ends with %+v", first)
	}
	set := v.awaits("reminder.set", 1)[0].Envelope.ID
	for what, id := range map[string]domain.ID{"the reservation": set, "the news": heard.Envelope.ID} {
		if !slices.ContainsFunc(first.Evidence, func(e domain.Evidence) bool { return e.EnvelopeID == id && e.Weight > 0 }) {
			t.Errorf("it doesn't rest on %s: %+v", what, first.Evidence)
		}
	}
	for i, d := range devices {
		if told := d.hears("notification"); !strings.Contains(told.Content, "closed tonight") || !strings.Contains(told.Content, "dinner reservation") {
			t.Errorf("device %d was told %q", i, told.Content)
		}
	}
	v.explains(set, heard.Envelope.ID)

	// The next cycle knows that it was told, and the one after a restart, too. Further ones would find
	// the same.
	v.keepsIt(v.cycle(heard.Position, 1), heard.Envelope.ID)
	v.stop()
	v = startVictim(t, v.data, idling...)
	v.ready()
	v.keepsIt(v.cycle(v.awaits("system.started", 2)[1].Position, 0), heard.Envelope.ID)
	for i, d := range devices {
		if err := d.connect(v.address); err != nil {
			t.Fatal(err)
		}
		// What comes after a question that only this device is answered came before it.
		d.tells(`{"type":"nonsense"}`)
		d.hears("error")
		if n := len(slices.DeleteFunc(d.names(), func(name string) bool { return name != "notification" && name != "escalation" })); n != 1 {
			t.Errorf("device %d was told %d times: %q", i, n, d.names())
		}
		for _, h := range d.frames {
			for _, noise := range loud {
				if strings.Contains(h.wire, noise) {
					t.Errorf("device %d was told of the noise: %s", i, h.wire)
				}
			}
		}
	}
	v.stop()

	// Without the news that is all that would not have been told.
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(v.data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	out, err := player.WhatIf(t.Context(), log, sandboxes(keyframes{}).Open, player.Change{Without: []domain.ID{heard.Envelope.ID}}, player.Scope{}, nil)
	if err != nil || len(out.Outcomes) != 1 || !strings.Contains(out.Outcomes[0].Recorded.Text, "closed tonight") || out.Outcomes[0].Replayed.Outcome != domain.OutcomeHeld {
		t.Errorf("without the news: %+v, %v", out, err)
	}
}

// idling makes a program think soon, and as often as there is reason to.
var idling = []string{"--idle-after", "50ms", "--debounce", "0s"}

// overhears takes in the noise and, behind it, what matters, which it returns.
func (v *victim) overhears(token string) domain.Record {
	v.t.Helper()
	var batch []string
	for _, noise := range loud {
		batch = append(batch, signalText(noise, 1))
	}
	v.wants(http.StatusOK, http.MethodPost, "/api/signals/batch", "["+strings.Join(append(batch, signalText("Luigi's is closed tonight", 0.4)), ",")+"]", "Authorization: Bearer "+token)
	return v.awaits("signal.received", len(loud)+1)[len(loud)]
}

// cycle is what came of the n-th cycle, from 0, that looked at the world as it was
// at a position or later.
func (v *victim) cycle(at domain.Position, n int) domain.ReasoningConcluded {
	v.t.Helper()
	for known := 1; ; known++ {
		emitted := v.awaits("spine.signal_emitted", known)
		known = len(emitted)
		left := n
		for _, rec := range emitted {
			saw, end := v.cycleOf(rec)
			if saw < at {
				continue
			}
			if left == 0 {
				return end
			}
			left--
		}
	}
}

// cycleOf is what came of the cycle of a spine signal, and through which position it saw the world.
// Of a silent one it is what it kept back that the one before didn't.
func (v *victim) cycleOf(signal domain.Record) (saw domain.Position, end domain.ReasoningConcluded) {
	v.t.Helper()
	if domain.IsSilent(signal.Envelope) {
		silent := decode[domain.SpineSignalEmitted](v.t, signal.Envelope).Silent
		end.Outcome = domain.OutcomeHeld
		for _, held := range silent.Held {
			for _, e := range held.Evidence {
				end.Rejected = append(end.Rejected, domain.Rejected{EnvelopeID: e.EnvelopeID, Because: held.Because, Gate: held.Gate})
			}
		}
		return silent.World, end
	}
	of := func(rec domain.Record) bool { return rec.Envelope.Trace == signal.Envelope.Trace }
	for known := 1; ; known++ {
		ended := v.awaits("reasoning.concluded", known)
		known = len(ended)
		if i := slices.IndexFunc(ended, of); i >= 0 {
			began := v.awaits("reasoning.started", 1)
			saw = decode[domain.ReasoningStarted](v.t, began[slices.IndexFunc(began, of)].Envelope).World.Position
			return saw, decode[domain.ReasoningConcluded](v.t, ended[i].Envelope)
		}
	}
}

// explains expects that why it said the last thing names all of these.
func (v *victim) explains(causes ...domain.ID) {
	v.t.Helper()
	why := read[explain.Explanation](v.t, v.wants(http.StatusOK, http.MethodGet, "socket:/api/why/last", ""))
	if !strings.Contains(why.Target.Said, "closed tonight") {
		v.t.Errorf("explained is %q", why.Target.Said)
	}
	nodes, edges := why.Nodes, why.Edges
	for _, id := range causes {
		if !slices.ContainsFunc(nodes, func(n explain.Node) bool { return n.ID == id && n.Label != "" }) {
			v.t.Errorf("%s is not among what it rests on: %+v", id, nodes)
		}
		if !slices.ContainsFunc(edges, func(e explain.Edge) bool {
			return e.From == id && e.To == why.Target.ID && e.Kind == "evidence" && e.Weight != nil && *e.Weight > 0
		}) {
			v.t.Errorf("it doesn't rest on %s with a weight: %+v", id, edges)
		}
	}
	for _, part := range []string{"Luigi's is closed tonight", "dinner reservation at Luigi's"} {
		if !strings.Contains(strings.Join(why.Sentences, "\n"), part) {
			v.t.Errorf("%q is not in %q", part, why.Sentences)
		}
	}
}

// keepsIt expects that a cycle kept back what was told, and says so.
func (v *victim) keepsIt(end domain.ReasoningConcluded, heard domain.ID) {
	v.t.Helper()
	if end.Outcome != domain.OutcomeHeld || end.Shown != "" {
		v.t.Errorf("a cycle after it was told ends with %+v", end)
	}
	if !slices.ContainsFunc(end.Rejected, func(r domain.Rejected) bool { return r.EnvelopeID == heard && r.Gate == domain.GateAlreadyTold }) {
		v.t.Errorf("a cycle after it was told kept back %+v", end.Rejected)
	}
}

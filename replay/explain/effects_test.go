package explain_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/explain"
)

// What each of these led to is in testdata.
func TestEffects(t *testing.T) {
	for name, story := range map[string]func(*past) string{
		"luigis":   func(p *past) string { luigis(p); return "pos:5" },
		"pairing":  func(p *past) string { luigis(p); return "pos:2" },
		"cycle":    func(p *past) string { return cycleOf(p).closure.Envelope.ID.String() },
		"noise":    func(p *past) string { return cycleOf(p).noise.Envelope.ID.String() },
		"plan":     func(p *past) string { return cycleOf(p).plan.Envelope.ID.UUID() },
		"token":    func(p *past) string { cycleOf(p); return "pos:5" },
		"reminder": func(p *past) string { reminded(p); return "pos:2" },
		"message":  func(p *past) string { throughTools(p); return "pos:4" },
		"tool":     func(p *past) string { throughTools(p); return "pos:11" },
		"question": func(p *past) string { approved(p); return "pos:9" },
		"decided":  func(p *past) string { approved(p); return "pos:8" },
		"steer":    func(p *past) string { steered(p); return "pos:2" },
		"cancel":   func(p *past) string { cancelled(p); return "pos:3" },
		"image":    func(p *past) string { imageAndWait(p); return "pos:1" },
		"said":     func(p *past) string { laterEpisode(p); return "pos:5" },
		"shown":    luigis,
		"waiting":  underWay,
		"erased":   func(p *past) string { erasedPast(p); return "pos:2" },
		"alone":    func(p *past) string { return p.closure("lab").Envelope.ID.String() },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			led := p.effects(story(p))
			golden(t, filepath.Join("testdata", "led", name+".golden"), facts(led))
			transcript(t, "led/"+name, led.Parts)
		})
	}
}

func (p *past) effects(target string) explain.Explanation {
	p.t.Helper()
	parsed, err := replay.ParseTarget(target)
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := explain.Effects(p.t.Context(), p.log, parsed, time.FixedZone("", 3600))
	if err != nil {
		p.t.Fatal(err)
	}
	if len(out.Nodes) == 0 || out.Nodes[0].ID != out.Target.ID || out.Direction != explain.Forward {
		p.t.Errorf("the target is not the first node: %+v", out)
	}
	p.refers(out.Sentences, out.Parts)
	return out
}

// What much came of is told by what came first, and that there is more.
func TestManyEffects(t *testing.T) {
	p := newPast(t)
	opening := p.message("begin")
	for range 700 {
		then(p, opening, domain.SteerReceived{Text: "more"})
	}
	out := p.effects(opening.Envelope.ID.String())
	if len(out.Nodes) != explain.MaxNodes || !out.Cut || out.Nodes[1].Position != 2 || out.Nodes[499].Position != 500 {
		t.Errorf("%d nodes, cut %t", len(out.Nodes), out.Cut)
	}
	if last := out.Sentences[len(out.Sentences)-1]; !strings.Contains(last, "There may be more than the 500 envelopes") {
		t.Errorf("the last sentence is %q", last)
	}
}

func TestEffectsOfNothing(t *testing.T) {
	p := newPast(t)
	for target, code := range map[string]domain.Code{"last": "nothing_said", p.ids.NewID().String(): "no_envelope", "pos:3": "no_envelope", "seq:99": "no_frame"} {
		parsed, err := replay.ParseTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explain.Effects(t.Context(), p.log, parsed, nil); domain.CodeOf(err) != code {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// Forward is back turned around: what something led to has it among its causes, and
// whatever names it as parent, or rests on it, is among what it led to.
func TestForwardIsBackTurnedAround(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPast(t)
		records := anyLog(rt, p)
		target := rapid.SampledFrom(records).Draw(rt, "target")
		out := p.effects(target.Envelope.ID.String())
		if out.Cut {
			rt.Fatal("it is cut")
		}
		led := map[domain.ID]bool{}
		for _, n := range out.Nodes {
			if led[n.ID] {
				rt.Fatalf("%s stands twice", n.ID)
			}
			led[n.ID] = true
			back := p.explained(fmt.Sprintf("pos:%d", n.Position))
			if !slices.ContainsFunc(back.Nodes, func(o explain.Node) bool { return o.ID == target.Envelope.ID }) {
				rt.Fatalf("%s at %d is an effect of the record at %d, which is none of its causes:\n%s", n.Type, n.Position, target.Position, facts(back))
			}
		}
		for _, e := range out.Edges {
			if !led[e.From] || !led[e.To] {
				rt.Fatalf("an edge leaves the graph: %+v", e)
			}
		}
		for id := range follows(records, target) {
			if !led[id] {
				rt.Fatalf("%s rests on %s and is missing:\n%s", id, target.Envelope.ID, facts(out))
			}
		}
	})
}

// follows is what a record led to by parents, and by the evidence of conclusions.
func follows(records []domain.Record, target domain.Record) map[domain.ID]bool {
	out := map[domain.ID]bool{target.Envelope.ID: true}
	for _, rec := range records {
		e := rec.Envelope
		if out[e.Parent] {
			out[e.ID] = true
		}
		if e.Type != "reasoning.concluded" {
			continue
		}
		c, err := domain.Decode[domain.ReasoningConcluded](e)
		if err == nil && slices.ContainsFunc(c.Evidence, func(ev domain.Evidence) bool { return out[ev.EnvelopeID] }) {
			out[e.ID] = true
		}
	}
	return out
}

// anyLog is a log of envelopes that name earlier ones as parent and evidence.
func anyLog(rt *rapid.T, p *past) []domain.Record {
	var records []domain.Record
	earlier := func(what string) domain.ID {
		if len(records) == 0 || rapid.IntRange(0, 3).Draw(rt, what+" is none") == 0 {
			return domain.ID{}
		}
		return rapid.SampledFrom(records).Draw(rt, what).Envelope.ID
	}
	for range rapid.IntRange(1, 30).Draw(rt, "envelopes") {
		id := p.ids.NewID()
		name := rapid.SampledFrom([]domain.EventType{"signal.received", "message.received", "reasoning.concluded", "model.called", "tool.completed", "reminder.set", "steer.received"}).Draw(rt, "type")
		d, _ := domain.Events().Lookup(name)
		evidence := []domain.Evidence{}
		for range rapid.IntRange(0, 3).Draw(rt, "evidence") {
			if cited := earlier("cited"); !cited.IsZero() {
				evidence = append(evidence, domain.Evidence{EnvelopeID: cited, Role: "named", Weight: domain.One})
			}
		}
		text, err := json.Marshal(map[string]any{"evidence": evidence, "outcome": "held", "text": "x", "content": "y"})
		if err != nil {
			rt.Fatal(err)
		}
		parent, trace := earlier("parent"), domain.TraceID{ID: id}
		if !parent.IsZero() && rapid.Bool().Draw(rt, "goes on") {
			at := slices.IndexFunc(records, func(r domain.Record) bool { return r.Envelope.ID == parent })
			trace = records[at].Envelope.Trace
		}
		e := domain.Envelope{ID: id, Trace: trace, Parent: parent, Timestamp: 1, Kind: d.Kind, Source: "test", Principal: domain.PrincipalOperator,
			Type: d.Type, Version: d.Version, Payload: domain.JSONPayload(text)}
		if name == "reasoning.concluded" {
			shown := rapid.SampledFrom([]domain.Showing{domain.ShownNot, domain.ShownMessage, domain.ShownNotification, domain.ShownEscalation}).Draw(rt, "shown")
			e.Keys = []domain.Key{domain.ReasoningConcluded{Shown: shown}.ShownKey()}
		}
		records = append(records, p.put(domain.Entry{Topic: d.Topic, Envelope: e}))
	}
	return records
}

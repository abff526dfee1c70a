package replay_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/replay"
)

// Whatever stands in a log, also what no honest writer would store, is explained:
// with each envelope once, edges between those only, everything that is known of a
// cause reached from the target, and the same every time.
func TestAnyLogIsExplained(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := newPast(t)
		ids := make([]domain.ID, rapid.IntRange(1, 30).Draw(rt, "envelopes"))
		for i := range ids {
			ids[i] = p.ids.NewID()
		}
		id := rapid.OneOf(rapid.SampledFrom(ids), rapid.Just(domain.ID{}), rapid.Just(domain.ID{15: 1}))
		types := domain.Events().Definitions()
		for _, own := range ids {
			d := rapid.SampledFrom(types).Draw(rt, "type")
			var evidence []domain.Evidence
			for range rapid.IntRange(0, 4).Draw(rt, "evidence") {
				evidence = append(evidence, domain.Evidence{EnvelopeID: id.Draw(rt, "cited"), Role: "named", Weight: domain.PPM(rapid.Int64().Draw(rt, "weight"))})
			}
			text, err := json.Marshal(map[string]any{
				"evidence": evidence, "used": evidence, "reply_id": id.Draw(rt, "reply"), "outcome": rapid.SampledFrom([]string{"surfaced", "cancelled", "responded"}).Draw(rt, "outcome"),
				"shown": rapid.SampledFrom([]string{"", "message", "notification"}).Draw(rt, "shown"), "findings": []any{}, "steers": []domain.ID{id.Draw(rt, "steer")},
				"instead_id": id.Draw(rt, "instead"), "to": id.Draw(rt, "to"), "message_id": id.Draw(rt, "message"), "text": "x",
				"rejected": []domain.Rejected{{EnvelopeID: id.Draw(rt, "rejected"), Because: id.Draw(rt, "because"), Gate: "cooldown"}},
			})
			if err != nil {
				rt.Fatal(err)
			}
			parent := id.Draw(rt, "parent")
			if parent == own {
				parent = domain.ID{}
			}
			e := domain.Envelope{
				ID: own, Trace: domain.TraceID{ID: rapid.SampledFrom(ids).Draw(rt, "trace")}, Parent: parent, Timestamp: 1, Kind: d.Kind, Source: "test",
				Principal: rapid.SampledFrom([]domain.Principal{domain.PrincipalOperator, "lab", "stream:x", domain.PrincipalCore}).Draw(rt, "who"),
				Type:      d.Type, Version: d.Version, Payload: domain.JSONPayload(text),
			}
			other, trace := id.Draw(rt, "key"), e.Trace
			e.Keys = []domain.Key{rapid.SampledFrom([]domain.Key{
				domain.CallKey(other, 0), domain.InvocationKey(other), domain.PlanKey(other), domain.ConcludedKey(trace), domain.CancelKey(trace),
				domain.StepKey(trace, 1), domain.ReasoningConcluded{Shown: domain.ShownMessage}.ShownKey(), domain.TokenIssued{Name: "lab"}.Keys()[0],
			}).Draw(rt, "as")}
			p.put(domain.Entry{Topic: d.Topic, Envelope: e})
		}
		target := rapid.SampledFrom(ids).Draw(rt, "target").String()
		why := p.explained(target)
		known := map[domain.ID]bool{why.Target.ID: true}
		for _, e := range why.Edges {
			if !known[e.To] {
				rt.Fatalf("an edge leads to %s before it was reached", e.To)
			}
			known[e.From] = true
		}
		if len(known) != len(why.Nodes) || len(why.Sentences) == 0 || why.Cut {
			rt.Fatalf("%d nodes, %d reached: %+v", len(why.Nodes), len(known), why)
		}
		for i, n := range why.Nodes {
			if !known[n.ID] || slices.ContainsFunc(why.Nodes[:i], func(o replay.Node) bool { return o.ID == n.ID }) {
				rt.Fatalf("%s stands twice, or nothing leads to it", n.ID)
			}
		}
		if again := p.explained(target); told(again) != told(why) {
			rt.Fatalf("told twice:\n%s\n%s", told(why), told(again))
		}
	})
}

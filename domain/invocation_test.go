package domain_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
)

// toolRecord is a record of topic tools: a step of an invocation.
func toolRecord(pos domain.Position, id domain.ID, t domain.EventType) domain.Record {
	d, _ := domain.Events().Lookup(t)
	rec := domain.Record{Position: pos, Topic: domain.TopicTools, Envelope: domain.Envelope{ID: domain.ID{0: 9, 15: byte(pos)}, Type: t, Kind: d.Kind,
		Keys: []domain.Key{"other/key", domain.InvocationKey(id)}, Payload: domain.Payload{Encoding: domain.EncodingErased}}}
	if t == "tool.invoked" {
		rec.Envelope.ID, rec.Envelope.Keys = id, nil
	}
	return rec
}

func TestInvocationOf(t *testing.T) {
	id := domain.ID{15: 1}
	for _, c := range []struct {
		name string
		env  domain.Envelope
		want domain.ID
	}{
		{"its beginning", domain.Envelope{ID: id, Type: "tool.invoked"}, id},
		{"a step", domain.Envelope{Type: "tool.dispatched", Keys: []domain.Key{domain.InvocationKey(id)}}, id},
		{"among other keys", domain.Envelope{Keys: []domain.Key{"x", "invocation/nonsense", domain.InvocationKey(id)}}, id},
		{"no key", domain.Envelope{Type: "tool.dispatched"}, domain.ID{}},
		{"another key", domain.Envelope{Keys: []domain.Key{"interface/" + domain.Key(id.String())}}, domain.ID{}},
		{"a key of nothing", domain.Envelope{Keys: []domain.Key{"invocation/"}}, domain.ID{}},
	} {
		if got, ok := domain.InvocationOf(c.env); got != c.want || ok != !c.want.IsZero() {
			t.Errorf("%s: %s, %t", c.name, got, ok)
		}
	}
}

// The fold reads no payload: all of these are erased.
func TestOpenInvocations(t *testing.T) {
	a, b := domain.ID{15: 1}, domain.ID{15: 2}
	var s domain.Invocations
	expect := func(want map[domain.ID]domain.OpenInvocation) {
		t.Helper()
		if len(s.Open)+len(want) > 0 && !reflect.DeepEqual(s.Open, want) {
			t.Errorf("open are %+v, want %+v", s.Open, want)
		}
	}
	type open = map[domain.ID]domain.OpenInvocation
	s.Evolve(toolRecord(1, a, "policy.decided")) // of one that was never begun, or has ended
	expect(open{})
	s.Evolve(toolRecord(2, a, "tool.invoked"))
	expect(open{a: {Invoked: 2, Last: 2}})
	s.Evolve(toolRecord(3, a, "policy.decided"))
	s.Evolve(toolRecord(4, b, "tool.invoked"))
	expect(open{a: {Invoked: 2, Last: 3}, b: {Invoked: 4, Last: 4}})
	s.Evolve(toolRecord(5, a, "tool.dispatched"))
	expect(open{a: {Invoked: 2, Last: 5, Dispatched: true}, b: {Invoked: 4, Last: 4}})
	other := toolRecord(6, a, "tool.completed")
	other.Topic = domain.TopicSystem
	s.Evolve(other)
	expect(open{a: {Invoked: 2, Last: 5, Dispatched: true}, b: {Invoked: 4, Last: 4}})
	s.Evolve(toolRecord(7, b, "tool.failed"))
	expect(open{a: {Invoked: 2, Last: 5, Dispatched: true}})
	s.Evolve(toolRecord(8, a, "tool.outcome_unknown"))
	s.Evolve(toolRecord(9, a, "tool.completed"))
	expect(open{})
}

// Open is what began and has no end, whatever the order of others' steps.
func TestOpenInvocationsLaw(t *testing.T) {
	steps := []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.completed"}
	rapid.Check(t, func(r *rapid.T) {
		var s domain.Invocations
		reached := make([]int, 8)
		last := make([]domain.Position, 8)
		for pos := range rapid.IntRange(0, 60).Draw(r, "records") {
			n := rapid.IntRange(0, 7).Draw(r, "invocation")
			if reached[n] == len(steps) {
				continue
			}
			last[n] = domain.Position(pos + 1)
			s.Evolve(toolRecord(last[n], domain.ID{15: byte(n + 1)}, steps[reached[n]]))
			reached[n]++
		}
		open := 0
		for n, steps := range reached {
			got, ok := s.Open[domain.ID{15: byte(n + 1)}]
			want := steps > 0 && steps < 4
			if want {
				open++
			}
			if ok != want || ok && (got.Last != last[n] || got.Dispatched != (steps == 3)) {
				r.Fatalf("after %d steps, the last at %d: %+v, %t", steps, last[n], got, ok)
			}
		}
		if len(s.Open) != open {
			r.Fatalf("%d are open, want %d", len(s.Open), open)
		}
	})
}

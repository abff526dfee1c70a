package replay

import (
	"testing"

	"chalie/domain"
)

func recordOf(t *testing.T, kind domain.EventType, parent domain.ID, keys ...domain.Key) domain.Record {
	t.Helper()
	d, ok := domain.Events().Lookup(kind)
	if !ok {
		t.Fatalf("there is no %s", kind)
	}
	return domain.Record{Envelope: domain.Envelope{ID: domain.ID{9, 1}, Parent: parent, Type: kind, Kind: d.Kind, Source: "tools", Keys: keys}}
}

func TestWhatIsDecided(t *testing.T) {
	refused := recordOf(t, "approval.refused", domain.ID{})
	refused.Envelope.ID = domain.ID{7}
	bySkill := recordOf(t, "reminder.set", domain.ID{})
	bySkill.Envelope.Source = skillSource
	for _, c := range []struct {
		name        string
		rec, before domain.Record
		want        bool
	}{
		{"a signal", recordOf(t, "signal.received", domain.ID{}), domain.Record{}, false},
		{"a step", recordOf(t, "model.called", domain.ID{}), domain.Record{}, true},
		{"an interruption", recordOf(t, "reasoning.yielded", domain.ID{}), domain.Record{}, false},
		{"a call of an episode", recordOf(t, "tool.invoked", domain.ID{}, domain.CallKey(domain.ID{3}, 0)), domain.Record{}, true},
		{"a call by hand", recordOf(t, "tool.invoked", domain.ID{}), domain.Record{}, false},
		{"the end of what was refused", recordOf(t, "tool.failed", domain.ID{7}), refused, false},
		{"another failure", recordOf(t, "tool.failed", domain.ID{8}), refused, true},
		{"a plan by a skill", bySkill, domain.Record{}, true},
		{"a plan from elsewhere", recordOf(t, "reminder.set", domain.ID{}), domain.Record{}, false},
		{"something unknown", domain.Record{Envelope: domain.Envelope{Type: "never.heard"}}, domain.Record{}, false},
	} {
		if got := isDecision(c.rec, c.before); got != c.want {
			t.Errorf("%s: decided is %v", c.name, got)
		}
	}
}

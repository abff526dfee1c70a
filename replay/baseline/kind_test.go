package baseline_test

import (
	"slices"
	"testing"

	"chalie/domain"
	"chalie/replay/baseline"
)

func envelope(kind domain.EventType, payload string) domain.Envelope {
	return domain.Envelope{Type: kind, Payload: domain.JSONPayload([]byte(payload))}
}

func TestKindOf(t *testing.T) {
	replied := func(tool string) domain.Envelope {
		return envelope(domain.ModelRepliedType, `{"tool_calls":[{"tool":"list"},{"tool":"`+tool+`"}]}`)
	}
	for _, c := range []struct {
		name string
		d    baseline.Difference
		kind baseline.Kind
		deed bool
	}{
		{"words in a block", baseline.Difference{Recorded: envelope(domain.ToolCompletedType, "{}"), Field: "payload.blocks[2].content", Skill: "remind"}, "tool.completed words of remind", false},
		{"the same words as text", baseline.Difference{Recorded: envelope(domain.ToolCompletedType, "{}"), Field: "payload.text", Skill: "remind"}, "tool.completed words of remind", false},
		{"any data", baseline.Difference{Recorded: envelope(domain.ToolCompletedType, "{}"), Field: "payload.data.plans[0].text", Skill: "plans"}, "tool.completed data of plans", false},
		{"a member of a member of a list", baseline.Difference{Recorded: envelope(domain.ReasoningStartedType, "{}"), Field: "payload.world.items[0].salience"}, "reasoning.started world.items", false},
		{"a reference", baseline.Difference{Recorded: envelope(domain.ReasoningStartedType, "{}"), Field: "parent_id"}, "reasoning.started parent_id", false},
		{"a call's parameter", baseline.Difference{Recorded: replied("remind"), Replayed: replied("remind"), Field: "payload.tool_calls[1].params.text"}, "model.replied call of remind", true},
		{"another call", baseline.Difference{Recorded: replied("remind"), Replayed: replied("task"), Field: "payload.tool_calls[1].tool"}, "model.replied call of remind -> task", true},
		{"no call", baseline.Difference{Recorded: replied("remind"), Replayed: envelope(domain.ModelRepliedType, "{}"), Field: "payload.tool_calls[1]"}, "model.replied call of remind -> nothing", true},
		{"a verdict", baseline.Difference{Recorded: envelope(domain.PolicyDecidedType, "{}"), Field: "payload.allowed", Skill: "task"}, "policy.decided verdict of task", true},
		{"reasons of the same verdict", baseline.Difference{Recorded: envelope(domain.PolicyDecidedType, "{}"), Field: "payload.reason_codes[1]"}, "policy.decided reasons", false},
		{"a change", baseline.Difference{Recorded: envelope(domain.ReminderSetType, "{}"), Field: "payload.due", Skill: "remind"}, "reminder.set due of remind", true},
		{"a question in place of a change", baseline.Difference{Recorded: envelope(domain.ListRemovedType, "{}"), Replayed: envelope(domain.ToolCompletedType, "{}"), Field: baseline.FieldType, Skill: "list"}, "step list.removed -> tool.completed", true},
		{"a call more", baseline.Difference{Replayed: envelope(domain.ToolInvokedType, "{}"), Field: baseline.FieldNext}, "step nothing -> tool.invoked", true},
		{"a step less", baseline.Difference{Recorded: envelope(domain.ModelCalledType, "{}"), Field: baseline.FieldNext}, "step model.called -> nothing", false},
	} {
		if kind, deed := baseline.KindOf(c.d); kind != c.kind || deed != c.deed {
			t.Errorf("%s is %q, a deed %v; want %q, %v", c.name, kind, deed, c.kind, c.deed)
		}
	}
	long := envelope(domain.ModelRepliedType, `{"tool_calls":[{"tool":"`+string(slices.Repeat([]byte("ü"), 300))+`"}]}`)
	if kind, _ := baseline.KindOf(baseline.Difference{Recorded: long, Field: "payload.tool_calls[0]"}); len(kind) > domain.MaxKindBytes || kind[:20] != "model.replied call o" {
		t.Errorf("a long name makes %q", kind)
	}
}

// An amendment explains what was recorded without it, and nothing that was recorded with it.
func TestAmendments(t *testing.T) {
	for n, a := range baseline.Amendments() {
		number := n + 1
		if a.Kind == "" || a.Code == "" || a.Why == "" {
			t.Errorf("amendment %d says too little: %+v", number, a)
		}
		if by := baseline.Explains(a.Kind, n); by < number {
			t.Errorf("%s is explained by %d of what was recorded before %d", a.Kind, by, number)
		}
		if by := baseline.Explains(a.Kind, number); by != 0 && by <= number {
			t.Errorf("%s is explained by %d of what was recorded with %d", a.Kind, by, number)
		}
	}
	if baseline.Explains("no such kind", 0) != 0 || baseline.Latest() != len(baseline.Amendments()) {
		t.Error("what has no amendment is explained")
	}
}

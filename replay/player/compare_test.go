package player

import (
	"strings"
	"testing"

	"chalie/domain"
)

// envelopeOf is an envelope with a payload as it stands in a log.
func envelopeOf(kind domain.EventType, payload string) domain.Envelope {
	d, _ := domain.Events().Lookup(kind)
	return domain.Envelope{
		ID: domain.ID{1}, Trace: domain.TraceID{ID: domain.ID{2}}, Parent: domain.ID{3}, Timestamp: 1000, Kind: d.Kind, Source: "reasoning",
		Principal: domain.PrincipalOperator, Type: kind, Version: d.Version, Payload: domain.JSONPayload([]byte(payload)), Keys: []domain.Key{"step/1"},
	}
}

func TestCompare(t *testing.T) {
	mine, theirs := domain.ID{0xff, 1}, domain.ID{0x01, 2}
	base := `{"outcome":"held","shown":"","duration_ms":5,"evidence":[{"envelope_id":"` + theirs.String() + `","role":"asked","weight":1000000}],"blocks":[{"type":"text","content":"a"}]}`
	with := func(old, now string) string { return strings.Replace(base, old, now, 1) }
	for _, c := range []struct {
		name    string
		payload string
		change  func(*domain.Envelope)
		field   string // "" for none
		values  [2]string
	}{
		{name: "the same", payload: base},
		{name: "members in another order", payload: `{"shown":"",` + strings.Replace(base[1:], `"shown":"",`, "", 1)},
		{name: "another duration", payload: with(`:5`, `:77`)},
		{name: "another id", payload: with(theirs.String(), mine.String()), field: "payload.evidence[0].envelope_id", values: [2]string{textOf(theirs), textOf(mine)}},
		{name: "another outcome", payload: with("held", "surfaced"), field: "payload.outcome", values: [2]string{`"held"`, `"surfaced"`}},
		{name: "another weight", payload: with("1000000", "999999"), field: "payload.evidence[0].weight", values: [2]string{"1000000", "999999"}},
		{name: "a number as text", payload: with("1000000", `"1000000"`), field: "payload.evidence[0].weight", values: [2]string{"1000000", `"1000000"`}},
		{name: "an entry less", payload: with(`{"type":"text","content":"a"}`, ""), field: "payload.blocks[0]", values: [2]string{`{"type":"text","content":"a"}`, "null"}},
		{name: "an entry more", payload: with(`"a"}]`, `"a"},{"type":"text"}]`), field: "payload.blocks[1]", values: [2]string{"null", `{"type":"text"}`}},
		{name: "a member less", payload: with(`"shown":"",`, ""), field: "payload.shown", values: [2]string{`""`, "null"}},
		{name: "a member more", payload: with(`"shown":""`, `"shown":"","new":1`), field: "payload.new", values: [2]string{"null", "1"}},
		{name: "what it says before how it is woven in", payload: with("held", "surfaced"), change: func(e *domain.Envelope) { e.Parent = domain.ID{8} }, field: "payload.outcome", values: [2]string{`"held"`, `"surfaced"`}},
		{name: "another time", payload: base, change: func(e *domain.Envelope) { e.Timestamp = 2 }},
		{name: "another parent", payload: base, change: func(e *domain.Envelope) { e.Parent = domain.ID{} }, field: "parent_id", values: [2]string{textOf(domain.ID{3}), `""`}},
		{name: "another principal", payload: base, change: func(e *domain.Envelope) { e.Principal = "lab" }, field: "principal", values: [2]string{`"operator"`, `"lab"`}},
		{name: "another source", payload: base, change: func(e *domain.Envelope) { e.Source = "tools" }, field: "source", values: [2]string{`"reasoning"`, `"tools"`}},
		{name: "another trace", payload: base, change: func(e *domain.Envelope) { e.Trace = domain.TraceID{ID: domain.ID{4}} }, field: "trace_id", values: [2]string{textOf(domain.ID{2}), textOf(domain.ID{4})}},
		{name: "another key", payload: base, change: func(e *domain.Envelope) { e.Keys = []domain.Key{"step/2"} }, field: "keys[0]", values: [2]string{`"step/1"`, `"step/2"`}},
		{name: "an error", payload: base, change: func(e *domain.Envelope) { e.Errors = []domain.Fault{{Code: "x", Message: "y"}} }, field: "errors[0]",
			values: [2]string{"null", `{"code":"x","message":"y","retryable":false}`}},
		{name: "another type", payload: base, change: func(e *domain.Envelope) { e.Type = "model.called" }, field: "type", values: [2]string{`"reasoning.concluded"`, `"model.called"`}},
	} {
		replayed := envelopeOf("reasoning.concluded", c.payload)
		if c.change != nil {
			c.change(&replayed)
		}
		d := first(compare(envelopeOf("reasoning.concluded", base), replayed, false))
		switch {
		case d == nil && c.field == "":
		case d == nil:
			t.Errorf("%s isn't seen", c.name)
		case d.field != c.field || string(rawOrNull(d.recorded)) != c.values[0] || string(rawOrNull(d.replayed)) != c.values[1]:
			t.Errorf("%s: %s is %s and %s, want %s with %q", c.name, d.field, d.recorded, d.replayed, c.field, c.values)
		}
	}
}

func textOf(id domain.ID) string { return string(textValue(id.String())) }

func rawOrNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

// TestUncompared: what a replay can't know or mustn't mind, and what it does mind
// beside it.
func TestUncompared(t *testing.T) {
	for _, c := range []struct {
		kind               domain.EventType
		recorded, replayed string
		field              string
	}{
		{"reasoning.started", `{"rules":"a","build":"1","zone":""}`, `{"rules":"b","build":"2","zone":""}`, ""},
		{"reasoning.started", `{"rules":"a","zone":"UTC"}`, `{"rules":"b","zone":""}`, "payload.zone"},
		{"model.replied", `{"usage":{"input_tokens":1}}`, `{"usage":{}}`, ""},
		{"model.replied", `{"tool_calls":[{"tool":"a","withheld":["key"]}]}`, `{"tool_calls":[{"tool":"a"}]}`, ""},
		{"model.replied", `{"tool_calls":[{"tool":"a"}]}`, `{"tool_calls":[{"tool":"b"}]}`, "payload.tool_calls[0].tool"},
		{"approval.proposed", `{"proposal_token":"a","expires_at":1000}`, `{"proposal_token":"b","expires_at":1000}`, ""},
		{"approval.proposed", `{"expires_at":1000}`, `{"expires_at":1001}`, "payload.expires_at"},
		{"approval.expired", `{"expires_at":1000}`, `{"expires_at":1001}`, "payload.expires_at"},
		{"tool.completed", `{"marks":{"redacted":["key"],"flags":[]}}`, `{}`, ""},
		{"tool.completed", `{"marks":{"redacted":[],"flags":[{"type":"injection"}]}}`, `{}`, "payload.marks"},
		{"tool.failed", `{"reason":"http_error","detail":"500"}`, `{"reason":"http_error","detail":"it said 500"}`, ""},
		{"tool.failed", `{"reason":"denied","detail":"by a rule"}`, `{"reason":"denied","detail":"by another"}`, "payload.detail"},
		{"tool.failed", `{"reason":"http_error"}`, `{"reason":"unreachable"}`, "payload.reason"},
	} {
		d := first(compare(envelopeOf(c.kind, c.recorded), envelopeOf(c.kind, c.replayed), false))
		if got := fieldOf(d); got != c.field {
			t.Errorf("%s %s and %s differ in %q, want %q", c.kind, c.recorded, c.replayed, got, c.field)
		}
	}
	// A proposal that is made later lives as much longer.
	recorded, replayed := envelopeOf("approval.proposed", `{"expires_at":1000}`), envelopeOf("approval.proposed", `{"expires_at":1002}`)
	replayed.Timestamp += 2
	if d := first(compare(recorded, replayed, false)); d != nil {
		t.Errorf("a later proposal differs in %s", d.field)
	}
	recorded.Keys, replayed.Keys = []domain.Key{"proposed", "proposal/a"}, []domain.Key{"proposed", "proposal/b"}
	if d := first(compare(recorded, replayed, false)); d != nil {
		t.Errorf("another token differs in %s", d.field)
	}
}

// first is the most significant difference; nil for none.
func first(found []difference) *difference {
	if len(found) == 0 {
		return nil
	}
	return &found[0]
}

func fieldOf(d *difference) string {
	if d == nil {
		return ""
	}
	return d.field
}

// Two ids that have changed places are told apart.
func TestRenamed(t *testing.T) {
	a, b := domain.ID{1}, domain.ID{2}
	var names idBook
	names.renamed = map[domain.ID]domain.ID{}
	names.replace(a, b)
	names.replace(b, a)
	if got, want := names.text("call/"+a.String()+" "+b.UUID()), "call/"+b.String()+" "+a.UUID(); got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
}

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

// A model that is offered a skill which came later is asked what it was asked; one that is
// offered anything else isn't.
func TestCompareOffers(t *testing.T) {
	offered := func(names string) domain.Envelope {
		return envelopeOf(domain.ModelCalledType, `{"model":"builtin/4","tools":[`+names+`]}`)
	}
	for _, c := range []struct {
		then, now string
		same      bool
	}{
		{`"forget","list"`, `"appointment","forget","list"`, true},
		{`"appointment","list"`, `"appointment","list"`, true},
		{`"appointment","list"`, `"list"`, false},
		{`"forget","list"`, `"appointment","list"`, false},
		{`"forget"`, `"forget","quote"`, false},
		{``, `"appointment"`, true},
	} {
		if d := first(compare(offered(c.then), offered(c.now), false)); d == nil != c.same {
			t.Errorf("%s and now %s: %+v", c.then, c.now, d)
		}
	}
}

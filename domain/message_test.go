package domain_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// wantField expects a validation error about a field; field "ok" expects none.
func wantField(t *testing.T, err error, field string) {
	t.Helper()
	e, ok := errors.AsType[*domain.Error](err)
	switch {
	case field == "ok" && err != nil:
		t.Errorf("refused: %v", err)
	case field == "ok":
	case !ok || e.Category != domain.Validation || e.Field != field || e.Retriable:
		t.Errorf("the error is %v, want a validation error about %q", err, field)
	}
}

func TestCheckMessage(t *testing.T) {
	const bad = "\xff"
	hint := func(s string) *string { return &s }
	one, two := domain.ID{15: 1}, domain.ID{15: 2}
	for _, c := range []struct {
		name  string
		msg   domain.MessageReceived
		field string
	}{
		{"words", domain.MessageReceived{Text: "hi", Source: domain.SaidInText}, "ok"},
		{"an image without words", domain.MessageReceived{ImageIDs: []domain.ID{one}}, "ok"},
		{"all at its bound", domain.MessageReceived{
			Text: strings.Repeat("x", domain.MaxTextBytes), Source: strings.Repeat("s", domain.MaxNameBytes),
			Topic:    hint(strings.Repeat("t", domain.MaxTopicHintBytes)),
			Metadata: []byte(`{"x":"` + strings.Repeat("y", domain.MaxMetadataBytes-8) + `"}`), ImageIDs: []domain.ID{one, two, {15: 3}},
		}, "ok"},
		{"metadata null", domain.MessageReceived{Text: "hi", Metadata: []byte("null")}, "ok"},
		{"an empty hint", domain.MessageReceived{Text: "hi", Topic: hint("")}, "ok"},
		{"nothing", domain.MessageReceived{}, "text"},
		{"blanks", domain.MessageReceived{Text: " \n\t\u00a0"}, "text"},
		{"a long text", domain.MessageReceived{Text: strings.Repeat("x", domain.MaxTextBytes+1)}, "text"},
		{"a long source", domain.MessageReceived{Text: "hi", Source: strings.Repeat("s", domain.MaxNameBytes+1)}, "source"},
		{"a long hint", domain.MessageReceived{Text: "hi", Topic: hint(strings.Repeat("t", domain.MaxTopicHintBytes+1))}, "topic"},
		{"long metadata", domain.MessageReceived{Text: "hi", Metadata: []byte(`{"x":"` + strings.Repeat("y", domain.MaxMetadataBytes-7) + `"}`)}, "metadata"},
		{"metadata a list", domain.MessageReceived{Text: "hi", Metadata: []byte(`[1]`)}, "metadata"},
		{"metadata broken", domain.MessageReceived{Text: "hi", Metadata: []byte(`{"x":`)}, "metadata"},
		{"four images", domain.MessageReceived{Text: "hi", ImageIDs: []domain.ID{one, two, {15: 3}, {15: 4}}}, "image_ids"},
		{"an image twice", domain.MessageReceived{Text: "hi", ImageIDs: []domain.ID{one, two, one}}, "image_ids"},
		{"text in no UTF-8", domain.MessageReceived{Text: bad}, ""},
		{"source in no UTF-8", domain.MessageReceived{Text: "hi", Source: bad}, ""},
		{"hint in no UTF-8", domain.MessageReceived{Text: "hi", Topic: hint(bad)}, ""},
		{"metadata in no UTF-8", domain.MessageReceived{Text: "hi", Metadata: []byte(`{"x":"` + bad + `"}`)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { wantField(t, c.msg.Check(), c.field) })
	}
}

func TestCheckAction(t *testing.T) {
	for _, c := range []struct {
		name   string
		action domain.ActionReceived
		field  string
	}{
		{"a skill", domain.ActionReceived{Skill: "dim", Payload: []byte(`{"skill":"dim"}`)}, "ok"},
		{"no payload", domain.ActionReceived{Skill: "dim"}, "ok"},
		{"all at its bound", domain.ActionReceived{Skill: strings.Repeat("s", domain.MaxSkillBytes),
			Payload: []byte(`{"x":"` + strings.Repeat("y", domain.MaxActionBytes-8) + `"}`)}, "ok"},
		{"no skill", domain.ActionReceived{Payload: []byte(`{}`)}, "skill"},
		{"a blank skill", domain.ActionReceived{Skill: " "}, "skill"},
		{"a long skill", domain.ActionReceived{Skill: strings.Repeat("s", domain.MaxSkillBytes+1)}, "skill"},
		{"a long payload", domain.ActionReceived{Skill: "dim", Payload: []byte(`{"x":"` + strings.Repeat("y", domain.MaxActionBytes-7) + `"}`)}, "payload"},
		{"a payload that is no object", domain.ActionReceived{Skill: "dim", Payload: []byte(`"dim"`)}, "payload"},
		{"a label at its bound", domain.ActionReceived{Skill: "dim", Label: strings.Repeat("l", domain.MaxLabelBytes)}, "ok"},
		{"a long label", domain.ActionReceived{Skill: "dim", Label: strings.Repeat("l", domain.MaxLabelBytes+1)}, "label"},
		{"a label in no UTF-8", domain.ActionReceived{Skill: "dim", Label: "\xff"}, ""},
		{"a skill in no UTF-8", domain.ActionReceived{Skill: "\xff"}, ""},
		{"a payload in no UTF-8", domain.ActionReceived{Skill: "dim", Payload: []byte("{\"\xff\":1}")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { wantField(t, c.action.Check(), c.field) })
	}
}

// What was stored before buttons had labels is named by its skill.
func TestActionName(t *testing.T) {
	e := frameEnvelope(t, domain.PrincipalOperator, domain.ActionReceived{Skill: "dim", Payload: []byte(`{"skill":"dim","level":3}`), Label: "Darker"})
	now, err := domain.Decode[domain.ActionReceived](e)
	if err != nil || now.Name() != "Darker" {
		t.Errorf("it is named %q, %v", now.Name(), err)
	}
	if params, err := now.Params(); err != nil || string(params) != `{"level":3}` {
		t.Errorf("it is asked with %s, %v", params, err)
	}
	e.Version, e.Payload = 1, domain.JSONPayload([]byte(`{"skill":"dim","payload":null}`))
	then, err := domain.Decode[domain.ActionReceived](e)
	if err != nil || then.Name() != "dim" || then.Label != "" {
		t.Errorf("an older one is %+v, %v", then, err)
	}
	if params, err := then.Params(); err != nil || string(params) != `{}` {
		t.Errorf("an older one is asked with %s, %v", params, err)
	}
}

func TestCheckSteer(t *testing.T) {
	for _, c := range []struct{ name, text, field string }{
		{"words", "no, tomorrow", "ok"},
		{"at its bound", strings.Repeat("x", domain.MaxTextBytes), "ok"},
		{"nothing", "", "text"},
		{"blanks", " \n", "text"},
		{"too long", strings.Repeat("x", domain.MaxTextBytes+1), "text"},
		{"no UTF-8", "\xff", "text"},
	} {
		t.Run(c.name, func(t *testing.T) { wantField(t, domain.SteerReceived{Text: c.text}.Check(), c.field) })
	}
}

func TestKeysOfAnEpisodeDiffer(t *testing.T) {
	a, b := domain.TraceID{ID: domain.ID{15: 1}}, domain.TraceID{ID: domain.ID{15: 2}}
	seen := map[domain.Key]bool{}
	for _, key := range []domain.Key{
		domain.SteerKey(a), domain.SteerKey(b), domain.ConcludedKey(a), domain.ConcludedKey(b),
		domain.StepKey(a, 1), domain.StepKey(a, 11), domain.StepKey(b, 1),
	} {
		if seen[key] || len(key) > domain.MaxKeyBytes {
			t.Errorf("key %q is taken, or too long", key)
		}
		seen[key] = true
	}
}

// An answer that rests on tools has the addresses they want opened, each once, whether a
// model or a button asked for them.
func TestSaidOpens(t *testing.T) {
	asked := frameEnvelope(t, domain.PrincipalOperator, domain.MessageReceived{Text: "show it"})
	far, other := "https://example.com/x", "http://127.0.0.1:9/"
	known := map[domain.ID]domain.Envelope{}
	made := func(n byte, payload domain.ToolCompleted) domain.ID {
		e := frameEnvelope(t, domain.PrincipalOperator, payload)
		e.ID = domain.ID{9, n}
		known[e.ID] = e
		return e.ID
	}
	one, again := made(1, domain.ToolCompleted{OpenURL: &far}), made(2, domain.ToolCompleted{OpenURL: &far})
	two, none := made(3, domain.ToolCompleted{OpenURL: &other}), made(4, domain.ToolCompleted{})
	reply := frameEnvelope(t, domain.PrincipalOperator, domain.ModelReplied{Blocks: []domain.Block{domain.TextBlock("so", domain.FormatPlain)}})
	reply.ID = domain.ID{8}
	known[reply.ID], known[asked.ID] = reply, asked
	find := func(id domain.ID) (domain.Envelope, error) { return known[id], nil }
	rests := []domain.Evidence{{EnvelopeID: asked.ID, Role: "asked"}, {EnvelopeID: one, Role: "answered"}, {EnvelopeID: none, Role: "used"},
		{EnvelopeID: again, Role: "tool_result"}, {EnvelopeID: two, Role: "used"}, {EnvelopeID: domain.ID{7}, Role: "used"}}
	for _, c := range []struct {
		name string
		end  domain.ReasoningConcluded
		want []string
	}{
		{"an answer", domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: reply.ID, Evidence: rests}, []string{far, other}},
		{"a notification", domain.ReasoningConcluded{Shown: domain.ShownNotification, Reply: reply.ID, Evidence: rests}, nil},
		{"a button", domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: two}, []string{other}},
		{"a tool without", domain.ReasoningConcluded{Shown: domain.ShownMessage, Reply: none}, nil},
	} {
		said, err := domain.SaidIn(conclusion(t, domain.PrincipalOperator, c.end), find)
		if err != nil || !slices.Equal(said.Open, c.want) {
			t.Errorf("%s opens %q, %v; want %q", c.name, said.Open, err, c.want)
		}
	}
}

// A press is a yes for the future only by a button of Chalie's own, and the tool isn't told.
func TestFromNowOn(t *testing.T) {
	shown := domain.ActionsBlock(domain.Button{Label: "Ask", Skill: "look", Params: map[string]any{"color": "red"}, FromNowOn: true})
	payload, err := json.Marshal(shown["buttons"].([]any)[0].(map[string]any)["payload"])
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		string(payload):                  true,
		`{"skill":"look","color":"red"}`: false,
		`{"skill":"look","color":"red","chalie_from_now_on":false}`:                                                 false,
		`{"skill":"look","color":"red","chalie_from_now_on":"yes"}`:                                                 false,
		`{"skill":"look","color":"red","chalie_from_now_on":true,"chalie_invocation":null}`:                         false,
		`{"skill":"look","color":"red","chalie_from_now_on":true,"chalie_invocation":"01KB2V7WYQC3V8P0J6R4T5N9XE"}`: false,
	} {
		a := domain.ActionReceived{Skill: "look", Payload: []byte(text)}
		if got := a.FromNowOn(); got != want {
			t.Errorf("%s: %t", text, got)
		}
		if params, err := a.Params(); err != nil || string(params) != `{"color":"red"}` {
			t.Errorf("%s: the parameters are %s, %v", text, params, err)
		}
	}
}

package models_test

import (
	"reflect"
	"strings"
	"testing"

	"chalie/adapters/models"
	"chalie/domain"
	"chalie/domain/cards"
	"chalie/domain/language"
)

// watches is the prompt of a background cycle.
func watches() language.Prompt {
	p := asks("")
	p.Kind, p.Asked.Text, p.Asked.From = language.AskedCycle, "", "spine"
	p.World = []language.ContextItem{item(11, domain.ItemSignal, "Luigi's is closed", 700_000), item(12, domain.ItemReminder, "dinner at Luigi's", 900_000)}
	return p
}

const found = `{"findings":[
	{"headline":" Luigi's is\n closed [#1]","text":"Luigi's is closed [#1], where you eat tonight.","topic":"dinner","confidence":0.9,"urgent":true,"evidence":[{"item":1,"weight":0.8},{"item":2,"weight":0},{"item":1,"weight":0.2},{"item":7,"weight":1}]},
	{"text":"Something else","topic":"x","confidence":1,"urgent":false,"evidence":[{"item":9,"weight":1}]},
	{"text":"Nothing rests on anything","topic":"x","confidence":1,"urgent":false,"evidence":[]},
	{"text":" ","topic":"x","confidence":1,"urgent":false,"evidence":[{"item":1,"weight":1}]},
	{"text":"Too sure","topic":"","confidence":7.5,"urgent":false,"evidence":[{"item":2,"weight":-3}]}]}`

func TestFindings(t *testing.T) {
	format := map[string]string{
		"anthropic": `"output_config":{"format":{"schema":{`,
		"chat":      `"response_format":{"json_schema":{`,
		"responses": `"text":{"format":{`,
	}
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{text: found}))
		got, err := m.Reply(t.Context(), watches())
		if err != nil {
			t.Fatal(err)
		}
		heard, planned := domain.Evidence{EnvelopeID: id(11), Role: "heard", Weight: 800_000}, domain.Evidence{EnvelopeID: id(12), Role: "planned", Weight: 900_000}
		want := []domain.Finding{
			{Headline: "Luigi's is closed", Blocks: []domain.Block{domain.TextBlock("Luigi's is closed, where you eat tonight.", domain.FormatMarkdown),
				domain.ActionsBlock(cards.Buttons(id(12), []domain.ID{id(11)}, watches().World[0])...)}, Topic: "dinner", Confidence: 900_000, Urgent: true,
				Evidence: []domain.Evidence{heard, planned}},
			{Blocks: []domain.Block{domain.TextBlock("Too sure", domain.FormatMarkdown)}, Topic: "general", Confidence: domain.One, Evidence: []domain.Evidence{planned}},
		}
		if !reflect.DeepEqual(got.Findings, want) {
			t.Errorf("it finds\n%+v\nwant\n%+v", got.Findings, want)
		}
		if !reflect.DeepEqual(got.Used, []domain.Evidence{heard, planned}) || got.Usage.CostMicros != 500 || got.Topic == "" || got.Mode != domain.ModeRespond {
			t.Errorf("it says %+v", got)
		}
		body := server.questions()[0].body
		contains(t, body, format[d.name], `"findings"`, "Nobody has asked anything")
		if strings.Contains(body, "The person says:") {
			t.Errorf("it is asked %s", body)
		}
	})
}

func TestNoFindings(t *testing.T) {
	d := dialects()[1]
	m, _, _ := d.model(t, d.says(spoken{text: "Here you are:\n```json\n{\"findings\": []}\n```"}))
	got, err := m.Reply(t.Context(), watches())
	if err != nil || len(got.Findings) > 0 || len(got.Blocks) > 0 {
		t.Errorf("it finds %+v, %v", got, err)
	}
}

// A cycle whose rules allow tools may call some before it finds anything.
func TestACycleCalls(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, _, _ := d.model(t, d.says(spoken{calls: []spokenCall{{"1", "hall_light_on", `{}`}}}))
		got, err := m.Reply(t.Context(), withTools(watches()))
		if err != nil || len(got.ToolCalls) != 1 || got.ToolCalls[0].Tool != "hall.light on" || len(got.Findings) > 0 {
			t.Errorf("it says %+v, %v", got, err)
		}
	})
}

func TestFindingsOfAnotherFormGoBack(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{text: "All is well."}), d.says(spoken{text: `{"findings": {}}`}), d.says(spoken{text: `{"findings":[]}`}))
		if _, err := m.Reply(t.Context(), watches()); err != nil {
			t.Fatal(err)
		}
		contains(t, server.questions()[1].body, "it is no JSON object")
		contains(t, server.questions()[2].body, "of that form")

		m, _, _ = d.model(t, d.says(spoken{text: `{}`}))
		_, err := m.Reply(t.Context(), watches())
		failed(t, err, "bad_reply", `it has no "findings"`)
	})
}

// A model that can't be held to a form is only told of it.
func TestWithoutSchema(t *testing.T) {
	d := dialects()[0]
	server := newProvider(t, d.says(spoken{text: `{"findings":[]}`}))
	older := d.at(t, server.URL)
	older.Traits.Schema = false
	m := d.modelAt(t, server, models.Config{Choices: []models.Choice{older}})
	if _, err := m.Reply(t.Context(), watches()); err != nil {
		t.Fatal(err)
	}
	if _, held := server.sent(t, 0)["output_config"]; held {
		t.Error("it is held to a form that it doesn't know")
	}
}

// One that can't call tools is offered none, and told of earlier calls in words.
func TestWithoutTools(t *testing.T) {
	d := dialects()[1]
	server := newProvider(t, d.says(spoken{text: "ok"}))
	plain := d.at(t, server.URL)
	plain.Traits.Tools = false
	m := d.modelAt(t, server, models.Config{Choices: []models.Choice{plain}})
	p := withTools(asks("?"))
	p.Done = []language.Done{{Call: domain.ToolCall{Tool: "light", Params: []byte(`{"a":1}`)}, Outcome: "tool.completed", Text: "it is on"}}
	if _, err := m.Reply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	body := server.questions()[0].body
	contains(t, body, `\"light\" was called with {\"a\":1}`, `it is on`)
	if strings.Contains(body, `"tools"`) || strings.Contains(body, `"tool_calls"`) {
		t.Errorf("it is asked %s", body)
	}
}

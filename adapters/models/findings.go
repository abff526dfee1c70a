package models

import (
	"encoding/json"
	"fmt"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
	"chalie/domain/cards"
	"chalie/domain/language"
)

// maxFindings bounds what one cycle can tell; more is noise.
const maxFindings = 8

// findingsSchema is the form of a cycle's answer.
func findingsSchema() map[string]any {
	evidence := object("item", typed("integer"), "weight", typed("number"))
	finding := object("headline", typed("string"), "text", typed("string"), "topic", typed("string"), "confidence", typed("number"),
		"urgent", typed("boolean"), "evidence", listOf(evidence))
	return object("findings", listOf(finding))
}

func typed(name string) map[string]any { return map[string]any{"type": name} }

func listOf(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

// object is the schema of an object all of whose fields are required: name,
// schema, name, schema …
func object(fields ...any) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := 0; i+1 < len(fields); i += 2 {
		name := fmt.Sprint(fields[i])
		properties[name] = fields[i+1]
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// said is a cycle's answer.
type said struct {
	Findings []saidFinding `json:"findings"`
}

type saidFinding struct {
	Headline   string         `json:"headline"`
	Text       string         `json:"text"`
	Topic      string         `json:"topic"`
	Confidence float64        `json:"confidence"`
	Urgent     bool           `json:"urgent"`
	Evidence   []saidEvidence `json:"evidence"`
}

type saidEvidence struct {
	Item   int     `json:"item"`
	Weight float64 `json:"weight"`
}

// findings reads a cycle's answer. The fault is for the model, "" when there is
// none. A finding without any evidence that exists is left out: it rests on
// nothing.
func (a *asking) findings(answer dialogue.Answer) (reply language.Reply, fault string) {
	out := language.Reply{Topic: generalTopic, Mode: domain.ModeRespond, Confidence: domain.One / 2, Usage: answer.Usage, Finish: finishOf(answer)}
	if out.ToolCalls = a.calls(answer.Calls); len(out.ToolCalls) > 0 {
		out.Mode = domain.ModeAct
		return out, ""
	}
	var s said
	if fault := readJSON(answer.Text, &s); fault != "" {
		return language.Reply{}, fault
	}
	if s.Findings == nil {
		return language.Reply{}, `it has no "findings"; nothing to tell is an empty list`
	}
	for _, f := range s.Findings[:min(len(s.Findings), maxFindings)] {
		finding := domain.Finding{Topic: topicOf(f.Topic), Confidence: share(f.Confidence), Urgent: f.Urgent}
		for _, e := range f.Evidence {
			if known, ok := a.sources.evidence(e.Item, share(e.Weight)); ok && len(finding.Evidence) < language.MaxEvidence {
				finding.Evidence = add(finding.Evidence, known)
			}
		}
		text := unmarked(f.Text)
		if text == "" || len(finding.Evidence) == 0 {
			continue
		}
		finding.Headline = cut(strings.Join(strings.Fields(unmarked(f.Headline)), " "), cards.MaxHeadlineBytes)
		finding.Blocks = []domain.Block{domain.TextBlock(cut(text, maxLabelBytes), domain.FormatMarkdown)}
		if buttons := a.buttons(finding.Evidence); len(buttons) > 0 {
			finding.Blocks = append(finding.Blocks, domain.ActionsBlock(buttons...))
		}
		out.Findings = append(out.Findings, finding)
		out.Confidence = max(out.Confidence, finding.Confidence)
		for _, e := range finding.Evidence {
			if len(out.Used) < language.MaxEvidence {
				out.Used = add(out.Used, e)
			}
		}
	}
	return out, ""
}

// unmarked is a text without the marks of what it rests on.
func unmarked(text string) string { return strings.TrimSpace(mark.ReplaceAllString(text, "")) }

// buttons are what may follow from a finding; none of one that rests on nothing heard.
func (a *asking) buttons(evidence []domain.Evidence) []domain.Button {
	var plan domain.ID
	var lead language.ContextItem
	var signals []domain.ID
	for _, e := range evidence {
		switch signal, ok := a.heard(e.EnvelopeID); {
		case ok && len(signals) == 0:
			lead = signal
			fallthrough
		case ok:
			signals = append(signals, e.EnvelopeID)
		case e.Role == rolePlanned && plan.IsZero():
			plan = e.EnvelopeID
		}
	}
	if len(signals) == 0 {
		return nil
	}
	return cards.Buttons(plan, signals, lead)
}

// heard is a signal that the model was shown.
func (a *asking) heard(id domain.ID) (language.ContextItem, bool) {
	for _, x := range a.prompt.World {
		if x.EnvelopeID == id {
			return x, x.Kind == domain.ItemSignal
		}
	}
	for _, r := range a.prompt.Related {
		if r.Signal.EnvelopeID == id {
			return r.Signal, true
		}
	}
	return language.ContextItem{}, false
}

// share is a number from 0 to 1 as a score.
func share(f float64) domain.PPM {
	return domain.PPMOf(max(0, min(1, f)))
}

// readJSON reads the first object in a text: models like to put words around it.
// The fault is for the model.
func readJSON(text string, into any) (fault string) {
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return "it is no JSON object"
	}
	if err := json.NewDecoder(strings.NewReader(text[start:])).Decode(into); err != nil {
		return "it is no JSON object of that form: " + err.Error()
	}
	return ""
}

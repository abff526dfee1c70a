package explain

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// pressedMost bounds the messages after a card among which its buttons are looked for.
const pressedMost = 256

// pressed tells which buttons of a card the person pressed, and what they said that they don't
// want to be told of it.
func (t *narrator) pressed(ctx context.Context, c domain.ReasoningConcluded) ([]narrate.Phrase, error) {
	if len(c.Findings) == 0 {
		return nil, nil
	}
	about := domain.Subjects(c.Evidence)
	later, err := t.log.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, t.target.Position+1, pressedMost)
	if err != nil {
		return nil, err
	}
	var out []narrate.Phrase
	byButton := map[domain.TraceID]bool{}
	for _, rec := range later {
		action, ok := decoded[domain.ActionReceived](rec.Envelope)
		if !ok || rec.Envelope.Type != domain.ActionReceivedType || rec.Envelope.Principal != domain.PrincipalOperator || !stoodOn(action, about) {
			continue
		}
		byButton[rec.Envelope.Trace] = true
		if len(out) < sentencesMost {
			out = append(out, narrate.Sayf("At %s you pressed %s.", t.clock(rec.RecordedAt), narrate.About(rec, narrate.Quoted(action.Name()))))
		}
	}
	said, err := t.log.Select(ctx, domain.Selector{Key: domain.UnwantedKey}, t.target.Position+1, pressedMost)
	if err != nil {
		return nil, err
	}
	for _, rec := range said {
		not, ok := decoded[domain.NoticeDismissed](rec.Envelope)
		if !ok || rec.Envelope.Type != domain.NoticeDismissedType || byButton[rec.Envelope.Trace] || !slices.Contains(about, not.PlanID) {
			continue
		}
		if slices.ContainsFunc(not.Signals, func(id domain.ID) bool { return slices.Contains(about, id) }) && len(out) < sentencesMost {
			out = append(out, narrate.Sayf("At %s you said %s.", t.clock(rec.RecordedAt), narrate.About(rec, "that you don't want to be told of it again")))
		}
	}
	return out, nil
}

// stoodOn reports whether a button stood on a card about these: its parameters name one.
func stoodOn(action domain.ActionReceived, about []domain.ID) bool {
	var params map[string]any
	if json.Unmarshal(action.Payload, &params) != nil {
		return false
	}
	for _, name := range []string{"plan", "signals", "which"} {
		text, _ := params[name].(string)
		for word := range strings.FieldsSeq(text) {
			if id, err := domain.ParseID(word); err == nil && slices.Contains(about, id) {
				return true
			}
		}
	}
	return false
}

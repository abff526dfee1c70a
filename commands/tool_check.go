package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chalie/domain"
)

// Formats checks what tools answer against what they declare to return. It is safe
// for concurrent use.
type Formats interface {
	// Check returns where a value isn't what a schema says, in words; checked is false
	// when the text is no schema. It asks nobody for anything.
	Check(schema, value json.RawMessage) (wrong []string, checked bool)
}

// stateWithin bounds the call that takes a state.
const stateWithin = 5 * time.Second

// state asks for the state that a tool acts on, as the entry that keeps it; nil for
// a tool that doesn't offer it. That it can't be had is recorded, and stops nothing.
func (t *Tools) state(ctx context.Context, inv *invoking, when domain.Moment) *domain.StateTaken {
	if inv.offer.Tool.StateSnapshot == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(stateWithin, t.cfg.Within))
	defer cancel()
	at := Endpoint{Host: inv.offer.Interface.Host, Port: inv.offer.Interface.Port}
	out := &domain.StateTaken{InvocationID: inv.id, When: when}
	answer, err := t.cfg.Peer.Execute(ctx, at, Call{
		Capability: inv.offer.Tool.StateSnapshot, Params: inv.params, Key: inv.id.UUID() + "-" + string(when)})
	result, _ := screenResult(answer) // no secret is stored, here neither
	switch {
	case err != nil:
		out.Problem = cut(inWords(err), maxFaultBytes)
	case result.Error != nil && *result.Error != "":
		out.Problem = cut(*result.Error, maxFaultBytes)
	case len(result.Data) > domain.MaxStateBytes:
		out.Problem = fmt.Sprintf("it takes %d bytes, the bound is %d", len(result.Data), domain.MaxStateBytes)
	case inv.bill.reserve(len(result.Data)) != nil:
		out.Problem = "so much was recorded for the caller in the last minute that it has no room"
	default:
		out.State = result.Data
	}
	if result.Text != nil && out.Problem == "" {
		out.Description = cut(*result.Text, maxFaultBytes)
	}
	return out
}

// followUps are what is recorded together with an answer: the state after the call,
// and whether the answer is what the tool declares to return.
func (t *Tools) followUps(inv *invoking, e ending, end domain.Envelope) (more []domain.Entry, issues []string, err error) {
	lineage := domain.Continue(end)
	add := func(entry domain.Entry, failure error) {
		entry.Envelope.Keys = []domain.Key{domain.InvocationKey(inv.id)}
		lineage.Parent = entry.Envelope.ID
		if more = append(more, entry); err == nil {
			err = failure
		}
	}
	if e.state != nil {
		add(domain.New(lineage, t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, *e.state))
	}
	if end.Type != domain.ToolCompletedType || e.completed == nil || e.completed.Error != nil || t.cfg.Formats == nil || len(inv.offer.Tool.Returns) == 0 {
		return more, nil, err
	}
	wrong, checked := t.cfg.Formats.Check(inv.offer.Tool.Returns, answerOf(*e.completed))
	if checked {
		add(domain.New(lineage, t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, domain.ToolVerified{
			InvocationID: inv.id, Passed: len(wrong) == 0, Errors: append([]string{}, wrong...)}))
	}
	return more, wrong, err
}

// answerOf is what of an answer is checked: its data, or its text, which some tools
// write their data in.
func answerOf(c domain.ToolCompleted) json.RawMessage {
	switch {
	case len(c.Data) > 0 && !bytes.Equal(c.Data, []byte("null")):
		return c.Data
	case c.Text == nil:
		return json.RawMessage("null")
	}
	if text := bytes.TrimSpace([]byte(*c.Text)); len(text) > 0 && (text[0] == '{' || text[0] == '[') && domain.Nesting(text) <= domain.MaxNesting && json.Valid(text) {
		return text
	}
	text, err := json.Marshal(*c.Text)
	if err != nil {
		return json.RawMessage("null") // a text can always be written
	}
	return text
}

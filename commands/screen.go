package commands

import (
	"bytes"
	"encoding/json"
	"slices"

	"chalie/domain"
	"chalie/domain/guard"
)

// screening takes the secrets out of what comes in, before anything is stored,
// and notes what it tries. What the person says is theirs: secrets go, but
// nothing is flagged. Whatever marks a sender claims are not kept.
type screening struct {
	flags bool // content from outside: look for threats
	marks domain.Marks
}

// screenSignal takes the secrets out of a signal, and notes what it tries.
func screenSignal(c Caller, sig domain.SignalReceived) domain.SignalReceived {
	s := screening{flags: !c.Operator}
	sig.Content, sig.Source = s.text(sig.Content), s.text(sig.Source)
	sig.Topic, sig.Metadata = s.optional(sig.Topic), s.json(sig.Metadata)
	sig.Marks = s.made()
	return sig
}

// screenMessage does so for a message; of the tokens in its metadata it keeps the hashes.
func screenMessage(c Caller, msg domain.MessageReceived) domain.MessageReceived {
	s := screening{flags: !c.Operator}
	msg.Text, msg.Source = s.text(msg.Text), s.text(msg.Source)
	metadata, tokens := takeTokens(msg.Metadata)
	msg.Topic, msg.Metadata = s.optional(msg.Topic), putHashes(s.json(metadata), tokens)
	msg.Marks = s.made()
	return msg
}

// screenAction does so for what a button sends.
func screenAction(c Caller, action domain.ActionReceived) domain.ActionReceived {
	s := screening{flags: !c.Operator}
	action.Payload, action.Label = s.json(action.Payload), s.text(action.Label)
	action.Marks = s.made()
	return action
}

// screenSteer does so for a redirection of an answer.
func screenSteer(c Caller, steer domain.SteerReceived) domain.SteerReceived {
	s := screening{flags: !c.Operator}
	steer.Text = s.text(steer.Text)
	steer.Marks = s.made()
	return steer
}

// screenContext takes the secrets out of what a client says of the person.
func screenContext(update domain.ContextUpdated) domain.ContextUpdated {
	var s screening
	update.Timezone = s.optional(update.Timezone)
	if update.Location != nil {
		at := *update.Location
		at.Name = s.text(at.Name)
		update.Location = &at
	}
	if update.Device != nil {
		update.Device = &domain.Device{Class: s.text(update.Device.Class), Platform: s.text(update.Device.Platform)}
	}
	update.Marks = s.made()
	return update
}

// screenResult screens what a tool answered. A key in its URL goes, too, even if
// the page then asks who is there: what is recorded is kept for ever.
func screenResult(r Result) (Result, *domain.Marks) {
	s := screening{flags: true}
	r.Text, r.Error, r.OpenURL = s.optional(r.Text), s.optional(r.Error), s.optional(r.OpenURL)
	r.Data, r.Blocks = s.json(r.Data), s.blocks(r.Blocks)
	if r.Card != nil {
		card := *r.Card
		// Its HTML was redacted before it was cleaned: taking something out of clean
		// HTML could open an attribute that was closed.
		s.flag(guard.Threats(card.HTML))
		card.Title = s.optional(card.Title)
		r.Card = &card
	}
	return r, s.made()
}

// flagged are tools with what their own texts try: a model is told what a tool says
// of itself, and so is the person. Whatever flags they came with are not kept.
func flagged(tools []domain.Tool) []domain.Tool {
	out := slices.Clone(tools)
	for i, t := range out {
		var s screening
		for _, text := range []string{t.Name, t.Description, t.Documentation} {
			s.flag(guard.Threats(text))
		}
		for _, p := range t.Parameters {
			s.flag(guard.Threats(p.Name))
			s.flag(guard.Threats(p.Description))
		}
		s.flag(guard.ThreatsJSON(t.Returns))
		out[i].Flags = s.marks.Flags
	}
	return out
}

// screenParams takes the secrets out of parameters, as they are stored. What they
// try is not looked for: they are an order, given by whoever may give it.
func screenParams(params json.RawMessage) (json.RawMessage, *domain.Marks) {
	var s screening
	return s.json(params), s.made()
}

// screenCalls takes the secrets out of the parameters of a reply's tool calls.
func screenCalls(calls []domain.ToolCall) []domain.ToolCall {
	out := make([]domain.ToolCall, len(calls))
	for i, call := range calls {
		out[i] = call
		params, marks := screenParams(call.Params)
		if out[i].Params = params; marks != nil {
			out[i].Withheld = marks.Redacted
		}
	}
	return out
}

// redacted is a text without its secrets, where nothing can be marked.
func redacted(text string) string {
	clean, _ := guard.Redact(text)
	return clean
}

// made is what was noted; nil when it is nothing.
func (s *screening) made() *domain.Marks {
	if len(s.marks.Redacted) == 0 && len(s.marks.Flags) == 0 {
		return nil
	}
	if s.marks.Redacted == nil {
		s.marks.Redacted = []string{}
	}
	if s.marks.Flags == nil {
		s.marks.Flags = []domain.Flag{}
	}
	return &s.marks
}

func (s *screening) text(text string) string {
	if s.flags {
		s.flag(guard.Threats(text))
	}
	clean, found := guard.Redact(text)
	s.note(found)
	return clean
}

func (s *screening) optional(text *string) *string {
	if text == nil {
		return nil
	}
	return new(s.text(*text))
}

func (s *screening) json(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return raw
	}
	if s.flags {
		s.flag(guard.ThreatsJSON(raw))
	}
	clean, found := guard.RedactJSON(raw)
	s.note(found)
	return clean
}

// blocks screens what is shown. Those without a secret are returned as they are.
func (s *screening) blocks(blocks []domain.Block) []domain.Block {
	if len(blocks) == 0 {
		return blocks
	}
	raw, err := json.Marshal(blocks)
	if err != nil {
		return blocks // nor can it be recorded: making the envelope says so
	}
	clean := s.json(raw)
	if bytes.Equal(clean, raw) {
		return blocks
	}
	dec := json.NewDecoder(bytes.NewReader(clean))
	dec.UseNumber()
	var out []domain.Block
	if dec.Decode(&out) != nil {
		return nil // what was redacted still is a list of objects
	}
	return out
}

func (s *screening) note(found []guard.Secret) {
next:
	for _, kind := range guard.Kinds(found) {
		for _, known := range s.marks.Redacted {
			if known == kind {
				continue next
			}
		}
		s.marks.Redacted = append(s.marks.Redacted, kind)
	}
}

// flag notes threats, each pattern once: there are few patterns.
func (s *screening) flag(found []guard.Threat) {
next:
	for _, t := range found {
		for _, known := range s.marks.Flags {
			if known.Pattern == t.Pattern {
				continue next
			}
		}
		s.marks.Flags = append(s.marks.Flags, domain.Flag{Type: string(t.Type), Pattern: t.Pattern, Severity: string(t.Severity)})
	}
}

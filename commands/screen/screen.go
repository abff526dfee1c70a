package screen

import (
	"bytes"
	"encoding/json"
	"slices"

	"chalie/commands"
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

// Signal takes the secrets out of a signal, and notes what it tries.
func Signal(c commands.Caller, sig domain.SignalReceived) domain.SignalReceived {
	s := screening{flags: !c.Operator}
	sig.Content, sig.Source = s.text(sig.Content), s.text(sig.Source)
	sig.Topic, sig.Metadata = s.optional(sig.Topic), s.json(sig.Metadata)
	sig.Marks = s.made()
	return sig
}

// Message does so for a message; of the tokens in its metadata it keeps the hashes.
func Message(c commands.Caller, msg domain.MessageReceived) domain.MessageReceived {
	s := screening{flags: !c.Operator}
	msg.Text, msg.Source = s.text(msg.Text), s.text(msg.Source)
	metadata, tokens := takeTokens(msg.Metadata)
	msg.Topic, msg.Metadata = s.optional(msg.Topic), putHashes(s.json(metadata), tokens)
	msg.Marks = s.made()
	return msg
}

// Action does so for what a button sends.
func Action(c commands.Caller, action domain.ActionReceived) domain.ActionReceived {
	s := screening{flags: !c.Operator}
	action.Payload, action.Label = s.json(action.Payload), s.text(action.Label)
	action.Marks = s.made()
	return action
}

// Steer does so for a redirection of an answer.
func Steer(c commands.Caller, steer domain.SteerReceived) domain.SteerReceived {
	s := screening{flags: !c.Operator}
	steer.Text = s.text(steer.Text)
	steer.Marks = s.made()
	return steer
}

// Context takes the secrets out of what a client says of the person.
func Context(update domain.ContextUpdated) domain.ContextUpdated {
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

// Result screens what a tool answered. A key in its URL goes, too, even if
// the page then asks who is there: what is recorded is kept for ever.
func Result(r commands.Result) (commands.Result, *domain.Marks) {
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

// Tools are tools with what their own texts try: a model is told what a tool says
// of itself, and so is the person. Whatever flags they came with are not kept.
func Tools(tools []domain.Tool) []domain.Tool {
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

// Params takes the secrets out of parameters, as they are stored. They
// aren't flagged: they are an order of a caller that may give it.
func Params(params json.RawMessage) (json.RawMessage, *domain.Marks) {
	var s screening
	return s.json(params), s.made()
}

// Calls takes the secrets out of the parameters of a reply's tool calls.
func Calls(calls []domain.ToolCall) []domain.ToolCall {
	out := make([]domain.ToolCall, len(calls))
	for i, call := range calls {
		out[i] = call
		params, marks := Params(call.Params)
		if out[i].Params = params; marks != nil {
			out[i].Withheld = marks.Redacted
		}
	}
	return out
}

// Text is a text without its secrets, where nothing can be marked.
func Text(text string) string {
	clean, _ := guard.Redact(text)
	return clean
}

// made are the noted marks; nil when there are none.
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

// takeTokens takes the tokens that name proposals out of a message's metadata, because
// they must not be in the log. rest is the metadata without them, and hashes replace
// them, by field.
func takeTokens(metadata json.RawMessage) (rest json.RawMessage, hashes map[string]domain.SecretHash) {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(metadata, &fields) != nil {
		return metadata, nil // it is no object, and is refused for that
	}
	for _, by := range domain.Correlators() {
		var token string
		if json.Unmarshal(fields[string(by)], &token) != nil || token == "" {
			continue
		}
		if hashes == nil {
			hashes = map[string]domain.SecretHash{}
		}
		hashes[string(by)] = domain.HashSecret(token)
		delete(fields, string(by))
	}
	if hashes == nil {
		return metadata, nil
	}
	rest, _ = json.Marshal(fields) // of what was JSON
	return rest, hashes
}

// putHashes puts what takeTokens took back, as hashes.
func putHashes(metadata json.RawMessage, hashes map[string]domain.SecretHash) json.RawMessage {
	if hashes == nil {
		return metadata
	}
	fields := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(metadata))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return metadata // what was redacted still is an object
	}
	for name, hash := range hashes {
		fields[name] = hash
	}
	out, _ := json.Marshal(fields) // of what was JSON
	return out
}

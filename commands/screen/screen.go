package screen

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"chalie/domain"
	"chalie/domain/guard"
)

// Stored is an envelope as it may be stored: without secrets, whatever its type, and with
// a note of what its content tries, where it came from outside and has marks. It is the
// same again: nothing is taken out of what is Stored.
func Stored(e domain.Envelope) domain.Envelope {
	e.Errors = faults(e.Errors)
	if e.Payload.Encoding != domain.EncodingJSON {
		return e
	}
	in, isInput := inputs[e.Type]
	if isInput && in == nil {
		return e
	}
	clean, found := guard.RedactJSON(e.Payload.Bytes)
	flags := isInput && in.flags && (in.always || e.Principal != domain.PrincipalOperator)
	switch {
	case !isInput:
		e.Payload.Bytes = clean
	case len(found) > 0 || flags && len(guard.ThreatsJSON(e.Payload.Bytes)) > 0 || in.also != nil && in.also(e.Payload.Bytes):
		e.Payload.Bytes = in.screen(&screening{flags: flags}, e)
		if in.whole {
			e.Payload.Bytes, _ = guard.RedactJSON(e.Payload.Bytes)
		}
	}
	return e
}

// Before is a log before which all that is appended is Stored.
func Before(log domain.Appender) domain.Appender { return before{log} }

type before struct{ domain.Appender }

// Append implements domain.Appender.
func (b before) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	batch.Entries = slices.Clone(batch.Entries)
	for i := range batch.Entries {
		batch.Entries[i].Envelope = Stored(batch.Entries[i].Envelope)
	}
	return b.Appender.Append(ctx, batch)
}

// input is a type of which more is known than that its strings may hold secrets.
type input struct {
	screen func(*screening, domain.Envelope) []byte
	flags  bool              // content from outside: look for threats
	always bool              // whoever is accountable for it; otherwise not in what the person says
	also   func([]byte) bool // what else there may be to take out
	whole  bool              // the rest of it is screened as any JSON
}

// inputs are those types, and with nil those of which nothing is taken out: what looks like
// a secret there is a hash, a credential that is needed, or in bytes of a foreign form.
var inputs = map[domain.EventType]*input{
	domain.SignalReceivedType:   {screen: as((*screening).signal), flags: true},
	domain.MessageReceivedType:  {screen: as((*screening).message), flags: true, also: namesProposal},
	domain.ActionReceivedType:   {screen: as((*screening).action), flags: true},
	domain.SteerReceivedType:    {screen: as((*screening).steer), flags: true},
	domain.ContextUpdatedType:   {screen: as((*screening).context)},
	domain.ToolInvokedType:      {screen: as((*screening).call)},
	domain.ToolCompletedType:    {screen: as((*screening).answer), flags: true, always: true},
	domain.ModelRepliedType:     {screen: as((*screening).reply), whole: true},
	domain.ApprovalProposedType: {screen: as((*screening).proposal)},
	domain.PolicyDecidedType:    nil,
	domain.StreamAddedType:      nil,
	domain.MCPServerAddedType:   nil, // it names secrets, and its tools have a pin
	domain.ForeignMessageType:   nil,
}

// as screens the payloads of a type. What can't be read as one is screened as any JSON.
func as[P any](screen func(*screening, P) P) func(*screening, domain.Envelope) []byte {
	return func(s *screening, e domain.Envelope) []byte {
		payload, err := domain.Decode[P](e)
		if err == nil {
			made, err := domain.New(domain.Lineage{}, e.ID, 0, "", screen(s, payload))
			if err == nil && made.Envelope.Version == e.Version {
				return made.Envelope.Payload.Bytes
			}
		}
		clean, _ := guard.RedactJSON(e.Payload.Bytes)
		return clean
	}
}

// faults are errors without secrets in their words.
func faults(errs []domain.Fault) []domain.Fault {
	for i, f := range errs {
		if clean, found := guard.Redact(f.Message); len(found) > 0 {
			errs = slices.Clone(errs)
			errs[i].Message = clean
		}
	}
	return errs
}

// screening takes the secrets out of one payload, and notes what it tries. What the person
// says is theirs: secrets go, but nothing is flagged.
type screening struct {
	flags bool
	marks domain.Marks
}

func (s *screening) signal(sig domain.SignalReceived) domain.SignalReceived {
	sig.SignalType, sig.Content, sig.Source = s.text(sig.SignalType), s.text(sig.Content), s.text(sig.Source)
	sig.Topic, sig.Metadata = s.optional(sig.Topic), s.json(sig.Metadata)
	sig.Marks = s.made(sig.Marks)
	return sig
}

// message keeps the hashes of the tokens in a message's metadata.
func (s *screening) message(msg domain.MessageReceived) domain.MessageReceived {
	msg.Text, msg.Source = s.text(msg.Text), s.text(msg.Source)
	metadata, tokens := takeTokens(msg.Metadata)
	msg.Topic, msg.Metadata = s.optional(msg.Topic), putHashes(s.json(metadata), tokens)
	msg.Marks = s.made(msg.Marks)
	return msg
}

func (s *screening) action(action domain.ActionReceived) domain.ActionReceived {
	action.Payload, action.Label = s.json(action.Payload), s.text(action.Label)
	action.Marks = s.made(action.Marks)
	return action
}

func (s *screening) steer(steer domain.SteerReceived) domain.SteerReceived {
	steer.Text = s.text(steer.Text)
	steer.Marks = s.made(steer.Marks)
	return steer
}

func (s *screening) context(update domain.ContextUpdated) domain.ContextUpdated {
	update.Timezone = s.optional(update.Timezone)
	if update.Location != nil {
		at := *update.Location
		at.Name = s.text(at.Name)
		update.Location = &at
	}
	if update.Device != nil {
		update.Device = &domain.Device{Class: s.text(update.Device.Class), Platform: s.text(update.Device.Platform)}
	}
	update.Marks = s.made(update.Marks)
	return update
}

// call doesn't flag anything: parameters are an order of a caller that may give it.
func (s *screening) call(inv domain.ToolInvoked) domain.ToolInvoked {
	inv.Params = s.json(inv.Params)
	inv.Marks = s.made(inv.Marks)
	return inv
}

// answer screens what a tool answered. A key in its URL goes, too, even if the page then
// asks who is there: what is recorded is kept for ever.
func (s *screening) answer(end domain.ToolCompleted) domain.ToolCompleted {
	end.Text, end.Error, end.OpenURL = s.optional(end.Text), s.optional(end.Error), s.optional(end.OpenURL)
	end.Data, end.Blocks = s.json(end.Data), s.blocks(end.Blocks)
	end.Spoken = s.spoken(end.Spoken)
	if end.Card != nil {
		card := *end.Card
		// Its HTML was redacted before it was cleaned: taking something out of clean
		// HTML could open an attribute that was closed.
		s.flag(guard.Threats(card.HTML))
		card.Title = s.optional(card.Title)
		end.Card = &card
	}
	end.Marks = s.made(end.Marks)
	return end
}

// spoken are the values of an answer without what its words are without.
func (s *screening) spoken(spoken *domain.Spoken) *domain.Spoken {
	if spoken == nil {
		return nil
	}
	out := *spoken
	out.Said = make([]json.RawMessage, len(spoken.Said))
	for i, raw := range spoken.Said {
		out.Said[i] = s.json(raw)
	}
	return &out
}

// reply notes with a model's call of a tool what was taken out of it.
func (s *screening) reply(reply domain.ModelReplied) domain.ModelReplied {
	reply.ToolCalls = slices.Clone(reply.ToolCalls)
	for i := range reply.ToolCalls {
		call := &reply.ToolCalls[i]
		var marks *domain.Marks
		if call.Params, marks = Params(call.Params); marks != nil {
			call.Withheld = marks.Redacted
		}
	}
	return reply
}

func (s *screening) proposal(p domain.ApprovalProposed) domain.ApprovalProposed {
	p.Summary = s.text(p.Summary)
	return p
}

// Context is an update as it is stored, for comparing it with what is known.
func Context(update domain.ContextUpdated) domain.ContextUpdated {
	update.Marks = nil
	return new(screening).context(update)
}

// Answer is what a tool answered as it is stored, for telling it.
func Answer(end domain.ToolCompleted) domain.ToolCompleted {
	return (&screening{flags: true}).answer(end)
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
		s.flag(guard.ThreatsJSON(t.Schema))
		out[i].Flags = s.marks.Flags
	}
	return out
}

// Params are parameters as they are stored, and what was taken out of them.
func Params(params json.RawMessage) (json.RawMessage, *domain.Marks) {
	var s screening
	return s.json(params), s.made(nil)
}

// Text is a text without its secrets, for what is cut afterwards: half a key has no shape.
func Text(text string) string {
	clean, _ := guard.Redact(text)
	return clean
}

// made are the noted marks beside those that are there; nil when there are none.
func (s *screening) made(before *domain.Marks) *domain.Marks {
	marks := domain.Marks{Redacted: []string{}, Flags: []domain.Flag{}}
	if before != nil {
		marks.Redacted, marks.Flags = append(marks.Redacted, before.Redacted...), append(marks.Flags, before.Flags...)
	}
	for _, kind := range s.marks.Redacted {
		if !slices.Contains(marks.Redacted, kind) {
			marks.Redacted = append(marks.Redacted, kind)
		}
	}
	for _, flag := range s.marks.Flags {
		if !slices.Contains(marks.Flags, flag) {
			marks.Flags = append(marks.Flags, flag)
		}
	}
	if len(marks.Redacted)+len(marks.Flags) == 0 {
		return nil
	}
	return &marks
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
	s.marks.Redacted = append(s.marks.Redacted, guard.Kinds(found)...)
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

// namesProposal reports whether a message may have the token of a proposal in it. Its
// field's name may be written with escapes.
func namesProposal(payload []byte) bool {
	return bytes.Contains(payload, []byte(`\u`)) || slices.ContainsFunc(domain.Correlators(), func(by domain.Correlator) bool { return bytes.Contains(payload, []byte(by)) })
}

// isHash reports whether it is stored already: no token is 64 hex digits.
func isHash(token string) bool {
	_, err := domain.ParseSecretHash(token)
	return err == nil
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
		if json.Unmarshal(fields[string(by)], &token) != nil || token == "" || isHash(token) {
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

package repro

import (
	"encoding/json"

	"chalie/domain"
	"chalie/domain/relate"
)

// Bundle makes the records that the replay of one trace needs, with pseudonyms: all
// records through the trace's last, because a decision may rest on any. Pass all of them
// in order to Learn, and then again to Record.
//
// Payloads that no decision reads are left empty, as if erased: those of accounts, of
// repeated requests, of foreign messages, sealed ones, and signals that later ones had
// pushed out of the world state.
type Bundle struct {
	trace   domain.TraceID
	whole   bool
	names   *Pseudonyms
	begins  domain.Position   // of the trace; 0 until it was learnt
	signals []domain.Position // the last ones before that
	most    int               // of signals: twice as many as the world state ever held, because an episode may start with an earlier one
	oldest  domain.Position   // signals before it are left empty

	said map[domain.ID]domain.SignalReceived // signals as they were
}

// NewBundle makes a bundle of a trace. whole keeps all signals.
func NewBundle(trace domain.TraceID, names *Pseudonyms, whole bool) *Bundle {
	return &Bundle{trace: trace, names: names, whole: whole, most: 2 * domain.DefaultWorldRules().Capacity, said: map[domain.ID]domain.SignalReceived{}}
}

// Learn looks at one record.
func (b *Bundle) Learn(rec domain.Record) {
	if rec.Envelope.Trace == b.trace && b.begins == 0 {
		b.begins = rec.Position
		if len(b.signals) == b.most && !b.whole {
			b.oldest = b.signals[0]
		}
	}
	if rec.Envelope.Type == domain.SignalReceivedType && b.begins == 0 {
		b.signals = append(b.signals, rec.Position)
		b.signals = b.signals[max(0, len(b.signals)-b.most):]
	}
	if rec.Envelope.Type == domain.SettingsChangedType {
		b.set(rec.Envelope)
	}
	if !b.leftOut(rec) {
		b.names.learn(rec.Envelope.Payload.Bytes)
	}
}

// set has the words of a setting stay, without which nothing would be decided by it: a
// value of a parameter names nobody.
func (b *Bundle) set(e domain.Envelope) {
	changed, err := domain.Decode[domain.SettingsChanged](e)
	params := domain.DefaultParams()
	if err != nil || params.Set(changed.Name, changed.From) != nil || params.Set(changed.Name, changed.To) != nil {
		return
	}
	for _, text := range []string{changed.Name, changed.From, changed.To} {
		b.names.keep(text)
	}
	b.most = max(b.most, 2*params.World.Capacity)
}

// leftOut reports whether a record's payload is left empty.
func (b *Bundle) leftOut(rec domain.Record) bool {
	if rec.Envelope.Payload.Encoding != domain.EncodingJSON {
		return true
	}
	switch rec.Topic {
	case domain.TopicAccounts, domain.TopicRequests:
		return true
	}
	switch rec.Envelope.Type {
	case domain.ForeignMessageType:
		return true
	case domain.SignalReceivedType:
		return rec.Position < b.oldest
	}
	return false
}

// Record is a record for the bundle, with the same position, ids, times and numbers.
func (b *Bundle) Record(rec domain.Record) domain.Record {
	e := &rec.Envelope
	e.Source = domain.Source(b.names.text(string(e.Source)))
	e.Principal = domain.Principal(b.names.text(string(e.Principal)))
	e.Keys = textsOf(b.names, e.Keys)
	e.Subjects = textsOf(b.names, e.Subjects)
	e.Errors = b.faults(e.Errors)
	switch {
	case b.leftOut(rec):
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
	case e.Type == domain.RelationsFoundType:
		e.Payload = b.found(*e)
	default:
		if e.Type == domain.SignalReceivedType {
			if said, err := domain.Decode[domain.SignalReceived](*e); err == nil {
				b.said[e.ID] = said
			}
		}
		e.Payload = domain.JSONPayload(b.names.payload(e.Payload.Bytes))
	}
	return rec
}

// found is what was found of signals, with the places that its words have in the signals
// under pseudonyms: a letter with an accent takes more bytes than its pseudonym's.
func (b *Bundle) found(e domain.Envelope) domain.Payload {
	found, err := domain.Decode[domain.RelationsFound](e)
	if err != nil {
		return e.Payload
	}
	for i, one := range found.Signals {
		said := b.said[one.Signal]
		var related []relate.Relation
		for _, plan := range one.Plans {
			r := relate.Recorded(plan, said)
			for j, reason := range plan.Reasons {
				if len(reason.Words) > 0 {
					r.Evidence[j].Text = b.names.text(r.Evidence[j].Text)
				}
			}
			related = append(related, r)
		}
		found.Signals[i] = relate.Record(one.Signal, b.under(said), related)
	}
	out, err := domain.New(domain.Lineage{}, e.ID, 0, "", found)
	if err != nil {
		return e.Payload
	}
	return out.Envelope.Payload
}

// under is a signal under pseudonyms.
func (b *Bundle) under(said domain.SignalReceived) domain.SignalReceived {
	said.Content, said.Source = b.names.text(said.Content), b.names.text(said.Source)
	if said.Topic != nil {
		topic := b.names.text(*said.Topic)
		said.Topic = &topic
	}
	return said
}

func textsOf[T ~string](p *Pseudonyms, texts []T) []T {
	var out []T
	for _, text := range texts {
		out = append(out, T(p.text(string(text))))
	}
	return out
}

// faults are errors with pseudonyms. Unreadable details are left out.
func (b *Bundle) faults(faults []domain.Fault) []domain.Fault {
	var out []domain.Fault
	for _, f := range faults {
		f.Message = b.names.text(f.Message)
		if text, err := json.Marshal(f.Metadata); f.Metadata != nil && err == nil {
			f.Metadata = nil
			_ = json.Unmarshal(b.names.payload(text), &f.Metadata) // it was written a line above
		}
		out = append(out, f)
	}
	return out
}

package repro

import (
	"encoding/json"

	"chalie/domain"
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
	oldest  domain.Position   // signals before it are left empty
}

// remembered is how many signals before a trace keep their content: twice as many as the
// world state holds, because an episode may start with an earlier world state.
const remembered = 200

// NewBundle makes a bundle of a trace. whole keeps all signals.
func NewBundle(trace domain.TraceID, names *Pseudonyms, whole bool) *Bundle {
	return &Bundle{trace: trace, names: names, whole: whole}
}

// Learn looks at one record.
func (b *Bundle) Learn(rec domain.Record) {
	if rec.Envelope.Trace == b.trace && b.begins == 0 {
		b.begins = rec.Position
		if len(b.signals) == remembered && !b.whole {
			b.oldest = b.signals[0]
		}
	}
	if rec.Envelope.Type == domain.SignalReceivedType && b.begins == 0 {
		b.signals = append(b.signals, rec.Position)
		b.signals = b.signals[max(0, len(b.signals)-remembered):]
	}
	if !b.leftOut(rec) {
		b.names.learn(rec.Envelope.Payload.Bytes)
	}
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
	if b.leftOut(rec) {
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
	} else {
		e.Payload = domain.JSONPayload(b.names.payload(e.Payload.Bytes))
	}
	return rec
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

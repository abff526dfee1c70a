package narrate

import "chalie/domain"

// Scene is a record among those around it: it knows what the record's own payload doesn't
// say, and what to call things in a sentence.
type Scene interface {
	Record() domain.Record
	// Sender is what the sender of the record was called then, or else otherwise.
	Sender(otherwise string) string
	// Quote is what the record says, in quotation marks. Of a plan that is its words.
	Quote() Phrase
	// Repeated reports whether the sentence before said most of what the record says.
	Repeated() bool
	// Tool names the tool of the record's invocation, and whose it is.
	Tool() Phrase
	// Proposal is what the person was asked to approve.
	Proposal() Phrase
	// Due is a word and when the record's plan was due, or else the moment it was set to;
	// "" for none.
	Due(word string, set domain.Millis) string
	// Clock is a moment as a person would say it in the sentence.
	Clock(at domain.Millis) string
	// Label is the record in one short line, with what it was about at that time.
	Label() string
}

// Clause is a record as what somebody did. One whose entry has no clause is told by its label.
func Clause(s Scene) Phrase {
	rec := s.Record()
	e := rec.Envelope
	known := entryOf(e.Type)
	if out, ok := known.clause(s); ok {
		return out
	}
	label := s.Label()
	if _, told := known.label(Sent{e, ""}); !told || Unreadable(e) != "" {
		return Sayf("this happened: %s", About(rec, Quoted(label)))
	}
	return About(rec, Subject(e)+label)
}

// Reason is a record as what somebody did and when, to stand behind "because".
func Reason(s Scene) Phrase {
	rec := s.Record()
	if out, ok := entryOf(rec.Envelope.Type).reason(s); ok {
		return out
	}
	did, at := Clause(s), s.Clock(rec.RecordedAt)
	if endsQuoted(did) {
		return Sayf("%s at %s", did, at)
	}
	return Sayf("at %s %s", at, did)
}

// Subject does what a label says, where the label leaves that out; "" where it doesn't.
func Subject(e domain.Envelope) string {
	if who := entryOf(e.Type).subject(e); who != "" {
		return who + " "
	}
	return ""
}

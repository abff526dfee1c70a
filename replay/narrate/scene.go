package narrate

import "chalie/domain"

// Scene is a record in its context: it has the facts that aren't in the record's payload,
// and the names for a sentence.
type Scene interface {
	Record() domain.Record
	// Sender is the name of the record's sender at that time, or else otherwise.
	Sender(otherwise string) string
	// Quote is the record's text in quotation marks; of a plan, the plan's text.
	Quote() Phrase
	// Repeated reports whether the sentence before has most of the record's text.
	Repeated() bool
	// Tool names the tool of the record's invocation, and its interface.
	Tool() Phrase
	// Proposal is the call that the person was asked to approve.
	Proposal() Phrase
	// Due is a word with the due time of the record's plan, or else the moment set; ""
	// for none.
	Due(word string, set domain.Millis) string
	// Clock is a moment in words for the sentence.
	Clock(at domain.Millis) string
	// Label is the record in one short line, with the names of that time.
	Label() string
}

// Clause is a record as an action. One whose entry has no clause is told by its label.
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

// Reason is a record as an action with its time, worded to follow "because".
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

// Subject is the subject of a label's verb, where the label has none; otherwise "".
func Subject(e domain.Envelope) string {
	if who := entryOf(e.Type).subject(e); who != "" {
		return who + " "
	}
	return ""
}

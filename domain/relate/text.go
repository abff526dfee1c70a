package relate

import (
	"time"

	"chalie/domain"
)

// Kind is the kind of a text.
type Kind string

// The kinds.
const (
	Signal      Kind = "signal"
	Reminder    Kind = "reminder"
	Appointment Kind = "appointment"
	Task        Kind = "task"
	List        Kind = "entry"    // of a list
	Question    Kind = "question" // asked recently, and not yet settled
)

// Text is the text of a signal or a plan.
type Text struct {
	ID     domain.ID // told apart by it; ties are ordered by it
	Kind   Kind
	Text   string
	Source string        // of a signal: who said it
	Topic  string        // "" without one
	At     domain.Millis // when the signal came or the plan was made: what "today" in it means
	Due    domain.Millis // of a commitment; 0 without
}

// Terms are the parts of one text: its words in order, the names among them
// and the days it speaks of. The zero value is an empty text.
type Terms struct {
	id     domain.ID
	words  []word // of the text, then the source, then the topic
	names  []name
	days   days
	coded  bool // some words are codes
	at     domain.Millis
	due    domain.Millis
	says   bearing
	span   span     // of the day, in which what the text says is the case
	places []string // that a signal says it is about
	asked  bool     // it is a question
	listed bool     // it is on a list
	public bool     // it was meant for everybody
	clocks []uint16 // minutes of the day that the text names, and of a commitment the due
}

// ID is the text's.
func (t Terms) ID() domain.ID { return t.id }

// A word is one that may tell something. What holds sentences together is left
// out.
type word struct {
	key   string // what is compared: folded and stemmed, or a code
	text  string // as it was written
	name  int16  // the name it belongs to, or -1
	class class
	shape shape
	field field
	of    int16 // of a part: the word
}

// A shape says how sure it is that a word is a name, from the way it is written.
type shape uint8

const (
	plain   shape = iota // lower case where the writer uses capitals
	unsure               // at a sentence's start, or where case says nothing
	capital              // a capital where only names have one, a possessive, an acronym
)

// A field is where a word stands.
type field uint8

const (
	inText field = iota
	inSource
	inTopic
)

// A name is a run of capitalised words.
type name struct {
	from, to int16 // in words
	loose    bool  // held together only by capitals that may say nothing
}

// Read reads a text as a person or a program writes it. zone is where the person
// is: what "tonight" means depends on it; nil is UTC. Read never fails: what is no
// word is passed over, and a long text is read at its beginning only.
func Read(t Text, zone *time.Location) Terms {
	if zone == nil {
		zone = time.UTC
	}
	out := Terms{id: t.ID}
	body := reader{scan: newScanner(t.Text)}
	body.collect()
	body.informed = caseSays(body.raw, t.Kind == Signal)
	body.senses()
	body.into(&out, inText)
	out.days = readDays(body.raw)
	out.days.settle(t.At, t.Due, zone)
	out.at, out.due = t.At, t.Due
	out.asked, out.listed = t.Kind == Question, t.Kind == List
	out.says = readBearing(body.raw)
	out.readClocks(body.raw, t.Due, zone)
	out.belong(&body, t.Kind == Signal)
	if t.Kind == Signal && t.Source != "" {
		out.readName(t.Source, inSource)
	}
	if t.Topic != "" {
		out.readName(t.Topic, inTopic)
	}
	return out
}

// readName reads a sender's name or a topic: every word may be a name.
func (t *Terms) readName(text string, in field) {
	r := reader{scan: newScanner(separated(text)), asName: true}
	r.collect()
	for _, w := range r.raw {
		t.public = t.public || meansPublic(w.folded) || meansPublic(singular(w.folded))
	}
	r.senses()
	r.into(t, in)
}

package when

import (
	"slices"
	"time"

	"chalie/domain"
)

// Text is a text in which times are looked for once, whatever is asked about them then. It isn't
// safe for concurrent use.
type Text struct {
	text  string
	begun reader // before it has read anything

	read  *reader // as it was when it had; nil before
	found []expr
}

// Look is a text that says times as they are meant at a moment and a place.
func Look(text string, now domain.Millis, zone *time.Location) *Text {
	return &Text{text: text, begun: reader{tokens: tokensOf(text), now: now.Time().In(zone)}}
}

// Parse is the function Parse of the text.
func (t *Text) Parse() (Time, error) {
	if len(t.begun.tokens) > maxTokens {
		return tooLong()
	}
	r, found := t.reading()
	return r.parsed(t.text, found)
}

// Begins reports for each of the places in the text whether a time may begin there. It reads the text once
// for all of them.
func (t *Text) Begins(places []int) []bool {
	out := make([]bool, len(places))
	if len(t.begun.tokens) > maxTokens {
		return out
	}
	r := t.again()
	for i, token := range r.tokens {
		if n := slices.Index(places, token.start); n >= 0 {
			out[n] = r.expr(i).to > 0
		}
	}
	return out
}

// again is a reader of the text that has read nothing.
func (t *Text) again() *reader {
	r := t.begun
	return &r
}

// reading is a reader that has read the text, and what it found, to be changed.
func (t *Text) reading() (*reader, []expr) {
	if t.read == nil {
		t.read = t.again()
		t.found = t.read.exprs()
	}
	r, found := *t.read, slices.Clone(t.found)
	for i, x := range found {
		found[i] = x.copied()
	}
	return &r, found
}

// copied shares nothing with x that is changed where a time is made of it.
func (x expr) copied() expr {
	if x.every != nil {
		e := *x.every
		x.every = &e
	}
	if x.until != nil {
		until := x.until.copied()
		x.until = &until
	}
	return x
}

package when

import (
	"strings"
	"time"

	"chalie/domain"
)

// Time is the time that a sentence names.
type Time struct {
	At         domain.Millis      // the first moment; always later than the present
	Recurrence *domain.Recurrence // when it comes back; nil for once
	Spans      []Span             // the parts of the sentence that say so, in order
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Codes of why a sentence has no time that can be used. All are validation errors
// with words for a person.
const (
	CodeNoTime    domain.Code = "no_time"        // it says none
	CodePassed    domain.Code = "time_passed"    // it says one that has passed
	CodeNoSuch    domain.Code = "no_such_time"   // it says one that doesn't exist
	CodeAmbiguous domain.Code = "ambiguous_time" // it says several
	CodeTooFar    domain.Code = "time_too_far"   // it says one beyond a hundred years
)

// Parse finds the time in a sentence. The errors are validation, with one of the
// codes above, and say what was understood.
func Parse(text string, now domain.Millis, zone *time.Location) (Time, error) {
	p := &parser{words: wordsOf(text), now: now.Time().In(zone)}
	found := p.pieces()
	if p.wrong != nil {
		return Time{}, p.wrong
	}
	if len(found) == 0 {
		switch p, found = p.alone(); {
		case p.wrong != nil:
			return Time{}, p.wrong
		case len(found) == 0:
			return Time{}, noTime(text)
		}
	}
	x, used, err := p.choose(found)
	if err != nil {
		return Time{}, err
	}
	at, recurrence, err := p.resolve(x, used)
	if err != nil {
		return Time{}, err
	}
	out := Time{At: domain.MillisOf(at), Recurrence: recurrence}
	switch {
	case out.At <= now:
		return Time{}, p.hasPassed(used, at, time.Time{})
	case at.After(p.now.AddDate(maxYears, 0, 0)):
		return Time{}, p.tooFar(used)
	}
	for _, u := range used {
		if start, end := p.words[u.from].start, p.words[u.to-1].end; end > start {
			out.Spans = append(out.Spans, Span{start, end})
		}
	}
	return out, nil
}

// alone reads a time that is all there is and lacks its first word: 2 hours, fri.
func (p *parser) alone() (*parser, []piece) {
	for _, first := range []string{"in", "on", "at", "every"} {
		q := &parser{words: append([]word{{text: first}}, p.words...), now: p.now}
		found := q.pieces()
		if q.wrong != nil && len(p.words) > 0 && p.words[0].minus {
			return q, nil
		}
		if len(found) == 1 && found[0].from == 0 && found[0].to == len(q.words) && q.wrong == nil {
			// The added word is no part of the sentence.
			q.words[0] = word{text: first, start: q.words[1].start, end: q.words[1].start}
			return q, found
		}
	}
	return p, nil
}

// choose is the time that is meant, with the pieces it is made of. A whole time
// goes before parts of one; a day and a time of day that stand apart belong
// together.
func (p *parser) choose(found []piece) (piece, []piece, error) {
	if len(found) == 1 {
		return found[0], found, nil
	}
	var whole []piece
	for _, x := range found {
		if x.hasDayAndTime() {
			whole = append(whole, x)
		}
	}
	switch {
	case len(whole) == 1 && whole[0].clock != nil && p.saysAnother(whole[0], found):
	case len(whole) == 1:
		return whole[0], whole, nil
	case len(whole) == 0 && len(found) == 2:
		if x, ok := joined(found[0], found[1]); ok {
			return x, found, nil
		}
	}
	if len(whole) > 1 {
		found = whole
	}
	return piece{}, nil, p.ambiguous(found)
}

// saysAnother reports whether there is a second time of day that may be the one that
// is meant: "at 5 tomorrow at 3". What is only spoken of, as "the 2pm slot", isn't.
func (p *parser) saysAnother(whole piece, found []piece) bool {
	for _, x := range found {
		if x.from != whole.from && x.clock != nil && (p.is(x.from, "at", "@") || p.is(x.from-1, "and", "or")) {
			return true
		}
	}
	return false
}

func joined(a, b piece) (piece, bool) {
	if a.clock != nil || a.part != nil {
		a, b = b, a
	}
	dated := a.day != nil || a.every != nil || a.span != nil
	if !dated || b.day != nil || b.every != nil || b.span != nil || a.clock != nil || a.part != nil {
		return piece{}, false
	}
	a.clock, a.part = b.clock, b.part
	return a, true
}

// Rest is the text without the parts that say when.
func (t Time) Rest(text string) string {
	var out strings.Builder
	from := 0
	for _, s := range t.Spans {
		out.WriteString(text[from:s.Start])
		from = s.End
	}
	out.WriteString(text[from:])
	var rest strings.Builder
	for i, word := range strings.Fields(out.String()) {
		if i > 0 && strings.Trim(word, ",.;:!?") != "" {
			rest.WriteByte(' ') // a mark by itself belongs to the word before
		}
		rest.WriteString(word)
	}
	return strings.TrimLeft(strings.TrimRight(rest.String(), " ,;:-."), " ,;:-")
}

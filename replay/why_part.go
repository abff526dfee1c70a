package replay

import (
	"strings"
	"unicode/utf8"

	"chalie/domain"
)

// Part is a piece of a sentence; all of them joined are the sentence. One that speaks
// of a record names it, so that whoever shows the sentence can lead there.
type Part struct {
	Text  string     `json:"text"`
	About *Reference `json:"about,omitempty"`
}

// Reference is the record that a part of a sentence speaks of.
type Reference struct {
	ID       domain.ID       `json:"envelope_id"`
	Trace    domain.TraceID  `json:"trace_id"`
	Position domain.Position `json:"position"`
}

// While a sentence is put together out of many, what speaks of a record stands between
// two marks: characters for private use, of which the first tells which record. Nobody
// else can put one there, because shortened takes them out of all that comes from
// outside; and none is left when parted has made parts of the sentence.
const (
	firstMark = '\U00100000'
	lastMark  = '\U0010FFFC'
	endMark   = '\U0010FFFD'
)

func isMark(r rune) bool { return r >= firstMark && r <= endMark }

// marker knows the records that sentences under construction speak of.
type marker struct {
	all   []Reference
	known map[domain.ID]rune
}

// mark marks a text as speaking of a record; the zero Record is none.
func (m *marker) mark(rec domain.Record, text string) string {
	if rec.Position == 0 || text == "" || strings.ContainsFunc(text, isMark) {
		return text
	}
	e := rec.Envelope
	sign, ok := m.known[e.ID]
	if !ok {
		if sign = firstMark + rune(len(m.all)); sign > lastMark {
			return text
		}
		if m.known == nil {
			m.known = map[domain.ID]rune{}
		}
		m.known[e.ID] = sign
		m.all = append(m.all, Reference{ID: e.ID, Trace: e.Trace, Position: rec.Position})
	}
	return string(sign) + text + string(endMark)
}

// parted makes parts of a marked text.
func (m *marker) parted(marked string) []Part {
	var out []Part
	add := func(text string, about *Reference) {
		if text != "" {
			out = append(out, Part{text, about})
		}
	}
	for marked != "" {
		at := strings.IndexFunc(marked, isMark)
		if at < 0 {
			add(marked, nil)
			break
		}
		add(marked[:at], nil)
		sign, size := utf8.DecodeRuneInString(marked[at:])
		inside, rest, _ := strings.Cut(marked[at+size:], string(endMark))
		if i := int(sign - firstMark); i < len(m.all) {
			add(inside, &m.all[i])
		} else { // nobody's
			add(unmarked(inside), nil)
		}
		marked = rest
	}
	return out
}

// told are sentences as they are given out: as text, and in parts.
func (m *marker) told(marked []string) (sentences []string, parts [][]Part) {
	sentences, parts = []string{}, [][]Part{}
	for _, one := range marked {
		sentences, parts = append(sentences, unmarked(one)), append(parts, m.parted(one))
	}
	return sentences, parts
}

// unmarked is a text without marks.
func unmarked(text string) string {
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		return r
	}, text)
}

// cutMarked bounds a marked text in characters, and leaves no mark open.
func cutMarked(text string, most int) string {
	if utf8.RuneCountInString(unmarked(text)) <= most {
		return text
	}
	var out strings.Builder
	open, n := false, 0
	for _, r := range text {
		if isMark(r) {
			open = r != endMark
		} else if n++; n == most {
			break
		}
		out.WriteRune(r)
	}
	kept := strings.TrimRight(out.String(), " ") + "…"
	if open {
		kept += string(endMark)
	}
	return kept
}

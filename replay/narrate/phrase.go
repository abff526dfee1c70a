package narrate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// Part is a piece of a sentence; all of them joined are the sentence. One about a record
// refers to it, so that a page can link there.
type Part struct {
	Text  string     `json:"text"`
	About *Reference `json:"about,omitempty"`
}

// Reference is the record that a part of a sentence is about.
type Reference struct {
	ID       domain.ID       `json:"envelope_id"`
	Trace    domain.TraceID  `json:"trace_id"`
	Position domain.Position `json:"position"`
}

// Phrase is a sentence, or a part of one, in its parts.
type Phrase []Part

// Words are a phrase without a reference.
func Words(text string) Phrase {
	if text == "" {
		return nil
	}
	return Phrase{{Text: text}}
}

// About is a phrase with a reference to a record; the zero Record is none.
func About(rec domain.Record, text string) Phrase {
	if rec.Position == 0 || text == "" {
		return Words(text)
	}
	return Phrase{{Text: text, About: &Reference{ID: rec.Envelope.ID, Trace: rec.Envelope.Trace, Position: rec.Position}}}
}

// Sayf formats a phrase as fmt.Sprintf does a text: a Phrase as an argument keeps its
// parts.
func Sayf(format string, args ...any) Phrase {
	var out Phrase
	var plain []any // the arguments of the text so far
	text := &strings.Builder{}
	flush := func() {
		out = append(out, Words(fmt.Sprintf(text.String(), plain...))...)
		text.Reset()
		plain = nil
	}
	for format != "" {
		before, rest, found := strings.Cut(format, "%")
		text.WriteString(before)
		if !found {
			break
		}
		end := strings.IndexFunc(rest, unicode.IsLetter) + 1
		if strings.HasPrefix(rest, "%") {
			end = 1
		} else if len(args) > 0 {
			arg := args[0]
			args = args[1:]
			if phrase, ok := arg.(Phrase); ok {
				flush()
				out = append(out, phrase...)
				format = rest[end:]
				continue
			}
			plain = append(plain, arg)
		}
		text.WriteString("%" + rest[:end])
		format = rest[end:]
	}
	flush()
	return out
}

// Join puts phrases together, with a text between each two.
func Join(phrases []Phrase, between string) Phrase {
	var out Phrase
	for i, p := range phrases {
		if i > 0 {
			out = append(out, Words(between)...)
		}
		out = append(out, p...)
	}
	return out
}

// String is the phrase as text.
func (p Phrase) String() string {
	var out strings.Builder
	for _, part := range p {
		out.WriteString(part.Text)
	}
	return out.String()
}

// Parts are the pieces, with adjacent ones without reference merged; empty and not nil
// without any.
func (p Phrase) Parts() []Part {
	out := []Part{}
	for _, part := range p {
		if last := len(out) - 1; last >= 0 && out[last].About == nil && part.About == nil {
			out[last].Text += part.Text
			continue
		}
		out = append(out, part)
	}
	return out
}

// Speaks reports whether a part of the phrase refers to a record.
func (p Phrase) Speaks() bool {
	for _, part := range p {
		if part.About != nil {
			return true
		}
	}
	return false
}

// Sentence ends the phrase with one full stop.
func (p Phrase) Sentence() Phrase {
	p = p.TrimRight(" ")
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(p.String(), `"`))
	if strings.ContainsRune(".…!?", last) {
		return p
	}
	return append(slices.Clip(p), Part{Text: "."})
}

// TrimRight is the phrase without some characters at its end.
func (p Phrase) TrimRight(cutset string) Phrase {
	for n := len(p); n > 0; n-- {
		last := p[n-1]
		last.Text = strings.TrimRight(last.Text, cutset)
		if last.Text != "" {
			return append(p[:n-1:n-1], last)
		}
	}
	return nil
}

// Capital is the phrase with a capital letter.
func (p Phrase) Capital() Phrase {
	if len(p) == 0 {
		return p
	}
	out := append(Phrase{}, p...)
	out[0].Text = Capital(out[0].Text)
	return out
}

// Cut bounds the phrase in characters.
func (p Phrase) Cut(most int) Phrase {
	if utf8.RuneCountInString(p.String()) <= most {
		return p
	}
	var out Phrase
	left := most - 1
	for _, part := range p {
		n := utf8.RuneCountInString(part.Text)
		if n < left {
			out, left = append(out, part), left-n
			continue
		}
		part.Text = strings.TrimRight(string([]rune(part.Text)[:left]), " ") + "…"
		return append(out, part)
	}
	return out
}

// Sentences are phrases as text and in parts; both empty and not nil without any.
func Sentences(phrases []Phrase) (texts []string, parts [][]Part) {
	texts, parts = []string{}, [][]Part{}
	for _, p := range phrases {
		texts, parts = append(texts, p.String()), append(parts, p.Parts())
	}
	return texts, parts
}

package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chalie/domain"
)

// Bounds of the labels and values shown of a payload. The JSON has the rest.
const (
	mostDeep  = 6
	mostParts = 40
	mostRunes = 2000
	mostJSON  = 64 << 10 // bytes; a longer one is opened by itself
)

// fact is a labelled value of a payload for a person.
type fact struct {
	Label string        // "" in a list
	Text  string        // of a value without parts
	At    domain.Millis // a moment, instead of a text
	Link  string        // where the text leads; "" for nowhere
	Code  bool          // the text is an id
	Parts []fact        // of an object or a list
	Left  int           // parts that are not shown
}

// reading is a payload for display.
type reading struct {
	Gone  string // why there is nothing to read; "" otherwise
	Facts []fact
	JSON  string // indented; "" when it is too long
}

func readingOf(e domain.Envelope) reading {
	p := e.Payload
	switch p.Encoding {
	case domain.EncodingErased:
		return reading{Gone: "What this said was erased, and can't be had any more. That it was here, and when, stays."}
	case domain.EncodingSealed:
		return reading{Gone: fmt.Sprintf("What this says is sealed: %d bytes that only its key opens.", len(p.Bytes))}
	case domain.EncodingJSON:
	default:
		return reading{Gone: fmt.Sprintf("This is no JSON, but %d bytes of a program's own.", len(p.Bytes))}
	}
	var out reading
	out.Facts = factOf("", p.Bytes, 0).Parts
	if strings.HasPrefix(string(e.Type), "reasoning.") {
		scored(out.Facts)
	}
	var text bytes.Buffer
	if domain.Nesting(p.Bytes) > domain.MaxNesting {
		// Indented it would grow with the square of its depth.
		out.JSON = shortened(string(p.Bytes))
	} else if len(p.Bytes) <= mostJSON && json.Indent(&text, p.Bytes, "", "  ") == nil {
		out.JSON = text.String()
	}
	return out
}

// factOf reads one JSON value.
func factOf(name string, raw json.RawMessage, depth int) fact {
	out := fact{Label: labelled(name)}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return out
	}
	if (raw[0] == '{' || raw[0] == '[') && depth < mostDeep {
		out.parts(raw, depth)
		return out
	}
	switch raw[0] {
	case '{', '[':
		out.Text = shortened(string(raw))
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil {
			out.text(name, text)
		}
	case 't':
		out.Text = "yes"
	case 'f':
		out.Text = "no"
	case 'n':
		out.Text = "none"
	default:
		out.number(name, string(raw))
	}
	return out
}

// parts reads an object or a list, in its order.
func (f *fact) parts(raw json.RawMessage, depth int) {
	in := json.NewDecoder(bytes.NewReader(raw))
	if _, err := in.Token(); err != nil {
		return
	}
	for in.More() {
		name := ""
		if raw[0] == '{' {
			key, err := in.Token()
			if err != nil {
				return
			}
			name, _ = key.(string)
		}
		var value json.RawMessage
		if in.Decode(&value) != nil {
			return
		}
		if len(f.Parts) == mostParts {
			f.Left++
			continue
		}
		f.Parts = append(f.Parts, factOf(name, value, depth+1))
	}
	if len(f.Parts) == 0 {
		f.Text = "none"
	} else if raw[0] == '[' {
		f.join()
	}
}

func (f *fact) text(name, text string) {
	f.Text = shortened(text)
	if text == "" {
		f.Text = "(empty)"
	}
	id, err := domain.ParseID(text)
	if err != nil {
		return
	}
	f.Code = true
	switch {
	case name == "trace_id":
		f.Link = "/traces/" + id.String()
	case strings.HasSuffix(name, "envelope_id") || name == "parent_id":
		f.Link = "/system/log/" + id.String()
	}
}

// Numbers in this range are moments: they are milliseconds of the years 2001 to
// 2100, and nothing else that is recorded counts that far.
const (
	firstMoment = 1_000_000_000_000
	lastMoment  = 4_102_444_800_000
)

func (f *fact) number(name, text string) {
	f.Text = text
	n, err := strconv.ParseInt(text, 10, 64)
	switch what, isSpan := strings.CutSuffix(name, "_ms"); {
	case err != nil:
	case isSpan && n >= 0 && n < lastMoment:
		f.Label, f.Text = labelled(what), took(time.Duration(n)*time.Millisecond)
	case n >= firstMoment && n < lastMoment:
		f.At = domain.Millis(n)
	}
}

// labelled is a stored name in words.
func labelled(name string) string {
	if name == "" {
		return ""
	}
	text := strings.NewReplacer("_", " ", ".", " ").Replace(name)
	first, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(string(first)) + text[size:]
}

// shortened bounds a text, and says that it did.
func shortened(text string) string {
	if len(text) <= mostRunes {
		return text
	}
	cut := mostRunes
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s … (%d bytes more, in the JSON)", text[:cut], len(text)-cut)
}

// Longer texts and lists are folded.
const (
	shownRunes = 240
	shownParts = 3
)

// Start is the shown beginning of a folded text; "" for one that isn't folded.
func (f fact) Start() string {
	if len(f.Text) <= shownRunes {
		return ""
	}
	runes := []rune(f.Text)
	if len(runes) <= shownRunes {
		return ""
	}
	return string(runes[:shownRunes]) + "…"
}

// Many reports whether a list is folded.
func (f fact) Many() bool { return len(f.Parts) > shownParts && f.Parts[0].Parts != nil }

// Count is how many things a list has.
func (f fact) Count() string { return fmt.Sprintf("%d entries", len(f.Parts)+f.Left) }

// join makes one text of a list of short ones.
func (f *fact) join() {
	const short = 40
	texts := make([]string, len(f.Parts))
	for i, part := range f.Parts {
		if part.Parts != nil || part.At != 0 || part.Code || len(part.Text) > short {
			return
		}
		texts[i] = part.Text
	}
	if f.Left == 0 {
		f.Text, f.Parts = strings.Join(texts, ", "), nil
	}
}

// scored writes Chalie's scores, which are stored in parts per million, as percentages.
// Only numbers of its own reasoning are scores: an interface's weight may be in
// kilogrammes.
func scored(facts []fact) {
	for i := range facts {
		f := &facts[i]
		scored(f.Parts)
		switch f.Label {
		case "Salience", "Bonus", "Weight", "Score", "Relation", "Confidence":
			if n, err := strconv.ParseInt(f.Text, 10, 64); err == nil {
				f.Text = fmt.Sprintf("%.1f %%", float64(n)/10_000)
			}
		}
	}
}

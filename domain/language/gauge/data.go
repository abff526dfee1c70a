package gauge

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// maxDepth bounds how deep JSON is looked into.
const maxDepth = 6

// member is a member of an object, in the order in which it stands there.
type member struct {
	key   string
	words []string // of the key, in small letters
	value any      // string, json.Number, bool, object or []any; nil for null
}

type object []member

// isData reports whether a text is JSON.
func isData(text string) bool {
	trimmed := strings.TrimSpace(text)
	return (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) && json.Valid([]byte(trimmed))
}

// dataOf reads JSON, with the members in their order; nil of anything else.
func dataOf(text []byte) any {
	if !isData(string(text)) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	value, err := valueOf(dec, 0)
	if err != nil {
		return nil
	}
	return value
}

func valueOf(dec *json.Decoder, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		out := object{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			value, err := valueOf(dec, depth+1)
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			if depth < maxDepth {
				out = append(out, member{name, keyWords(name), value})
			}
		}
		_, err := dec.Token()
		return out, err
	case json.Delim('['):
		out := []any{}
		for dec.More() {
			value, err := valueOf(dec, depth+1)
			if err != nil {
				return nil, err
			}
			if depth < maxDepth && len(out) < maxNamed*maxNamed {
				out = append(out, value)
			}
		}
		_, err := dec.Token()
		return out, err
	}
	return token, nil
}

// keyWords are the words of a key: change_pct and changePct are both "change pct".
func keyWords(key string) []string {
	var spaced strings.Builder
	last := ' '
	for _, r := range key {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		last = r
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Words of keys.
var (
	valueKeys = []string{"price", "value", "last", "close", "level", "reading", "amount", "rate", "current", "quote", "score"}
	stateKeys = []string{"status", "state", "condition", "message", "text"}
	nameKeys  = []string{"symbol", "ticker", "name", "plant", "item", "sensor", "device", "asset", "package", "parcel", "product", "label", "title", "entity", "thing", "coin", "pair", "id"}
	unitKeys  = []string{"unit", "units", "currency"}
	// noValues are keys of numbers that say when, which, where, or by how much.
	noValues = setOf("id ids uuid time timestamp date at ts since until year month week day hour minute second seq sequence version lat lon latitude longitude port code zip phone order number nr index " +
		"change changed delta diff pct percentage previous prev before open high low volume min max target threshold count expires updated created")
)

func (m member) is(keys []string) bool {
	return len(m.words) > 0 && slices.Contains(keys, m.words[len(m.words)-1])
}

// measures reports whether a number under the key is a value.
func (m member) measures() bool {
	return len(m.words) > 0 && !slices.ContainsFunc(m.words, func(w string) bool { return noValues[w] })
}

// ofData is what JSON says of a name, at whatever depth it stands.
func ofData(text []byte, name Name, depth int) (Reading, bool) {
	if len(text) == 0 {
		return Reading{}, false
	}
	return ofValue(dataOf(text), name, depth)
}

func ofValue(value any, name Name, depth int) (Reading, bool) {
	switch v := value.(type) {
	case []any:
		for _, one := range slices.Backward(v) { // the last one said counts
			if read, ok := ofValue(one, name, depth+1); ok {
				return read, true
			}
		}
	case object:
		for _, m := range v {
			if text, is := m.value.(string); is && len(text) <= maxIdentity && !m.is(stateKeys) && !m.is(unitKeys) && name.in(text) {
				return v.reading(), true
			}
		}
		for _, m := range v {
			if name.in(strings.Join(m.words, " ")) {
				if read, ok := readingOf(m); ok {
					return read, true
				}
			}
		}
		for _, m := range v {
			if read, ok := ofValue(m.value, name, depth+1); ok {
				return read, true
			}
		}
	}
	return Reading{}, false
}

// maxIdentity bounds a text that names what an object is about.
const maxIdentity = 64

// readingOf is what a member under a name says: {"AAPL": 231.4}.
func readingOf(m member) (Reading, bool) {
	if inner, is := m.value.(object); is {
		return inner.reading(), true
	}
	if f, ok := figureIn(m.value, ""); ok {
		return Reading{Figures: []Figure{f}}, true
	}
	if text, is := m.value.(string); is && text != "" {
		if out := (stretch{wordsOf(text), 0, len(wordsOf(text))}).figures(func(int) bool { return false }); len(out) > 0 {
			return Reading{Figures: out}, true
		}
		return Reading{State: text}, true
	}
	return Reading{}, false
}

// figureIn is a number, or a text that is nothing but one.
func figureIn(value any, unit string) (Figure, bool) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
		if strings.ContainsAny(text, "eE") {
			return Figure{}, false
		}
	case string:
		if words := wordsOf(v); len(words) > 0 && words[0].number && words[0].takes+1 == len(words) {
			return words[0].figure, true
		}
		return Figure{}, false
	default:
		return Figure{}, false
	}
	f, _, ok := figure(text)
	if ok && unit != "" {
		f.behind(unit)
		f.Text = shownWith(f.Text, f.Unit)
	}
	return f, ok
}

// shownWith is a number with its unit.
func shownWith(text, unit string) string {
	switch {
	case unit == "":
		return text
	case strings.ContainsAny(unit, "$€£¥₹") && !strings.Contains(unit, " "):
		return unit + text
	}
	return text + " " + unit
}

// reading are the values of an object, or the state that it tells.
func (o object) reading() Reading {
	unit := ""
	for _, m := range o {
		if text, is := m.value.(string); is && m.is(unitKeys) {
			unit = text
		}
	}
	var out Reading
	for _, m := range o {
		if m.is(valueKeys) && len(m.words) == 1 {
			if f, ok := figureIn(m.value, unit); ok {
				return Reading{Figures: []Figure{f}}
			}
		}
	}
	for _, m := range o {
		if inner, is := m.value.(object); is {
			out.Figures = append(out.Figures, inner.reading().Figures...)
			continue
		}
		f, ok := figureIn(m.value, "")
		if !ok || !m.measures() {
			continue
		}
		f.Label = strings.Join(m.words, " ")
		if m.is(valueKeys) && len(o) <= 3 {
			f.Label = ""
		}
		out.Figures = append(out.Figures, f)
	}
	if out.Figures = mainOf(out.Figures); len(out.Figures) > 0 {
		return out
	}
	for _, m := range o {
		if text, is := m.value.(string); is && m.is(stateKeys) && text != "" {
			out.State = text
			return out
		}
	}
	return out
}

// anyData is what JSON says that is about one thing, by whatever else told which.
func anyData(text []byte) (Reading, bool) {
	o, is := dataOf(text).(object)
	if !is {
		return Reading{}, false
	}
	out := o.reading()
	return out, len(out.Figures) > 0 || out.State != ""
}

// allData is what JSON says of whatever it names.
func allData(text []byte, depth int) []Reading {
	if len(text) == 0 {
		return nil
	}
	return allValues(dataOf(text), depth)
}

func allValues(value any, depth int) (out []Reading) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			out = append(out, allValues(one, depth+1)...)
		}
	case object:
		if read := v.reading(); len(read.Figures) > 0 || read.State != "" {
			read.Name = v.name()
			return []Reading{read}
		}
		for _, m := range v {
			out = append(out, allValues(m.value, depth+1)...)
		}
	}
	return out
}

// name is what an object is about.
func (o object) name() string {
	for _, key := range nameKeys {
		for _, m := range o {
			if text, is := m.value.(string); is && len(text) <= maxIdentity && m.is([]string{key}) {
				return text
			}
		}
	}
	return ""
}

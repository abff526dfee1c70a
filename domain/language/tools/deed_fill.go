package tools

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/deed"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tongues"
)

// takeValues takes the values that are said of those that a parameter lists: the only one, or all that stand
// in the clause.
func (m *meant) takeValues() {
	for _, p := range m.slots {
		if !p.closed || p.Type != domain.TypeString || p.list {
			continue
		}
		var said []any
		best, taken := 0, make([]bool, len(m.words))
		for _, v := range p.choices {
			at := m.saysValue(v, p.choices)
			if len(at) == 0 {
				continue
			}
			overlaps := slices.ContainsFunc(at, func(i int) bool { return taken[i] })
			switch {
			case overlaps && len(at) <= best:
				continue // "the left lamp" is more than "the lamp"
			case overlaps:
				said, taken = nil, make([]bool, len(m.words))
			}
			said, best = append(said, v), max(best, len(at))
			for _, i := range at {
				taken[i] = true
			}
		}
		for i, t := range taken {
			if t && !m.used[i] {
				m.used[i] = true
				m.named++
			}
		}
		switch {
		case len(said) == 1:
			m.params[p.Name] = said[0]
		case len(said) > 1 && m.of == "":
			m.of, m.several = p.Name, said
		}
	}
}

// bothWords say that both of two are meant.
var bothWords = sentences.WordsIn("both beide beiden deux ambos ambas")

// takeBoth takes both values of the only parameter that lists two, where both are asked for.
func (m *meant) takeBoth() {
	for i, w := range m.words {
		before := ""
		if i > 0 {
			before = m.words[i-1].Word
		}
		if !bothWords[w.Word] && !(w.Word == "dos" && (before == "los" || before == "las")) {
			continue
		}
		for _, p := range m.slots {
			if _, given := m.params[p.Name]; !given && m.of == "" && p.closed && !p.list && p.Required && p.Type == domain.TypeString && len(p.choices) == 2 {
				m.of, m.several, m.used[i] = p.Name, []any{p.choices[0], p.choices[1]}, true
			}
		}
	}
}

// saysValue are the places of a value's words in the clause: all of those by which it differs from the
// others.
func (m *meant) saysValue(value string, all []string) []int {
	words := TellingOf(value)
	if len(words) == 0 {
		words = []string{strings.ToLower(value)}
	}
	if len(words) == 1 && m.at(words[0]) == nil {
		if parts := wordParts(words[0], keys.isThing); parts != nil {
			words = parts // Flurlicht: the light in the hall
		}
	}
	var out []int
	for _, w := range words {
		at := m.at(w)
		if len(at) == 0 && (len(words) == 1 || len(all) > maxClauses || !isInEach(all, w)) {
			return nil
		}
		out = append(out, at...)
	}
	return out
}

// isInEach reports whether each of the values has a word, by itself or as a part of another.
func isInEach(values []string, word string) bool {
	return !slices.ContainsFunc(values, func(v string) bool {
		words := TellingOf(v)
		for _, w := range words {
			words = append(words, wordParts(w, keys.isThing)...)
		}
		return !IsOneOf(words, word)
	})
}

// at are the places of a word in the clause, by itself or as a part of another.
func (m *meant) at(word string) []int {
	const least = 7
	sought := keysOf(word)
	var out []int
	for i, w := range m.words {
		if w.keys.isLike(sought) || len(w.Word) >= least && slices.ContainsFunc(wordParts(w.Word, func(k keys) bool {
			return k.isThing() || k.isIn(m.plain) || k.isLike(sought)
		}), func(part string) bool { return keysOf(part).isLike(sought) }) {
			out = append(out, i)
		}
	}
	return out
}

// decide chooses, of parameters by which a tool does one deed or its contrary, the value whose deed is
// named.
func (m *meant) decide() {
	for _, p := range m.slots {
		if _, given := m.params[p.Name]; given || m.of == p.Name {
			continue
		}
		var choices []any
		switch {
		case p.Type == domain.TypeBoolean:
			choices = []any{true, false}
		case p.closed && p.Type == domain.TypeString && len(p.choices) < maxClauses:
			for _, v := range p.choices {
				choices = append(choices, v)
			}
		}
		var named []any
		for _, v := range choices {
			m.params[p.Name] = v
			if words := m.deed().In(m.text); len(words.Named) > 0 && len(words.Against) == 0 {
				named = append(named, v)
			}
		}
		delete(m.params, p.Name)
		if len(named) > 1 && p.Type == domain.TypeString { // what it does besides is asked for by near words
			named = slices.DeleteFunc(named, func(v any) bool { return !deed.Says(m.text, fmt.Sprint(v)) })
		}
		if len(named) == 1 && len(choices) > 1 {
			m.params[p.Name] = named[0]
		}
	}
}

// takeNumbers takes the number of the clause for the only parameter for one; several name several things of
// which one is called for each.
func (m *meant) takeNumbers() {
	var slots []Slot
	for _, p := range m.slots {
		if _, given := m.params[p.Name]; !given && (p.Type == domain.TypeNumber || p.Type == domain.TypeInteger) {
			slots = append(slots, p)
		}
	}
	if len(slots) != 1 {
		return
	}
	p := slots[0]
	var values []any
	for i, w := range m.words {
		number := w.Word
		if said := tongues.NumberIn(w.Word); said != "" && !bothWords[w.Word] && !w.keys.isThing() {
			number = said
		}
		if !isDecimal(number) || m.used[i] || i > 0 && (m.words[i-1].Word == "by" || m.words[i-1].Word == "um") {
			continue // by so much isn't to so much
		}
		value, ok := numberOf(number, p.Type)
		if !ok {
			return
		}
		values, m.used[i] = append(values, value), true
		if next := i + 1; next < len(m.words) && (measures[m.words[next].Word] || IsOneOf(TellingOf(p.Name+" "+p.Description), m.words[next].Word)) {
			m.used[next] = true
		}
	}
	switch {
	case len(values) == 1:
		m.params[p.Name], m.counted = values[0], true
	case len(values) > 1 && m.of == "" && p.Required && p.Type == domain.TypeInteger:
		m.of, m.several = p.Name, values
	case len(values) > 1:
		m.left = append(m.left, fmt.Sprint(values[1]))
	}
}

// isDecimal reports whether a word is a number in digits, with a fraction or without.
func isDecimal(w string) bool {
	return w != "" && strings.Trim(w, "0123456789.") == "" && w[0] != '.'
}

// measures are units that stand behind a number and tell nothing else.
var measures = sentences.WordsIn(`degree degrees grad degre degres grado grados percent prozent pourcent celsius c gram grams gramm grammes gramme gramos gramo g kg kilo kilos
	liter liters litre litres litros litro l ml minute minutes minuten minutos minuto min second seconds sekunden secondes segundos`)

// takeThings takes the words for what the tool is about.
func (m *meant) takeThings() {
	for i, w := range m.words {
		switch {
		case m.used[i] || Small()[w.Word]:
		case m.carries(w):
			m.used[i] = true
			m.named++
		case slices.ContainsFunc(m.slots, func(p Slot) bool { return IsOneOf(TellingOf(p.Name+" "+p.Description), w.Word) }):
			m.used[i] = true // which room: it says nothing of the tool
		}
	}
}

// unused is the clause without what is taken.
func (m *meant) unused() string {
	var out []string
	for i, w := range m.words {
		if !m.used[i] && !nows[w.Word] {
			out = append(out, w.Word)
		}
	}
	return strings.Join(out, " ")
}

// nows are words for at once, and for once more.
var nows = sentences.WordsIn("now right away again jetzt gleich sofort wieder nochmal maintenant encore tout suite ahora ya mismo otra vez moment momento instant rato dann then puis alors entonces luego") //nolint:misspell // Spanish

// saysWhen is what of some words says when; "" for nothing.
func (l Chooser) saysWhen(text string) string {
	if text == "" {
		return ""
	}
	if t, foreign := l.Tongue(l.P.Asked.Text); foreign {
		if at := t.When(text); at.Said {
			return strings.TrimSpace(at.As + " " + strings.Join(at.Unread, " "))
		}
		return ""
	}
	if t := l.Timing(text); t.Said || t.Wrong {
		return text
	}
	return ""
}

// findLeft finds the telling words that nothing was made of.
func (m *meant) findLeft() {
	when := TellingOf(m.timed)
	for i, w := range m.words {
		if m.used[i] || Small()[w.Word] || len(w.Word) == 1 && !IsNumber(w.Word) || joins[w.Word] || nows[w.Word] || slices.Contains(when, w.Word) || m.timed != "" && IsNumber(w.Word) {
			if !(i > 0 && excepting[w.Word]) && (!Limits[w.Word] || m.timed != "" || m.used[i] || !isLimitAt(m.words, i)) {
				continue
			}
		}
		m.left = append(m.left, w.Word)
	}
}

// isCompany reports whether a clause says with whom something is to be done, which no tool is told.
func (c clause) isCompany() bool {
	for i, w := range c.words[:max(len(c.words)-1, 0)] {
		if withs[w.Word] && whom[c.words[i+1].Word] {
			return true
		}
	}
	return false
}

var (
	withs = sentences.WordsIn("with mit avec con")
	whom  = sentences.WordsIn("me us you him her them mir dir uns ihm ihr ihnen moi toi nous vous lui elle eux ella")
)

// isLimitAt reports whether a word leads to what is left out, or to a condition.
func isLimitAt(words []PlainWord, i int) bool {
	return !slices.Contains([]string{"in", "at", "um", "no", "des", "si"}, words[i].Word) && isLimit(words[i:])
}

// takeMessage gives the text that a request hands on to the only parameter that needs one; false where there is
// none, or more than one.
func (m *meant) takeMessage() bool {
	open := m.openTexts()
	if m.message == "" {
		return true
	}
	if len(open) != 1 {
		return false
	}
	m.params[open[0].Name] = m.message
	return true
}

// openTexts are the parameters that need a text of any kind.
func (m *meant) openTexts() []Slot {
	var open []Slot
	for _, p := range m.slots {
		if _, given := m.params[p.Name]; p.Required && !given && p.Type == domain.TypeString && !p.closed && !isWhen(p.kind) && p.format == "" {
			open = append(open, p)
		}
	}
	return open
}

// takeName gives what is left as a name to the only parameter that needs a text: who says it is asked.
func (m *meant) takeName() {
	open := m.openTexts()
	if len(open) != 1 || len(m.left) == 0 || m.timed != "" {
		return
	}
	from, to := -1, -1
	for i, w := range m.words {
		if !slices.Contains(m.left, w.Word) || m.used[i] {
			continue
		}
		if from >= 0 && i > to+1 {
			return
		}
		if from < 0 {
			from = i
		}
		to = i
	}
	if from < 0 || slices.ContainsFunc(m.words[from:to+1], func(w PlainWord) bool { return Limits[w.Word] }) {
		return
	}
	value := strings.Trim(m.text[m.words[from].Start:m.words[to].End], sentences.Closing+`"'“”«»„()`)
	m.params[open[0].Name] = value
}

package builtinmodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/deed"
)

// byDeed hears a request, in any language that is read, as calls of tools that change something: by the words
// that name the deed of one, and by those that name what it is done to. It is asked where no sentence of
// Chalie's own tells what is meant.
func (l listener) byDeed(text string) []intent {
	l.known.read(l.p.Tools)
	if len(text) > maxSaidBytes || len(l.known.tools) == 0 || l.isGivenUp() {
		return nil
	}
	var near []*candidate
	all := plainWordsOf(text)
	for i := range l.known.tools {
		c := &l.known.tools[i]
		if c.offered.SideEffects && slices.ContainsFunc(all, c.carries) {
			near = append(near, c)
		}
	}
	if len(near) == 0 {
		return nil
	}
	var out []intent
	text, message := messageIn(text)
	for _, part := range requestsIn(text, func(w plainWord) bool {
		return slices.ContainsFunc(near, func(c *candidate) bool { return c.takes(w) || c.carries(w) })
	}) {
		part.message = message
		one := l.deedIn(part, near)
		if one == nil {
			return nil // a part that nobody understands may change what the others mean
		}
		out = append(out, one...)
	}
	return out
}

// namesTool reports whether a text has a word of a tool that changes something.
func (l listener) namesTool(text string) bool {
	l.known.read(l.p.Tools)
	words := plainWordsOf(text)
	return slices.ContainsFunc(l.known.tools, func(c candidate) bool { return c.offered.SideEffects && slices.ContainsFunc(words, c.carries) })
}

// messageIn is a request without the text that it hands on, behind a colon or in quotation marks, and that text.
func messageIn(text string) (request, message string) {
	if before, behind, ok := strings.Cut(text, ": "); ok && !isLeading(plainWordsOf(before), true) && deed.Asks(before) {
		return before, strings.TrimSpace(behind)
	}
	if q := quotedParts(text); len(q) == 1 && q[0][0] > 0 {
		return text[:q[0][0]] + text[q[0][1]:], strings.TrimFunc(text[q[0][0]:q[0][1]], func(r rune) bool { return isQuote(r) || r == ' ' })
	}
	return text, ""
}

// carries reports whether a word is one of a tool's own, or means the same.
func (c *candidate) carries(w plainWord) bool {
	return !small()[w.word] && (isOneOf(c.plain, w.word) || c.isHead(w.word) || wordParts(w.word, func(part string) bool { return isOneOf(c.plain, part) || meaningsOf(part) != nil }) != nil)
}

// isHead reports whether a word ends with one of the tool's, as in German a word ends with the thing that it is:
// Dachfenster.
func (c *candidate) isHead(w string) bool {
	const least = 5
	for i := 3; i+least <= len(w); i++ {
		if isOneOf(c.plain, w[i:]) {
			return true
		}
	}
	return false
}

// takes reports whether a word is one of the values that a tool lists.
func (c *candidate) takes(w plainWord) bool {
	return slices.ContainsFunc(c.slots, func(p slot) bool {
		return p.closed && slices.ContainsFunc(p.choices, func(v string) bool { return isOneOf(tellingOf(v), w.word) })
	})
}

// isOneOf reports whether a word is one of others, or means the same as one.
func isOneOf(words []string, w string) bool {
	return slices.ContainsFunc(words, func(other string) bool { return areSame(w, other) })
}

// plainTerms are the words by which a tool can be meant in any language.
func plainTerms(c *candidate) []string {
	text := append(nameWords(c.offered.Name), c.offered.Description)
	for _, p := range c.slots {
		text = append(text, p.choices...)
	}
	all := tellingOf(strings.Join(text, " "))
	return all[:min(len(all), 2*maxTermWords)]
}

// meant is a tool that a clause may mean, with what it would be called with.
type meant struct {
	*candidate
	clause
	params  map[string]any
	several []any  // of the values of one parameter, where more than one was said
	of      string // that parameter
	used    []bool // of the clause's words
	named   int    // words for what it is done to
	left    []string
	missing []slot
	timed   string // what says when
	counted bool   // a number was said
}

// deedIn are the calls that a clause asks for, or a question; nil for none.
func (l listener) deedIn(part clause, near []*candidate) []intent {
	var all []meant
	for _, c := range near {
		if m, ok := l.means(part, c); ok {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b meant) int { return b.worth() - a.worth() })
	best := all[0]
	if len(all) > 1 && all[1].worth() == best.worth() {
		return l.eitherMeant(all)
	}
	return best.asked()
}

// worth is by how much a tool is meant: what it has no use for weighs most.
func (m meant) worth() int { return m.named - 4*len(m.left) - len(m.missing) }

// means reads a clause as a call of a tool; false where it doesn't name its deed, or nothing of what it is
// done to.
func (l listener) means(part clause, c *candidate) (meant, bool) {
	m := meant{candidate: c, clause: part, params: map[string]any{}, used: make([]bool, len(part.words))}
	m.takeValues()
	if !m.decide() {
		return m, false
	}
	words := m.deed().In(part.text)
	if len(words.Named) == 0 || len(words.Against) > 0 || part.isCompany() {
		return m, false
	}
	for i, w := range part.words {
		m.used[i] = m.used[i] || slices.ContainsFunc(words.Named, func(s deed.Span) bool { return w.at >= s.From && w.at < s.To })
	}
	m.takeNumbers()
	m.takeThings()
	m.timed = l.saysWhen(m.unused())
	m.findLeft()
	if !m.takeMessage() {
		return m, false
	}
	m.takeName()
	for _, p := range c.slots {
		if _, given := m.params[p.Name]; p.Required && !given && p.Name != m.of {
			m.missing = append(m.missing, p)
		}
	}
	return m, m.named > 0 && len(m.left) <= maxLeft && (len(m.left) == 0 || len(m.missing) == 0) && !(m.timed != "" && slices.ContainsFunc(c.slots, func(p slot) bool { return isWhen(p.kind) }))
}

// deed is what the call would do.
func (m *meant) deed() deed.Deed { return m.deedWith(m.params) }

func (m *meant) deedWith(params map[string]any) deed.Deed {
	raw, err := json.Marshal(params)
	if err != nil {
		raw = nil
	}
	return deed.Of(m.offered.Name, m.offered.Description, m.offered.Parameters, raw)
}

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

// saysValue are the places of a value's words in the clause: all of those by which it differs from the
// others.
func (m *meant) saysValue(value string, all []string) []int {
	words := tellingOf(value)
	if len(words) == 0 {
		words = []string{strings.ToLower(value)}
	}
	if len(words) == 1 {
		if parts := wordParts(words[0], func(w string) bool { return meaningsOf(w) != nil }); parts != nil && m.at(words[0]) == nil {
			words = parts // Flurlicht: the light in the hall
		}
	}
	var out []int
	for _, w := range words {
		at := m.at(w)
		shared := !slices.ContainsFunc(all, func(v string) bool { return v != value && !isOneOf(valueWords(v), w) })
		if len(at) == 0 && (!shared || len(words) == 1) {
			return nil
		}
		out = append(out, at...)
	}
	return out
}

// valueWords are the words of a value, and those that it is made of.
func valueWords(value string) []string {
	out := tellingOf(value)
	for _, w := range out {
		out = append(out, wordParts(w, func(w string) bool { return meaningsOf(w) != nil })...)
	}
	return out
}

// at are the places of a word in the clause, by itself or as a part of another.
func (m *meant) at(word string) []int {
	var out []int
	for i, w := range m.words {
		if areSame(w.word, word) {
			out = append(out, i)
			continue
		}
		if len(w.word) > 6 && slices.ContainsFunc(wordParts(w.word, func(part string) bool { return part == word || meaningsOf(part) != nil || isOneOf(m.plain, part) }), func(part string) bool { return areSame(part, word) }) {
			out = append(out, i)
		}
	}
	return out
}

// decide chooses, of parameters by which a tool does one deed or its contrary, the value whose deed is
// named; false where the contrary was said.
func (m *meant) decide() bool {
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
		if len(named) == 1 && len(choices) > 1 {
			m.params[p.Name] = named[0]
		}
	}
	return true
}

// takeNumbers takes the number of the clause for the only parameter for one; several name several things of
// which one is called for each.
func (m *meant) takeNumbers() {
	var slots []slot
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
		if !isNumber(w.word) || m.used[i] || i > 0 && (m.words[i-1].word == "by" || m.words[i-1].word == "um") {
			continue // by so much isn't to so much
		}
		value, ok := numberOf(w.word, p.Type)
		if !ok {
			return
		}
		values, m.used[i] = append(values, value), true
		if next := i + 1; next < len(m.words) && (measures[m.words[next].word] || isOneOf(tellingOf(p.Name+" "+p.Description), m.words[next].word)) {
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

// measures are units that stand behind a number and tell nothing else.
var measures = wordsIn(`degree degrees grad degre degres grado grados percent prozent pourcent celsius c gram grams gramm grammes gramme gramos gramo g kg kilo kilos
	liter liters litre litres litros litro l ml minute minutes minuten minutos minuto min second seconds sekunden secondes segundos`)

// takeThings takes the words for what the tool is about.
func (m *meant) takeThings() {
	for i, w := range m.words {
		switch {
		case m.used[i] || small()[w.word]:
		case m.carries(w):
			m.used[i] = true
			m.named++
		case slices.ContainsFunc(m.slots, func(p slot) bool { return isOneOf(tellingOf(p.Name+" "+p.Description), w.word) }):
			m.used[i] = true // which room: it says nothing of the tool
		}
	}
}

// unused is the clause without what is taken.
func (m *meant) unused() string {
	var out []string
	for i, w := range m.words {
		if !m.used[i] && !nows[w.word] {
			out = append(out, w.word)
		}
	}
	return strings.Join(out, " ")
}

// nows are words for at once, and for once more.
var nows = wordsIn("now right away again jetzt gleich sofort wieder nochmal maintenant encore tout suite ahora ya mismo otra vez dann then puis alors entonces luego")

// saysWhen is what of some words says when; "" for nothing.
func (l listener) saysWhen(text string) string {
	if text == "" {
		return ""
	}
	if t, foreign := l.tongue(l.p.Asked.Text); foreign {
		if at := t.When(text); at.Said {
			return strings.TrimSpace(at.As + " " + strings.Join(at.Unread, " "))
		}
		return ""
	}
	if t := l.timing(text); t.said || t.wrong {
		return text
	}
	return ""
}

// findLeft finds the telling words that nothing was made of.
func (m *meant) findLeft() {
	when := tellingOf(m.timed)
	for i, w := range m.words {
		if m.used[i] || small()[w.word] || len(w.word) == 1 && !isNumber(w.word) || joins[w.word] || nows[w.word] || slices.Contains(when, w.word) || m.timed != "" && isNumber(w.word) {
			if !(i > 0 && excepting[w.word]) && (!limits[w.word] || m.timed != "" || m.used[i] || !isLimitAt(m.words, i)) {
				continue
			}
		}
		m.left = append(m.left, w.word)
	}
}

// isCompany reports whether a clause says with whom something is to be done, which no tool is told.
func (c clause) isCompany() bool {
	for i, w := range c.words[:max(len(c.words)-1, 0)] {
		if withs[w.word] && whom[c.words[i+1].word] {
			return true
		}
	}
	return false
}

var (
	withs = wordsIn("with mit avec con")
	whom  = wordsIn("me us you him her them mir dir uns ihm ihr ihnen moi toi nous vous lui elle eux ella")
)

// isLimitAt reports whether a word leads to what is left out, or to a condition.
func isLimitAt(words []plainWord, i int) bool {
	return !slices.Contains([]string{"in", "at", "um", "no", "des", "si", "des"}, words[i].word) && isLimit(words[i:])
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
func (m *meant) openTexts() []slot {
	var open []slot
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
		if !slices.Contains(m.left, w.word) || m.used[i] {
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
	if from < 0 || slices.ContainsFunc(m.words[from:to+1], func(w plainWord) bool { return limits[w.word] }) {
		return
	}
	value := strings.Trim(m.text[m.words[from].start:m.words[to].end], closing+`"'“”«»„()`)
	m.params[open[0].Name] = value
}

// asked are the calls, or the question for what they lack.
func (m meant) asked() []intent {
	in := intent{tool: m.offered.Name, params: m.params, whole: m.text, way: byTool}
	if m.of != "" && m.counted {
		return nil // to each of them so much, or to all together?
	}
	switch {
	case m.timed != "":
		in.ask = fmt.Sprintf("%s does it at once: I can't tell it %s. Say it without the time, or let me remind you then.", m.called(), mention(m.timed))
	case slices.ContainsFunc(m.left, func(w string) bool { return limits[w] || excepting[w] }):
		in.ask = fmt.Sprintf("I would use %s, but I don't know what %s means for it. Say it without that.", m.called(), mention(strings.Join(m.left, " ")))
	case len(m.missing) > 0:
		return []intent{m.lacking(in)}
	case len(m.left) > 0:
		f := &filling{c: m.candidate, params: m.params}
		in.ask, in.offer, in.label = fmt.Sprintf("Shall I use %s%s? Say yes.", m.called(), suited{candidate: m.candidate, filling: f}.withWords()), true, m.labelled("Use ")
	case m.of != "":
		var out []intent
		for _, v := range m.several {
			out = append(out, in.with(m.of, v))
		}
		return out
	}
	return []intent{in}
}

// lacking asks for what a call lacks: which of a few, with a button for each, or what else.
func (m meant) lacking(in intent) intent {
	in.missing, in.among = m.missing[0].Name, eachValue(in, m.missing)
	if in.among == nil || len(m.left) > 0 {
		f := &filling{c: m.candidate, params: m.params}
		in.ask = f.lacks(m.missing)
		return in
	}
	in.ask = forWhich + strings.Join(m.missing[0].choices, ", ") + "?"
	return in
}

// eachValue are the calls with each of the few values that the only missing parameter takes; nil for others.
func eachValue(in intent, missing []slot) []intent {
	const few = 6
	if p := missing[0]; len(missing) > 1 || !p.closed || p.list || p.Type != domain.TypeString || len(p.choices) > few || len(p.choices) < 2 {
		return nil
	}
	var out []intent
	for _, v := range missing[0].choices {
		one := in.with(missing[0].Name, v)
		one.ask, one.missing, one.label = "", "", cut(oneLine(v), maxNameBytes)
		out = append(out, one)
	}
	return out
}

// forWhich asks for one of the values that a tool lists.
const forWhich = "For which one: "

// eitherMeant asks which of several tools is meant that a clause fits alike.
func (l listener) eitherMeant(all []meant) []intent {
	var fits []suited
	for _, m := range all {
		if m.worth() == all[0].worth() {
			f := &filling{l: l, c: m.candidate, params: m.params}
			f.s, _ = read(m.text)
			fits = append(fits, suited{candidate: m.candidate, filling: f})
		}
	}
	in := l.tied(fits)
	in.way = byTool
	return []intent{in}
}

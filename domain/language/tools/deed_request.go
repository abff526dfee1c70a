package tools

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/deed"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
)

// ByDeed hears a request, in any language that is read, as calls of tools that change something: by the words
// that name the deed of one, and by those that name what it is done to. It is asked where no sentence of
// Chalie's own tells what is meant.
func (l Chooser) ByDeed(text string) []Intent {
	out, known := l.deeds[text]
	if !known {
		out = l.readDeeds(text)
		l.deeds[text] = out
	}
	return Cloned(out)
}

// readDeeds is what byDeed keeps.
func (l Chooser) readDeeds(text string) []Intent {
	l.Known.Read(l.P.Tools)
	if len(text) > sentences.MaxSaidBytes || len(l.Known.Tools) == 0 || l.IsGivenUp() {
		return nil
	}
	near := l.near(PlainWordsOf(text))
	if len(near) == 0 {
		return nil
	}
	var out []Intent
	text, message := messageIn(pleasing.ReplaceAllString(text, " "))
	language := ""
	if t, foreign := l.Tongue(text); foreign {
		language = languageOf[t.Name]
	}
	for _, part := range requestsIn(text, language, func(w PlainWord) bool {
		return slices.ContainsFunc(near, func(c *Candidate) bool { return c.takes(w) || c.carries(w) })
	}, func(w PlainWord) bool {
		return slices.ContainsFunc(near, func(c *Candidate) bool { return c.takes(w) })
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

// pleasing finds a please that reads as if somebody told something: s'il te plaît.
var pleasing = regexp.MustCompile(`(?i) s['’]il (?:te|vous) pla[iî]t\b`)

// languageOf are the languages of the lexicon of deeds by the names of tongues.
var languageOf = map[string]string{"German": "de", "French": "fr", "Spanish": "es"}

// maxNear bounds the tools that are looked at closely.
const maxNear = 24

// near are the tools that change something and have words of a text, those with the most of them.
func (l Chooser) near(words []PlainWord) []*Candidate {
	if len(words) > sentences.MaxSaidWords {
		return nil
	}
	type carrying struct {
		*Candidate
		words int
	}
	var all []carrying
	for i := range l.Known.Tools {
		c := carrying{Candidate: &l.Known.Tools[i]}
		for _, w := range words {
			if c.Offered.SideEffects && c.carries(w) {
				c.words++
			}
		}
		if c.words > 0 {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b carrying) int { return b.words - a.words })
	var out []*Candidate
	for _, c := range all[:min(len(all), maxNear)] {
		out = append(out, c.Candidate)
	}
	return out
}

// NamesTool reports whether a text has a word of a tool that changes something.
func (l Chooser) NamesTool(text string) bool {
	l.Known.Read(l.P.Tools)
	return len(l.near(PlainWordsOf(text))) > 0
}

// messageIn is a request without the text that it hands on, behind a colon or in quotation marks, and that text.
func messageIn(text string) (request, message string) {
	if before, behind, ok := strings.Cut(text, ": "); ok && !isLeading(PlainWordsOf(before)) && deed.Asks(before, "") {
		return before, strings.TrimSpace(behind)
	}
	if q := sentences.QuotedParts(text); len(q) == 1 && q[0][0] > 0 {
		return text[:q[0][0]] + text[q[0][1]:], strings.TrimFunc(text[q[0][0]:q[0][1]], func(r rune) bool { return sentences.IsQuote(r) || r == ' ' })
	}
	return text, ""
}

// carries reports whether a word is one of a tool's own, or means the same.
func (c *Candidate) carries(w PlainWord) bool {
	if Small()[w.Word] {
		return false
	}
	if w.keys.isIn(c.plain) {
		return true
	}
	const least = 7 // letters, of a word that may be made of two
	return len(w.Word) >= least && (slices.ContainsFunc(heads(w.Word), func(k keys) bool { return k.isIn(c.plain) }) ||
		slices.ContainsFunc(wordParts(w.Word, func(k keys) bool { return k.isThing() || k.isIn(c.plain) }), func(part string) bool { return keysOf(part).isIn(c.plain) }))
}

// takes reports whether a word is one of the values that a tool lists.
func (c *Candidate) takes(w PlainWord) bool { return w.keys.isIn(c.listed) }

// IsOneOf reports whether a word is one of others, or means the same as one.
func IsOneOf(words []string, w string) bool {
	return slices.ContainsFunc(words, func(other string) bool { return areSame(w, other) })
}

// readPlain keeps the words by which a tool can be meant in any language, and those of the values that it lists.
func (c *Candidate) readPlain() {
	text := append(NameWords(c.Offered.Name), c.Offered.Description)
	var values []string
	for _, p := range c.slots {
		text = append(text, p.choices...)
		if p.closed {
			values = append(values, p.choices...)
		}
	}
	bounded := func(text []string) map[string]bool {
		all := TellingOf(strings.Join(text, " "))
		return keysIn(all[:min(len(all), 2*maxTermWords)])
	}
	c.plain, c.listed = bounded(text), bounded(values)
}

// meant is a tool that a clause may mean, with what it would be called with.
type meant struct {
	*Candidate
	clause
	params  map[string]any
	several []any  // of the values of one parameter, where more than one was said
	of      string // that parameter
	used    []bool // of the clause's words
	named   int    // words for what it is done to
	left    []string
	missing []Slot
	timed   string // what says when
	counted bool   // a number was said
}

// deedIn are the calls that a clause asks for, or a question; nil for none.
func (l Chooser) deedIn(part clause, near []*Candidate) []Intent {
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
func (l Chooser) means(part clause, c *Candidate) (meant, bool) {
	m := meant{Candidate: c, clause: part, params: map[string]any{}, used: make([]bool, len(part.words))}
	m.takeValues()
	m.decide()
	m.takeBoth()
	words := m.deed().In(part.text)
	if len(words.Named) == 0 || len(words.Against) > 0 || part.isCompany() {
		return m, false
	}
	for i, w := range part.words {
		m.used[i] = m.used[i] || slices.ContainsFunc(words.Named, func(s deed.Span) bool { return w.At >= s.From && w.At < s.To })
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
	return m, m.named > 0 && len(m.left) <= maxLeft && (len(m.left) == 0 || len(m.missing) == 0) && !(m.timed != "" && slices.ContainsFunc(c.slots, func(p Slot) bool { return isWhen(p.kind) }))
}

// deed is what the call would do.
func (m *meant) deed() deed.Deed {
	raw, err := json.Marshal(m.params)
	if err != nil {
		raw = nil
	}
	return deed.Of(m.Offered.Name, m.Offered.Description, m.Offered.Parameters, raw)
}

// asked are the calls, or the question for what they lack.
func (m meant) asked() []Intent {
	in := Intent{Tool: m.Offered.Name, Params: m.params, Whole: m.text, Way: ByTool}
	if m.of != "" && m.counted {
		return nil // to each of them so much, or to all together?
	}
	switch {
	case m.timed != "":
		in.Ask = say("tool.not_so", args{"tool": m.called(), "why": speech.Kind("at_once"), "said": sentences.Named(m.asSaid(strings.Fields(m.timed)))})
	case m.of != "" && len(m.left) > 0, slices.ContainsFunc(m.left, func(w string) bool { return Limits[w] || excepting[w] }):
		in.Ask = say("tool.not_so", args{"tool": m.called(), "why": speech.Kind("unclear"), "said": sentences.Named(m.asSaid(m.left))})
	case len(m.missing) > 0:
		return []Intent{m.lacking(in)}
	case len(m.left) > 0:
		f := &Filling{c: m.Candidate, Params: m.params}
		in.Ask, in.Offer, in.Label = f.mayUse(), true, m.labelled("use")
	case m.of != "":
		var out []Intent
		for _, v := range m.several {
			out = append(out, in.With(m.of, v))
		}
		return out
	}
	return []Intent{in}
}

// lacking asks for what a call lacks: which of a few, with a button for each, or what else.
func (m meant) lacking(in Intent) Intent {
	in.Missing, in.Among = m.missing[0].Name, eachValue(in, m.missing)
	if in.Among == nil {
		f := &Filling{c: m.Candidate, Params: m.params}
		in.Ask = f.lacks(m.missing)
		return in
	}
	in.Ask = say("tool.which_value", args{"values": m.theirsAll(m.missing[0].choices)})
	return in
}

// eachValue are the calls with each of the few values that the only missing parameter takes; nil for others.
func eachValue(in Intent, missing []Slot) []Intent {
	const few = 6
	if p := missing[0]; len(missing) > 1 || !p.closed || p.list || p.Type != domain.TypeString || len(p.choices) > few || len(p.choices) < 2 {
		return nil
	}
	var out []Intent
	for _, v := range missing[0].choices {
		one := in.With(missing[0].Name, v)
		one.Ask, one.Missing, one.Label = speech.Message{}, "", say("label.does", args{"what": speech.Text{Words: sentences.Cut(sentences.OneLine(v), sentences.MaxNameBytes), Theirs: in.Tool}})
		out = append(out, one)
	}
	return out
}

// eitherMeant asks which of several tools is meant that a clause fits alike.
func (l Chooser) eitherMeant(all []meant) []Intent {
	var fits []Suited
	for _, m := range all {
		if m.worth() == all[0].worth() {
			f := &Filling{l: l, c: m.Candidate, Params: m.params}
			f.S, _ = sentences.Read(m.text)
			fits = append(fits, Suited{Candidate: m.Candidate, Filling: f})
		}
	}
	in := l.tied(fits)
	in.Way = ByTool
	return []Intent{in}
}

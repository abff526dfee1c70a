package builtinmodel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chalie/commands/reasoning"
	"chalie/domain"
)

// candidate is a tool, with what it says of itself.
type candidate struct {
	offered reasoning.Offered
	terms   terms
	whose   []string // the words of its interface's name
	common  bool     // which says what its tools are about, too
	name    []string // the stems of its own
	things  []string // what its name is about, as words are compared
	aliases []string // other names of that
	verb    string   // the verb in its name
	about   string   // the first word of its description, which is a verb of most
	deeds   deeds    // what that does
	own     string   // a verb that only it and its like have: merge, lock
	looks   bool     // it changes nothing, by its word or as far as its words tell
	slots   []slot
}

// suited is a tool that a request may mean, with what it would be called with.
type suited struct {
	*candidate
	*filling
	score int
	named bool // the request has what the tool's name is about
	whole bool // all of it, or whose tool it is
}

// mood is what a request is, by its form.
type mood int

const (
	order mood = iota
	questioning
	naming // only what it is about: "price of gold"
)

// tool hears a request that plainly means a tool of an interface.
func (l listener) tool(s said) (intent, bool) {
	s, m, ok := toolRequest(s)
	if !ok {
		return intent{}, false
	}
	all := l.fitting(s, m)
	if len(all) == 0 {
		return intent{}, false
	}
	best := all[0]
	if other, ok := best.names(all[1:], heardIn(s)); ok && m == questioning {
		return l.tied([]suited{best, other}), true
	}
	if rivals := slices.DeleteFunc(all[1:], func(f suited) bool { return best.score-f.score >= clearly || best.exact }); len(rivals) > 0 {
		return l.tied(append([]suited{best}, rivals...)), true
	}
	in, ok := best.asked(m)
	in.late = !best.named || !best.isForeign(s)
	return in, ok
}

// names finds another tool that what is left would be the whole name of: it isn't only a value.
func (f suited) names(others []suited, h heard) (suited, bool) {
	value, _ := f.params[f.free].(string)
	for _, o := range others {
		if len(o.things) > 0 && o.isNamedWholly(h) && slices.ContainsFunc(o.things, func(t string) bool {
			return slices.ContainsFunc(textWords(value), func(w string) bool { return termOf(w) == t })
		}) {
			return o, true
		}
	}
	return suited{}, false
}

// clearly is by how much the best tool has to be ahead of the second.
const clearly = 10

// claimed hears a request that names what only a tool has, and says all that it needs: no skill
// of Chalie's is thought of then.
func (l listener) claimed(s said) (intent, bool) {
	s, m, ok := toolRequest(s)
	if !ok || !slices.ContainsFunc(l.p.Tools, func(o reasoning.Offered) bool { return o.Interface != ownInterface }) {
		return intent{}, false
	}
	all := l.fitting(s, m)
	if len(all) == 0 || len(all) > 1 && all[0].score-all[1].score < clearly {
		return intent{}, false
	}
	best := all[0]
	if _, other := best.names(all[1:], heardIn(s)); other && m == questioning {
		return intent{}, false
	}
	if own, _ := best.ownWords(s); own == 1 && !best.exact && !best.isWhose(s) && !best.isOnlyTheirs(s) {
		return intent{}, false
	}
	if !best.whole || len(best.left()) > 0 || !best.isForeign(s) {
		return intent{}, false
	}
	in, ok := best.asked(m)
	in.way = byTool
	return in, ok && (in.ask == "" || in.offer || len(best.things) > 1)
}

// ours are words for what Chalie itself keeps.
var ours = wordsIn(`remind reminder reminders alarm alarms timer task tasks todo todos to-do to-dos note notes remember forget calendar calender calendars appointment appointments event events meeting meetings list lists plan plans agenda diary schedule schedules scheduled birthday wake snooze free busy available`)

// ownWords counts the words for what Chalie keeps in a request, and those of them that the tool
// carries.
func (f suited) ownWords(s said) (all, carried int) {
	for i, w := range s.words {
		if w.quoted || !ours[w.lower] || i == 0 && w.lower == "list" || i > 0 && f.terms[termOf(s.words[i-1].lower+w.lower)] >= inName {
			continue
		}
		all++
		if f.terms[termOf(w.lower)] >= inDescription {
			carried++
		}
	}
	return all, carried
}

// isForeign reports whether a request isn't one for what Chalie keeps: it has no word for that,
// or says whose tool is meant, or looks at what the tool is for, and at nobody's own.
func (f suited) isForeign(s said) bool {
	if f.exact || f.isWhose(s) || f.isOnlyTheirs(s) {
		return true
	}
	all, carried := f.ownWords(s)
	return all == 0 || f.looks && all == carried && !hasAny(s, "i", "my", "mine", "our", "we")
}

// isOnlyTheirs reports whether a request says all that the tool is about, and Chalie has nothing of
// that kind in mind, or a value has digits among its letters, by which Chalie names nothing.
func (f suited) isOnlyTheirs(s said) bool {
	if !f.whole {
		return false
	}
	for _, value := range f.params {
		if text, ok := value.(string); ok && coded.FindString(text) == "" && strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, unicode.IsLetter) && !strings.Contains(text, " ") && strings.ContainsAny(text, "_-#") {
			return true
		}
	}
	for _, w := range s.words {
		if !ours[w.lower] {
			continue
		}
		kind, plan := map[noun]domain.ItemKind{anEvent: domain.ItemAppointment, aReminder: domain.ItemReminder, anAlarm: domain.ItemReminder, aTask: domain.ItemTask}[nouns[w.lower]]
		if !plan || slices.ContainsFunc(f.l.p.World, func(in reasoning.ContextItem) bool { return in.Kind == kind }) {
			return false
		}
	}
	return true
}

// isWhose reports whether a request names the interface. A name that its tools have as a word for
// what they are about is one only where it is written as a name.
func (c *candidate) isWhose(s said) bool {
	if len(c.whose) == 0 {
		return false
	}
	for i := range s.words {
		if !s.words[i].quoted && s.from(i).begins(c.whose...) && (!c.common || i > 0 && isNameLike(s, i)) {
			return true
		}
	}
	return false
}

// toolRequest is a sentence as a request for a tool; false when it can be none.
func toolRequest(s said) (said, mood, bool) {
	for _, wish := range []string{"i want to", "i would like to", "i wanna", "let me", "let us"} {
		if words := strings.Fields(wish); len(words) < len(s.words) && s.begins(words...) && verbs[s.words[len(words)].lower]&toLook != 0 {
			s = s.from(len(words))
			break
		}
	}
	if len(s.words) == 0 || hasAny(s.head(), "not", "never", "without", "cannot", "why", "unless", "should") || s.is(0, "i", "he", "she", "they", "we", "that", "this", "it") {
		return s, 0, false
	}
	if !s.question && (s.is(1, "i", "he", "she", "they", "we") || s.is(2, "i", "he", "she", "they", "we")) && verbs[s.words[0].lower] == 0 && !s.is(0, "what", "which", "how", "when", "where", "who", "do", "did", "have", "am", "can") {
		return s, 0, false // it tells something
	}
	first := s.words[0].lower
	_, isVerb := verbs[first]
	asks := s.is(0, "what", "how", "when", "where", "which", "who", "any", "is", "are", "do", "does", "did", "has", "have", "was", "were", "whose")
	for i := 1; i < min(len(s.words), 5) && !s.question && !asks; i++ {
		if s.is(i, "is", "are", "has", "have", "will", "would", "should", "could", "can", "may", "might", "must", "was", "were", "did") && !s.is(i-1, "what", "which", "that", "who", "there", "where", "how", "when") {
			return s, 0, false // it tells something
		}
	}
	switch {
	case (s.question || asks) && !s.isOrderAtFirst():
		return s, questioning, true
	case isVerb, !isFiller(first) && !s.words[0].quoted:
		return s, order, true
	}
	return s, naming, true
}

// head is a sentence without what it passes on: what is quoted, or stands behind a colon or "saying".
func (s said) head() said {
	for i, w := range s.words {
		if w.quoted || s.is(i, "saying", "says") || i > 1 && s.is(i, "body", "subject", "text", "message") {
			return s.upTo(i)
		}
		if w.colon {
			return s.upTo(i + 1)
		}
	}
	return s
}

// isOrderAtFirst reports whether a sentence with a question mark is an order all the same.
func (s said) isOrderAtFirst() bool {
	return s.is(0, "show", "get", "list", "find", "search", "give", "check", "compare", "fetch") && len(s.words) > 1
}

// fitting are the tools that a request may mean, best first.
func (l listener) fitting(s said, m mood) []suited {
	l.known.read(l.p.Tools)
	heard := heardIn(s)
	var out []suited
	byVerb := true
	whose := false
	for i := range l.known.tools {
		c := &l.known.tools[i]
		if heard.isExactly(s, c.offered.Name) || c.isWhose(s) {
			whose = true
		}
	}
	for i := range l.known.tools {
		c := &l.known.tools[i]
		exact := heard.isExactly(s, c.offered.Name)
		if whose && !exact && !c.isWhose(s) {
			continue
		}
		f, ok := l.weigh(c, s, m, heard, exact)
		if !ok {
			continue
		}
		if f.named && byVerb {
			byVerb = false
		}
		out = append(out, f)
	}
	if !byVerb { // what is named goes before what only has the verb
		out = slices.DeleteFunc(out, func(f suited) bool { return !f.named && len(f.left()) > 0 && !f.exact })
	}
	slices.SortStableFunc(out, func(a, b suited) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.offered.Name, b.offered.Name))
	})
	return out
}

// heard are a sentence's words as they are compared, each once.
type heard struct {
	terms []string
	stems []string // as they are
	first string   // the first of them
	deeds deeds    // what the verb at its beginning does
}

func heardIn(s said) heard {
	var out heard
	add := func(t string) {
		if t != "" && !slices.Contains(out.terms, t) {
			out.terms = append(out.terms, t)
		}
	}
	for i, w := range s.words {
		if w.quoted {
			continue
		}
		for _, part := range nameWords(w.lower) {
			add(termOf(part))
			out.stems = append(out.stems, stem(part))
		}
		if i+1 < len(s.words) {
			next := s.words[i+1].lower
			add(compounds[[2]string{w.lower, next}])
			if len(w.lower) > 2 && len(next) > 2 {
				add(termOf(w.lower + next))
			}
		}
	}
	if w := s.words[0]; !w.quoted {
		out.first, out.deeds = termOf(w.lower), verbs[w.lower]
	}
	return out
}

// isExactly reports whether a request has a tool's very name.
func (h heard) isExactly(s said, name string) bool {
	for i, w := range s.words {
		if !w.quoted && strings.EqualFold(w.lower, name) && (strings.ContainsAny(w.lower, "._-/") || s.is(i-1, "call", "use", "run", "tool")) {
			return true
		}
	}
	return false
}

// What counts for and against a tool, beside the words that it carries.
const (
	exactName   = 1 << 20
	sameVerb    = 12
	literally   = 11 // and not by a word that means the same
	likeVerb    = 4
	ofInterface = 40
	unsaidThing = -24
	notUsed     = -20
	notGiven    = -14
	onlyNamed   = -15
)

// weigh is how well a tool fits a request; false when it doesn't.
func (l listener) weigh(c *candidate, s said, m mood, h heard, exact bool) (suited, bool) {
	f := suited{candidate: c}
	if !exact && !c.does(s, m, h) {
		return f, false
	}
	telling, unique := 0, false
	for _, t := range h.terms {
		worth := c.terms[t]
		f.score += worth * rarity(l.known.held[t], len(l.known.tools))
		if worth > asGeneric && !slices.Contains(c.whose, t) {
			telling++
			unique = unique || worth >= inDescription && l.known.held[t] == 1
		}
	}
	said := 0
	for _, t := range c.things {
		if slices.Contains(h.terms, t) {
			said++
		}
	}
	for _, w := range h.stems {
		if slices.Contains(c.name, w) && !isGeneric(w) && !isFiller(w) {
			f.score += literally
		}
	}
	if slices.ContainsFunc(c.aliases, func(a string) bool { return slices.Contains(h.terms, a) }) {
		said = max(said, len(c.things))
	}
	whose := c.isWhose(s)
	verbOnly := len(c.things) == 0 && len(c.name) > 1 && !slices.ContainsFunc(c.name, func(w string) bool { return !slices.Contains(h.stems, w) })
	exactly, ownSaid := exact || verbOnly, c.own != "" && slices.Contains(h.terms, c.own)
	f.named = exactly || said > 0 && 2*said >= len(c.things) || whose && telling > 0
	f.whole = exactly || said > 0 && said == len(c.things) || whose && f.named
	if !exact && telling == 0 && !whose && !verbOnly && !c.isOnlyVerb(h) && !ownSaid && !c.isShaped(s) {
		return f, false
	}
	f.filling = l.fill(s, c, f.named)
	f.exact = exact
	if !whose && f.isOurs(s) {
		return f, false
	}
	if f.timed && f.moment == "" && !f.looks && !f.whole {
		return f, false // it would be done at once
	}
	found := f.named || telling > 1 || f.shaped || (unique || ownSaid) && len(f.left()) == 0 && len(f.missing()) == 0
	says := m == order && h.deeds != 0 && s.words[0].lower == c.about && telling > 0
	found = found || says && len(f.left()) == 0 && len(f.missing()) == 0
	switch {
	case !found && (!c.isOnlyVerb(h) || len(f.left()) > 0):
		return f, false
	case !f.named && !f.shaped && f.free != "" && m != questioning && !c.isOnlyVerb(h) && !ownSaid && !says && (h.first != c.verb || isGeneric(c.verb)):
		return f, false // it took what was said for a value, and nothing else says that it is meant
	}
	f.named, f.whole = f.named || f.shaped, f.whole || f.shaped
	f.score += unsaidThing*(len(c.things)-said) + notUsed*len(f.left()) + notGiven*len(f.missing()) + f.worth
	switch {
	case c.verb != "" && m == order && !s.words[0].quoted && s.words[0].lower == c.verb:
		f.score += sameVerb
	case m == order && h.deeds&c.deeds != 0:
		f.score += likeVerb
	}
	if m == naming && !c.looks {
		f.score += onlyNamed
	}
	if exact {
		f.score += exactName
	}
	if whose {
		f.score += ofInterface
	}
	return f, true
}

// isOurs reports whether a request speaks of what Chalie keeps, and the tool doesn't.
func (f suited) isOurs(s said) bool {
	value, _ := f.params[f.free].(string)
	for i, w := range s.words {
		if i > 0 && !w.quoted && ours[w.lower] && f.terms[termOf(w.lower)] == 0 && (!f.used[i] || !f.named && strings.Contains(value, w.lower)) {
			return true
		}
	}
	return false
}

// isShaped reports whether a request has an id that looks like those of the tool.
func (c *candidate) isShaped(s said) bool {
	return slices.ContainsFunc(c.slots, func(p slot) bool {
		return p.shape != "" && slices.ContainsFunc(s.words, func(w word) bool { return shapeOf(w.lower) == p.shape })
	})
}

// isOnlyVerb reports whether a request to look for something is what a tool does that looks for
// anything.
func (c *candidate) isOnlyVerb(h heard) bool {
	return slices.Contains([]string{"search", "find", "lookup"}, c.verb) && (slices.Contains([]string{"search", "find"}, h.first) || h.first == "look" && slices.Contains(h.stems, "for"))
}

// does reports whether a tool does what a request wants done: something is changed only where it
// is told to.
func (c *candidate) does(s said, m mood, h heard) bool {
	if hasAny(s.head(), "if") && !hasWordIn(c.offered.Description, "when", "if", "alert", "notify") {
		return false
	}
	if hasAny(s.head(), "you", "your") && !(s.is(0, "do", "what", "which") && c.looks) {
		return false
	}
	for _, way := range []string{"on", "off"} {
		if other := map[string]string{"on": "off", "off": "on"}[way]; slices.Contains(c.name, way) && slices.Contains(h.stems, other) && !slices.Contains(c.name, other) {
			return false
		}
	}
	switch m {
	case questioning:
		return c.looks
	case naming:
		return true
	}
	ownSaid := c.own == "" || slices.Contains(h.terms, c.own)
	compound := len(s.words) > 1 && (c.terms[compounds[[2]string{s.words[0].lower, s.words[1].lower}]] >= inName || c.terms[s.words[0].lower+s.words[1].lower] >= inName)
	switch worth := c.terms[h.first]; {
	case compound:
		return true
	case c.own != "" && h.first == c.own:
		return true
	case worth > asGeneric && h.deeds == 0:
		return ownSaid
	case h.first == termOf(c.verb) && c.verb != "":
		return true
	case h.deeds != 0:
		if h.deeds&c.deeds != 0 {
			return ownSaid
		}
		if c.hasChoice(s.words[0].lower) {
			return true
		}
		return c.deeds == 0 && c.own == "" && !c.looks && (worth > asGeneric || c.isNamedWholly(h)) || c.deeds&toStart != 0 && c.choiceIn(h) || worth >= inName && c.deeds == 0 || worth > asGeneric && !isOnlyVerbOf(h.deeds) && len(s.words) > 1 && c.terms[termOf(s.words[1].lower)] > 0
	case s.is(0, "tell", "ask", "use", "call", "let", "give", "go", "do"):
		return ownSaid
	}
	// It begins with what it is about: "NVDA quote".
	return c.looks && (isNameLike(s, 0) || strings.ContainsAny(h.first, "-_0123456789")) && len(s.words) <= 4
}

// isOnlyVerbOf reports whether a verb can't be a thing, as an order or an email can.
func isOnlyVerbOf(a deeds) bool { return a&(toOrder|toSend) == 0 }

// hasChoice reports whether a word is a value that a parameter lists.
func (c *candidate) hasChoice(word string) bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return s.closed && s.Required && slices.Contains(s.choices, word) })
}

// choiceIn reports whether a request has a value that a parameter lists.
func (c *candidate) choiceIn(h heard) bool {
	return slices.ContainsFunc(h.terms, func(t string) bool { return c.hasChoice(t) })
}

// isNamedWholly reports whether a request has every telling word of the tool's name:
// "put the milk on the table" doesn't mean book_table.
func (c *candidate) isNamedWholly(h heard) bool {
	return !slices.ContainsFunc(c.things, func(t string) bool { return !slices.Contains(h.terms, t) })
}

func hasWordIn(text string, words ...string) bool {
	return slices.ContainsFunc(textWords(text), func(w string) bool { return slices.Contains(words, w) })
}

// asked is the call of the tool that a request means, or a question for what it lacks.
func (f suited) asked(m mood) (intent, bool) {
	out := intent{tool: f.offered.Name, params: f.params, subject: f.free, moment: f.moment, whole: f.s.all()}
	missing, left := f.missing(), f.left()
	switch {
	case len(missing) > 0 && !f.named && !f.exact:
		return intent{}, false
	case len(missing) > 0:
		out.missing, out.ask = missing[0].Name, f.lacks(missing)
	case f.timed && f.moment == "" && f.looks:
		out.ask = fmt.Sprintf("%s takes no time: I can't ask it about %s. Say it without that.", f.called(), mention(f.at))
	case f.timed && f.moment == "":
		out.ask = fmt.Sprintf("%s does it at once: I can't tell it %s. Say it without the time, or let me remind you then.", f.called(), mention(f.at))
	case len(left) > 0 && !f.looks && !f.exact && m != naming:
		out.ask = fmt.Sprintf("I would use %s, but I don't know what %s means for it. Say it without that.", f.called(), mention(strings.Join(left, " ")))
	case len(left) > maxLeft && !f.exact, len(left) > 0 && m == naming && !f.exact:
		return intent{}, false // it speaks of more than the tool is for
	case m == questioning && f.offered.SideEffects && f.offered.Asks != domain.AskNever && f.offered.Asks != domain.AskAlways && !f.exact:
		// It doesn't say that it only looks: the person decides, once, whether it may be asked.
		out.ask, out.offer, out.fromNowOn, out.label = mayAsk(f.offered), true, true, f.labelled("Ask ")
	case m == naming && !f.looks && !f.exact && !f.switched:
		out.ask, out.offer, out.label = fmt.Sprintf("Shall I use %s? Say yes.", f.called()), true, f.labelled("Use ")
	case len(left) > 0 && !f.exact:
		out.ask, out.offer, out.label = fmt.Sprintf("I don't know what %s means there. Shall I ask %s without it? Say yes.", mention(strings.Join(left, " ")), f.called()), true, f.labelled("Ask ")
	}
	return out, true
}

// maxLeft bounds the telling words of a request that a tool that looks has no use for.
const maxLeft = 2

// labelled is a button for a tool, by whose it is.
func (c *candidate) labelled(does string) string { return does + whose(c.offered) + "?" }

// whose is a tool by the name of its interface.
func whose(o reasoning.Offered) string {
	return cut(oneLine(cmp.Or(o.Interface, o.Name)), maxNameBytes)
}

// mayAsk asks once whether a tool may be asked questions that doesn't say that it only looks.
func mayAsk(o reasoning.Offered) string {
	return fmt.Sprintf("May I ask %s this from now on? Say yes.", whose(o))
}

// does says what a tool does, for a button.
func (c *candidate) doing() string {
	const most = 60
	about, _, _ := strings.Cut(oneLine(c.offered.Description), ". ")
	about = strings.TrimRight(about, ".")
	if about == "" {
		about = c.offered.Name
	}
	return cut(about, most)
}

// tied asks which of several tools is meant. Each that has all that it needs is offered by what
// it does.
func (l listener) tied(all []suited) intent {
	const few = 4
	all = all[:min(len(all), few)]
	out := intent{weak: true}
	var names []string
	for _, f := range all {
		names = append(names, f.called())
		if len(f.missing()) > 0 {
			continue
		}
		label := f.doing()
		if slices.ContainsFunc(out.among, func(in intent) bool { return in.label == label }) {
			label += " (" + cut(oneLine(f.offered.Interface), maxNameBytes) + ")"
		}
		out.among = append(out.among, intent{tool: f.offered.Name, params: f.params, whole: f.s.all(), label: label})
	}
	out.ask = fmt.Sprintf("More than one tool fits: %s. Which one? Say its name with what it needs.", strings.Join(names, ", "))
	return out
}

// bothTools are the two tools that do what a sentence says and no more: "cancel both", where one
// cancels appointments and one reservations.
func (l listener) bothTools(text string) (intent, bool) {
	s, ok := read(text)
	if !ok {
		return intent{}, false
	}
	s, _ = s.request()
	if len(s.words) < 2 {
		return intent{}, false
	}
	l.known.read(l.p.Tools)
	var both []suited
	for i := range l.known.tools {
		if c := &l.known.tools[i]; c.verb != "" && c.verb == s.words[0].lower {
			both = append(both, suited{candidate: c, filling: &filling{l: l, s: s, c: c, used: make([]bool, len(s.words)), params: map[string]any{}}})
		}
	}
	return l.tied(both), len(both) == 2
}

// picked are those of several tools that an answer takes: one by its place, its name or what it does,
// or all; nil for none.
func picked(all []intent, answer said) []intent {
	if _, ok := answer.any("*verb? both|all of? them?", "both|all of? them? please?", "the? two"); ok && (len(all) == 2 || len(all) > 2 && hasAny(answer, "all")) && len(answer.words) < 5 {
		return all
	}
	for n, place := range []phrase{"the? first|1 one? please?", "the? second|2 one? please?", "the? third|3 one? please?", "the? fourth|4 one? please?"} {
		if _, ok := answer.match(place); ok && n < len(all) {
			return all[n : n+1]
		}
	}
	at, found := -1, 0
	for i, in := range all {
		words := append(nameWords(in.tool), textWords(in.label)...)
		if !slices.ContainsFunc(answer.words, func(w word) bool {
			return !isFiller(w.lower) && !slices.Contains(words, w.lower) && !strings.EqualFold(w.lower, in.tool)
		}) {
			at, found = i, found+1
		}
	}
	if found != 1 {
		return nil
	}
	return all[at : at+1]
}

// called is a tool by its name and whose it is.
func (c *candidate) called() string {
	out := mention(cut(c.offered.Name, maxNameBytes))
	if whose := cut(oneLine(c.offered.Interface), maxNameBytes); whose != "" {
		out += " of " + whose
	}
	return out
}

package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/tongues"
)

// candidate is a tool, with what it says of itself.
type candidate struct {
	offered  language.Offered
	terms    terms
	whose    []string // the words of its interface's name
	common   bool     // which says what its tools are about, too
	name     []string // the stems of its own
	things   []string // what its name is about, as words are compared
	aliases  []string // other names of that
	verb     string   // the verb in its name
	about    string   // the first word of its description, which is a verb of most
	deeds    deeds    // what that does
	own      string   // a verb that only it and its like have: merge, lock
	acts     []string // the verbs by which it says what it does
	ofMany   bool     // its name is about several
	synonyms []string // others for that, which it names in brackets
	looks    bool     // it changes nothing, by its word or as far as its words tell
	slots    []slot
	values   []string        // the words that only its parameters list
	plain    map[string]bool // the keys of the words by which it can be meant in any language
	listed   map[string]bool // and of those of the values that it lists
}

// suited is a tool that a request may mean, with what it would be called with.
type suited struct {
	*candidate
	*filling
	score int
	named bool // the request has what the tool's name is about
	whole bool // all of it, or whose tool it is
	like  bool // the request's verb is another for what it does
	// unsure is set where nothing but the verb says that the tool is meant: to close a door is
	// not to close a job.
	unsure bool
	byVerb bool // it changes something, and nothing but its verb was said of it
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
	if rivals := slices.DeleteFunc(all[1:], best.surpasses); len(rivals) > 0 {
		in := l.tied(append([]suited{best}, rivals...))
		in.late = !best.isForeign(s)
		in.theirs = !in.late && best.named && m == questioning && len(in.among) == len(rivals)+1 && !slices.ContainsFunc(append([]suited{best}, rivals...), func(f suited) bool { return len(f.left()) > 0 })
		return in, true
	}
	in, ok := best.asked(m)
	own, _ := best.ownWords(s)
	// What Chalie keeps is meant where the tool has no more of the request than the word for it, and its
	// own skills are heard before a tool is guessed.
	ours := own > 0 && !best.saysWhose(s) && (!best.whole || len(best.left()) > 0)
	in.late = !best.named || best.unsure || ours || !best.isForeign(s)
	in.theirs = best.isForeign(s) && !best.unsure && len(best.missing()) == 0 && (len(best.left()) == 0 && !ours || len(best.left()) > 0 && best.whole && in.offer && !hasAny(s, "i", "my", "our", "we")) && !(best.timed && best.moment == "")
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

// surpasses reports whether a tool is meant rather than one that fits less: clearly so, or because it
// alone has a use for every word.
func (f suited) surpasses(other suited) bool {
	if !f.exact && (f.isTwin(other) || f.byVerb && other.byVerb && f.offered.Interface != other.offered.Interface && len(other.missing()) == 0 && len(other.untold()) == 0) {
		return false
	}
	return f.exact || f.score-other.score >= clearly || len(f.missing()) == 0 && len(f.untold()) == 0 && len(other.untold()) > 0 && f.score > other.score
}

// isTwin reports whether a tool of another interface does the same, and may be meant as well,
// however it describes itself: two calendars, two shops.
func (f suited) isTwin(other suited) bool {
	if f.offered.Interface == other.offered.Interface || !f.named || !other.named || f.looks != other.looks || len(other.left()) > len(f.left()) || len(f.missing()) == 0 && len(other.missing()) > 0 {
		return false
	}
	about := func(c *candidate) []string {
		out := slices.DeleteFunc(slices.Clone(c.things), func(t string) bool {
			return slices.ContainsFunc(c.acts, func(a string) bool { return termOf(a) == t })
		})
		slices.Sort(out)
		return out
	}
	mine := about(f.candidate)
	return len(mine) > 0 && slices.Equal(mine, about(other.candidate)) && (f.deeds&other.deeds != 0 || slices.ContainsFunc(f.acts, func(a string) bool { return slices.Contains(other.acts, a) }))
}

// beginsWith is the word that a request begins with as it was said, whatever a tool calls it.
func (s said) beginsWith() string {
	return strings.ToLower(s.text[s.words[0].start:s.words[0].end])
}

// clearly is by how much the best tool has to be ahead of the second.
const clearly = 10

// claimed hears a request that names what only a tool has, and says all that it needs: no skill
// of Chalie's is thought of then.
func (l listener) claimed(s said) (intent, bool) {
	s, m, ok := toolRequest(s)
	if !ok || !slices.ContainsFunc(l.p.Tools, func(o language.Offered) bool { return o.Interface != ownInterface }) {
		return intent{}, false
	}
	all := l.fitting(s, m)
	if len(all) == 0 || len(all) > 1 && !all[0].surpasses(all[1]) && !all[0].isTwin(all[1]) {
		return intent{}, false
	}
	best := all[0]
	if _, other := best.names(all[1:], heardIn(s)); other && m == questioning {
		return intent{}, false
	}
	if !best.whole || len(best.left()) > 0 && (!best.shaped || best.looks || m != order) {
		return intent{}, false
	}
	own, _ := best.ownWords(s)
	if !best.isForeign(s) || own == 1 && !best.saysWhose(s) {
		return l.eitherKeeps(s, m, best)
	}
	in, ok := best.asked(m)
	if len(all) > 1 && best.isTwin(all[1]) && !best.exact && ok {
		in = l.tied(append([]suited{best}, slices.DeleteFunc(all[1:], best.surpasses)...))
		in.way = byTool
		return in, true
	}
	in.way = byTool
	return in, ok && (in.ask == "" || in.offer || best.shaped || len(best.things) > 1)
}

// eitherKeeps asks whether a change is meant for what Chalie keeps, or for what the tool does, where
// both may have it and Chalie has none in mind.
func (l listener) eitherKeeps(s said, m mood, f suited) (intent, bool) {
	if m != order || f.looks || f.verb == "" || f.deeds&(toRemove|toSet) == 0 || f.deeds&toAdd != 0 || len(f.missing()) > 0 || f.hasUnread() || !f.named || f.timed && f.moment == "" {
		return intent{}, false
	}
	for _, value := range f.params {
		if which, ok := read(fmt.Sprint(value)); ok && l.isKnown(which) {
			return intent{}, false
		}
	}
	own := l
	own.p.Tools = slices.DeleteFunc(slices.Clone(l.p.Tools), func(o language.Offered) bool { return o.Interface != ownInterface })
	own.known, own.texts, own.deeds = &lexicon{}, map[string][]intent{}, map[string][]intent{}
	all := own.asked(s)
	if len(all) != 1 || all[0].ask != "" {
		return intent{}, false
	}
	mine, its := all[0], intent{tool: f.offered.Name, params: f.params, whole: s.all(), label: f.doing()}
	mine.label = "Here, with Chalie"
	out := intent{weak: true, way: byTool, among: []intent{mine, its}}
	out.ask = fmt.Sprintf("I keep such things, and so does %s. Which one do you mean?", f.called())
	return out, true
}

// ours are words for what Chalie itself keeps.
var ours = wordsIn(`remind reminder reminders alarm alarms timer task tasks todo todos to-do to-dos note notes remember forget calendar calender calendars appointment appointments event events meeting meetings list lists plan plans agenda diary schedule schedules scheduled birthday wake snooze free busy available`)

// ownWords counts the words for what Chalie keeps in a request, and those of them that the tool
// carries.
func (f suited) ownWords(s said) (all, carried int) {
	for i, w := range s.words {
		if w.quoted || !ours[w.lower] || i == 0 && (w.lower == "list" || verbs[w.lower]&f.deeds&toBook != 0 && f.verb != "") || i > 0 && f.terms[termOf(s.words[i-1].lower+w.lower)] >= inName {
			continue
		}
		all++
		if t := termOf(w.lower); f.terms[t] >= inParameter || f.l.known.names(f.candidate, t) {
			carried++
		}
	}
	return all, carried
}

// isForeign reports whether a request isn't one for what Chalie keeps: it has no word for that,
// or says whose tool is meant, or looks at what the tool is for, and at nobody's own.
func (f suited) isForeign(s said) bool {
	if f.saysWhose(s) {
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
		if !plan || slices.ContainsFunc(f.l.p.World, func(in language.ContextItem) bool { return in.Kind == kind }) {
			return false
		}
	}
	return true
}

// saysWhose reports whether a request says that it is for this tool: by its name or its
// interface's, by a value that only it lists, or by what it is about, in its own words.
func (f suited) saysWhose(s said) bool {
	return f.exact || f.isWhose(s) || f.isOnlyTheirs(s) || f.beside || f.isNamedTogether(s) || f.looks && f.isSearch(s)
}

// isNamedTogether reports whether a request has the name of what a tool is about word by word, of
// which Chalie keeps only a part: a sleep timer is no timer.
func (c *candidate) isNamedTogether(s said) bool {
	if len(c.things) < 2 {
		return false
	}
	for i := range s.words {
		together, foreign := i+len(c.things) <= len(s.words), false
		for n, t := range c.things {
			together = together && !s.words[i+n].quoted && termOf(s.words[i+n].lower) == t
			foreign = foreign || together && !ours[s.words[i+n].lower]
		}
		if together && foreign {
			return true
		}
	}
	return false
}

// isSearch reports whether a request begins with the verb of a tool that searches, and has all
// that its name is about.
func (c *candidate) isSearch(s said) bool {
	return slices.Contains([]string{"search", "find"}, c.verb) && s.is(0, c.verb) && len(c.things) > 0 && c.isNamedWholly(heardIn(s))
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
		if n := s.standsAt(0, wish); n > 0 && n < len(s.words) {
			s = s.from(n)
			break
		}
	}
	s = s.inToolWords()
	if s.isNoTools() {
		return s, 0, false
	}
	if len(s.words) == 0 || hasAny(s.head(), "not", "never", "without", "cannot", "why", "unless", "should") || s.is(0, "i", "he", "she", "they", "we", "that", "this", "it") {
		return s, 0, false
	}
	if !s.question && (s.is(1, "i", "he", "she", "they", "we") || s.is(2, "i", "he", "she", "they", "we")) && verbs[s.words[0].lower] == 0 && !s.is(0, "what", "which", "how", "when", "where", "who", "do", "did", "have", "am", "can") {
		return s, 0, false // it tells something
	}
	first := s.words[0].lower
	_, isVerb := verbs[first]
	asks := s.is(0, "what", "how", "when", "where", "which", "who", "any", "is", "are", "do", "does", "did", "has", "have", "was", "were", "whose", "will", "would", "does")
	for i := 1; i < min(len(s.words), 5) && !s.question && !asks; i++ {
		if s.is(i, "is", "are", "has", "have", "will", "would", "should", "could", "can", "may", "might", "must", "was", "were", "did") && !s.is(i-1, "what", "which", "that", "who", "there", "where", "how", "when") && !s.is(i-2, "when", "if", "once", "until", "unless", "while") {
			return s, 0, false // it tells something
		}
	}
	switch {
	case s.is(0, "do") && s.is(1, "a", "an", "the", "my", "another"):
		return s, order, true
	case (s.question || asks) && !s.isOrderAtFirst():
		return s, questioning, true
	case !qualities[first] && !(isGeneric(first) && s.is(1, "of")) && !slices.Contains([]string{"data", "info", "information", "status", "state", "value"}, first) && (isVerb || !isFiller(first) && !s.words[0].quoted):
		return s, order, true
	}
	return s, naming, true
}

// begun is a sentence that begins with "start watching" or "stop watching", where there is a tool to
// watch or to unwatch, and none to start that.
func (x *lexicon) begun(s said) said {
	if len(s.words) < 3 || s.words[1].quoted || !strings.HasSuffix(s.words[1].lower, "ing") {
		return s
	}
	verb := stem(s.words[1].lower)
	has := func(first, second string) bool {
		return slices.ContainsFunc(x.tools, func(c candidate) bool {
			return slices.Contains(c.name, first) && (second == "" || slices.Contains(c.name, second))
		})
	}
	starts, stops := has("start", verb), has("stop", verb)
	if has(verb+"e", "") || has("un"+verb+"e", "") {
		verb += "e"
	}
	switch {
	case s.is(0, "start", "begin", "keep") && has(verb, "") && !starts && !has("start", verb):
		return s.beginning(verb, 2)
	case s.is(0, "stop", "quit") && has("un"+verb, "") && !stops && !has("stop", verb):
		return s.beginning("un"+verb, 2)
	}
	return s
}

// qualities are words before what is named, which no order begins with.
var qualities = wordsIn(`newest latest current total next upcoming recent daily weekly monthly average today's tomorrow's yesterday's live`)

// isNoTools reports whether a sentence asks how something is done or who did it, wants company, or
// takes something out of what it says.
func (s said) isNoTools() bool {
	for _, p := range []string{"tell me how", "show me how", "explain how", "how to", "how do i", "how can i", "how should i", "how would i"} {
		if s.standsAt(0, p) > 0 {
			return true
		}
	}
	head := s.head()
	for i := range head.words {
		if head.is(i, "but", "nothing", "nobody", "instead", "except") && !isNameLike(head, i) || head.is(i, "with") && head.is(i+1, "me", "us") {
			return true
		}
	}
	_, idiom := s.any("hold|hang|come|go|move|carry on", "wait a? minute|second|sec|moment", "pay attention")
	return idiom
}

// asksWho reports whether a sentence asks who did something, which a tool tells only by a value that
// it lists.
func (s said) asksWho() bool {
	return s.is(0, "who") && !s.is(1, "is", "are", "has", "have", "sings", "sang", "plays")
}

// inToolWords is a sentence with what people say in several words in the one that tools use: "tell
// me when" is an alert, and to start watching is to watch.
func (s said) inToolWords() said {
	for _, p := range []string{"tell me", "let me know", "notify me", "warn me", "ping me", "inform me"} {
		if n := s.standsAt(0, p); n > 0 && n+1 < len(s.words) && s.is(n, "when", "if", "once", "whenever", "as") {
			return s.beginning("alert", n)
		}
	}
	return s
}

// beginning is a sentence that begins with another word in place of its first n.
func (s said) beginning(with string, n int) said {
	out := s
	out.words = append([]word{{lower: with, start: s.words[0].start, end: s.words[n-1].end}}, s.words[n:]...)
	return out
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
	s = l.known.begun(s)
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
		if !ok || f.isContrary() {
			continue
		}
		if f.named && byVerb {
			byVerb = false
		}
		out = append(out, f)
	}
	if !byVerb { // what is named goes before what only has the verb
		out = slices.DeleteFunc(out, func(f suited) bool { return !f.named && len(f.untold()) > 0 && !f.exact })
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
	// asked are words for what the way of asking wants, and asking the places of the words that
	// ask so.
	asked  []string
	asking []int
}

func heardIn(s said) heard {
	var out heard
	add := func(t string) {
		if t != "" && !slices.Contains(out.terms, t) {
			out.terms = append(out.terms, t)
		}
	}
	for i, w := range s.words {
		if w.quoted || strings.HasSuffix(w.lower, "ing") && s.is(i-1, "i", "we", "they", "you") && s.is(i-2, "am", "are", "were", "was") {
			continue // what somebody is doing is no name of a tool
		}
		if seconds[units[w.lower]] > 0 && (s.is(i-1, "an", "a", "half", "one") || i > 0 && isNumber(s.words[i-1].lower)) {
			continue // how long is none either
		}
		for _, part := range nameWords(w.lower) {
			add(termOf(part))
			out.stems = append(out.stems, stem(part))
		}
		if s.is(i, "vs", "versus") {
			add("compare")
		}
		if n := strings.Trim(w.lower, "€$£"); sameDeeds(s.words[0].lower) != nil && (isCurrency(units[w.lower]) || n != w.lower && isNumber(n)) {
			add("money") // which a sum is of
		}
		if i+1 < len(s.words) {
			next := s.words[i+1].lower
			if one := compounds[[2]string{w.lower, next}]; one != "price" || i+2 == len(s.words) || s.is(i+2, "is", "are", "for", "does", "do") {
				add(one) // how much somebody spent is no price
			}
			if len(w.lower) > 2 && len(next) > 2 {
				add(termOf(w.lower + next))
			}
		}
	}
	if w := s.words[0]; !w.quoted {
		out.first, out.deeds = termOf(w.lower), verbs[w.lower]
	}
	switch {
	case s.is(0, "take") && !hasAny(s, "off", "out", "away", "from", "down"):
		out.deeds = 0 // a photo, a nap
	case s.is(0, "open") && !s.is(1, "a", "an", "new", "another") && len(s.words) > 1:
		out.deeds = toLook // what is there
	}
	out.hearAsked(s)
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
	unsaidVerb  = -20
	ofNow       = 15
	asAsked     = 10  // it tells how much, and is asked so
	ofMany      = -12 // it tells of many, and one is asked for
	notUsed     = -20
	notGiven    = -14
	guessed     = -20 // only its verb speaks for it
	notTimed    = -30
	onlyNamed   = -15
)

// evidence is what of a tool a request has.
type evidence struct {
	telling  int  // how many of its words
	values   int  // how many of them only its parameters list
	beside   int  // and how many beside the verb that the request begins with
	unique   bool // one of them is no other tool's
	said     int  // of what its name is about
	noun     bool // of that, something that isn't only the verb
	verbOnly bool // its name is a verb, with words that most tools have
	ownVerb  bool // the verb that only it and its like have
	whose    bool // its interface's name
	exact    bool // its very name
	strange  bool // it begins with a verb that nobody knows
	says     bool // what it begins with is what the tool does, and all else is the tool's
	covered  bool // it looks at something, and all of it is the tool's
	set      bool // it sets something to a number in the tool's unit, and says nothing else
}

// evidenceOf is what a request has of a tool, with what that is worth.
func (l listener) evidenceOf(c *candidate, s said, m mood, h heard, exact bool) (e evidence, worth int) {
	e = evidence{exact: exact, whose: c.isWhose(s), ownVerb: c.own != "" && slices.Contains(h.terms, c.own)}
	shows := m == order && h.deeds&toLook != 0 && h.first != termOf(c.verb) && len(slices.DeleteFunc(slices.Clone(h.stems), func(w string) bool { return w != h.first })) == 1
	for _, t := range h.terms {
		each := c.terms[t]
		worth += each * rarity(l.known.held[t], len(l.known.tools))
		if shows && t == h.first {
			continue
		}
		if each > asGeneric && (each == inName || !slices.Contains(c.whose, t) || e.whose && each >= inDescription) {
			e.telling++
			if t != h.first {
				e.beside++
			}
			if slices.Contains(c.values, t) {
				e.values++
			}
			e.unique = e.unique || each >= inDescription && l.known.held[t] == 1
		}
		if each == asGeneric && l.known.alone[t] == c.offered.Name && m != order {
			e.telling, e.unique = e.telling+1, true
		}
	}
	if c.tellsWhatIsAsked(s) {
		e.telling, e.said, e.unique = e.telling+2, len(c.things), true
		worth += inName
	}
	for _, t := range h.toldBy(c) {
		e.telling, e.beside, e.unique = e.telling+1, e.beside+1, true
		worth += max(c.terms[t], inDescription) * rarity(l.known.held[t], len(l.known.tools))
		if slices.Contains(c.things, t) {
			e.said++
		}
	}
	if slices.ContainsFunc(c.slots, func(p slot) bool {
		return !p.closed && slices.ContainsFunc(p.choices, func(v string) bool { return hasAny(s, strings.ToLower(v)) })
	}) {
		e.beside++ // an example of what it takes
	}
	for _, t := range c.things {
		if slices.Contains(h.terms, t) && !(shows && t == h.first) { // who wants to be shown something doesn't speak of shows
			e.said++
			e.noun = e.noun || t != h.first
		}
	}
	for _, w := range h.stems {
		if slices.Contains(c.name, w) && !isGeneric(w) && !isFiller(w) {
			worth += literally
		}
	}
	if slices.ContainsFunc(c.aliases, func(a string) bool { return slices.Contains(h.terms, a) }) {
		e.said = max(e.said, len(c.things))
		e.noun = e.noun || slices.ContainsFunc(c.aliases, func(a string) bool { return a != h.first && slices.Contains(h.terms, a) })
	}
	e.verbOnly = len(c.things) == 0 && len(c.name) > 1 && !slices.ContainsFunc(c.name, func(w string) bool { return !slices.Contains(h.stems, w) })
	e.strange = m == order && c.isStrange(s, h)
	return e, worth
}

// isStrange reports whether an order begins with a verb that nobody knows.
func (c *candidate) isStrange(s said, h heard) bool {
	return h.deeds == 0 && c.terms[h.first] == 0 && s.words[0].lower != c.about && s.is(1, articles...)
}

// weigh is how well a tool fits a request, by the words of the request or else by the tool's own verb
// for the same deed; false when it doesn't.
func (l listener) weigh(c *candidate, s said, m mood, h heard, exact bool) (suited, bool) {
	if does := exact || c.does(s, m, h) && !s.isPhrasal(); does && !(m == order && c.isStrange(s, h)) {
		if f, ok := l.weighAs(c, s, s, m, h, exact); ok || m != order {
			return f, ok
		}
	}
	if like, ok := c.inItsWords(s); ok && m == order && !exact {
		return l.weighAs(c, s, like, m, h, exact)
	}
	if m == order && !exact && c.isStrange(s, h) && c.does(s, m, h) {
		return l.weighAs(c, s, s, m, h, exact)
	}
	return suited{candidate: c}, false
}

// weighAs is how well a tool fits a request that is filled from it as it may be said in the tool's
// words.
func (l listener) weighAs(c *candidate, s, as said, m mood, h heard, exact bool) (suited, bool) {
	f := suited{candidate: c, like: as.words[0] != s.words[0]}
	e, worth := l.evidenceOf(c, s, m, h, exact)
	if f.like {
		s, h = as, heardIn(as)
		e.strange = false
	}
	f.score = worth
	if !exact && e.telling == 0 && e.beside == 0 && !e.whose && !e.verbOnly && !c.isOnlyVerb(h) && !e.ownVerb && !c.isShaped(s) && !c.isMeasured(s, h) && !c.converts() && !f.like {
		return f, false
	}
	f.filling = l.fill(s, c, h, exact || e.verbOnly || e.said > 0 && 2*e.said >= len(c.things) || e.whose && e.telling > 0, e.strange)
	f.exact = exact
	if !exact && f.isOther(e, s, m, h) {
		return f, false
	}
	if f.addressed && e.said > 0 {
		f.shaped = true
	}
	for _, t := range c.things { // a value says what its parameter is called
		if e.said > 0 && !slices.Contains(h.terms, t) && f.gives(t) {
			e.said++
		}
	}
	f.named = exact || e.verbOnly || e.said > 0 && 2*e.said >= len(c.things) || e.whose && e.telling > 0
	f.whole = exact || e.verbOnly || e.said > 0 && e.said == len(c.things) || e.whose && f.named
	if e.strange && len(f.missing()) > 0 && !exact || !e.whose && f.speaksOfOurs(s) || f.timed && f.moment == "" && !f.looks && !f.whole {
		return f, false // what has no time would be done at once
	}
	if !exact && !c.looks && m == order && !e.noun && !e.whose && !f.shaped {
		if f.like && !f.givesName() {
			return f, false // neither what is done nor with what is said in the tool's words
		}
		f.doubt(e)
	}
	all := len(f.left()) == 0 && len(f.missing()) == 0
	e.says = m == order && e.beside > 0 && (s.words[0].lower == c.about || h.deeds&verbs[c.about]&^toLook != 0) && len(f.left()) == 0
	e.covered = c.looks && all && e.telling > e.values && (m != order || h.deeds&toLook != 0 || s.is(0, "tell", "give") || h.deeds == 0 && c.terms[h.first] >= inDescription)
	e.set = all && m == order && !f.like && (f.measured && c.verb != "" && h.first == termOf(c.verb) && h.deeds&^toLook != 0 || f.measured && h.deeds&c.deeds&toSet != 0 || s.turnsOn() && c.turnsOn() && e.telling > 0)
	untold := len(f.untold())
	searches := c.isOnlyVerb(h) && f.free != "" && f.searchesAll()
	if searches {
		e.said, untold = len(c.things), 0
	}
	f.named = f.named || f.beside || e.covered || e.set || searches || e.ownVerb && h.first == c.own && len(f.left()) == 0
	if !f.isFound(e, m, h) {
		return f, false
	}
	f.named, f.whole = f.named || f.shaped || e.says, f.whole || f.shaped || f.beside || e.covered && f.tellsAsAsked(s)
	f.score += unsaidThing*(len(c.things)-e.said) + notUsed*untold + notGiven*len(f.missing()) + f.worth + f.manner(s, m, h) + f.suits(s, e)
	if searches {
		f.score += sameVerb
	}
	return f, true
}

// isOther reports whether a request wants something else than a tool does, though it has words of it.
func (f suited) isOther(e evidence, s said, m mood, h heard) bool {
	c, first := f.candidate, s.words[0].lower
	switch {
	case m != questioning && c.looks && f.saysSwitch():
		return true // what is turned on or off isn't only looked at
	case s.asksWho() && !slices.ContainsFunc(c.slots, func(p slot) bool { _, to := f.choiceAt(p, 1); return p.closed && to > 0 }):
		return true
	case m == order && !f.like && c.isOtherDeed(s, h):
		return true
	}
	// What begins so wants something done: heat the soup.
	return m == order && c.looks && h.deeds == 0 && sameDeeds(first) == nil && c.terms[h.first] > 0 && e.beside == 0 && !s.words[0].quoted && s.is(1, "up", "down", "the", "my", "our", "it")
}

// doubt notes of a tool that changes something, of which only the verb was said, whether it is meant.
func (f *suited) doubt(e evidence) {
	first := f.s.words[0].lower
	if f.like {
		first = f.s.beginsWith()
	}
	bare := e.beside == 0 && !f.chosen()
	f.byVerb = bare && f.isItsVerb(first)
	f.unsure = f.like || bare && (f.givesThing() || !f.isItsVerb(first) && f.givesName() || verbs[first]&^toLook != 0 && len(f.params) > 0 && !f.givesName())
	f.named = f.named || f.unsure && len(f.left()) == 0
}

// isItsVerb reports whether a word is a verb by which a tool says what it does, and not one that only
// does the like.
func (c *candidate) isItsVerb(word string) bool {
	return slices.Contains(c.acts, word) || slices.Contains(c.synonyms, word) || slices.Contains(c.name, stem(word)) || c.about == word || c.own != "" && termOf(word) == c.own
}

// suits is what else speaks for a tool, or against it.
func (f suited) suits(s said, e evidence) (score int) {
	if f.timed && f.moment == "" {
		score += notTimed
	}
	if saysNow(s) && f.tellsNow() {
		score += ofNow
	}
	if f.tellsAsAsked(s) {
		score += asAsked
	}
	if f.looks && f.ofMany && f.isOneSaid(s) {
		score += ofMany
	}
	if f.unsure {
		score += guessed
	}
	if f.exact {
		score += exactName
	}
	if e.whose {
		score += ofInterface
	}
	return score
}

func isCurrency(unit string) bool { return unit == "euro" || unit == "dollar" || unit == "pound" }

// saysSwitch reports whether a request says that something is to be on or off, and nothing was made
// of it.
func (f *filling) saysSwitch() bool {
	for i, w := range f.s.words {
		if !f.used[i] && !w.quoted && (w.lower == "off" || w.lower == "on" && f.isSwitched(i)) {
			return true
		}
	}
	return false
}

// chosen reports whether a parameter has one of the values that it lists.
func (f *filling) chosen() bool {
	return slices.ContainsFunc(f.c.slots, func(p slot) bool {
		_, given := f.params[p.Name]
		return given && p.closed
	})
}

// givesName reports whether a value is written as a name is: with a capital, a digit or in
// quotation marks.
func (f *filling) givesName() bool {
	for _, value := range f.params {
		if text, ok := value.(string); ok && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
			return true
		}
	}
	return slices.ContainsFunc(f.s.words, func(w word) bool { return w.quoted })
}

// givesThing reports whether a value is a thing that has no name, such as "the garage door": the
// verb alone doesn't tell whether it is one of those that the tool is for.
func (f *filling) givesThing() bool {
	return slices.ContainsFunc(f.c.slots, func(p slot) bool {
		text, given := f.params[p.Name].(string)
		if !given || p.closed || !p.Required && p.Name != f.free || isWhen(p.kind) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
			return false
		}
		from, to := f.find(text)
		return from < to && !f.s.words[from].quoted && f.s.is(from-1, articles...)
	})
}

// inWords are the parameters with what they are given, for a question.
func (f *filling) inWords() string {
	var out []string
	for _, p := range f.c.slots {
		if value, given := f.params[p.Name]; given {
			out = append(out, fmt.Sprintf("%s %s", cut(oneLine(p.Name), maxNameBytes), mention(fmt.Sprint(value))))
		}
	}
	return strings.Join(out, ", ")
}

// isOtherDeed reports whether an order begins with a verb that is only a part of what a tool that changes
// something is about: to water a bay isn't to log a change of water.
func (c *candidate) isOtherDeed(s said, h heard) bool {
	first := s.words[0].lower
	return !c.looks && h.deeds == 0 && c.own == "" && sameDeeds(first) != nil && c.terms[h.first] >= inName && c.actLike(first) == "" &&
		len(c.acts) > 0 && !slices.Contains(c.synonyms, first) && !c.hasChoice(first) && !c.counted(first) &&
		!slices.ContainsFunc(c.acts, func(a string) bool { return a == first || slices.Contains(h.stems, stem(a)) })
}

// isFound reports whether what a request has of a tool is enough for it to be meant.
func (f suited) isFound(e evidence, m mood, h heard) bool {
	given := len(f.left()) == 0 && len(f.missing()) == 0
	found := f.named || e.telling > 1 || f.shaped || e.says || (e.unique || e.ownVerb || f.beside) && given
	searches := f.isOnlyVerb(h)
	if !found && (!searches || len(f.left()) > 0) {
		return false
	}
	// What was said may only be taken for a value where something else says that the tool is meant.
	return f.named || f.shaped || f.free == "" || m == questioning || f.looks && f.toldBeside() > 1 || searches || e.ownVerb || e.says || h.first == f.verb && !isGeneric(f.verb)
}

// manner is what the verb that a request begins with is worth for a tool.
func (f suited) manner(s said, m mood, h heard) int {
	switch {
	case m == naming && !f.looks:
		return onlyNamed
	case m != order:
		return 0
	case f.verb != "" && !s.words[0].quoted && s.words[0].lower == f.verb:
		return sameVerb
	case f.isOnlyVerb(h):
		return sameVerb + 2
	case s.words[0].lower == f.about && !s.words[0].quoted:
		return sameVerb - 1
	case slices.Contains([]string{"search", "find", "lookup"}, f.verb):
		return 0 // what is shown isn't searched for
	case h.deeds&f.deeds != 0:
		return likeVerb
	case f.verb != "" && h.deeds == 0 && !slices.Contains(h.stems, stem(f.verb)) && !isGeneric(termOf(f.verb)):
		return unsaidVerb
	}
	return 0
}

// saysNow reports whether a request is for what is now.
func saysNow(s said) bool {
	return hasAny(s, "now", "currently", "current", "live", "present") || strings.Contains(strings.ToLower(s.all()), "at the moment") || s.is(0, "is", "are") && s.is(1, "it")
}

// tellsAsAsked reports whether a tool says that it tells what is asked, in the words of the question:
// how much, how long, where.
func (c *candidate) tellsAsAsked(s said) bool {
	about := strings.ToLower(c.offered.Description)
	if s.is(0, "how") {
		return s.is(1, "much", "many", "long", "far", "often", "fast", "late", "full", "warm", "well") && strings.Contains(about, "how "+s.words[1].lower)
	}
	return s.is(0, "where", "when") && strings.HasPrefix(about, s.words[0].lower+" ")
}

// tellsWhatIsAsked reports whether a tool describes itself by the very question: how much data.
func (c *candidate) tellsWhatIsAsked(s said) bool {
	return c.looks && s.is(0, "how") && len(s.words) > 2 && !isFiller(s.words[2].lower) &&
		strings.Contains(strings.Join(textWords(c.offered.Description), " "), "how "+s.words[1].lower+" "+s.words[2].lower)
}

// isOneSaid reports whether a request speaks of one of what a tool is about: the recipe.
func (c *candidate) isOneSaid(s said) bool {
	for i := 1; i < len(s.words); i++ {
		if w := s.words[i]; !w.quoted && slices.Contains(c.things, termOf(w.lower)) && !strings.HasSuffix(w.lower, "s") && s.is(i-1, "the", "this", "that") {
			return true
		}
	}
	return false
}

// tellsNow reports whether a tool says that it tells what is now.
func (c *candidate) tellsNow() bool {
	words := append(nameWords(c.offered.Name), textWords(c.offered.Description)...)
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"current", "currently", "now", "live", "realtime"}, w)
	})
}

// gives reports whether the parameter of a name has a value.
func (f suited) gives(name string) bool {
	return slices.ContainsFunc(f.slots, func(p slot) bool {
		_, given := f.params[p.Name]
		return given && slices.Contains(p.words, name)
	})
}

// isMeasured reports whether a request to set something has a number in a unit that the tool counts
// in.
func (c *candidate) isMeasured(s said, h heard) bool {
	return h.deeds&c.deeds&toSet != 0 && slices.ContainsFunc(c.slots, func(p slot) bool {
		unit := p.unitOf()
		return unit != "" && unit != "percent" && seconds[unit] == 0 && slices.ContainsFunc(s.words, func(w word) bool { return units[w.lower] == unit })
	})
}

// searchesAll reports whether what stands beside what is searched for is what the interface is about:
// "search the calendar for Lisbon", whatever it is that the tool calls its entries.
func (f suited) searchesAll() bool {
	all := f.untold()
	return len(all) > 0 && !slices.ContainsFunc(all, func(w string) bool {
		t := termOf(w)
		return !f.l.known.names(f.candidate, t) && !f.l.known.describes(f.offered.Interface, t)
	})
}

// toldBeside counts the words of the tool beside the value that took what was left.
func (f suited) toldBeside() int {
	value, _ := f.params[f.free].(string)
	told, out := textWords(value), 0
	for i, w := range f.s.words {
		if !w.quoted && f.isAbout(i) && !slices.Contains(told, w.lower) {
			out++
		}
	}
	return out
}

// speaksOfOurs reports whether a request speaks of what Chalie keeps, and the tool doesn't.
func (f suited) speaksOfOurs(s said) bool {
	value, _ := f.params[f.free].(string)
	for i, w := range s.words {
		if f.isOurs() && (f.looks || f.l.known.names(f.candidate, termOf(w.lower))) {
			continue
		}
		if i > 0 && !w.quoted && ours[w.lower] && f.terms[termOf(w.lower)] == 0 && (!f.used[i] || !f.named && strings.Contains(value, w.lower)) {
			return true
		}
	}
	return false
}

// isShaped reports whether a request has an id that looks like those of the tool.
func (c *candidate) isShaped(s said) bool {
	return slices.ContainsFunc(c.slots, func(p slot) bool {
		for i, w := range s.words {
			if p.shape == twoParts && isTwoParts(s, i) || p.shape != "" && shapeOf(w.lower) == p.shape {
				return true
			}
		}
		return false
	})
}

// isOnlyVerb reports whether a request to look for something is what a tool does that looks for
// anything.
func (c *candidate) isOnlyVerb(h heard) bool {
	return slices.Contains([]string{"search", "find", "lookup"}, c.verb) && (slices.Contains([]string{"search", "find"}, h.first) || h.first == "look" && slices.Contains(h.stems, "for"))
}

// isOurs reports whether a tool's name is about what Chalie keeps, too.
func (c *candidate) isOurs() bool {
	return slices.ContainsFunc(c.name, func(w string) bool { return ours[w] || ours[w+"s"] })
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
	if m == order && s.turnsOn() && c.turnsOn() {
		return true
	}
	if m == order && s.turnsOn() && c.deeds&toSet != 0 && (c.deeds&toStart == 0 || c.about == "switch" || c.about == "turn") && c.verb != "turn" && c.verb != "switch" {
		return false // what is turned on or off is what can be
	}
	switch m {
	case questioning:
		return c.looks && (c.own == "" || slices.Contains(h.terms, c.own) || c.converts())
	case naming:
		return true
	}
	if h.deeds&toAdd != 0 && c.own != "" && slices.Contains(h.terms, c.own) && slices.Contains(c.things, c.own) {
		return true // to add a comment is to comment
	}
	if h.deeds&toAdd != 0 && slices.ContainsFunc(c.slots, slot.isAddress) && slices.ContainsFunc(c.things, func(t string) bool { return slices.Contains(h.terms, t) }) && strings.Contains(s.all(), "@") {
		return true // somebody is added by an address: invited
	}
	ownSaid := c.own == "" || slices.Contains(h.terms, c.own) || c.hasChoice(s.words[0].lower)
	compound := len(s.words) > 1 && (c.terms[compounds[[2]string{s.words[0].lower, s.words[1].lower}]] >= inName || c.terms[s.words[0].lower+s.words[1].lower] >= inName)
	switch worth := c.terms[h.first]; {
	case compound, c.hasChoice(s.words[0].lower):
		return true
	case c.own != "" && h.first == c.own, c.undoes(s.words[0].lower), s.words[0].lower == c.about, c.counted(s.words[0].lower):
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
		return ownSaid && (c.looks || c.own != "" || slices.ContainsFunc(c.acts, func(a string) bool { return slices.Contains(h.stems, stem(a)) }))
	}
	if c.looks && (c.offersValue(s.words[0].lower) || h.deeds == 0 && sameDeeds(s.words[0].lower) == nil && len(s.words) > 1 && !s.words[1].quoted && slices.Contains(c.things, termOf(s.words[1].lower))) {
		return true
	}
	// It begins with what it is about: "NVDA quote"; or with a verb that nobody knows, which is asked about.
	return c.looks && (len(s.words) <= 6 && (isNameLike(s, 0) || strings.ContainsAny(h.first, "-_0123456789")) || len(s.words) > 2 && s.is(1, articles...))
}

// articles are words behind a verb.
var articles = []string{"the", "a", "an", "me", "my", "our", "all"}

// isOnlyVerbOf reports whether a verb can't be a thing, as an order or an email can.
func isOnlyVerbOf(a deeds) bool { return a&(toOrder|toSend) == 0 }

// hasChoice reports whether a word is a value that a parameter lists.
func (c *candidate) hasChoice(word string) bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return s.closed && s.Required && slices.Contains(s.choices, word) })
}

// offersValue reports whether a word is a value that any parameter lists.
func (c *candidate) offersValue(word string) bool {
	return slices.ContainsFunc(c.slots, func(s slot) bool { return s.closed && slices.Contains(s.choices, word) })
}

// turnsOn reports whether an order turns something on or off.
func (s said) turnsOn() bool {
	return s.is(0, "turn", "switch") && hasAny(s, "on", "off") && !s.is(len(s.words)-1, "up", "down")
}

// turnsOn reports whether a tool says that it turns something on or off.
func (c *candidate) turnsOn() bool {
	return c.isSwitch() && (hasWordIn(c.offered.Description, "off") || slices.ContainsFunc(c.slots, func(p slot) bool {
		return hasWordIn(p.Description, "off", "on") || hasWord(p, "on", "enabled", "enable", "power", "active")
	}))
}

// isSwitch reports whether a tool needs to know whether something is to be on or off.
func (c *candidate) isSwitch() bool {
	return slices.ContainsFunc(c.slots, func(p slot) bool {
		return p.Required && (p.Type == domain.TypeBoolean || slices.ContainsFunc(p.choices, func(v string) bool { return strings.EqualFold(v, "off") }))
	})
}

// undoes reports whether a verb is the contrary of the only thing that a tool does, which it can be
// told: to unmute, for one that mutes or doesn't.
func (c *candidate) undoes(verb string) bool {
	bare, un := strings.CutPrefix(verb, "un")
	return un && c.own != "" && termOf(bare) == c.own && c.isSwitch()
}

// counted reports whether a word means a number for one of a tool's parameters: 0 = closed.
func (c *candidate) counted(word string) bool {
	return slices.ContainsFunc(c.slots, func(p slot) bool { return p.numberFor(word) != "" })
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
	for _, p := range f.slots {
		if p.format != "" && out.moment == p.Name {
			out.moment = "" // it isn't moved in words
		}
		if p.format != "" && out.subject == p.Name {
			out.subject = ""
		}
	}
	switch {
	case len(missing) > 0 && !f.named && !f.exact:
		return intent{}, false
	case f.hasUnread():
		out.ask, out.missing = f.asksUnread()
	case len(missing) > 0:
		out.missing, out.ask, out.among = missing[0].Name, f.lacks(missing), eachValue(out, missing)
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
	case f.isUnnamed():
		out.ask, out.offer, out.label = fmt.Sprintf("Shall I use %s%s? Say yes.", f.called(), f.withWords()), true, f.labelled("Use ")
		out.unnamed = true
	case f.unsure:
		out.ask, out.offer, out.label = fmt.Sprintf("Shall I use %s with %s? Say yes.", f.called(), f.inWords()), true, f.labelled("Use ")
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
func whose(o language.Offered) string {
	return cut(oneLine(cmp.Or(o.Interface, o.Name)), maxNameBytes)
}

// mayAsk asks once whether a tool may be asked questions that doesn't say that it only looks.
func mayAsk(o language.Offered) string {
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
		if len(f.missing()) > 0 || f.hasUnread() {
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

// bothTools are the two tools that do what a sentence says and no more, in their order: "cancel
// both", where one cancels appointments and one reservations. None is called while one of them
// lacks something: what each lacks is asked for then.
func (l listener) bothTools(text string) []intent {
	s, ok := read(text)
	if !ok {
		return nil
	}
	s, _ = s.request()
	if len(s.words) < 2 {
		return nil
	}
	l.known.read(l.p.Tools)
	var calls, asks []intent
	for i := range l.known.tools {
		c := &l.known.tools[i]
		if c.verb == "" || c.verb != s.words[0].lower {
			continue
		}
		f := &filling{l: l, s: s, c: c, used: make([]bool, len(s.words)), params: map[string]any{}}
		in := intent{tool: c.offered.Name, params: f.params, whole: s.all()}
		if missing := f.missing(); len(missing) > 0 {
			in.ask = f.lacks(missing)
			asks = append(asks, in)
		}
		calls = append(calls, in)
	}
	switch {
	case len(calls) != 2:
		return nil
	case len(asks) > 0:
		return asks
	}
	return calls
}

// picked are those of several tools that an answer takes: one by its place, its name or what it does,
// or all; nil for none.
func picked(all []intent, answer said) []intent {
	if said, ok := tongues.AnswerIn(answer.text); ok && !said.No() && (said.Both() && len(all) == 2 || said.All()) {
		return all
	}
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
			return (!isFiller(w.lower) || isNumber(w.lower)) && !slices.Contains(words, w.lower) && !strings.EqualFold(w.lower, in.tool)
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

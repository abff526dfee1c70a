package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
)

// Candidate is a tool, with what it says of itself.
type Candidate struct {
	Offered  language.Offered
	Terms    terms
	Whose    []string // the words of its interface's name
	common   bool     // which says what its tools are about, too
	name     []string // the stems of its own
	things   []string // what its name is about, as words are compared
	aliases  []string // other names of that
	Verb     string   // the verb in its name
	about    string   // the first word of its description, which is a verb of most
	deeds    deeds    // what that does
	own      string   // a verb that only it and its like have: merge, lock
	acts     []string // the verbs by which it says what it does
	ofMany   bool     // its name is about several
	synonyms []string // others for that, which it names in brackets
	Looks    bool     // it changes nothing, by its word or as far as its words tell
	slots    []Slot
	values   []string        // the words that only its parameters list
	plain    map[string]bool // the keys of the words by which it can be meant in any language
	listed   map[string]bool // and of those of the values that it lists
}

// Suited is a tool that a request may mean, with what it would be called with.
type Suited struct {
	*Candidate
	*Filling
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

// The moods.
const (
	Order mood = iota
	questioning
	naming // only what it is about: "price of gold"
)

// Tool hears a request that plainly means a tool of an interface.
func (l Chooser) Tool(s sentences.Said) (Intent, bool) {
	s, m, ok := toolRequest(s)
	if !ok {
		return Intent{}, false
	}
	all := l.Fitting(s, m)
	if len(all) == 0 {
		return Intent{}, false
	}
	best := all[0]
	if other, ok := best.names(all[1:], HeardIn(s)); ok && m == questioning {
		return l.tied([]Suited{best, other}), true
	}
	if rivals := slices.DeleteFunc(all[1:], best.clearlyBetter); len(rivals) > 0 {
		in := l.tied(append([]Suited{best}, rivals...))
		in.Late = !best.isForeign(s)
		in.Theirs = !in.Late && best.named && m == questioning && len(in.Among) == len(rivals)+1 && !slices.ContainsFunc(append([]Suited{best}, rivals...), func(f Suited) bool { return len(f.left()) > 0 })
		return in, true
	}
	in, ok := best.Asked(m)
	own, _ := best.ownWords(s)
	// What Chalie keeps is meant where the tool has no more of the request than the word for it, and its
	// own skills are heard before a tool is guessed.
	keepsOwn := own > 0 && !best.saysWhose(s) && (!best.whole || len(best.left()) > 0)
	in.Late = !best.named || best.unsure || keepsOwn || !best.isForeign(s)
	in.Theirs = best.isForeign(s) && !best.unsure && len(best.Missing()) == 0 && (len(best.left()) == 0 && !keepsOwn || len(best.left()) > 0 && best.whole && in.Offer && !sentences.HasAny(s, "i", "my", "our", "we")) && !(best.timed && best.moment == "")
	return in, ok
}

// names finds another tool that what is left would be the whole name of: it isn't only a value.
func (f Suited) names(others []Suited, h Heard) (Suited, bool) {
	value, _ := f.Params[f.free].(string)
	for _, o := range others {
		if len(o.things) > 0 && o.isNamedWholly(h) && slices.ContainsFunc(o.things, func(t string) bool {
			return slices.ContainsFunc(textWords(value), func(w string) bool { return TermOf(w) == t })
		}) {
			return o, true
		}
	}
	return Suited{}, false
}

// clearlyBetter reports whether a tool is meant rather than one that fits less: clearly so, or because it
// alone has a use for every word.
func (f Suited) clearlyBetter(other Suited) bool {
	if !f.Exact && (f.isTwin(other) || f.byVerb && other.byVerb && f.Offered.Interface != other.Offered.Interface && len(other.Missing()) == 0 && len(other.untold()) == 0) {
		return false
	}
	return f.Exact || f.score-other.score >= clearly || len(f.Missing()) == 0 && len(f.untold()) == 0 && len(other.untold()) > 0 && f.score > other.score
}

// isTwin reports whether a tool of another interface does the same, and may be meant as well,
// however it describes itself: two calendars, two shops.
func (f Suited) isTwin(other Suited) bool {
	if f.Offered.Interface == other.Offered.Interface || !f.named || !other.named || f.Looks != other.Looks || len(other.left()) > len(f.left()) || len(f.Missing()) == 0 && len(other.Missing()) > 0 {
		return false
	}
	about := func(c *Candidate) []string {
		out := slices.DeleteFunc(slices.Clone(c.things), func(t string) bool {
			return slices.ContainsFunc(c.acts, func(a string) bool { return TermOf(a) == t })
		})
		slices.Sort(out)
		return out
	}
	mine := about(f.Candidate)
	return len(mine) > 0 && slices.Equal(mine, about(other.Candidate)) && (f.deeds&other.deeds != 0 || slices.ContainsFunc(f.acts, func(a string) bool { return slices.Contains(other.acts, a) }))
}

// beginsWith is the word that a request begins with as it was said, whatever a tool calls it.
func beginsWith(s sentences.Said) string {
	return strings.ToLower(s.Text[s.Words[0].Start:s.Words[0].End])
}

// clearly is by how much the best tool has to be ahead of the second.
const clearly = 10

// Claimed hears a request that names what only a tool has, and says all that it needs: no skill
// of Chalie's is thought of then.
func (l Chooser) Claimed(s sentences.Said) (Intent, bool) {
	s, m, ok := toolRequest(s)
	if !ok || !slices.ContainsFunc(l.P.Tools, func(o language.Offered) bool { return o.Interface != OwnInterface }) {
		return Intent{}, false
	}
	all := l.Fitting(s, m)
	if len(all) == 0 || len(all) > 1 && !all[0].clearlyBetter(all[1]) && !all[0].isTwin(all[1]) {
		return Intent{}, false
	}
	best := all[0]
	if _, other := best.names(all[1:], HeardIn(s)); other && m == questioning {
		return Intent{}, false
	}
	if !best.whole || len(best.left()) > 0 && (!best.shaped || best.Looks || m != Order) {
		return Intent{}, false
	}
	own, _ := best.ownWords(s)
	if !best.isForeign(s) || own == 1 && !best.saysWhose(s) {
		return l.askChalieOrTool(s, m, best)
	}
	in, ok := best.Asked(m)
	if len(all) > 1 && best.isTwin(all[1]) && !best.Exact && ok {
		in = l.tied(append([]Suited{best}, slices.DeleteFunc(all[1:], best.clearlyBetter)...))
		in.Way = ByTool
		return in, true
	}
	in.Way = ByTool
	return in, ok && (in.Ask.IsZero() || in.Offer || best.shaped || len(best.things) > 1)
}

// askChalieOrTool asks whether a change is meant for what Chalie keeps, or for what the tool does, where
// both may have it and Chalie has none in mind.
func (l Chooser) askChalieOrTool(s sentences.Said, m mood, f Suited) (Intent, bool) {
	if m != Order || f.Looks || f.Verb == "" || f.deeds&(toRemove|toSet) == 0 || f.deeds&toAdd != 0 || len(f.Missing()) > 0 || f.HasUnread() || !f.named || f.timed && f.moment == "" {
		return Intent{}, false
	}
	for _, value := range f.Params {
		if which, ok := sentences.Read(fmt.Sprint(value)); ok && l.IsKnown(which) {
			return Intent{}, false
		}
	}
	own := l
	own.P.Tools = slices.DeleteFunc(slices.Clone(l.P.Tools), func(o language.Offered) bool { return o.Interface != OwnInterface })
	own.Known, own.deeds = &Lexicon{}, map[string][]Intent{}
	all := l.Anew(own, s)
	if len(all) != 1 || !all[0].Ask.IsZero() {
		return Intent{}, false
	}
	mine, its := all[0], Intent{Tool: f.Offered.Name, Params: f.Params, Whole: s.All(), Label: f.doing(false)}
	mine.Label = say("label.word", args{"on": speech.Kind("here")})
	out := Intent{Weak: true, Way: ByTool, Among: []Intent{mine, its}}
	out.Ask = say("tool.or_here", args{"tool": f.called()})
	return out, true
}

// chalieNouns are words for what Chalie itself keeps.
var chalieNouns = sentences.WordsIn(`remind reminder reminders alarm alarms timer task tasks todo todos to-do to-dos note notes remember forget calendar calender calendars appointment appointments event events meeting meetings list lists plan plans agenda diary schedule schedules scheduled birthday wake snooze free busy available`)

// ownWords counts the words for what Chalie keeps in a request, and those of them that the tool
// carries.
func (f Suited) ownWords(s sentences.Said) (all, carried int) {
	for i, w := range s.Words {
		if w.Quoted || !chalieNouns[w.Lower] || i == 0 && (w.Lower == "list" || Verbs[w.Lower]&f.deeds&toBook != 0 && f.Verb != "") || i > 0 && f.Terms[TermOf(s.Words[i-1].Lower+w.Lower)] >= inName {
			continue
		}
		all++
		if t := TermOf(w.Lower); f.Terms[t] >= inParameter || f.l.Known.names(f.Candidate, t) {
			carried++
		}
	}
	return all, carried
}

// isForeign reports whether a request isn't one for what Chalie keeps: it has no word for that,
// or says whose tool is meant, or looks at what the tool is for, and at nobody's own.
func (f Suited) isForeign(s sentences.Said) bool {
	if f.saysWhose(s) {
		return true
	}
	all, carried := f.ownWords(s)
	return all == 0 || f.Looks && all == carried && !sentences.HasAny(s, "i", "my", "mine", "our", "we")
}

// isOnlyTheirs reports whether a request says all that the tool is about, and Chalie has nothing of
// that kind in mind, or a value has digits among its letters, by which Chalie names nothing.
func (f Suited) isOnlyTheirs(s sentences.Said) bool {
	if !f.whole {
		return false
	}
	for _, value := range f.Params {
		if text, ok := value.(string); ok && coded.FindString(text) == "" && strings.ContainsAny(text, "0123456789") && strings.ContainsFunc(text, unicode.IsLetter) && !strings.Contains(text, " ") && strings.ContainsAny(text, "_-#") {
			return true
		}
	}
	for _, w := range s.Words {
		if !chalieNouns[w.Lower] {
			continue
		}
		kind, plan := map[sentences.Noun]domain.ItemKind{sentences.AnEvent: domain.ItemAppointment, sentences.AReminder: domain.ItemReminder, sentences.AnAlarm: domain.ItemReminder, sentences.ATask: domain.ItemTask}[sentences.Nouns[w.Lower]]
		if !plan || slices.ContainsFunc(f.l.P.World, func(in language.ContextItem) bool { return in.Kind == kind }) {
			return false
		}
	}
	return true
}

// saysWhose reports whether a request says that it is for this tool: by its name or its
// interface's, by a value that only it lists, or by what it is about, in its own words.
func (f Suited) saysWhose(s sentences.Said) bool {
	return f.Exact || f.IsWhose(s) || f.isOnlyTheirs(s) || f.beside || f.isNamedTogether(s) || f.Looks && f.isSearch(s)
}

// isNamedTogether reports whether a request has the name of what a tool is about word by word, of
// which Chalie keeps only a part: a sleep timer is no timer.
func (c *Candidate) isNamedTogether(s sentences.Said) bool {
	if len(c.things) < 2 {
		return false
	}
	for i := range s.Words {
		together, foreign := i+len(c.things) <= len(s.Words), false
		for n, t := range c.things {
			together = together && !s.Words[i+n].Quoted && TermOf(s.Words[i+n].Lower) == t
			foreign = foreign || together && !chalieNouns[s.Words[i+n].Lower]
		}
		if together && foreign {
			return true
		}
	}
	return false
}

// isSearch reports whether a request begins with the verb of a tool that searches, and has all
// that its name is about.
func (c *Candidate) isSearch(s sentences.Said) bool {
	return slices.Contains([]string{"search", "find"}, c.Verb) && s.Is(0, c.Verb) && len(c.things) > 0 && c.isNamedWholly(HeardIn(s))
}

// IsWhose reports whether a request names the interface. A name that its tools have as a word for
// what they are about is one only where it is written as a name.
func (c *Candidate) IsWhose(s sentences.Said) bool {
	if len(c.Whose) == 0 {
		return false
	}
	for i := range s.Words {
		if !s.Words[i].Quoted && s.From(i).Begins(c.Whose...) && (!c.common || i > 0 && IsNameLike(s, i)) {
			return true
		}
	}
	return false
}

// toolRequest is a sentence as a request for a tool; false when it can be none.
func toolRequest(s sentences.Said) (sentences.Said, mood, bool) {
	for _, wish := range []string{"i want to", "i would like to", "i wanna", "let me", "let us"} {
		if n := s.StandsAt(0, wish); n > 0 && n < len(s.Words) {
			s = s.From(n)
			break
		}
	}
	s = inToolWords(s)
	if isNoTools(s) {
		return s, 0, false
	}
	if len(s.Words) == 0 || sentences.HasAny(head(s), "not", "never", "without", "cannot", "why", "unless", "should") || s.Is(0, "i", "he", "she", "they", "we", "that", "this", "it") {
		return s, 0, false
	}
	if !s.Question && (s.Is(1, "i", "he", "she", "they", "we") || s.Is(2, "i", "he", "she", "they", "we")) && Verbs[s.Words[0].Lower] == 0 && !s.Is(0, "what", "which", "how", "when", "where", "who", "do", "did", "have", "am", "can") {
		return s, 0, false // it tells something
	}
	first := s.Words[0].Lower
	_, isVerb := Verbs[first]
	asks := s.Is(0, "what", "how", "when", "where", "which", "who", "any", "is", "are", "do", "does", "did", "has", "have", "was", "were", "whose", "will", "would", "does")
	for i := 1; i < min(len(s.Words), 5) && !s.Question && !asks; i++ {
		if s.Is(i, "is", "are", "has", "have", "will", "would", "should", "could", "can", "may", "might", "must", "was", "were", "did") && !s.Is(i-1, "what", "which", "that", "who", "there", "where", "how", "when") && !s.Is(i-2, "when", "if", "once", "until", "unless", "while") {
			return s, 0, false // it tells something
		}
	}
	switch {
	case s.Is(0, "do") && s.Is(1, "a", "an", "the", "my", "another"):
		return s, Order, true
	case (s.Question || asks) && !isOrderAtFirst(s):
		return s, questioning, true
	case !qualities[first] && !(isGeneric(first) && s.Is(1, "of")) && !slices.Contains([]string{"data", "info", "information", "status", "state", "value"}, first) && (isVerb || !IsFiller(first) && !s.Words[0].Quoted):
		return s, Order, true
	}
	return s, naming, true
}

// begun is a sentence that begins with "start watching" or "stop watching", where there is a tool to
// watch or to unwatch, and none to start that.
func (x *Lexicon) begun(s sentences.Said) sentences.Said {
	if len(s.Words) < 3 || s.Words[1].Quoted || !strings.HasSuffix(s.Words[1].Lower, "ing") {
		return s
	}
	verb := Stem(s.Words[1].Lower)
	has := func(first, second string) bool {
		return slices.ContainsFunc(x.Tools, func(c Candidate) bool {
			return slices.Contains(c.name, first) && (second == "" || slices.Contains(c.name, second))
		})
	}
	starts, stops := has("start", verb), has("stop", verb)
	if has(verb+"e", "") || has("un"+verb+"e", "") {
		verb += "e"
	}
	switch {
	case s.Is(0, "start", "begin", "keep") && has(verb, "") && !starts && !has("start", verb):
		return beginningOf(s, verb, 2)
	case s.Is(0, "stop", "quit") && has("un"+verb, "") && !stops && !has("stop", verb):
		return beginningOf(s, "un"+verb, 2)
	}
	return s
}

// qualities are words before what is named, which no order begins with.
var qualities = sentences.WordsIn(`newest latest current total next upcoming recent daily weekly monthly average today's tomorrow's yesterday's live`)

// isNoTools reports whether a sentence asks how something is done or who did it, wants company, or
// takes something out of what it says.
func isNoTools(s sentences.Said) bool {
	for _, p := range []string{"tell me how", "show me how", "explain how", "how to", "how do i", "how can i", "how should i", "how would i"} {
		if s.StandsAt(0, p) > 0 {
			return true
		}
	}
	head := head(s)
	for i := range head.Words {
		if head.Is(i, "but", "nothing", "nobody", "instead", "except") && !IsNameLike(head, i) || head.Is(i, "with") && head.Is(i+1, "me", "us") {
			return true
		}
	}
	_, idiom := s.Any("hold|hang|come|go|move|carry on", "wait a? minute|second|sec|moment", "pay attention")
	return idiom
}

// asksWho reports whether a sentence asks who did something, which a tool tells only by a value that
// it lists.
func asksWho(s sentences.Said) bool {
	return s.Is(0, "who") && !s.Is(1, "is", "are", "has", "have", "sings", "sang", "plays")
}

// inToolWords is a sentence with what people say in several words in the one that tools use: "tell
// me when" is an alert, and to start watching is to watch.
func inToolWords(s sentences.Said) sentences.Said {
	for _, p := range []string{"tell me", "let me know", "notify me", "warn me", "ping me", "inform me"} {
		if n := s.StandsAt(0, p); n > 0 && n+1 < len(s.Words) && s.Is(n, "when", "if", "once", "whenever", "as") {
			return beginningOf(s, "alert", n)
		}
	}
	return s
}

// beginningOf is a sentence that begins with another word in place of its first n.
func beginningOf(s sentences.Said, with string, n int) sentences.Said {
	out := s
	out.Words = append([]sentences.Word{{Lower: with, Start: s.Words[0].Start, End: s.Words[n-1].End}}, s.Words[n:]...)
	return out
}

// head is a sentence without what it passes on: what is quoted, or stands behind a colon or "saying".
func head(s sentences.Said) sentences.Said {
	for i, w := range s.Words {
		if w.Quoted || s.Is(i, "saying", "says") || i > 1 && s.Is(i, "body", "subject", "text", "message") {
			return s.UpTo(i)
		}
		if w.Colon {
			return s.UpTo(i + 1)
		}
	}
	return s
}

// isOrderAtFirst reports whether a sentence with a question mark is an order all the same.
func isOrderAtFirst(s sentences.Said) bool {
	return s.Is(0, "show", "get", "list", "find", "search", "give", "check", "compare", "fetch") && len(s.Words) > 1
}

// Fitting are the tools that a request may mean, best first.
func (l Chooser) Fitting(s sentences.Said, m mood) []Suited {
	l.Known.Read(l.P.Tools)
	s = l.Known.begun(s)
	heard := HeardIn(s)
	var out []Suited
	byVerb := true
	whose := false
	for i := range l.Known.Tools {
		c := &l.Known.Tools[i]
		if heard.isExactly(s, c.Offered.Name) || c.IsWhose(s) {
			whose = true
		}
	}
	for i := range l.Known.Tools {
		c := &l.Known.Tools[i]
		exact := heard.isExactly(s, c.Offered.Name)
		if whose && !exact && !c.IsWhose(s) {
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
		out = slices.DeleteFunc(out, func(f Suited) bool { return !f.named && len(f.untold()) > 0 && !f.Exact })
	}
	slices.SortStableFunc(out, func(a, b Suited) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.Offered.Name, b.Offered.Name))
	})
	return out
}

// Heard are a sentence's words as they are compared, each once.
type Heard struct {
	Terms []string
	stems []string // as they are
	first string   // the first of them
	deeds deeds    // what the verb at its beginning does
	// asked are words for what the way of asking wants, and asking the places of the words that
	// ask so.
	asked  []string
	asking []int
}

// HeardIn are the words of a request as those of tools are compared.
func HeardIn(s sentences.Said) Heard {
	var out Heard
	add := func(t string) {
		if t != "" && !slices.Contains(out.Terms, t) {
			out.Terms = append(out.Terms, t)
		}
	}
	for i, w := range s.Words {
		if w.Quoted || strings.HasSuffix(w.Lower, "ing") && s.Is(i-1, "i", "we", "they", "you") && s.Is(i-2, "am", "are", "were", "was") {
			continue // what somebody is doing is no name of a tool
		}
		if seconds[units[w.Lower]] > 0 && (s.Is(i-1, "an", "a", "half", "one") || i > 0 && IsNumber(s.Words[i-1].Lower)) {
			continue // how long is none either
		}
		for _, part := range NameWords(w.Lower) {
			add(TermOf(part))
			out.stems = append(out.stems, Stem(part))
		}
		if s.Is(i, "vs", "versus") {
			add("compare")
		}
		if n := strings.Trim(w.Lower, "€$£"); sameDeeds(s.Words[0].Lower) != nil && (isCurrency(units[w.Lower]) || n != w.Lower && IsNumber(n)) {
			add("money") // which a sum is of
		}
		if i+1 < len(s.Words) {
			next := s.Words[i+1].Lower
			if one := compounds[[2]string{w.Lower, next}]; one != "price" || i+2 == len(s.Words) || s.Is(i+2, "is", "are", "for", "does", "do") {
				add(one) // how much somebody spent is no price
			}
			if len(w.Lower) > 2 && len(next) > 2 {
				add(TermOf(w.Lower + next))
			}
		}
	}
	if w := s.Words[0]; !w.Quoted {
		out.first, out.deeds = TermOf(w.Lower), Verbs[w.Lower]
	}
	switch {
	case s.Is(0, "take") && !sentences.HasAny(s, "off", "out", "away", "from", "down"):
		out.deeds = 0 // a photo, a nap
	case s.Is(0, "open") && !s.Is(1, "a", "an", "new", "another") && len(s.Words) > 1:
		out.deeds = toLook // what is there
	}
	out.hearAsked(s)
	return out
}

// isExactly reports whether a request has a tool's very name.
func (h Heard) isExactly(s sentences.Said, name string) bool {
	for i, w := range s.Words {
		if !w.Quoted && strings.EqualFold(w.Lower, name) && (strings.ContainsAny(w.Lower, "._-/") || s.Is(i-1, "call", "use", "run", "tool")) {
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
func (l Chooser) evidenceOf(c *Candidate, s sentences.Said, m mood, h Heard, exact bool) (e evidence, worth int) {
	e = evidence{exact: exact, whose: c.IsWhose(s), ownVerb: c.own != "" && slices.Contains(h.Terms, c.own)}
	shows := m == Order && h.deeds&toLook != 0 && h.first != TermOf(c.Verb) && len(slices.DeleteFunc(slices.Clone(h.stems), func(w string) bool { return w != h.first })) == 1
	for _, t := range h.Terms {
		each := c.Terms[t]
		worth += each * rarity(l.Known.held[t], len(l.Known.Tools))
		if shows && t == h.first {
			continue
		}
		if each > asGeneric && (each == inName || !slices.Contains(c.Whose, t) || e.whose && each >= InDescription) {
			e.telling++
			if t != h.first {
				e.beside++
			}
			if slices.Contains(c.values, t) {
				e.values++
			}
			e.unique = e.unique || each >= InDescription && l.Known.held[t] == 1
		}
		if each == asGeneric && l.Known.alone[t] == c.Offered.Name && m != Order {
			e.telling, e.unique = e.telling+1, true
		}
	}
	if c.tellsWhatIsAsked(s) {
		e.telling, e.said, e.unique = e.telling+2, len(c.things), true
		worth += inName
	}
	for _, t := range h.toldBy(c) {
		e.telling, e.beside, e.unique = e.telling+1, e.beside+1, true
		worth += max(c.Terms[t], InDescription) * rarity(l.Known.held[t], len(l.Known.Tools))
		if slices.Contains(c.things, t) {
			e.said++
		}
	}
	if slices.ContainsFunc(c.slots, func(p Slot) bool {
		return !p.closed && slices.ContainsFunc(p.choices, func(v string) bool { return sentences.HasAny(s, strings.ToLower(v)) })
	}) {
		e.beside++ // an example of what it takes
	}
	for _, t := range c.things {
		if slices.Contains(h.Terms, t) && !(shows && t == h.first) { // who wants to be shown something doesn't speak of shows
			e.said++
			e.noun = e.noun || t != h.first
		}
	}
	for _, w := range h.stems {
		if slices.Contains(c.name, w) && !isGeneric(w) && !IsFiller(w) {
			worth += literally
		}
	}
	if slices.ContainsFunc(c.aliases, func(a string) bool { return slices.Contains(h.Terms, a) }) {
		e.said = max(e.said, len(c.things))
		e.noun = e.noun || slices.ContainsFunc(c.aliases, func(a string) bool { return a != h.first && slices.Contains(h.Terms, a) })
	}
	e.verbOnly = len(c.things) == 0 && len(c.name) > 1 && !slices.ContainsFunc(c.name, func(w string) bool { return !slices.Contains(h.stems, w) })
	e.strange = m == Order && c.isStrange(s, h)
	return e, worth
}

// isStrange reports whether an order begins with a verb that nobody knows.
func (c *Candidate) isStrange(s sentences.Said, h Heard) bool {
	return h.deeds == 0 && c.Terms[h.first] == 0 && s.Words[0].Lower != c.about && s.Is(1, articles...)
}

// weigh is how well a tool fits a request, by the words of the request or else by the tool's own verb
// for the same deed; false when it doesn't.
func (l Chooser) weigh(c *Candidate, s sentences.Said, m mood, h Heard, exact bool) (Suited, bool) {
	if does := exact || c.does(s, m, h) && !isPhrasal(s); does && !(m == Order && c.isStrange(s, h)) {
		if f, ok := l.weighAs(c, s, s, m, h, exact); ok || m != Order {
			return f, ok
		}
	}
	if like, ok := c.inItsWords(s); ok && m == Order && !exact {
		return l.weighAs(c, s, like, m, h, exact)
	}
	if m == Order && !exact && c.isStrange(s, h) && c.does(s, m, h) {
		return l.weighAs(c, s, s, m, h, exact)
	}
	return Suited{Candidate: c}, false
}

// weighAs is how well a tool fits a request that is filled from it as it may be said in the tool's
// words.
func (l Chooser) weighAs(c *Candidate, s, as sentences.Said, m mood, h Heard, exact bool) (Suited, bool) {
	f := Suited{Candidate: c, like: as.Words[0] != s.Words[0]}
	e, worth := l.evidenceOf(c, s, m, h, exact)
	if f.like {
		s, h = as, HeardIn(as)
		e.strange = false
	}
	f.score = worth
	if !exact && e.telling == 0 && e.beside == 0 && !e.whose && !e.verbOnly && !c.isOnlyVerb(h) && !e.ownVerb && !c.IsShaped(s) && !c.isMeasured(s, h) && !c.converts() && !f.like {
		return f, false
	}
	f.Filling = l.Fill(s, c, h, exact || e.verbOnly || e.said > 0 && 2*e.said >= len(c.things) || e.whose && e.telling > 0, e.strange)
	f.Exact = exact
	if !exact && f.isOther(e, s, m, h) {
		return f, false
	}
	if f.addressed && e.said > 0 {
		f.shaped = true
	}
	for _, t := range c.things { // a value says what its parameter is called
		if e.said > 0 && !slices.Contains(h.Terms, t) && f.gives(t) {
			e.said++
		}
	}
	f.named = exact || e.verbOnly || e.said > 0 && 2*e.said >= len(c.things) || e.whose && e.telling > 0
	f.whole = exact || e.verbOnly || e.said > 0 && e.said == len(c.things) || e.whose && f.named
	if e.strange && len(f.Missing()) > 0 && !exact || !e.whose && f.speaksOfOurs(s) || f.timed && f.moment == "" && !f.Looks && !f.whole {
		return f, false // what has no time would be done at once
	}
	if !exact && !c.Looks && m == Order && !e.noun && !e.whose && !f.shaped {
		if f.like && !f.givesName() {
			return f, false // neither what is done nor with what is said in the tool's words
		}
		f.doubt(e)
	}
	all := len(f.left()) == 0 && len(f.Missing()) == 0
	e.says = m == Order && e.beside > 0 && (s.Words[0].Lower == c.about || h.deeds&Verbs[c.about]&^toLook != 0) && len(f.left()) == 0
	e.covered = c.Looks && all && e.telling > e.values && (m != Order || h.deeds&toLook != 0 || s.Is(0, "tell", "give") || h.deeds == 0 && c.Terms[h.first] >= InDescription)
	e.set = all && m == Order && !f.like && (f.measured && c.Verb != "" && h.first == TermOf(c.Verb) && h.deeds&^toLook != 0 || f.measured && h.deeds&c.deeds&toSet != 0 || turnsOn(s) && c.turnsOn() && e.telling > 0)
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
	f.score += unsaidThing*(len(c.things)-e.said) + notUsed*untold + notGiven*len(f.Missing()) + f.worth + f.manner(s, m, h) + f.suits(s, e)
	if searches {
		f.score += sameVerb
	}
	return f, true
}

// isOther reports whether a request wants something else than a tool does, though it has words of it.
func (f Suited) isOther(e evidence, s sentences.Said, m mood, h Heard) bool {
	c, first := f.Candidate, s.Words[0].Lower
	switch {
	case m != questioning && c.Looks && f.saysSwitch():
		return true // what is turned on or off isn't only looked at
	case asksWho(s) && !slices.ContainsFunc(c.slots, func(p Slot) bool { _, to := f.choiceAt(p, 1); return p.closed && to > 0 }):
		return true
	case m == Order && !f.like && c.isOtherDeed(s, h):
		return true
	}
	// What begins so wants something done: heat the soup.
	return m == Order && c.Looks && h.deeds == 0 && sameDeeds(first) == nil && c.Terms[h.first] > 0 && e.beside == 0 && !s.Words[0].Quoted && s.Is(1, "up", "down", "the", "my", "our", "it")
}

// doubt notes of a tool that changes something, of which only the verb was said, whether it is meant.
func (f *Suited) doubt(e evidence) {
	first := f.S.Words[0].Lower
	if f.like {
		first = beginsWith(f.S)
	}
	bare := e.beside == 0 && !f.chosen()
	f.byVerb = bare && f.isItsVerb(first)
	f.unsure = f.like || bare && (f.givesThing() || !f.isItsVerb(first) && f.givesName() || Verbs[first]&^toLook != 0 && len(f.Params) > 0 && !f.givesName())
	f.named = f.named || f.unsure && len(f.left()) == 0
}

// isItsVerb reports whether a word is a verb by which a tool says what it does, and not one that only
// does the like.
func (c *Candidate) isItsVerb(word string) bool {
	return slices.Contains(c.acts, word) || slices.Contains(c.synonyms, word) || slices.Contains(c.name, Stem(word)) || c.about == word || c.own != "" && TermOf(word) == c.own
}

// suits is what else speaks for a tool, or against it.
func (f Suited) suits(s sentences.Said, e evidence) (score int) {
	if f.timed && f.moment == "" {
		score += notTimed
	}
	if saysNow(s) && f.tellsNow() {
		score += ofNow
	}
	if f.tellsAsAsked(s) {
		score += asAsked
	}
	if f.Looks && f.ofMany && f.isOneSaid(s) {
		score += ofMany
	}
	if f.unsure {
		score += guessed
	}
	if f.Exact {
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
func (f *Filling) saysSwitch() bool {
	for i, w := range f.S.Words {
		if !f.used[i] && !w.Quoted && (w.Lower == "off" || w.Lower == "on" && f.isSwitched(i)) {
			return true
		}
	}
	return false
}

// chosen reports whether a parameter has one of the values that it lists.
func (f *Filling) chosen() bool {
	return slices.ContainsFunc(f.c.slots, func(p Slot) bool {
		_, given := f.Params[p.Name]
		return given && p.closed
	})
}

// givesName reports whether a value is written as a name is: with a capital, a digit or in
// quotation marks.
func (f *Filling) givesName() bool {
	for _, value := range f.Params {
		if text, ok := value.(string); ok && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
			return true
		}
	}
	return slices.ContainsFunc(f.S.Words, func(w sentences.Word) bool { return w.Quoted })
}

// givesThing reports whether a value is a thing that has no name, such as "the garage door": the
// verb alone doesn't tell whether it is one of those that the tool is for.
func (f *Filling) givesThing() bool {
	return slices.ContainsFunc(f.c.slots, func(p Slot) bool {
		text, given := f.Params[p.Name].(string)
		if !given || p.closed || !p.Required && p.Name != f.free || isWhen(p.kind) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
			return false
		}
		from, to := f.find(text)
		return from < to && !f.S.Words[from].Quoted && f.S.Is(from-1, articles...)
	})
}

// mayUse asks whether the tool may be used, with what its parameters are given.
func (f *Filling) mayUse() speech.Message {
	var given speech.List
	for _, p := range f.c.slots {
		if value, ok := f.Params[p.Name]; ok {
			given = append(given, say("tool.parameter", args{"name": f.c.theirs(p.Name), "value": sentences.Named(fmt.Sprint(value))}))
		}
	}
	if given == nil {
		return say("tool.may_use", args{"tool": f.c.called(), "offer": speech.Kind("use")})
	}
	return say("tool.may_use", args{"tool": f.c.called(), "offer": speech.Kind("use"), "given": given})
}

// isOtherDeed reports whether an order begins with a verb that is only a part of what a tool that changes
// something is about: to water a bay isn't to log a change of water.
func (c *Candidate) isOtherDeed(s sentences.Said, h Heard) bool {
	first := s.Words[0].Lower
	return !c.Looks && h.deeds == 0 && c.own == "" && sameDeeds(first) != nil && c.Terms[h.first] >= inName && c.actLike(first) == "" &&
		len(c.acts) > 0 && !slices.Contains(c.synonyms, first) && !c.hasChoice(first) && !c.counted(first) &&
		!slices.ContainsFunc(c.acts, func(a string) bool { return a == first || slices.Contains(h.stems, Stem(a)) })
}

// isFound reports whether what a request has of a tool is enough for it to be meant.
func (f Suited) isFound(e evidence, m mood, h Heard) bool {
	given := len(f.left()) == 0 && len(f.Missing()) == 0
	found := f.named || e.telling > 1 || f.shaped || e.says || (e.unique || e.ownVerb || f.beside) && given
	searches := f.isOnlyVerb(h)
	if !found && (!searches || len(f.left()) > 0) {
		return false
	}
	// What was said may only be taken for a value where something else says that the tool is meant.
	return f.named || f.shaped || f.free == "" || m == questioning || f.Looks && f.toldBeside() > 1 || searches || e.ownVerb || e.says || h.first == f.Verb && !isGeneric(f.Verb)
}

// manner is what the verb that a request begins with is worth for a tool.
func (f Suited) manner(s sentences.Said, m mood, h Heard) int {
	switch {
	case m == naming && !f.Looks:
		return onlyNamed
	case m != Order:
		return 0
	case f.Verb != "" && !s.Words[0].Quoted && s.Words[0].Lower == f.Verb:
		return sameVerb
	case f.isOnlyVerb(h):
		return sameVerb + 2
	case s.Words[0].Lower == f.about && !s.Words[0].Quoted:
		return sameVerb - 1
	case slices.Contains([]string{"search", "find", "lookup"}, f.Verb):
		return 0 // what is shown isn't searched for
	case h.deeds&f.deeds != 0:
		return likeVerb
	case f.Verb != "" && h.deeds == 0 && !slices.Contains(h.stems, Stem(f.Verb)) && !isGeneric(TermOf(f.Verb)):
		return unsaidVerb
	}
	return 0
}

// saysNow reports whether a request is for what is now.
func saysNow(s sentences.Said) bool {
	return sentences.HasAny(s, "now", "currently", "current", "live", "present") || strings.Contains(strings.ToLower(s.All()), "at the moment") || s.Is(0, "is", "are") && s.Is(1, "it")
}

// tellsAsAsked reports whether a tool says that it tells what is asked, in the words of the question:
// how much, how long, where.
func (c *Candidate) tellsAsAsked(s sentences.Said) bool {
	about := strings.ToLower(c.Offered.Description)
	if s.Is(0, "how") {
		return s.Is(1, "much", "many", "long", "far", "often", "fast", "late", "full", "warm", "well") && strings.Contains(about, "how "+s.Words[1].Lower)
	}
	return s.Is(0, "where", "when") && strings.HasPrefix(about, s.Words[0].Lower+" ")
}

// tellsWhatIsAsked reports whether a tool describes itself by the very question: how much data.
func (c *Candidate) tellsWhatIsAsked(s sentences.Said) bool {
	return c.Looks && s.Is(0, "how") && len(s.Words) > 2 && !IsFiller(s.Words[2].Lower) &&
		strings.Contains(strings.Join(textWords(c.Offered.Description), " "), "how "+s.Words[1].Lower+" "+s.Words[2].Lower)
}

// isOneSaid reports whether a request speaks of one of what a tool is about: the recipe.
func (c *Candidate) isOneSaid(s sentences.Said) bool {
	for i := 1; i < len(s.Words); i++ {
		if w := s.Words[i]; !w.Quoted && slices.Contains(c.things, TermOf(w.Lower)) && !strings.HasSuffix(w.Lower, "s") && s.Is(i-1, "the", "this", "that") {
			return true
		}
	}
	return false
}

// tellsNow reports whether a tool says that it tells what is now.
func (c *Candidate) tellsNow() bool {
	words := append(NameWords(c.Offered.Name), textWords(c.Offered.Description)...)
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"current", "currently", "now", "live", "realtime"}, w)
	})
}

// gives reports whether the parameter of a name has a value.
func (f Suited) gives(name string) bool {
	return slices.ContainsFunc(f.slots, func(p Slot) bool {
		_, given := f.Params[p.Name]
		return given && slices.Contains(p.words, name)
	})
}

// isMeasured reports whether a request to set something has a number in a unit that the tool counts
// in.
func (c *Candidate) isMeasured(s sentences.Said, h Heard) bool {
	return h.deeds&c.deeds&toSet != 0 && slices.ContainsFunc(c.slots, func(p Slot) bool {
		unit := p.unitOf()
		return unit != "" && unit != "percent" && seconds[unit] == 0 && slices.ContainsFunc(s.Words, func(w sentences.Word) bool { return units[w.Lower] == unit })
	})
}

// searchesAll reports whether what stands beside what is searched for is what the interface is about:
// "search the calendar for Lisbon", whatever it is that the tool calls its entries.
func (f Suited) searchesAll() bool {
	all := f.untold()
	return len(all) > 0 && !slices.ContainsFunc(all, func(w string) bool {
		t := TermOf(w)
		return !f.l.Known.names(f.Candidate, t) && !f.l.Known.describes(f.Offered.Interface, t)
	})
}

// toldBeside counts the words of the tool beside the value that took what was left.
func (f Suited) toldBeside() int {
	value, _ := f.Params[f.free].(string)
	told, out := textWords(value), 0
	for i, w := range f.S.Words {
		if !w.Quoted && f.isAbout(i) && !slices.Contains(told, w.Lower) {
			out++
		}
	}
	return out
}

// speaksOfOurs reports whether a request speaks of what Chalie keeps, and the tool doesn't.
func (f Suited) speaksOfOurs(s sentences.Said) bool {
	value, _ := f.Params[f.free].(string)
	for i, w := range s.Words {
		if f.isOurs() && (f.Looks || f.l.Known.names(f.Candidate, TermOf(w.Lower))) {
			continue
		}
		if i > 0 && !w.Quoted && chalieNouns[w.Lower] && f.Terms[TermOf(w.Lower)] == 0 && (!f.used[i] || !f.named && strings.Contains(value, w.Lower)) {
			return true
		}
	}
	return false
}

// IsShaped reports whether a request has an id that looks like those of the tool.
func (c *Candidate) IsShaped(s sentences.Said) bool {
	return slices.ContainsFunc(c.slots, func(p Slot) bool {
		for i, w := range s.Words {
			if p.shape == twoParts && isTwoParts(s, i) || p.shape != "" && shapeOf(w.Lower) == p.shape {
				return true
			}
		}
		return false
	})
}

// isOnlyVerb reports whether a request to look for something is what a tool does that looks for
// anything.
func (c *Candidate) isOnlyVerb(h Heard) bool {
	return slices.Contains([]string{"search", "find", "lookup"}, c.Verb) && (slices.Contains([]string{"search", "find"}, h.first) || h.first == "look" && slices.Contains(h.stems, "for"))
}

// isOurs reports whether a tool's name is about what Chalie keeps, too.
func (c *Candidate) isOurs() bool {
	return slices.ContainsFunc(c.name, func(w string) bool { return chalieNouns[w] || chalieNouns[w+"s"] })
}

// does reports whether a tool does what a request wants done: something is changed only where it
// is told to.
func (c *Candidate) does(s sentences.Said, m mood, h Heard) bool {
	if sentences.HasAny(head(s), "if") && !HasWordIn(c.Offered.Description, "when", "if", "alert", "notify") {
		return false
	}
	if sentences.HasAny(head(s), "you", "your") && !(s.Is(0, "do", "what", "which") && c.Looks) {
		return false
	}
	for _, way := range []string{"on", "off"} {
		if other := map[string]string{"on": "off", "off": "on"}[way]; slices.Contains(c.name, way) && slices.Contains(h.stems, other) && !slices.Contains(c.name, other) {
			return false
		}
	}
	if m == Order && turnsOn(s) && c.turnsOn() {
		return true
	}
	if m == Order && turnsOn(s) && c.deeds&toSet != 0 && (c.deeds&toStart == 0 || c.about == "switch" || c.about == "turn") && c.Verb != "turn" && c.Verb != "switch" {
		return false // what is turned on or off is what can be
	}
	switch m {
	case questioning:
		return c.Looks && (c.own == "" || slices.Contains(h.Terms, c.own) || c.converts())
	case naming:
		return true
	}
	if h.deeds&toAdd != 0 && c.own != "" && slices.Contains(h.Terms, c.own) && slices.Contains(c.things, c.own) {
		return true // to add a comment is to comment
	}
	if h.deeds&toAdd != 0 && slices.ContainsFunc(c.slots, Slot.isAddress) && slices.ContainsFunc(c.things, func(t string) bool { return slices.Contains(h.Terms, t) }) && strings.Contains(s.All(), "@") {
		return true // somebody is added by an address: invited
	}
	ownSaid := c.own == "" || slices.Contains(h.Terms, c.own) || c.hasChoice(s.Words[0].Lower)
	compound := len(s.Words) > 1 && (c.Terms[compounds[[2]string{s.Words[0].Lower, s.Words[1].Lower}]] >= inName || c.Terms[s.Words[0].Lower+s.Words[1].Lower] >= inName)
	switch worth := c.Terms[h.first]; {
	case compound, c.hasChoice(s.Words[0].Lower):
		return true
	case c.own != "" && h.first == c.own, c.undoes(s.Words[0].Lower), s.Words[0].Lower == c.about, c.counted(s.Words[0].Lower):
		return true
	case worth > asGeneric && h.deeds == 0:
		return ownSaid
	case h.first == TermOf(c.Verb) && c.Verb != "":
		return true
	case h.deeds != 0:
		if h.deeds&c.deeds != 0 {
			return ownSaid
		}
		if c.hasChoice(s.Words[0].Lower) {
			return true
		}
		return c.deeds == 0 && c.own == "" && !c.Looks && (worth > asGeneric || c.isNamedWholly(h)) || c.deeds&toStart != 0 && c.choiceIn(h) || worth >= inName && c.deeds == 0 || worth > asGeneric && !isOnlyVerbOf(h.deeds) && len(s.Words) > 1 && c.Terms[TermOf(s.Words[1].Lower)] > 0
	case s.Is(0, "tell", "ask", "use", "call", "let", "give", "go", "do"):
		return ownSaid && (c.Looks || c.own != "" || slices.ContainsFunc(c.acts, func(a string) bool { return slices.Contains(h.stems, Stem(a)) }))
	}
	if c.Looks && h.deeds == 0 && sameDeeds(s.Words[0].Lower) == nil && len(s.Words) > 1 && !s.Words[1].Quoted && slices.Contains(c.things, TermOf(s.Words[1].Lower)) {
		return true
	}
	// It begins with what it is about: "NVDA quote"; or with a verb that nobody knows, which is asked about.
	return c.Looks && (len(s.Words) <= 6 && (IsNameLike(s, 0) || strings.ContainsAny(h.first, "-_0123456789")) || len(s.Words) > 2 && s.Is(1, articles...))
}

// articles are words behind a verb.
var articles = []string{"the", "a", "an", "me", "my", "our", "all"}

// isOnlyVerbOf reports whether a verb can't be a thing, as an order or an email can.
func isOnlyVerbOf(a deeds) bool { return a&(toOrder|toSend) == 0 }

// hasChoice reports whether a word is a value that a parameter lists.
func (c *Candidate) hasChoice(word string) bool {
	return slices.ContainsFunc(c.slots, func(s Slot) bool { return s.closed && s.Required && slices.Contains(s.choices, word) })
}

// turnsOn reports whether an order turns something on or off.
func turnsOn(s sentences.Said) bool {
	return s.Is(0, "turn", "switch") && sentences.HasAny(s, "on", "off") && !s.Is(len(s.Words)-1, "up", "down")
}

// turnsOn reports whether a tool says that it turns something on or off.
func (c *Candidate) turnsOn() bool {
	return c.isSwitch() && (HasWordIn(c.Offered.Description, "off") || slices.ContainsFunc(c.slots, func(p Slot) bool {
		return HasWordIn(p.Description, "off", "on") || hasWord(p, "on", "enabled", "enable", "power", "active")
	}))
}

// isSwitch reports whether a tool needs to know whether something is to be on or off.
func (c *Candidate) isSwitch() bool {
	return slices.ContainsFunc(c.slots, func(p Slot) bool {
		return p.Required && (p.Type == domain.TypeBoolean || slices.ContainsFunc(p.choices, func(v string) bool { return strings.EqualFold(v, "off") }))
	})
}

// undoes reports whether a verb is the contrary of the only thing that a tool does, which it can be
// told: to unmute, for one that mutes or doesn't.
func (c *Candidate) undoes(verb string) bool {
	bare, un := strings.CutPrefix(verb, "un")
	return un && c.own != "" && TermOf(bare) == c.own && c.isSwitch()
}

// counted reports whether a word means a number for one of a tool's parameters: 0 = closed.
func (c *Candidate) counted(word string) bool {
	return slices.ContainsFunc(c.slots, func(p Slot) bool { return p.numberFor(word) != "" })
}

// choiceIn reports whether a request has a value that a parameter lists.
func (c *Candidate) choiceIn(h Heard) bool {
	return slices.ContainsFunc(h.Terms, func(t string) bool { return c.hasChoice(t) })
}

// isNamedWholly reports whether a request has every telling word of the tool's name:
// "put the milk on the table" doesn't mean book_table.
func (c *Candidate) isNamedWholly(h Heard) bool {
	return !slices.ContainsFunc(c.things, func(t string) bool { return !slices.Contains(h.Terms, t) })
}

// HasWordIn reports whether a text has one of some words.
func HasWordIn(text string, words ...string) bool {
	return slices.ContainsFunc(textWords(text), func(w string) bool { return slices.Contains(words, w) })
}

// Asked is the call of the tool that a request means, or a question for what it lacks.
func (f Suited) Asked(m mood) (Intent, bool) {
	out := Intent{Tool: f.Offered.Name, Params: f.Params, Subject: f.free, Moment: f.moment, Whole: f.S.All()}
	missing, left := f.Missing(), f.left()
	for _, p := range f.slots {
		if p.format != "" && out.Moment == p.Name {
			out.Moment = "" // it isn't moved in words
		}
		if p.format != "" && out.Subject == p.Name {
			out.Subject = ""
		}
	}
	switch {
	case len(missing) > 0 && !f.named && !f.Exact:
		return Intent{}, false
	case f.HasUnread():
		out.Ask, out.Missing = f.asksUnread()
	case len(missing) > 0:
		out.Missing, out.Ask, out.Among = missing[0].Name, f.lacks(missing), eachValue(out, missing)
	case f.timed && f.moment == "" && f.Looks:
		out.Ask = say("tool.not_so", args{"tool": f.called(), "why": speech.Kind("timeless"), "said": sentences.Named(f.at)})
	case f.timed && f.moment == "":
		out.Ask = say("tool.not_so", args{"tool": f.called(), "why": speech.Kind("at_once"), "said": sentences.Named(f.at)})
	case len(left) > 0 && !f.Looks && !f.Exact && m != naming:
		out.Ask = say("tool.not_so", args{"tool": f.called(), "why": speech.Kind("unclear"), "said": sentences.Named(strings.Join(left, " "))})
	case len(left) > maxLeft && !f.Exact, len(left) > 0 && m == naming && !f.Exact:
		return Intent{}, false // it speaks of more than the tool is for
	case m == questioning && f.Offered.SideEffects && f.Offered.Asks != domain.AskNever && f.Offered.Asks != domain.AskAlways && !f.Exact:
		// It doesn't say that it only looks: the person decides, once, whether it may be asked.
		out.Ask, out.Offer, out.FromNowOn, out.Label = MayAsk(f.Offered), true, true, f.labelled("ask")
	case f.isUnnamed():
		out.Ask, out.Offer, out.Label = f.mayUse(), true, f.labelled("use")
		out.unnamed = true
	case f.unsure:
		out.Ask, out.Offer, out.Label = f.mayUse(), true, f.labelled("use")
	case m == naming && !f.Looks && !f.Exact && !f.switched:
		out.Ask, out.Offer, out.Label = say("tool.may_use", args{"tool": f.called(), "offer": speech.Kind("use")}), true, f.labelled("use")
	case len(left) > 0 && !f.Exact:
		out.Ask, out.Offer, out.Label = say("tool.may_use", args{"tool": f.called(), "offer": speech.Kind("ask"), "unknown": sentences.Named(strings.Join(left, " "))}), true, f.labelled("ask")
	}
	return out, true
}

// maxLeft bounds the telling words of a request that a tool that looks has no use for.
const maxLeft = 2

// labelled is a button for a tool, by whose it is.
func (c *Candidate) labelled(offer speech.Kind) speech.Message {
	return say("label.tool", args{"offer": offer, "whose": theirs(c.Offered, cmp.Or(c.Offered.Interface, c.Offered.Name))})
}

// MayAsk asks once whether a tool may be asked questions that doesn't say that it only looks.
func MayAsk(o language.Offered) speech.Message {
	return say("tool.may_ask", args{"whose": theirs(o, cmp.Or(o.Interface, o.Name))})
}

// doing is a button that says what a tool does, and perhaps whose it is.
func (c *Candidate) doing(whose bool) speech.Message {
	about, _, _ := strings.Cut(sentences.OneLine(c.Offered.Description), ". ")
	out := args{"what": c.theirs(cmp.Or(strings.TrimRight(about, "."), c.Offered.Name))}
	if whose {
		out["whose"] = c.theirs(c.Offered.Interface)
	}
	return say("label.does", out)
}

// tied asks which of several tools is meant. Each that has all that it needs is offered by what
// it does.
func (l Chooser) tied(all []Suited) Intent {
	const few = 4
	all = all[:min(len(all), few)]
	out := Intent{Weak: true}
	var names speech.List
	for _, f := range all {
		names = append(names, f.called())
		if len(f.Missing()) > 0 || f.HasUnread() {
			continue
		}
		label := f.doing(false)
		if slices.ContainsFunc(out.Among, func(in Intent) bool { return in.Label.Is(label) }) {
			label = f.doing(true)
		}
		out.Among = append(out.Among, Intent{Tool: f.Offered.Name, Params: f.Params, Whole: f.S.All(), Label: label})
	}
	out.Ask = say("tool.which", args{"tools": names})
	return out
}

// BothTools are the two tools that do what a sentence says and no more, in their order: "cancel
// both", where one cancels appointments and one reservations. None is called while one of them
// lacks something: what each lacks is asked for then.
func (l Chooser) BothTools(text string) []Intent {
	s, ok := sentences.Read(text)
	if !ok {
		return nil
	}
	s, _ = s.Request()
	if len(s.Words) < 2 {
		return nil
	}
	l.Known.Read(l.P.Tools)
	var calls, asks []Intent
	for i := range l.Known.Tools {
		c := &l.Known.Tools[i]
		if c.Verb == "" || c.Verb != s.Words[0].Lower {
			continue
		}
		f := &Filling{l: l, S: s, c: c, used: make([]bool, len(s.Words)), Params: map[string]any{}}
		in := Intent{Tool: c.Offered.Name, Params: f.Params, Whole: s.All()}
		if missing := f.Missing(); len(missing) > 0 {
			in.Ask = f.lacks(missing)
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

// Picked are those of several tools that an answer takes: one by its place, its name or what it does,
// or all; nil for none.
func Picked(all []Intent, answer sentences.Said) []Intent {
	if said, ok := tongues.AnswerIn(answer.Text); ok && !said.No() && (said.Both() && len(all) == 2 || said.All()) {
		return all
	}
	if _, ok := answer.Any("*verb? both|all of? them?", "both|all of? them? please?", "the? two"); ok && (len(all) == 2 || len(all) > 2 && sentences.HasAny(answer, "all")) && len(answer.Words) < 5 {
		return all
	}
	for n, place := range []sentences.Phrase{"the? first|1 one? please?", "the? second|2 one? please?", "the? third|3 one? please?", "the? fourth|4 one? please?"} {
		if _, ok := answer.Match(place); ok && n < len(all) {
			return all[n : n+1]
		}
	}
	at, found := -1, 0
	for i, in := range all {
		words := append(NameWords(in.Tool), textWords(speech.English().Say(in.Label, speech.Voice{}))...)
		if !slices.ContainsFunc(answer.Words, func(w sentences.Word) bool {
			return (!IsFiller(w.Lower) || IsNumber(w.Lower)) && !slices.Contains(words, w.Lower) && !strings.EqualFold(w.Lower, in.Tool)
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
func (c *Candidate) called() speech.Message { return Called(c.Offered) }

// Called is a tool by its name, and whose it is.
func Called(o language.Offered) speech.Message {
	out := args{"what": theirs(o, o.Name)}
	if o.Interface != "" {
		out["whose"] = theirs(o, o.Interface)
	}
	return say("named", out)
}

// theirs are words of an interface, short enough for a name.
func theirs(o language.Offered, words string) speech.Text {
	return speech.Text{Words: sentences.Cut(sentences.OneLine(words), sentences.MaxNameBytes), Theirs: o.Interface}
}

func (c *Candidate) theirs(words string) speech.Text { return theirs(c.Offered, words) }

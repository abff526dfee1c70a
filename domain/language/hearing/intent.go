package hearing

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/deed"
	"chalie/domain/language/when"
)

// intent is what a sentence asks for: a call, or a question back.
type intent struct {
	tool   string // as it was offered
	params map[string]any
	// subject and moment are the parameters that "no, the bread" and "no, tomorrow"
	// change; "" for none.
	subject, moment string
	whole           string   // the sentence it was heard in
	ask             string   // what is missing, as a question; no call is made then
	unnamed         bool     // of a tool that would be used by a value alone: no word names what it does
	offer           bool     // nothing is missing: the question is whether it should be done
	missing         string   // the parameter that is asked for, when an answer can give it
	weak            bool     // only the whole of what was said, never a part of it
	way             way      // how it was understood
	label           string   // what a button for it says
	among           []intent // what it may be, each offered by a button
	late            bool     // a tool's, which may as well be meant for Chalie
	theirs          bool     // a tool's that has all it needs, of a request that has no word for what Chalie keeps
	fromNowOn       bool     // a yes to it is for the future, too
}

// What Chalie itself can do, by the names it is offered by.
const (
	skillRemind   = "remind"
	skillReminder = "reminder"
	skillTask     = "task"
	skillList     = "list"
	skillRemember = "remember"
	skillRecall   = "recall"
	skillForget   = "forget"
	skillStatus   = "status"
	skillPlans    = "plans"
	skillWhy      = "why"
)

// ownInterface is whose tools those are.
const ownInterface = "Chalie"

// listener understands what a person says, as far as it is simple.
type listener struct {
	p     language.Prompt
	known *lexicon
	times *times
	ended func() bool         // whether nobody waits for it any more; nil for never
	texts map[string][]intent // what texts ask for with the tools of p: many hearers go back to the same
	deeds map[string][]intent // what they ask for by a tool's deed
}

func newListener(p language.Prompt) listener {
	return listener{p: withoutMessages(readBack(p)), known: &lexicon{}, texts: map[string][]intent{}, deeds: map[string][]intent{},
		times: &times{texts: map[string]*when.Text{}, timings: map[string]timing{}, worked: map[string]bool{}}}
}

// withoutMessages is a prompt without the messages of programs that are in mind: what one says names nothing that
// the person might mean.
func withoutMessages(p language.Prompt) language.Prompt {
	isMessage := func(in language.ContextItem) bool { return in.Kind == domain.ItemMessage }
	if slices.ContainsFunc(p.World, isMessage) {
		p.World = slices.DeleteFunc(slices.Clone(p.World), isMessage)
	}
	return p
}

// under is a listener that stops reading when ctx ends: what it hears then isn't all that was said.
func (l listener) under(ctx context.Context) listener {
	l.ended = func() bool { return ctx.Err() != nil }
	return l
}

func (l listener) isGivenUp() bool { return l.ended != nil && l.ended() }

// times are the times that texts were read as for one reply. Many hearers try the same words.
type times struct {
	texts   map[string]*when.Text
	timings map[string]timing
	worked  map[string]bool // whether it is a question that can be worked out
}

// timesIn looks for times in a text for the person, once.
func (l listener) timesIn(text string) *when.Text {
	t, known := l.times.texts[text]
	if !known {
		t = when.Look(text, l.p.AsOf, l.zone())
		l.times.texts[text] = t
	}
	return t
}

// parse is when.Parse of a text for the person.
func (l listener) parse(text string) (when.Time, error) { return l.timesIn(text).Parse() }

// narrow is when.Narrow of a text for the person.
func (l listener) narrow(text string) (when.Window, string, error) { return l.timesIn(text).Narrow() }

// parts is when.Parts of a text for the person.
func (l listener) parts(text string) (day, clock bool) { return l.timesIn(text).Parts() }

// hears is what a text asks for: nothing, one thing, or two. What it says is never
// more than the text does. Who asks may change what it gets.
func (l listener) hears(text string) []intent {
	out, known := l.texts[text]
	if !known {
		if l.isGivenUp() {
			return nil
		}
		out = l.read(text)
		l.texts[text] = out
	}
	return cloned(out)
}

// onlyDecides reports whether a call is what was asked for with what it lacked: which of the deeds of the tool it
// is, which a word names.
func (l listener) onlyDecides(lacks, call intent) bool {
	if call.ask != "" || call.tool != lacks.tool || lacks.missing == "" || len(call.params) != len(lacks.params)+1 {
		return false
	}
	o, _ := l.offered(call.tool)
	return slices.ContainsFunc(o.Parameters, func(p domain.Parameter) bool { return p.Name == lacks.missing && p.Type == domain.TypeBoolean })
}

// explains reports whether a call is what was heard, with nothing left that it has no use for: what was left only
// tells why.
func explains(call, heard intent) bool {
	if call.ask != "" || call.tool != heard.tool || heard.missing != "" || len(heard.among) > 0 {
		return false
	}
	for name, value := range heard.params {
		if !reflect.DeepEqual(call.params[name], value) {
			return false
		}
	}
	return true
}

// cloned are intents of which nothing is shared.
func cloned(all []intent) []intent {
	out := slices.Clone(all)
	for i, in := range out {
		out[i].params, out[i].among = maps.Clone(in.params), cloned(in.among)
	}
	return out
}

// read is what a text asks for, which hears keeps.
func (l listener) read(text string) []intent {
	if abroad := l.abroad(text); abroad != nil {
		return l.orByDeed(text, byTongue.in(abroad))
	}
	if _, foreign := l.tongue(text); foreign {
		return l.byDeed(text)
	}
	s, ok := read(text)
	if !ok || l.isWorkedOut(text) {
		return nil
	}
	s = s.withoutIdle().askedPlainlyOf()
	return l.orByDeed(text, l.keptTwice(s, l.heardOf(s)))
}

// orByDeed is what was heard, or what a tool does that is asked for by its deed, where nothing was heard, or
// something of which nothing in mind has the name.
func (l listener) orByDeed(text string, heard []intent) []intent {
	lacks := len(heard) == 1 && heard[0].ask != "" && heard[0].tool != "" && !l.isOwn(heard[0].tool)
	timeless := len(heard) == 1 && heard[0].ask != "" && heard[0].tool == skillRemind
	if len(heard) > 0 && !lacks && !timeless && !slices.ContainsFunc(heard, l.isUnknown) {
		return heard
	}
	calls := l.byDeed(text)
	if len(calls) == 0 {
		return heard
	}
	if timeless { // an alarm without a time may be one that a tool arms, where its very verb is said
		arms := deed.Says(text, "activate") || deed.Says(text, "arm")
		if arms && len(calls) == 1 && slices.ContainsFunc(nameWords(calls[0].tool), func(w string) bool { return deed.Says(text, w) }) {
			return calls
		}
		return heard
	}
	asks := slices.ContainsFunc(calls, func(in intent) bool { return in.ask != "" })
	switch {
	case lacks && len(calls) > 1: // take 3 and take 5
		if asks || slices.ContainsFunc(calls, func(in intent) bool { return in.tool != heard[0].tool }) {
			return heard
		}
	case lacks:
		if !l.onlyDecides(heard[0], calls[0]) && !explains(calls[0], heard[0]) {
			return heard
		}
	case len(heard) > 1:
		if asks || len(calls) < len(heard) {
			return heard
		}
	case len(heard) == 1 && slices.ContainsFunc(calls, func(in intent) bool { return in.ask != "" && (in.offer || in.missing == "") }):
		return heard // a guess is no better than another
	case len(heard) == 1 && isOwnCancel(heard[0]):
		return l.orKept(heard[0], calls)
	}
	return calls
}

// heardOf is what a sentence asks for.
func (l listener) heardOf(s said) []intent {
	asked := l.asRemind(s)
	if out := l.heard(asked); asked.text == s.text || slices.ContainsFunc(out, func(in intent) bool { return in.tool == skillRemind }) && !slices.ContainsFunc(out, intent.saysRemind) {
		return out
	}
	return l.heard(s)
}

// saysRemind reports whether what an intent is about are words by which reminders are asked for,
// which may not have been said so.
func (in intent) saysRemind() bool {
	if in.tool == skillRemind {
		what, _ := in.params["what"].(string)
		return strings.Contains(what, "remind me")
	}
	for _, value := range in.params {
		if text, ok := value.(string); ok && strings.Contains(text, "remind me") {
			return true
		}
	}
	return false
}

// heard is what a sentence asks for in which "remind me" says so.
func (l listener) heard(s said) []intent {
	out := byParts.in(l.asked(s))
	bare, polite := s.request()
	if len(out) == 1 && l.isUnknown(out[0]) {
		bare := bare
		bare.question = bare.question && !polite
		if tool, fits := l.tool(bare); fits && tool.theirs && (out[0].tool != skillRecall || !tool.late) {
			tool.way = byTool
			return []intent{tool}
		}
		if l.known.read(l.p.Tools); slices.ContainsFunc(l.known.tools, func(c candidate) bool { return c.isShaped(bare) }) {
			return nil // it is about what only a tool has such ids of
		}
	}
	strange := bare.unreadable()
	for i := range out {
		out[i].narrow(bare)
		out[i] = l.evenDays(out[i], bare)
		if sets := out[i].tool == skillRemind || out[i].tool == skillAppointment || out[i].tool == skillTask; sets && strange != "" && out[i].ask == "" {
			out[i] = intent{tool: out[i].tool, way: out[i].way, ask: "I don't read " + mention(strange) + ", which may say when, so I have set nothing. If it is a name or what I should say, put it in quotation marks."}
		}
	}
	return out
}

func (l listener) asked(s said) []intent {
	s, polite := s.request()
	if len(s.words) == 0 {
		return nil
	}
	s.question = s.question && !polite
	s = s.spelled().opened().mended()
	if asked := l.asksEither(s); asked != nil {
		return asked
	}
	for _, hear := range []func(said) (intent, bool){l.noticed, l.claimed, l.asksMySpan, l.asksWaking, l.asksClash, l.asksRoom, l.unwished, l.timeToGo, l.oftenNamed, l.resizes, l.invites} {
		if one, ok := hear(s); ok {
			return []intent{one}
		}
	}
	if s.is(0, "how", "in") {
		if one, ok := l.asksPlan(s); ok {
			return []intent{one}
		}
	}
	if one, ok := l.memorized(s); ok {
		return []intent{one}
	}
	if one, ok := l.cued(s); ok && one.ask == "" {
		return l.each(one)
	}
	if both := l.sameList(s); both != nil {
		return both
	}
	if one, ok := l.pointed(s); ok && !s.question {
		return []intent{one}
	}
	if several := l.tasksBegun(s); len(several) > 1 {
		return several
	}
	if both := l.swapped(s); both != nil {
		return both
	}
	if one, ok := l.endsBefore(s); ok {
		return []intent{one}
	}
	if one, ok := l.movesBefore(s); ok {
		return []intent{one}
	}
	if one, ok := l.appoints(s); ok {
		return []intent{one}
	}
	if all := l.alarmsInTurn(s); all != nil {
		return all
	}
	if both := l.inTurn(s); both != nil {
		return both
	}
	if one, ok := l.cued(s); ok {
		return l.each(one)
	}
	if one, ok := l.rung(s); ok {
		return l.each(one)
	}
	if both := l.two(s); both != nil {
		return both
	}
	one, ok := l.one(s)
	switch {
	case !ok:
		return nil
	case one.tool == skillRecall && s.is(0, "when"):
		// It may be planned, or remembered: the skill looks for both.
		return []intent{l.asksWhen(one, s)}
	}
	return l.each(one)
}

// asksWhen is a question for the time of something, which is asked of the plans first.
func (l listener) asksWhen(in intent, s said) intent {
	if f, ok := l.takeApart(s); ok {
		if again, ok := l.framed(s); ok && f.act == asking {
			return again
		}
	}
	return intent{tool: skillPlans, params: map[string]any{"which": in.params["about"]}, subject: "which"}
}

// one is the single thing that a sentence asks for.
func (l listener) one(s said) (intent, bool) {
	if l.isGivenUp() {
		return intent{}, false
	}
	for _, hear := range []func(said) (intent, bool){
		l.undone, l.why, l.status, l.listTold, l.tasksAsked, l.plans, l.reminder, l.remind, l.list, l.onList, l.task, l.remember, l.worth, l.recall, l.forget,
	} {
		if got, ok := hear(s); ok {
			got.way = byPhrase
			return got, true
		}
	}
	tool, fits := l.tool(s)
	tool.way = byTool
	if fits && !tool.late {
		return tool, true
	}
	for _, hear := range []func(said) (intent, bool){l.valued, l.overheard, l.skipsAny, l.pausesAny, l.onMove, l.asksAfter, l.asksPlan, l.removes, l.appoints, l.ends, l.onlyAlarm, l.framedNow, l.asksPeriod, l.doneWith, l.asksMemory, l.asksTime, l.stated} {
		if got, ok := hear(s); ok {
			if got.tool == skillRemove && fits && !l.holds(got) {
				break // nothing that is kept here is known by that
			}
			return got, true
		}
	}
	return tool, fits
}

// isUnknown reports whether an intent is about something by a name that nothing in mind has.
func (l listener) isUnknown(in intent) bool {
	param := map[string]string{skillPlans: "which", skillReminder: "which", skillAppointment: "about", skillRemove: "which", skillHeard: "about", skillValues: "of", skillTask: "which", skillRecall: "about"}[in.tool]
	words, _ := in.params[param].(string)
	if words == "" && in.tool == skillAppointment {
		words, _ = in.params["which"].(string)
	}
	which, ok := read(words)
	return ok && in.params["action"] != "add" && in.params["action"] != "create" && !l.isKnown(which)
}

// holds reports whether what is to go is one of the things that are in mind.
func (l listener) holds(in intent) bool {
	words, _ := in.params["which"].(string)
	which, ok := read(words)
	return ok && l.isKnown(which)
}

// two are the things that a sentence asks for before and behind an "and", a comma
// or a stop: "remind me to call Anna at 8 and put milk on the list".
func (l listener) two(s said) []intent {
	for i, tried := 1, 0; i < len(s.words) && tried < maxSplits; i++ {
		from := i
		switch {
		case s.is(i, "and", "then"):
			from++
		case !s.words[i-1].stop:
			continue
		}
		tried++
		rest, polite := s.from(from).request()
		if len(rest.words) == 0 {
			continue
		}
		rest.question = s.question && !polite
		before := s.upTo(i)
		before.question = false
		first, ok := l.one(before) // of a list it is the shorter one
		if ok && (first.weak || first.tool == skillRemind && first.ask != "") || !ok && !before.tellsOnly() {
			continue // what a reminder lacks may follow: "a reminder for Friday, 2 pm, dentist"
		}
		second, follows := l.one(rest)
		if !follows || second.weak {
			continue
		}
		if !ok && !l.isOwn(second.tool) && second.ask == "" {
			return []intent{second} // why it is wanted stands before it
		}
		if !ok || l.isOwn(first.tool) && !l.isOwn(second.tool) {
			continue // "remind me to open the door and turn on the light" is one
		}
		if first.tool == skillList && second.tool == skillList && second.params["action"] == "show" && first.params["action"] != "show" {
			continue // "delete the shopping list and the holiday list"
		}
		if second.tool == skillPlans && !rest.asks() && (first.params["action"] == "cancel" || first.params["action"] == "drop") {
			continue // "drop every reminder and alarm", "cancel the 8 am and 2 pm alarms"
		}
		if !l.isOwn(second.tool) && (first.ask != "" || second.ask != "" || !l.isOwn(first.tool) && verbs[rest.words[0].lower] == 0 && !l.known.isVerb(rest.words[0].lower)) {
			continue // what follows the comma belongs to what stands before it
		}
		return []intent{first, second}
	}
	return nil
}

// tellsOnly reports whether a clause tells how something is, and no condition.
func (s said) tellsOnly() bool {
	return len(s.words) > 2 && !s.asks() && !hasAny(s, "if", "when", "once", "unless", "until", "while", "whenever", "after", "before", "not", "should", "would", "could", "might", "may", "said", "says") &&
		hasAny(s, "is", "are", "am", "has", "have", "was", "were", "feels", "looks", "seems")
}

// asks reports whether a sentence begins as a question does, or as who wants to be told.
func (s said) asks() bool {
	return s.question || s.is(0, "show", "tell", "list", "read", "give", "check", "see", "display", "what", "what's", "whats", "when", "when's", "which", "who", "where", "how", "how's", "is", "are", "do", "does", "have", "has", "am", "will")
}

// maxSplits bounds at how many places a sentence may fall in two.
const maxSplits = 6

// request is a sentence without what only makes it polite. polite reports whether
// it was put as a question for that reason.
func (s said) request() (out said, polite bool) {
	for len(s.words) > 0 {
		switch n := s.courtesy(); {
		case n > 1:
			s, polite = s.from(n), true
		case n == 1:
			s = s.from(1)
		case len(s.words) > 3 && s.beginsAt(len(s.words)-3, "and", "thank", "you"):
			s = s.upTo(len(s.words) - 3)
		case len(s.words) > 2 && s.beginsAt(len(s.words)-2, "and", "thanks"):
			s = s.upTo(len(s.words) - 2)
		case len(s.words) > 3 && s.beginsAt(len(s.words)-2, "as", "well"):
			s = s.upTo(len(s.words) - 2)
		case s.is(len(s.words)-1, "please", "pls", "plz", "thanks", "thx", "chalie"):
			s = s.upTo(len(s.words) - 1)
		case len(s.words) > 3 && s.beginsAt(len(s.words)-3, "if", "you", "would"), len(s.words) > 3 && s.beginsAt(len(s.words)-3, "if", "you", "could"), len(s.words) > 3 && s.beginsAt(len(s.words)-3, "if", "you", "can"):
			s = s.upTo(len(s.words) - 3)
		case len(s.words) > 2 && s.is(len(s.words)-2, "thank") && s.is(len(s.words)-1, "you"):
			s = s.upTo(len(s.words) - 2)
		default:
			return s, polite
		}
	}
	return s, polite
}

// mended is a sentence whose first word isn't mistyped, where it is one that counts.
func (s said) mended() said {
	for _, w := range []string{"remember", "forget", "delete", "remove", "create", "shopping", "grocery"} {
		if first := s.words[0].lower; !s.words[0].quoted && len(first) > len(w)-2 && first != w+"s" && (isSlipOf(w, first) || isSlipOf(first, w)) && first != w {
			s.words = append([]word(nil), s.words...)
			s.words[0].lower = w
			return s
		}
	}
	return s
}

// courtesy is how many words of a sentence's beginning only are polite.
func (s said) courtesy() int {
	if s.is(0, "please", "chalie", "ok", "okay", "hey", "hi", "hello", "and", "then", "also", "just", "kindly", "let's", "quick", "well", "olly", "alexa", "siri", "google", "cortana", "echo", "assistant", "computer", "pda", "pls", "plz", "pleaze", "pleas", "plese") {
		return 1
	}
	if s.is(0, "do") && len(s.words) > 1 && fits(orders, s.words[1]) || len(s.words) > 1 && isSlipOf("please", s.words[0].lower) {
		return 1
	}
	for _, p := range []string{"can you", "could you", "would you mind", "do you mind", "would you", "will you", "i want you to", "i need you to", "i would like you to", "can i have you", "do me a favor and", "do me a favour and", "help me to", "help me", "go ahead and", "i need to be able to", "make sure to", "is it possible to", "would it be possible to", "i was wondering if you could", "i wonder if you could", "be so kind as to", "be so kind and", "can i", "may i", "could i"} {
		if n := s.standsAt(0, p); n > 0 && n < len(s.words) {
			return n
		}
	}
	return 0
}

// orders are verbs that a request begins with.
const orders = "remind|set|add|create|cancel|delete|remove|erase|clear|show|list|wake|schedule|book|what|tell|put|make|turn"

// standsAt is how many words at a place are a text's, which has single spaces; 0 when they aren't.
func (s said) standsAt(i int, text string) int {
	if i < 0 || i >= len(s.words) || !strings.HasPrefix(text, s.words[i].lower) {
		return 0 // as nearly always
	}
	n := 0
	for more := true; more; n++ {
		var word string
		word, text, more = strings.Cut(text, " ")
		if !s.is(i+n, word) {
			return 0
		}
	}
	return n
}

// begins reports whether a sentence begins with these words.
func (s said) begins(words ...string) bool {
	for i, w := range words {
		if !s.is(i, w) {
			return false
		}
	}
	return true
}

// timing is what a text says about when.
type timing struct {
	rest   string // the text without it
	when   string // the words that say it; "" when they don't stand by themselves
	said   bool   // it says when
	wrong  bool   // it says something about when that can't be used
	left   bool   // some of what it says about when wasn't read, or may be a part of it
	unread bool   // some of what it says about when wasn't read
	again  bool   // it comes back
}

// zone is where the person is.
func (l listener) zone() *time.Location {
	if l.p.Zone == nil {
		return time.UTC
	}
	return l.p.Zone
}

// timing looks for the time in a text.
func (l listener) timing(text string) timing {
	t, known := l.times.timings[text]
	if !known {
		t = l.readTiming(text)
		l.times.timings[text] = t
	}
	return t
}

func (l listener) readTiming(text string) timing {
	at, err := l.parse(text)
	if err != nil {
		return timing{rest: text, wrong: domain.CodeOf(err) != when.CodeNoTime}
	}
	out := timing{rest: at.Rest(text), said: true, unread: len(at.Unread(text)) > 0, again: at.Recurrence != nil}
	out.left = out.unread || at.Loose(text) != ""
	parts := make([]string, len(at.Spans))
	for i, s := range at.Spans {
		parts[i] = text[s.Start:s.End]
	}
	words := strings.Join(parts, " ")
	if again, err := l.parse(words); err == nil && again.At == at.At && reflect.DeepEqual(again.Recurrence, at.Recurrence) {
		out.when = words
	}
	return out
}

// isOnlyTime reports whether a text says when and nothing else.
func (l listener) isOnlyTime(text string) bool {
	const longest = 30 // words, of which no time that anybody says has as many
	if strings.Count(text, " ") > longest {
		return false
	}
	t := l.timing(text)
	return t.said && t.when != "" && t.rest == ""
}

// isOwn reports whether a tool is one of Chalie's.
func (l listener) isOwn(name string) bool {
	for _, o := range l.p.Tools {
		if o.Name == name {
			return o.Interface == ownInterface
		}
	}
	return false
}

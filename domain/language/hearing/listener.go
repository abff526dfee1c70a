package hearing

import (
	"reflect"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/deed"
	"chalie/domain/language/lists"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Confidence is how sure the model is that it did what the message is for, not
// of what it says: the numbers it shows are the world state's own.
const (
	Sure   = domain.One     // nothing was asked of it but to greet, or to pass something on
	Unsure = domain.One / 2 // some of the message is beyond it
)

// Listener understands what a person says, as far as it is simple.
type Listener struct {
	lists.Lister
	texts map[string][]tools.Intent // what texts ask for with the tools of p: many hearers go back to the same
}

// NewListener is one for a prompt, which reads the last reply in English.
func NewListener(p language.Prompt) Listener {
	l := Listener{Lister: lists.NewLister(WithoutMessages(p)), texts: map[string][]tools.Intent{}}
	l.Anew = func(c tools.Chooser, s sentences.Said) []tools.Intent {
		own := Listener{Lister: lists.Lister{Planner: plans.Planner{Interpreter: abroad.Interpreter{Chooser: c}}}, texts: map[string][]tools.Intent{}}
		return own.asked(s)
	}
	return l
}

// WithoutMessages is a prompt without the messages of programs that are in mind: what one says names nothing that
// the person might mean.
func WithoutMessages(p language.Prompt) language.Prompt {
	isMessage := func(in language.ContextItem) bool { return in.Kind == domain.ItemMessage }
	if slices.ContainsFunc(p.World, isMessage) {
		p.World = slices.DeleteFunc(slices.Clone(p.World), isMessage)
	}
	return p
}

// Hears is what a text asks for: nothing, one thing, or two. What it says is never
// more than the text does. Who asks may change what it gets.
func (l Listener) Hears(text string) []tools.Intent {
	out, known := l.texts[text]
	if !known {
		if l.IsGivenUp() {
			return nil
		}
		out = l.read(text)
		l.texts[text] = out
	}
	return tools.Cloned(out)
}

// onlyDecides reports whether a call is what was asked for with what it lacked: which of the deeds of the tool it
// is, which a word names.
func (l Listener) onlyDecides(lacks, call tools.Intent) bool {
	if !call.Ask.IsZero() || call.Tool != lacks.Tool || lacks.Missing == "" || len(call.Params) != len(lacks.Params)+1 {
		return false
	}
	o, _ := l.Offered(call.Tool)
	return slices.ContainsFunc(o.Parameters, func(p domain.Parameter) bool { return p.Name == lacks.Missing && p.Type == domain.TypeBoolean })
}

// explains reports whether a call is what was heard, with nothing left that it has no use for: what was left only
// tells why.
func explains(call, heard tools.Intent) bool {
	if !call.Ask.IsZero() || call.Tool != heard.Tool || heard.Missing != "" || len(heard.Among) > 0 {
		return false
	}
	for name, value := range heard.Params {
		if !reflect.DeepEqual(call.Params[name], value) {
			return false
		}
	}
	return true
}

// read is what a text asks for, which hears keeps.
func (l Listener) read(text string) []tools.Intent {
	return l.UnderCondition(text, whetherDone(text, l.readAtOnce(text)))
}

// asksOfDeeds are the words with which a question begins whether something was done, or is to be: no deed is
// asked for by it, whatever it names.
var asksOfDeeds = sentences.WordsIn("should shall must was were has did does")

// whetherDone is what was heard of a text; of a question whether something is ended or moved, that it is one.
func whetherDone(text string, heard []tools.Intent) []tools.Intent {
	words := tools.PlainWordsOf(text)
	if len(words) < 2 || !asksOfDeeds[words[0].Word] || !slices.ContainsFunc(heard, func(in tools.Intent) bool { return in.Ask.IsZero() && ends(in) }) {
		return heard
	}
	return []tools.Intent{{Tool: heard[0].Tool, Ask: tools.Says("ask.was_a_question", "what", text)}}
}

// readAtOnce is what a text asks for, as if it could be done at once.
func (l Listener) readAtOnce(text string) []tools.Intent {
	if abroad := l.Abroad(text); abroad != nil {
		return l.orByDeed(text, tools.ByTongue.In(abroad))
	}
	if _, foreign := l.Tongue(text); foreign {
		return l.ByDeed(text)
	}
	s, ok := sentences.Read(text)
	if !ok || l.isWorkedOut(text) {
		return nil
	}
	s = stripWish(s.WithoutIdle())
	return l.orByDeed(text, l.keptTwice(s, l.heardOf(s)))
}

// orByDeed is what was heard, or what a tool does that is asked for by its deed, where nothing was heard, or
// something of which nothing in mind has the name.
func (l Listener) orByDeed(text string, heard []tools.Intent) []tools.Intent {
	lacks := len(heard) == 1 && !heard[0].Ask.IsZero() && heard[0].Tool != "" && !l.IsOwn(heard[0].Tool)
	timeless := len(heard) == 1 && !heard[0].Ask.IsZero() && heard[0].Tool == tools.SkillRemind
	if len(heard) > 0 && !lacks && !timeless && !slices.ContainsFunc(heard, l.isUnknown) {
		return heard
	}
	calls := l.ByDeed(text)
	if len(calls) == 0 {
		return heard
	}
	if timeless { // an alarm without a time may be one that a tool arms, where its very verb is said
		arms := deed.Says(text, "activate") || deed.Says(text, "arm")
		if arms && len(calls) == 1 && slices.ContainsFunc(tools.NameWords(calls[0].Tool), func(w string) bool { return deed.Says(text, w) }) {
			return calls
		}
		return heard
	}
	asks := slices.ContainsFunc(calls, func(in tools.Intent) bool { return !in.Ask.IsZero() })
	switch {
	case lacks && len(calls) > 1: // take 3 and take 5
		if asks || slices.ContainsFunc(calls, func(in tools.Intent) bool { return in.Tool != heard[0].Tool }) {
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
	case len(heard) == 1 && slices.ContainsFunc(calls, func(in tools.Intent) bool { return !in.Ask.IsZero() && (in.Offer || in.Missing == "") }):
		return heard // a guess is no better than another
	case len(heard) == 1 && tools.IsOwnCancel(heard[0]):
		return l.OrKept(heard[0], calls)
	}
	return calls
}

// heardOf is what a sentence asks for.
func (l Listener) heardOf(s sentences.Said) []tools.Intent {
	asked := l.AsRemind(s)
	if out := l.heard(asked); asked.Text == s.Text || slices.ContainsFunc(out, func(in tools.Intent) bool { return in.Tool == tools.SkillRemind }) && !slices.ContainsFunc(out, saysRemind) {
		return out
	}
	return l.heard(s)
}

// saysRemind reports whether what an intent is about are words by which reminders are asked for,
// which may not have been said so.
func saysRemind(in tools.Intent) bool {
	for _, value := range in.Params {
		if text, ok := value.(string); ok && strings.Contains(text, "remind me") {
			return true
		}
	}
	return false
}

// heard is what a sentence asks for in which "remind me" says so.
func (l Listener) heard(s sentences.Said) []tools.Intent {
	out := tools.ByParts.In(l.asked(s))
	bare, polite := s.Request()
	if len(out) == 1 && l.isUnknown(out[0]) {
		bare := bare
		bare.Question = bare.Question && !polite
		if tool, fits := l.Tool(bare); fits && tool.Theirs && (out[0].Tool != tools.SkillRecall || !tool.Late) {
			tool.Way = tools.ByTool
			return []tools.Intent{tool}
		}
		if l.Known.Read(l.P.Tools); slices.ContainsFunc(l.Known.Tools, func(c tools.Candidate) bool { return c.IsShaped(bare) }) {
			return nil // it is about what only a tool has such ids of
		}
	}
	strange := plans.Unreadable(bare)
	for i := range out {
		plans.Narrow(&out[i], bare)
		out[i] = l.alignWeekdays(out[i], bare)
		if sets := out[i].Tool == tools.SkillRemind || out[i].Tool == tools.SkillAppointment || out[i].Tool == tools.SkillTask; sets && strange != "" && out[i].Ask.IsZero() {
			out[i] = tools.Intent{Tool: out[i].Tool, Way: out[i].Way, Ask: tools.Says("ask.time", "lacks", speech.Kind("marks"), "said", strange)}
		}
	}
	return out
}

func (l Listener) asked(s sentences.Said) []tools.Intent {
	s, polite := s.Request()
	if len(s.Words) == 0 {
		return nil
	}
	s.Question = s.Question && !polite
	s = mended(plans.Opened(plans.Spelled(s)))
	if asked := l.asksEither(s); asked != nil {
		return asked
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.Noticed, l.Claimed, l.AsksMySpan, l.AsksWaking, l.AsksClash, l.AsksRoom, l.negatedRequest, l.TimeToGo, l.OftenNamed, l.Resizes, l.Invites} {
		if one, ok := hear(s); ok {
			return []tools.Intent{one}
		}
	}
	if s.Is(0, "how", "in") {
		if one, ok := l.AsksPlan(s); ok {
			return []tools.Intent{one}
		}
	}
	if one, ok := l.memorized(s); ok {
		return []tools.Intent{one}
	}
	if both := l.remindsTwice(s); both != nil {
		return both
	}
	if one, ok := l.cued(s); ok && one.Ask.IsZero() {
		return l.each(one)
	}
	if both := l.sameList(s); both != nil {
		return both
	}
	if one, ok := l.pointed(s); ok && !s.Question {
		return []tools.Intent{one}
	}
	if several := l.TasksBegun(s); len(several) > 1 {
		return several
	}
	if both := l.Swapped(s); both != nil {
		return both
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.EndsBefore, l.MovesBefore, l.Appoints} {
		if one, ok := hear(s); ok {
			return []tools.Intent{one}
		}
	}
	if all := l.AlarmsInTurn(s); all != nil {
		return all
	}
	if both := l.severalCommands(s); both != nil {
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
	case one.Tool == tools.SkillRecall && s.Is(0, "when"):
		// It may be planned, or remembered: the skill looks for both.
		return []tools.Intent{l.asksWhen(one, s)}
	}
	return l.each(one)
}

// asksWhen is a question for the time of something, which is asked of the plans first.
func (l Listener) asksWhen(in tools.Intent, s sentences.Said) tools.Intent {
	if f, ok := l.TakeApart(s); ok {
		if again, ok := l.Framed(s); ok && f.Act == sentences.Asking {
			return again
		}
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"which": in.Params["about"]}, Subject: "which"}
}

// one is the single thing that a sentence asks for.
func (l Listener) one(s sentences.Said) (tools.Intent, bool) {
	if l.IsGivenUp() {
		return tools.Intent{}, false
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){
		l.undone, l.Why, l.Status, l.ListTold, l.TasksAsked, l.Plans, l.Reminder, l.remind, l.List, l.OnList, l.Task, l.remember, l.worth, l.recall, l.forget,
	} {
		if got, ok := hear(s); ok {
			got.Way = tools.ByPhrase
			return got, true
		}
	}
	tool, fits := l.Tool(s)
	tool.Way = tools.ByTool
	if fits && !tool.Late {
		return tool, true
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.valued, l.overheard, l.SkipsAny, l.PausesAny, l.OnMove, l.AsksAfter, l.AsksPlan, l.removes, l.Appoints, l.Ends, l.OnlyAlarm, l.FramedNow, l.AsksPeriod, l.DoneWith, l.asksMemory, l.AsksTime, l.stated} {
		if got, ok := hear(s); ok {
			if got.Tool == tools.SkillRemove && fits && !l.holds(got) {
				break // nothing that is kept here is known by that
			}
			return got, true
		}
	}
	return tool, fits
}

// isUnknown reports whether an intent is about something by a name that nothing in mind has.
func (l Listener) isUnknown(in tools.Intent) bool {
	param := map[string]string{tools.SkillPlans: "which", tools.SkillReminder: "which", tools.SkillAppointment: "about", tools.SkillRemove: "which", tools.SkillHeard: "about", tools.SkillValues: "of", tools.SkillTask: "which", tools.SkillRecall: "about"}[in.Tool]
	words, _ := in.Params[param].(string)
	if words == "" && in.Tool == tools.SkillAppointment {
		words, _ = in.Params["which"].(string)
	}
	which, ok := sentences.Read(words)
	return ok && in.Params["action"] != "add" && in.Params["action"] != "create" && !l.IsKnown(which)
}

// holds reports whether what is to go is one of the things that are in mind.
func (l Listener) holds(in tools.Intent) bool {
	words, _ := in.Params["which"].(string)
	which, ok := sentences.Read(words)
	return ok && l.IsKnown(which)
}

// two are the things that a sentence asks for before and behind an "and", a comma
// or a stop: "remind me to call Anna at 8 and put milk on the list".
func (l Listener) two(s sentences.Said) []tools.Intent {
	for i, tried := 1, 0; i < len(s.Words) && tried < sentences.MaxSplits; i++ {
		from := i
		switch {
		case s.Is(i, "and", "then"):
			from++
		case !s.Words[i-1].Stop:
			continue
		}
		tried++
		rest, polite := s.From(from).Request()
		if len(rest.Words) == 0 {
			continue
		}
		rest.Question = s.Question && !polite
		before := s.UpTo(i)
		before.Question = false
		first, ok := l.one(before) // of a list it is the shorter one
		if ok && (first.Weak || first.Tool == tools.SkillRemind && !first.Ask.IsZero()) || !ok && !tellsOnly(before) {
			continue // what a reminder lacks may follow: "a reminder for Friday, 2 pm, dentist"
		}
		second, follows := l.one(rest)
		if !follows || second.Weak {
			continue
		}
		if !ok && !l.IsOwn(second.Tool) && second.Ask.IsZero() {
			return []tools.Intent{second} // why it is wanted stands before it
		}
		if !ok || l.IsOwn(first.Tool) && !l.IsOwn(second.Tool) {
			continue // "remind me to open the door and turn on the light" is one
		}
		if first.Tool == tools.SkillList && second.Tool == tools.SkillList && second.Params["action"] == "show" && first.Params["action"] != "show" {
			continue // "delete the shopping list and the holiday list"
		}
		if second.Tool == tools.SkillPlans && !rest.Asks() && (first.Params["action"] == "cancel" || first.Params["action"] == "drop") {
			continue // "drop every reminder and alarm", "cancel the 8 am and 2 pm alarms"
		}
		if !l.IsOwn(second.Tool) && (!first.Ask.IsZero() || !second.Ask.IsZero() || !l.IsOwn(first.Tool) && tools.Verbs[rest.Words[0].Lower] == 0 && !l.Known.IsVerb(rest.Words[0].Lower)) {
			continue // what follows the comma belongs to what stands before it
		}
		return []tools.Intent{first, second}
	}
	return nil
}

// tellsOnly reports whether a clause tells how something is, and no condition.
func tellsOnly(s sentences.Said) bool {
	return len(s.Words) > 2 && !s.Asks() && !sentences.HasAny(s, "if", "when", "once", "unless", "until", "while", "whenever", "after", "before", "not", "should", "would", "could", "might", "may", "said", "says") &&
		sentences.HasAny(s, "is", "are", "am", "has", "have", "was", "were", "feels", "looks", "seems")
}

// mended is a sentence whose first word isn't mistyped, where it is one that counts.
func mended(s sentences.Said) sentences.Said {
	for _, w := range []string{"remember", "forget", "delete", "remove", "create", "shopping", "grocery"} {
		if first := s.Words[0].Lower; !s.Words[0].Quoted && len(first) > len(w)-2 && first != w+"s" && (sentences.IsSlipOf(w, first) || sentences.IsSlipOf(first, w)) && first != w {
			s.Words = append([]sentences.Word(nil), s.Words...)
			s.Words[0].Lower = w
			return s
		}
	}
	return s
}

// cued hears who asks to be reminded behind what it is about, or behind its time: "the roast is
// done at 3:15, remind me", "I have a meeting tomorrow at ten, please remind me".
func (l Listener) cued(s sentences.Said) (tools.Intent, bool) {
	for i := 1; i+1 < len(s.Words); i++ {
		if !s.BeginsAt(i, "remind", "me") {
			continue
		}
		if plans.ForbidsAt(s, i) {
			return tools.Intent{}, false
		}
		before := plans.WithoutLinks(s.UpTo(i))
		if len(before.Words) == 0 || before.Is(0, "remember") && len(before.Words) == 1 {
			return tools.Intent{}, false
		}
		if in, ok := l.one(before); ok && in.Ask.IsZero() && !in.Weak && in.Tool != tools.SkillPlans && !plans.IsNeed(before) && !(in.Params["action"] == "create" && in.Tool == tools.SkillTask && !before.Is(0, "add", "put", "task", "tasks", "todo", "to-do", "create", "new", "make", "note")) && !before.BeginsAt(0, "remind", "me") {
			return tools.Intent{}, false // it is a request by itself
		}
		after := s.From(i + 2)
		if (before.Is(0, "what", "where", "who", "how") || before.Is(0, "when") && before.Is(1, "is", "are", "does")) && !before.Is(1, "about") && !l.Timing(after.All()).Said && !plans.IsBeside(before.All()) {
			return l.one(before) // what is asked is what one wants to be told
		}
		if l.IsOnlyTime(before.All()) {
			return l.Led(before.All(), after), true
		}
		if before.Is(0, "on", "at", "during") && plans.IsWithin(before.All()) && len(after.Words) > 0 && !l.Timing(after.All()).Said {
			return l.Handed(after.All() + " " + before.All()), true
		}
		return l.About(before, after), true
	}
	return tools.Intent{}, false
}

// rung hears who asks for an alarm behind what it is for: "I have to catch the ferry on Friday,
// alarm at 4:15", "power nap, wake me in half an hour".
func (l Listener) rung(s sentences.Said) (tools.Intent, bool) {
	if _, other := plans.ActOf(s); other || s.Question {
		return tools.Intent{}, false
	}
	for i := 1; i < len(s.Words); i++ {
		if !s.Words[i-1].Stop && !s.Is(i-1, "so", "and", "please", "but", "then", "just") {
			continue // it doesn't stand apart
		}
		n, title := plans.WakingAt(s, i), ""
		if n > 0 {
			part := s.From(i)
			title = plans.WakingTitle(part, n)
		} else if n = plans.RingingAt(s, i); n > 0 {
			title = "alarm"
			if part := s.UpTo(i + n).From(i); sentences.HasAny(part, "timer") {
				title = "timer"
			}
		}
		if n == 0 || plans.ForbidsAt(s, i) {
			continue
		}
		before, after := plans.WithoutLinks(s.UpTo(i)), plans.WithoutWaking(s.From(i+n))
		if len(before.Words) == 0 || l.IsOnlyTime(before.All()) {
			return tools.Intent{}, false
		}
		if in, ok := l.one(before); ok && in.Ask.IsZero() && !in.Weak && !plans.IsNeed(before) && !before.Is(0, "i", "we") {
			return tools.Intent{}, false // it is a request by itself
		}
		return l.Rings(title, before, after), true
	}
	return tools.Intent{}, false
}

// asksEither hears a question with alternatives of time. Where it names a plan they are no
// filter: the plan is told with its time. Otherwise it asks for each of them.
func (l Listener) asksEither(s sentences.Said) []tools.Intent {
	text := s.All()
	at := plans.Either.FindStringSubmatchIndex(text)
	if at == nil || !s.Question && !s.Is(0, "is", "are", "does", "do", "am", "will", "was", "which", "what", "when") {
		return nil
	}
	for _, one := range []string{text[at[2]:at[3]], text[at[4]:at[5]]} {
		if !slices.ContainsFunc([]string{"", "on ", "at ", "the ", "in the "}, func(before string) bool { return l.IsOnlyTime(before + one) }) {
			return nil
		}
	}
	ask := func(text string) (tools.Intent, bool) {
		plain, ok := sentences.Read(text)
		if !ok || len(plain.Words) < 3 {
			return tools.Intent{}, false
		}
		plain.Question = true
		in, ok := l.one(plain)
		return in, ok && in.Tool == tools.SkillPlans && in.Ask.IsZero()
	}
	if in, ok := ask(strings.TrimSpace(text[:at[0]]) + " " + text[at[1]:]); ok && len(in.Params) > 1 {
		return []tools.Intent{in}
	}
	first, ok := ask(text[:at[3]] + text[at[5]:])
	second, both := ask(text[:at[2]] + text[at[4]:])
	if !ok || !both {
		return nil
	}
	return []tools.Intent{first, second}
}

// remind hears who wants to be reminded.
func (l Listener) remind(s sentences.Said) (tools.Intent, bool) {
	lead, s := l.Lead(s, "remind", "wake", "set", "alert", "notify")
	if in, ok := l.Alarm(lead, s); ok {
		return in, true
	}
	c, ok := s.Any(
		"remind me *what", "reminder: *what", "new reminder: *what", "set|add|create|make|put|schedule|leave in? up? me? a|another|new new? reminder *what", "i need|want a new? reminder *what",
		"do not let me forget *what", "do not forget to *what", "remember to *what", "alert|notify|ping|call|buzz|ring|warn me *what", "give me a shout|ring|buzz|call|poke *what",
		"give me a reminder|nudge *what", "i would like a reminder *what", "i must|should|can not forget to *what",
	)
	if now, moment := c.Sentence("what").Any("when it is *at"); ok && moment && l.IsOnlyTime(now.Get("at")) && s.Is(0, "alert", "notify", "ping", "buzz") {
		return l.Reminded(tools.Joined(lead, now.Get("at"))), true
	}
	if ok && plans.WakingAt(s, 0) == 0 && s.Is(0, "alert", "notify", "ping", "call", "buzz", "ring", "warn", "give") && l.IsOnlyTime(c.Get("what")) && !s.Question {
		return l.Clocked(l.SaidOf("alarm", tools.Joined(lead, c.Get("what")), s.All()), tools.Joined(lead, c.Get("what"))), true
	}
	if ok && plans.WakingAt(s, 0) > 0 {
		ok = false
	}
	if ok && s.Is(0, "call", "ring", "warn") || ok && s.Is(0, "give") && !s.Is(3, "reminder", "nudge") {
		return tools.Intent{}, false
	}
	if ok && s.Is(0, "alert", "notify", "ping", "buzz") && !l.Timing(c.Get("what")).Said && lead == "" {
		return tools.Intent{}, false // "notify me of changes" is more than a reminder can do
	}
	if !ok {
		if title, rest, found := l.Titles(s); found {
			return l.Reminded(tools.Joined(lead, title+" "+rest)), true
		}
		if title, rest, found := plans.Wakes(s); found && !s.Question && (s.Is(0, "wake", "set", "book", "get", "a", "make", "do") || rest == "" || l.Timing(rest).Said || l.Timing(rest).Wrong) {
			return l.Woken(title, tools.Joined(lead, rest)), true
		}
		if _, bare := s.Any("remind me", "set|add|create|make me? a|another new? reminder", "new reminder", "do not let me forget"); !bare {
			return tools.Intent{}, false
		}
		return l.Reminded(lead), true
	}
	what := c.Sentence("what")
	if now, ok := what.Any("when it is *at"); ok && l.Timing(now.Get("at")).Said { // remind me when it is 4 pm to …
		return l.Reminded(tools.Joined(lead, now.Get("at"))), true
	}
	if plans, asks := l.AsksFor(what); s.Is(0, "remind") && asks {
		if plans.Tool == "" {
			return l.Framed(what)
		}
		return plans, true
	}
	if rest, ok := what.Any("to? remind me *what"); ok { // remember to remind me …
		return l.Reminded(tools.Joined(lead, rest.Get("what"))), true
	}
	if what.Is(0, "who", "whose", "what", "where", "how", "which") {
		if in, ok := l.List(what); ok {
			return in, true
		}
		about := what.Part(1, len(what.Words))
		return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{"about": about}, Subject: "about"}, about != ""
	}
	if what.Is(0, "why") {
		return tools.Intent{}, false
	}
	return l.Reminded(tools.Joined(lead, c.Get("what"))), true
}

// alignWeekdays is a sentence that ends what comes back on some days of the week as a change of it: no
// yoga on Fridays any more ends no more than that.
func (l Listener) alignWeekdays(in tools.Intent, s sentences.Said) tools.Intent {
	which, _ := in.Params["which"].(string)
	if in.Params["action"] != "cancel" || in.Params["all"] == true || which == "" || in.Tool != tools.SkillReminder && in.Tool != tools.SkillAppointment {
		return in
	}
	for i := 1; i < len(s.Words); i++ {
		days := s.From(i)
		if !s.Is(i, "on", "at", "every") || when.Weekdays(days.All()) == nil || !s.Is(i, "every") && !strings.HasSuffix(days.Words[len(days.Words)-1].Lower, "s") {
			continue
		}
		name, found := strings.CutSuffix(which, " "+days.All())
		if !found {
			name = which
		}
		return tools.Intent{Tool: in.Tool, Params: map[string]any{"action": "move", "which": name, "except": days.All()}, Subject: "which"}
	}
	return in
}

// keptTwice asks where an appointment is to be cancelled that is in the plans and that a program may keep,
// too: by a tool that has all it needs, be that what was heard or not. Who says at whose it is, or that it
// is in their own plans, has said it.
func (l Listener) keptTwice(s sentences.Said, heard []tools.Intent) []tools.Intent {
	if len(heard) == 1 && tools.IsOwnOrTool(heard[0]) {
		if its, ok := l.KeptThere(s, heard[0]); ok {
			return []tools.Intent{its}
		}
	}
	if len(heard) != 1 || !heard[0].Ask.IsZero() || s.Question || sentences.HasAny(s, "calendar", "calender", "plans", "diary", "agenda") {
		return heard
	}
	mine, owned := heard[0], tools.IsOwnCancel(heard[0])
	if !owned {
		if l.IsOwn(heard[0].Tool) {
			return heard // only what was heard for a program may as well be meant for the plans
		}
		own := l
		own.P.Tools = slices.DeleteFunc(slices.Clone(l.P.Tools), func(o language.Offered) bool { return o.Interface != tools.OwnInterface })
		own.Known = &tools.Lexicon{}
		all := own.asked(s)
		if len(all) != 1 || !all[0].Ask.IsZero() || !tools.IsOwnCancel(all[0]) {
			return heard
		}
		mine = all[0]
	}
	which, _ := mine.Params["which"].(string)
	bare, polite := s.Request()
	bare.Question = bare.Question && !polite
	if owned && len(bare.Words) == 0 {
		return heard
	}
	for _, f := range l.Fitting(bare, tools.Order) {
		if !owned && f.Offered.Name != heard[0].Tool || f.Looks || f.Exact || f.IsWhose(bare) {
			continue
		}
		kept := l.Keeps(f.Offered, which)
		switch {
		case sentences.HasAny(bare, kept.Where):
		case kept.Other && owned:
			if its, ok := f.Asked(tools.Order); ok {
				its.Way = tools.ByTool
				return []tools.Intent{its}
			}
		case kept.So && len(f.Missing()) == 0 && tools.Takes(f.Offered, f.Params):
			return []tools.Intent{f.OrHere(mine, tools.Intent{Tool: f.Offered.Name, Params: f.Params, Whole: f.S.All()}, kept.Where)}
		}
	}
	return heard
}

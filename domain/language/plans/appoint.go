package plans

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// container is what holds appointments, with the word that leads to it.
const container = `(?:(?:on|in|into|to|onto|for) )?(?:(?:my|the|our|your) )?(?:google )?(?:calendar|calender|cal|schedule|diary|agenda|planner|books)\b`

// keepers are the ends of sentences that say of what stands before them that it is to be kept:
// "…, add it", "…, can that go in the calendar?", "… on the calendar, please".
var keepers = []sentences.Pattern{
	sentences.PatternOf(`(?i)[\s,.;:!]+(?:ugh,? +)?(?:(?:and|so|please|can you|could you|would you|will you|just|then|pls|you can|go ahead and)[, ]+)*(?:please )?(?:add|put|save|note|mark|log|enter|schedule|book|calendar|keep|write|jot|record|set|place|include|stick|pop|get|have)(?: (?:it|that|this|them)(?: date| one)?)(?: (?:down|in|up|free))?(?: ` + container + `)?(?: as (?:an? )?(?:recurring|repeating|all[- ]day)(?: event| appointment)?)?(?: for (?:me|us|him|her|them))?[, ]*(?:please|thanks|thank you)?[.!?]*$`),
	sentences.PatternOf(`(?i)[\s,.;:!]+(?:please |and |so )?(?:add|put|save|note|mark|log|enter|keep|set|place|stick|pop)(?: the \w+)? (?:on|in|into|to|onto) ` + container + `[, ]*(?:for me|please)?[.!?]*$`),
	sentences.PatternOf(`(?i)[,.;:!]+ (?:please )?(?:add|put|save|note|schedule|calendar)(?: please| thanks)?[.!]*$`),
	sentences.PatternOf(`(?i)[\s,.;:!]+(?:can|could|should) (?:that|it|this) (?:please )?(?:go|be) (?:down )?` + container + `[, ]*(?:please)?[.!?]*$`),
	sentences.PatternOf(`(?i)[\s,.;:!]+(?:should|must|needs to|has to|ought to) (?:go|be|stand) ` + container + `[.!]*$`),
	sentences.PatternOf(`(?i)[\s,.;:!]+(?:and )?my calend[ae]r to be updated with this date[.!]*$`),
	sentences.PatternOf(`(?i)[\s,.;:!]+` + container + `[, ]*(?:please)[.!]*$`),
	sentences.PatternOf(`(?i)[\s,.;:!]+(?:(?:on|in|into|to|onto|for) )?(?:(?:my|the|our|your) )?(?:google )?(?:calendar|calender|cal)[, ]*(?:please)?[.!]*$`),
}

// openers are the beginnings of sentences that say of what stands behind them that it is an
// appointment: "calendar: …", "mark my calendar, …", "new event …".
var openers = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:calendar|calender)(?: (?:entry|event|item))?[:,]? `),
	regexp.MustCompile(`(?i)^(?:mark|block) (?:your|my|the|our) (?:calendars?|calender|diary)[:,;]* (?:that |for )?`),
	regexp.MustCompile(`(?i)^save the date[:,;]* (?:for |that )?`),
	regexp.MustCompile(`(?i)^(?:add|enter|put|note|jot|write|mark|save|make a note|insert|place|log)(?: down)? (?:on|in|into|to|onto) ` + container + `[:,;]* (?:that |for )?`),
	regexp.MustCompile(`(?i)^(?:a )?new (?:(?:calendar|calender) )?(?:event|appointment|appt|entry|meeting)[:,;]* (?:for |titled? |called |named )?`),
	regexp.MustCompile(`(?i)^(?:event|entry|appointment)[:,;]* `),
	regexp.MustCompile(`(?i)^(?:please )?note (?:down )?an? (?:event|appointment|entry)[:,;]+ `),
	regexp.MustCompile(`(?i)^(?:my|the|our) (?:calendar|calender|agenda|diary|schedule) (?:should|must|needs to) (?:have|say|show) (?:that )?`),
}

// wishing are words before what is to be done that only say that it is wished for.
var wishing = regexp.MustCompile(`(?i)^(?:let'?s|let us|could we|can we|shall we|how about we|how about|why don'?t we|i(?:'d| would) (?:like|love) (?:you )?to|i (?:want|need|have) (?:you )?to|i wanna|we (?:need|have|want) to|please|go ahead and|i(?:'ll| will)|can i|could i|may i) `)

// fixing are verbs that make an appointment of whatever they name; what they make of a noun
// that says so itself is heard from the noun.
var fixing = regexp.MustCompile(`(?i)^(?:schedule|reschedule in|plan|arrange|organi[sz]e|pencil (?:me )?in(?: for| with)?|block(?: off| out)?|reserve|book(?: me in| in)?|hold|set up|log|register|enter|put me down for|pop in|put in|fix up) `)

// ofBooks are what a book stands before as a noun: a book club.
var ofBooks = regexp.MustCompile(`(?i)^book (?:club|fair|launch|signing|report|group|reading|talk|sale|swap|exchange)\b`)

// spans are hours from when to when behind a verb that keeps them free.
var spans = regexp.MustCompile(`(?i)^(?:block|hold|reserve|keep)(?: off| out)? (\d{1,2}(?::\d\d)? ?(?:am|pm)?) ?(?:to|-|–|until|till) ?(\d)`)

// freeing are verbs that keep time free.
var freeing = regexp.MustCompile(`(?i)^block(?: off| out)? `)

// keepingFree are verbs that keep a part of a day free, of which the hours are to be said.
var keepingFree = regexp.MustCompile(`(?i)^(?:block|reserve|hold|keep)(?: off| out| free)? `)

// bookingVerb are verbs that make an appointment only of what is named as one, or has a time of day.
var bookingVerb = regexp.MustCompile(`(?i)^(?:add in|add|put down|put|set|create|make|stick|mark(?: down| off)?|note(?: down)?|jot down|write down|get|give me|have|save|insert|place|include|record|i need|i want|i would like|new|pop) `)

// hiring are things that somebody else keeps free: Chalie can't book them.
var hiring = sentences.WordsIn(`table taxi taxis cab cabs uber lyft ride flight flights ticket tickets train bus room hotel seat seats car restaurant airbnb`)

// Devices are things that do something at a time, which an appointment doesn't.
var Devices = sentences.WordsIn(`light lights lamp vacuum cleaner roomba robot machine maker tv television thermostat heater plug socket email emails mail tweet post message music song songs playlist podcast podcasts radio audiobook news movie's`)

// Others are words of what isn't an appointment, and is heard inTheWorld.
var Others = sentences.WordsIn(`list lists reminder reminders remind alarm alarms timer timers task tasks todo todos to-do to-dos memory notification notifications nudge wake wake-up wakeup snooze alert notify ping warn deadline`)

// Appoints hears what is to be put into the calendar, whatever it is called: "schedule a call
// with Anna on Friday at 3", "eye exam on Friday at 3, add it", "calendar: team day on 18 March".
func (l Planner) Appoints(s sentences.Said) (tools.Intent, bool) {
	for i, w := range s.Words {
		if Others[w.Lower] && !w.Quoted || w.Quoted && i == 0 {
			return tools.Intent{}, false
		}
	}
	if IsEnding(s) {
		return tools.Intent{}, false
	}
	text := s.All()
	if plain, ok := l.withoutContrast(text); ok {
		text = plain
	}
	kept, keeps := keptText(text)
	wished := kept
	for range 3 {
		wished = wishing.ReplaceAllString(wished, "")
	}
	if !keeps && s.Question && wished == kept || s.Is(0, "what", "when", "where", "who", "which", "how", "is", "are", "do", "does", "did") && wished == kept {
		return tools.Intent{}, false
	}
	for _, opener := range openers {
		if at := opener.FindStringIndex(wished); at != nil {
			return l.Entered(wished[at[1]:], true, keeps)
		}
	}
	if recurring.MatchString(wished) || inviting.MatchString(wished) && l.hasClock(wished) {
		return l.Entered(wished, true, keeps)
	}
	what, acts, ok := l.madeOf(wished, keeps)
	if !ok {
		return l.putOnDay(wished)
	}
	if !acts && !keeps {
		what = kept
	}
	inner, ok := sentences.Read(what)
	switch {
	case !ok:
		return tools.Intent{}, false
	case acts || keeps:
		if l.hasSecond(inner) || keeps && !acts && !l.Occasion(what).Said {
			return tools.Intent{}, false
		}
		in, ok := l.Entered(what, acts, keeps)
		if part := cmp.Or(l.Occasion(what).When, what); keepingFree.MatchString(wished) && l.isPart(part) {
			in.Missing, in.Ask = "when", tools.Says("ask.time", "lacks", speech.Kind("length"), "said", part)
			in.Params["what"] = cmp.Or(titled(in), "blocked")
			return in, ok
		}
		if in.Missing == "what" && freeing.MatchString(wished) && (l.hasClock(what) || l.IsOnlyTime(wholeOf.ReplaceAllString(what, "$1"))) && !l.isLong(what) { // time is kept free, for whatever it is
			free := l.Occasion(wholeOf.ReplaceAllString(what, "$1"))
			if in.Params["what"], in.Params["when"] = "blocked", free.When; WithoutLink(free.Rest) != "" {
				in.Params["when"] = what
			}
			in.Missing, in.Ask = "", speech.Message{}
		}
		return in, ok
	}
	return l.mentioned(inner, text)
}

// putOnDay offers to keep what is put on a day: put taco night on every Tuesday.
func (l Planner) putOnDay(text string) (tools.Intent, bool) {
	s, _ := sentences.Read(text)
	c, ok := s.Any("put *what on for *when", "put *what on *when")
	if !ok {
		return tools.Intent{}, false
	}
	day, _ := l.Parts(c.Get("when"))
	if at := l.Occasion(c.Get("when")); !day || at.When == "" || at.Rest != "" || sentences.IsPointing(c.Get("what")) || sentences.AnyOf(s, Devices) {
		return tools.Intent{}, false
	}
	in, ok := l.Entered(c.Get("what")+" "+c.Get("when"), true, false)
	if in.Weak = true; ok && in.Ask.IsZero() {
		in = l.OfferedAs(in, text)
	}
	return in, ok
}

// titled is what an intent's appointment is called; "" when it has no name.
func titled(in tools.Intent) string {
	what, _ := in.Params["what"].(string)
	return what
}

// isPart reports whether a time is a part of a day, without its hours.
func (l Planner) isPart(text string) bool {
	at, err := when.ParseOccasion(text, l.P.AsOf, l.Zone())
	return err == nil && at.Grain == when.Hour && at.To > 0 && !strings.ContainsAny(text, "0123456789") && dayPart.MatchString(text)
}

var dayPart = regexp.MustCompile(`(?i)\b(?:morning|afternoon|evening|night|tonight)\b`)

// madeOf is what an appointment is made of, when a text begins with a verb that makes one of it;
// false when the verb makes something else.
func (l Planner) madeOf(text string, keeps bool) (what string, acts, ok bool) {
	switch {
	case ofBooks.MatchString(text):
		s, readable := sentences.Read(text)
		return text, readable && l.hasClock(text) && !says(s), true
	case fixing.MatchString(text):
		verb := strings.ToLower(fixing.FindString(text))
		what = text[len(verb):]
		if spans.MatchString(text) {
			what = "from " + what
		}
		if strings.HasPrefix(verb, "book me") || strings.HasPrefix(verb, "put me") || strings.HasPrefix(verb, "pencil me") {
			verb = "schedule "
		}
		rest, readable := sentences.Read(what)
		reserves := strings.HasPrefix(verb, "book") || strings.HasPrefix(verb, "reserve") || strings.HasPrefix(verb, "hold")
		if !readable || sentences.AnyOf(rest, Devices) || sentences.HasAny(rest, "taxi", "cab", "uber", "lyft", "ride") || sentences.AnyOf(rest, hiring) && reserves {
			return "", false, false
		}
		if t := l.Occasion(what); !t.Said && !t.Wrong && !keeps && verb != "schedule " && !l.isEventful(rest) {
			return "", false, false // "plan a trip" may be anything
		}
		return what, true, true
	case bookingVerb.MatchString(text):
		what = text[len(bookingVerb.FindString(text)):]
		rest, readable := sentences.Read(what)
		if !readable || rest.Is(0, "off", "back", "forward") || sentences.AnyOf(rest, Devices) || softly.MatchString(text) && !rest.Is(0, "a", "an", "another", "one") {
			return "", false, false
		}
		eventful := l.isEventful(rest)
		if strings.HasPrefix(strings.ToLower(text), "make ") { // one makes dinner, and an appointment for it
			eventful = slices.ContainsFunc(rest.Words, func(w sentences.Word) bool { return sentences.Nouns[w.Lower] == sentences.AnEvent })
		}
		if !keeps && !containing.MatchString(what) && !eventful && !l.isDated(text, what) {
			return "", false, false
		}
		return what, true, true
	}
	return text, false, true
}

// mentioned is an appointment that a sentence names without a verb, or says that there is.
func (l Planner) mentioned(inner sentences.Said, text string) (tools.Intent, bool) {
	bare := l.isBareTitle(inner)
	if !bare && !l.isStated(inner) {
		return tools.Intent{}, false
	}
	in, ok := l.Entered(inner.All(), false, false)
	in.Weak = true
	if in.Ask.IsZero() && !(bare && l.isEventful(inner)) {
		in = l.OfferedAs(in, text)
	}
	return in, ok
}

// softly are verbs that one asks for things with, and for what there is too.
var softly = regexp.MustCompile(`(?i)^(?:have|get|give me|i need|i want|i would like) `)

// isDated reports whether a text that begins with a verb names something by a time at which it
// can only be an appointment: what one makes or sets may be anything.
func (l Planner) isDated(text, what string) bool {
	s, ok := sentences.Read(text)
	switch {
	case !ok:
		return false
	case s.Is(0, "mark"):
		return l.Occasion(what).Said && sentences.HasAny(s, "as") && !sentences.HasAny(s, "done", "finished", "complete", "completed", "read", "unread", "paid")
	}
	day, clock := l.Parts(cmp.Or(l.Occasion(what).When, what))
	return s.Is(0, "add", "put", "stick", "note", "jot", "pop", "insert") && day && clock && !sentences.HasAny(s, "out", "away", "oven", "stove")
}

// keptText is a text without its end that says that it is to be kept.
func keptText(text string) (string, bool) {
	has := sentences.Folded(text)
	for _, keeper := range keepers {
		if !keeper.MayBeIn(has) {
			continue
		}
		if at := keeper.FindStringIndex(text); len(at) > 0 && at[0] > 0 {
			before := strings.TrimRight(text[:at[0]], " ,.;:!")
			if s, ok := sentences.Read(before); ok && len(s.Words) > 1 && !sentences.AnyOf(s, endVerbs) && !sentences.HasAny(s, "clean", "wipe", "empty", "reset") && !s.Is(0, "what", "when", "which", "who", "show", "check", "open", "is", "are", "do", "does", "did", "any", "read", "list", "tell", "clear", "empty", "wipe", "clean", "delete", "cancel", "remove", "erase", "view", "see", "display", "my", "the", "how") || ok && s.Is(0, "my", "the") && len(s.Words) > 3 {
				return before, true
			}
		}
	}
	return text, false
}

// containing finds what holds appointments within a sentence.
var containing = regexp.MustCompile(`(?i)(?:\s|^)(?:on|in|into|to|onto|for) (?:(?:my|the|our|your) )?(?:google )?(?:calendar|calender|cal|schedule|diary|agenda|planner|books)\b`)

// isEventful reports whether a sentence names an appointment as one.
func (l Planner) isEventful(s sentences.Said) bool {
	for _, w := range s.Words {
		switch sentences.Nouns[w.Lower] {
		case sentences.AnEvent, sentences.AnOccasion:
			return !w.Quoted
		}
	}
	return false
}

// Occasion looks for the time of an appointment in a text, as timing does for any other. Words
// beside it that are a time with it belong to it: fri 9:20pm.
func (l Planner) Occasion(text string) sentences.Timing {
	at, err := when.ParseOccasion(text, l.P.AsOf, l.Zone())
	if err != nil {
		return sentences.Timing{Rest: text, Wrong: domain.CodeOf(err) != when.CodeNoTime}
	}
	if len(at.Spans) == 1 {
		if words, rest, ok := l.extended(text, at.Spans[0]); ok {
			return sentences.Timing{Rest: rest, When: words, Said: true}
		}
	}
	out := sentences.Timing{Rest: at.Rest(text), Said: true, Left: at.Loose(text) != "" && !isFeted(at.Loose(text))}
	for _, words := range at.Unread(text) {
		out.Left = out.Left || !isFeted(words)
	}
	parts := make([]string, len(at.Spans))
	for i, s := range at.Spans {
		parts[i] = text[s.Start:s.End]
	}
	words := strings.Join(parts, " ")
	if again, err := when.ParseOccasion(words, l.P.AsOf, l.Zone()); err == nil && again.At == at.At && again.To == at.To && (again.Recurrence == nil) == (at.Recurrence == nil) {
		out.When = words
	}
	return out
}

// isFeted reports whether words name a feast of somebody's, which is what an appointment is: the
// time is said beside it.
func isFeted(words string) bool {
	s, ok := sentences.Read(words)
	return ok && sentences.HasAny(s, "birthday", "anniversary", "party")
}

// extended is a time with up to two words before or behind it, when they are a time together,
// and another than without.
func (l Planner) extended(text string, span when.Span) (words, rest string, ok bool) {
	alone, err := when.ParseOccasion(text[span.Start:span.End], l.P.AsOf, l.Zone())
	if err != nil {
		return "", "", false
	}
	try := func(start, end int) bool {
		words = text[start:end]
		both, err := when.ParseOccasion(words, l.P.AsOf, l.Zone())
		if err != nil || both.Rest(words) != "" || len(both.Unread(words)) > 0 || both.At == alone.At && both.To == alone.To || both.Grain > alone.Grain {
			return false
		}
		rest = strings.TrimSpace(text[:start]) + " " + strings.TrimSpace(text[end:])
		return true
	}
	const most = 2
	before, behind := strings.Fields(text[:span.Start]), strings.Fields(text[span.End:])
	for n := min(most, len(before)); n > 0; n-- {
		if start := strings.LastIndex(text[:span.Start], strings.Join(before[len(before)-n:], " ")); start >= 0 && try(start, span.End) {
			return words, rest, true
		}
	}
	for n := min(most, len(behind)); n > 0; n-- {
		last := strings.Join(behind[:n], " ")
		if end := strings.Index(text[span.End:], last); end >= 0 && try(span.Start, span.End+end+len(last)) {
			return words, rest, true
		}
	}
	return "", "", false
}

// hasClock reports whether a text names a time of day, or from when to when.
func (l Planner) hasClock(text string) bool {
	t := l.Occasion(text)
	_, clock := l.Parts(cmp.Or(t.When, text))
	return t.Said && clock
}

// Secondly are verbs that begin another request.
var Secondly = sentences.WordsIn(`cancel delete remove move add set create schedule book remind wake show tell reschedule postpone erase clear`)

// hasSecond reports whether another request follows.
func (l Planner) hasSecond(s sentences.Said) bool {
	for i := 1; i+1 < len(s.Words); i++ {
		if Secondly[s.Words[i].Lower] && (s.Is(i-1, "and", "then") || s.Words[i-1].Stop) {
			return true
		}
	}
	return false
}

// Saying are words of a sentence that says or asks something: a title has none.
var Saying = sentences.WordsIn(`is are am was were be been being has have had do does did can could will would should shall may might must got get gets go goes going come comes coming turns visits
	i we you he she they it who what when where which why how whose not no never isn't
	moved pushed changed cancelled canceled postponed rescheduled delayed called cancle cancel delete remove move shift push change drop skip forget instead earlier later now
	tell show give read check find look any play turn send text email order buy please repeat update same until provide information info scheduled arranged booked planned never
	bring reschedule reshedule postpone put push extend swap bump make set let take turn switch anything something`)

// says reports whether a sentence says more of something than when it is.
func says(s sentences.Said) bool {
	return slices.ContainsFunc(s.Words, func(w sentences.Word) bool {
		return Saying[w.Lower] && w.Lower != "is" && w.Lower != "are" && w.Lower != "am" || w.Lower == "due"
	})
}

// isBareTitle reports whether a sentence is nothing but an appointment with its time of day: "vet
// appointment for Mochi 3/10 4:30pm".
func (l Planner) isBareTitle(s sentences.Said) bool {
	if s.Question || sentences.AnyOf(s, Saying) || sentences.AnyOf(s, Devices) || !l.isEventful(s) && !sentences.HasAny(s, "with") || !l.hasClock(s.All()) {
		return false
	}
	t := l.Occasion(s.All())
	if _, moves := l.OnMove(s); moves {
		return false
	}
	return !t.Left && len(strings.Fields(t.Rest)) > 0
}

// stating are beginnings of sentences that say that there is an appointment.
var stating = regexp.MustCompile(`(?i)^(?:.{0,40}[ ,])?(?:i|we)(?:'ve| have| 've)?(?: got| got to| have to| to)? ?(?:have|got|seeing|am seeing|am meeting|are meeting|'m seeing|'m meeting|'re meeting|have to see|am having|are having|'m having|'re having)\b`)

// isStated reports whether a sentence says that there is an appointment: "I have an eye exam on
// Friday at 3 pm".
func (l Planner) isStated(s sentences.Said) bool {
	if s.Question || !stating.MatchString(s.All()) || sentences.AnyOf(s, Devices) || sentences.HasAny(s, "not", "no", "never", "cancel", "move", "time", "if", "until", "since", "yesterday", "ago", "what", "who", "when", "which", "where", "do", "did", "any", "anything", "something", "free") {
		return false
	}
	for i := range s.Words {
		if s.Is(i, "to") && s.Is(i-1, "have", "got") && !s.Is(i+1, "see", "meet", "be") {
			return false // what one has to do is a task, or is reminded of
		}
	}
	t := l.Occasion(s.All())
	return l.hasClock(s.All()) && !t.Left && len(strings.Fields(t.Rest)) > 2
}

// lasting are lengths of time: a 45 minute call, an hour long meeting, thirty minutes.
var lasting = regexp.MustCompile(`(?i)(?:^|[\s,])(?:for )?((?:an?|one|two|three|four|five|half an|a half|ten|fifteen|twenty|thirty|forty[- ]five|forty|ninety|sixty|\d+(?:\.5)?)[ -]?(?:and a half[ -])?(?:hours?|hrs?|minutes?|mins?)(?: and a half)?)(?:[ -]long)?\b`)

// beside are words around a length of time that make a time of it.
var beside = regexp.MustCompile(`(?i)^[\s,]*(?:before|after|from|later|earlier|ago|ahead|prior|early|late)\b`)

// lengthOf takes how long something takes out of a text.
func lengthOf(text string) (rest, length string) {
	for _, at := range lasting.FindAllStringSubmatchIndex(text, -1) {
		before, after := strings.TrimRight(text[:at[0]], " ,"), text[at[1]:]
		if beside.MatchString(after) || strings.HasSuffix(strings.ToLower(before), " in") || strings.HasSuffix(strings.ToLower(before), " every") || strings.EqualFold(before, "in") {
			continue
		}
		return strings.TrimSpace(before + " " + strings.TrimLeft(after, " ,")), text[at[2]:at[3]]
	}
	return text, ""
}

// Entered is a new appointment out of what it is and when, in one text. acts says that there was
// a verb for it, keeps that it is to be kept.
func (l Planner) Entered(text string, acts, keeps bool) (tools.Intent, bool) {
	text = strings.TrimSpace(containing.ReplaceAllString(" "+text, " "))
	often := ""
	if parts := recurring.FindStringSubmatch(text); parts != nil {
		often, text = parts[1], text[len(parts[0]):]
	}
	text = l.atTheHour(wholeOf.ReplaceAllString(l.ofTheirs(text), "$1"))
	if text == "" {
		return tools.Intent{Tool: tools.SkillAppointment, Missing: "what", Ask: tools.Says("ask.event", "lacks", speech.Kind("everything")), Params: map[string]any{"action": "add"}, Subject: "what", Moment: "when"}, acts || keeps
	}
	rest, length := lengthOf(text)
	t := l.Occasion(rest)
	if length == "" {
		t = l.Occasion(text)
	}
	out := tools.Intent{Tool: tools.SkillAppointment, Whole: text, Subject: "what", Moment: "when"}
	what, with, place := titleOf(t.Rest)
	if being := beingAt(strings.TrimSpace(t.Rest)); being != "" {
		what = being
	}
	if invited := inviting.FindStringSubmatch(t.Rest); invited != nil {
		what, with = strings.TrimSpace(invited[2]), strings.TrimSpace(invited[1])
	}
	params := map[string]any{"action": "add"}
	for name, value := range map[string]string{"what": what, "with": with, "place": place, "until": length} {
		if value != "" {
			params[name] = value
		}
	}
	out.Params = params
	switch {
	case l.isBesidePlan(text):
		params["what"] = rest // the skill knows when the other plan is
		delete(params, "with")
		delete(params, "place")
	case t.Said && dayParts.MatchString(t.Rest):
		out.Missing, out.Ask = "when", tools.Says("ask.event_part", "at", cmp.Or(t.When, text), "part", dayParts.FindString(t.Rest))
	case t.Wrong || t.Left || t.Said && t.When == "":
		params["when"] = text // the skill says what is wrong with it
	case t.Said && length != "" && !l.hasClock(rest), t.Said && !l.hasClock(text) && forSome.MatchString(text) && !forPeople.MatchString(text):
		out.Missing, out.Ask = "when", tools.Says("ask.time", "lacks", speech.Kind("clock"), "said", cmp.Or(t.When, rest))
		if t.When != "" {
			params["when"] = t.When
		}
	case t.Said && l.isLong(t.When):
		out.Missing, out.Ask = "when", tools.Says("ask.time", "lacks", speech.Kind("day"), "said", t.When)
	case t.Said && t.When != "" && oftenBefore.MatchString(what) && !l.comesAgain(text):
		often := oftenBefore.FindStringSubmatch(what)
		if moment := often[1] + " " + t.When; l.comesAgain(moment) && l.hasClock(t.When) {
			params["what"], params["when"] = strings.Replace(what, often[0], "", 1), moment
			break
		}
		fallthrough
	case t.Said && again.MatchString(text) && !l.comesAgain(text):
		if t.When != "" {
			params["when"] = t.When
		}
		out.Missing, out.Ask = "when", tools.Says("ask.how_often", "what", text)
	case t.Said && comesBack[strings.ToLower(often)]:
		params["when"] = often + " " + t.When
	case t.Said:
		params["when"] = t.When
	case what == "":
		out.Missing, out.Ask = "what", tools.Says("ask.event", "lacks", speech.Kind("everything"))
		delete(params, "what")
	default:
		out.Missing, out.Ask = "when", tools.Says("ask.event", "lacks", speech.Kind("time"), "said", what)
	}
	if t.Said && what == "" && with == "" {
		out.Missing, out.Ask = "what", tools.Says("ask.event", "lacks", speech.Kind("thing"), "said", t.When)
	}
	return out, true
}

// wholeOf are words before a day that say that all of it is meant.
var wholeOf = regexp.MustCompile(`(?i)\b(?:the whole|the entire|whole|all) (?:day )?(?:of |on )?(today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b`)

// forSome is a number behind "for" that may be an hour, or how many take part; forPeople that it is
// how many.
var (
	forSome   = regexp.MustCompile(`(?i)\bfor (\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s|$)`)
	forPeople = regexp.MustCompile(`(?i)\bfor (?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:of us|people|persons|guests|adults|kids|children|pax|seats|friends|players|couples|hours?|hrs?|minutes?|mins?|days?|nights?|weeks?|months?)\b`)
)

// atTheHour is a text in which a day's "for 3" is "at 3": a meeting for 3 tomorrow. A meal may be
// for as many people, so that it is asked about.
func (l Planner) atTheHour(text string) string {
	at := forSome.FindStringSubmatchIndex(text)
	if at == nil || forPeople.MatchString(text) || l.hasClock(text) || meals.MatchString(text) || !l.Occasion(text).Said {
		return text
	}
	hour := text[:at[0]] + "at" + text[at[0]+len("for"):]
	if t := l.Occasion(hour); l.hasClock(hour) && t.When != "" && !t.Left {
		return hour
	}
	return text
}

// meals are what one has for so many people.
var meals = regexp.MustCompile(`(?i)\b(?:dinner|lunch|breakfast|brunch|supper|table|reservation|party|booking|tickets?)\b`)

// again are words for what comes again that don't say how often.
var again = regexp.MustCompile(`(?i)\b(?:recurring|repeating)\b`)

// oftenBefore are words for how often it comes, before what an appointment is.
var oftenBefore = regexp.MustCompile(`(?i)^(?:a |an |the |my |our )?(daily|weekly|biweekly|fortnightly|monthly) `)

// comesAgain reports whether an appointment's time comes back.
func (l Planner) comesAgain(text string) bool {
	at, err := when.ParseOccasion(text, l.P.AsOf, l.Zone())
	return err == nil && at.Recurrence != nil
}

// inviting finds who is invited, and to what.
var inviting = regexp.MustCompile(`(?i)^invite (.+?) (?:to|for) (.+)$`)

// isBesidePlan reports whether a text says its time by another plan: right after the staff
// meeting.
func (l Planner) isBesidePlan(text string) bool {
	return besidePlan.MatchString(text) || IsBeside(text)
}

var besidePlan = regexp.MustCompile(`(?i)\b(?:right|straight|just|directly|immediately|shortly) (?:after|before)\b`)

// dayParts are parts of days that say when, and how often.
var dayParts = regexp.MustCompile(`(?i)\b(?:mornings|afternoons|evenings|nights)\b`)

// recurring finds an event that is one only by how it comes back, or how long it lasts: a
// monthly event on the 21st.
var recurring = regexp.MustCompile(`(?i)^(?:an? )?(annual|yearly|monthly|weekly|daily|all[- ]day|repeating|recurring) (?:event|appointment|entry)[:,]? `)

// comesBack are words that say how often something takes place.
var comesBack = sentences.WordsIn(`annual yearly monthly weekly daily`)

// isLong reports whether a time is a week or longer, within which the day is open.
func (l Planner) isLong(text string) bool {
	at, err := when.ParseOccasion(text, l.P.AsOf, l.Zone())
	return err == nil && at.Recurrence == nil && at.Grain >= when.Week
}

// ofTheirs is a text in which a time of "theirs" is that of the place it names: 9 am their time.
func (l Planner) ofTheirs(text string) string {
	at := strings.Index(strings.ToLower(text), " their time")
	if at < 0 {
		return text
	}
	for name := range strings.FieldsSeq(text) {
		if _, known := when.Place(strings.Trim(name, ",.")); known {
			return text[:at+1] + strings.Trim(name, ",.") + text[at+len(" their"):]
		}
	}
	return text
}

// beingAt is what one has to be somewhere for.
func beingAt(text string) string {
	if parts := beAt.FindStringSubmatch(text); parts != nil {
		return strings.TrimRight(parts[1], " ,.;")
	}
	return ""
}

// beAt finds that one has to be somewhere, which is what an appointment of it is called.
var beAt = regexp.MustCompile(`(?i)^(?:(?:i|we) (?:have|need|got|ought|am supposed|must|should) )?(?:to )?(be (?:at|in|on) .+)$`)

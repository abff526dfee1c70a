package concern

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/timing"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// Message is what a program tells, at a moment. Only Text, At and Zone are needed.
type Message struct {
	Text, Sender, Topic string
	Metadata            json.RawMessage // an object, or nothing
	At                  domain.Millis
	Zone                *time.Location
}

// Said is what a message says of a plan.
type Said struct {
	Cancelled bool
	Whens     []string // English words of the new time, the likeliest first

	was    was
	noun   string // what takes place, as it is called; "" when it isn't said
	parts  [partsOfMessage][]string
	senses map[string]bool
}

// The parts of a message that may name a plan, what says more first.
const (
	byTopic = iota
	bySender
	byMetadata
	byWords
	partsOfMessage
)

// was is the time of what a message speaks of, before it changes.
type was struct {
	from, to domain.Millis // the day; 0 when it isn't named
	clock    string        // 15:04; "" when it isn't named
}

// Changes reports whether a message says that something is to be otherwise.
func (s Said) Changes() bool { return s.Cancelled || len(s.Whens) > 0 }

// Moved is a plan at the new time that a message says of it. Its Start is 0 where none is said that is ahead and another
// than it has.
func (s Said) Moved(was domain.Appointment, now domain.Millis, zone *time.Location) (none domain.Appointment) {
	if s.Cancelled {
		return none
	}
	for _, said := range s.Whens {
		day, clock := when.Parts(said, now, zone)
		if _, shift := timing.Shifted(said, was.Start, zone); !day && !clock && !shift {
			continue
		}
		to, err := timing.Moved(was, when.Look(said, now, zone), "", now, zone)
		switch {
		case err != nil || to.Start <= now || to.Recurrence != nil || to.AllDay != was.AllDay:
		case to.Start == was.Start:
			return none
		default:
			return to
		}
	}
	return none
}

// Read reads a message.
func Read(m Message) Said {
	out := Said{senses: map[string]bool{}}
	change := change{Message: m}
	change.read()
	out.Cancelled, out.Whens = change.off, change.whens()
	for _, text := range change.told() {
		if out.was.add(text, m); out.was.from != 0 && out.was.clock != "" {
			break
		}
	}
	data := dataIn(m)
	if !out.Cancelled && !data.to.IsZero() {
		out.takeTime(data.to, m)
	}
	if !data.was.IsZero() {
		out.was.take(data.was, m.Zone)
	}
	out.parts = [...][]string{wordsOf(m.Topic), wordsOf(m.Sender), data.words, wordsOf(m.Text)}
	for _, words := range out.parts {
		for name := range sensesOf(words) {
			out.senses[name] = true
		}
	}
	for _, w := range out.parts[byWords] {
		if _, is := tabled().nouns[w]; is && out.noun == "" {
			out.noun = w
		}
	}
	return out
}

// takeTime takes the new time that the metadata has. Words that have no day mean that one.
func (s *Said) takeTime(to time.Time, m Message) {
	day, clock := false, false
	if len(s.Whens) > 0 {
		day, clock = when.Parts(s.Whens[0], m.At, m.Zone)
	}
	if !day && s.was.from == 0 { // who says only a time of day says it of the same day
		s.was.from, s.was.to = dayOf(to)
	}
	if !day || !clock {
		s.Whens = slices.Insert(s.Whens, 0, to.Format("on 2 January 2006 at 15:04"))
	}
}

// dayOf is a day from its beginning to its end.
func dayOf(at time.Time) (from, to domain.Millis) {
	year, month, day := at.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, at.Location())
	return domain.MillisOf(midnight), domain.MillisOf(midnight.AddDate(0, 0, 1))
}

// longestDay is more than any day has, once a year.
const longestDay = 26 * time.Hour

// add takes the day and the time of day that a text in English has, as far as none is known.
func (w *was) add(text string, m Message) {
	window, _, err := when.Narrow(text, m.At, m.Zone)
	if err != nil {
		return
	}
	if w.from == 0 && window.HasDay() && window.To.Sub(window.From) <= longestDay {
		w.from, w.to = dayOf(window.From.Time().In(m.Zone))
	}
	if _, clock := when.Parts(text, m.At, m.Zone); clock && w.clock == "" {
		if at, err := when.Parse(window.Said, m.At, m.Zone); err == nil && at.Recurrence == nil {
			w.clock = at.At.Time().In(m.Zone).Format("15:04")
		}
	}
}

func (w *was) take(at time.Time, zone *time.Location) {
	at = at.In(zone)
	if w.from == 0 {
		w.from, w.to = dayOf(at)
	}
	if hour, minute, _ := at.Clock(); w.clock == "" && hour+minute > 0 {
		w.clock = at.Format("15:04")
	}
}

// change is what a text changes, in the making.
type change struct {
	Message
	tongue *tongues.Tongue // nil for English
	off    bool
	phrase []phrase
}

// phrase are words that may say the new time.
type phrase struct {
	english  string
	from, to int // of the text, in bytes
	rank     int
}

func (c *change) read() {
	c.tongue = languageOf(c.Text)
	if c.tongue != nil {
		c.readForeign()
	} else {
		c.readEnglish()
	}
	slices.SortStableFunc(c.phrase, func(a, b phrase) int { return cmp.Compare(a.rank, b.rank) })
}

// languageOf is the language of a text, as far as it matters: that of which it has words for a change.
func languageOf(text string) *tongues.Tongue {
	if t, ok := tongues.Of(text); ok {
		return t
	}
	if cancels.MatchString(text) || moves.MatchString(text) {
		return nil
	}
	words := wordsOf(text)
	for _, t := range tongues.All() {
		of := tabled().changes[t]
		if slices.ContainsFunc(words, func(w string) bool { return of.moved[w] }) || of.isOff(words) >= 0 {
			return t
		}
	}
	return nil
}

func (c *change) whens() []string {
	var out []string
	for _, p := range c.phrase {
		out = append(out, p.english)
	}
	return out
}

// told are the sentences of the text in English, as far as they say when, without the words that say
// the new time, those first that say what changes.
func (c *change) told() []string {
	text := c.Text
	if len(c.phrase) > 0 && !c.off {
		p := c.phrase[0]
		text = text[:p.from] + " … " + text[p.to:]
	}
	all := tongues.Sentences(text)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(c.order(a), c.order(b)) })
	if c.tongue == nil {
		return all
	}
	for i, one := range all {
		all[i] = c.tongue.When(one).English
	}
	return all
}

// order is less for a sentence that says what changes.
func (c *change) order(sentence string) int {
	says := cancels.MatchString(sentence) || moves.MatchString(sentence)
	if c.tongue != nil {
		of, words := tabled().changes[c.tongue], wordsOf(sentence)
		says = of.isOff(words) >= 0 || slices.ContainsFunc(words, func(w string) bool { return of.moved[w] })
	}
	if says {
		return 0
	}
	return 1
}

// Words by which others change a plan.
var (
	cancels   = regexp.MustCompile(`(?i)\b(?:cancell?ed|called off|won['’]t take place|will not take place|doesn['’]t take place|has to be cancell?ed|is off)\b`)
	keeps     = regexp.MustCompile(`(?i)\b(?:not|isn['’]t|wasn['’]t|never|un)[ -]?(?:been )?(?:cancell?ed|called off|moved|rescheduled|postponed|changed)\b|\b(?:if|unless|to) (?:you )?(?:cancel|move|reschedule|change)\b`)
	moves     = regexp.MustCompile(`(?i)\b(?:moved|moves|moving|rescheduled|reschedules|re-scheduled|postponed|shifted|shifts to|changed|changes to|pushed|brought|put|delayed|now|new (?:time|date|day)|instead|later|earlier|starts|begins|takes place|is (?:at|on))\b`)
	leadsToIt = regexp.MustCompile(`(?i)\b(?:to|until|till|now at|now on|new (?:time|date|day)(?: is)?:?|now|for|at|on)\s+`)
	byAsMuch  = regexp.MustCompile(`(?i)\bby ((?:an?|half an|\d+|one|two|three) \w+)`)
	muchLater = regexp.MustCompile(`(?i)\b((?:an?|half an|\d+|one|two|three) \w+ (?:later|earlier))\b`)
	endsThere = regexp.MustCompile(`[;!?\n]|\.(?:\s|$)`)
	isEarlier = regexp.MustCompile(`(?i)\b(?:earlier|forward)\b`)
)

// maxWhenWords bounds the words of a new time.
const maxWhenWords = 8

// beforeVerb is added to the rank of what stands before the verb.
const beforeVerb = 10

func (c *change) readEnglish() {
	if keeps.MatchString(c.Text) {
		return
	}
	c.off = cancels.MatchString(c.Text)
	moved := moves.FindStringIndex(c.Text)
	if moved == nil {
		return
	}
	for _, at := range muchLater.FindAllStringIndex(c.Text, -1) {
		c.phrase = append(c.phrase, phrase{c.Text[at[0]:at[1]], at[0], at[1], -1})
	}
	for _, at := range byAsMuch.FindAllStringSubmatchIndex(c.Text, -1) {
		way := " later"
		if isEarlier.MatchString(c.Text) {
			way = " earlier"
		}
		c.phrase = append(c.phrase, phrase{c.Text[at[2]:at[3]] + way, at[0], at[1], -1})
	}
	for _, lead := range leadsToIt.FindAllStringIndex(c.Text, -1) {
		rank := rankOf(c.Text[lead[0]:lead[1]])
		if lead[0] < moved[0] { // what stands before the verb is seldom what follows from it
			rank += beforeVerb
		}
		for _, p := range c.behind(lead[1]) {
			if p.english = c.Text[p.from:p.to]; c.isTime(p.english) {
				p.rank = rank
				c.phrase = append(c.phrase, p)
			}
		}
	}
}

// behind are the runs of words that begin at a place, the longest first, up to the end of the sentence.
func (c *change) behind(from int) (out []phrase) {
	rest := c.Text[from:]
	if end := endsThere.FindStringIndex(rest); end != nil {
		rest = rest[:end[0]]
	}
	at := 0
	for word := range strings.FieldsSeq(rest) {
		at += strings.Index(rest[at:], word)
		bare := strings.TrimRight(word, ",.:)")
		out = append(out, phrase{from: from, to: from + at + len(bare)})
		if at += len(word); len(out) == maxWhenWords {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// isTime reports whether words in English say a day or a time of day, and nothing else. A number alone
// is one by what it is said of, and left to who knows that.
func (c *change) isTime(text string) bool {
	if day, clock := when.Parts(text, c.At, c.Zone); !day && !clock {
		return false
	}
	at, err := when.Parse(text, c.At, c.Zone)
	if err != nil {
		return !strings.Contains(text, " ")
	}
	return at.Recurrence == nil && at.Rest(text) == "" && len(at.Unread(text)) == 0
}

// rankOf says how likely a new time follows some words, the likeliest first.
func rankOf(lead string) int {
	switch first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(lead)), " "); first {
	case "to", "until", "till":
		return 0
	case "now", "new":
		return 1
	}
	return 2
}

// readForeign is readEnglish of another language.
func (c *change) readForeign() {
	of := tabled().changes[c.tongue]
	words := tongues.Words(c.Text)
	plain := make([]string, len(words))
	for i, w := range words {
		plain[i] = w.Text
	}
	moved := slices.IndexFunc(plain, func(w string) bool { return of.moved[w] || of.later[w] || of.earlier[w] })
	off := of.isOff(plain)
	if asks := strings.HasSuffix(strings.TrimSpace(c.Text), "?"); asks || of.denied(plain, moved) || of.denied(plain, off) {
		return
	}
	c.off = off >= 0
	if moved < 0 {
		return
	}
	c.shifts(of, plain)
	for i, w := range plain {
		lead, weak := of.to[w], of.at[w]
		if !lead && !weak {
			continue
		}
		rank := 0
		if !lead {
			rank = 1
		}
		if !lead && i < moved {
			rank = beforeVerb
		}
		for _, p := range c.behind(words[i].Start) {
			said := c.tongue.When(strings.TrimLeft(c.Text[p.from:p.to], ":"))
			if said.English == "" || len(said.Unread) > 0 || !c.isTime(said.English) || !of.leadsOnly(said.Rest) {
				continue
			}
			p.english, p.rank = said.English, rank
			c.phrase = append(c.phrase, p)
			break
		}
	}
}

// shifts finds by how much something is later or earlier.
func (c *change) shifts(of changes, plain []string) {
	way := ""
	for _, w := range plain {
		switch {
		case of.later[w]:
			way = " later"
		case of.earlier[w]:
			way = " earlier"
		}
	}
	if said := c.tongue.When(c.Text); way != "" && said.Length != "" {
		c.phrase = append(c.phrase, phrase{english: said.Length + way, rank: -1})
	}
}

// isOff is where words say that something doesn't take place; -1 when they don't.
func (c changes) isOff(words []string) int {
	for _, row := range c.off {
		first, at := -1, 0
		for _, want := range row {
			i := slices.Index(words[at:], want)
			if i < 0 {
				first = -1
				break
			}
			if at += i; first < 0 {
				first = at
			}
			at++
		}
		if first >= 0 {
			return first
		}
	}
	return -1
}

// denied reports whether a word is denied, or stands under a condition.
func (c changes) denied(words []string, at int) bool {
	const near = 3
	return at >= 0 && slices.ContainsFunc(words[max(0, at-near):at], func(w string) bool { return c.not[w] })
}

// leadsOnly reports whether a text has nothing but words that lead to a time.
func (c changes) leadsOnly(text string) bool {
	return !slices.ContainsFunc(wordsOf(text), func(w string) bool { return !c.to[w] && !c.at[w] })
}

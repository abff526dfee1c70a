package reckon

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language/when"
)

// slotKind is what a part of a question of clocks and zones is.
type slotKind int

const (
	wordSlot   slotKind = iota // a word that such questions have
	unreadSlot                 // any other word
	clockSlot                  // 4 pm, 1500 hours, noon
	laterSlot                  // in 3 hours, 20 minutes ago
	daySlot                    // tomorrow, on march 20
	formSlot                   // 12 hour format, military time
	placeSlot                  // denver, eastern time
	hereSlot                   // here, my time, for us
	thereSlot                  // there, their time
)

// slot is a part of a question, in the place where it was said.
type slot struct {
	kind slotKind
	text string
	all  []when.Local // of a place
}

// isSide reports whether it is a place, by its name or by where somebody is.
func (s slot) isSide() bool { return s.kind >= placeSlot }

// slots are the parts of a question, in the order in which they were said. What is asked is
// told by which there are, and not by their order.
type slots []slot

const (
	shortMonths = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	monthDay    = `(?:` + shortMonths + ` \d{1,2}(?:st|nd|rd|th)?|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + shortMonths + `)(?: (?:of )?(?:1[89]|20)\d\d)?`
	callVerb    = `(?:call|phone|ring|text|email|message|meet|skype|facetime|zoom|contact|reach|wake)`
)

// What a slot begins with where a question goes on; the first that fits is it. The end of each
// is the end of a word.
var slotStarts = []struct {
	kind slotKind
	said pattern
}{
	{formSlot, matching(`^(?:(?:in|to|into|as|on|using) )?(?:the |a )?(?:(?:12|24|twelve|twenty four) ?-?(?:hours?|hrs?|h)(?: (?:clock|format|time|form|notation|system))*|military(?: (?:time|format|clock|hours))?|(?:normal|regular|civilian|ordinary)(?: clock)? (?:time|format)|am ?(?:/|and|or)? ?pm(?: (?:format|time|form))?|standard (?:format|clock))( |$)`)},
	{daySlot, matching(`^(?:on |for )?(?:` + monthDay + `|(?:today|tomorrow|yesterday|(?:(?:this|next|last|coming) )?` + weekday + `|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}/\d{1,2}(?:/\d{2,4})?|the day after tomorrow)(?: (?:morning|afternoon|evening|night))?|tonight|this (?:morning|afternoon|evening))( |$)`)},
	{laterSlot, matching(`^(?:in (?:\w+|an? \w+ of|half an|an hour and a half) ?(?:hours?|minutes?|mins?|hrs?)(?: from now)?|(?:\w+|half an) (?:hours?|minutes?|mins?) (?:ago|from now))( |$)`)},
	{clockSlot, matching(`^(?:[01]?\d|2[0-3])h[0-5]?\d?( |$)`)},
	{clockSlot, matching(`^(?:[01]\d|2[0-3])[0-5]\d(?: ?(?:hours|hrs|h))?( |$)`)},
	{clockSlot, matching(`^` + sun + `( |$)`)},
	{clockSlot, matching(`^half (?:\d{1,2}|` + hourWord + `)(?: ?[ap]m| in the (?:morning|afternoon|evening))?( |$)`)},
	{clockSlot, matching(`^` + wallTime + `( |$)`)},
	{hereSlot, matching(`^(?:` + hereWords + `|where (?:i|we) live|mine|ours)( |$)`)},
	{thereSlot, matching(`^(?:(?:over |out |down |up )?there|(?:his|her|their|its) (?:local )?(?:time|end|clock|zone|time zone))( |$)`)},
	{wordSlot, matching(`^(?:(?:\d{1,2}|` + hourWord + `)(?: or (?:\d{1,2}|` + hourWord + `))? hours?|have they(?: already)? got|(?:if|when|should|can|could|may) (?:i|we) ` + callVerb + `(?: up| with)?|too (?:late|early)(?: (?:to|for) ` + callVerb + `(?:ing)?)?|what time (?:do|would|will) (?:they|people|folks|he|she) have|do (?:they|people|folks) (?:have|already have)|(?:when|what time) (?:should|do|must|can) (?:i|we) (?:have to |need to )?(?:dial in|call in|call|join|log in|log on|tune in|watch|listen|ring|phone|switch on|turn on|be ready|start|sign in)(?: in)?)( |$)`)},
}

// idle are the words that questions of clocks and zones have besides, each by itself.
var idle = func() map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(`a an the it that this then so if when while whenever once given suppose at in on to into for of from as than with by and or but be is are was were will would does do did
		what which how who time times hour hours clock oclock zone zones local date day current currently actual exact exactly about around already yet still now right just late early they them people everyone someone somebody anyone folks living lives guys
		convert change translate turn switch going say says show he she his her their my our own like between over using late early equal equals same another compared versus vs -
		friend friends brother sister cousin cousins mom mum dad mother father aunt uncle boss colleague colleagues coworker client team son daughter wife husband parents morning afternoon evening night daytime equivalent written hit hits grandma grandpa family sibling buddy partner
		difference differences distance diff gap apart ahead behind earlier later offset off away many much far long big large great number further farther front share keep have has`) {
		out[word] = true
	}
	return out
}()

// apartFrom are the marks that stand for words between two zones.
var apartFrom = strings.NewReplacer("->", " to ", "=>", " to ", "→", " to ", ">", " to ", "=", " is ", "o clock", "oclock", " hes ", " he is ", " shes ", " she is ", "bday", "birthday")

// ourClock is a time of day of the person's own, and theirClock one of somebody elsewhere: our 7am,
// his 9 in the evening.
var (
	ourClock   = matching(`\b(?:my|our) (` + wallTime + `)\b`)
	theirClock = matching(`\b(?:his|her|their) (` + wallTime + `)\b`)
)

// taken takes a question apart.
func (a asker) taken() slots {
	s := strings.ReplaceAll(" "+a.plain()+" ", "'s ", " ")
	s = theirClock.replaced(ourClock.replaced(apartFrom.Replace(s), "here $1"), "there $1")
	s = strings.Join(strings.Fields(s), " ")
	var out slots
	apart := apartAsked.in(a.said)
	for s != "" {
		next := a.slotAt(s, out, apart)
		out = append(out, next)
		s = strings.TrimSpace(s[len(next.text):])
	}
	return out
}

// slotAt is the slot with which the rest of a question begins; before are those before it. apart
// says that the question is how far two places are apart.
func (a asker) slotAt(s string, before slots, apart bool) slot {
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1].text
	}
	for _, start := range slotStarts {
		m := start.said.parts(s)
		if m == nil {
			continue
		}
		text := strings.TrimSpace(m[0])
		if start.kind == clockSlot && !a.isClock(text, s[len(text):], last) {
			continue
		}
		return slot{kind: start.kind, text: text}
	}
	word, _, _ := strings.Cut(s, " ")
	switch {
	case word == "us" && last != "in" && last != "the" && (slices.Contains([]string{"for", "of", "than", "behind"}, last) || ahead.in(a.said)), word == "me" && last != "", word == "we":
		return slot{kind: hereSlot, text: word}
	}
	if text, all := placeAt(s, apart); all != nil {
		return slot{kind: placeSlot, text: text, all: all}
	}
	if idle[word] {
		return slot{kind: wordSlot, text: word}
	}
	return slot{kind: unreadSlot, text: word}
}

var (
	fromTo     = matching(`^(?:[1-46-9]|1[1-9]|2[1-46-9]|[3-9]\d) to `)
	bareHour   = matching(`^(?:\d{1,2}|` + hourWord + `)$`)
	countsUnit = matching(`^ (?:hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?|times?|zones?|oclock zones)\b`)
	year       = matching(`^(?:19|20)\d\d$`)
)

// isClock reports whether a number is a time of day: alone only behind a word that one follows.
func (a asker) isClock(text, rest, last string) bool {
	if _, ok := a.wall(text); !ok {
		return sunTime.in(text)
	}
	switch {
	case fromTo.in(text): // 9 to 5
		return false
	case bareHour.in(text):
		return !countsUnit.in(rest) && slices.Contains([]string{"at", "is", "be", "when", "if", "here", "there", "about", "around", "for", "to"}, last) && (last != "to" || rest == "")
	case year.in(text):
		return last != "in" && last != "of" && last != "year"
	}
	return !countsUnit.in(rest) || strings.Contains(text, ":") || strings.HasSuffix(text, "m")
}

var (
	sunTime  = matching(`^` + sun + `$`)
	hourH    = matching(`^(\d{1,2})h(\d{2})?$`)
	soldiers = matching(`^(\d{2})(\d{2})(?: ?(?:hours|hrs|h))?$`)
)

// wall is a time of day in any of its forms.
func (a asker) wall(text string) (time.Time, bool) {
	for _, p := range []pattern{hourH, soldiers} {
		if m := p.parts(text); m != nil {
			hour, _ := strconv.Atoi(m[1])
			minute, _ := strconv.Atoi("0" + m[2])
			return time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC), hour < 24 && minute < 60
		}
	}
	if half, ok := strings.CutPrefix(text, "half "); ok && !strings.HasPrefix(half, "past") {
		text = "half past " + half
	}
	return a.onWall(text)
}

const placeWords = 4

// placeAt is the longest place with which a text begins. Where it is asked how far two are
// apart, a name isn't that of both.
func placeAt(s string, apart bool) (string, []when.Local) {
	words := strings.Fields(s)
	if idle[words[0]] && words[0] != "the" {
		return "", nil
	}
	for n := min(placeWords, len(words)); n > 0; n-- {
		name := words[:n]
		end := name[n-1]
		if slices.ContainsFunc(name[1:], between) || idle[end] && end != "time" && end != "zone" || n == 1 && end == "the" {
			continue
		}
		text := strings.Join(name, " ")
		all := when.Listed(text)
		if all != nil && !(apart && isPair(name, all)) {
			return text, all
		}
	}
	return "", nil
}

// between reports whether a word stands between two places, and never within the name of one.
func between(word string) bool {
	return slices.Contains([]string{"in", "to", "into", "from", "is", "are", "it", "what", "when", "for", "at", "than", "behind", "ahead", "vs", "or", "on", "as", "while", "if"}, word)
}

// isPair reports whether a name is that of two places, one behind the other: boston tokyo. Of
// a city with its country both keep one zone.
func isPair(name []string, all []when.Local) bool {
	if strings.Contains(strings.ToLower(all[0].Place), name[0]) && strings.Contains(strings.ToLower(all[0].Place), name[len(name)-1]) {
		return false
	}
	for i := 1; i < len(name); i++ {
		one, other := when.Listed(strings.Join(name[:i], " ")), when.Listed(strings.Join(name[i:], " "))
		if one == nil || other == nil {
			continue
		}
		meets := slices.ContainsFunc(one, func(l when.Local) bool {
			return slices.ContainsFunc(other, func(o when.Local) bool { return o.Zone.String() == l.Zone.String() })
		})
		if !meets {
			return true
		}
	}
	return false
}

// only is the one slot of a kind; false where there is none, or more.
func (q slots) only(k slotKind) (int, bool) {
	at := slices.IndexFunc(q, func(s slot) bool { return s.kind == k })
	return at, at >= 0 && !slices.ContainsFunc(q[at+1:], func(s slot) bool { return s.kind == k })
}

func (q slots) has(k slotKind) bool {
	return slices.ContainsFunc(q, func(s slot) bool { return s.kind == k })
}

// says reports whether one of some words is among them.
func (q slots) says(words ...string) bool {
	return slices.ContainsFunc(q, func(s slot) bool { return s.kind == wordSlot && slices.Contains(words, s.text) })
}

// word is a slot's text, "" outside the question.
func (q slots) word(i int) string {
	if i < 0 || i >= len(q) {
		return ""
	}
	return q[i].text
}

// mended is a question with the name of a great city or a country for a word that is mistyped, where
// a place is told: time in lodnon.
func (q slots) mended() slots {
	for i, s := range q {
		if s.kind != unreadSlot || !slices.Contains([]string{"in", "to", "into", "from", "for", "and", "between", "than", "of"}, q.word(i-1)) && q.word(i+1) != "time" {
			continue
		}
		if name, ok := when.Mistyped(s.text); ok {
			q[i].kind, q[i].all = placeSlot, when.Listed(name)
			q[i].text = name
		}
	}
	return q
}

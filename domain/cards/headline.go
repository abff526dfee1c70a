package cards

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/when"
	"chalie/domain/relate"
)

// news is what a signal plainly says of something: that it is cancelled, closed, or at another
// time.
type news struct {
	subject string // as it is said
	says    string // what is so of it: "is cancelled"
	to      string // the words of its new time, "" for none
	gone    bool   // it is cancelled, closed or full
}

// Clauses that say plainly what is so. Anything else between the subject and the verb, such as
// "not" or "may", makes it another saying.
var (
	clauses     = regexp.MustCompile(`[.;:!\n]+\s+|[.;:!?\n]+$|\s+[-–—]+\s+|,\s+|\s+\(`)
	stateClause = regexp.MustCompile(`(?i)^(.{1,80}?)(?: (is|are|was|were|has been|have been|had to be|will be|must be)|['’](s))(?: (now|currently|unfortunately|again|fully|completely))? (cancelled|canceled|called off|postponed|delayed|closed|shut|blocked|suspended|fully booked|overbooked|full|sold out|off|down|out of order|late|diverted)\b(.*)$`)
	moveClause  = regexp.MustCompile(`(?i)^(.{1,80}?) (is|are|was|were|has been|have been|had to be|will be|must be)(?: now)? (moved|postponed|rescheduled|put off|put back|pushed back|brought forward|delayed) (?:to|until|till) (.+)$`)
	nowClause   = regexp.MustCompile(`(?i)^(.{1,80}?) (?:(now) (departs|leaves|arrives|starts|begins|takes place)|(departs|leaves|arrives|starts|begins) (now))(?: only)? ((?:at |on )?.+)$`)
	noneClause  = regexp.MustCompile(`(?i)^(.{1,80}?) (has|have) (no [^,]{1,40})$`)
	atClause    = regexp.MustCompile(`(?i)^(.{1,80}?) (is|are|will be) (now) ((?:at|on) .+)$`)
)

// unsaying are words before the verb that make it no plain saying.
var unsaying = sentences.WordsIn("if unless whether not no never may might could should would who which that says said thinks think maybe perhaps because when while before after until nothing nobody none hope hopes fear fears")

// Behind the verb: causes say nothing of what is so, and conditions bound it.
var (
	causes     = regexp.MustCompile(`(?i)^(?:because|due to|owing to|as|since|after|following)\b`)
	conditions = regexp.MustCompile(`(?i)\b(?:if|unless|not|except|but|only)\b`)
)

// maxTailBytes bounds what a headline takes of the words behind the verb.
const maxTailBytes = 40

// newsIn finds what a text plainly says; false when it says nothing so.
func newsIn(text string) (news, bool) {
	text = sentences.OneLine(text)
	if strings.HasSuffix(text, "?") {
		return news{}, false
	}
	for _, clause := range clauses.Split(text, -1) {
		clause = strings.TrimSpace(strings.TrimRight(clause, " .!,;)"))
		for _, read := range []func(string) (news, bool){movedIn, stateIn} {
			if n, ok := read(clause); ok {
				return n, true
			}
		}
	}
	return news{}, false
}

// movedIn reads a clause that gives something another time.
func movedIn(clause string) (news, bool) {
	var n news
	switch {
	case moveClause.MatchString(clause):
		m := moveClause.FindStringSubmatch(clause)
		n = news{subject: m[1], to: m[4], says: verbOf(m[2]) + " " + strings.ToLower(m[3]) + " to "}
	case nowClause.MatchString(clause):
		m := nowClause.FindStringSubmatch(clause)
		n = news{subject: m[1], to: m[6], says: "now " + strings.ToLower(m[3]+m[4]) + " "}
	case atClause.MatchString(clause):
		m := atClause.FindStringSubmatch(clause)
		n = news{subject: m[1], to: m[4], says: strings.ToLower(m[2]) + " now "}
	default:
		return n, false
	}
	n.to = timeAhead(n.to)
	n.says += n.to
	return n, n.to != "" && isSubject(n.subject)
}

// stateIn reads a clause that says that something is cancelled, closed or otherwise not as planned.
func stateIn(clause string) (news, bool) {
	if m := noneClause.FindStringSubmatch(clause); len(m) > 3 && isSubject(m[1]) && !conditions.MatchString(strings.TrimPrefix(m[3], "no ")) {
		return news{subject: m[1], says: strings.ToLower(m[2]) + " " + m[3], gone: true}, true
	}
	m := stateClause.FindStringSubmatch(clause)
	if len(m) < 7 || !isSubject(m[1]) {
		return news{}, false
	}
	state, tail := strings.ToLower(m[5]), strings.TrimSpace(m[6])
	if conditions.MatchString(tail) || len(tail) > maxTailBytes && !causes.MatchString(tail) {
		return news{}, false
	}
	n := news{subject: m[1], says: verbOf(m[2]+m[3]) + " " + strings.TrimPrefix(state, " ")}
	switch state {
	case "cancelled", "canceled", "called off", "closed", "shut", "fully booked", "overbooked", "full", "sold out", "suspended":
		n.gone = true
	}
	if tail != "" && !causes.MatchString(tail) {
		n.says += " " + tail
	}
	return n, true
}

// verbOf is a verb of a clause as a headline has it.
func verbOf(verb string) string {
	switch verb = strings.ToLower(verb); verb {
	case "are", "were", "have been":
		return "are"
	case "will be", "must be":
		return "will be"
	}
	return "is"
}

// isSubject reports whether what stands before a verb only names something.
func isSubject(text string) bool {
	s, ok := sentences.Read(text)
	const most = 8
	return ok && len(s.Words) <= most && !sentences.AnyOf(s, unsaying) && !(len(s.Words) == 1 && s.Is(0, "it", "this", "that", "he", "she", "they", "we", "i", "you", "there", "everything"))
}

// timeAhead are the words of time that a text begins with; "" for none.
func timeAhead(text string) string {
	words := strings.Fields(text)
	const most = 9
	for n := min(len(words), most); n > 0; n-- {
		part := strings.TrimRight(strings.Join(words[:n], " "), ",.;:")
		at, err := when.Parse(part, newYear, time.UTC)
		if err == nil && at.Recurrence == nil && at.Rest(part) == "" && len(at.Unread(part)) == 0 {
			return part
		}
	}
	return ""
}

// newYear is a moment from which any time that is only read, and not set, may be ahead.
var newYear = domain.MillisOf(time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC))

// events are nouns of what is planned, by which a headline calls it "your train".
var events = sentences.WordsIn(`train flight bus ferry tram coach play concert match game meeting class lesson course lecture film movie show party appointment
	dinner lunch breakfast brunch delivery interview exam rehearsal training practice call tour reservation booking table parcel package workshop
	seminar conference visit trip ride checkup haircut massage webinar`)

// rides are those of them that go by a code: the train ICE 707.
var rides = sentences.WordsIn("train flight bus ferry tram coach")

// eventOf is what a plan is called that a signal speaks of: "train"; "" where that isn't plain.
func eventOf(subject, plan string) string {
	s, ok := sentences.Read(subject)
	p, known := sentences.Read(plan)
	if !ok || !known {
		return ""
	}
	var noun, ride string
	for _, w := range p.Words {
		if rides[w.Lower] && ride == "" {
			ride = w.Lower
		}
		if events[w.Lower] && sentences.HasAny(s, w.Lower) && noun == "" {
			noun = w.Lower
		}
	}
	if sharesCode(s, p) && (noun != "" || ride != "") {
		if noun == "" {
			noun = ride
		}
		return noun
	}
	for _, w := range s.Words { // a train to Berlin is no other train
		if lower := strings.TrimSuffix(w.Lower, "'s"); !relate.Function(lower) && !sentences.HasAny(p, w.Lower, lower) && !saysDay[lower] {
			return ""
		}
	}
	return noun
}

// saysDay are words of a subject that say when: whether that is the plan's day is asked elsewhere.
var saysDay = sentences.WordsIn("today tonight tomorrow monday tuesday wednesday thursday friday saturday sunday morning afternoon evening your our sorry unfortunately")

// sharesCode reports whether both have a word with two digits or more: ICE 707, LH402.
func sharesCode(a, b sentences.Said) bool {
	return slices.ContainsFunc(a.Words, func(w sentences.Word) bool {
		digits := len(strings.FieldsFunc(w.Lower, func(r rune) bool { return !unicode.IsDigit(r) }))
		return digits == 1 && strings.ContainsFunc(w.Lower, unicode.IsDigit) && len(w.Lower) > 1 && !strings.Contains(w.Lower, ":") && sentences.HasAny(b, w.Lower)
	})
}

package when

import (
	"slices"
	"strings"
)

// Unread are the words of a text that speak of time and aren't a part of what was read: a
// day, a number with a unit, a zone, "before", "except". Who acts on a time asks about
// them first: they may change what is meant.
func (t Time) Unread(text string) []string {
	r := &reader{tokens: tokensOf(text)}
	r.tokens = r.tokens[:min(len(r.tokens), maxTokens)]
	var out []string
	for i := 0; i < len(r.tokens); {
		next := max(r.timeWord(i), r.dangling(i, t))
		if next == 0 || r.tokens[i].quoted || t.covers(r.tokens[i]) {
			i++
			continue
		}
		for more := r.timeWord(next); more > 0 && !t.covers(r.tokens[next]); more = r.timeWord(next) {
			next = more
		}
		out = append(out, text[r.tokens[i].start:r.tokens[next-1].end])
		i = next
	}
	return out
}

// dangling is the token behind a word beside the time that can only be a part of it: "every"
// before a day, "evenings" behind one, 5-6 before a time of day. 0 when there is none.
func (r *reader) dangling(i int, t Time) int {
	covered := func(i int) bool { return 0 <= i && i < len(r.tokens) && t.covers(r.tokens[i]) }
	_, behind := r.length(i)
	switch {
	case t.elsewhere.End > 0 && t.elsewhere.Start == r.tokens[i].start:
		for i < len(r.tokens) && r.tokens[i].end <= t.elsewhere.End {
			i++
		}
		return i
	case covered(i-1) && r.trailing(i) > 0:
		return r.trailing(i)
	case covered(i+1) && r.leading(i):
		return i + 1
	case covered(i-1) && covered(i+1) && r.is(i, "on"): // from 9 on every day
		return i + 1
	case shortWeekdays[r.text(i)] != nil && covered(r.skip(i+1, ",", "/", "and", "&")):
		return i + 1
	case (covered(i-1) || covered(i+3)) && r.dayPair(i):
		return i + 3
	case behind > 0 && covered(behind) && r.is(behind, "before", "after"): // an hour before Christmas
		return behind
	}
	return 0
}

// leading reports whether a word belongs to the time behind it.
func (r *reader) leading(i int) bool {
	switch {
	case r.is(i, "every", "each", "from", "starting", "beginning", "between", "or", "past", "mornings", "afternoons", "evenings", "bimonthly", "semimonthly"):
		return true
	case r.is(i, "of"):
		return r.is(i+1, "every", "each")
	case r.is(i, "for"):
		return r.anyOf(i+1, "the next", "the coming", "the following", "the rest of") > 0
	}
	return len(r.text(i)) == 4 && r.text(i)[0] == '0' // 0815
}

// trailing is the token behind words that go on with the time before them: Monday 9 to 5.
func (r *reader) trailing(i int) int {
	n, behind := r.ordinal(r.skip(i+1, "the"))
	switch {
	case n > 0 && r.is(i, "and", ",", "&") && r.is(behind-1, "st", "nd", "rd", "th") && !r.countsSomething(behind): // the 1st and 15th
		return behind
	case r.is(i, "mornings", "afternoons", "evenings", "nights", "onward", "onwards", "bimonthly", "semimonthly"):
		return i + 1
	case r.is(i, "fifteen", "thirty") && !r.countsSomething(i+1): // noon thirty
		return i + 1
	case r.tokens[i-1].isNumber() && r.is(i, "km", "kilometres", "kilometers", "metres", "meters", "miles", "percent", "degrees", "mph", "kg", "pounds", "dollars", "euros", "people"):
		return i + 1
	case r.seq(i, "and a half") > 0:
		return i + 3
	case r.is(i, "the") && r.plainHour(i+1) && !r.countsSomething(i+2): // Tuesday the 9
		return i + 2
	case r.is(i+1, "to", "-", "–") && r.plainHour(i) && r.plainHour(i+2):
		return i + 3
	}
	return 0
}

// plainHour reports whether a number stands there that may be an hour.
func (r *reader) plainHour(i int) bool {
	n, ok := r.plain(i)
	return ok && n <= 24
}

// dayPair reports whether two numbers stand there that may be a day and a month: 5-6. Of pages
// and the like they aren't.
func (r *reader) dayPair(i int) bool {
	a, first := r.plain(i)
	b, second := r.plain(i + 2)
	if !first || !second || !r.is(i+1, "-") || !r.joined(i+1) || !r.joined(i+2) || r.joined(i) || r.joined(i+3) {
		return false
	}
	return a > 0 && b > 0 && min(a, b) <= 12 && max(a, b) <= 31 && !r.is(i-1, "page", "pages", "chapter", "chapters", "gate", "gates", "room", "rooms", "number", "numbers", "line", "lines", "row", "rows", "seats")
}

func (t Time) covers(w token) bool {
	return inside(t.Spans, w) || inside(t.kept, w)
}

func inside(spans []Span, w token) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.Start <= w.start && w.end <= s.End })
}

// Loose are the words that stand among those of the time where only a time is said: in
// "remind me Vesak at 5 to light the lamp" before "to".
func (t Time) Loose(text string) string {
	r := &reader{tokens: tokensOf(text)}
	start, end := r.head(t)
	var out []string
	for _, w := range r.tokens[start:end] {
		if !t.covers(w) && w.isWord() && !fillers[w.text] {
			out = append(out, text[w.start:w.end])
		}
	}
	return strings.Join(out, " ")
}

// head are the tokens in which only a time is said: those before "to", when the time is
// among them and nothing links them to what stands before. Else it is empty.
func (r *reader) head(t Time) (start, end int) {
	if len(t.Spans) == 0 {
		return 0, 0
	}
	for i := range r.tokens {
		if n := r.seq(i, "remind me"); n > 0 {
			start = n
			break
		}
	}
	end = start
	for end < len(r.tokens) && (t.covers(r.tokens[end]) || !r.is(end, "to") && (!r.is(end, ":") || r.joined(end+1))) {
		end++
	}
	if end == start || end >= len(r.tokens)-1 || r.is(start, "about", "of", "that", "to", "for", "when", "if") && !t.covers(r.tokens[start]) {
		return 0, 0
	}
	if !slices.ContainsFunc(r.tokens[start:end], func(w token) bool { return inside(t.Spans, w) }) {
		return 0, 0
	}
	return start, end
}

var fillers = wordSet("please again then and at on for in by the so just also me a it maybe now well ok okay about around as be sure kindly reminder alarm that you later once some time sometime the recurring recurrent repeating repeated")

// timely are words that hardly ever say anything but a time.
var timely = wordSet(`today tonight tomorrow yesterday noon midday midnight morning afternoon evening weekend weekends weekday weekdays
	before since until till except o'clock oclock hourly fortnightly ides tmrw`)

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// timeWord is the token behind a word of time at i; 0 when there is none.
func (r *reader) timeWord(i int) int {
	text := r.text(i)
	if text == "" {
		return 0
	}
	switch {
	case timely[text], weekdays[strings.TrimSuffix(text, "s")] != nil, weekdays[strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")] != nil:
		return i + 1
	case text == "after" && !r.is(i-1, "look", "looking", "take", "ask", "asking", "named", "named") && !r.is(i+1, "all", "party", "shave", "sun", "school", "hours"):
		return i + 1
	case months[text] != 0 && len(text) > 3 && (text != "may" && text != "march" || r.is(i-1, "in", "by", "of", "next", "this", "until")):
		return i + 1
	case r.is(i, "every", "each") && r.recurs(i+1):
		return i + 2
	case r.tokens[i].isNumber() && r.is(i+1, ":") && r.joined(i+1) && r.joined(i+2) && len(r.text(i+2)) == 2:
		return i + 3
	case r.tokens[i].isNumber() && r.is(i+1, "/") && r.joined(i+1) && r.joined(i+2) && len(text) <= 2 && (i+3 >= len(r.tokens) || !r.tokens[i+3].isWord() || functionWords[r.text(i+3)]):
		return i + 3
	case r.tokens[i].isNumber() && len(text) <= 2 && r.isMeridiem(i+1):
		return i + 2
	case r.is(i, "gmt", "utc", "pst", "pdt", "cst", "cdt", "edt", "cet", "cest") || r.is(i, "est", "bst", "ist") && r.tokens[i].upper:
		return i + 1
	case r.is(i, "time") && r.placeBefore(i):
		return i + 1
	case r.is(i, "sunrise", "sunset", "sundown", "sunup", "dawn", "dusk", "daybreak", "nightfall", "bed") && r.is(i-1, "at", "by", "before", "after", "until", "till", "around", "from"):
		return i + 1
	}
	if h := units[text]; 0 < h && h <= 12 && (r.is(i+1, "fifteen", "thirty") || r.seq(i+1, "forty five") > 0) { // the six thirty bus
		return i + 2
	}
	if _, next := r.length(i); next > 0 && !r.is(i, "a", "an", "one", "half") && !r.is(next-1, "m", "s", "d", "w", "h", "second") {
		return next
	}
	for _, h := range byName()[normal(text)] {
		if next := r.words(i, h.words); next > 0 && (len(h.words) > 1 || r.is(i-1, "on", "at", "by", "before", "until", "over", "this", "next", "last")) {
			return next
		}
	}
	return 0
}

// recurs reports whether something that comes back stands there: every other Tuesday.
func (r *reader) recurs(i int) bool {
	i = r.skip(i, "other", "second", "third", "single")
	_, unit := r.unit(i)
	_, day := r.weekday(i, true)
	return unit > 0 || day > 0 || timely[r.text(i)]
}

// placeBefore reports whether "time" is that of a place: London time.
func (r *reader) placeBefore(i int) bool {
	if i == 0 || !r.tokens[i-1].upper {
		return false
	}
	_, ok := zoneNamed(r.text(i - 1))
	return ok || i > 1 && len(Locals(r.text(i-1))) > 1 // of which it isn't said which
}

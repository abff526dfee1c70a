package relate

import (
	_ "embed" // what belongs together
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chalie/domain"
)

// belongsTogether says which matters touch which plans: hail a barbecue, a power cut
// the oven. Its first lines tell how it is written.
//
//go:embed belongs.txt
var belongsTogether string

// windowOf is within how many words the words of one alternative stand.
const windowOf = 5

// An alternative is a wording of one side of a matter.
type alternative struct {
	matter int
	first  bool     // it stands at the beginning of the text
	rest   []string // stems of the words that follow the first
}

// A lexicon has the alternatives of one side by the stem of their first word.
type lexicon map[string][]alternative

// matters are both sides of what belongs together: what is heard, and what is planned.
var matters = sync.OnceValues(func() (heard, planned lexicon) {
	heard, planned = lexicon{}, lexicon{}
	matter, sets := 0, map[string][]string{}
	for line := range strings.Lines(belongsTogether) {
		side, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch side {
		case "<":
			heard.add(matter, list, sets)
		case ">":
			planned.add(matter, list, sets)
		case "=":
			name, words, _ := strings.Cut(list, " ")
			sets[name] = append(sets[name], alternativesOf(words)...)
		case "", "#":
		default:
			matter++
		}
	}
	return heard, planned
})

func alternativesOf(list string) []string {
	out := strings.Split(list, ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

func (l lexicon) add(matter int, list string, sets map[string][]string) {
	for _, one := range alternativesOf(list) {
		words, set, ok := strings.Cut(one, " $")
		if !ok {
			l.addOne(matter, one)
			continue
		}
		for _, w := range sets["$"+set] {
			l.addOne(matter, words+" "+w)
			l.addOne(matter, w+" "+words)
		}
	}
}

func (l lexicon) addOne(matter int, words string) {
	words, first := strings.CutPrefix(words, "^")
	var stems []string
	for w := range strings.FieldsSeq(strings.ReplaceAll(words, "-", "")) {
		stems = append(stems, stem(w))
	}
	l[stems[0]] = append(l[stems[0]], alternative{matter: matter, first: first, rest: stems[1:]})
}

// amountAt is the word for an amount at i that is a lot: 38 degrees, minus 5, 90 km/h,
// 30 mm; "" for any other.
func (r *reader) amountAt(i int) string {
	n, err := strconv.Atoi(r.raw[i].folded)
	if err != nil || i+1 >= len(r.raw) {
		return ""
	}
	minus := i > 0 && r.raw[i-1].folded == "minus"
	gap := r.raw[i].gap
	below := minus || strings.HasSuffix(gap, " -") || i == 0 && strings.HasSuffix(gap, "-") || strings.HasSuffix(gap, "−")
	switch unit := r.raw[i+1].folded; unit {
	case "degree", "degrees", "c", "celsius":
		switch {
		case below:
			return "+cold"
		case n >= 33 && n < 60 || n >= 95 && n < 130:
			return "+hot"
		}
	case "km", "kmh", "kph", "mph", "knots":
		if n >= 40 && (unit != "km" || i+2 < len(r.raw) && r.raw[i+2].folded == "h") {
			return "+wind"
		}
	case "mm":
		if n >= 3 {
			return "+rain"
		}
	}
	if minus && n >= 2 && r.raw[i].followed == 0 {
		return "+cold"
	}
	return ""
}

// belong reads what a text belongs together with.
func (t *Terms) belong(r *reader, signal bool) {
	r.belongings(t, signal)
	if signal {
		t.span, t.places = readSpan(r.raw), r.placesOf()
	}
}

// belongings adds for every matter that a text speaks of a word that stands for it.
func (r *reader) belongings(out *Terms, signal bool) {
	heard, planned := matters()
	lexicon := planned
	if signal {
		lexicon = heard
	}
	stems := make([]string, len(r.raw))
	for i, w := range r.raw {
		if stems[i] = stem(w.folded); w.isName {
			stems[i] = ""
		} else if hasDigit(stems[i]) {
			stems[i] = r.amountAt(i)
		}
	}
	var found [maxMatters]bool
	for i, key := range stems {
		for _, a := range lexicon[key] {
			if found[a.matter] {
				continue
			}
			last, ok := r.wording(stems, i, a)
			if !ok {
				continue
			}
			found[a.matter] = true
			out.words = append(out.words, word{key: matterKey(a.matter), text: r.between(i, last), name: -1, class: matter})
		}
	}
}

// maxMatters is more than the lexicon has.
const maxMatters = 64

func matterKey(n int) string { return "&" + strconv.Itoa(n) }

// wording tells whether an alternative begins at i, and where its last word stands.
func (r *reader) wording(stems []string, i int, a alternative) (last int, ok bool) {
	if a.first && i > 0 {
		return 0, false
	}
	last = i
	for _, want := range a.rest {
		next := last + 1
		for next < len(r.raw) && next-i < windowOf && !r.raw[next].starts && stems[next] != want {
			next++
		}
		if next >= len(r.raw) || next-i >= windowOf || r.raw[next].starts {
			return 0, false
		}
		last = next
	}
	// The price of gas that is down is no gas that is off.
	for _, w := range r.raw[i : last+1] {
		if w.followed == '%' || w.marked == '$' || isPrice(singular(w.folded)) {
			return 0, false
		}
	}
	return last, true
}

func isPrice(w string) bool {
	switch w {
	case "bid", "demand", "fare", "future", "price", "sale", "share", "stock", "tariff", "tool", "trader":
		return true
	}
	return false
}

// between are the words from one place to another as they were written.
func (r *reader) between(from, to int) string {
	texts := make([]string, 0, to-from+1)
	for _, w := range r.raw[from : to+1] {
		texts = append(texts, w.written)
	}
	return strings.Join(texts, " ")
}

// soonTouched is within how long what is heard touches what is planned, where it names
// no day.
const soonTouched = domain.Millis(14 * time.Hour / time.Millisecond)

// touches tells whether what a signal speaks of happens where and when a plan is.
func (t *Terms) touches(planned *Terms) bool {
	if planned.due == 0 || t.at == 0 || planned.due < t.at {
		return false
	}
	if t.elsewhere(planned) || t.namesOther(planned) {
		return false
	}
	heard, due := &t.days, planned.days.due
	day, ok := heard.reached(due)
	switch {
	case !ok:
		return false
	case !heard.any() && planned.due-t.at > soonTouched:
		return false
	}
	return t.span.has(int(due.day-day)*minutesOfDay + planned.dueMinute())
}

// elsewhere tells whether a signal says where it happens, and a plan doesn't name that
// place.
func (t *Terms) elsewhere(planned *Terms) bool {
	return len(t.places) > 0 && !slices.ContainsFunc(t.places, planned.has)
}

// reached is the day on which what is heard is the case when something is due, and false
// when it isn't then.
func (d *days) reached(due moment) (day int64, ok bool) {
	if !d.any() {
		return d.said.day, true
	}
	last := int64(-1)
	for away := range int64(7) {
		if !(d.today && away == 0 || d.tomorrow && away == 1 || d.weekdays&(1<<((d.said.weekday+uint8(away))%7)) != 0) {
			continue
		}
		last = max(last, away)
		if d.said.day+away == due.day || d.said.day+away+1 == due.day && due.hour < smallHours {
			return d.said.day + away, true
		}
	}
	away := due.day - d.said.day
	switch {
	case d.hasDate(due.date):
		return due.day, true
	case d.until && away >= 0 && away <= last:
		return due.day, true
	}
	return 0, false
}

// A span is a part of the day, in minutes since it began; the zero value is all of it.
type span struct{ from, to int }

const minutesOfDay = 24 * 60

// early is how much before it begins a span touches what takes some time.
const early = 2 * 60

func (s span) has(minute int) bool {
	return s == span{} || minute >= s.from-early && minute <= s.to
}

// readSpan reads from when to when something is the case: from 18:00 until midnight, 10:00–15:00,
// this evening.
func readSpan(words []rawWord) span {
	from, to, part := -1, -1, span{}
	for i := range words {
		if m, ok := clockAt(words, i); ok && i > 0 {
			first, follows := clockAt(words, i-1)
			switch before := words[i-1].folded; {
			case follows && isDash(words[i].gap):
				from, to = int(first), int(m)
			case from >= 0 && before == "to", before == "until", before == "till", before == "before":
				to = int(m)
			case before == "from", before == "after", before == "since":
				from = int(m)
			}
			continue
		}
		if one, ok := partOfDay(words[i].folded); ok {
			part = one
			if saysUntil(words, i) {
				part = span{0, one.from}
			}
		}
	}
	switch {
	case from < 0 && to < 0:
		return part
	case from < 0:
		from = 0
	case to < 0:
		to = from + minutesOfDay/2
	}
	if to <= from {
		to += minutesOfDay
	}
	return span{from, to}
}

// saysUntil tells whether what stands at i is an end: until the evening, before dawn.
func saysUntil(words []rawWord, i int) bool {
	if i > 0 && words[i-1].folded == "the" {
		i--
	}
	if i == 0 {
		return false
	}
	switch words[i-1].folded {
	case "until", "till", "before":
		return true
	}
	return false
}

func isDash(gap string) bool {
	switch strings.TrimSpace(gap) {
	case "-", "–", "—":
		return true
	}
	return false
}

// partOfDay is generous: what is planned takes its time.
func partOfDay(w string) (span, bool) {
	switch w {
	case "morning":
		return span{5 * 60, 13 * 60}, true
	case "afternoon":
		return span{13 * 60, 19 * 60}, true
	case "evening", "tonight", "overnight", "night", "dusk":
		return span{18 * 60, 30 * 60}, true
	}
	return span{}, false
}

// placesOf are the places that a signal says it is about: what is written as a name
// behind "in", "near" or "off", or before a colon at the beginning.
func (r *reader) placesOf() []string {
	var out []string
	heard, _ := matters()
	for i, w := range r.raw {
		if w.class != rare || w.isName || w.first == noCase || hasDigit(w.folded) || len(heard[stem(w.folded)]) > 0 {
			continue
		}
		switch {
		case i == 0 && r.informed && len(r.raw) > 1 && strings.HasPrefix(r.raw[1].gap, ":"):
		case r.placed(i) && (w.first != lower || !r.informed):
		default:
			continue
		}
		out = append(out, stem(w.folded))
	}
	return out
}

// placed tells whether a word that says where stands before the one at i.
func (r *reader) placed(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !r.raw[j+1].cut; j-- {
		switch r.raw[j].folded {
		case "in", "near", "off", "around", "outside", "for", "of", "on":
			return true
		case "the", "all", "parts", "north", "south", "east", "west", "northern", "southern", "eastern", "western", "central", "new", "san", "st":
		default:
			return false
		}
	}
	return false
}

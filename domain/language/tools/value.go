package tools

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language/sentences"
)

// named gives parameters what follows their names: "city: Valletta", "room
// kitchen".
func (f *Filling) named() {
	f.explicit()
	for _, p := range f.open(false, domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean) {
		if from, ok := f.behind(p, false); ok {
			end := f.endOf(p, from, false)
			f.give(p, from, end)
			f.takeUnit(p, end)
		}
	}
}

// takeUnit takes the unit that a number is said in, where it is its parameter's; to is where it ends.
func (f *Filling) takeUnit(p Slot, end int) (to int) {
	if unit := p.unitOf(); p.Type != domain.TypeString && end < len(f.S.Words) && !f.S.Words[end-1].Stop && units[f.S.Words[end].Lower] != "" && (unit == "" || unit == units[f.S.Words[end].Lower]) {
		f.take(end, end+1)
		return end + 1
	}
	return end
}

// behind is where the value behind a parameter's name begins.
func (f *Filling) behind(p Slot, colon bool) (int, bool) {
	name := NameWords(p.Name)
	if len(name) == 0 {
		return 0, false
	}
	for i := range f.S.Words {
		if !colon && f.c.Terms[TermOf(name[0])] == inName && !(f.S.Is(i, name[0]) && (f.S.Is(i+1, "to") || IsNumber(f.next(i)) && slices.Contains(p.about, "number"))) {
			continue // the word means the tool
		}
		at := i
		if f.S.Is(i, strings.ToLower(p.Name)) || !f.S.Words[i].Quoted && len(name) == 1 && len(name[0]) > 3 && TermOf(f.S.Words[i].Lower) == p.words[0] && i > 0 || p.kind == ofText && !colon && f.S.Is(i, "text", "message", "body") && f.S.Is(i-1, "the", "and") {
			at = i + 1
		} else if f.S.From(i).Begins(name...) {
			at = i + len(name)
		}
		if at == i || at >= len(f.S.Words) || f.S.Words[at-1].Colon != colon || f.used[at-1] || f.S.Words[at-1].Stop {
			continue
		}
		if colon && (!f.isLabel(at-1) && f.isParameter(at-1) || f.isColon(at) && f.isParameter(at)) {
			continue
		}
		if !colon && (isSwitch(name[0]) || IsFiller(name[0])) {
			continue // "turn it on" gives no value to "on"
		}
		if !colon && p.kind != ofPlace {
			for at < len(f.S.Words) && f.S.Is(at, "is", "to", "of", "as", "called", "named") {
				at++
			}
		}
		if at >= len(f.S.Words) || f.used[at] {
			continue
		}
		w := f.S.Words[at]
		if !colon && !w.Quoted && (p.Type == domain.TypeString && (p.closed && !isChoice(p, w.Lower) || isWhen(p.kind)) || p.kind == ofGiver || p.kind == ofQuery || p.kind == ofPlace && strings.HasSuffix(w.Lower, "%")) {
			continue
		}
		if !colon && !w.Quoted && p.Type == domain.TypeString && IsNumber(w.Lower) && len(f.open(true, domain.TypeNumber, domain.TypeInteger)) > 0 {
			continue // it is what is counted
		}
		if colon || w.Quoted || isValueOf(p, w.Lower) || !f.isTaken(at) && !f.isPreposition(at) {
			f.take(i, at)
			return at, true
		}
	}
	return 0, false
}

// isPreposition reports whether a word leads to something else than a value.
func (f *Filling) isPreposition(i int) bool {
	return f.S.Is(i, "in", "on", "at", "for", "from", "to", "of", "with", "by", "about", "over", "since", "under", "below", "above")
}

func isChoice(p Slot, word string) bool {
	return p.choiceOf(word) != ""
}

// choiceOf is the value of a parameter that a text is, whatever its case and the way its words
// are joined: "dark blue" is DarkBlue. "" for none, and where it is one value as much as another.
func (p Slot) choiceOf(text string) string {
	if at := slices.IndexFunc(p.choices, func(c string) bool { return strings.EqualFold(c, text) }); at >= 0 {
		if slices.Contains(p.choices, text) {
			return text
		}
		return p.choices[at]
	}
	found := ""
	for _, c := range p.choices {
		switch {
		case !p.closed || !sameSpelling(c, text):
		case found != "":
			return ""
		default:
			found = c
		}
	}
	return found
}

// sameSpelling reports whether two names have the same words.
func sameSpelling(a, b string) bool {
	words := NameWords(a)
	return len(words) > 0 && strings.Join(words, "") == strings.Join(NameWords(b), "")
}

// wordsOfChoice are the words that a value of a parameter is said with.
func (p Slot) wordsOfChoice(choice string) []string {
	if words := NameWords(choice); p.closed && len(words) > 1 && hasLetters([]string{choice}) {
		return words
	}
	return strings.Fields(strings.ToLower(choice))
}

func isWhen(k kind) bool { return k == ofDay || k == ofClock || k == ofMoment || k == ofPeriod }

func isValueOf(p Slot, word string) bool {
	return p.Type == domain.TypeBoolean && isSwitch(word) || p.Type != domain.TypeString && IsNumber(word) || p.closed && isChoice(p, word)
}

// endOf is where a value ends that begins at from: at the next parameter, at a
// comma, or where the sentence goes on with something else.
func (f *Filling) endOf(p Slot, from int, colon bool) int {
	if p.Type != domain.TypeString && p.Type != domain.TypeAny {
		return from + 1
	}
	long := p.kind == ofText || p.kind == ofTitle
	end := from + 1
	for ; end < len(f.S.Words); end++ {
		w := f.S.Words[end]
		switch {
		case w.Quoted && f.S.Words[end-1].Quoted:
		case f.used[end] || f.S.Words[end-1].Stop && (!w.Quoted && !(colon && p.list)) || w.Colon && f.isParameter(end):
			return end
		case !w.Quoted && f.S.Words[end-1].Quoted:
			return end
		case !colon && long:
			if f.S.Is(end, "saying") || f.S.Is(end, "and", "with") && (f.isParameter(end+1) || f.S.Is(end+1, "the", "a") && (f.isParameter(end+2) || f.S.Is(end+2, "text", "message", "body"))) {
				return end
			}
		case !colon && (f.isTaken(end) || isSwitch(w.Lower)):
			return end
		}
	}
	return end
}

// isLabel reports whether a parameter's name, before a colon, says whose value follows. It doesn't
// behind a word that leads to it: "on the Website board: fix it".
func (f *Filling) isLabel(i int) bool {
	for n := i - 1; n >= max(0, i-3); n-- {
		if f.S.Is(n, "on", "in", "at", "to", "of") {
			return false
		}
		if f.S.Words[n].Stop {
			break
		}
	}
	return f.isParameter(i)
}

func (f *Filling) isParameter(i int) bool {
	return i < len(f.S.Words) && slices.ContainsFunc(f.c.slots, func(p Slot) bool { return strings.EqualFold(p.Name, f.S.Words[i].Lower) })
}

// give sets a parameter to what was said, if it is of its type.
func (f *Filling) give(p Slot, from, to int) bool {
	value := f.value(from, to)
	if f.isSeveral(p, from, to) {
		return false
	}
	if !f.S.Words[from].Quoted && p.Type == domain.TypeString && !p.closed && len(p.words) == 1 && TermOf(strings.ToLower(value)) == p.words[0] && !(from > 0 && f.S.Words[from-1].Colon) {
		return false // "this room" is none
	}
	if to > from+1 && !f.S.Words[from].Quoted && hasWord(p, "repo", "repository", "branch", "owner", "org", "user", "username", "channel") && !(from > 0 && f.S.Words[from-1].Colon) && !IsNameLike(f.S, to-1) {
		to = from + 1 // its name is one word
		value = f.value(from, to)
	}
	if !f.set(p, value) {
		return false
	}
	f.take(from, to)
	return true
}

// isSeveral reports whether a part of the sentence names several things where a parameter takes one:
// a title or a text may have an "and" in it, and a list does.
func (f *Filling) isSeveral(p Slot, from, to int) bool {
	if p.Type != domain.TypeString || p.list || p.kind == ofText || p.kind == ofTitle || p.kind == ofQuery || p.kind == ofGiver || hasWord(p, "product", "item", "event") {
		return false
	}
	for i := from + 1; i < to-1; i++ {
		if f.S.Is(i, "and", "or") {
			return true
		}
	}
	return false
}

// value is a part of the sentence as a value: whose something is by its name alone.
func (f *Filling) value(from, to int) string {
	text := f.S.Part(from, to)
	if name, whose := strings.CutSuffix(text, "'s"); whose && to < len(f.S.Words) && !f.S.Words[to-1].Stop && !f.isPreposition(to) && !f.used[to] && !f.l.IsOnlyTime(f.S.Part(to, to+1)) {
		return name
	}
	return text
}

// set gives a parameter a value; false when it doesn't take it.
func (f *Filling) set(p Slot, text string) bool {
	if p.nullable && strings.EqualFold(text, "null") {
		f.Params[p.Name] = nil
		return true
	}
	switch p.Type {
	case domain.TypeAny:
		f.Params[p.Name] = scalar(text)
	case domain.TypeString:
		if text == "" || p.isAddress() && !strings.Contains(text, "@") {
			return false
		}
		if p.closed {
			if text = p.choiceOf(text); text == "" {
				return false
			}
		}
		if p.format != "" {
			var ok bool
			if text, ok = f.inFormat(p, text); !ok {
				return false
			}
		}
		if p.items != "" {
			values, ok := p.valuesOf(text)
			if p.closed {
				values = []any{text}
			} else if !ok {
				return false
			}
			f.Params[p.Name] = values
			return true
		}
		f.Params[p.Name] = text
	case domain.TypeBoolean:
		on, ok := switchOf(strings.ToLower(text))
		if !ok {
			return false
		}
		f.Params[p.Name] = on
	case domain.TypeNumber, domain.TypeInteger:
		if text = strings.ToLower(text); text == "one" {
			text = "1"
		}
		number, ok := numberOf(text, p.Type)
		if !ok {
			return false
		}
		f.Params[p.Name] = number
	default:
		return false
	}
	return true
}

// isAddress reports whether a parameter takes nothing but an e-mail address.
func (p Slot) isAddress() bool {
	return slices.Contains(p.words, "email") && p.kind == anything && (len(p.words) == 1 || hasWord(p, "address"))
}

// numberOf is a number as JSON writes it; false when it isn't one of the type.
func numberOf(text string, t domain.ParameterType) (json.Number, bool) {
	text = strings.TrimLeft(strings.TrimRight(text, "%°€$£"), "+#€$£")
	if n, ok := numberWords[text]; ok {
		return json.Number(strconv.Itoa(n)), true
	}
	minus := strings.HasPrefix(text, "-")
	whole, fraction, dotted := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) || len(text) > maxNumber || dotted && t == domain.TypeInteger {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if minus {
		whole = "-" + whole
	}
	if dotted {
		whole += "." + fraction
	}
	return json.Number(whole), true
}

// maxNumber bounds a number by its characters. It goes out as it was written.
const maxNumber = 40

// numberWords are numbers that people write as words.
var numberWords = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// units are what is countUnits, each by its first word.
var units = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(`minute minutes min mins
hour hours hr hrs
week weeks
second seconds sec secs
day days
percent % percentage
degree degrees celsius fahrenheit °c °f c f
euro euros eur €
dollar dollars usd bucks $
pound pounds gbp £
kilometer kilometers km kilometre kilometres
mile miles
kilo kilos kg
gram grams g
person people persons guests guest
`) {
		words := strings.Fields(line)
		for _, w := range words {
			out[w] = words[0]
		}
	}
	return out
}()

// hundred is how a description says that a number goes from 0 to 100.
var hundred = regexp.MustCompile(`\b0\s*(?:-|–|to|\.\.)\s*100\b`)

// unitOf is the unit that a parameter is countUnits in; "" when it says none.
func (p Slot) unitOf() string {
	for _, sign := range []string{"°", "€", "$", "£"} {
		if strings.Contains(p.Description, sign) {
			return units[strings.Replace(sign, "°", "°c", 1)]
		}
	}
	for _, w := range append(NameWords(p.Name), textWords(p.Description)...) {
		if u := units[w]; u != "" && len(w) > 1 {
			return u
		}
	}
	if hundred.MatchString(p.Description) || slices.ContainsFunc(p.means, func(m [2]string) bool { return m[1] == "100" }) {
		return "percent"
	}
	return ""
}

// seconds are the lengths of what time is countUnits in.
var seconds = map[string]int{"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}

// quantity is a number that was said, with its unit.
type quantity struct {
	at, to int // its words
	text   string
	unit   string
}

// quantities are the numbers that nothing was made of.
func (f *Filling) quantities() []quantity {
	var out []quantity
	for i, w := range f.S.Words {
		if f.S.BeginsAt(i, "quarter", "of", "an", "hour") && !slices.Contains(f.used[i:i+4], true) {
			from := i
			if f.S.Is(i-1, "a", "the") {
				from--
			}
			out = append(out, quantity{at: from, to: i + 4, text: "15", unit: "minute"})
			continue
		}
		text := w.Lower
		_, inWords := numberWords[text]
		anHour := f.S.Is(i, "an", "a") && seconds[units[f.next(i)]] > 0 && f.next(i) != "" && !f.S.Is(i-1, "of")
		money := strings.Trim(text, "€$£")
		if f.used[i] || w.Quoted || f.isOfDate(i) || !IsNumber(money) && !inWords && !anHour || IsNumber(money) && !strings.ContainsAny(money, "0123456789") {
			continue
		}
		q := quantity{at: i, to: i + 1, text: text}
		if anHour {
			q.text = "1"
		}
		if anHour && f.next(i) == "hour" && i > 0 && f.S.Is(i-1, "half") && !f.used[i-1] {
			out = append(out, quantity{at: i - 1, to: i + 2, text: "30", unit: "minute"})
			continue
		}
		switch u := units[f.next(i)]; {
		case strings.HasSuffix(text, "%"):
			q.unit = "percent"
		case money != text:
			q.unit = units[strings.Trim(text, "0123456789.,")]
		case u != "" && !w.Stop:
			q.unit, q.to = u, i+2
		}
		out = append(out, q)
	}
	return out
}

// months are the names of months, whole and short.
var months = sentences.WordsIn(`january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec`)

// isOfDate reports whether a number is a part of a date or of a time of day.
func (f *Filling) isOfDate(i int) bool {
	month := func(i int) bool { return i >= 0 && i < len(f.S.Words) && months[f.S.Words[i].Lower] }
	return month(i-1) || month(i+1) || f.S.Is(i+1, "of") && month(i+2) || f.S.Is(i+1, "am", "pm", "a.m", "p.m", "o'clock")
}

// next is the word behind another, as far as it isn't used.
func (f *Filling) next(i int) string {
	if i+1 >= len(f.S.Words) || f.used[i+1] || f.S.Words[i+1].Quoted {
		return ""
	}
	return f.S.Words[i+1].Lower
}

// numbers gives each number to the parameter that counts what it counts, or to the only one for
// a number.
func (f *Filling) numbers() {
	f.repeated()
	for range 4 {
		all, open := f.quantities(), f.open(false, domain.TypeNumber, domain.TypeInteger)
		best, second, score, to := -1, false, 0, Slot{}
		for n, q := range all {
			for _, p := range open {
				switch fit := f.counts(q, p); {
				case fit > score:
					best, score, to, second = n, fit, p, false
				case fit == score && best >= 0:
					second = second || p.Name == to.Name
				}
			}
		}
		if best < 0 || second && score < 8 {
			return
		}
		q := all[best]
		text := q.text
		if countUnits := to.unitOf(); seconds[countUnits] > 0 && seconds[q.unit] > 0 && countUnits != q.unit {
			n, err := strconv.Atoi(q.text)
			if inWords, ok := numberWords[q.text]; ok {
				n, err = inWords, nil
			}
			if err != nil || n*seconds[q.unit]%seconds[countUnits] != 0 {
				return
			}
			text = strconv.Itoa(n * seconds[q.unit] / seconds[countUnits])
		}
		named := f.namedAt(to, q.to)
		if named > 0 {
			f.take(q.at, q.to+named)
		}
		if !f.set(to, text) {
			if named > 0 {
				f.leaveUnread(to, q.text)
			}
			return
		}
		if q.unit != "" && (to.unitOf() == q.unit || to.unitOf() == "" && isCurrency(q.unit)) {
			f.worth += aUnit
			f.measured = true
		}
		f.take(q.at, q.to)
		for i := q.at - 1; f.S.Is(i, atMost...) || f.S.Is(i, "to", "than", "at") && f.S.Is(i-1, atMost...) || f.S.Is(i, "within") || i > 0 && !f.S.Words[i].Quoted && (crossings[f.S.Words[i].Lower] != "" || f.used[i] && f.S.Is(i, "above", "below", "over")); i-- {
			f.crosses(f.S.Words[i].Lower)
			f.take(i, i+1)
		}
	}
}

// namedAt counts the words of a parameter's name that stand at a word: "three times"; 0 for another.
func (f *Filling) namedAt(p Slot, at int) int {
	for i, w := range p.words {
		if at+i >= len(f.S.Words) || f.S.Words[at+i-1].Stop || f.S.Words[at+i].Quoted || f.used[at+i] || TermOf(f.S.Words[at+i].Lower) != w {
			return 0
		}
	}
	return len(p.words)
}

// repeated gives "twice" to the parameter for how many times.
func (f *Filling) repeated() {
	for _, p := range f.open(false, domain.TypeInteger, domain.TypeNumber) {
		for i := 1; i < len(f.S.Words) && slices.Equal(p.words, []string{TermOf("times")}); i++ {
			if f.S.Is(i, "twice") && !f.used[i] && f.set(p, "2") {
				f.take(i, i+1)
				break
			}
		}
	}
}

// crossings are verbs before a number that something comes to, each with the way it takes.
var crossings = func() map[string]string {
	out := map[string]string{}
	for way, words := range map[string]string{
		"below": "drops drop falls fall dips dip sinks sink declines loses", "above": "rises rise climbs climb exceeds exceed surpasses tops", "past": "goes gets hits hit reaches reach crosses cross passes pass",
	} {
		for w := range strings.FieldsSeq(words) {
			out[w] = way
		}
	}
	return out
}()

// crosses gives the way that a verb tells to the parameter that lists it.
func (f *Filling) crosses(verb string) {
	for _, p := range f.open(false, domain.TypeString) {
		if way := crossings[verb]; p.closed && isChoice(p, way) {
			f.Params[p.Name] = way
		}
	}
}

// numbersMeant gives a number that has a name, such as 0 for closed, to the parameter that it is for.
func (f *Filling) numbersMeant() {
	for _, p := range f.open(true, domain.TypeNumber, domain.TypeInteger) {
		for i, w := range f.S.Words {
			if n := p.numberFor(w.Lower); n != "" && !w.Quoted && !f.used[i] && f.set(p, n) {
				f.take(i, i+1)
				f.worth += aChoice
				break
			}
		}
	}
}

// countsIn reports whether a description says that a parameter counts something.
func countsIn(p Slot) bool {
	about := strings.ToLower(p.Description)
	return strings.HasPrefix(about, "number of") || strings.HasPrefix(about, "how many")
}

// atMost are words before a number that isn't to be passed.
var atMost = []string{"under", "below", "most", "less", "max", "maximum", "cheaper"}

// counts is how well a number fits a parameter; 0 when it doesn't.
func (f *Filling) counts(q quantity, p Slot) int {
	fit := 1
	unit := p.unitOf()
	sameUnit := q.unit != "" && (unit == q.unit || unit == "" && isCurrency(q.unit) && hasWord(p, "amount", "price", "sum", "total", "cost", "budget", "fee") || seconds[unit] > 0 && seconds[q.unit] > 0)
	before := q.at - 1
	for f.S.Is(before, "the", "a", "my", "is", "to", "of", "number", "than") {
		before--
	}
	limit := hasWord(p, "limit", "count", "max", "amount", "quantity", "qty", "n", "top", "results", "size", "per", "guests", "people") || countsIn(p)
	if f.S.Is(q.at-1, "by") && !hasWord(p, "by", "step", "delta", "increment", "amount") {
		return 0 // by so much, and not to it
	}
	switch {
	case sameUnit, f.namedAt(p, q.to) > 0:
		fit += 10
	case q.unit == "day" || q.unit != "" && q.unit != "person":
		return 0
	case f.S.Is(before, atMost...):
		if !slices.Contains(p.about, "highest") && !slices.Contains(p.about, "maximum") && !slices.Contains(p.about, "price") && !hasWord(p, "max", "price") {
			return 0
		}
		fit += 6
	case strings.HasPrefix(q.text, "#") || before >= 0 && !f.S.Words[before].Quoted && hasWord(p, "number", "id", "no", "nr") && slices.Contains(p.about, TermOf(f.S.Words[before].Lower)):
		if !hasWord(p, "number", "id", "no", "nr") {
			return 0
		}
		fit += 6
	case limit && (f.S.Is(before, "top", "last", "first", "next", "latest", "best") || f.next(q.at) != "" && !f.isPreposition(q.at+1)):
		fit += 6
	case limit && p.Required:
		fit += 2
	}
	switch {
	case p.Required:
		fit += 3
	case fit == 1 && (limit || p.kind != anything):
		return 0 // what isn't needed takes only what is plainly its own
	case fit == 1 && !f.S.Is(before, "at", "for", "to", "with"):
		return 0
	}
	return fit
}

// find is where a part of the sentence stands, in words.
func (f *Filling) find(part string) (from, to int) {
	for i := range f.S.Words {
		for end := i + 1; end <= len(f.S.Words); end++ {
			if text := f.S.Text[f.S.Words[i].Start:f.S.Words[end-1].End]; text == part {
				return i, end
			} else if len(text) > len(part) {
				break
			}
		}
	}
	return 0, 0
}

// coded is a period as tools write it: 30d, 1y, 6mo.
var coded = regexp.MustCompile(`(?i)^(\d+)\s*([a-z]+)$`)

// countUnits are the letters by which tools write what periods are countUnits in.
var countUnits = map[string][]string{
	"day": {"d", "day", "days"}, "week": {"w", "wk", "week", "weeks"}, "month": {"mo", "m", "mon", "month", "months"}, "year": {"y", "yr", "year", "years"}, "hour": {"h", "hr", "hour", "hours"}, "minute": {"m", "min", "minutes"},
}

// periods gives "the last 30 days" to the parameter that lists 30d.
func (f *Filling) periods() {
	for _, p := range f.open(false, domain.TypeString) {
		for i := range f.S.Words {
			n, unit, to := f.spanAt(i)
			if unit == "" {
				continue
			}
			from := i
			for from > 0 && f.S.Is(from-1, "last", "past", "the", "over", "for", "in", "within", "since", "of", "from", "this", "a", "an", "previous") && !f.used[from-1] {
				from--
			}
			for _, c := range p.choices {
				m := coded.FindStringSubmatch(c)
				if len(m) == 0 || !sameSpan(n, unit, m[1], strings.ToLower(m[2])) {
					continue
				}
				f.Params[p.Name] = c
				f.take(from, to)
				f.worth += aChoice
				break
			}
			if _, given := f.Params[p.Name]; given {
				break
			}
			if p.kind == ofPeriod && len(p.choices) == 0 || p.kind == ofPeriod && !p.closed && coded.MatchString(p.choices[0]) {
				f.Params[p.Name] = f.S.Part(i, to)
				if short := shortPeriod(p.Description, n, unit); short != "" {
					f.Params[p.Name] = short
				}
				f.take(from, to)
				break
			}
		}
	}
}

// shownPeriod finds an example of a period in a description: '30d'.
var shownPeriod = regexp.MustCompile(`(?i)\b\d+(d|w|wk|mo|m|y|yr|h)\b`)

// shortPeriod is a length of time as a description's examples write such, with their letters for
// the unit where they show any; "" where there are none.
func shortPeriod(about string, n int, unit string) string {
	shown := shownPeriod.FindAllStringSubmatch(about, -1)
	if len(shown) == 0 {
		return ""
	}
	letters := countUnits[unit][0]
	for _, m := range shown {
		if used := strings.ToLower(m[1]); slices.Contains(countUnits[unit], used) {
			letters = used
		}
	}
	return strconv.Itoa(n) + letters
}

// spanAt is a length of time that begins at a word: "30 days", "a year", "week" behind "last".
func (f *Filling) spanAt(i int) (n int, unit string, to int) {
	if f.used[i] || f.S.Words[i].Quoted {
		return 0, "", 0
	}
	word := f.S.Words[i].Lower
	if m := coded.FindStringSubmatch(word); m != nil {
		for u, written := range countUnits {
			if slices.Contains(written[:1], m[2]) {
				n, _ := strconv.Atoi(m[1])
				return n, u, i + 1
			}
		}
	}
	n, err := strconv.Atoi(word)
	if w, ok := numberWords[word]; ok {
		n, err = w, nil
	}
	if f.S.Is(i, "a", "an", "one") {
		n, err = 1, nil
	}
	if err == nil && n > 0 {
		if u := strings.TrimSuffix(f.next(i), "s"); countUnits[u] != nil {
			return n, u, i + 2
		}
		return 0, "", 0
	}
	if u := strings.TrimSuffix(word, "s"); countUnits[u] != nil && f.S.Is(i-1, "last", "past", "this", "previous") {
		return 1, u, i + 1
	}
	return 0, "", 0
}

// days are how many days a period has, for those that are written in other written.
var days = map[string]int{"day": 1, "week": 7, "month": 30, "year": 365}

// sameSpan compares a length that was said with one that a tool writes.
func sameSpan(n int, unit, number, letters string) bool {
	m, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	if m == n && slices.Contains(countUnits[unit], letters) {
		return true
	}
	for u, written := range countUnits {
		if slices.Contains(written, letters) && days[u] > 0 && days[unit] > 0 && m*days[u] == n*days[unit] {
			return true
		}
	}
	return false
}

// shapes gives an id to the parameter whose example looks like it.
func (f *Filling) shapes() {
	for _, p := range f.open(false, domain.TypeString) {
		if p.shape == "" {
			continue
		}
		for i, w := range f.S.Words {
			if p.shape == twoParts && f.isTwoParts(i) && f.give(p, i, i+2) {
				f.shaped = true
				f.worth += anID
				break
			}
			if !f.used[i] && shapeOf(w.Lower) == p.shape && f.give(p, i, i+1) {
				f.shaped = true
				f.worth += anID
				break
			}
		}
	}
}

// isTwoParts reports whether an id of a few letters and a number begins at a word.
func (f *Filling) isTwoParts(i int) bool { return isTwoParts(f.S, i) && !f.used[i] && !f.used[i+1] }

func isTwoParts(s sentences.Said, i int) bool {
	return i+1 < len(s.Words) && len(s.Words[i].Lower) <= 4 && IsNameLike(s, i) && !strings.ContainsAny(s.Words[i].Lower, "0123456789") && isDigits(s.Words[i+1].Lower)
}

// addresses gives the only e-mail address to the only parameter that takes nothing else.
func (f *Filling) addresses() {
	open := slices.DeleteFunc(f.open(false, domain.TypeString), func(p Slot) bool { return !p.isAddress() })
	found := -1
	for i, w := range f.S.Words {
		if !f.used[i] && strings.Contains(strings.Trim(w.Lower, "@"), "@") {
			if found >= 0 {
				return
			}
			found = i
		}
	}
	if len(open) == 1 && found >= 0 {
		f.addressed = f.give(open[0], found, found+1)
	}
}

// converts reports whether a tool turns something counted in one currency or unit into another.
func (c *Candidate) converts() bool {
	from, to := c.conversion()
	return from >= 0 && to >= 0
}

// conversion are its parameters from what and to what; -1 for none.
func (c *Candidate) conversion() (from, to int) {
	from, to = -1, -1
	for i, p := range c.slots {
		switch {
		case p.Type != domain.TypeString || !hasWord(p, "currency", "unit", "units"):
		case hasWord(p, "from", "source", "base"):
			from = i
		case hasWord(p, "to", "target", "into"):
			to = i
		}
	}
	return from, to
}

// conversion gives "100 dollars in euros" to the parameters from what and to what.
func (f *Filling) conversion() {
	from, to := f.c.conversion()
	if from < 0 || to < 0 {
		return
	}
	open := f.c.slots
	for i := range f.S.Words {
		if f.used[i] || !IsNumber(f.S.Words[i].Lower) || i+1 == len(f.S.Words) {
			continue
		}
		in := i + 2
		for in < len(f.S.Words) && !f.S.Is(in, "to", "in", "into", "as") {
			in++
		}
		if !f.give(open[from], i+1, min(in, i+2)) {
			return
		}
		for in < len(f.S.Words)-1 && f.isPreposition(in) || f.S.Is(in, "into", "as") {
			in++
		}
		if in < len(f.S.Words) && f.give(open[to], in, len(f.S.Words)) {
			f.shaped = true
		}
		return
	}
}

// codes gives the only word that looks like an id to the only parameter for one.
func (f *Filling) codes() {
	open := slices.DeleteFunc(f.open(true, domain.TypeString), func(p Slot) bool {
		return p.kind != ofCode && !hasWord(p, "id", "code", "number", "no", "nr", "key", "ref", "reference", "ticket", "order", "flight", "symbol", "isbn")
	})
	found := -1
	for i, w := range f.S.Words {
		if f.used[i] || !isCode(w.Lower) {
			continue
		}
		if found >= 0 {
			return
		}
		found = i
	}
	if len(open) == 1 && found >= 0 {
		f.give(open[0], found, found+1)
	}
}

// isCode reports whether a word looks like an id: it has a digit, and letters or
// marks with it, or is a number of at least three digits.
func isCode(word string) bool {
	digits, letters := 0, 0
	for _, r := range strings.TrimPrefix(word, "#") {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r) || r == '-' || r == '_' || r == '/':
			letters++
		default:
			return false
		}
	}
	return digits > 0 && (letters > 0 || digits > 2)
}

// choose gives parameters the values that they list, where they were said.
func (f *Filling) choose() {
	for _, p := range f.open(false, domain.TypeString) {
		if len(p.choices) == 0 || p.list || isWhen(p.kind) && p.kind != ofPeriod && !p.closed || coded.MatchString(p.choices[0]) && !hasLetters(p.choices) {
			continue
		}
		from, to, several := 0, 0, false
		for i, w := range f.S.Words {
			if f.used[i] || w.Quoted || i < to {
				continue
			}
			choice, end := f.choiceAt(p, i)
			if !p.closed && (p.kind == ofGiver || p.kind == ofTaker) && !f.leads(i, p.words[:1]) {
				continue // an example may be of the other way
			}
			if choice == "" || f.isOwnVerb(i) && !f.onlyChoice(p) {
				continue
			}
			several = several || to > 0 && !strings.EqualFold(f.S.Words[from].Lower, w.Lower)
			from, to = i, end
		}
		if to == 0 || several {
			continue
		}
		choice, _ := f.choiceAt(p, from)
		f.Params[p.Name] = choice
		if isSwitch(choice) {
			f.switched = true
		}
		for _, how := range periodic {
			f.repeats = f.repeats || strings.EqualFold(choice, how)
		}
		if p.closed {
			f.worth += aChoice
			last := p.words[len(p.words)-1]
			f.beside = f.beside || to < len(f.S.Words) && !f.S.Words[to-1].Stop && TermOf(f.S.Words[to].Lower) == last && !isGeneric(last)
		}
		f.take(from, to)
		for f.S.Is(from-1, "sorted", "sort", "by", "ordered", "this", "with", "since") && !f.used[from-1] {
			from--
			f.take(from, from+1)
		}
		if f.S.Is(to, "first", "mode") && f.next(to-1) != "" {
			f.take(to, to+1)
		}
	}
}

// colored are words for colors.
var colored = sentences.WordsIn(`red green blue yellow orange purple violet pink white black gray grey brown cyan magenta turquoise gold silver beige lime teal navy`)

// colors gives a color to the parameter for one: "warm white", "dark blue".
func (f *Filling) colors() {
	for _, p := range f.texts(ofColor) {
		for i, w := range f.S.Words {
			if f.used[i] || w.Quoted || !colored[w.Lower] {
				continue
			}
			from := i
			if f.S.Is(i-1, "warm", "cool", "dark", "light", "pale", "bright") && !f.used[i-1] && !f.isAbout(i-1) {
				from--
			}
			f.give(p, from, i+1)
			break
		}
	}
}

// languages gives a language to the parameter for one: Spanish podcasts, into French.
func (f *Filling) languages() {
	for _, p := range f.texts(ofLanguage) {
		for i, w := range f.S.Words {
			if f.used[i] || w.Quoted || !spoken[w.Lower] {
				continue
			}
			from := i
			if f.S.Is(i-1, "in", "into", "to") {
				from--
			}
			f.give(p, i, i+1)
			f.take(from, i)
			break
		}
	}
}

// spoken are languages.
var spoken = sentences.WordsIn(`english german french spanish italian portuguese dutch danish swedish norwegian finnish polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian arabic hebrew persian hindi urdu bengali chinese mandarin cantonese japanese korean vietnamese thai indonesian malay swahili latin irish welsh catalan croatian serbian icelandic`)

// reasons gives what stands behind "because", or "for" at the end, to the parameter that takes why.
func (f *Filling) reasons() {
	for _, p := range f.texts(ofReason) {
		for i := len(f.S.Words) - 2; i > 1; i-- {
			if !f.S.Is(i, "because", "for") || slices.Contains(f.used[i:], true) || f.S.Is(i, "for") && (len(f.needy()) > 0 && !f.hasRunBefore(i) || f.l.IsOnlyTime(f.S.Part(i, len(f.S.Words)))) {
				continue
			}
			if f.give(p, i+1, len(f.S.Words)) {
				f.take(i, i+1)
			}
			break
		}
	}
}

// hasRunBefore reports whether something that nothing was made of stands before a word.
func (f *Filling) hasRunBefore(i int) bool {
	return slices.ContainsFunc(f.runs(true), func(r [2]int) bool { return r[1] <= i })
}

// hasLetters reports whether some of several values are words.
func hasLetters(all []string) bool {
	return slices.ContainsFunc(all, func(c string) bool { return !coded.MatchString(c) })
}

// isOwnVerb reports whether a word is the verb by which the tool is asked for.
func (f *Filling) isOwnVerb(i int) bool {
	w := f.S.Words[i].Lower
	return w == f.c.Verb && i == 0 || TermOf(w) == f.c.own || i == 0 && f.c.deeds&Verbs[w] != 0
}

// onlyChoice reports whether what a tool needs is which of several things it does.
func (f *Filling) onlyChoice(p Slot) bool {
	return p.Required && p.closed && len(p.choices) > 1 && (hasWord(p, "action", "command", "operation", "do", "state") || hasWord(p, "mode") && (f.c.deeds&toStart != 0 || f.c.deeds == 0))
}

// periodic are what tools call things of every day, week and so on.
var periodic = map[string]string{"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly", "hour": "hourly", "weekday": "weekdays", "weekend": "weekends"}

// choiceAt is the value of a parameter that stands at a word, and where it ends; "" for none. It isn't
// one where it only says that something is on, or what a word means that the tool is about.
func (f *Filling) choiceAt(p Slot, i int) (choice string, to int) {
	for _, c := range p.choices {
		if end := f.isChoiceAt(p, c, i); end > to {
			choice, to = c, end // the longest: dark blue is not blue
		}
	}
	return choice, to
}

// isChoiceAt is where a value ends that stands at a word; 0 when it doesn't.
func (f *Filling) isChoiceAt(p Slot, choice string, i int) (to int) {
	word, lower := strings.TrimSuffix(f.S.Words[i].Lower, "'s"), strings.ToLower(choice)
	words := p.wordsOfChoice(choice)
	switch {
	case f.S.Is(i, "every", "each") && i+1 < len(f.S.Words) && periodic[f.S.Words[i+1].Lower] == lower && !f.used[i+1]:
		return i + 2
	case isSwitch(lower):
		if word != lower || lower == "on" && !f.isSwitched(i) {
			return 0
		}
		return i + 1
	case coded.MatchString(choice) && !p.closed:
		return 0
	case len(words) > 1 && f.S.From(i).Begins(words...):
		return i + len(words)
	case p.closed && sameSpelling(choice, word):
		return i + 1
	case word == lower || len(lower) > 2 && word == lower+"s" || len(lower) > 3 && (Stem(word) == lower || word == Stem(lower)):
		return i + 1
	}
	return 0
}

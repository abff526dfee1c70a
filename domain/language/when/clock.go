package when

// clock is a time of day as it was said.
type clock struct {
	hour, minute, second int
	loose                bool // it doesn't say which half of the day
	half                 bool // it does, by am or pm
	grain                Grain
}

func (c clock) time() clockTime { return clockTime{hour: c.hour, minute: c.minute, second: c.second} }

// hours are a time of day, or from one to another.
type hours struct {
	from clock
	to   *clock
}

// endsBefore reports whether a range is told in full and ends before it begins, by so little that no night lies
// between: from 18:00 to 17:00.
func (h hours) endsBefore() bool {
	const longest = 16 * 60 // minutes
	if h.to == nil || h.from.loose || h.to.loose {
		return false
	}
	lasts := (h.to.hour-h.from.hour)*60 + h.to.minute - h.from.minute
	return lasts < 0 && lasts+24*60 > longest
}

// dayStarts is the time of a day that is named without one.
const dayStarts = 9

// clock reads "at 8", "17:30", "8pm", "half past 8", "noon". A number alone has to be
// introduced, or stand behind a day.
func (r *reader) clock(i int, behindDay bool) (clock, int) {
	at := r.introduced(i)
	c, next := r.face(at, at > i, behindDay)
	if next == 0 {
		return clock{}, 0
	}
	if n := r.anyOf(next, "sharp", "exactly", "approximately", "approx", "or so", "on the dot"); n > 0 {
		next = n
	}
	return c, next
}

// introduced is the token behind words that a time of day follows.
func (r *reader) introduced(i int) int {
	from := i
	i = r.skip(i, "for")
	i = r.skip(i, "at", "@", "by", "until")
	i = r.skip(i, "around", "about", "approximately", "approx", "exactly", "circa", "roughly", "~")
	if i == from+1 && r.is(from, "for", "exactly", "roughly") && !r.strict(i) {
		return from
	}
	return i
}

// strict reports whether what stands there is a time of day without an introduction.
func (r *reader) strict(i int) bool {
	_, next := r.face(i, false, false)
	return next > 0
}

// face reads a time of day itself.
func (r *reader) face(i int, introduced, behindDay bool) (clock, int) {
	switch {
	case r.is(i, "noon", "midday") || r.anyOf(i, "12 noon", "twelve noon") > 0:
		return clock{hour: 12, grain: Hour}, r.skip(i, "12", "twelve") + 1
	case r.is(i, "midnight") || r.anyOf(i, "12 midnight", "twelve midnight") > 0:
		return clock{hour: 24, grain: Hour}, r.skip(i, "12", "twelve") + 1
	}
	if c, next := r.past12(i, introduced); next > 0 && !r.is(i-1, "from", "between") {
		return c, next
	}
	if c, next := r.halfAfter(i); next > 0 {
		return c, next
	}
	if c, next := r.numbered(i, introduced, behindDay); next > 0 {
		return c, next
	}
	return r.spelled(i, introduced)
}

// numbered reads 8, 08, 17:30, 17:30:15, 8.30, 8h30, 1730, 8 30, with am and pm.
func (r *reader) numbered(i int, introduced, behindDay bool) (clock, int) {
	hour, next := r.digits(i, 4)
	if next == 0 || r.is(next, "-") && r.joined(next) && r.joined(next+1) && len(r.text(next+1)) > 2 {
		return clock{}, 0
	}
	text := r.text(i)
	c := clock{hour: hour, grain: Hour, loose: hour >= 1 && hour <= 12 && text[0] != '0'}
	plainly := false
	switch n := r.minutesBehind(next, introduced); {
	case len(text) == 3:
		return clock{}, 0
	case len(text) == 4:
		counted := r.is(i-1, "in", "for", "every", "each", "next", "of", "within", "about")
		military := r.is(next, "h", "hrs", "hours") && !counted
		if !introduced && !r.isMeridiem(next) && !military && !(text[0] == '0' && r.leads(i)) {
			return clock{}, 0
		}
		c = clock{hour: hour / 100, minute: hour % 100, grain: Minute}
		plainly = !introduced
		if military {
			plainly, next = true, next+1
		}
	case n > 0:
		plainly = r.is(next, ":", "h")
		c.minute, _ = r.plain(n - 1)
		c.grain, c.loose = Minute, c.loose && len(text) == 1 || c.loose && c.hour >= 10 && introduced && !plainly
		next = n
		if r.is(next, ":") && r.joined(next) && r.joined(next+1) && len(r.text(next+1)) == 2 {
			if s, ok := r.plain(next + 1); ok && s < 60 {
				c.second, c.grain, next = s, Second, next+2
			}
		}
	case r.is(next, "h") && (r.joined(next) || introduced):
		if !introduced && !behindDay {
			return clock{}, 0
		}
		c.loose = false
		plainly, next = true, next+1
	}
	half, end := r.half(next, introduced)
	switch {
	case end > 0:
		plainly, next = true, end
	case !introduced && !plainly:
		return clock{}, 0
	case r.joined(next) && r.tokens[next].isWord() || r.is(next, "%", "/", "°", "€", "$") && r.joined(next), r.is(next, ":") && r.joined(next) && r.joined(next+1):
		return clock{}, 0
	}
	if c.hour > 24 || c.minute > 59 || c.hour == 24 && c.minute > 0 || half == "am" && c.hour > 12 || half == "pm" && c.hour == 0 {
		if plainly || next == len(r.tokens) {
			r.refuse("no_clock", i-r.introducing(i), next)
		}
		return clock{}, 0
	}
	return c.inHalf(half), next
}

// introducing is 1 when a word before a time of day belongs to it.
func (r *reader) introducing(i int) int {
	if r.is(i-1, "at", "by", "@", "around", "about") {
		return 1
	}
	return 0
}

// plain is a token of digits as a number.
func (r *reader) plain(i int) (int, bool) {
	n := 0
	text := r.text(i)
	for _, c := range text {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, text != "" && len(text) <= 4
}

// minutesBehind is the token behind minutes that follow an hour; 0 when none do.
func (r *reader) minutesBehind(i int, introduced bool) int {
	two := func(at int) bool { return len(r.text(at)) == 2 && r.tokens[at].isNumber() }
	switch {
	case r.is(i, ":", "h") && r.joined(i) && r.joined(i+1) && two(i+1):
		return i + 2
	case r.is(i, ".") && r.joined(i) && r.joined(i+1) && two(i+1) && (introduced || r.isMeridiem(i+2)):
		return i + 2
	case two(i) && !r.joined(i) && r.text(i) < "60" && r.isMeridiem(i+1) && r.isHour(i-1): // 7 15 pm
		return i + 1
	case introduced && two(i) && !r.joined(i) && r.text(i) < "60" && !r.joined(i+1):
		if _, unit := r.unit(i + 1); unit == 0 && months[r.text(i+1)] == 0 {
			return i + 1
		}
	}
	return 0
}

// isHour reports whether a number is an hour of a half day, and not what something is called by:
// room 4, chapter 12.
func (r *reader) isHour(i int) bool {
	n, ok := r.plain(i)
	return ok && 0 < n && n <= 12 && !r.is(i-1, "room", "chapter", "lesson", "page", "gate", "number", "no", "unit", "bus", "line", "route", "part", "track", "episode", "day", "week", "grade", "class", "level", "bay", "door", "platform")
}

// half reads am, pm or o'clock; "ish" is none of them.
func (r *reader) half(i int, introduced bool) (half string, next int) {
	ish := i
	if n := r.skip(i, "ish"); n > i {
		ish = n
	}
	i = ish
	if n := r.anyOf(i, "o'clock", "o’clock", "oclock", "o clock"); n > 0 {
		if half, more := r.meridiem(n, introduced); more > 0 {
			return half, more
		}
		return "o'clock", n
	}
	if half, n := r.meridiem(i, introduced); n > 0 {
		return half, n
	}
	switch {
	case r.is(i-1, "ish"):
		return "o'clock", i
	case r.dayHalf(i) > 0:
		return "o'clock", i // the part of the day stands behind it
	}
	return "", 0
}

// dayHalf reports a part of a day that tells what a bare number before it is.
func (r *reader) dayHalf(i int) int {
	return r.anyOf(i, "in the morning", "in the afternoon", "in the evening", "in the early morning", "at night", "tonight", "this morning", "this afternoon", "this evening")
}

func (r *reader) isMeridiem(i int) bool {
	_, next := r.meridiem(i, false)
	return next > 0
}

// meridiem reads am, p.m., "in the pm"; a lone p or a only joined to a number.
func (r *reader) meridiem(i int, introduced bool) (string, int) {
	if n := r.anyOf(i, "in the am", "in the pm", "in the a . m", "in the p . m"); n > 0 {
		i += 2
	}
	if n := r.anyOf(i, "am", "pm", "a m", "p m", "a . m", "p . m"); n > 0 && (n == i+1 || r.is(i+1, ".") == r.joined(i+1)) {
		return r.text(i)[:1] + "m", r.dot(n)
	}
	if r.joined(i) && r.is(i, "p", "a") && !r.joined(i+1) || r.joined(i) && r.is(i, "p", "a") && r.is(i+1, ".") {
		if introduced || r.is(i, "p") {
			return r.text(i) + "m", r.dot(i + 1)
		}
	}
	return "", 0
}

// dot skips the full stop of an abbreviation.
func (r *reader) dot(i int) int {
	if r.is(i, ".") && r.joined(i) {
		return i + 1
	}
	return i
}

func (c clock) inHalf(half string) clock {
	switch half {
	case "am":
		c.loose, c.half = false, true
		if c.hour == 12 {
			c.hour = 0
		}
	case "pm":
		if c.hour < 12 {
			c.hour += 12
		}
		c.loose, c.half = false, true
	}
	return c
}

// spelled reads "three o'clock", "nine fifty nine am", "at six".
func (r *reader) spelled(i int, introduced bool) (clock, int) {
	hour, next := r.cardinal(i)
	if next == 0 || r.tokens[i].isNumber() || hour > 12 || r.is(i, "a", "an") {
		return clock{}, 0
	}
	c := clock{hour: hour, loose: true, grain: Hour}
	hundred := r.is(next, "hundred") && !r.is(next+1, "and") || r.seq(next, "hundred and") > 0
	if hundred { // eight hundred and thirty hours
		next = r.skip(next+1, "and", "hours")
	}
	hyphen := r.is(next, "-") && r.joined(next) && r.joined(next+1)
	at := next
	if hyphen {
		at++
	}
	minute, end := r.cardinal(at)
	minutes := end > 0 && !r.tokens[at].isNumber() && minute < 60 && minute >= 10
	if minutes {
		c.minute, c.grain = minute, Minute
		introduced = introduced || minute >= 15 && (hyphen && minute%5 == 0 || minute%15 == 0) // nine-thirty
	} else {
		end = next
	}
	half, behind := r.half(end, introduced)
	switch {
	case behind > 0:
		return c.inHalf(half), behind
	case !introduced:
		return clock{}, 0
	}
	if _, unit := r.unit(end); unit > 0 || r.countsSomething(end) {
		return clock{}, 0
	}
	return c, end
}

// countsSomething reports whether a number before it is of things: "at two places".
func (r *reader) countsSomething(i int) bool {
	return i < len(r.tokens) && r.tokens[i].isWord() && !r.tokens[i].isNumber() && !functionWords[r.text(i)] && weekdays[r.text(i)] == nil
}

// functionWords may stand behind a time.
var functionWords = map[string]bool{
	"to": true, "on": true, "in": true, "at": true, "for": true, "of": true, "and": true, "or": true, "every": true, "each": true, "today": true,
	"tomorrow": true, "tonight": true, "this": true, "that": true, "about": true, "sharp": true, "with": true, "please": true, "next": true, "from": true,
	"until": true, "till": true, "but": true, "the": true, "remind": true, "call": true, "i": true, "we": true, "my": true, "instead": true,
	"am": true, "pm": true, "gmt": true, "utc": true, "daily": true, "exactly": true, "then": true, "so": true, "because": true, "as": true,
}

// past12 reads "half past 8", "quarter to 9", "ten past 8", "20 minutes to 2pm".
//
// Numbers on both sides of "to" are mostly something else, so that they have to be
// introduced, to be counted as minutes, or to lead to a time that says its half.
func (r *reader) past12(i int, introduced bool) (clock, int) {
	at := i
	var minutes int
	named := true
	switch {
	case r.seq(at, "half past") > 0 || r.seq(at, "half after") > 0:
		minutes, at = 30, at+1
	case r.anyOf(at, "a quarter", "quarter", "a qtr") > 0:
		minutes, at = 15, r.anyOf(at, "a quarter", "quarter", "a qtr")
	default:
		n, next := r.cardinal(at)
		if next == 0 || n >= 60 || n == 0 {
			return clock{}, 0
		}
		minutes, at, named = n, next, false
		if r.is(at, "minutes", "minute", "mins", "min") {
			at, named = at+1, true
		}
	}
	before := r.is(at, "to", "before", "till", "til", "of")
	if _, next := r.cardinal(at + 1); r.is(at, "after") && minutes%5 == 0 && minutes < 30 && next > 0 { // ten after three
		spelled := !r.tokens[i].isNumber() && !r.tokens[at+1].isNumber()
		named = named || (introduced || r.leads(i) || spelled) && !r.countsSomething(next)
	}
	if r.is(at, "till", "til") && !named && minutes%5 == 0 && minutes < 30 && r.is(i-1, "at") {
		if c, next := r.face(at+1, true, false); next > 0 && c.loose {
			r.refuse("range", i, next)
			return clock{}, 0
		}
	}
	if !before && !r.is(at, "past", "after") || r.is(at, "after", "of", "before", "till", "til") && !named {
		return clock{}, 0
	}
	c, next := r.face(at+1, true, false)
	switch {
	case next == 0 || c.grain != Hour:
		return clock{}, 0
	case before && !named && !introduced && (c.loose || minutes < 13) && (r.tokens[i].isNumber() || r.tokens[at+1].isNumber() || minutes%5 != 0 || r.countsSomething(next)):
		return clock{}, 0
	}
	if r.is(at, "to") && !named && r.tokens[i].isNumber() && r.tokens[at+1].isNumber() && minutes <= 12 && c.loose && !r.is(i-1, "at", "@", "for", "by", "until", "before", "after", "around", "about") {
		return clock{}, 0 // Monday evening 6 to 8
	}
	if r.is(at, "before", "of") && c.loose && !introduced && r.tokens[i].isNumber() {
		return clock{}, 0
	}
	c.grain = Minute
	if !before {
		c.minute = minutes
		return c, next
	}
	c.hour, c.minute = c.hour-1, 60-minutes
	if c.hour < 1 && c.loose {
		c.hour = 12
	}
	if c.hour < 0 {
		c.hour = 23
	}
	return c, next
}

// halfAfter reads half six, which is half past it.
func (r *reader) halfAfter(i int) (clock, int) {
	hour, next := r.cardinal(i + 1)
	if !r.is(i, "half") || next == 0 || hour > 12 || r.is(i-1, "in", "and", "a", "first", "second", "other") {
		return clock{}, 0
	}
	c, next := r.bare(i+1, true, true)
	if next == 0 || c.grain != Hour || r.countsSomething(next) {
		return clock{}, 0
	}
	c.minute, c.grain = 30, Minute
	return c, next
}

// hours reads a time of day, or from one to another: "3-4pm", "from 9:30 to 11:00",
// "between 3 and 6 pm", "8am until 6".
func (r *reader) hours(i int, behindDay bool) (hours, int) {
	if h, next := r.hourRange(i); next > 0 {
		return h, next
	}
	c, next := r.clock(i, behindDay)
	return hours{from: c}, next
}

func (r *reader) hourRange(i int) (hours, int) {
	wrong := r.wrong
	h, next := r.anyRange(i)
	if next == 0 {
		r.wrong = wrong // 42 is no time of a day, and needs not be one
	}
	return h, next
}

func (r *reader) anyRange(i int) (hours, int) {
	at, between, introduced := i, false, false
	switch {
	case r.is(i, "between"):
		at, between, introduced = i+1, true, true
	case r.is(i, "from", "around", "about", "at", "@"):
		at, introduced = i+1, true
	case r.anyOf(i, "later than", "after") > 0:
		at = r.anyOf(i, "later than", "after")
		from, next := r.face(at, true, false)
		end := r.anyOf(next, "but before", "and before", "and until", "but until")
		if next == 0 || end == 0 {
			return hours{}, 0
		}
		return r.rangeOf(from, end, true)
	}
	h, next := r.rangeAt(at, between, introduced, r.bare)
	if next > 0 && (introduced && !r.is(i, "at", "@") || r.tokens[at].isNumber() && !introduced && h.inOrder()) {
		return h, next
	}
	return r.rangeAt(at, between, introduced, r.face)
}

// bare reads a time of day that isn't told by another: of "9 to 11" it is the 9.
func (r *reader) bare(i int, introduced, behindDay bool) (clock, int) {
	if c, next := r.numbered(i, introduced, behindDay); next > 0 {
		return c, next
	}
	return r.spelled(i, introduced)
}

// inOrder reports whether it can be meant as a range where nothing says so: 5 to 8pm, but
// not 15 to noon.
func (h hours) inOrder() bool {
	return h.to.hour > h.from.hour || h.from.grain == Minute
}

func (r *reader) rangeAt(at int, between, introduced bool, read func(int, bool, bool) (clock, int)) (hours, int) {
	from, next := read(at, true, true)
	if next == 0 {
		return hours{}, 0
	}
	end := r.rangeSign(next, between)
	if end == 0 {
		return hours{}, 0
	}
	h, next := r.rangeOf(from, end, introduced || r.strict(at))
	if months[r.text(r.skip(next, "of"))] != 0 {
		return hours{}, 0 // at 9 until 10 December
	}
	return h, next
}

// rangeOf reads the second end of a range.
func (r *reader) rangeOf(from clock, i int, known bool) (hours, int) {
	i = r.skip(i, "around", "about")
	to, next := r.face(i, true, true)
	if next == 0 || !known && !r.strict(i) {
		return hours{}, 0
	}
	// A half that only the second says belongs to both, where the order allows it.
	if from.loose && !to.loose && to.hour > 12 {
		if h := from.hour%12 + 12; h < to.hour || h == to.hour && from.minute < to.minute {
			from.hour, from.loose = h, false
		} else {
			from.loose = false
		}
	}
	if !from.loose && to.loose && to.hour <= from.hour && to.hour+12 > from.hour {
		to.hour, to.loose = to.hour+12, false
	}
	return hours{from: from, to: &to}, next
}

// rangeSign reads what stands between the ends of a range.
func (r *reader) rangeSign(i int, between bool) int {
	switch {
	case between:
		return r.anyOf(i, "and", "-", "–")
	case r.is(i, "-", "–", "—", "to", "till", "til", "until", "through", "thru"):
		return i + 1
	}
	return 0
}

// readings are the possible meanings of a time of day, the likeliest first. With either
// both halves of the day are open.
func (x expr) readings(either bool) []clockTime {
	if x.hours == nil {
		hour := dayStarts
		if x.part != nil {
			hour = x.part.hour
		}
		return []clockTime{{hour: hour}}
	}
	from := x.hours.from
	c := from.time()
	switch {
	case x.part != nil && c.hour == 12, x.part != nil && x.part.late && !from.half && c.hour > 9:
		c.hour = x.part.reads(c.hour) // 11:15 tonight, in two digits by 12 hours, too
	case x.part == nil && x.half != 0 && !from.half && (from.loose || from.grain == Minute) && c.hour > 0 && c.hour <= 12: // 11:45, and not noon
		c.hour = c.hour%12 + 12*int(x.half-Morning)
	case !from.loose:
	case x.part != nil:
		c.hour = x.part.reads(c.hour)
	case x.night:
		c.hour = parts["night"].reads(c.hour)
	case x.late && c.hour < 12:
		c.hour += 12
	case x.early:
	case either && c.hour < 6 && x.small:
		return []clockTime{{hour: c.hour + 12, minute: c.minute}}
	case either && c.hour < 12:
		return []clockTime{c, {hour: c.hour + 12, minute: c.minute}}
	case c.hour < 6, c.hour < 7 && x.occasion, c.hour < 8 && x.met:
		c.hour += 12
	}
	return []clockTime{c}
}

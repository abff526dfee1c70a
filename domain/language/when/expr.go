package when

import (
	"strings"
	"time"
)

// expr is a part of a sentence that says a time, or a part of one.
type expr struct {
	from, to int // tokens
	days     *days
	hours    *hours
	part     *partOfDay
	span     *span
	every    *every
	also     []clock // more times of the day, of what comes back
	bound    *bound  // of a recurrence that stands apart
	zone     *time.Location
	open     Open
	side     int   // -1 for before its days, 1 for after them
	until    *expr // of a range that isn't within a day
	moment   *time.Time
	before   *span // it is so long before what the rest says; negative for after

	starts      bool // its days are where a recurrence begins
	small       bool // nobody means one of the small hours
	late, early bool // what it is for tells which half of the day is meant
	met         bool // it is for people who meet
	occasion    bool // it takes place, and not early in the morning
	night       bool // and that the small hours are
	half        Half // it is known to be in this half of the day
}

// Open is what of a time that goes on is known.
type Open int

// The sides: nothing is open, what comes before, what comes after.
const (
	Closed Open = iota
	Before
	After
)

// hasDayAndTime reports whether it says both a day and a time of it.
func (x expr) hasDayAndTime() bool {
	timed := x.hours != nil || x.part != nil
	return x.moment != nil || x.span != nil && (x.span.exact() || timed) || x.every != nil && (timed || x.every.short()) || x.days != nil && timed
}

func (x expr) isEmpty() bool {
	return x.moment == nil && x.days == nil && x.hours == nil && x.part == nil && x.span == nil && x.every == nil
}

// exprs are the parts of the sentence that say times, in order.
func (r *reader) exprs() []expr {
	var out []expr
	for i := 0; i < len(r.tokens); {
		if r.tokens[i].quoted || r.tokens[i].joined && (r.tokens[i].isWord() && r.tokens[i-1].isWord() || r.is(i-1, "'", "’")) {
			i++
			continue
		}
		x := r.expr(i)
		if x.to == 0 {
			i++
			continue
		}
		out = append(out, x)
		i = x.to
		if x.hours == nil {
			continue
		}
		for other := r.another(i); other.to > 0; other = r.another(i) {
			out, i = append(out, other), other.to
		}
	}
	return out
}

// another reads a second time of day behind the first: at 7 and 19. A number that counts
// something, as in "at 7 and 2 friends", is none.
func (r *reader) another(i int) expr {
	at := r.skip(r.skip(i, ","), "and", "or", "&")
	if at == i {
		return expr{}
	}
	c, next := r.face(r.skip(at, "at"), true, false)
	if next == 0 || r.countsSomething(next) || c.hour > 24 || c.minute > 59 {
		return expr{}
	}
	return expr{from: at, to: next, hours: &hours{from: c}}
}

// expr reads a time at a token: one that is open at a side, a range, one so long before
// another, or a point.
func (r *reader) expr(i int) expr {
	if i < len(r.tokens) && !r.tokens[i].mayOpen() {
		return expr{}
	}
	return r.anyExpr(i)
}

// anyExpr is expr of a token that may be any.
func (r *reader) anyExpr(i int) expr {
	best := expr{}
	for _, read := range [...]func(*reader, int) expr{(*reader).framed, (*reader).opened, (*reader).point, (*reader).ranged, (*reader).shifted} {
		if x := read(r, i); x.to > best.to {
			best = x
		}
	}
	best.from = i
	return best
}

// opened reads "after 2pm", "since Monday", "by Friday", "through 2014", "within 2 weeks".
func (r *reader) opened(i int) expr {
	at := r.skip(i, "sometime", "sometimes", "anytime", "any")
	at = r.skip(at, "time")
	var side Open
	switch {
	case r.is(at, "by", "until", "till", "til", "before", "through", "thru"):
		side = Before
	case r.is(at, "after", "since", "from", "starting", "beginning"):
		side = After
	case r.anyOf(at, "later than") > 0:
		side, at = After, at+1
	case r.anyOf(at, "no later than", "not later than", "earlier than") > 0:
		side, at = Before, r.anyOf(at, "no later than", "not later than", "earlier than")-1
	case r.is(at, "within"):
		s, next := r.length(r.skip(at+1, "the"))
		if next == 0 {
			return expr{}
		}
		return expr{from: i, to: next, span: &s, open: Before}
	default:
		return expr{}
	}
	if s, next := r.length(at + 1); next > 0 && side == After && r.is(at, "after") && !r.is(next, "before", "after", "from") {
		return expr{from: i, to: next, span: &s, open: After}
	}
	x := r.point(at + 1)
	if d, next := r.monthOrYear(at+1, true); next > x.to {
		x = expr{to: next, days: d}
	}
	if x.to == 0 || x.every != nil {
		x = r.bareHour(at + 1)
	}
	if x.to == 0 {
		return expr{}
	}
	if r.is(at, "since") && x.days != nil && !r.past {
		return expr{} // of what goes on
	}
	x.from, x.open = i, side
	switch {
	case r.is(at, "before"):
		x.side = -1
	case r.is(at, "after"):
		x.side = 1
	}
	return x
}

// bareHour reads the number of an hour behind a word that a time follows.
func (r *reader) bareHour(i int) expr {
	c, next := r.face(i, true, true)
	if next == 0 || r.countsSomething(next) {
		return expr{}
	}
	return expr{from: i, to: next, hours: &hours{from: c}}
}

// ranged reads "from Monday 9am to Tuesday 5pm", "Saturday to Monday".
func (r *reader) ranged(i int) expr {
	between := r.is(i, "between")
	at := r.skip(i, "from", "between")
	if at == i && !r.mayRange(i) {
		return expr{}
	}
	a := r.point(at)
	if a.to == 0 || a.every != nil || a.span != nil || a.days == nil {
		return expr{}
	}
	sign := r.rangeSign(a.to, between)
	if sign == 0 || r.is(a.to, "to") && at == i && !r.startsDay(sign) {
		return expr{}
	}
	b := r.point(sign)
	if b.to == 0 {
		b = r.bareHour(sign)
	}
	if b.to == 0 || b.every != nil || b.span != nil || b.hours != nil && b.days != nil && a.hours == nil {
		return expr{}
	}
	a.until, a.from, a.to = &b, i, b.to
	return a
}

// mayRange reports whether a sign of a range stands near behind a token.
func (r *reader) mayRange(i int) bool {
	const near = 12
	for at := i + 1; at < i+near; at++ {
		if r.rangeSign(at, false) > 0 {
			return true
		}
	}
	return false
}

// startsDay reports whether a day begins at a token: to Monday, and not to water.
func (r *reader) startsDay(i int) bool {
	_, next := r.day(i)
	return next > 0
}

// shifted reads "2 hours before Friday at 10", "3 days after Easter", "a week from Friday",
// "the day before Christmas".
func (r *reader) shifted(i int) expr {
	s, next := r.lead(i)
	if next == 0 {
		return expr{}
	}
	x := r.point(next)
	if d, end := r.holiday(next, true); end > x.to {
		x = expr{to: end, days: d}
	}
	if x.to == 0 || x.every != nil || x.span != nil || s.exact() && x.hours == nil {
		return expr{}
	}
	x.from, x.before = i, &s
	if r.anyOf(i, "the night before", "the evening before") > 0 && x.hours == nil && x.part == nil {
		part := parts[r.text(i+1)]
		x.part = &part
	}
	return x
}

// lead reads how long before or after: "2 hours before"; negative for after.
func (r *reader) lead(i int) (span, int) {
	if n := r.anyOf(i, "the day before", "the night before", "the evening before", "day before"); n > 0 {
		return span{days: 1, grain: Day}, n
	}
	if n := r.anyOf(i, "the day after", "day after"); n > 0 {
		return span{days: -1, grain: Day}, n
	}
	if n := r.anyOf(i, "the week before"); n > 0 {
		return span{days: 7, grain: Week}, n
	}
	if n := r.anyOf(i, "the week after"); n > 0 {
		return span{days: -7, grain: Week}, n
	}
	s, next := r.length(i)
	if next == 0 {
		return span{}, 0
	}
	switch {
	case r.is(next, "before"), r.anyOf(next, "prior to", "ahead of", "in advance of") > 0:
		return s, max(next+1, r.anyOf(next, "prior to", "ahead of", "in advance of"))
	case r.is(next, "after", "following", "past"), r.is(next, "from") && !r.is(next+1, "now", "today"):
		return s.negative(), next + 1
	case r.is(next, "on") && s.days%7 == 0 && s.days > 0: // a week on Friday
		return s.negative(), next
	}
	return span{}, 0
}

// point reads as many parts as are next to each other, each kind once. What is one only where
// it comes back is read apart where it doesn't.
func (r *reader) point(from int) expr {
	x := r.parts(from)
	if !r.apart && r.isLoose(x) {
		r.apart = true
		x = r.parts(from)
		r.apart = false
	}
	return x
}

// isLoose reports whether parts don't make a recurrence: several times of a day, Monday to
// Friday without a time of day, and for the next ten days without one and not said first.
func (r *reader) isLoose(x expr) bool {
	if x.every == nil {
		return len(x.also) > 0
	}
	untimed := x.hours == nil && x.part == nil && x.every.part == nil
	return untimed && (x.every.ranged || x.every.forNext && !r.leads(x.from))
}

func (r *reader) parts(from int) expr {
	x := expr{from: from}
	for i := from; ; {
		next := r.add(&x, i)
		if next == 0 && i > from {
			at := r.skip(i, ",", "-")
			for r.is(at, "at", "on", "starting", "beginning", "from", "of", "in", "@", "the", "for", "as") && at < i+2 {
				at++
			}
			if at > i {
				days := x.days
				next = r.add(&x, at)
				x.starts = x.starts || x.days != days && r.is(at-1, "starting", "beginning", "from")
			}
		}
		if next == 0 {
			return x
		}
		i, x.to = next, next
	}
}

// add reads one more part of a point: the first kind that there is.
func (r *reader) add(x *expr, i int) int {
	kinds := [...]func(*reader, *expr, int) int{
		(*reader).addWhole, (*reader).addSpan, (*reader).addEvery, (*reader).addRange, (*reader).addDay, (*reader).addHours, (*reader).addAlso, (*reader).addPart, (*reader).addZone,
	}
	for _, add := range kinds {
		if next := add(r, x, i); next > 0 || x.moment != nil {
			return next
		}
	}
	return 0
}

// addWhole reads what has a day and a time of it in one: the morning of the 15th, a date
// and time as computers write them.
func (r *reader) addWhole(x *expr, i int) int {
	if !x.isEmpty() {
		return 0
	}
	i = r.skip(i, "on", "in", "by")
	if n := r.anyOf(i, "the morning of", "morning of", "the evening of", "evening of", "the afternoon of", "afternoon of", "the night of", "night of"); n > 0 {
		if d, next := r.day(r.skip(n, "this")); next > 0 {
			part := parts[r.text(r.skip(i, "the"))]
			x.part, x.days = &part, d
			return next
		}
	}
	if r.is(i, "early", "late") { // early tomorrow morning
		d, next := r.day(i + 1)
		if part, ok := partNamed(r.text(i) + " " + r.text(next)); next > 0 && ok > 0 {
			x.part, x.days = part, d
			return next + 1
		}
	}
	if r.past && r.is(i, "now") {
		x.moment = &r.now
		return i + 1
	}
	t, next := r.moment(i)
	x.moment = t
	return next
}

func (r *reader) addSpan(x *expr, i int) int {
	if x.span != nil || x.every != nil {
		return 0
	}
	s, next := r.ahead(i)
	switch {
	case next == 0:
	case x.days != nil:
		if d := r.inWeeks(s, x.days); d != nil { // on Tuesday in two weeks
			x.days = d
			return next
		}
		return 0
	default:
		x.span = &s
	}
	return next
}

// inWeeks is a weekday of the week that lies whole weeks ahead; nil where it isn't one, or
// lies before this one in the week, so that people may mean the next.
func (r *reader) inWeeks(s span, d *days) *days {
	w := d.named.weekday
	if s.days == 0 || s.days%7 != 0 || s.months != 0 || s.exact() || w == nil || d.of == nil || (int(*w)+6)%7 < (int(r.today().weekday())+6)%7 {
		return nil
	}
	p, ok := d.within(periodOf(r.today()+date(s.days), Week))
	if !ok {
		return nil
	}
	return once(p)
}

func (r *reader) addEvery(x *expr, i int) int {
	switch {
	case x.span != nil:
	case x.every == nil:
		e, next := r.every(i)
		if next > 0 {
			x.every = e
		}
		return next
	case i > x.from:
		if e, next := r.bounded(x.every, i); next > i {
			x.every = e
			return next
		}
	}
	return 0
}

func (r *reader) addRange(x *expr, i int) int {
	if x.hours != nil {
		return 0
	}
	h, next := r.hourRange(i)
	if next == 0 && x.part != nil && i > x.from && i < len(r.tokens) && r.tokens[i].isNumber() { // Monday evening 6 to 8
		if h, next = r.rangeAt(i, false, true, r.bare); next > 0 && (!h.inOrder() || r.countsSomething(next)) {
			next = 0
		}
	}
	if next > 0 && !r.belongs(i, next) {
		x.hours = &h
		return next
	}
	return 0
}

func (r *reader) addDay(x *expr, i int) int {
	d, next := r.day(i)
	if next > 0 && x.span != nil { // in two weeks on Tuesday
		if d = r.inWeeks(*x.span, d); d == nil {
			return 0
		}
		x.span = nil
	}
	if next > 0 && x.days != nil {
		d = r.join(x.days, d)
	}
	if next == 0 || d == nil {
		return 0
	}
	x.days = d
	return next
}

func (r *reader) addHours(x *expr, i int) int {
	if x.hours != nil {
		return 0
	}
	if at := r.anyOf(i, "when it's", "when it’s", "when it is", "once it's", "once it is", "as soon as it's"); at > 0 {
		return r.addHoursThere(x, at)
	}
	if h, next := r.hours(i, x.days != nil && i > x.from); next > 0 && !r.belongs(i, next) {
		x.hours = &h
		return next
	}
	if x.part != nil && i > x.from {
		if c, next := r.face(r.skip(i, "at", "@"), true, true); next > 0 && !r.countsSomething(next) {
			x.hours = &hours{from: c}
			return next
		}
	}
	n := r.anyOf(i, "at the same time", "at this time", "same time", "this time")
	if n == 0 || x.part != nil || x.days == nil && x.every == nil && !r.startsDay(n) && !r.is(n, "every", "each") {
		return 0
	}
	x.hours = &hours{from: clock{hour: r.now.Hour(), minute: r.now.Minute(), grain: Minute}}
	return n
}

// belongs reports whether a time of day is a part of a name: the 9 o'clock train.
func (r *reader) belongs(i, next int) bool {
	return r.is(i-1, "the", "my", "our", "a", "an", "their") && !r.is(i-2, "before", "after") &&
		r.is(next, "train", "trains", "bus", "buses", "flight", "flights", "plane", "ferry", "boat", "tram", "coach", "shuttle", "news", "show", "movie", "film")
}

// addHoursThere reads what the clock shows somewhere: when it's 4 pm in London.
func (r *reader) addHoursThere(x *expr, i int) int {
	c, next := r.face(i, true, true)
	if next == 0 || r.countsSomething(next) {
		return 0
	}
	x.hours = &hours{from: c}
	if !r.is(next, "in") || r.dayHalf(next) > 0 || r.is(next+1, "the") {
		return next
	}
	for length := 3; length > 0; length-- {
		if z, ok := Place(r.said(next+1, next+1+length)); ok && next+length < len(r.tokens) {
			x.zone = z
			return r.skip(next+1+length, "city")
		}
	}
	if next+1 < len(r.tokens) && r.tokens[next+1].upper {
		r.refuse("zone", next+1, next+2)
	}
	return next
}

func (r *reader) addAlso(x *expr, i int) int {
	if x.hours == nil || x.hours.to != nil || r.apart || r.is(i, "or") {
		return 0
	}
	other := r.another(i)
	if other.to > 0 {
		x.also = append(x.also, other.hours.from)
	}
	return other.to
}

func (r *reader) addPart(x *expr, i int) int {
	if x.part != nil {
		if x.part.hour < dayStarts && r.is(i, "morning") { // first thing tomorrow morning
			return i + 1
		}
		return 0
	}
	p, next := r.partOfDay(i, i > x.from && (x.days != nil || x.every != nil))
	if next > 0 {
		x.part = p
	}
	return next
}

func (r *reader) addZone(x *expr, i int) int {
	if x.zone != nil || x.hours == nil {
		return 0
	}
	z, next := r.zone(i)
	if next > 0 {
		x.zone = z
	}
	return next
}

// moment reads a date and time as computers write them.
func (r *reader) moment(i int) (*time.Time, int) {
	at := r.skip(i, "on", "at")
	d, next := r.stamp(at, true)
	if next == 0 || !r.is(next, "t") || !r.joined(next) {
		return nil, 0
	}
	end := next + 1
	for end < len(r.tokens) && r.joined(end) && (r.tokens[end].isNumber() || r.is(end, ":", "z", "+", "-")) {
		end++
	}
	text := strings.ToUpper(r.said(next, end))
	for _, layout := range []string{"T15:04", "T15:04:05"} {
		if wall, err := time.Parse(layout, text); err == nil {
			found := d.once.from.on(wallOf(wall), r.now.Location())
			return &found, end
		}
		if t, err := time.Parse("2006-01-02"+layout+"Z07:00", r.said(at, next)+text); err == nil {
			t = t.In(r.now.Location())
			return &t, end
		}
	}
	return nil, 0
}

// ahead reads "in 2 hours", "in an hour's time", "2 hours from now", and in the past
// "2 hours ago".
func (r *reader) ahead(i int) (span, int) {
	if r.is(i, "in") && !r.past {
		from := r.skip(i+1, "about", "around", "approximately", "exactly", "like", "roughly")
		from = r.skip(from, "the")
		if r.is(from-1, "the") {
			from = r.skip(from, "next")
		}
		if r.minus(i, from) {
			return span{}, 0
		}
		if s, next := r.length(from); next > 0 && !r.is(next, "before", "after") && (s.exact() || !r.is(from-1, "next")) {
			if n := r.seq(next, "time"); n > 0 { // in an hour's time
				next = n
			}
			return s, next
		}
		// In 15, and nothing that it counts: minutes.
		if n, next := r.digits(from, 2); next > 0 && n > 0 && (next == len(r.tokens) || r.is(next, "to", ",", ":", "'", "remind")) && !r.is(next+1, "times") {
			return span{passes: time.Duration(n) * time.Minute}, r.skip(next, "'")
		}
		return span{}, 0
	}
	if r.is(i, "next", "coming") || r.seq(i, "the next") > 0 {
		s, next := r.length(r.skip(i, "the") + 1)
		if next > 0 && s.exact() && s.days == 0 && !r.past {
			return s, next
		}
		return span{}, 0
	}
	s, next := r.length(i)
	if next == 0 {
		return span{}, 0
	}
	if n := r.anyOf(next, "ago", "back"); n > 0 {
		if r.past && r.is(next, "ago") {
			return s, n
		}
		if r.is(next, "ago") {
			return s.negative(), n
		}
		return span{}, 0
	}
	if r.past {
		return span{}, 0
	}
	if n := r.anyOf(next, "from now", "from today", "hence", "from this moment"); n > 0 {
		return s, n
	}
	return span{}, 0
}

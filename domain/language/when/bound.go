package when

import (
	"strings"
)

// bound is what a recurrence begins or ends with, where it may stand before it: until June
// each Wednesday, from Friday on every day.
type bound struct {
	begin, until *days
	lasts        lasting
}

// lasting is how long or how often something comes.
type lasting struct {
	span  *span
	count int
	part  *partOfDay // three nights
}

func (l lasting) isEmpty() bool { return l.span == nil && l.count == 0 }

// framed reads a bound and the recurrence behind it. A bound by itself is kept for one that
// stands apart: until June remind me to … each Wednesday.
func (r *reader) framed(i int) expr {
	b, next := r.bound(i)
	if next == 0 {
		return expr{}
	}
	if x := r.point(r.skip(next, ",")); x.to > 0 && x.every != nil {
		if y, ok := x.boundBy(b); ok {
			y.from = i
			return y
		}
	}
	if !r.leads(i) {
		return expr{}
	}
	x := r.opened(i)
	if b.begin != nil && b.until != nil && b.begin != b.until {
		x = expr{from: i, days: b.begin, until: &expr{days: b.until}}
	}
	if x.to > next || x.hours != nil || x.part != nil {
		return expr{}
	}
	x.to, x.bound = next, b
	if e, end := r.forNext(i); end == next {
		x.every = e
	}
	return x
}

// isBound reports whether a recurrence begins with how long it lasts, or nothing else is said.
func (r *reader) isBound(x expr) bool {
	_, b := r.bound(x.from)
	_, e := r.forNext(x.from)
	return (x.every != nil || x.bound != nil) && max(b, e) > 0
}

// leads reports whether a sentence, or what it asks for, begins at a token.
func (r *reader) leads(i int) bool {
	return i == 0 || r.is(i-1, "me", "reminder", "alarm", "please", ",", ":")
}

// bound reads "until the end of June", "from Friday on", "from April to June", "starting
// tomorrow", "for four weeks".
func (r *reader) bound(i int) (*bound, int) {
	switch {
	case r.past:
	case r.is(i, "until", "till", "til", "through", "thru"), r.seq(i, "up to") > 0:
		last, end := r.day(r.skip(i, "up") + 1)
		return &bound{until: last}, end
	case r.is(i, "from", "starting", "beginning"), r.seq(i, "as of") > 0:
		first, end := r.day(r.skip(r.skip(i, "as")+1, "from", "with"))
		if end == 0 {
			return nil, 0
		}
		if sign := r.rangeSign(end, false); sign > 0 {
			if last, behind := r.day(sign); behind > 0 {
				return &bound{begin: first, until: last}, behind
			}
		}
		if first.isRange() { // from 1 April to 30 June
			return &bound{begin: first, until: first}, end
		}
		return &bound{begin: first}, r.onward(end)
	case r.anyOf(i, "for the rest of the", "for the rest of this") > 0:
		if g, ok := grains[r.text(i+5)]; ok {
			return &bound{until: once(periodOf(r.today(), g))}, i + 6
		}
	case r.is(i, "for"):
		if l, end := r.lasting(i + 1); end > 0 {
			return &bound{lasts: l}, end
		}
	}
	return nil, 0
}

// onward skips what only says that something goes on: from Friday on.
func (r *reader) onward(i int) int {
	if n := r.anyOf(i, "onwards", "onward", "forward", "and onwards", "and on"); n > 0 {
		return n
	}
	if _, day := r.day(i); day == 0 && r.is(i, "on") {
		return i + 1
	}
	return i
}

// lasting reads "the next ten days", "4 weeks", "three nights", "5 times".
func (r *reader) lasting(i int) (lasting, int) {
	i = r.skip(i, "the")
	i = r.skip(i, "next", "coming", "following")
	if s, end := r.length(i); end > 0 {
		if s.exact() || r.is(i, "few", "a") && r.is(end-2, "few", "couple") {
			return lasting{}, 0
		}
		return lasting{span: &s}, end
	}
	if s, end := r.unit(i); end > 0 && r.is(i-1, "next", "coming", "following") && !s.exact() && !strings.HasSuffix(r.text(i), "s") {
		return lasting{span: &s}, end
	}
	n, next := r.cardinal(i)
	if next == 0 {
		return lasting{}, 0
	}
	if r.is(next, "times") {
		return lasting{count: n}, next + 1
	}
	if part, ok := parts[strings.TrimSuffix(r.text(next), "s")]; ok && r.isPlural(next) {
		return lasting{count: n, part: &part}, next + 1
	}
	return lasting{}, 0
}

// isPlural reports whether the name of a day or a part of one stands there in the plural.
func (r *reader) isPlural(i int) bool {
	name, ok := strings.CutSuffix(r.text(i), "s")
	_, part := parts[name]
	return ok && (part || weekdays[name] != nil)
}

// boundBy is a recurrence with a bound, unless it has one already.
func (x expr) boundBy(b *bound) (expr, bool) {
	e := *x.every
	switch {
	case b.begin != nil && (e.begin != nil || x.days != nil), b.until != nil && (e.until != nil || x.until != nil), !b.lasts.isEmpty() && !e.lasts.isEmpty():
		return x, false
	case b.begin != nil && b.until != nil && e.onRange(b.begin, b.until):
	default:
		e.begin, e.until = either(e.begin, b.begin), either(e.until, b.until)
	}
	if e.lasts.isEmpty() {
		e.lasts = b.lasts
	}
	x.every = &e
	return x, true
}

func either(a, b *days) *days {
	if a != nil {
		return a
	}
	return b
}

// forNext reads what comes each day for some time: for the next ten days, for the next three
// nights, for the next four Mondays, for the rest of the week.
func (r *reader) forNext(i int) (*every, int) {
	if r.past || r.apart {
		return nil, 0
	}
	if g, ok := grains[r.text(i+5)]; ok && r.anyOf(i, "for the rest of the", "for the rest of this") > 0 {
		e := daily()
		e.forNext, e.until = true, once(periodOf(r.today(), g))
		return &e, i + 6
	}
	at := r.anyOf(i, "for the next", "for the coming", "for the following")
	if at == 0 {
		return r.nextOf(i)
	}
	if r.is(at, "few", "couple") {
		r.refuse("until", i, at+2)
		return nil, 0
	}
	e := daily()
	e.forNext = true
	if l, end := r.lasting(at); end > 0 {
		e.lasts, e.part = l, l.part
		return &e, end
	}
	return r.nextOf(i + 1)
}

// nextOf reads "the next four Mondays".
func (r *reader) nextOf(i int) (*every, int) {
	at := r.anyOf(i, "the next", "the coming", "the following", "next")
	n, next := r.cardinal(at)
	days, end := r.plurals(next)
	if at == 0 || next == 0 || end == 0 || !r.isPlural(next) {
		return nil, 0
	}
	e := onDays(days)
	e.lasts = lasting{count: n * len(days)}
	return &e, end
}

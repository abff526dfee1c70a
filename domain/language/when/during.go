package when

import (
	"regexp"
	"time"

	"chalie/domain"
)

// During is the period that a text names, from its first moment to before its end, for
// asking what lies in it: "tomorrow", "on Friday evening", "this week", "in December". Of a
// period that has begun it is all of it, and a time of day is the hour from then on. The
// error is a validation, with one of the package's codes.
func During(text string, now domain.Millis, zone *time.Location) (from, to domain.Millis, err error) {
	from, to, _, err = during(text, now, zone)
	return from, to, err
}

// Asked is the period in which time is asked for: a time of day is an hour from then on. Of one that
// has passed, and may be in the afternoon as well, that is meant. The error is During's.
func Asked(text string, now domain.Millis, zone *time.Location) (Window, error) {
	w, _, err := Narrow(text, now, zone)
	if err != nil {
		return w, err
	}
	if !w.IsPeriod() {
		from, to, err := During(text, now, zone)
		if err != nil {
			return w, err
		}
		w = Window{From: from, To: to}
	}
	const half = domain.Millis(12 * time.Hour / time.Millisecond)
	today := domain.MillisOf(dateAt(now.Time().In(zone)).on(clockTime{}, zone))
	if w.To > 0 && w.To <= now && w.To-w.From < half && w.From >= today && !forenoon.MatchString(text) {
		w = Window{From: w.From + half, To: w.To + half}
	}
	return w, nil
}

// forenoon finds words by which a time of day is before noon.
var forenoon = regexp.MustCompile(`(?i)\b(?:am|morning|0\d)\b|\ba\.m\b`)

// Named is the period that a text names and nothing besides, as During reads it; ok is false
// for any other text.
func Named(text string, now domain.Millis, zone *time.Location) (from, to domain.Millis, ok bool) {
	from, to, rest, err := during(text, now, zone)
	return from, to, err == nil && rest == ""
}

// during is the period with what the text says besides.
func during(text string, now domain.Millis, zone *time.Location) (from, to domain.Millis, rest string, err error) {
	r := &reader{tokens: tokensOf(text), now: now.Time().In(zone)}
	if len(r.tokens) > maxTokens {
		return 0, 0, "", noTime("")
	}
	if n := r.anyOf(r.skip(0, "for"), "the rest of", "rest of", "the remainder of", "what is left of"); n > 0 && n < len(r.tokens) {
		from, to, err = During(text[r.tokens[r.skip(n, "the")].start:], now, zone)
		if err != nil { // of the year
			from, to, err = During("this "+text[r.tokens[r.skip(n, "the")].start:], now, zone)
		}
		return max(from, now), to, "", err
	}
	r.tokens = r.tokens[r.skip(0, "for"):]
	if from, to, ok := r.fromNow(); ok {
		return from, to, "", nil
	}
	found := r.exprs()
	if len(found) == 0 {
		r, found = r.alone()
	}
	switch {
	case r.wrong != nil:
		return 0, 0, "", r.wrong
	case len(found) == 0:
		return 0, 0, "", noTime(text)
	}
	used := found
	if len(found) == 2 {
		if x, ok := joined(found[0], found[1]); ok {
			found = []expr{x}
		}
	}
	x := found[0]
	if len(found) > 1 || x.every != nil || x.moment != nil || x.before != nil {
		return 0, 0, "", r.ambiguous(found)
	}
	start, end, ok := r.period(x)
	if !ok {
		return 0, 0, "", noTime(text)
	}
	return domain.MillisOf(start), domain.MillisOf(end), r.without(text, used), nil
}

func (r *reader) period(x expr) (start, end time.Time, ok bool) {
	zone := r.now.Location()
	p := dayPeriod(r.today())
	switch {
	case x.span != nil:
		end = x.span.after(r.now)
		if x.open == Before || x.span.grain < Day {
			return r.now, end, end.After(r.now)
		}
		p = dayPeriod(dateAt(end))
	case x.days != nil:
		if p, ok = x.days.near(r.today(), false); !ok {
			return start, end, false
		}
	}
	start, end = p.from.on(clockTime{}, zone), p.to.on(clockTime{}, zone)
	if x.days != nil {
		start = p.from.on(x.days.from, zone)
	}
	switch {
	case x.hours != nil:
		from := x.readings(p.from == r.today())[0]
		start = p.from.on(from, zone)
		if x.hours.from.loose && x.part == nil {
			start = r.askedOf(start, x)
		}
		end = start.Add(time.Hour)
		switch {
		case x.hours.to != nil:
			end = p.from.on(x.hours.to.time(), zone).Add(start.Sub(p.from.on(from, zone)))
			if !end.After(start) && x.hours.to.loose && x.hours.to.hour < 12 { // from 9 to 5
				end = end.Add(12 * time.Hour)
			}
		case x.open == After:
			end = p.to.on(clockTime{}, zone)
		case x.open == Before:
			start, end = p.from.on(clockTime{}, zone), start
		}
	case x.part != nil:
		start, end = p.from.on(clockTime{hour: x.part.from}, zone), p.from.on(clockTime{hour: x.part.to}, zone)
	case x.until != nil && x.until.days != nil:
		if last, found := x.until.days.near(p.from, false); found {
			end = last.to.on(clockTime{}, zone)
		}
	}
	return start, end, end.After(start)
}

// fromNow is a period that begins now and is named by its length alone: the next three months,
// the coming week. Something that comes then is read otherwise: next week.
func (r *reader) fromNow() (from, to domain.Millis, ok bool) {
	i := r.skip(0, "in", "for", "within", "during", "over")
	i = r.skip(i, "the")
	if !r.is(i, "next", "coming", "upcoming", "following") {
		return 0, 0, false
	}
	length, end := r.length(i + 1)
	if end == 0 && r.is(i, "coming", "upcoming") {
		if u, n := r.unit(i + 1); n > 0 && u.grain >= Day {
			length, end = u, n
		}
	}
	if end == 0 || end < len(r.tokens) || length.tooFar() || length.grain < Week { // the next three days begin tomorrow
		return 0, 0, false
	}
	return domain.MillisOf(r.now), domain.MillisOf(length.after(r.now)), true
}

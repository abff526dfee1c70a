package when

import (
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// Time is the time that a sentence names.
type Time struct {
	At         domain.Millis      // the first moment; always later than the present
	From, To   domain.Millis      // what was said; To is 0 for a point
	Grain      Grain              // how exactly
	Open       Open               // whether it goes on before or after
	Recurrence *domain.Recurrence // when it comes back; nil for once
	Zone       *time.Location     // the zone that it was said in; nil for the person's
	Spans      []Span             // the parts of the sentence that say so, in order

	kept      []Span // parts that say so, too, and belong to what it is for: the day before my trip
	elsewhere Span   // a place behind a time of day where another is shown: 4 pm in London
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Codes of why a sentence has no time that can be used. All are validation errors
// with words for a person.
const (
	CodeNoTime    domain.Code = "no_time"        // it says none
	CodePassed    domain.Code = "time_passed"    // it says one that has passed
	CodeNoSuch    domain.Code = "no_such_time"   // it says one that doesn't exist
	CodeAmbiguous domain.Code = "ambiguous_time" // it says several
	CodeTooFar    domain.Code = "time_too_far"   // it says one beyond a hundred years
)

// maxTokens bounds the words and marks of a sentence.
const maxTokens = 300

// Parse finds the time in a sentence. The errors are validation, with one of the
// codes above, and say what was understood.
func Parse(text string, now domain.Millis, zone *time.Location) (Time, error) {
	return Look(text, now, zone).Parse()
}

func parse(text string, r *reader) (Time, error) {
	if len(r.tokens) > maxTokens {
		return tooLong()
	}
	return r.parsed(text, r.exprs())
}

func tooLong() (Time, error) {
	return Time{}, refused(CodeNoTime, "time.in_too_much", nil, nil)
}

// parsed is the time that a text names by what was found in it.
func (r *reader) parsed(text string, found []expr) (Time, error) {
	now := domain.MillisOf(r.now)
	if at := r.given.moment; at > now {
		return Time{At: at, From: at, Grain: Minute, Spans: []Span{{End: len(text)}}}, nil
	}
	if r.wrong != nil {
		return Time{}, r.wrong
	}
	if len(found) == 0 {
		switch r, found = r.alone(); {
		case r.wrong != nil:
			return Time{}, r.wrong
		case len(found) == 0:
			return Time{}, noTime(text)
		}
	}
	x, used, err := r.choose(r.onGivenDay(found))
	if err != nil {
		return Time{}, err
	}
	clocked := x.hours != nil
	r.fill(&x)
	if x.days != nil && x.days.each && x.hours != nil && x.every == nil {
		e := daily()
		x.every = &e
	}
	x.late, x.early = r.usualHalf()
	x.night = !x.early && r.isBedtime()
	x.met = r.ended && !x.early && r.isMeeting()
	x.occasion = r.ended && !x.early && !r.isOfMorning()
	lead := r.leadOf(&x, found)
	m, err := r.resolve(x, used)
	if err != nil {
		return Time{}, err
	}
	out := Time{At: domain.MillisOf(m.at), From: domain.MillisOf(m.from), Grain: m.grain, Open: x.open, Recurrence: m.recurrence, Zone: x.zone}
	if !m.to.IsZero() {
		out.To = domain.MillisOf(m.to)
	}
	switch {
	case out.At <= now:
		return Time{}, r.hasPassed(used, m.at, time.Time{})
	case m.at.After(r.now.AddDate(maxYears, 0, 0)):
		return Time{}, r.tooFar(used)
	}
	if lead.to > 0 {
		span := Span{r.tokens[lead.from].start, r.tokens[lead.to-1].end}
		if lead.from == 0 || r.is(lead.from-1, "me", "reminder") {
			out.Spans = append(out.Spans, span)
		} else {
			out.kept = append(out.kept, span)
		}
	}
	for _, u := range used {
		if r.is(u.from, "for") && !r.isBound(u) { // which links it to what stands before
			u.from++
		}
		if start, end := r.tokens[u.from].start, r.tokens[u.to-1].end; end > start {
			out.Spans = append(out.Spans, Span{start, end})
		}
	}
	if x.zone == nil && clocked {
		out.elsewhere = r.elsewhere(used[len(used)-1].to, m.at)
	}
	if out.Recurrence != nil {
		out.Spans = r.withRepeating(out)
	}
	return out, nil
}

// elsewhere is the place that stands behind a time of day, where the clock shows another: it
// may be where that is, or whose time is meant.
func (r *reader) elsewhere(i int, at time.Time) Span {
	if !r.is(i, "in") || i+1 >= len(r.tokens) || !r.tokens[i+1].upper {
		return Span{}
	}
	for end := min(i+4, len(r.tokens)); end > i+1; end-- {
		if z, ok := Place(r.said(i+1, end)); ok && floating(at) != floating(at.In(z)) {
			return Span{r.tokens[i].start, r.tokens[end-1].end}
		}
	}
	return Span{}
}

// withRepeating are the spans of what comes back, with the words that say no more than that:
// a recurring reminder, and "repeating" at the end.
func (r *reader) withRepeating(t Time) []Span {
	for i, w := range r.tokens {
		if r.is(i, "recurring", "repeating") && !w.quoted && !t.covers(w) && (i == len(r.tokens)-1 || r.is(i+1, "reminder", "alarm", ".")) {
			t.Spans = append(t.Spans, Span{w.start, w.end})
		}
	}
	slices.SortFunc(t.Spans, func(a, b Span) int { return a.Start - b.Start })
	return t.Spans
}

// leadOf reads how long before it a time is wanted, where words for what happens then stand
// between: 2 hours before my flight on Thursday at 10:40.
func (r *reader) leadOf(x *expr, found []expr) expr {
	if x.before != nil || x.every != nil || x.span != nil || x.days == nil && x.hours == nil {
		return expr{}
	}
	for i := range x.from {
		s, next := r.lead(i)
		if next == 0 || next > x.from || r.tokens[i].quoted {
			continue
		}
		for _, other := range found {
			if other.from != x.from && other.to > i && other.from < x.from {
				return expr{}
			}
		}
		x.before = &s
		return expr{from: i, to: next}
	}
	return expr{}
}

// Parts tells whether a text names a day, or a span that leads to one, and whether it names
// a time of day: a correction that names one of them leaves the other as it was.
func Parts(text string, now domain.Millis, zone *time.Location) (day, clock bool) {
	return Look(text, now, zone).Parts()
}

// Parts is the function Parts of the text.
func (t *Text) Parts() (day, clock bool) {
	r, found := t.reading()
	if len(found) == 0 {
		_, found = r.alone()
	}
	clock = len(r.given.clocks) > 0
	for _, x := range found {
		day = day || x.days != nil || x.span != nil || x.every != nil || x.moment != nil || x.part != nil && x.part.today
		clock = clock || x.hours != nil || x.part != nil || x.moment != nil || x.every != nil && (x.every.part != nil || x.every.short())
	}
	return day, clock
}

// usualHalf tells by what a time is for which half of the day is meant when the sentence
// doesn't say: dinner is in the evening, and one wakes up in the morning.
func (r *reader) usualHalf() (late, early bool) {
	for i := range r.tokens {
		late = late || r.is(i, "dinner", "supper", "drinks", "party", "cinema", "concert", "theatre", "theater", "movie", "movies", "gig", "club", "date", "recital", "rehearsal", "banquet", "gala") || r.seq(i, "open house") > 0 || r.seq(i, "open mic") > 0
		early = early || r.is(i, "wake", "breakfast", "alarm", "sunrise") || r.seq(i, "get up") > 0 || r.seq(i, "getting up") > 0
	}
	return late && !early, early && !late
}

// isMeeting reports whether people meet, which they don't do before eight in the morning.
func (r *reader) isMeeting() bool {
	for i := range r.tokens {
		if r.is(i, "meeting", "meet", "meetup", "hangout") {
			return true
		}
	}
	return false
}

// isOfMorning reports whether something takes place as early as six in the morning now and then.
func (r *reader) isOfMorning() bool {
	for i := range r.tokens {
		if r.is(i, "flight", "train", "bus", "ferry", "ship", "shift", "run", "jog", "gym", "workout", "training", "yoga", "swim", "swimming", "fishing", "hike", "prayer", "mass", "delivery", "departure", "departs", "leaves", "surgery", "spin", "crossfit", "rowing", "market", "milking", "feeding", "hunt", "hunting", "tide") {
			return true
		}
	}
	return false
}

// isBedtime reports whether it is for going to bed, which is late in the evening or at night.
func (r *reader) isBedtime() bool {
	for i := range r.tokens {
		behind := i+1 >= len(r.tokens) || !r.tokens[i+1].isWord() || functionWords[r.text(i+1)]
		if r.is(i, "bedtime", "asleep") || r.is(i, "bed") && r.is(i-1, "to", "in", "for") || r.is(i, "sleep") && behind && !r.is(i+1, "in", "with") {
			return true
		}
	}
	return false
}

// alone reads a time that is all there is and lacks its first word: 2 hours, fri.
func (r *reader) alone() (*reader, []expr) {
	const longest = 12
	if len(r.tokens) > longest {
		return r, nil
	}
	for _, first := range []string{"in", "on", "at", "every"} {
		if first == "in" && len(r.tokens) == 1 {
			continue // 8 is a time of day rather than minutes
		}
		q := &reader{tokens: append([]token{{text: first}}, r.tokens...), now: r.now, given: r.given}
		x := q.expr(0)
		if r.is(0, "-", "−") {
			if q.exprs(); q.wrong != nil {
				return q, nil
			}
		}
		if x.to == len(q.tokens) && q.wrong == nil {
			// The added word is no part of the sentence.
			q.tokens[0] = token{text: first, start: q.tokens[1].start, end: q.tokens[1].start}
			return q, []expr{x}
		}
	}
	return r, nil
}

// choose is the time that is meant, with the parts it is made of. A whole time goes before
// parts of one; a day and a time of day that stand apart belong together.
func (r *reader) choose(found []expr) (expr, []expr, error) {
	found = r.beforeTitle(found)
	if b := found[0].bound; b != nil && len(found) > 1 {
		if x, used, err := r.chosen(found[1:]); err == nil && x.every != nil {
			if x, ok := x.boundBy(b); ok {
				return x, append(found[:1:1], used...), nil
			}
		}
	}
	times := slices.DeleteFunc(slices.Clone(found), expr.isEmpty)
	if len(times) == 0 {
		return expr{}, nil, noTime(r.said(0, len(r.tokens)))
	}
	return r.chosen(times)
}

func (r *reader) chosen(found []expr) (expr, []expr, error) {
	if len(found) == 1 {
		return found[0], found, nil
	}
	var whole []expr
	for _, x := range found {
		if x.hasDayAndTime() {
			whole = append(whole, x)
		}
	}
	switch {
	case len(whole) == 1 && whole[0].hours != nil && r.saysAnother(whole[0], found):
	case len(whole) == 1:
		return whole[0], whole, nil
	case len(whole) == 0 && len(found) == 2:
		if x, ok := joined(found[0], found[1]); ok {
			return x, found, nil
		}
	}
	if len(whole) > 1 {
		found = whole
	}
	return expr{}, nil, r.ambiguous(found)
}

// beforeTitle leaves out what stands in what is to be said, when a time of day stands before
// it: of "at 6 to plan the weekend" the weekend isn't when.
func (r *reader) beforeTitle(found []expr) []expr {
	first := found[0]
	if first.days != nil || first.every != nil || first.hours == nil && first.part == nil {
		return found
	}
	for i := first.to; i < len(r.tokens); i++ {
		if !r.is(i, "to", "that", "about") {
			continue
		}
		n := 0
		for n < len(found) && found[n].from < i {
			if found[n].to > i {
				return found // it is a part of a time
			}
			n++
		}
		return found[:n]
	}
	return found
}

// saysAnother reports whether there is a second time of day that may be the one that
// is meant: "at 5 tomorrow at 3". What is only spoken of, as "the 2pm slot", isn't.
func (r *reader) saysAnother(whole expr, found []expr) bool {
	for _, x := range found {
		if x.from != whole.from && x.hours != nil && (r.is(x.from, "at", "@") || r.is(x.from-1, "and", "or")) {
			return true
		}
	}
	return false
}

func joined(a, b expr) (expr, bool) {
	if a.hours != nil || a.part != nil {
		a, b = b, a
	}
	dated := a.days != nil || a.every != nil || a.span != nil
	if !dated || b.days != nil || b.every != nil || b.span != nil || a.hours != nil || a.part != nil || a.before != nil || b.before != nil {
		return expr{}, false
	}
	if a.until != nil { // Monday to Friday … at 8
		e := daily()
		if a.days == nil || a.until.days == nil || !e.onRange(a.days, a.until.days) || len(e.weekdays) < 3 {
			return expr{}, false
		}
		a.days, a.until, a.every = nil, nil, &e
	}
	a.hours, a.part, a.zone = b.hours, b.part, b.zone
	return a, true
}

// Rest is the text without the parts that say when, and without the words that only stand
// among them: just, please.
func (t Time) Rest(text string) string {
	r := &reader{tokens: tokensOf(text)}
	if start, end := r.head(t); end > start && t.Loose(text) == "" {
		whole := Span{r.tokens[start].start, r.tokens[end-1].end}
		t.Spans = append(slices.DeleteFunc(slices.Clone(t.Spans), func(s Span) bool { return s.Start < whole.End && whole.Start < s.End }), whole)
		slices.SortFunc(t.Spans, func(a, b Span) int { return a.Start - b.Start })
	}
	var out strings.Builder
	from := 0
	for _, s := range t.Spans {
		out.WriteString(text[from:s.Start])
		from = s.End
	}
	out.WriteString(text[from:])
	var rest strings.Builder
	for i, word := range strings.Fields(out.String()) {
		if i > 0 && strings.Trim(word, ",.;:!?") != "" {
			rest.WriteByte(' ') // a mark by itself belongs to the word before
		}
		rest.WriteString(word)
	}
	return strings.TrimLeft(strings.TrimRight(rest.String(), " ,;:-."), " ,;:-")
}

package when

import (
	"strings"
	"time"

	"chalie/domain"
)

// Window is what words narrow moments to: a period ("tomorrow", "Friday evening", "this
// week"), a time on a day ("tomorrow at 8"), or a time of day on whatever day ("8am").
type Window struct {
	From, To domain.Millis // To is 0 for whatever day
	Said     string        // the words that say so

	clocks []clock // what a time of day may mean
	daily  []int   // from which minute of any day to which
	part   *partOfDay
}

// Fit is how well a plan fits into a window.
type Fit int

// The fits.
const (
	Outside Fit = iota
	Within      // it lies in the period, or goes on at the time
	Exactly     // it begins at the time
)

// Narrow finds the window in a text, as words of it or all of it, and what else the text
// says. The error is a validation, with one of the package's codes; CodeNoTime when there is
// none in it.
func Narrow(text string, now domain.Millis, zone *time.Location) (w Window, rest string, err error) {
	return Look(text, now, zone).Narrow()
}

// Narrow is the function Narrow of the text.
func (t *Text) Narrow() (w Window, rest string, err error) {
	r, text := t.again(), t.text
	if len(r.tokens) > maxTokens {
		return w, text, noTime("")
	}
	if from, to, ok := r.fromNow(); ok {
		return Window{From: from, To: to, Said: text}, "", nil
	}
	if len(r.tokens) == 1 { // my morning alarm
		if part, ok := parts[r.text(0)]; ok {
			return Window{part: &part, Said: text}, "", nil
		}
	}
	r, found := t.reading()
	if len(found) == 0 {
		r, found = r.alone()
	}
	if r.wrong != nil {
		return w, text, r.wrong
	}
	used := found
	if len(found) == 2 {
		if x, ok := joined(found[0], found[1]); ok {
			x.open = max(found[0].open, found[1].open)
			found = []expr{x}
		}
	}
	switch {
	case len(found) == 0:
		return w, text, noTime(text)
	case len(found) > 1 || found[0].every != nil || found[0].before != nil:
		return w, text, r.ambiguous(found)
	}
	w, ok := r.window(found[0])
	if !ok {
		return w, text, noTime(text)
	}
	w.Said = strings.ReplaceAll(r.quoted(used), " … ", " ")
	return w, r.without(text, used), nil
}

func (r *reader) window(x expr) (Window, bool) {
	zone := r.now.Location()
	dated := x.days != nil || x.span != nil || x.part != nil && x.part.today
	switch {
	case x.moment != nil:
		at := domain.MillisOf(*x.moment)
		return Window{From: at, To: at + 1}, true
	case x.open != Closed && x.span == nil:
		return r.openWindow(x)
	case x.hours != nil && x.hours.to == nil && x.until == nil:
		w := Window{clocks: r.clocksOf(x)}
		if dated {
			day := x
			day.hours, day.part = nil, nil
			start, end, ok := r.period(day)
			if !ok {
				return w, false
			}
			w.From, w.To = domain.MillisOf(start), domain.MillisOf(end)
		}
		return w, true
	case x.part != nil && !dated:
		return Window{part: x.part}, true
	}
	start, end, ok := r.period(x)
	if ok && x.part != nil && x.part.night { // the night goes on behind midnight
		const small = 4
		end = dateAt(end.Add(-time.Second)).on(clockTime{hour: 24 + small}, zone)
	}
	return Window{From: domain.MillisOf(start), To: domain.MillisOf(end)}, ok
}

// openWindow is all of a day, or of what lies ahead, on one side of a time.
func (r *reader) openWindow(x expr) (Window, bool) {
	zone := r.now.Location()
	start, end, ok := r.period(x)
	if !ok {
		return Window{}, false
	}
	if within, ok := r.whole(x); ok && x.hours != nil {
		within.daily = []int{0, minuteOf(end)}
		if x.open == After {
			within.daily = []int{minuteOf(start), 24 * 60}
		}
		return within, within.daily[0] < within.daily[1]
	}
	edge := start
	if x.open == After == (x.hours == nil) {
		edge = end
	}
	day := dateAt(start)
	w := Window{From: domain.MillisOf(day.on(clockTime{}, zone)), To: domain.MillisOf((day + 1).on(clockTime{}, zone))}
	if x.hours == nil { // a day: all before or after it
		w = Window{From: domain.MillisOf(r.now), To: domain.MillisOf(r.now.AddDate(maxYears, 0, 0))}
	}
	if x.open == After {
		w.From = domain.MillisOf(edge)
	} else {
		w.To = domain.MillisOf(edge)
	}
	return w, w.To > w.From
}

// whole are the days of which a side of a time is asked: all, or several; false for a single one.
func (r *reader) whole(x expr) (Window, bool) {
	if x.days == nil {
		return Window{}, x.part == nil || !x.part.today
	}
	x.hours, x.part = nil, nil
	const oneDay = 25 * time.Hour // once a year
	start, end, ok := r.period(x)
	return Window{From: domain.MillisOf(start), To: domain.MillisOf(end)}, ok && end.Sub(start) > oneDay
}

// minuteOf is the minute of its day that a moment is in.
func minuteOf(t time.Time) int {
	c := wallOf(t)
	return c.hour*60 + c.minute
}

// askedOf is a time of day that doesn't say its half, as one asks for what comes then, before or
// after it: of what has passed today nobody asks, who asks for what comes after 6 or 7 means the
// evening, and who asks for what lies between 1 and 5 the afternoon.
func (r *reader) askedOf(edge time.Time, x expr) time.Time {
	const half, early, small = 12, 8, 7
	c, day := wallOf(edge), dateAt(edge)
	passed := day == dateAt(r.now) && edge.Before(r.now) && (x.open != Closed || x.hours.to != nil && day.on(x.hours.to.time(), r.now.Location()).Before(r.now))
	if c.hour < half && (passed || x.open == After && c.hour < early || x.hours.to != nil && c.hour < small && x.hours.to.hour < half) {
		c.hour += half
		return day.on(c, r.now.Location())
	}
	return edge
}

// clocksOf are the times of day that may be meant.
func (r *reader) clocksOf(x expr) []clock {
	var out []clock
	for _, c := range x.readings(true) {
		out = append(out, clock{hour: c.hour % 24, minute: c.minute, grain: x.hours.from.grain})
	}
	return out
}

// Fits is how well what begins and ends at these moments fits. What has no length ends where
// it begins.
func (w Window) Fits(start, end domain.Millis, zone *time.Location) Fit {
	end = max(end, start+1)
	if w.To != 0 && (end <= w.From || start >= w.To) {
		return Outside
	}
	t := start.Time().In(zone)
	switch {
	case w.daily != nil:
		if at := t.Hour()*60 + t.Minute(); at < w.daily[0] || at >= w.daily[1] {
			return Outside
		}
		return Within
	case w.part != nil:
		hour := t.Hour()
		if w.part.night && hour < 5 {
			hour += 24
		}
		if hour >= w.part.from && (hour < w.part.to || w.part.night && hour < 24+5) {
			return Within
		}
		return Outside
	case len(w.clocks) == 0:
		return Within
	}
	fit := Outside
	for _, c := range w.clocks {
		at := dateAt(t).on(c.time(), zone)
		switch {
		case t.Hour() == c.hour && t.Minute() == c.minute:
			return Exactly
		case t.Hour() == c.hour && c.grain == Hour, start <= domain.MillisOf(at) && domain.MillisOf(at) < end:
			fit = Within
		}
	}
	return fit
}

// HasDay reports whether it says on which day.
func (w Window) HasDay() bool { return w.To != 0 }

// IsPeriod reports whether it is all between two moments.
func (w Window) IsPeriod() bool {
	return w.To != 0 && len(w.clocks) == 0 && w.part == nil && w.daily == nil
}

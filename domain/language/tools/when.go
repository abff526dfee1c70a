package tools

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/when"
)

// form is how a parameter writes days, times of day and moments; "" for as they are said.
type form struct{ day, clock, moment string }

// writings are the ways of writing a time that a description names or shows, the more exact first.
var writings = []struct {
	shows  *regexp.Regexp
	layout form
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dt\d\d:\d\d:\d\dz|\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d[+-]\d\d:\d\d|rfc ?3339`), form{"2006-01-02", "15:04", time.RFC3339}},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d|yyyy-mm-ddthh:mm:ss`), form{"2006-01-02", "15:04", "2006-01-02T15:04:05"}},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dt\d\d:\d\d|yyyy-mm-ddthh:mm|iso[ -]?8601|\biso (?:date|time|format|string|timestamp)|(?:date|time)\w*[ (,]+iso\b`), form{"2006-01-02", "15:04", "2006-01-02T15:04"}},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d|yyyy-mm-dd hh:mm`), form{"2006-01-02", "15:04", "2006-01-02 15:04"}},
	{regexp.MustCompile(`yyyy-mm-dd|\d{4}-\d\d-\d\d`), form{day: "2006-01-02"}},
	{regexp.MustCompile(`yyyy/mm/dd|\d{4}/\d\d/\d\d`), form{day: "2006/01/02"}},
	{regexp.MustCompile(`dd\.mm\.yyyy|\b\d\d\.\d\d\.\d{4}\b`), form{day: "02.01.2006"}},
	{regexp.MustCompile(`dd/mm/yyyy`), form{day: "02/01/2006"}},
	{regexp.MustCompile(`mm/dd/yyyy`), form{day: "01/02/2006"}},
	{regexp.MustCompile(`dd-mm-yyyy`), form{day: "02-01-2006"}},
	{regexp.MustCompile(`yyyymmdd`), form{day: "20060102"}},
	{regexp.MustCompile(`hh:mm|\b24[ -]?h|\b\d\d:\d\d\b`), form{clock: "15:04"}},
}

// formOf is how a description writes times.
func formOf(about string) form {
	var out form
	about = strings.ToLower(about)
	if !strings.ContainsAny(about, "0123456789") && !strings.Contains(about, "yyyy") && !strings.Contains(about, "hh:") && !strings.Contains(about, "iso") {
		return out
	}
	for _, f := range writings {
		if f.shows.MatchString(about) {
			if out.day == "" {
				out.day = f.layout.day
			}
			if out.clock == "" {
				out.clock = f.layout.clock
			}
			if out.moment == "" {
				out.moment = f.layout.moment
			}
		}
	}
	if out.moment == "" && out.day != "" && out.clock != "" {
		out.moment = out.day + " " + out.clock
	}
	return out
}

// begins and ends report whether a parameter is the first or the last moment of a period.
func (p Slot) begins() bool {
	return isWhen(p.kind) && hasWord(p, "start", "from", "begin", "begins", "since", "after", "min", "first", "earliest")
}

func (p Slot) ends() bool {
	return isWhen(p.kind) && hasWord(p, "end", "to", "until", "till", "before", "ends", "finish", "max", "last", "latest")
}

// times gives the time that was said to the only parameter that can be meant: its day and its
// time of day to those for each, and the two ends of a period to those for them.
func (f *Filling) times() {
	from, to, ok := f.timeSaid()
	if !ok {
		f.passed()
		return
	}
	takes := slices.DeleteFunc(f.texts(ofDay, ofClock, ofMoment, ofPeriod), func(p Slot) bool { return p.closed })
	if f.period(takes, from, to) {
		return
	}
	day, clock := slices.IndexFunc(takes, func(p Slot) bool { return p.kind == ofDay }), slices.IndexFunc(takes, func(p Slot) bool { return p.kind == ofClock })
	if day >= 0 && clock >= 0 {
		if at, dayFirst, ok := f.split(from, to); ok {
			first, second := takes[day], takes[clock]
			if !dayFirst {
				first, second = second, first
			}
			f.timed, f.at, f.moment = true, f.S.Part(from, to), takes[day].Name
			f.Params[first.Name], f.Params[second.Name] = f.moments(first, from, at), f.moments(second, at, to)
			f.take(from, to)
			return
		}
		isDay, isClock := f.l.Parts(f.S.Part(from, to))
		takes = slices.DeleteFunc(takes, func(p Slot) bool { return p.kind == ofDay && !isDay || p.kind == ofClock && !isClock })
	}
	if len(takes) > 1 {
		if needs := slices.DeleteFunc(slices.Clone(takes), func(p Slot) bool { return !p.Required }); len(needs) > 0 {
			takes = needs
		} else {
			takes = slices.DeleteFunc(takes, Slot.ends)
		}
	}
	if len(takes) == 0 && f.S.Is(from, "today", "now", "today's") && to == from+1 {
		return // what is told is what is now
	}
	f.timed, f.at = true, f.S.Part(from, to)
	f.sinceThen = f.S.Is(from-1, "since") || f.S.Is(from, "since")
	if f.S.Is(from-1, "since") {
		f.take(from-1, from)
	}
	if len(takes) == 1 {
		if text := f.moments(takes[0], from, to); text != "" {
			f.Params[takes[0].Name], f.moment = text, takes[0].Name
		}
	}
	f.take(from, to)
}

// timeSaid is where the time that was said stands, among the words that nothing was made of. A name
// is none.
func (f *Filling) timeSaid() (from, to int, ok bool) {
	from, to, ok = f.wordsOfTime()
	return from, to, ok && !f.isNamedSo(from, to) && !f.S.Is(from-1, "last", "past", "previous")
}

func (f *Filling) wordsOfTime() (from, to int, ok bool) {
	t := f.l.Timing(f.S.All())
	if t.Said && t.When != "" {
		if from, to = f.find(t.When); from < to && !slices.Contains(f.used[from:to], true) {
			return from, to, !f.describesItself(from, to)
		}
	}
	for n := min(4, len(f.S.Words)-1); n > 0; n-- { // it may stand at the end, behind what only looks like one
		from := len(f.S.Words) - n
		if slices.Contains(f.used[from:], true) || n == 1 && IsNumber(f.S.Words[from].Lower) {
			continue
		}
		if t := f.l.Timing(f.S.Part(from, len(f.S.Words))); t.Said && t.When != "" && t.Rest == "" {
			return from, len(f.S.Words), !f.describesItself(from, len(f.S.Words))
		}
	}
	if !slices.Contains(f.used, true) {
		return 0, 0, false
	}
	for from := 0; from < len(f.S.Words); from++ { // it may stand beside a number that is none of it
		end := from
		for end < len(f.S.Words) && !f.used[end] {
			end++
		}
		if end == from {
			continue
		}
		if t := f.l.Timing(f.S.Part(from, end)); t.Said && t.When != "" {
			if at, to := f.find(t.When); at < to && !slices.Contains(f.used[at:to], true) {
				return at, to, true
			}
		}
		from = end
	}
	return 0, 0, false
}

// smallTimes are words of time that nobody writes with a capital, but where they are a name.
var smallTimes = sentences.WordsIn(`eve noon midnight midday dawn dusk sunrise sunset night morning evening afternoon daily weekly monthly hourly yearly hour minute second today tomorrow tonight now later early soon weekend week month year day`)

// isNamedSo reports whether words of time are a name: Eve, The Daily.
func (f *Filling) isNamedSo(from, to int) bool {
	lower := func(i int) bool {
		return i > 0 && !f.S.Words[i].Quoted && !IsNameLike(f.S, i) && !strings.ContainsAny(f.S.Words[i].Lower, "0123456789")
	}
	for i := max(from, 1); i < to; i++ {
		if IsNameLike(f.S, i) && smallTimes[f.S.Words[i].Lower] && !f.S.Is(i-1, "christmas", "year's", "years") {
			return slices.ContainsFunc(f.S.Words, func(w sentences.Word) bool { return lower(slices.Index(f.S.Words, w)) }) || to == len(f.S.Words)
		}
	}
	return false
}

// describesItself reports whether the words of a time are those by which the tool says what it is:
// a monthly budget.
func (f *Filling) describesItself(from, to int) bool {
	return to == from+1 && f.isAbout(from) && !f.S.Is(from, "today", "tomorrow", "yesterday", "tonight")
}

// period gives a period's first and last day, or moment, to the two parameters for them. A tool
// that only looks takes a day for a period, too.
func (f *Filling) period(takes []Slot, from, to int) bool {
	first, last := slices.IndexFunc(takes, Slot.begins), slices.IndexFunc(takes, Slot.ends)
	if first < 0 || last < 0 || first == last {
		return false
	}
	text := f.S.Part(from, to)
	begin, end, ok := when.Named(text, f.l.P.AsOf, f.l.Zone())
	at, err := f.l.Parse(text)
	if !ok || err == nil && at.Recurrence != nil {
		return false
	}
	_, clock := f.l.Parts(text)
	if (err == nil && at.To == 0 || clock && !f.hasEnd(from, to)) && !(f.c.Looks && !clock) {
		return false
	}
	if takes[first].writes == (form{}) {
		return false
	}
	if !clock {
		end-- // the last day is one of them
	}
	for _, of := range []struct {
		Slot
		at domain.Millis
	}{{takes[first], begin}, {takes[last], end}} {
		writes := of.writes
		if writes == (form{}) {
			writes = takes[first].writes
		}
		layout := writes.moment
		if layout == "" || !clock {
			layout = writes.day
		}
		f.Params[of.Name] = of.at.Time().In(f.l.Zone()).Format(layout)
	}
	f.timed, f.at, f.moment = true, text, takes[first].Name
	f.take(from, to)
	return true
}

// hasEnd reports whether a time says until when it lasts.
func (f *Filling) hasEnd(from, to int) bool {
	for i := from + 1; i < to; i++ {
		if f.S.Is(i, "to", "until", "till", "and") || strings.ContainsAny(f.S.Words[i].Lower, "-–") {
			return true
		}
	}
	return false
}

// passed gives a day or a period that has passed, which nothing is planned for, to the parameter
// for one: "yesterday", "last week".
func (f *Filling) passed() {
	for i := range f.S.Words {
		if f.used[i] || !f.S.Is(i, "yesterday", "today", "last", "past") && !f.S.Is(i+1, "ago") && !f.S.Is(i+2, "ago") {
			continue
		}
		takes := slices.DeleteFunc(f.texts(ofDay, ofMoment, ofPeriod), func(p Slot) bool { return p.closed })
		for end := min(i+4, len(f.S.Words)); end > i; end-- {
			if _, _, ok := when.Named(f.S.Part(i, end), f.l.P.AsOf, f.l.Zone()); !ok && !(end == i+1 && f.S.Is(i, "yesterday", "today")) || slices.Contains(f.used[i:end], true) {
				continue
			}
			if f.period(takes, i, end) {
				return
			}
			if len(takes) == 1 {
				f.Params[takes[0].Name] = f.moments(takes[0], i, end)
				f.take(i, end)
				if f.S.Is(i-1, "since") {
					f.take(i-1, i)
				}
			}
			return
		}
	}
}

// split is where a time falls into a day and a time of day.
func (f *Filling) split(from, to int) (at int, dayFirst, ok bool) {
	for at := from + 1; at < to; at++ {
		day1, clock1 := f.l.Parts(f.S.Part(from, at))
		day2, clock2 := f.l.Parts(f.S.Part(at, to))
		if day1 && !clock1 && clock2 && !day2 {
			return at, true, true
		}
		if clock1 && !day1 && day2 && !clock2 {
			return at, false, true
		}
	}
	return 0, false, false
}

// moments is a time as a parameter writes it.
func (f *Filling) moments(p Slot, from, to int) string {
	if p.Description == "" || p.format != "" || isChoice(p, f.S.Part(from, to)) {
		return f.S.Part(from, to)
	}
	for from < to-1 && f.S.Is(from, "on", "at", "for", "from", "after", "before", "by", "until") {
		from++
	}
	text, writes := f.S.Part(from, to), p.writes
	if p.kind == ofClock && writes.clock != "" {
		if day, clock := f.l.Parts(text); day || !clock {
			return "" // it takes no day, and none may be lost
		}
	}
	asked := text
	if p.kind == ofClock && f.repeats {
		asked += " every day"
	}
	at, ok := f.reckoned(p, asked)
	if !ok || isChoice(p, text) {
		return text
	}
	layout := ""
	switch isDay, isClock := f.l.Parts(text); {
	case isDay && !isClock:
		layout = writes.day
	case isClock && !isDay && writes.moment == "" || isClock && p.kind == ofClock:
		layout = writes.clock
	case isClock:
		layout = writes.moment
	}
	if layout == "" {
		return text
	}
	return at.Format(layout)
}

// reckoned is the moment that a text means: for "since" and "after", and where days that have passed
// are meant, the latest such.
func (f *Filling) reckoned(p Slot, text string) (time.Time, bool) {
	at, err := f.l.Parse(text)
	if err == nil && at.Recurrence != nil && !f.repeats {
		return time.Time{}, false
	}
	back := hasWord(p, "since", "after") || f.sinceThen || slices.ContainsFunc(p.about, func(w string) bool { return w == "yesterday" || w == "past" || w == "ago" })
	if err != nil || back && f.c.Looks && at.At > f.l.P.AsOf {
		past, wrong := when.ParsePast(text, f.l.P.AsOf, f.l.Zone())
		switch {
		case wrong == nil:
			at.At = past
		case err != nil:
			return time.Time{}, false
		}
	}
	return at.At.Time().In(f.l.Zone()), true
}

package timing

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// refused is the error of a parameter that can't be as it was said.
func refused(field string, m speech.Message, now domain.Millis, zone *time.Location) error {
	return speech.Refuse("read parameters", "invalid", field, m, speech.Voice{Now: now, Zone: zone})
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// feast is what comes back every year though nobody says so: a day that is a birthday, and not a
// party for it.
var feast = regexp.MustCompile(`(?i)\b(birthday|anniversary)$`)

// Yearly is an appointment that comes back every year, where it is a feast by its words.
func Yearly(what string, a domain.Appointment, at when.Time, now domain.Millis, zone *time.Location) domain.Appointment {
	if !feast.MatchString(what) || !a.AllDay || a.Recurrence != nil || at.Grain != when.Day {
		return a
	}
	again, ok := when.SeriesOn(domain.Recurrence{Rule: "FREQ=YEARLY"}, a.Start, true, now, zone)
	if ok && again.Start == a.Start {
		a.Recurrence = again
	}
	return a
}

// forLong is how long something takes, at the end of when it begins: at 3pm for 2 hours.
var forLong = regexp.MustCompile(`(?i)^(.*\S)\s+for\s+((?:an?|half an|\d+|one|two|three|four|five|six)\b.*` +
	`(?:hours?|minutes?|mins?|h|hrs?|half))\.?$`)

// usualLength is how long an appointment takes when nothing is said of that.
const usualLength = time.Hour

// Occasion is when an appointment takes place, by when it begins, or from when to when, and
// perhaps its end or length. Whatever else an appointment has is left open. Its zone is the one
// in which it was said to come back, known or not.
func Occasion(said *when.Text, until string, now domain.Millis, zone *time.Location) (domain.Appointment, when.Time, error) {
	if blank(until) {
		if parts := forLong.FindStringSubmatch(said.String()); parts != nil {
			said, until = said.Saying(parts[1]), parts[2]
		}
	}
	if rest, annual := strings.CutPrefix(said.String(), "annual "); annual {
		said = said.Saying("yearly " + rest)
	}
	at, err := said.Occasion()
	if err != nil {
		return domain.Appointment{}, at, err
	}
	a := domain.Appointment{Start: at.At, End: at.At.Add(usualLength), Zone: zone.String(), Recurrence: at.Recurrence}
	if at.Recurrence != nil && at.Zone != nil {
		a.Zone = at.Zone.String()
	}
	switch _, clock := said.Parts(); {
	case !clock && at.Grain >= when.Hour || !clock && at.Recurrence != nil:
		a.AllDay = true
		a.Start, a.End, a.Recurrence = at.WholeDays(zone)
	case at.From == at.At && at.To > at.At:
		a.End = at.To
	}
	if blank(until) {
		return a, at, nil
	}
	a.End, err = End(until, a, now, zone)
	return a, at, err
}

// Event is what takes place and when, as words say it.
type Event struct {
	What   string // "" where they say only when
	Time   domain.Appointment
	At     when.Time // when it begins
	Unread string    // words beside the time that may be a part of it
}

// EventIn reads it, by when it begins and perhaps its end or length. Where nothing is said of when it begins, that is among
// the words for what it is.
func EventIn(what, begins, until string, now domain.Millis, zone *time.Location) (Event, error) {
	if !blank(begins) {
		return eventAt(what, when.Look(begins, now, zone), until, now, zone)
	}
	e, err := eventAt(what, when.Look(what, now, zone), until, now, zone)
	if err == nil {
		e.What = e.At.Rest(what)
	}
	return e, err
}

// EventBy is one whose time another plan says. Where it ends there, it is before that unless it would have begun by now.
func EventBy(what string, due domain.Millis, ends bool, until string, now domain.Millis, zone *time.Location) (Event, error) {
	e, err := eventAt(WithoutArticle(what), when.Known(due, now, zone), until, now, zone)
	if length := e.Time.End - e.Time.Start; ends && err == nil && e.Time.Start-length > now {
		e.Time.Start, e.Time.End = e.Time.Start-length, e.Time.Start
	}
	return e, err
}

func eventAt(what string, said *when.Text, until string, now domain.Millis, zone *time.Location) (Event, error) {
	a, at, err := Occasion(said, until, now, zone)
	e := Event{What: what, Time: a, At: at}
	if err == nil {
		e.Unread = Unread(at, said.String())
	}
	return e, err
}

// resized finds how much longer or shorter something becomes.
var resized = regexp.MustCompile(`(?i)^(.+) (longer|shorter)$`)

// End is the end of an appointment as it was said: how long it takes, or when it ends.
func End(until string, a domain.Appointment, now domain.Millis, zone *time.Location) (domain.Millis, error) {
	if by := resized.FindStringSubmatch(strings.TrimSpace(until)); by != nil {
		later, ok := when.Later(by[1], a.End, zone)
		switch earlier := when.Earlier(by[1], a.End, zone); {
		case ok && strings.EqualFold(by[2], "longer"):
			return later, nil
		case ok && earlier > a.Start:
			return earlier, nil
		case ok:
			return 0, refused("until", speech.Message{ID: "appointment.no_length"}, now, zone)
		}
	}
	if end, ok := when.Later(until, a.Start, zone); ok {
		return end, nil
	}
	at, err := when.Parse(until, a.Start, zone)
	if err != nil {
		return 0, err
	}
	if a.AllDay {
		_, end, _ := at.WholeDays(zone)
		return end, nil
	}
	return at.At, nil
}

// Times of telling where nothing is said of them.
const (
	usualBefore = domain.Millis(30 * time.Minute / time.Millisecond)
	oneDay      = domain.Millis(24 * time.Hour / time.Millisecond)
	nineOClock  = domain.Millis(9 * time.Hour / time.Millisecond) // of one that lasts all day
)

// Before is how long before an appointment it is told; nil for never.
func Before(said string, allDay bool, now domain.Millis, zone *time.Location) (*domain.Millis, error) {
	before := usualBefore
	switch strings.ToLower(strings.Trim(said, " .")) {
	case "none", "no", "never", "not", "not at all", "nothing":
		return nil, nil
	case "":
		if allDay {
			before = 0
		}
	case "0", "at the start", "at start", "when it begins", "when it starts":
		before = 0
	default:
		length, ok := when.Later(said, 0, time.UTC)
		if !ok {
			how := speech.Message{ID: "appointment.how_long_before", Args: speech.Args{"said": speech.Text{Words: said}}}
			return nil, refused("before", how, now, zone)
		}
		before = length
	}
	if allDay && before%oneDay == 0 {
		before -= nineOClock
	}
	return &before, nil
}

// FirstTold is when an appointment is told the first time, 0 for never; zone is its own. When that has passed
// it is told when it begins, and one of today that lasts all day isn't.
func FirstTold(a domain.Appointment, now domain.Millis, zone *time.Location) domain.Millis {
	_, tell := when.Occurs(a, a.Start, zone)
	switch {
	case tell == 0 || tell > now:
		return tell
	case a.Start > now:
		return a.Start
	}
	return 0
}

// Moved is an appointment at another time, which leaves open what isn't said: the day, the
// time of day, how long it takes.
func Moved(was domain.Appointment, said *when.Text, until string, now domain.Millis, zone *time.Location) (domain.Appointment, error) {
	a := was
	if blank(said.String()) {
		var err error
		if !blank(until) {
			a.End, err = End(until, a, now, zone)
		}
		return a, err
	}
	day, clock := said.Parts()
	if to, later := Shifted(said.String(), was.Start, zone); later {
		a.Start, a.End = to, to+was.End-was.Start
		return a, nil
	}
	if clock && !day { // on the same day
		said = said.From(max(now, DayBefore(was.Start, zone)))
	}
	if clock && !was.AllDay {
		said = HalfOf(was.Start, said, now, zone)
	}
	if anchor := AnchorOf(was.Start, said, now); anchor != now {
		said = said.From(anchor)
	}
	b, at, err := Occasion(said, until, now, zone)
	if err != nil {
		return a, err
	}
	if night := SameNight(was.Start, b.Start, now, zone); clock && !day && !was.AllDay {
		b.Start, b.End = night, b.End+night-b.Start
	}
	if left := Unread(at, said.String()); left != "" {
		span := speech.Span{From: b.Start, To: b.End, AllDay: b.AllDay, Zone: zone.String()}
		unmoved := speech.Message{ID: "time.unread", Args: speech.Args{"span": span, "left": speech.Text{Words: left}}}
		return a, refused("when", unmoved, now, zone)
	}
	if blank(until) {
		b = asLong(was, b, said, at, now, zone)
	}
	a.Start, a.End, a.AllDay, a.Zone = b.Start, b.End, b.AllDay, b.Zone
	if b.Recurrence != nil && was.Recurrence != nil {
		b.Recurrence = when.EndingAs(b.Recurrence, *was.Recurrence)
	}
	if b.Recurrence != nil {
		a.Recurrence = b.Recurrence
	}
	return a, nil
}

// asLong is what an appointment is moved to, at its time of day and as long as it was, where that isn't said.
func asLong(was, b domain.Appointment, said *when.Text, at when.Time, now domain.Millis, zone *time.Location) domain.Appointment {
	if b.AllDay && !was.AllDay {
		clocked := said.AtClockOf(was.Start)
		if was.Recurrence != nil && b.Recurrence != nil {
			clocked = AtClocksOf(clocked, *was.Recurrence)
		}
		if again, _, err := Occasion(clocked, "", now, zone); err == nil {
			b = again
		}
	}
	if days := daysOf(was, zone); b.AllDay && was.AllDay && daysOf(b, zone) == 1 && days > 1 {
		b.End = domain.MillisOf(b.Start.Time().In(zone).AddDate(0, 0, days))
	}
	if ends := at.From == at.At && at.To > at.At; !b.AllDay && !was.AllDay && !ends {
		b.End = b.Start + was.End - was.Start
	}
	return b
}

// daysOf is how many days something lasts.
func daysOf(a domain.Appointment, zone *time.Location) int {
	const half = 12 * time.Hour // the clocks move by less
	return int((a.End.Time().In(zone).Sub(a.Start.Time().In(zone)) + half).Hours()) / 24
}

// People are those who take part, by their names.
func People(said string) []string {
	var out []string
	for name := range strings.SplitSeq(strings.ReplaceAll(said, " and ", ","), ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// Joined are those who take part from now on, by words for who does, or does, too: and Anna.
func Joined(were []string, said string) []string {
	if also, adds := strings.CutPrefix(strings.TrimSpace(said), "and "); adds {
		return append(slices.Clone(were), People(also)...)
	}
	return People(said)
}

// Place is a place without the word that leads to it.
func Place(said string) string {
	said = strings.TrimSpace(said)
	if rest, ok := strings.CutPrefix(said, "at "); ok {
		return strings.TrimSpace(rest)
	}
	return said
}

// article stands before the words for an appointment.
var article = regexp.MustCompile(`(?i)^(?:an?|the|my) `)

// WithoutArticle is what an appointment is, of what stands beside its time.
func WithoutArticle(what string) string { return article.ReplaceAllString(Unquoted(what), "") }

package bynames

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/timing"
	"chalie/domain/language/when"
)

// Meaning is what words for plans say: which words of theirs, which one in time, when, and
// whether they are alarms.
type Meaning struct {
	Said   []string
	Rank   int // 1 for the next, -1 for the last, 0 for none
	Window when.Window
	Period string // as it was said, to follow "there is none"; "" when none was
	Alarms bool
	Timers bool           // those that are called so, where there are some
	Comes  []time.Weekday // on which days it comes back; nil where that isn't said
}

// alarmWords name a reminder that wakes or rings.
var alarmWords = []string{"alarm", "alarms", "timer", "timers"}

func isAlarmWord(w string) bool { return slices.Contains(alarmWords, w) }

// Rings reports whether a name is an alarm's, and whether a timer's, by its words.
func Rings(words []string) (alarm, timer bool) {
	timer = slices.ContainsFunc(words, func(w string) bool { return w == "timer" || w == "timers" })
	return slices.ContainsFunc(words, isAlarmWord) || len(words) > 0 && words[0] == "wake", timer
}

// MeaningOf reads the words for some of these things. The error is a validation about during.
func MeaningOf[T Thing](which, during string, all []T, now domain.Millis, zone *time.Location) (Meaning, error) {
	m := Meaning{}
	m.Comes, which = returning(which, all)
	m.Said = TellingWords(which)
	during = strings.TrimSpace(during)
	if rank, _ := ranked[T](TellingWords(during), nil); rank != 0 && !strings.Contains(during, " ") {
		m.Said, during = append([]string{during}, m.Said...), "" // the next one, which is no period
	}
	if during != "" {
		then, err := During(during, now, zone)
		if err != nil {
			return m, err
		}
		m.Window, m.Period = then.Window, then.Period
	} else if len(ByWords(m.Said, all)) == 0 {
		m.readWhen(which, now, zone)
	}
	m.Rank, m.Said = ranked(m.Said, all)
	alarm := func(p T) bool { is, _ := p.Rings(); return is }
	timer := func(p T) bool { _, is := p.Rings(); return is }
	if slices.ContainsFunc(m.Said, isAlarmWord) && slices.ContainsFunc(all, alarm) {
		_, timers := Rings(m.Said)
		m.Timers = timers && slices.ContainsFunc(all, timer)
		m.Alarms, m.Said = true, slices.DeleteFunc(slices.Clone(m.Said), isAlarmWord)
	}
	m.Said = Particular(m.Said)
	return m, nil
}

// During is the period that words say, of whatever is in it. The error is a validation.
func During(words string, now domain.Millis, zone *time.Location) (Meaning, error) {
	w, _, err := when.Narrow(words, now, zone)
	if err != nil {
		return Meaning{}, err
	}
	return Meaning{Window: w, Period: timing.InPeriod(words)}, nil
}

// OnlyWhen reports whether words say a period and nothing else.
func OnlyWhen(words string, now domain.Millis, zone *time.Location) bool {
	_, rest, err := when.Narrow(words, now, zone)
	return err == nil && strings.TrimSpace(rest) == ""
}

// readWhen reads when it is out of the words: my 3 pm alarm, my morning alarm.
func (m *Meaning) readWhen(which string, now domain.Millis, zone *time.Location) {
	if w, rest, err := when.Narrow(which, now, zone); err == nil {
		m.Window, m.Period, m.Said = w, timing.InPeriod(w.Said), TellingWords(rest)
		return
	}
	said := slices.DeleteFunc(slices.Clone(m.Said), isAlarmWord)
	if len(said) != 1 || len(said) == len(m.Said) {
		return
	}
	if w, rest, err := when.Narrow(said[0], now, zone); err == nil && rest == "" {
		m.Window, m.Period, m.Said = w, "in the "+said[0], slices.DeleteFunc(m.Said, func(w string) bool { return w == said[0] })
	}
}

// comesBack finds how what is named comes back: my weekday alarm, the alarm on Saturdays.
var comesBack = regexp.MustCompile(`(?i)\b(?:on |every |each |for )?(?:(weekdays?|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|` +
	`(daily|nightly|every ?day|each day|every night))\b`)

// recurring finds that what is named comes back at all.
var recurring = regexp.MustCompile(`(?i)\b(?:recurring|repeating|repeated)\b`)

// returning takes the days on which what is named comes back out of its words, when they aren't
// those of a thing's name; nil for none.
func returning[T Thing](which string, all []T) (days []time.Weekday, rest string) {
	if said := recurring.FindStringIndex(which); said != nil {
		return []time.Weekday{}, strings.TrimSpace(which[:said[0]] + which[said[1]:])
	}
	at := comesBack.FindStringSubmatchIndex(which)
	if at == nil {
		return nil, which
	}
	rest = strings.TrimSpace(which[:at[0]] + which[at[1]:])
	if at[4] >= 0 {
		return []time.Weekday{0, 1, 2, 3, 4, 5, 6}, rest
	}
	word := strings.ToLower(which[at[2]:at[3]])
	if slices.ContainsFunc(all, func(p T) bool { return strings.Contains(strings.ToLower(p.Name()), word) }) {
		return nil, which
	}
	if word == "weekday" {
		word = "weekdays"
	}
	return when.Weekdays(word), rest
}

// ranked takes the word out of a naming that says which one in time is meant: 1 for the next,
// -1 for the last, 0 for none. Where things have the word in their names, it isn't taken.
func ranked[T Thing](said []string, all []T) (rank int, rest []string) {
	if len(said) == 0 || len(ByWords(said, all)) > 0 && !slices.Contains([]string{"next", "first", "last"}, said[0]) {
		return 0, said
	}
	switch said[0] {
	case "next", "first", "earliest", "soonest":
		return 1, said[1:]
	case "last", "latest":
		return -1, said[1:]
	}
	return 0, said
}

// WeekLater is the same day of the week, where today was named by that: on a Monday, Monday may be
// the next one. False where it is another day.
func (m Meaning) WeekLater(now domain.Millis, zone *time.Location) (Meaning, bool) {
	today := timing.Midnight(now, zone)
	name := strings.TrimPrefix(strings.ToLower(m.Period), "on ")
	if m.Window.From != domain.MillisOf(today) || name != strings.ToLower(today.Weekday().String()) {
		return m, false
	}
	const week = 7
	m.Window.From, m.Window.To = domain.MillisOf(today.AddDate(0, 0, week)), domain.MillisOf(today.AddDate(0, 0, week+1))
	return m, true
}

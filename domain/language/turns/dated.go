package turns

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/hearing"
	"chalie/domain/language/plans"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// anchor is the day, or the moment, of which was spoken.
type anchor struct {
	at    time.Time
	timed bool              // its time of day counts, too
	plan  hearing.Mentioned // that lies then; zero for none
}

// behindDay is what may follow words that point at a day: none of it names what they would be before or after.
const behindDay = `(?: (?:it|that|this|then))?(?:$|[,;.!?]| (?:at|to|by|around|from|in the|for|same|and|remind|that i|please|too|as well|instead)\b)`

// Words that point at a day or a time that was spoken of.
var (
	thatDay    = regexp.MustCompile(`(?i)\b(?:on |in )?(?:that|(?:the|that|this) same|that very) (day|date|morning|afternoon|evening|night)\b|\bon the day itself\b`)
	dayBefore  = regexp.MustCompile(`(?i)\b(?:on )?the (day|date|morning|afternoon|evening|night|week) (before|after)` + behindDay)
	daysBefore = regexp.MustCompile(`(?i)\b((?:an?|one|two|three|four|five|six|ten|half an|quarter of an|\d+)(?: and a half)? (?:minutes?|mins?|hours?|days?|weeks?|months?)) (?:before(?:hand)?|ahead(?: of)?|in advance(?: of)?|prior(?: to)?)` + behindDay)
	weekday    = regexp.MustCompile(`(?i)\b(?:on )?the (monday|tuesday|wednesday|thursday|friday|saturday|sunday) (before|after)` + behindDay)
	atThatTime = regexp.MustCompile(`(?i)\bremind me then\b|\bby then\b|\bat that (?:time|hour)\b`)
	sameTime   = regexp.MustCompile(`(?i)(,| at the| and)? same (?:time|hour)\b( of day)?`)
	// partThatDay finds a part of a day apart from the day, and toSet a verb by which something is set.
	partThatDay = regexp.MustCompile(`(?i)\bin the (morning|afternoon|evening),? (?:on )?(?:that|the same) day\b`)
	toSet       = regexp.MustCompile(`(?i)\b(?:remind|reminded|reminder|nudge|alert|ping|wake|alarm|task|deadline|appointment)\b`)
	hourly      = regexp.MustCompile(`(?i)(?:minute|min|hour)s?$`)
	goesBy      = regexp.MustCompile(`(?i)\b(?:before|after|ahead of|beforehand|in advance)\b`)
	tail        = regexp.MustCompile(`(?i)(?:[,;.!?]| (?:at|to|by|around|from|in the|for|same|and|remind|that i|please|too|as well|instead))$`)
)

// dated is a text with the day that it points at: that day, that evening at 7, the day before, an hour before it.
// A question is what to ask where it isn't known which day that is, and something would be set.
func (l Talk) dated(text string) (out string, question speech.Message) {
	text = partThatDay.ReplaceAllString(text, "that $1")
	pointing := slices.ContainsFunc([]*regexp.Regexp{thatDay, dayBefore, daysBefore, weekday, atThatTime}, func(r *regexp.Regexp) bool { return r.MatchString(text) })
	asks := strings.HasSuffix(strings.TrimSpace(text), "?") && atThatTime.MatchString(text)
	moves := daysBefore.MatchString(text) && !toSet.MatchString(text) // before what it was set by, which isn't known
	if !pointing && !sameTime.MatchString(text) || asks || moves {
		return text, speech.Message{}
	}
	bare := thatDay.ReplaceAllString(dayBefore.ReplaceAllString(weekday.ReplaceAllString(text, " "), " "), " ")
	own := l.Timing(daysBefore.ReplaceAllString(atThatTime.ReplaceAllString(bare, " "), " ")).When
	if day, _ := l.Parts(bare); day || strings.HasPrefix(own, "in ") && l.IsLength(own[len("in "):]) {
		return text, speech.Message{} // it has a day of its own, or a time from now
	}
	if named := ofNamed.FindStringSubmatch(text); len(named) > 1 && !pointsAtIt.MatchString(named[1]) {
		return text, speech.Message{} // the skill knows when that is
	}
	if by := daysBefore.FindStringSubmatch(text); len(by) > 1 && hourly.MatchString(by[1]) && l.Clocks(daysBefore.ReplaceAllString(text, " ")) {
		return text, speech.Message{} // it has a time of its own
	}
	a, known := l.anchored()
	if !known {
		if pointing && l.sets(text) {
			return text, say("spoken.which_day", nil)
		}
		return text, speech.Message{}
	}
	return l.ofPlan(l.withDay(text, a), a.plan), speech.Message{}
}

// ofNamed finds what a reminder is about where that stands before the words that point, and pointsAtIt words that point at what was spoken of.
var (
	ofNamed    = regexp.MustCompile(`(?i)\b(?:remind me|reminded|reminder|nudge) (?:of|about|for) (.+?),? (?:the|an?|one|two|three|half|\d+) [a-z ]*?(?:before(?:hand)?|ahead|after|in advance)\b`)
	pointsAtIt = regexp.MustCompile(`(?i)^(?:it|that|this|them|him|her|the other(?: one)?|that one)$`)
)

// withDay is a text with an anchor's day for the words that point at it.
func (l Talk) withDay(text string, a anchor) string {
	clocked := l.Clocks(sameTime.ReplaceAllString(daysBefore.ReplaceAllString(text, " "), " ")) || sameTime.MatchString(text)
	put := func(r *regexp.Regexp, with func(parts []string) string) {
		text = r.ReplaceAllStringFunc(text, func(found string) string {
			rest := tail.FindString(found)
			return with(r.FindStringSubmatch(found)) + rest
		})
	}
	put(daysBefore, func(parts []string) string {
		at := when.Earlier(parts[1], domain.MillisOf(a.at), l.Zone()).Time().In(l.Zone())
		if clocked || !a.timed {
			return dayIn(at)
		}
		return dayIn(at) + " at " + at.Format("15:04")
	})
	put(dayBefore, func(parts []string) string {
		days := map[string]int{"before": -1, "after": 1}[strings.ToLower(parts[2])]
		if strings.EqualFold(parts[1], "week") {
			days *= 7
		}
		return partOfDay(a.at.AddDate(0, 0, days), parts[1], clocked || !a.timed, a)
	})
	put(weekday, func(parts []string) string {
		step := map[string]int{"before": -1, "after": 1}[strings.ToLower(parts[2])]
		at := a.at.AddDate(0, 0, step)
		for !strings.EqualFold(at.Weekday().String(), parts[1]) {
			at = at.AddDate(0, 0, step)
		}
		return dayIn(at)
	})
	text = thatDay.ReplaceAllStringFunc(text, func(found string) string {
		return partOfDay(a.at, thatDay.FindStringSubmatch(found)[1], true, a)
	})
	text = atThatTime.ReplaceAllStringFunc(text, func(found string) string {
		at := dayIn(a.at)
		if a.timed {
			at += " at " + a.at.Format("15:04")
		}
		switch {
		case strings.HasPrefix(strings.ToLower(found), "by"):
			return "by " + strings.TrimPrefix(dayIn(a.at), "on ")
		case strings.HasPrefix(strings.ToLower(found), "remind"):
			return "remind me " + at
		}
		return at
	})
	if a.timed {
		text = sameTime.ReplaceAllString(text, " at "+a.at.Format("15:04"))
	}
	return text
}

// dayIn is a day as it is read everywhere.
func dayIn(at time.Time) string { return "on " + at.Format("2 January 2006") }

// partOfDay is a day with a part of it, where no time of day says that as well.
func partOfDay(at time.Time, part string, clocked bool, a anchor) string {
	on := dayIn(at)
	switch part = strings.ToLower(part); part {
	case "morning", "afternoon", "evening":
		return on + " in the " + part
	case "night":
		return on + " at night"
	case "day", "date", "week", "":
		if !clocked && a.timed {
			return on + " at " + at.Format("15:04")
		}
	}
	return on
}

// sets reports whether a text would set something.
func (l Talk) sets(text string) bool {
	return slices.ContainsFunc(l.Hears(text), func(in tools.Intent) bool {
		action, _ := in.Params["action"].(string)
		return in.Ask.IsZero() && (in.Tool == tools.SkillRemind || in.Tool == tools.SkillAppointment && (action == "" || action == "add") || in.Tool == tools.SkillTask && action == "create")
	})
}

// anchored is the day of which was spoken last: of the plan that was told of or set, of plans of one day, of what
// was offered, or the day that was asked about. False where that isn't clear.
func (l Talk) anchored() (anchor, bool) {
	all := l.Turns()
	for i, turn := range slices.Backward(all) {
		if i == len(all)-1 {
			if in, ok := l.offeredBy(turn); ok {
				return l.momentOf(in)
			}
		}
		if goesBy.MatchString(turn.Prompt) && slices.ContainsFunc(turn.Done, makes) {
			continue // what it went by is what is pointed at
		}
		told := slices.DeleteFunc(l.MentionedIn(turn.Done), func(m hearing.Mentioned) bool { return m.Start == 0 })
		if len(told) == 1 {
			at := told[0].Start.Time().In(l.Zone())
			timed := at.Hour() != 0 || at.Minute() != 0
			return anchor{at: at, timed: timed, plan: told[0]}, true
		}
		for _, d := range turn.Done {
			during, _ := ReadParams(d.Call.Params)["during"].(string)
			if from, to, ok := when.Named(plans.TrimFor(during), l.P.AsOf, l.Zone()); ok && d.Own && during != "" && to.Sub(from) <= 25*time.Hour {
				return anchor{at: from.Time().In(l.Zone())}, true
			}
		}
		if len(told) > 1 {
			first := told[0].Start.Time().In(l.Zone())
			if slices.ContainsFunc(told, func(m hearing.Mentioned) bool {
				return m.Start.Time().In(l.Zone()).Format(time.DateOnly) != first.Format(time.DateOnly)
			}) {
				return anchor{}, false
			}
			return anchor{at: first}, true
		}
		if slices.ContainsFunc(turn.Done, l.HasChanged) || len(all)-i > maxReopened {
			break
		}
	}
	return anchor{}, false
}

// momentOf is when something is to be that was offered.
func (l Talk) momentOf(in tools.Intent) (anchor, bool) {
	said, _ := in.Params[in.Moment].(string)
	if said == "" {
		said, _ = in.Params["text"].(string)
	}
	due, err := l.Parse(said)
	if err != nil || due.Recurrence != nil {
		return anchor{}, false
	}
	return anchor{at: due.At.Time().In(l.Zone()), timed: l.Clocks(said)}, true
}

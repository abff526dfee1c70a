package timing

import (
	"regexp"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// Anchor is a time that a text says by another plan: an hour before the dentist, once the meeting is over, on
// Susan's birthday.
type Anchor struct {
	Name  string // begins with the words of the plan
	Maybe bool   // it is none where the plan isn't an appointment that there is
	Ahead bool   // right before the plan: what takes place then ends there

	before, behind string // what the text says besides
	by             offset
	after          bool
	alone          bool // the plan's words are all that there is
}

// offset is how far a time lies from a plan: a length of time, or a part of a day.
type offset struct {
	length string // "" for a part of a day
	days   int    // days before
	hour   int    // of that day; -1 for the plan's time of day
	edge   string // "start" or "end", where it is said which of the plan's is meant
}

const at0 = "0 minutes" // the length of an offset that is none

var (
	// anchorWords are the words between a length of time and a plan.
	anchorWords = regexp.MustCompile(`(?i)\b(before|after|ahead of|prior to|of)\s+`)
	// goings are the words around a plan that begins or ends: once the meeting is over.
	goings = regexp.MustCompile(`(?i)\b(?:once|when|as soon as|the moment|after)\s+(.+?)\s*(?:\b(?:is|are|has|have)\b|['’]s\b)?\s*\b(over|done|finished|ended|ends|finishes|starts|begins|started|begun|starting)\b`)
	// withinWords are the words between what is to be done and the plan during which it is.
	withinWords = regexp.MustCompile(`(?i)(?:^|\s)(?:on|at|during)\s+((?:the|my|our|his|her|their|\S+['’]s)\s.+)$`)
	pointed     = regexp.MustCompile(`(?i)^(?:the|my|our)\s`)
	// goesOn is what says that a plan begins or ends, behind its name.
	goesOn = regexp.MustCompile(`(?i)^\s*(?:(?:is|are|has)\s+)?(?:over|done|finished|ends|starts|begins)\b`)
	over   = regexp.MustCompile(`(?i)(?:over|done|finished|ends)$`)
	// dayOwns is whose day it is, which tells no plan from another: Wednesday's meeting with Rajesh.
	dayOwns = regexp.MustCompile(`(?i)^(?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)'s$`)
)

// Anchors are the ways in which a text may say a time by another plan. The first whose plan there is counts, and
// one that isn't [Anchor.Maybe] asks for its plan.
func Anchors(text string) (out []Anchor) {
	for _, at := range anchorWords.FindAllStringSubmatchIndex(text, -1) {
		head, side, tail := text[:at[0]], strings.ToLower(text[at[2]:at[3]]), text[at[1]:]
		rest, by, ok := offsetAt(head, side == "of")
		if !ok && side == "after" && pointed.MatchString(tail) {
			rest, by, ok = head, offset{length: at0}, true // after the staff meeting
		}
		if ok {
			out = append(out, Anchor{Name: tail, Ahead: by.length == at0 && side != "after", before: rest, by: by, after: side == "after"})
		}
	}
	if at := goings.FindStringSubmatchIndex(text); at != nil {
		by := offset{length: at0, edge: "end"}
		if how := strings.ToLower(text[at[4]:at[5]]); how[0] == 's' || how[0] == 'b' {
			by.edge = "start"
		}
		out = append(out, Anchor{Name: text[at[2]:at[3]], before: text[:at[0]], behind: text[at[1]:], by: by, alone: true})
	}
	for from := 0; from < len(text); {
		at := withinWords.FindStringSubmatchIndex(text[from:])
		if at == nil {
			break
		}
		out = append(out, Anchor{Name: text[from+at[2]:], Maybe: true, before: text[:from+at[0]], by: offset{length: at0}})
		from += at[2]
	}
	return out
}

// Fits reports whether what stands behind the words of the plan may stand there.
func (a Anchor) Fits(behind string) bool {
	switch behind = strings.TrimSpace(behind); {
	case a.alone:
		return behind == ""
	case a.Maybe:
		return behind == "" || strings.HasPrefix(behind, "to ")
	}
	return true
}

// Due is the moment that is said by a plan, and what the text says beside it; behind is what stands behind the
// words of the plan.
func (a Anchor) Due(plan domain.Appointment, behind string, now domain.Millis, zone *time.Location) (due domain.Millis, what string, ok bool) {
	by := a.by
	if a.Maybe && plan.AllDay {
		by = offset{hour: -1} // in its morning
	}
	if how := goesOn.FindString(behind); how != "" && !a.alone && !a.Maybe {
		behind, by.edge = behind[len(how):], "start"
		if over.MatchString(how) {
			by.edge = "end"
		}
	}
	if due, ok = by.from(plan, a.after, zone); !ok {
		return 0, "", false
	}
	if !a.alone && !a.Maybe {
		due, behind = clockIn(behind, due, now, zone)
	}
	return due, strings.TrimSpace(strings.Trim(a.before, " ,;:") + " " + strings.Trim(behind+a.behind, " ,;:")), true
}

// Ties reports whether a moment is one that the text says by a plan, by its beginning or its end.
func (a Anchor) Ties(plan domain.Appointment, at domain.Millis, zone *time.Location) bool {
	for _, edge := range []string{a.by.edge, "start", "end"} {
		by := a.by
		by.edge = edge
		if due, ok := by.from(plan, a.after, zone); ok && due == at && !a.alone && !a.Maybe {
			return true
		}
	}
	return false
}

// morning is the hour of what is said to come on a day.
const morning = 9

// offsets are those that are said by a day: the night before.
var offsets = map[string]offset{
	"the day": {days: 1, hour: -1}, "one day": {length: "1 day"}, "the night": {days: 1, hour: 20}, "the evening": {days: 1, hour: 19}, "the morning": {days: 1, hour: morning}, "the afternoon": {days: 1, hour: 15},
	"right": {length: at0}, "straight": {length: at0}, "just": {length: at0}, "shortly": {length: "10 minutes"},
	"the week": {length: "1 week"}, "the month": {length: "1 month"}, "the hour": {length: "1 hour"},
}

// edges are those of a plan itself: the end of the meeting.
var edges = map[string]offset{"the end": {length: at0, edge: "end"}, "the start": {length: at0}, "the beginning": {length: at0}}

// offsetAt reads the offset at the end of a text, and what stands before it.
func offsetAt(text string, ofTheDay bool) (rest string, by offset, ok bool) {
	words := strings.Fields(text)
	const longest = 6
	for n := min(longest, len(words)); n > 0; n-- {
		said := strings.ToLower(strings.Join(words[len(words)-n:], " "))
		rest = strings.Join(words[:len(words)-n], " ")
		if o, edge := edges[strings.TrimPrefix(said, "at ")]; edge && ofTheDay {
			return rest, o, true
		}
		if o, known := offsets[strings.TrimPrefix(said, "on ")]; known && n <= 3 {
			if ofTheDay {
				if o.days == 0 {
					continue
				}
				if o.days = 0; o.hour < 0 {
					o.hour = morning
				}
			}
			return rest, o, true
		}
		if _, length := when.Later(said, 0, time.UTC); length && !ofTheDay && !strings.HasPrefix(said, "for ") {
			return rest, offset{length: said}, true
		}
	}
	return text, offset{}, false
}

// from is the moment that lies so far from a plan.
func (o offset) from(plan domain.Appointment, after bool, zone *time.Location) (domain.Millis, bool) {
	start := plan.Start
	if (after && o.edge != "start" || o.edge == "end") && plan.End > start {
		start = plan.End
	}
	onHour := func(at time.Time, hour int) domain.Millis {
		return domain.MillisOf(time.Date(at.Year(), at.Month(), at.Day(), hour, 0, 0, 0, zone))
	}
	if o.length == at0 {
		return start, true
	}
	if o.length != "" {
		end, ok := when.Later(o.length, start, zone)
		if ok && !after {
			end = when.Earlier(o.length, start, zone)
		}
		if at := end.Time().In(zone); plan.AllDay && at.Hour() == 0 && at.Minute() == 0 {
			end = onHour(at, morning)
		}
		return end, ok
	}
	days := -o.days
	if after {
		days = o.days
	}
	at := start.Time().In(zone).AddDate(0, 0, days)
	switch {
	case o.hour >= 0:
		return onHour(at, o.hour), true
	case plan.AllDay:
		return onHour(at, morning), true
	}
	return domain.MillisOf(at), true
}

// clockIn is a time of day that a text begins with, on the day of a moment: at 6 pm. What stands behind it is
// left.
func clockIn(text string, due, now domain.Millis, zone *time.Location) (domain.Millis, string) {
	rest, introduced := strings.CutPrefix(strings.TrimSpace(strings.TrimLeft(text, ",; ")), "at ")
	if !introduced {
		return due, text
	}
	words := strings.Fields(rest)
	const longest = 5
	for n := min(longest, len(words)); n > 0; n-- {
		said := "at " + strings.Trim(strings.Join(words[:n], " "), ",;")
		day, clock := when.Parts(said, now, zone)
		if day || !clock {
			continue
		}
		at, err := when.Parse(said, DayBefore(due, zone), zone)
		if err == nil && at.Rest(said) == "" {
			return at.At, strings.Join(words[n:], " ")
		}
	}
	return due, text
}

// Beginning is how a text begins, which may name a plan, and what stands behind it.
type Beginning struct{ Words, Behind string }

// leadsOn are words that end no name: what is to be done follows.
var leadsOn = map[string]bool{"to": true, "that": true, "at": true, "remind": true, "so": true}

// Beginnings are those of a text that may name a plan, the longest first.
func Beginnings(text string) (out []Beginning) {
	words := strings.Fields(text)
	if len(words) > 1 && dayOwns.MatchString(words[0]) {
		words = words[1:]
	}
	const longest = 7
	for n := min(longest, len(words)); n > 0; n-- {
		last := strings.ToLower(strings.Trim(words[n-1], ",;:.!?"))
		if n == len(words) || !leadsOn[last] {
			out = append(out, Beginning{strings.Join(words[:n], " "), strings.Join(words[n:], " ")})
		}
	}
	return out
}

// SaysWhen reports whether a text says a day or a time of day.
func SaysWhen(text string, now domain.Millis, zone *time.Location) bool {
	day, clock := when.Parts(text, now, zone)
	return day || clock
}

package skill

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/timing"
	"chalie/domain/language/when"
)

// anchor is a time that is said by another plan: an hour before the dentist appointment.
type anchor struct {
	due  domain.Millis
	what string // what else the text says
	of   string // the plan
	sure bool   // nothing else in the text says another day or time
	ends bool   // right before the plan: what takes place then ends there
}

// anchorWords are the words between a length of time and a plan.
var anchorWords = regexp.MustCompile(`(?i)\b(before|after|ahead of|prior to|of)\s+`)

// goings are the words around a plan that begins or ends: once the meeting is over.
var goings = regexp.MustCompile(`(?i)\b(?:once|when|as soon as|the moment|after)\s+(.+?)\s*(?:\b(?:is|are|has|have)\b|['’]s\b)?\s*\b(over|done|finished|ended|ends|finishes|starts|begins|started|begun|starting)\b`)

// going reads a time at which a plan begins or ends.
func (s *skills) going(ctx context.Context, call tool.SkillCall, text string) (found *anchor, err error) {
	at := goings.FindStringSubmatchIndex(text)
	if at == nil {
		return nil, nil
	}
	name, how, behind := text[at[2]:at[3]], strings.ToLower(text[at[4]:at[5]]), text[at[1]:]
	one, left, err := s.planNamed(ctx, call, name)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(left) != "" {
		return nil, unknownPlan(name, call)
	}
	due := one.Due
	if how[0] != 's' && how[0] != 'b' && one.End > due {
		due = one.End
	}
	return s.ahead(call, *one, due, text[:at[0]], behind)
}

// planNamed is the one plan that a text begins with, with a time of its own, and what stands
// behind its name. A refusal asks for it.
func (s *skills) planNamed(ctx context.Context, call tool.SkillCall, text string) (one *planned, behind string, err error) {
	open, _, err := s.open(ctx, "")
	if err == nil {
		open, err = s.timed(ctx, open)
	}
	if err != nil {
		return nil, "", err
	}
	switch one, behind = planIn(text, open); {
	case one == nil:
		return nil, "", unknownPlan(text, call)
	case one.Due == 0:
		return nil, "", refused("when", say("beside.no_time", args{"what": one.its()}), call)
	}
	return one, behind, nil
}

func unknownPlan(text string, call tool.SkillCall) error {
	return refused("when", say("beside.unknown", args{"which": theirOwn(domain.Cut(strings.TrimSpace(text), maxAnchorBytes))}), call)
}

// ahead is an anchor at a moment that lies ahead, with what else a text says.
func (s *skills) ahead(call tool.SkillCall, one planned, due domain.Millis, before, behind string) (*anchor, error) {
	if due <= call.Now {
		return nil, refused("when", say("beside.passed", args{"at": moment(due, call)}), call)
	}
	what := strings.TrimSpace(strings.Trim(before, " ,;:") + " " + strings.Trim(behind, " ,;:"))
	day, clock := when.Parts(what, call.Now, call.Zone)
	return &anchor{due: due, what: timing.AsAsked(what), of: one.text, sure: !day && !clock}, nil
}

// anchored reads a time that is said by another plan. A refusal asks what is missing when
// the text is of that kind and no plan is meant; both are nil for other texts.
func (s *skills) anchored(ctx context.Context, call tool.SkillCall, text string) (found *anchor, err error) {
	for _, at := range anchorWords.FindAllStringSubmatchIndex(text, -1) {
		head, side, tail := text[:at[0]], strings.ToLower(text[at[2]:at[3]]), text[at[1]:]
		rest, by, ok := offsetAt(head, side == "of")
		if !ok && side == "after" && pointed.MatchString(tail) {
			rest, by, ok = head, offset{length: "0 minutes"}, true // after the staff meeting
		}
		if !ok {
			continue
		}
		one, behind, err := s.planNamed(ctx, call, tail)
		if err != nil {
			return nil, err
		}
		if how := goesOn.FindString(behind); how != "" {
			behind = behind[len(how):]
			by.edge = "start"
			if over.MatchString(how) {
				by.edge = "end"
			}
		}
		due, ok := by.from(*one, side == "after", call.Zone)
		if !ok {
			continue
		}
		if clock, left, named := clockIn(behind, due, call); named {
			due, behind = clock, left
		}
		found, err := s.ahead(call, *one, due, rest, behind)
		if found != nil {
			found.ends = by.length == "0 minutes" && side != "after"
		}
		return found, err
	}
	if found, err := s.going(ctx, call, text); found != nil || err != nil {
		return found, err
	}
	return s.within(ctx, call, text)
}

// withinWords are the words between what is to be done and the plan during which it is.
var withinWords = regexp.MustCompile(`(?i)(?:^|\s)(?:on|at|during)\s+((?:the|my|our|his|her|their|\S+['’]s)\s.+)$`)

// within reads a time that is that of an appointment itself: on Susan's birthday, at the staff
// meeting. What is named has to be one that is there.
func (s *skills) within(ctx context.Context, call tool.SkillCall, text string) (found *anchor, err error) {
	open, _, err := s.open(ctx, domain.ItemAppointment)
	if err == nil {
		open, err = s.timed(ctx, open)
	}
	if err != nil {
		return nil, err
	}
	for from := 0; from < len(text); {
		at := withinWords.FindStringSubmatchIndex(text[from:])
		if at == nil {
			return nil, nil
		}
		head, tail := text[:from+at[0]], text[from+at[2]:]
		from += at[2]
		one, behind := planIn(tail, open)
		if one == nil || one.Due == 0 || behind != "" && !strings.HasPrefix(behind, "to ") {
			continue
		}
		by := offset{length: "0 minutes"}
		if one.appointment.AllDay {
			by = offset{hour: -1} // in its morning
		}
		if due, ok := by.from(*one, false, call.Zone); ok {
			return s.ahead(call, *one, due, head, behind)
		}
	}
	return nil, nil
}

var (
	pointed = regexp.MustCompile(`(?i)^(?:the|my|our)\s`)
	// goesOn is what says that a plan begins or ends, behind its name.
	goesOn = regexp.MustCompile(`(?i)^\s*(?:(?:is|are|has)\s+)?(?:over|done|finished|ends|starts|begins)\b`)
	over   = regexp.MustCompile(`(?i)(?:over|done|finished|ends)$`)
)

// maxAnchorBytes bounds what is repeated of words that name no plan.
const maxAnchorBytes = 80

// morning is the hour of what is said to come on a day.
const morning = 9

// offset is how far a reminder lies from a plan: a length of time, or a part of a day.
type offset struct {
	length string // "" for a part of a day
	days   int    // days before
	hour   int    // of that day; -1 for the plan's time of day
	edge   string // "start" or "end", where it is said which of the plan's is meant
}

// offsets are those that are said by a day: the night before.
var offsets = map[string]offset{
	"the day": {days: 1, hour: -1}, "one day": {length: "1 day"}, "the night": {days: 1, hour: 20}, "the evening": {days: 1, hour: 19}, "the morning": {days: 1, hour: 9}, "the afternoon": {days: 1, hour: 15},
	"right": {length: "0 minutes"}, "straight": {length: "0 minutes"}, "just": {length: "0 minutes"}, "shortly": {length: "10 minutes"},
	"the week": {length: "1 week"}, "the month": {length: "1 month"}, "the hour": {length: "1 hour"},
}

// edges are those of a plan itself: the end of the meeting.
var edges = map[string]offset{"the end": {length: "0 minutes", edge: "end"}, "the start": {length: "0 minutes"}, "the beginning": {length: "0 minutes"}}

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
func (o offset) from(one planned, after bool, zone *time.Location) (domain.Millis, bool) {
	start := one.Due
	if (after && o.edge != "start" || o.edge == "end") && one.End > start {
		start = one.End
	}
	if o.length == "0 minutes" {
		return start, true
	}
	if o.length != "" {
		end, ok := when.Later(o.length, start, zone)
		if ok && !after {
			end = when.Earlier(o.length, start, zone)
		}
		if at := end.Time().In(zone); one.Kind == domain.ItemAppointment && one.appointment.AllDay && at.Hour() == 0 && at.Minute() == 0 {
			end = domain.MillisOf(time.Date(at.Year(), at.Month(), at.Day(), morning, 0, 0, 0, zone))
		}
		return end, ok
	}
	days := -o.days
	if after {
		days = o.days
	}
	at := start.Time().In(zone).AddDate(0, 0, days)
	if o.hour >= 0 {
		at = time.Date(at.Year(), at.Month(), at.Day(), o.hour, 0, 0, 0, zone)
	} else if one.Kind == domain.ItemAppointment && one.appointment.AllDay {
		at = time.Date(at.Year(), at.Month(), at.Day(), morning, 0, 0, 0, zone)
	}
	return domain.MillisOf(at), true
}

// planIn finds the plan that a text begins with, by as many of its words as name only one, and
// what stands behind them.
func planIn(text string, all []planned) (one *planned, behind string) {
	words := strings.Fields(text)
	if len(words) > 1 {
		// Whose day it is tells no other plan: Wednesday's meeting with Rajesh.
		if day, owns := strings.CutSuffix(strings.ToLower(words[0]), "'s"); owns && slices.Contains(calendar, day) || slices.Contains([]string{"tomorrow", "today"}, day) && owns {
			words = words[1:]
		}
	}
	const longest = 7
	for n := min(longest, len(words)); n > 0; n-- {
		said := bynames.TellingWords(strings.Join(words[:n], " "))
		if len(said) == 0 {
			continue
		}
		last := strings.ToLower(strings.Trim(words[n-1], ",;:.!?"))
		if n < len(words) && (last == "to" || last == "that" || last == "at" || last == "remind" || last == "so") {
			continue
		}
		found := byWords(said, all)
		if len(found) > 1 {
			found = preferAppointments(found)
		}
		if len(found) == 1 {
			return &found[0], strings.Join(words[n:], " ")
		}
	}
	return nil, ""
}

// preferAppointments are the appointments among plans, where there are any: what an hour lies
// before is one rather than a reminder of it.
func preferAppointments(all []planned) []planned {
	var out []planned
	for _, p := range all {
		if p.Kind == domain.ItemAppointment {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// clockIn is a time of day that a text begins with, on the day of a moment: at 6 pm.
func clockIn(text string, due domain.Millis, call tool.SkillCall) (domain.Millis, string, bool) {
	rest, introduced := strings.CutPrefix(strings.TrimSpace(strings.TrimLeft(text, ",; ")), "at ")
	if !introduced {
		return due, text, false
	}
	words := strings.Fields(rest)
	const longest = 5
	for n := min(longest, len(words)); n > 0; n-- {
		said := "at " + strings.Trim(strings.Join(words[:n], " "), ",;")
		day, clock := when.Parts(said, call.Now, call.Zone)
		if day || !clock {
			continue
		}
		at, err := when.Parse(said, timing.DayBefore(due, call.Zone), call.Zone)
		if err == nil && at.Rest(said) == "" {
			return at.At, strings.Join(words[n:], " "), true
		}
	}
	return due, text, false
}

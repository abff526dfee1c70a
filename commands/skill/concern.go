package skill

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/when"
)

// Concerns checks what others say against the person's plans. It changes nothing: what follows is
// offered by buttons of Chalie's own, in words made of the plans and of the time that was read.
type Concerns struct{ s *skills }

// NewConcerns makes it over what the skills know.
func NewConcerns(cfg Config) (*Concerns, error) {
	if err := commands.Complete("configure concerns", cfg); err != nil {
		return nil, err
	}
	return &Concerns{&skills{cfg}}, nil
}

// Bounds of what is read and offered.
const (
	maxConcernBytes = 2 << 10
	maxConcerned    = 3 // plans that it may be about
	soonDays        = 7 // that words for any appointment may mean
	maxWhenSay      = 8 // words of a new time
)

// changedPlan is what others say of a plan.
type changedPlan struct {
	cancelled bool
	whens     []string // words that may say the new time, the likeliest first
}

// Of is what a text, said at a moment by somebody or about something, means for the plans: in
// Chalie's own words which plan it is about, what else is at that time, and buttons for what
// follows; and as evidence the plans that it names. of is the plan that it is known to be about,
// and is zero where that is still to be found. There are no blocks when it is about none, and of
// one that is known when nothing follows.
func (c *Concerns) Of(ctx context.Context, text, about string, of domain.ID, now domain.Millis, zone *time.Location) ([]domain.Block, []domain.Evidence, error) {
	call := tool.SkillCall{Now: now, Zone: zone}
	all, _, err := c.s.open(ctx, "")
	if err == nil {
		all, err = c.s.timed(ctx, all)
	}
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(p planned) bool {
		return p.Kind != domain.ItemAppointment && p.Kind != domain.ItemReminder || max(p.Due, p.End) <= now || p.text == commands.ErasedText || p.isAlarm() || p.isTimer()
	})
	text = commands.Cut(text, maxConcernBytes)
	says := changeIn(text)
	groups, sure := concerned(all, text, about, of, says, call)
	out := concern{call: call, all: all, sure: sure, known: !of.IsZero()}
	for _, found := range groups {
		out.ones = nil
		for _, p := range found {
			out.add(p, says)
		}
		if !sure && !says.cancelled { // one that is at that time already isn't what moves
			out.ones = slices.DeleteFunc(out.ones, func(one concernedPlan) bool {
				return one.to.Start == 0 && (len(says.whens) > 0 || len(found) > 1)
			})
		}
		if len(out.ones) > 0 {
			break
		}
	}
	if len(out.ones) == 0 {
		return nil, nil, nil
	}
	blocks, evidence := out.told(says)
	return blocks, evidence, nil
}

// concerned are the plans that a text may be about, the likelier ones first, and whether that is
// sure: the plan that is known, or the one whose words it has; else several whose words it has; or,
// where it speaks of an appointment and of a change, those whose time it says, those of today and
// those of the next days.
func concerned(all []planned, text, about string, of domain.ID, says changedPlan, call tool.SkillCall) (groups [][]planned, sure bool) {
	if !of.IsZero() {
		return [][]planned{slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return p.ID != of })}, true
	}
	var found []planned
	words, best := commands.PlainWords(strings.ToLower(text)), 0
	if says.cancelled || len(says.whens) > 0 || anAppointment.MatchString(text) { // who says it alone tells nothing
		words = append(words, commands.PlainWords(strings.ToLower(about))...)
	}
	for _, p := range all {
		n := sharedWith(p, words)
		if n > best {
			found, best = nil, n
		}
		if n == best && n > 0 {
			found = append(found, p)
		}
	}
	if len(found) > 0 && len(found) <= maxConcerned {
		return [][]planned{found}, len(found) == 1
	}
	if len(found) > 0 || !anAppointment.MatchString(text) || !says.cancelled && len(says.whens) == 0 {
		return nil, false
	}
	today := call.Now.Time().In(call.Zone).YearDay()
	var atTime, ofToday, soon []planned
	for _, p := range all {
		start := p.Due.Time().In(call.Zone)
		if p.Kind != domain.ItemAppointment || p.AllDay || p.Due.Sub(call.Now) > soonDays*24*time.Hour {
			continue
		}
		soon = append(soon, p)
		if start.YearDay() == today {
			ofToday = append(ofToday, p)
		}
		if saysClock(text, start) {
			atTime = append(atTime, p)
		}
	}
	for _, some := range [][]planned{atTime, ofToday, soon} {
		if len(some) > maxConcerned {
			break // which one would be guessed
		}
		if len(some) > 0 {
			groups = append(groups, some)
		}
	}
	return groups, false
}

// anAppointment are words for one that say nothing of which.
var anAppointment = regexp.MustCompile(`(?i)\b(?:appointment|meeting|booking|reservation|session|visit|slot|consultation)\b`)

// sharedWith is how many words that tell a plan a text has, or a name of who takes part; 0 unless
// these are all of them, or two and half of them at least.
func sharedWith(p planned, words []string) int {
	telling := slices.DeleteFunc(commands.TellingWords(p.text), func(w string) bool { return generic[w] || len(w) < 3 })
	shared := 0
	for _, w := range telling {
		if has(words, w) {
			shared++
		}
	}
	const some = 2
	if shared > 0 && (shared == len(telling) || shared >= some && shared*2 >= len(telling)) {
		return shared
	}
	for _, name := range p.appointment.People {
		of := slices.DeleteFunc(commands.TellingWords(name), func(w string) bool { return len(w) < 3 || w == "mrs" || w == "prof" })
		if len(of) > 0 && !slices.ContainsFunc(of, func(w string) bool { return !has(words, w) }) && slices.ContainsFunc(words, func(w string) bool { return anAppointment.MatchString(w) }) {
			return len(of)
		}
	}
	return 0
}

// has reports whether a word is among others, be it of one or of several.
func has(words []string, w string) bool {
	return slices.ContainsFunc(words, func(o string) bool { return o == w || o == w+"s" || o+"s" == w })
}

// saysClock reports whether a text has a time of day.
func saysClock(text string, at time.Time) bool {
	text = strings.ToLower(strings.ReplaceAll(text, " ", ""))
	return strings.Contains(text, at.Format("15:04")) || strings.Contains(text, at.Format("3:04pm")) || at.Minute() == 0 && strings.Contains(text, at.Format("3pm"))
}

// Words by which others change a plan.
var (
	cancels   = regexp.MustCompile(`(?i)\b(?:cancell?ed|called off|won't take place|will not take place|doesn't take place|has to be cancell?ed|is off)\b`)
	keeps     = regexp.MustCompile(`(?i)\b(?:not|isn't|wasn't|never|un)[ -]?(?:been )?(?:cancell?ed|called off|moved|rescheduled|postponed|changed)\b|\b(?:if|unless|to) (?:you )?(?:cancel|move|reschedule|change)\b`)
	moves     = regexp.MustCompile(`(?i)\b(?:moved|rescheduled|re-scheduled|postponed|shifted|changed|pushed|brought|put|delayed|now|new (?:time|date|day)|instead|later|earlier|starts|begins|takes place|is (?:at|on))\b`)
	leadsToIt = regexp.MustCompile(`(?i)\b(?:to|until|till|now at|now on|new (?:time|date|day)(?: is)?:?|now|for|at|on)\s+`)
	byAsMuch  = regexp.MustCompile(`(?i)\bby ((?:an?|half an|\d+|one|two|three) \w+)`)
	muchLater = regexp.MustCompile(`(?i)\b((?:an?|half an|\d+|one|two|three) \w+ (?:later|earlier))\b`)
	endsThere = regexp.MustCompile(`[;!?\n]|\.(?:\s|$)`)
	isEarlier = regexp.MustCompile(`(?i)\b(?:earlier|forward)\b`)
)

// changeIn is what a text says of a plan: that it is cancelled, or words that may be its new time.
func changeIn(text string) changedPlan {
	if keeps.MatchString(text) {
		return changedPlan{}
	}
	var out changedPlan
	out.cancelled = cancels.MatchString(text)
	if !moves.MatchString(text) {
		return out
	}
	out.whens = append(out.whens, muchLater.FindAllString(text, -1)...)
	for _, m := range byAsMuch.FindAllStringSubmatch(text, -1) {
		way := " later"
		if isEarlier.MatchString(text) {
			way = " earlier"
		}
		out.whens = append(out.whens, m[1]+way)
	}
	leads := leadsToIt.FindAllStringIndex(text, -1)
	moved := moves.FindStringIndex(text)[0]
	rank := func(lead []int) int {
		const before = 10 // what stands before the verb is seldom what follows from it
		if lead[0] < moved {
			return before + rankOf(text[lead[0]:lead[1]])
		}
		return rankOf(text[lead[0]:lead[1]])
	}
	slices.SortStableFunc(leads, func(a, b []int) int { return cmp.Compare(rank(a), rank(b)) })
	for _, lead := range leads {
		rest := text[lead[1]:]
		if end := endsThere.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		words := strings.Fields(rest)
		for n := min(len(words), maxWhenSay); n > 0; n-- {
			out.whens = append(out.whens, strings.TrimRight(strings.Join(words[:n], " "), ",.:)"))
		}
	}
	return out
}

// rankOf says how likely a new time follows some words, the likeliest first.
func rankOf(lead string) int {
	switch first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(lead)), " "); first {
	case "to", "until", "till":
		return 0
	case "now", "new":
		return 1
	}
	return 2
}

// concern is what a text means for plans, in the making.
type concern struct {
	call  tool.SkillCall
	all   []planned
	sure  bool
	known bool
	ones  []concernedPlan
}

// concernedPlan is one of them, with its new time.
type concernedPlan struct {
	planned
	to    domain.Appointment // Start is 0 when there is none
	other []planned          // what else is then
}

func (c *concern) add(p planned, says changedPlan) {
	one := concernedPlan{planned: p}
	was := p.appointment
	was.Start, was.End, was.AllDay, was.Recurrence = p.Due, max(p.Due, p.End), p.AllDay, nil
	for _, said := range says.whens {
		if says.cancelled {
			break
		}
		day, clock := when.Parts(said, c.call.Now, c.call.Zone)
		_, shift := shifted(said, was.Start, c.call.Zone)
		if !day && !clock && !shift {
			continue
		}
		to, err := movedTo(was, appointmentParams{When: said}, c.call)
		if err == nil && to.Start > c.call.Now && to.Recurrence == nil && to.AllDay == was.AllDay {
			if to.Start != was.Start {
				one.to = to
			}
			break
		}
	}
	window := when.Window{From: was.Start, To: max(was.End, was.Start+1)}
	if one.to.Start != 0 {
		window = when.Window{From: one.to.Start, To: max(one.to.End, one.to.Start+1)}
	}
	if !was.AllDay {
		one.other = slices.DeleteFunc(fitting(c.all, window, c.call), func(o planned) bool { return o.ID == p.ID || o.AllDay })
	}
	c.ones = append(c.ones, one)
}

// told is the sentence and its buttons. Of a plan that is known there is none without a change.
func (c *concern) told(says changedPlan) ([]domain.Block, []domain.Evidence) {
	moved := slices.ContainsFunc(c.ones, func(one concernedPlan) bool { return one.to.Start != 0 })
	if c.known && !moved && !says.cancelled {
		return nil, nil
	}
	var text string
	var evidence []domain.Evidence
	for i, one := range c.ones {
		switch {
		case i > 0:
			text += ", or " + c.named(one.planned)
		case c.sure:
			text = "This is about " + c.named(one.planned)
		default:
			text = "This may be about " + c.named(one.planned)
		}
		evidence = append(evidence, domain.Evidence{EnvelopeID: one.ID, Role: "planned", Weight: domain.One})
	}
	for i, one := range c.ones {
		if i > 0 && one.to.Start == c.ones[0].to.Start {
			continue // the same is then
		}
		then, named := c.also(one)
		text += then
		evidence = append(evidence, named...)
	}
	text += "."
	if moved || says.cancelled {
		text += " In your plans nothing is changed."
	}
	blocks := []domain.Block{domain.AlertBlock(text, domain.VariantInfo)}
	if buttons := c.buttons(says); len(buttons) > 0 {
		blocks = append(blocks, domain.ActionsBlock(buttons...))
	}
	return blocks, evidence
}

// named is a plan with its time.
func (c *concern) named(p planned) string {
	kind := "appointment"
	if p.Kind == domain.ItemReminder {
		kind = "reminder"
	}
	return "your " + kind + " " + quotedPlan(p.text) + ", " + c.at(p)
}

// at is when a plan is.
func (c *concern) at(p planned) string {
	if p.Kind == domain.ItemReminder {
		return when.Say(p.Due, c.call.Now, c.call.Zone)
	}
	return when.SaySpan(p.Due, p.End, p.AllDay, c.call.Now, c.call.Zone)
}

// quotedPlan is a plan's text between quotation marks.
func quotedPlan(text string) string {
	const most = 120
	return "“" + strings.NewReplacer("“", `"`, "”", `"`).Replace(commands.Cut(strings.Join(strings.Fields(text), " "), most)) + "”"
}

// also is what else is at the time of a plan, the new one where it has one.
func (c *concern) also(one concernedPlan) (string, []domain.Evidence) {
	lead := "; at that time you also have "
	if one.to.Start != 0 {
		lead = "; at the new time, " + c.at(planned{Commitment: domain.Commitment{Kind: one.Kind, Due: one.to.Start, End: one.to.End, AllDay: one.to.AllDay}}) + ", you also have "
	}
	if len(one.other) == 0 {
		if one.to.Start == 0 {
			return "", nil
		}
		return strings.TrimSuffix(lead, "also have ") + "have nothing else", nil
	}
	var names []string
	var evidence []domain.Evidence
	for _, o := range one.other[:min(len(one.other), maxConcerned)] {
		names = append(names, quotedPlan(o.text)+", "+c.at(o))
		evidence = append(evidence, domain.Evidence{EnvelopeID: o.ID, Role: "planned", Weight: domain.One / 2})
	}
	if more := len(one.other) - maxConcerned; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return lead + strings.Join(names, "; and "), evidence
}

// buttons offer what follows, and to leave it.
func (c *concern) buttons(says changedPlan) []domain.Button {
	var out []domain.Button
	for _, one := range c.ones {
		skill := string(one.Kind)
		it := "it"
		if len(c.ones) > 1 {
			it = quotedPlan(one.text)
		}
		switch {
		case says.cancelled && one.recurrence != nil:
			out = append(out, domain.Button{Label: "Leave " + it + " out this time", Skill: skill, Params: map[string]any{"action": "skip", "which": one.ID.UUID()}})
		case says.cancelled:
			out = append(out, domain.Button{Label: "Take " + it + " out of my plans", Skill: skill, Params: map[string]any{"action": "cancel", "which": one.ID.UUID()}})
		case one.to.Start != 0:
			at := one.to.Start.Time().In(c.call.Zone)
			to, moment := at.Format("on 2 January 2006 at 15:04"), when.Say(one.to.Start, c.call.Now, c.call.Zone)
			if one.to.AllDay {
				to, moment = at.Format("on 2 January 2006"), when.SaySpan(one.to.Start, one.to.End, true, c.call.Now, c.call.Zone)
			}
			out = append(out, domain.Button{Label: "Move " + it + " to " + strings.TrimPrefix(moment, "on ") + " in my plans", Skill: skill, Params: map[string]any{"action": "move", "which": one.ID.UUID(), "when": to}})
		}
	}
	if len(out) > 0 {
		out = append(out, domain.Button{Label: "Leave it", Skill: out[0].Skill, Params: map[string]any{declinedName: true}})
	}
	return out
}

package skill

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// naming says which plans a call is about. It is a part of the parameters of skills that
// change plans.
type naming struct {
	Which     string
	During    string
	About     string
	All       bool
	Confirmed bool

	ends bool // the plan is to go: one word that is all of one name and a part of others names none
}

// namingParameters are what naming takes of a kind of plan.
func namingParameters(noun string) []domain.Parameter {
	return []domain.Parameter{
		{Name: "which", Type: domain.TypeString, Description: "Words of the " + noun + `, or its id; "next", "first" or "last" for that one. May be left out when there is only one.`},
		{Name: "during", Type: domain.TypeString, Description: `A period or time of day as people say it, which tells one from others: "tomorrow", "Friday evening", "at 2pm".`},
		{Name: "about", Type: domain.TypeString, Description: "What else was said, whose words may tell which of several is meant."},
		{Name: "all", Type: domain.TypeBoolean, Description: "True for all that fit. Several are asked about first."},
		{Name: "confirmed", Type: domain.TypeBoolean, Description: "True when the person was asked and said yes."},
	}
}

// selection is what a naming names.
type selection struct {
	plans    []planned
	question speech.Message // what to ask when it isn't clear
	wrong    error          // a validation, about the period that it names
	none     speech.Message // the answer when there is nothing in that
	absent   bool           // there is none with its words
	during   string         // the words of the window
	window   when.Window
	several  []planned        // which of them is the question
	stays    []speech.Message // what of a period stays, though everything was said to go
}

// isUnclear reports whether there is something to ask about it.
func (found selection) isUnclear() bool { return !found.question.IsZero() || found.wrong != nil }

// namesNone reports whether nothing is chosen: it isn't clear, or there is nothing.
func (found selection) namesNone() bool { return found.isUnclear() || !found.none.IsZero() }

// asks is the question of what isn't clear, or says that there is nothing.
func (found selection) asks() (tool.SkillDone, error) {
	switch {
	case found.wrong != nil:
		return asksBack(found.wrong)
	case found.question.IsZero():
		return tell(found.none)
	}
	return asksWhich(found.question, found.several)
}

// asksWhich asks which of several plans is meant, with a button for each.
func asksWhich(question speech.Message, several []planned) (tool.SkillDone, error) {
	done, err := ask(question, eachOf(several)...)
	return mentioning(done, err, several)
}

// whichOne asks for one of several that were chosen.
func whichOne(noun speech.Kind, several []planned) (tool.SkillDone, error) {
	return asksWhich(say("plan.one_at_a_time", args{"kind": noun, "plans": withTimes(several, maxNamed)}), several)
}

// eachOf are plans as the answers to which of them is meant.
func eachOf(all []planned) []tool.Answer {
	out := make([]tool.Answer, 0, maxNamed)
	for _, p := range all[:min(len(all), maxNamed)] {
		label := p.text
		if p.due != "" {
			label += ", " + p.due
		}
		given := map[string]any{"which": p.ID.UUID(), "during": nil, "all": nil}
		switch {
		case p.recurrence != nil && len(p.times) == 1: // only that time of it was asked about
			given["during"] = p.due
		case p.recurrence != nil && len(p.times) > 1:
			delete(given, "during") // it stays as it was said
		}
		out = append(out, tool.Answer{Label: label, Says: say("label.plan", args{"what": p.its(), "due": p.dueAt(), "place": p.place()}), With: given})
	}
	return out
}

// mostOccasions bounds how many times of a recurring plan are held against a window.
const mostOccasions = 400

// occasions are the times of a plan that fit best into a window.
func (p planned) occasions(w when.Window, zone *time.Location) (best when.Fit, out []occasion) {
	if p.Due == 0 {
		return when.Outside, nil
	}
	length := max(p.End-p.Due, 0)
	try := func(o occasion) {
		fit := w.Fits(o.start, o.end, zone)
		if fit > best {
			best, out = fit, nil
		}
		if fit == best && fit != when.Outside {
			out = append(out, o)
		}
	}
	try(occasion{p.Due, p.Due + length})
	if p.recurrence == nil {
		return best, out
	}
	after, until, most := p.Due, p.Due.Add(8*24*time.Hour), 8
	if w.HasDay() {
		after, until, most = max(p.Due, w.From-length-1), w.To, mostOccasions
	}
	for range most {
		next := when.Next(*p.recurrence, after, p.zone)
		if next == 0 || next >= until {
			break
		}
		end := next
		if p.Kind.TakesPlace() {
			end, _ = when.Occurs(p.appointment, next, p.zone)
		}
		try(occasion{next, end})
		after = next
	}
	if !w.HasDay() && len(out) > 0 {
		out = out[:1]
	}
	return best, out
}

// occasion is one time of a plan.
type occasion struct{ start, end domain.Millis }

// timed reads the times of plans, and of appointments what else was said of them. What was
// erased has none.
func (s *skills) timed(ctx context.Context, all []planned) ([]planned, error) {
	for i, p := range all {
		if !p.Kind.TakesPlace() && !p.Recurs {
			continue
		}
		rec, err := s.cfg.Reader.Find(ctx, p.Timing)
		if err != nil {
			return nil, err
		}
		said, err := domain.SaidOf(rec.Envelope)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return nil, err
		}
		if p.Kind.TakesPlace() {
			all[i].appointment = said.Time
		}
		all[i].recurrence, all[i].zone = said.Time.Recurrence, commands.ZoneOf(said.Time.Zone)
	}
	return all, nil
}

// within are the plans that are named by a window, each with its time there: when some begin
// exactly at it, only those. A time of day doesn't name what lasts all day.
func within(all []planned, w when.Window, call tool.SkillCall) []planned {
	all = slices.DeleteFunc(fitting(all, w, call), func(p planned) bool { return !w.IsPeriod() && p.appointment.AllDay })
	exactly := slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return w.Fits(p.Due, p.End, call.Zone) != when.Exactly })
	if len(exactly) > 0 {
		return exactly
	}
	return all
}

// fitting are the plans with a time in a window, each with that time, the first before the
// others.
func fitting(all []planned, w when.Window, call tool.SkillCall) []planned {
	var out []planned
	for _, p := range all {
		fit, times := p.occasions(w, call.Zone)
		if fit == when.Outside {
			continue
		}
		p.times, p.waits, p.Due, p.End = times, p.Due, times[0].start, times[0].end
		p.due, p.dueIn = when.Say(p.Due, call.Now, call.Zone), call.Zone.String()
		out = append(out, p)
	}
	domain.SortStableFunc(out, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })
	return out
}

// generic are words that name plans of a kind, and no particular one.
var generic = map[string]bool{
	"reminder": true, "reminders": true, "appointment": true, "appointments": true, "event": true, "events": true, "calendar": true, "entry": true,
	"entries": true, "schedule": true, "tasks": true, "todo": true, "todos": true, "one": true, "ones": true, "thing": true, "things": true,
	"upcoming": true, "all": true, "every": true, "everything": true, "both": true, "any": true, "those": true, "these": true, "them": true, "from": true,
	"weekly": true, "daily": true, "monthly": true, "yearly": true, "annual": true, "recurring": true, "regular": true, "visit": true, "deadline": true, "due": true, "date": true, "time": true,
	"scheduled": true, "planned": true, "set": true, "off": true, "have": true, "ve": true, "m": true,
}

// meetings are words for any appointment with somebody, whatever it is called.
var meetings = map[string]bool{"meeting": true, "treffen": true, "verabredung": true, "termin": true, "date": true, "quedada": true, "cita": true, "encuentro": true, "rendez": true, "vous": true, "rdv": true}

// besideMeeting are words without those for any appointment, as a meeting with Anna may be called coffee with Anna.
// Where there are none of them, or nothing else, they find nothing.
func besideMeeting(said []string) []string {
	out := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return meetings[w] || generic[w] })
	if len(out) == 0 || len(out) == len(said) {
		return []string{"\x00"}
	}
	return out
}

// meansAll are words that mean all that fit.
var meansAll = []string{"all", "every", "everything", "both", "reminders", "appointments", "events", "entries", "tasks", "todos", "alarms", "timers", "meetings"}

// alarmWords name a reminder that wakes or rings.
var alarmWords = []string{"alarm", "alarms", "timer", "timers"}

// isAlarm reports whether a reminder is an alarm: its text says so.
func (p planned) isAlarm() bool {
	words := tongues.PlainWords(strings.ToLower(p.text))
	return p.Kind == domain.ItemReminder && (containsAny(words, alarmWords) || len(words) > 0 && words[0] == "wake")
}

// isTimer reports whether a reminder is a timer: its text says so.
func (p planned) isTimer() bool {
	return p.Kind == domain.ItemReminder && containsAny(tongues.PlainWords(strings.ToLower(p.text)), []string{"timer", "timers"})
}

func containsAny(words, of []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
}

// meant is what words for plans say: which words of theirs, which one in time, when, and
// whether they are alarms.
type meant struct {
	said   []string
	rank   int // 1 for the next, -1 for the last, 0 for none
	window when.Window
	period string // as it was said, to follow "there is none"; "" when none was
	alarms bool
	timers bool           // those that are called so, where there are some
	comes  []time.Weekday // on which days it comes back; nil where that isn't said
}

// meaning reads the words for some of these plans. The error is a validation about during.
func meaning(which, during string, all []planned, call tool.SkillCall) (meant, error) {
	m := meant{}
	var err error
	m.comes, which = returning(which, all)
	m.said = bynames.TellingWords(which)
	during = strings.TrimSpace(during)
	if rank, _ := ranked(bynames.TellingWords(during), nil); rank != 0 && !strings.Contains(during, " ") {
		m.said, during = append([]string{during}, m.said...), "" // the next one, which is no period
	}
	if during != "" {
		if m.window, _, err = when.Narrow(during, call.Now, call.Zone); err != nil {
			return m, err
		}
		m.period = inPeriod(during)
	} else if len(byWords(m.said, all)) == 0 {
		// The words may say when: my 3 pm alarm.
		if w, rest, err := when.Narrow(which, call.Now, call.Zone); err == nil {
			m.window, m.period, m.said = w, inPeriod(w.Said), bynames.TellingWords(rest)
		} else if said := slices.DeleteFunc(slices.Clone(m.said), func(w string) bool { return slices.Contains(alarmWords, w) }); len(said) == 1 && len(said) < len(m.said) {
			if w, rest, err := when.Narrow(said[0], call.Now, call.Zone); err == nil && rest == "" { // my morning alarm
				m.window, m.period, m.said = w, "in the "+said[0], slices.DeleteFunc(m.said, func(w string) bool { return w == said[0] })
			}
		}
	}
	m.rank, m.said = ranked(m.said, all)
	alarm := func(w string) bool { return slices.Contains(alarmWords, w) }
	if slices.ContainsFunc(m.said, alarm) && slices.ContainsFunc(all, planned.isAlarm) {
		m.timers = containsAny(m.said, []string{"timer", "timers"}) && slices.ContainsFunc(all, planned.isTimer)
		m.alarms, m.said = true, slices.DeleteFunc(slices.Clone(m.said), alarm)
	}
	m.said = slices.DeleteFunc(slices.Clone(m.said), func(w string) bool { return generic[w] })
	return m, nil
}

// ofKind are the plans that are alarms, where those are meant, and lie in the period.
func (m meant) ofKind(all []planned, fit func([]planned, when.Window, tool.SkillCall) []planned, call tool.SkillCall) []planned {
	if m.timers {
		all = slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return !p.isTimer() })
	}
	if m.alarms {
		all = slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return !p.isAlarm() })
	}
	if m.comes != nil {
		all = slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return !p.comesOn(m.comes) })
	}
	if m.period != "" {
		all = fit(all, m.window, call)
	}
	return all
}

// comesBack finds how what is named comes back: my weekday alarm, the alarm on Saturdays.
var comesBack = regexp.MustCompile(`(?i)\b(?:on |every |each |for )?(?:(weekdays?|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|(daily|nightly|every ?day|each day|every night))\b`)

// recurring finds that what is named comes back at all.
var recurring = regexp.MustCompile(`(?i)\b(?:recurring|repeating|repeated)\b`)

// returning takes the days on which what is named comes back out of its words, when they aren't
// those of a plan's text; nil for none.
func returning(which string, all []planned) (days []time.Weekday, rest string) {
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
	if slices.ContainsFunc(all, func(p planned) bool { return strings.Contains(strings.ToLower(p.text), word) }) {
		return nil, which
	}
	if word == "weekday" {
		word = "weekdays"
	}
	return when.Weekdays(word), rest
}

// comesOn reports whether a plan comes back on these days and no other; on any, where none are named.
func (p planned) comesOn(days []time.Weekday) bool {
	if p.recurrence == nil || len(days) == 0 {
		return p.recurrence != nil
	}
	const week = 7
	if len(days) == week {
		return p.isDaily()
	}
	own, ok := when.DaysOf(*p.recurrence)
	return ok && len(own) > 0 && !slices.ContainsFunc(own, func(d time.Weekday) bool { return !slices.Contains(days, d) })
}

// choose finds the plans that a naming names, of a kind whose noun is given. Where none has all of
// its words, several may be named: the dentist and the doctor.
func choose(n naming, noun string, all []planned, call tool.SkillCall) selection {
	out := chooseOne(n, noun, all, call)
	names := strings.Split(strings.ReplaceAll(strings.ReplaceAll(n.Which, ", and ", " and "), ",", " and "), " and ")
	if !out.absent || len(names) < 2 {
		return out
	}
	var several []planned
	var of selection
	for _, name := range names {
		one := n
		one.Which = strings.TrimPrefix(strings.TrimSpace(name), "both ")
		found := chooseOne(one, noun, all, call)
		switch {
		case found.absent || blank(name):
			return out
		case found.namesNone():
			return found
		}
		of = found
		for _, p := range found.plans {
			if !slices.ContainsFunc(several, func(o planned) bool { return o.ID == p.ID }) {
				several = append(several, p)
			}
		}
	}
	return selection{plans: several, window: of.window, during: of.during}
}

// chooseOne finds the plans that have all the words of a naming.
func chooseOne(n naming, noun string, all []planned, call tool.SkillCall) selection {
	kind := speech.Kind(noun)
	if len(all) == 0 {
		if telling := strings.TrimSpace(n.Which); telling != "" {
			return selection{question: say("plan.none_like", args{"kind": kind, "which": theirOwn(telling)}), absent: true}
		}
		return selection{question: say("plan.none", args{"kind": kind}), absent: true}
	}
	which := strings.TrimSpace(n.Which)
	if _, err := domain.ParseID(which); err == nil {
		one, question := pick(which, noun, all)
		if !question.IsZero() {
			return selection{question: question}
		}
		return inWindow(n.During, one, call)
	}
	m, err := meaning(which, n.During, all, call)
	if err != nil {
		return selection{wrong: err}
	}
	if m.alarms {
		kind = "alarm"
	}
	candidates := m.ofKind(all, within, call)
	if later, ok := weekLater(m, call); ok && len(byWords(m.said, candidates)) == 0 {
		if then := later.ofKind(all, within, call); len(byWords(m.said, then)) > 0 {
			m, candidates = later, then
		}
	}
	if len(candidates) == 0 {
		return selection{none: m.noneThen(kind, call), absent: true}
	}
	found := byWords(m.said, candidates)
	if len(found) == 0 && m.period == "" {
		found = matching(which, all)
	}
	if !blank(n.About) && (len(found) > 1 || blank(which)) {
		hinted := hinting(n.About, found)
		if len(hinted) == 0 && blank(which, n.During) {
			return selection{question: say("plan.none_like", args{"kind": kind, "which": theirOwn(n.About), "there": alikeApart(all)}), absent: true}
		}
		if len(hinted) > 0 {
			found = hinted
		}
	}
	words := bynames.TellingWords(which)
	both := slices.Contains(words, "both")
	if n.ends && len(m.said) == 1 && len(found) == 1 && len(bynames.TellingWords(found[0].text)) == 1 {
		if all := partly(m.said, candidates); len(all) > 1 {
			found = all
		}
	}
	every := (n.All || containsAny(words, meansAll)) && (!both || len(found) == 2)
	found, near := m.calledSo(which, every, found), byWords(besideMeeting(m.said), candidates)
	switch {
	case len(found) == 0 && len(near) > 0:
		return selection{question: say("plan.which", args{"kind": kind, "plans": alikeApart(near)}), several: near}
	case len(found) == 0:
		return m.absent(kind, which, candidates, call)
	case len(found) > 1 && m.rank > 0:
		found = []planned{slices.MinFunc(found, planned.compareDue)}
	case len(found) > 1 && m.rank < 0:
		found = []planned{slices.MaxFunc(found, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })}
	case len(found) > 1 && !every:
		return selection{question: say("plan.which", args{"kind": kind, "plans": alikeApart(found)}), several: found}
	}
	out := selection{plans: found}
	if m.period != "" {
		out.window, out.during = m.window, cmp.Or(strings.TrimSpace(n.During), m.window.Said)
	}
	return out
}

// absent says that there is no plan with the words of a naming, and which there are.
func (m meant) absent(kind speech.Kind, which string, candidates []planned, call tool.SkillCall) selection {
	if m.period != "" {
		return selection{none: say("plan.none_like_then", args{"kind": kind, "which": theirOwn(strings.Join(m.said, " ")), "period": m.then(call), "there": alikeApart(candidates)}), absent: true}
	}
	return selection{question: say("plan.none_like", args{"kind": kind, "which": theirOwn(which), "there": alikeApart(candidates)}), absent: true}
}

// noneThen says that there is no plan in the period, or none that comes back so.
func (m meant) noneThen(kind speech.Kind, call tool.SkillCall) speech.Message {
	if m.comes != nil {
		return say("plan.none_returning", args{"kind": kind, "period": m.then(call)})
	}
	return say("plan.none_such", args{"kind": kind, "period": m.then(call)})
}

// then is the period of a naming; nil where none was said.
func (m meant) then(call tool.SkillCall) speech.Value { return periodSaid(m.period, call) }

// calledSo is, of several plans at a time on a day of which one is meant, the one that is called so
// and no more.
func (m meant) calledSo(which string, every bool, found []planned) []planned {
	if every || !m.window.HasDay() || m.window.IsPeriod() {
		return found
	}
	if called := slices.DeleteFunc(slices.Clone(found), func(p planned) bool { return !strings.EqualFold(p.text, which) }); len(called) == 1 {
		return called
	}
	return found
}

// weekLater is the same day of the week, where today was named by that: on a Monday, Monday may be
// the next one. False where it is another day.
func weekLater(m meant, call tool.SkillCall) (meant, bool) {
	today := midnight(call.Now, call.Zone)
	name := strings.TrimPrefix(strings.ToLower(m.period), "on ")
	if m.window.From != domain.MillisOf(today) || name != strings.ToLower(today.Weekday().String()) {
		return m, false
	}
	const week = 7
	m.window.From, m.window.To = domain.MillisOf(today.AddDate(0, 0, week)), domain.MillisOf(today.AddDate(0, 0, week+1))
	return m, true
}

// hinting are the plans that have the most of some words, one at least.
func hinting(about string, all []planned) []planned {
	var out []planned
	best := 0
	for _, p := range all {
		telling := func(text string) []string {
			return slices.DeleteFunc(bynames.TellingWords(text), func(w string) bool { return len(w) < 3 || generic[w] })
		}
		words, around := telling(p.text), telling(p.appointment.Place+" "+strings.Join(p.appointment.People, " "))
		n := 0
		for _, w := range telling(about) {
			switch one := []string{w}; {
			case bynames.HasAll(words, one):
				n += 2
			case bynames.HasAll(around, one):
				n++
			}
		}
		if n > best {
			best, out = n, nil
		}
		if n == best && n > 0 {
			out = append(out, p)
		}
	}
	return out
}

// inWindow is one plan at its time in a period that may be given.
func inWindow(during string, one planned, call tool.SkillCall) selection {
	if strings.TrimSpace(during) == "" {
		return selection{plans: []planned{one}}
	}
	w, _, err := when.Narrow(during, call.Now, call.Zone)
	if err != nil {
		return selection{wrong: err}
	}
	found := within([]planned{one}, w, call)
	if later, ok := weekLater(meant{window: w, period: inPeriod(during)}, call); ok && len(found) == 0 {
		w = later.window
		found = within([]planned{one}, w, call)
	}
	if len(found) == 0 && one.recurrence != nil {
		return selection{none: say("plan.no_time_then", args{"what": one.its(), "period": periodSaid(during, call), "again": one.returns()})}
	}
	if len(found) == 0 {
		return selection{none: say("plan.not_then", args{"what": one.its(), "period": periodSaid(during, call)})}
	}
	return selection{plans: found, window: w, during: during}
}

// compareDue orders plans by when they are due, those without a time last.
func (p planned) compareDue(o planned) int {
	return cmp.Or(-cmp.Compare(min(p.Due, 1), min(o.Due, 1)), cmp.Compare(p.Due, o.Due))
}

// ranked takes the word out of a naming that says which one in time is meant: 1 for the next,
// -1 for the last, 0 for none. Where plans have the word in their text, it isn't taken.
func ranked(said []string, all []planned) (rank int, rest []string) {
	if len(said) == 0 || len(byWords(said, all)) > 0 && !slices.Contains([]string{"next", "first", "last"}, said[0]) {
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

// byWords are the plans that have all these words: those that say nothing else before those
// that say more. Words that name no particular plan don't count.
func byWords(said []string, all []planned) []planned {
	said = slices.DeleteFunc(slices.Clone(said), func(w string) bool { return generic[w] })
	var exact, wholly, partly []planned
	for _, p := range all {
		words := bynames.TellingWords(p.text)
		if all := bynames.TellingWords(p.text + " " + p.about + " " + p.appointment.Place + " " + strings.Join(p.appointment.People, " ")); !bynames.HasAll(all, said) && !bynames.HasAll(all, verbsOf(said)) {
			continue
		}
		partly = append(partly, p)
		if len(said) > 0 && len(words) == len(said) && bynames.HasAll(words, said) {
			exact = append(exact, p)
		}
		if !slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) }) {
			wholly = append(wholly, p)
		}
	}
	switch {
	case len(exact) > 0:
		return append(exact, withSomebody(exact, wholly)...)
	case len(wholly) > 0 && len(said) > 0:
		return wholly // the bin is not the binoculars
	}
	return partly
}

// withPeople leads to who takes part.
var withPeople = regexp.MustCompile(`(?i)^ (?:with|mit|avec|con) `)

// withSomebody are those of some plans that are called as one of others and say with whom beside it:
// who has one at the dentist, and one there with Lucy, may mean either.
func withSomebody(called, some []planned) []planned {
	return slices.DeleteFunc(slices.Clone(some), func(p planned) bool {
		return !slices.ContainsFunc(called, func(o planned) bool {
			return len(p.text) > len(o.text) && strings.EqualFold(p.text[:len(o.text)], o.text) && withPeople.MatchString(p.text[len(o.text):])
		})
	})
}

// partly are the plans that have all these words in their text, whatever else it says.
func partly(said []string, all []planned) []planned {
	return slices.DeleteFunc(slices.Clone(all), func(p planned) bool {
		words := bynames.TellingWords(p.text)
		return slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) })
	})
}

// irregular are past forms of verbs that don't begin as the verb does.
var irregular = map[string]string{"paid": "pay", "bought": "buy", "sent": "send", "took": "take", "made": "make", "wrote": "write", "fed": "feed", "met": "meet", "got": "get", "swept": "sweep", "rang": "ring", "gave": "give", "seeing": "see", "woken": "wake", "woke": "wake"}

// verbsOf are words with their verbs as one says what is to be done: calling and called are call.
func verbsOf(said []string) []string {
	out := slices.Clone(said)
	for i, w := range out {
		if verb := irregular[w]; verb != "" {
			out[i] = verb
		} else if verb, ok := strings.CutSuffix(w, "ing"); ok && len(verb) > 2 {
			out[i] = verb
		} else if verb, ok := strings.CutSuffix(w, "ed"); ok && len(verb) > 2 {
			out[i] = verb
		}
	}
	return out
}

// inPeriod is a period as it was said, to follow "there is none".
func inPeriod(said string) string {
	said = possessive.ReplaceAllString(strings.TrimRight(strings.TrimSpace(said), ".!?"), "$1")
	first, _, _ := strings.Cut(strings.ToLower(said), " ")
	switch first {
	case "for":
		return inPeriod(strings.TrimSpace(said[len("for"):]))
	case "on", "in", "at", "today", "tomorrow", "tonight", "this", "next", "during", "from", "between", "after", "before", "by", "within", "until", "yesterday", "the":
		return said
	case "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december":
		if !strings.Contains(said, " ") {
			return "in " + said
		}
	}
	if number := strings.ContainsAny(first[:1], "0123456789"); number && (!strings.Contains(said, " ") || strings.HasSuffix(strings.ToLower(said), "m") || timeOfDay.MatchString(first)) {
		return "at " + said
	}
	return "on " + said
}

var (
	possessive = regexp.MustCompile(`['’]s($|\s)`)                        // tomorrow's
	timeOfDay  = regexp.MustCompile(`^\d{1,2}(?::\d\d|(?::\d\d)?[ap]m)$`) // 15:00, 3pm
)

// confirming asks before several plans are changed at once; false when there is nothing to ask.
func (r request) confirming(found selection) (tool.SkillDone, bool, error) {
	plans := found.plans
	if r.Confirmed || len(plans) < 2 && len(found.stays) == 0 {
		return tool.SkillDone{}, false, nil
	}
	noun := nounOf(speech.Kind(r.kind), plans)
	says := []speech.Message{say("plans.sure", args{"deed": deedOf(r.kind, r.verb), "n": speech.Count(len(plans)), "kind": noun, "plans": withTimes(plans, maxNamed)})}
	done, err := askAll(append(append(says, found.stays...), say("say_yes")), yes(), no())
	done, err = mentioning(done, err, plans)
	return done, true, err
}

// nounOf is alarm where all of the plans are alarms.
func nounOf(noun speech.Kind, found []planned) speech.Kind {
	if noun == "reminder" && !slices.ContainsFunc(found, func(p planned) bool { return !p.isAlarm() }) {
		return "alarm"
	}
	return noun
}

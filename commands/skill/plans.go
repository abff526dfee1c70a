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
	"chalie/domain/language/bynames"
	"chalie/domain/language/when"
)

// plans tells the plans.
func (s *skills) plans() tool.Skill {
	return skill{do: s.doPlans, tool: domain.Tool{
		Name:        "plans",
		Description: "Show the reminders, appointments, tasks and lists there are, what comes next, or whether the person is free.",
		Documentation: "kind narrows it to reminders, alarms, appointments, tasks or lists; during to what is due or takes place then, without lists; which to those with its words; next to the one that comes next. " +
			"With free it tells whether there is an appointment in during. The entries of one list are shown by list.",
		Parameters: []domain.Parameter{
			{Name: "kind", Type: domain.TypeString, Description: "reminders, alarms, appointments, tasks or lists. Left out: all."},
			{Name: "during", Type: domain.TypeString, Description: `A period as people say it: "tomorrow", "on Friday evening", "this week". Left out: whenever.`},
			{Name: "which", Type: domain.TypeString, Description: "Words of the plans. Left out: whatever they say."},
			{Name: "next", Type: domain.TypeBoolean, Description: "True for only what comes next."},
			{Name: "last", Type: domain.TypeBoolean, Description: "True for only what comes last, of those that are asked for."},
			{Name: "conflicts", Type: domain.TypeBoolean, Description: "True to ask which appointments in during overlap."},
			{Name: "recurring", Type: domain.TypeBoolean, Description: "True for only what comes back."},
			{Name: "overdue", Type: domain.TypeBoolean, Description: "True for only what was due and is still open."},
			{Name: "done", Type: domain.TypeBoolean, Description: "True for what was done, told or over in during, or today, in place of what is planned."},
			{Name: "count", Type: domain.TypeBoolean, Description: "True to ask how many there are."},
			{Name: "free", Type: domain.TypeBoolean, Description: "True to ask whether there is time in during."},
			{Name: "until", Type: domain.TypeBoolean, Description: "True to ask how long it is until the plan that which names."},
			{Name: "after", Type: domain.TypeString, Description: "Words of a plan: what comes next behind it."},
		},
	}}
}

type plansParams struct {
	Kind, During, Which, After string
	Next, Free, Until          bool
	Recurring, Count, Overdue  bool
	Last, Conflicts, Done      bool
}

const alarms = "alarm" // the kind of reminders that are alarms, as it is asked for

// kindAsked is the kind of plans that a word names, without its plural; "" for all; false
// when it names none.
func kindAsked(said string) (string, bool) {
	switch kind := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(said)), "s"); kind {
	case "", "all", "plan":
		return "", true
	case alarms, "timer":
		return alarms, true
	case "event", "meeting", "calendar":
		return string(domain.ItemAppointment), true
	case "todo", "to-do":
		return string(domain.ItemTask), true
	default:
		return kind, kind == "list" || domain.ItemKind(kind).IsPlan()
	}
}

// line is a commitment in one line.
func (p planned) line(call tool.SkillCall) string {
	text := p.text
	if p.Percent > 0 {
		text += fmt.Sprintf(" (%d %%)", p.Percent)
	}
	switch {
	case p.Due == 0:
		return text
	case p.Kind.TakesPlace():
		text += ", " + when.SaySpan(p.Due, p.End, p.appointment.AllDay, call.Now, call.Zone) + p.appointment.PlaceAndPeople(p.text)
	case p.Due <= call.Now:
		return text + ", was due " + when.Say(p.Due, call.Now, call.Zone)
	default:
		text += ", " + when.Say(p.Due, call.Now, call.Zone)
	}
	return text + p.elsewhere(call) + p.goingOn()
}

// goingOn is how a plan comes back, where it isn't one of its times that is asked for.
func (p planned) goingOn() string {
	if p.recurrence == nil || len(p.times) == 1 || len(p.times) == 0 && !p.named {
		return ""
	}
	return " (" + p.again() + ")"
}

// howSoon tells how long it is until plans, the first before the others.
func howSoon(found []planned, call tool.SkillCall) string {
	domain.SortStableFunc(found, planned.compareDue)
	var lines []string
	for _, p := range found[:min(len(found), maxNamed)] {
		switch days := int(midnight(p.Due, call.Zone).Sub(midnight(call.Now, call.Zone)).Hours()+12) / 24; {
		case p.Due == 0:
			lines = append(lines, p.text+" has no time of its own")
		case p.Due <= call.Now:
			lines = append(lines, p.line(call))
		case days < 2:
			lines = append(lines, "In "+commands.Lasting(p.Due.Sub(call.Now))+": "+p.line(call))
		default:
			lines = append(lines, fmt.Sprintf("In %d days: %s", days, p.line(call)))
		}
	}
	return strings.Join(lines, "; ") + "."
}

// following tells what comes next behind a plan that is named.
func following(open []planned, p plansParams, call tool.SkillCall) (tool.SkillDone, error) {
	one := choose(naming{Which: p.After, During: p.During}, "plan", preferAppointments(byWords(bynames.TellingWords(p.After), open)), call)
	if one.namesNone() || len(one.plans) == 0 {
		return says(fmt.Sprintf("There is no plan like %q.", strings.TrimSpace(p.After)))
	}
	first := one.plans[0]
	from := max(first.End, first.Due)
	ahead := slices.DeleteFunc(open, func(o planned) bool { return o.ID == first.ID || o.Due == 0 })
	w := when.Window{From: from, To: domain.MillisOf(midnight(from, call.Zone).AddDate(0, 0, 1))}
	behind := slices.DeleteFunc(fitting(ahead, w, call), func(o planned) bool { return o.Due < from })
	if len(behind) == 0 {
		return says("Nothing is planned behind " + first.line(call) + ", on that day.")
	}
	var lines []string
	for _, o := range behind {
		lines = append(lines, o.line(call))
	}
	done, err := says("After " + first.text + ": " + strings.Join(lines, "; ") + ".")
	return mentioning(done, err, behind)
}

// elsewhere says on which wall a plan that comes back stays, when the clocks are others there
// than where it is asked: after a journey.
func (p planned) elsewhere(call tool.SkillCall) string {
	if p.recurrence == nil || p.zone == nil || p.appointment.AllDay {
		return ""
	}
	there := p.Due.Time().In(p.zone)
	if here := p.Due.Time().In(call.Zone); here.Format("15:04") == there.Format("15:04") {
		return ""
	}
	return fmt.Sprintf(", which stays %s in %s", there.Format("15:04"), p.zone)
}

func (s *skills) doPlans(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[plansParams](call)
	if err != nil {
		return asksBack(err)
	}
	kind, known := kindAsked(p.Kind)
	if !known {
		return asks(fmt.Sprintf("Which plans: reminders, alarms, appointments, tasks or lists? %q is none of them.", p.Kind))
	}
	if p.Done {
		return s.doneIn(ctx, p.During, call)
	}
	open, err := s.openTimed(ctx, "")
	if err != nil {
		return tool.SkillDone{}, err
	}
	if p.Overdue {
		open = slices.DeleteFunc(open, func(o planned) bool { return o.Due == 0 || o.Due > call.Now || o.Kind == domain.ItemAppointment })
		if len(open) == 0 {
			return says("Nothing is overdue.")
		}
	}
	if p.Recurring {
		if open = slices.DeleteFunc(open, func(o planned) bool { return o.recurrence == nil }); len(open) == 0 {
			return says("Nothing that is planned comes back.")
		}
		open = asNamed(open)
	}
	switch {
	case p.Conflicts:
		return conflicts(open, p.During, call)
	case p.Free:
		return isFree(open, p.During, call)
	case !blank(p.After):
		return following(open, p, call)
	}
	if _, err := domain.ParseID(p.Which); err == nil {
		return s.tellOne(ctx, call, p, open)
	}
	found, none, err := sought(open, kind, &p, call)
	if p.Recurring {
		for i := range found {
			found[i].times = nil // how it comes back is what is asked
		}
	}
	switch {
	case err != nil:
		return asksBack(err)
	case none != "":
		if done, known, err := s.remembered(ctx, p.Which); err != nil || known {
			return done, err
		}
		if len(found) == 0 {
			return says(none)
		}
	case p.Until && len(found) > 0:
		done, err := says(howSoon(found, call))
		return mentioning(done, err, found)
	case p.Next:
		done, err := says("Next: " + found[0].line(call) + ".")
		return mentioning(done, err, found[:1])
	case p.Last && len(found) > 0:
		last := slices.MaxFunc(found, planned.compareDue)
		done, err := says("Last: " + last.line(call) + ".")
		return mentioning(done, err, []planned{last})
	case p.Count && kind != "":
		return s.countedOf(ctx, kind, found)
	}
	return s.toldByKind(ctx, call, p, kind, none, found)
}

// countedOf tells how many there are of a kind.
func (s *skills) countedOf(ctx context.Context, kind string, found []planned) (tool.SkillDone, error) {
	switch {
	case kind == "list":
		return s.countLists(ctx)
	case len(found) == 1:
		return says("There is 1 " + kind + ".")
	}
	return says(fmt.Sprintf("There are %d %ss.", len(found), kind))
}

// tellOne tells a plan that was spoken of.
func (s *skills) tellOne(ctx context.Context, call tool.SkillCall, p plansParams, open []planned) (tool.SkillDone, error) {
	one, question := pick(p.Which, "plan", open)
	if !question.IsZero() {
		return says("That is no longer planned.")
	}
	return s.toldByKind(ctx, call, p, string(one.Kind), "", asNamed([]planned{one}))
}

// toldByKind are plans below each other, those of a kind under its name.
func (s *skills) toldByKind(ctx context.Context, call tool.SkillCall, p plansParams, kind, none string, found []planned) (tool.SkillDone, error) {
	var blocks []domain.Block
	var text []string
	var told []planned
	if none != "" {
		blocks, text = append(blocks, domain.TextBlock(none, domain.FormatPlain)), append(text, none)
	}
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			blocks, text = append(blocks, domain.HeaderBlock(title, 3), domain.ListBlock(lines...)), append(text, title+": "+strings.Join(lines, "; ")+".")
		}
	}
	for _, k := range domain.Events().Kinds() {
		var lines []string
		for _, one := range found {
			if one.Kind == k.Kind {
				lines, told = append(lines, one.line(call)), append(told, one)
			}
		}
		title := string(k.Kind)
		if kind == alarms {
			title = alarms
		}
		section(strings.ToUpper(title[:1])+title[1:]+"s", lines)
	}
	if blank(p.During, p.Which) && kind == "" || kind == "list" {
		names, err := s.listNames(ctx)
		if err != nil {
			return tool.SkillDone{}, err
		}
		section("Lists", names)
	}
	if len(text) == 0 {
		return says("Nothing is planned.")
	}
	done, err := answered(strings.Join(text, "\n"), blocks, nil)
	return mentioning(done, err, told)
}

// remembered tells a memory that has all the words of what isn't planned; false for none.
func (s *skills) remembered(ctx context.Context, which string) (tool.SkillDone, bool, error) {
	said := slices.DeleteFunc(bynames.TellingWords(which), func(w string) bool { return generic[w] })
	if len(said) == 0 {
		return tool.SkillDone{}, false, nil
	}
	all, _, err := s.memories(ctx)
	for _, m := range slices.Backward(all) {
		if bynames.HasAll(bynames.TellingWords(m.text+" "+m.about), said) {
			done, err := tell(say("memory.unplanned", args{"what": m.its()}))
			return done, true, err
		}
	}
	return tool.SkillDone{}, false, err
}

// sought are the plans that are asked for. none is the answer when a period, words or the
// next one was asked for and there is no such plan; found is then what comes near. Words may
// ask for the next one, too. The error is a validation.
func sought(open []planned, kind string, p *plansParams, call tool.SkillCall) (found []planned, none string, err error) {
	found = slices.DeleteFunc(open, func(one planned) bool {
		return kind == alarms && !one.isAlarm() || kind != "" && kind != alarms && string(one.Kind) != kind
	})
	m, err := meaning(p.Which, p.During, found, call)
	if err != nil {
		return nil, "", err
	}
	noun := cmp.Or(kind, "plan")
	if m.alarms {
		noun = alarms
	}
	if kind == "" && m.period != "" && len(m.said) == 0 && !m.window.HasDay() {
		if m.window, err = timeAsked(cmp.Or(strings.TrimSpace(p.During), m.window.Said), call); err != nil { // of whatever day, the next
			return nil, "", err
		}
	}
	ofKind := m.ofKind(found, func(all []planned, _ when.Window, _ tool.SkillCall) []planned { return all }, call)
	found = m.ofKind(found, fitting, call)
	like, among := "", found
	switch {
	case len(m.said) > 0:
		found, like = asNamed(byWords(m.said, found)), fmt.Sprintf(" like %q", strings.Join(m.said, " "))
	case len(found) == 0 && kind == "" && p.During != "":
		return nil, "Nothing is planned then: " + strings.TrimSpace(p.During) + ".", nil
	}
	if p.Next = p.Next || m.rank > 0; p.Next {
		found = nextOf(found, call.Now)
	}
	if len(found) > 0 || kind == "list" || !p.Next && m.period+like == "" {
		return found, "", nil
	}
	if m.period != "" {
		like += " " + m.period
	}
	none = "There is no " + noun + like + "."
	if len(m.said) == 0 || p.Next {
		return nil, none, nil
	}
	nearest := byWords(m.said, slices.Clone(ofKind)) // at another time
	if len(nearest) == 0 {
		nearest = near(m.said, among, open)
	}
	nearest = asNamed(nearest)
	switch {
	case len(nearest) > 0 && (len(nearest) < len(among) || m.period != ""):
		return nearest, none + " What comes nearest:", nil
	case kind == "":
		return nil, none, nil // all there is would tell nothing
	case kind == string(domain.ItemAppointment) && m.period == "": // of all that is planned ever nothing may be meant
		return nil, none, nil
	case len(among) > 0:
		none += " There is:"
	}
	return among, none, nil
}

// asNamed are plans that were asked for by their words.
func asNamed(all []planned) []planned {
	for i := range all {
		all[i].named = true
	}
	return all
}

// occasions are words that many plans have: the birthday of one is nothing near that of another.
var occasions = map[string]bool{
	"birthday": true, "party": true, "meeting": true, "meetings": true, "lunch": true, "dinner": true, "call": true, "class": true, "visit": true, "alarm": true, "alarms": true,
}

// near are the plans that have some of the words, of those that were looked through, or else of
// all.
func near(said []string, found, open []planned) []planned {
	for _, among := range [][]planned{found, open} {
		telling := slices.DeleteFunc(slices.Clone(said), func(w string) bool {
			return len(byWords([]string{w}, among)) == 0 || generic[w] || len(said) > 1 && occasions[w]
		})
		if len(telling) > 0 {
			return byWords(telling, among)
		}
	}
	return nil
}

// nextOf is the plan that is due next, or begins next; when all have begun, the first of what
// goes on or is still to be done.
func nextOf(all []planned, now domain.Millis) []planned {
	ahead := slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return p.Due <= now })
	if len(ahead) == 0 {
		ahead = slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return p.End <= now && p.Kind != domain.ItemTask })
	}
	if len(ahead) == 0 {
		return nil
	}
	return []planned{slices.MinFunc(ahead, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })}
}

// isFree tells whether there is an appointment in a period. What lasts all day leaves time.
func isFree(open []planned, during string, call tool.SkillCall) (tool.SkillDone, error) {
	during = cmp.Or(strings.TrimSpace(during), "today")
	w, err := timeAsked(during, call)
	if err != nil {
		return asksBack(err)
	}
	var busy, allDay []string
	var told []planned
	for _, p := range fitting(open, w, call) {
		switch {
		case p.Kind != domain.ItemAppointment:
		case p.appointment.AllDay:
			allDay, told = append(allDay, p.line(call)), append(told, p)
		default:
			busy, told = append(busy, p.line(call)), append(told, p)
		}
	}
	const day = domain.Millis(25 * time.Hour / time.Millisecond) // once a year
	switch then := inPeriod(during); {
	case len(busy) > 0 && w.IsPeriod() && w.To-w.From > day:
		return says(byDay(open, w, call))
	case len(busy) > 0:
		said := strings.Join(append(busy, allDay...), "; ") + "."
		free := gaps(open, w, call)
		if free != "" {
			said = "Not all of it: " + said + free
		} else {
			said = "No: " + said
		}
		done, err := says(said)
		return mentioning(done, err, told)
	case len(allDay) > 0:
		return says("You are free " + then + ", apart from what lasts all day: " + strings.Join(allDay, "; ") + ".")
	default:
		return says("You are free " + then + ".")
	}
}

// byDay tells what appointments there are on each day of a period, and on which there is none.
func byDay(open []planned, w when.Window, call tool.SkillCall) string {
	var free, busy []string
	const most = 14
	first := midnight(max(w.From, call.Now), call.Zone)
	for day := first; domain.MillisOf(day) < w.To && len(free)+len(busy) < most; day = day.AddDate(0, 0, 1) {
		of := when.Window{From: max(domain.MillisOf(day), w.From), To: min(domain.MillisOf(day.AddDate(0, 0, 1)), w.To)}
		var there []string
		for _, p := range fitting(open, of, call) {
			if p.Kind == domain.ItemAppointment && !p.appointment.AllDay {
				there = append(there, p.line(call))
			}
		}
		if len(there) == 0 {
			free = append(free, day.Format("Monday 2 January"))
		}
		busy = append(busy, there...)
	}
	if len(free) == 0 {
		return "No day is free: " + strings.Join(busy, "; ") + "."
	}
	return "You are free on " + strings.Join(free, ", ") + ". Otherwise there is: " + strings.Join(busy, "; ") + "."
}

// conflicts tells which appointments of a period overlap; those that last all day leave time.
func conflicts(open []planned, during string, call tool.SkillCall) (tool.SkillDone, error) {
	ahead := slices.DeleteFunc(slices.Clone(open), func(p planned) bool { return p.Kind != domain.ItemAppointment || p.appointment.AllDay })
	then := "ahead"
	if !blank(during) {
		w, err := timeAsked(strings.TrimSpace(during), call)
		if err != nil {
			return asksBack(err)
		}
		ahead, then = fitting(ahead, w, call), inPeriod(during)
	}
	domain.SortStableFunc(ahead, planned.compareDue)
	var pairs []string
	for i, p := range ahead {
		for _, later := range ahead[i+1:] {
			if later.Due < p.End {
				pairs = append(pairs, fmt.Sprintf("%s, and %s", p.line(call), later.line(call)))
			}
		}
	}
	if len(pairs) == 0 {
		return says("No appointments overlap " + then + ".")
	}
	return says("These overlap: " + strings.Join(pairs, "; ") + ".")
}

// The hours of a day in which people want to know whether they have time.
const firstHour, lastHour = 8, 22

// gaps tells when there is time between the appointments of a day, or of a part of one.
func gaps(open []planned, w when.Window, call tool.SkillCall) string {
	const day, shortest = domain.Millis(24 * time.Hour / time.Millisecond), domain.Millis(15 * time.Minute / time.Millisecond)
	if w.To-w.From <= day/24 || w.To-w.From > day+day/24 { // a day is an hour longer once a year
		return ""
	}
	year, month, date := w.From.Time().In(call.Zone).Date()
	hour := func(n int) domain.Millis { return domain.MillisOf(time.Date(year, month, date, n, 0, 0, 0, call.Zone)) }
	from, end := max(w.From, hour(firstHour), call.Now), min(w.To, hour(lastHour))
	busy := slices.DeleteFunc(slices.Clone(fitting(open, w, call)), func(p planned) bool { return p.Kind != domain.ItemAppointment || p.appointment.AllDay })
	domain.SortStableFunc(busy, planned.compareDue)
	clock := func(at domain.Millis) string { return at.Time().In(call.Zone).Format("15:04") }
	var free []string
	for _, p := range append(busy, planned{Commitment: domain.Commitment{Due: end, End: end}}) {
		if p.Due-from >= shortest {
			free = append(free, clock(from)+" to "+clock(p.Due))
		}
		from = max(from, p.End)
	}
	if len(free) == 0 {
		return ""
	}
	return " There is time from " + strings.Join(free, ", and from ") + "."
}

// timeAsked is a period in which time is wanted; a time of day is an hour from then on. Of one that
// has passed, and may be in the afternoon as well, that is meant.
func timeAsked(said string, call tool.SkillCall) (when.Window, error) {
	w, _, err := when.Narrow(said, call.Now, call.Zone)
	if err != nil {
		return w, err
	}
	if !w.IsPeriod() {
		from, to, err := when.During(said, call.Now, call.Zone)
		if err != nil {
			return w, err
		}
		w = when.Window{From: from, To: to}
	}
	const half = domain.Millis(12 * time.Hour / time.Millisecond)
	if w.To > 0 && w.To <= call.Now && w.To-w.From < half && w.From >= domain.MillisOf(midnight(call.Now, call.Zone)) && !forenoon.MatchString(said) {
		w = when.Window{From: w.From + half, To: w.To + half}
	}
	return w, nil
}

func midnight(at domain.Millis, zone *time.Location) time.Time {
	t := at.Time().In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
}

// forenoon finds words by which a time of day is before noon.
var forenoon = regexp.MustCompile(`(?i)\b(?:am|morning|0\d)\b|\ba\.m\b`)

// listNames are the lists, each with how much is on it.
func (s *skills) listNames(ctx context.Context) ([]string, error) {
	all, _, err := s.lists(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range all {
		names = append(names, fmt.Sprintf("%s (%d)", l.name, len(l.Items)))
	}
	return names, nil
}

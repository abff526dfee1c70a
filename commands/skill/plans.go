package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
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

// kindWords are other words for what is asked for.
var kindWords = map[string]string{
	"all": "", "plan": "", "timer": alarms, "event": "appointment", "meeting": "appointment", "calendar": "appointment",
	"todo": "task", "to-do": "task",
}

// kindAsked is the kind of plans that a word names, without its plural; "" for all; false
// when it names none.
func kindAsked(said string) (string, bool) {
	kind := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(said)), "s")
	if other, known := kindWords[kind]; known {
		return other, true
	}
	return kind, kind == "" || kind == alarms || kind == "list" || domain.ItemKind(kind).IsPlan()
}

// isOf reports whether a plan is of a kind as it is asked for.
func (p planned) isOf(kind string) bool {
	return kind == "" || kind == string(p.Kind) || kind == alarms && p.isAlarm()
}

// entry is a plan in one line.
func (p planned) entry(call tool.SkillCall) speech.Message {
	said := args{"what": p.its()}
	if p.Percent > 0 {
		said["percent"] = speech.Count(p.Percent)
	}
	switch {
	case p.Due != 0 && p.Kind.TakesPlace():
		said["span"] = speech.Span{From: p.Due, To: p.End, AllDay: p.appointment.AllDay, Zone: call.Zone.String()}
		p.addWhere(said)
	case p.Due > call.Now:
		said["due"] = moment(p.Due, call)
	default:
		said["was"] = moment(p.Due, call)
		return say("plan.entry", said)
	}
	p.addElsewhere(said, call)
	if p.recurrence != nil && len(p.times) != 1 && (len(p.times) > 0 || p.named) { // it isn't one of its times that is asked for
		said["again"] = p.returns()
	}
	return say("plan.entry", said)
}

// addWhere adds to the arguments of a message where an appointment takes place, and with whom besides those whom its text names.
func (p planned) addWhere(said args) {
	if p.appointment.Place != "" {
		said["place"] = speech.Text{Words: p.appointment.Place, In: p.Timing}
	}
	var people speech.List
	for _, name := range p.appointment.OthersThan(p.text) {
		people = append(people, speech.Text{Words: name, In: p.Timing})
	}
	if len(people) > 0 {
		said["people"] = people
	}
}

// addElsewhere adds on which wall a plan that comes back stays, when the clocks are others there
// than where it is asked: after a journey.
func (p planned) addElsewhere(said args, call tool.SkillCall) {
	if p.recurrence == nil || p.zone == nil || p.appointment.AllDay {
		return
	}
	there := p.Due.Time().In(p.zone).Format("15:04")
	if p.Due.Time().In(call.Zone).Format("15:04") != there {
		said["clock"], said["zone"] = speech.Clock(there), theirOwn(p.zone.String())
	}
}

// inLines are plans in one line each, as an argument; nil for none.
func inLines(all []planned, call tool.SkillCall) speech.Value {
	if len(all) == 0 {
		return nil
	}
	out := make(speech.List, len(all))
	for i, p := range all {
		out[i] = p.entry(call)
	}
	return out
}

// tellOf is an answer that names plans.
func tellOf(all []planned, says ...speech.Message) (tool.SkillDone, error) {
	done, err := tell(says...)
	return mentioning(done, err, all)
}

// howSoon tells how long it is until plans, the first before the others.
func howSoon(found []planned, call tool.SkillCall) (tool.SkillDone, error) {
	domain.SortStableFunc(found, planned.compareDue)
	var says []speech.Message
	for _, p := range found[:min(len(found), maxNamed)] {
		ahead, length := args{"plan": p.entry(call)}, p.Due.Sub(call.Now)
		if days := int(midnight(p.Due, call.Zone).Sub(midnight(call.Now, call.Zone)).Hours()+12) / 24; days > 1 {
			length = time.Duration(days) * 24 * time.Hour
		}
		switch {
		case p.Due == 0:
			says = append(says, say("plan.untimed", args{"what": p.its()}))
			continue
		case length > 0:
			ahead["length"] = speech.Length(length)
		}
		says = append(says, say("plan.ahead", ahead))
	}
	return tellOf(found, says...)
}

// following tells what comes next behind a plan that is named.
func following(open []planned, p plansParams, call tool.SkillCall) (tool.SkillDone, error) {
	one := choose(naming{Which: p.After, During: p.During}, "plan", preferAppointments(bynames.ByWords(bynames.TellingWords(p.After), open)), call)
	if one.namesNone() || len(one.plans) == 0 {
		return tell(say("plan.none_such", args{"kind": speech.Kind("plan"), "which": theirOwn(strings.TrimSpace(p.After))}))
	}
	first := one.plans[0]
	from := max(first.End, first.Due)
	ahead := slices.DeleteFunc(open, func(o planned) bool { return o.ID == first.ID || o.Due == 0 })
	w := when.Window{From: from, To: domain.MillisOf(midnight(from, call.Zone).AddDate(0, 0, 1))}
	behind := slices.DeleteFunc(fitting(ahead, w, call), func(o planned) bool { return o.Due < from })
	if len(behind) == 0 {
		return tell(say("plans.none_behind", args{"plan": first.entry(call)}))
	}
	return tellOf(behind, say("plans.behind", args{"what": first.its(), "plans": inLines(behind, call)}))
}

func (s *skills) doPlans(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[plansParams](call)
	if err != nil {
		return asksBack(err)
	}
	kind, known := kindAsked(p.Kind)
	if !known {
		return ask(say("none_of_them", args{"of": speech.Kind("plans"), "said": theirOwn(p.Kind)}))
	}
	if p.Done {
		return s.doneIn(ctx, p.During, call)
	}
	open, err := s.openTimed(ctx, "")
	if p.Overdue {
		open = only(open, func(o planned) bool { return o.Due != 0 && o.Due <= call.Now && !o.Kind.TakesPlace() })
	}
	some := len(open) > 0
	if p.Recurring {
		open = asNamed(comingBack(open))
	}
	switch {
	case err != nil:
		return tool.SkillDone{}, err
	case p.Overdue && !some:
		return tell(say("plans.none_so", args{"how": speech.Kind("overdue")}))
	case p.Recurring && len(open) == 0:
		return tell(say("plans.none_so", args{"how": speech.Kind("returning")}))
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
	return s.tellSought(ctx, call, p, kind, open)
}

// tellSought tells the plans that are asked for.
func (s *skills) tellSought(ctx context.Context, call tool.SkillCall, p plansParams, kind string, open []planned) (tool.SkillDone, error) {
	found, none, err := sought(open, kind, &p, call)
	var answer tool.SkillDone
	if p.Recurring {
		for i := range found {
			found[i].times = nil // how it comes back is what is asked
		}
	}
	switch {
	case err != nil:
		return asksBack(err)
	case len(none) > 0:
		if done, err := s.remembered(ctx, p.Which); err != nil || len(done.Said) > 0 {
			return done, err
		}
		if answer, _ = tell(none...); len(found) == 0 {
			return answer, nil
		}
	case p.Until && len(found) > 0:
		return howSoon(found, call)
	case p.Next:
		return tellOf(found[:1], say("plan.ahead", args{"which": speech.Kind("next"), "plan": found[0].entry(call)}))
	case p.Last && len(found) > 0:
		last := slices.MaxFunc(found, planned.compareDue)
		return tellOf([]planned{last}, say("plan.ahead", args{"which": speech.Kind("last"), "plan": last.entry(call)}))
	case p.Count && kind == "list":
		return s.changeLists(ctx, call, listRequest{Action: "show", Count: true})
	case p.Count && kind != "":
		return tell(say("plans.counted", args{"n": speech.Count(len(found)), "kind": speech.Kind(kind)}))
	}
	return s.byKind(ctx, call, p, kind, answer, found)
}

// tellOne tells a plan that was spoken of.
func (s *skills) tellOne(ctx context.Context, call tool.SkillCall, p plansParams, open []planned) (tool.SkillDone, error) {
	one, question := pick(p.Which, "plan", open)
	if !question.IsZero() {
		return tell(say("plan.no_longer"))
	}
	return s.byKind(ctx, call, p, string(one.Kind), tool.SkillDone{}, asNamed([]planned{one}))
}

// byKind adds plans to an answer, below each other, those of a kind under its name.
func (s *skills) byKind(ctx context.Context, call tool.SkillCall, p plansParams, kind string, out tool.SkillDone, found []planned) (
	tool.SkillDone, error,
) {
	section := func(title string, entries []speech.Message) {
		if len(entries) > 0 {
			out.Said = append(out.Said, underHeading(say("plans.heading", args{"kind": speech.Kind(title)}), entries).Said...)
		}
	}
	var told []planned
	for _, k := range domain.Events().Kinds() {
		var entries []speech.Message
		for _, one := range found {
			if one.Kind == k.Kind {
				entries, told = append(entries, one.entry(call)), append(told, one)
			}
		}
		title := string(k.Kind)
		if kind == alarms {
			title = alarms
		}
		section(title, entries)
	}
	if blank(p.During, p.Which) && kind == "" || kind == "list" {
		all, _, err := s.lists(ctx)
		if err != nil {
			return out, err
		}
		entries := make([]speech.Message, len(all))
		for i, l := range all {
			entries[i] = say("list.sized", args{"list": theirOwn(l.name), "n": speech.Count(len(l.Items))})
		}
		section("list", entries)
	}
	if len(out.Said) == 0 {
		return tell(say("plans.nothing"))
	}
	return mentioning(out, nil, told)
}

// remembered tells a memory that has all the words of what isn't planned; nothing for none.
func (s *skills) remembered(ctx context.Context, which string) (tool.SkillDone, error) {
	said := bynames.Particular(bynames.TellingWords(which))
	if len(said) == 0 {
		return tool.SkillDone{}, nil
	}
	all, _, err := s.memories(ctx)
	for _, m := range slices.Backward(all) {
		if bynames.HasAll(bynames.TellingWords(m.text+" "+m.about), said) {
			return tell(say("memory.unplanned", args{"what": m.its()}))
		}
	}
	return tool.SkillDone{}, err
}

// sought are the plans that are asked for. none is the answer when a period, words or the
// next one was asked for and there is no such plan; found is then what comes near. Words may
// ask for the next one, too. The error is a validation.
func sought(open []planned, kind string, p *plansParams, call tool.SkillCall) (found []planned, none []speech.Message, err error) {
	found = slices.DeleteFunc(open, func(one planned) bool { return !one.isOf(kind) })
	m, err := meaning(p.Which, p.During, found, call)
	if err != nil {
		return nil, nil, err
	}
	noun := cmp.Or(kind, "plan")
	if m.Alarms {
		noun = alarms
	}
	if kind == "" && m.Period != "" && len(m.Said) == 0 && !m.Window.HasDay() {
		m.Window, _, err = timing.Free(cmp.Or(strings.TrimSpace(p.During), m.Window.Said), call.Now, call.Zone) // of whatever day, the next
		if err != nil {
			return nil, nil, err
		}
	}
	ofKind := m.ofKind(found, func(all []planned, _ when.Window, _ tool.SkillCall) []planned { return all }, call)
	found = m.ofKind(found, fitting, call)
	among, such := found, args{"kind": speech.Kind(noun), "period": m.then(call)}
	switch {
	case len(m.Said) > 0:
		found, such["which"] = asNamed(bynames.ByWords(m.Said, found)), theirOwn(strings.Join(m.Said, " "))
	case len(found) == 0 && kind == "" && p.During != "":
		then, _ := timing.Period(p.During, call.Now, call.Zone)
		then.Said = strings.TrimSpace(p.During)
		return nil, []speech.Message{say("plans.nothing", args{"then": then})}, nil
	}
	if p.Next = p.Next || m.Rank > 0; p.Next {
		found = nextOf(found, call.Now)
	}
	if len(found) > 0 || kind == "list" || !p.Next && m.Period == "" && len(m.Said) == 0 {
		return found, nil, nil
	}
	none = []speech.Message{say("plan.none_such", such)}
	if p.Next {
		return nil, none, nil
	}
	found, none = m.nearest(kind, none, ofKind, among, open)
	return found, none, nil
}

// nearest are the plans that come near what is asked for, of which there is none: of those of its kind, of those in
// its period, or of all; with what is said before them.
func (m meant) nearest(kind string, none []speech.Message, ofKind, among, open []planned) ([]planned, []speech.Message) {
	if len(m.Said) == 0 {
		return nil, none
	}
	nearest := bynames.ByWords(m.Said, slices.Clone(ofKind)) // at another time
	if len(nearest) == 0 {
		nearest = bynames.Near(m.Said, among, open)
	}
	nearest = asNamed(nearest)
	switch {
	case len(nearest) > 0 && (len(nearest) < len(among) || m.Period != ""):
		return nearest, append(none, say("plans.these", args{"how": speech.Kind("nearest")}))
	case kind == "": // all there is would tell nothing
		return nil, none
	case domain.ItemKind(kind).TakesPlace() && m.Period == "": // of all that is planned ever nothing may be meant
		return nil, none
	case len(among) > 0:
		none = append(none, say("plans.these", args{"how": speech.Kind("there")}))
	}
	return among, none
}

// asNamed are plans that were asked for by their words.
func asNamed(all []planned) []planned {
	for i := range all {
		all[i].named = true
	}
	return all
}

// nextOf is the plan that is due next, or begins next; when all have begun, the first of what
// goes on or is still to be done.
func nextOf(all []planned, now domain.Millis) []planned {
	ahead := only(all, func(p planned) bool { return p.Due > now })
	if len(ahead) == 0 {
		ahead = only(all, func(p planned) bool { return p.End > now || !p.Kind.IsTold() })
	}
	domain.SortStableFunc(ahead, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })
	return ahead[:min(1, len(ahead))]
}

// takesTime reports whether the person has no time while it lasts. What lasts all day leaves time.
func (p planned) takesTime() bool { return p.Kind.TakesPlace() && !p.appointment.AllDay }

// taking are the plans in a window that take time.
func taking(open []planned, w when.Window, call tool.SkillCall) []planned {
	return only(fitting(open, w, call), planned.takesTime)
}

// isFree tells whether there is an appointment in a period.
func isFree(open []planned, during string, call tool.SkillCall) (tool.SkillDone, error) {
	w, then, err := timing.Free(cmp.Or(strings.TrimSpace(during), "today"), call.Now, call.Zone)
	if err != nil {
		return asksBack(err)
	}
	busy := taking(open, w, call)
	allDay := only(fitting(open, w, call), func(p planned) bool { return p.Kind.TakesPlace() && p.appointment.AllDay })
	told := slices.Concat(busy, allDay)
	const day = domain.Millis(25 * time.Hour / time.Millisecond) // once a year
	switch {
	case len(busy) == 0:
		return tell(say("plans.free", args{"then": then, "all_day": inLines(allDay, call)}))
	case w.IsPeriod() && w.To-w.From > day:
		return tell(byDay(open, w, call))
	}
	if free := gaps(busy, w, call); len(free) > 0 {
		return tellOf(told, say("plans.busy_partly", args{"plans": inLines(told, call), "gaps": free}))
	}
	return tellOf(told, say("plans.busy", args{"plans": inLines(told, call)}))
}

// byDay tells what appointments there are on each day of a period, and on which there is none.
func byDay(open []planned, w when.Window, call tool.SkillCall) speech.Message {
	var free speech.List
	var busy []planned
	const most = 14
	for day := midnight(max(w.From, call.Now), call.Zone); domain.MillisOf(day) < w.To && len(free)+len(busy) < most; day = day.AddDate(0, 0, 1) {
		there := taking(open, when.Window{From: max(domain.MillisOf(day), w.From), To: min(domain.MillisOf(day.AddDate(0, 0, 1)), w.To)}, call)
		if len(there) == 0 {
			free = append(free, speech.Time{At: domain.MillisOf(day), Zone: call.Zone.String(), Grain: speech.Day})
		}
		busy = append(busy, there...)
	}
	if len(free) == 0 {
		return say("plans.no_day_free", args{"plans": inLines(busy, call)})
	}
	return say("plans.days_free", args{"days": free, "plans": inLines(busy, call)})
}

// conflicts tells which appointments of a period overlap.
func conflicts(open []planned, during string, call tool.SkillCall) (tool.SkillDone, error) {
	ahead := only(open, planned.takesTime)
	if !blank(during) {
		w, _, err := timing.Free(during, call.Now, call.Zone)
		if err != nil {
			return asksBack(err)
		}
		ahead = fitting(ahead, w, call)
	}
	domain.SortStableFunc(ahead, planned.compareDue)
	var pairs speech.List
	for i, p := range ahead {
		for _, later := range ahead[i+1:] {
			if later.Due < p.End {
				pairs = append(pairs, say("plans.pair", args{"one": p.entry(call), "other": later.entry(call)}))
			}
		}
	}
	if len(pairs) == 0 {
		return tell(say("plans.no_overlap", args{"then": periodSaid(during, call)}))
	}
	return tell(say("plans.overlap", args{"pairs": pairs}))
}

// The hours of a day in which people want to know whether they have time.
const firstHour, lastHour = 8, 22

// gaps is when there is time between the appointments of a day, or of a part of one.
func gaps(busy []planned, w when.Window, call tool.SkillCall) (free speech.List) {
	const day, shortest = domain.Millis(24 * time.Hour / time.Millisecond), domain.Millis(15 * time.Minute / time.Millisecond)
	if w.To-w.From <= day/24 || w.To-w.From > day+day/24 { // a day is an hour longer once a year
		return nil
	}
	year, month, date := w.From.Time().In(call.Zone).Date()
	hour := func(n int) domain.Millis { return domain.MillisOf(time.Date(year, month, date, n, 0, 0, 0, call.Zone)) }
	from, end := max(w.From, hour(firstHour), call.Now), min(w.To, hour(lastHour))
	clock := func(at domain.Millis) speech.Clock { return speech.Clock(at.Time().In(call.Zone).Format("15:04")) }
	for _, p := range append(slices.Clone(busy), planned{Commitment: domain.Commitment{Due: end, End: end}}) {
		if p.Due-from >= shortest {
			free = append(free, say("time.between", args{"from": clock(from), "to": clock(p.Due)}))
		}
		from = max(from, p.End)
	}
	return free
}

func midnight(at domain.Millis, zone *time.Location) time.Time {
	t := at.Time().In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
}

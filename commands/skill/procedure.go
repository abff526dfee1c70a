package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// The skills that change plans are one procedure. Their parameters become a [request], whose plans it finds; it asks
// where they aren't clear, has happen to each what is to, and tells that. A kind of plan takes part in it by its row
// in the domain. What differs besides is how its time is read, and the words in which it is told.

// skipped is what happens to plans beside their verbs: times of what comes back are left out, which is stored
// as a change of it.
const skipped domain.PlanVerb = "skipped"

// request is what is to happen to plans, as the skill of one kind is asked for it.
type request struct {
	naming
	moving

	kind    domain.ItemKind // that was said
	verb    domain.PlanVerb
	snoozes bool // a move of what was just told

	percent *int // of what comes further
	note    string
}

// moving is what is given of a plan that changes.
type moving struct {
	When, What string
	Except     string // days that are left out from now on
	Always     bool   // all times of it
}

// isFor reports whether it may happen to a kind of plans. What is taken off a list may be a task.
func (r request) isFor(k domain.PlanKind) bool {
	if r.verb == skipped {
		return k.Kind.IsTold()
	}
	_, may := k.Verbs[r.verb]
	return may && !(r.kind == domain.ItemEntry && k.Kind.IsTold())
}

// asked are the parameters by which the skill that keeps a plan is asked for it.
func (r request) asked(one planned) map[string]any {
	given := map[string]any{"action": one.Kind.Plan().Verbs[r.verb].Action, "which": one.ID.UUID()}
	if r.verb == skipped {
		given["action"] = "skip"
	}
	if !one.Kind.IsTold() {
		if r.When != "" {
			given["deadline"] = r.When
		}
		return given
	}
	for name, said := range map[string]string{"when": r.When, "except": r.Except} {
		if said != "" {
			given[name] = said
		}
	}
	if r.Always {
		given["always"] = true
	}
	return given
}

// pool is where plans of a kind are looked for.
type pool struct {
	open    []planned
	told    []planned       // lately, of those that end so
	through domain.Position // as of which they are known
}

// all are the plans in it.
func (from pool) all() []planned { return append(slices.Clone(from.open), from.told...) }

// poolOf are the plans of a kind.
func (s *skills) poolOf(ctx context.Context, call tool.SkillCall, kind domain.PlanKind, told bool) (from pool, err error) {
	if from.open, from.through, err = s.open(ctx, kind.Kind); err == nil {
		from.open, err = s.timed(ctx, dated(from.open, call))
	}
	if err == nil && told && kind.Ends == domain.EndsWhenTold {
		from.told, err = s.recentlyTold(ctx, kind.Kind)
		from.told = dated(from.told, call)
	}
	return from, err
}

// changePlans is the procedure.
func (s *skills) changePlans(ctx context.Context, call tool.SkillCall, r request) (tool.SkillDone, error) {
	from, err := s.poolOf(ctx, call, r.kind.Plan(), true)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if _, told := justFired(from.all(), call.Now); r.snoozes && blank(r.Which, r.During) && !told {
		return tell(say("snooze.nothing"))
	}
	if r.ends = r.verb == domain.PlanDropped; r.ends {
		if done, ok, err := s.endTogether(ctx, call, r.naming); ok || err != nil {
			return done, err
		}
	}
	found := r.among(from, call)
	if found.absent && r.verb != domain.PlanProgressed {
		done, ok, err := s.elsewhere(ctx, call, r)
		if !ok && err == nil && r.verb == domain.PlanDone && !r.kind.IsTold() {
			done, ok, err = s.offLists(ctx, call, r.Which)
		}
		if ok || err != nil {
			return done, err
		}
	}
	if found.namesNone() {
		return found.asks()
	}
	return s.changeFound(ctx, call, r, found, from.through)
}

// among finds the plans that are meant. Waiting ones go before those that were told, which are named by
// words alone.
func (r request) among(from pool, call tool.SkillCall) selection {
	noun, both := string(r.kind), from.all()
	fired, ok := justFired(both, call.Now)
	switch {
	case ok && r.kind.Plan().Ends == domain.EndsWhenTold && blank(r.Which, r.During) && !r.All && (r.verb == domain.PlanDone || r.verb == domain.PlanChanged):
		return selection{plans: []planned{fired}}
	case r.verb == skipped:
		return chooseSkipped(r.naming, noun, from.open, call)
	case len(from.told) == 0 || r.All || r.During != "":
		return choose(r.naming, noun, from.open, call)
	}
	found := choose(r.naming, noun, both, call)
	if !found.namesNone() && len(found.plans) == 1 {
		return found
	}
	if waiting := choose(r.naming, noun, from.open, call); !waiting.isUnclear() {
		return waiting
	}
	return found
}

// elsewhere does it to a plan of another kind than was said, when no plan of that kind has the words that name it
// and exactly one of the others has them: who cancels kickball may mean its alarm. It is false when there
// is none.
func (s *skills) elsewhere(ctx context.Context, call tool.SkillCall, r request) (tool.SkillDone, bool, error) {
	telling := slices.DeleteFunc(bynames.TellingWords(r.Which), func(w string) bool { return generic[w] })
	_, notID := domain.ParseID(strings.TrimSpace(r.Which))
	if _, rest, err := when.Narrow(r.Which, call.Now, call.Zone); notID == nil || r.All || len(telling) == 0 && blank(r.About) || err == nil && blank(rest) {
		return tool.SkillDone{}, false, nil // a time alone names no plan of another kind
	}
	var found, asked selection
	var through domain.Position
	for _, k := range domain.Events().Kinds() {
		if k.Kind == r.kind || !r.isFor(k) {
			continue
		}
		from, err := s.poolOf(ctx, call, k, r.verb == domain.PlanDone || r.verb == domain.PlanChanged)
		if err != nil {
			return tool.SkillDone{}, false, err
		}
		all := from.all()
		if r.verb == skipped {
			all = comingBack(all)
		}
		of := choose(r.naming, string(k.Kind), all, call)
		switch {
		case of.isUnclear() && !of.absent && (len(of.several) == 0 || len(found.plans) > 0 || len(asked.several) > 0):
			return tool.SkillDone{}, false, nil // several may be meant, of several kinds
		case of.isUnclear() && !of.absent:
			asked = of
		case len(of.plans) > 0:
			of.plans = append(found.plans, of.plans...)
			found, through = of, from.through
		}
	}
	switch {
	case len(asked.several) > 0 && len(found.plans) == 0:
		done, err := asked.asks()
		for i, p := range asked.several[:len(done.Answers)] {
			done.Answers[i].Skill, done.Answers[i].With = string(p.Kind), r.asked(p)
		}
		return done, true, err
	case len(found.plans) != 1 || len(asked.several) > 0:
		return tool.SkillDone{}, false, nil
	}
	one := found.plans[0]
	r.kind, r.Which, r.During, r.About = one.Kind, one.ID.UUID(), found.during, ""
	done, err := s.changeFound(ctx, call, r, found, through)
	return done, true, err
}

// changeFound has happen to plans what is to.
func (s *skills) changeFound(ctx context.Context, call tool.SkillCall, r request, found selection, through domain.Position) (tool.SkillDone, error) {
	one, several := found.plans[0], len(found.plans) > 1
	switch {
	case one.Kind.TakesPlace():
		given := r.asked(one)
		given["confirmed"] = r.Confirmed
		if found.during != "" {
			given["during"] = found.during
		}
		return s.change(ctx, call, one, given)
	case r.snoozes && !several && one.Told == 0:
		return tell(say("snooze.not_yet", args{"what": one.its(), "at": one.dueAt()}))
	case r.snoozes && blank(r.When):
		r.When = "in 10 minutes"
	}
	switch {
	case r.verb == skipped && several:
		return s.skipAll(s.ending(call, r.kind, domain.PlanDropped), call, found.plans, through)
	case r.verb == skipped:
		return s.skip(call, one, through)
	case r.verb == domain.PlanChanged && several:
		return movingEach(call, speech.Kind(r.kind), found, r.naming, func(one planned) (tool.SkillDone, error) {
			return s.move(ctx, call, one, through, r)
		})
	case r.verb == domain.PlanChanged:
		return s.move(ctx, call, one, through, r)
	case r.verb == domain.PlanProgressed && several:
		return whichOne(speech.Kind(r.kind), found.plans)
	case r.verb == domain.PlanProgressed:
		return s.progress(call, one, through, r)
	}
	how := s.ending(call, r.kind, r.verb)
	return s.endAll(how, found, through, r.naming, func(one planned) (tool.SkillDone, error) {
		e, err := how.end(one)
		if err != nil {
			return asksBack(err)
		}
		return resting(one.ID, through)(confirm(one.goes(r.verb), one.ended(), e))
	})
}

// happens is the entry by which something happens to a plan.
func (s *skills) happens(call tool.SkillCall, one domain.Commitment, verb domain.PlanVerb, said domain.Plan) (domain.Entry, error) {
	done, err := one.Decide(verb, said)
	if err != nil {
		return domain.Entry{}, err
	}
	return entry(s, call, done.Payload, done.Keys)
}

// begin makes a plan, when there is room for it and it isn't there already; points are what its answer points at
// besides.
func (s *skills) begin(ctx context.Context, call tool.SkillCall, kind domain.ItemKind, p domain.Plan, again bool, says speech.Message, points map[string]any) (tool.SkillDone, error) {
	made, err := domain.Commitment{Kind: kind}.Decide(domain.PlanMade, p)
	if err != nil {
		return asksBack(err)
	}
	if full, err := s.full(ctx); err != nil || full {
		return noRoom(err)
	}
	if !again {
		if there, err := s.alreadyPlanned(ctx, call, kind, p.Text, p.Time.Timing()); err != nil || !there.IsZero() {
			return orAnyway(there, kind, err)
		}
	}
	e, err := entry(s, call, made.Payload, made.Keys)
	if err != nil {
		return tool.SkillDone{}, err
	}
	points[string(kind)+"_id"], points["text"] = e.Envelope.ID.UUID(), p.Text
	return confirm(says, points, e)
}

// move gives a plan another time.
func (s *skills) move(ctx context.Context, call tool.SkillCall, one planned, through domain.Position, r request) (tool.SkillDone, error) {
	if one.Kind.Plan().Ends == domain.EndsByPerson {
		at, err := r.deadline(one, call)
		if err != nil {
			return asksBack(err)
		}
		return s.moveTo(call, one, through, r, at)
	}
	if !blank(r.Except) {
		return s.leaveOut(call, one, r.Except, r.When, through)
	}
	if question := notOnDays(one, r.When, call); !question.IsZero() {
		return ask(question)
	}
	at, err := r.time(one, call)
	switch {
	case err != nil:
		return asksBack(err)
	case one.Recurs && at.Recurrence == nil:
		return s.once(ctx, call, one, at, through, r.naming)
	}
	return s.moveTo(call, one, through, r, at)
}

// moveTo gives a plan a time.
func (s *skills) moveTo(call tool.SkillCall, one planned, through domain.Position, r request, at when.Time) (tool.SkillDone, error) {
	zone, known := zoneFor(at, call)
	if !known {
		return ask(say("zone.unknown", args{"zone": theirOwn(at.Zone.String())}))
	}
	to := domain.Plan{Text: strings.TrimSpace(r.What), Time: domain.Appointment{Start: at.At, Recurrence: at.Recurrence}}
	if at.At != 0 {
		to.Time.Zone = zone
	}
	e, err := s.happens(call, one.Commitment, domain.PlanChanged, to)
	if err != nil {
		return asksBack(err)
	}
	one.text = cmp.Or(to.Text, one.text)
	return resting(one.ID, through)(confirm(one.isAt(at, call), one.spokenAnew(at.At, 0, at.Recurrence != nil), e))
}

// progress notes how far a plan has come.
func (s *skills) progress(call tool.SkillCall, one planned, through domain.Position, r request) (tool.SkillDone, error) {
	if r.percent == nil {
		return ask(say("task.how_far", args{"what": one.its()}))
	}
	e, err := s.happens(call, one.Commitment, domain.PlanProgressed, domain.Plan{Percent: *r.percent, Note: strings.TrimSpace(r.note)})
	if err != nil {
		return asksBack(err)
	}
	return resting(one.ID, through)(confirm(say("task.percent", args{"what": one.its(), "percent": speech.Count(*r.percent)}), one.spoken(), e))
}

// deeds are the words for what happens to several plans. What the person ends by itself is dropped or
// complete, and not cancelled.
var deeds = map[domain.PlanVerb]speech.Kind{domain.PlanDropped: "cancel", domain.PlanDone: "end"}

func deedOf(kind domain.ItemKind, verb domain.PlanVerb) speech.Kind {
	switch byPerson := kind.Plan().Ends == domain.EndsByPerson; {
	case byPerson && verb == domain.PlanDropped:
		return "drop"
	case byPerson:
		return "complete"
	}
	return deeds[verb]
}

// ending is how plans of a kind end.
func (s *skills) ending(call tool.SkillCall, kind domain.ItemKind, verb domain.PlanVerb) ending {
	return ending{noun: speech.Kind(kind), deed: deedOf(kind, verb), spares: verb == domain.PlanDropped && kind.IsTold(), end: func(p planned) (domain.Entry, error) {
		return s.happens(call, p.Commitment, verb, domain.Plan{})
	}}
}

// goes says that a plan has ended.
func (p planned) goes(verb domain.PlanVerb) speech.Message {
	switch alarm := rings[p.text]; {
	case verb == domain.PlanDone:
		return say("done", args{"what": p.its()})
	case p.Kind == domain.ItemTask:
		return say("task.let_go", args{"what": p.its()})
	case p.Kind == domain.ItemReminder && alarm != "":
		return say("alarm.no_more", args{"alarm": alarm})
	case p.Kind == domain.ItemReminder:
		return say("reminder.no_more", args{"what": p.its()})
	}
	return say("plans.ended", args{"deed": deedOf(p.Kind, verb), "n": speech.Count(1), "kind": speech.Kind(p.Kind), "plans": withTimes([]planned{p}, 1)})
}

// isAt says at what time a plan is now.
func (p planned) isAt(at when.Time, call tool.SkillCall) speech.Message {
	switch {
	case at.At == 0:
		return say("task.undated", args{"what": p.its()})
	case p.Kind == domain.ItemTask:
		return say("task.made", args{"what": p.its(), "until": moment(at.At, call)})
	case p.Kind == domain.ItemReminder:
		return willRemind(at, p.its(), call)
	}
	return say("plan.moved", args{"what": p.its(), "times": timesOf(at, call)})
}

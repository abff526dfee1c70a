package skill

import (
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
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

	kind       domain.ItemKind // that was said
	verb       domain.PlanVerb
	snoozes    bool   // a move of what was just told
	everything bool   // all of a period, whatever its kind, of which others stay
	percent    *int   // of what comes further
	note       string // likewise
}

// moving is what is given of a plan that changes.
type moving struct {
	When, What                 string
	Until, Place, With, Before string // of what takes place
	Except                     string // days that are left out from now on
	Always                     bool   // all times of it
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
	times := map[string]string{"deadline": r.When}
	if one.Kind.IsTold() {
		times = map[string]string{"when": r.When, "except": r.Except}
	}
	for name, said := range times {
		if said != "" {
			given[name] = said
		}
	}
	if r.Always && one.Kind.IsTold() {
		given["always"] = true
	}
	return given
}

// changing is a request that is being met.
type changing struct {
	*skills
	request

	call tool.SkillCall
	at   *when.Text // the time that was said
	from pool
}

// changing begins to meet a request.
func (s *skills) changing(call tool.SkillCall, r request) changing {
	return changing{skills: s, request: r, call: call, at: timing.To(r.When, r.snoozes, call.Now, call.Zone)}
}

// pool is where plans of a kind are looked for.
type pool struct {
	open    []planned
	told    []planned       // lately, of those that end so
	through domain.Position // as of which they are known
}

// all are the plans in it.
func (p pool) all() []planned { return append(slices.Clone(p.open), p.told...) }

// poolOf are the plans of a kind; those of all without one.
func (s *skills) poolOf(ctx context.Context, call tool.SkillCall, kind domain.PlanKind, told bool) (p pool, err error) {
	if p.open, p.through, err = s.open(ctx, kind.Kind); err == nil {
		p.open, err = s.timed(ctx, dated(p.open, call))
	}
	if err == nil && told && kind.Ends == domain.EndsWhenTold {
		p.told, err = s.recentlyTold(ctx, kind.Kind)
		p.told = dated(p.told, call)
	}
	return p, err
}

// changePlans is the procedure.
func (s *skills) changePlans(ctx context.Context, call tool.SkillCall, r request) (tool.SkillDone, error) {
	c := s.changing(call, r)
	var err error
	if c.from, err = s.poolOf(ctx, call, c.kind.Plan(), true); err != nil {
		return tool.SkillDone{}, err
	}
	if _, told := justFired(c.from.all(), call.Now); c.snoozes && blank(c.Which, c.During) && !told {
		return tell(say("snooze.nothing"))
	}
	if c.ends = c.verb == domain.PlanDropped; c.ends {
		if done, ok, err := c.ofSeveralKinds(ctx); ok || err != nil {
			return done, err
		}
	}
	found := c.among()
	if c.everything {
		stays, err := s.staying(ctx, c.request, call)
		if err != nil {
			return asksBack(err)
		}
		if !found.none.IsZero() {
			return tell(found.none, stays)
		}
		found.stays = []speech.Message{stays}
	}
	if found.absent && c.verb != domain.PlanProgressed {
		if done, ok, err := c.elsewhere(ctx); ok || err != nil {
			return done, err
		}
	}
	if found.namesNone() {
		return found.asks()
	}
	return c.happen(ctx, found)
}

// among finds the plans that are meant. Waiting ones go before those that were told, which are named by
// words alone.
func (c *changing) among() selection {
	noun, both := string(c.kind), c.from.all()
	fired, ok := justFired(both, c.call.Now)
	unnamed := blank(c.Which, c.During) && !c.All && (c.verb == domain.PlanDone || c.verb == domain.PlanChanged)
	switch {
	case ok && unnamed && c.kind.Plan().Ends == domain.EndsWhenTold:
		return selection{plans: []planned{fired}}
	case c.verb == skipped:
		return chooseSkipped(c.naming, noun, c.from.open, c.call)
	case len(c.from.told) == 0 || c.All || c.During != "":
		return choose(c.naming, noun, c.from.open, c.call)
	}
	found := choose(c.naming, noun, both, c.call)
	if !found.namesNone() && len(found.plans) == 1 {
		return found
	}
	if waiting := choose(c.naming, noun, c.from.open, c.call); !waiting.isUnclear() {
		return waiting
	}
	return found
}

// ofSeveralKinds ends plans that are named by their ids; false when it names others, or all are of one kind.
func (c *changing) ofSeveralKinds(ctx context.Context) (tool.SkillDone, bool, error) {
	ids := idsIn(c.Which)
	if len(ids) < 2 {
		return tool.SkillDone{}, false, nil
	}
	from, err := c.poolOf(ctx, c.call, domain.PlanKind{}, false)
	if err != nil {
		return tool.SkillDone{}, false, err
	}
	var found selection
	kinds := map[domain.ItemKind]bool{}
	for _, id := range ids {
		one, question := pick(id.UUID(), "plan", from.open)
		if !question.IsZero() {
			done, err := ask(question)
			return done, true, err
		}
		found.plans, kinds[one.Kind] = append(found.plans, one), true
	}
	if len(kinds) < 2 {
		return tool.SkillDone{}, false, nil
	}
	c.kind, c.from = "plan", from
	done, err := c.end(ctx, found)
	return done, true, err
}

// elsewhere does it to what is kept elsewhere; false when there is none: a plan of another kind, or, where it is done,
// an entry of a list.
func (s *skills) elsewhere(ctx context.Context, call tool.SkillCall, r request) (tool.SkillDone, bool, error) {
	c := s.changing(call, r)
	return c.elsewhere(ctx)
}

func (c *changing) elsewhere(ctx context.Context) (tool.SkillDone, bool, error) {
	found, asked, err := c.ofOthers(ctx)
	switch {
	case err != nil:
		return tool.SkillDone{}, false, err
	case len(asked.several) > 0 && len(found.plans) == 0:
		done, err := asked.asks()
		for i, p := range asked.several[:len(done.Answers)] {
			done.Answers[i].Skill, done.Answers[i].With = string(p.Kind), c.asked(p)
		}
		return done, true, err
	case len(found.plans) == 1 && len(asked.several) == 0:
		one := found.plans[0]
		c.kind, c.naming = one.Kind, naming{Which: one.ID.UUID(), During: found.during, Confirmed: c.Confirmed}
		c.moving = moving{When: c.When, Except: c.Except, Always: c.Always}
		done, err := c.happen(ctx, found)
		return done, true, err
	case c.verb == domain.PlanDone && c.kind == domain.ItemTask:
		return c.offLists(ctx, c.call, c.Which)
	}
	return tool.SkillDone{}, false, nil
}

// ofOthers finds what is meant among the plans of other kinds than was said, when no plan of that kind has the words that
// name it: who cancels kickball may mean its alarm. Of several of one kind it is asked which. Nothing is found
// where several kinds have some.
func (c *changing) ofOthers(ctx context.Context) (found, asked selection, err error) {
	telling := bynames.Particular(bynames.TellingWords(c.Which))
	_, notID := domain.ParseID(strings.TrimSpace(c.Which))
	if notID == nil || c.All || len(telling) == 0 && blank(c.About) {
		return found, asked, nil
	}
	if bynames.OnlyWhen(c.Which, c.call.Now, c.call.Zone) {
		return found, asked, nil // a time alone names no plan of another kind
	}
	for _, k := range domain.Events().Kinds() {
		if k.Kind == c.kind || !c.isFor(k) {
			continue
		}
		from, err := c.poolOf(ctx, c.call, k, c.verb == domain.PlanDone || c.verb == domain.PlanChanged)
		if err != nil {
			return found, asked, err
		}
		all := from.all()
		if c.verb == skipped {
			all = comingBack(all)
		}
		of := choose(c.naming, string(k.Kind), all, c.call)
		switch unclear := of.isUnclear() && !of.absent; {
		case unclear && (len(of.several) == 0 || len(found.plans)+len(asked.several) > 0):
			return selection{}, selection{}, nil // several may be meant, of several kinds
		case unclear:
			asked = of
		case len(of.plans) > 0:
			of.plans = append(found.plans, of.plans...)
			found, c.from = of, from
		}
	}
	return found, asked, nil
}

// happen has happen to plans what is to.
func (c *changing) happen(ctx context.Context, found selection) (tool.SkillDone, error) {
	one, several := found.plans[0], len(found.plans) > 1
	if c.snoozes && !several && one.Told == 0 {
		return tell(say("snooze.not_yet", args{"what": one.its(), "at": one.dueAt()}))
	}
	switch {
	case c.verb == skipped && several:
		return c.skipEach(found.plans)
	case c.verb == skipped:
		return c.skip(one)
	case c.verb == domain.PlanChanged && several:
		return c.moveEach(ctx, found)
	case c.verb == domain.PlanChanged:
		return c.move(ctx, one)
	case c.verb == domain.PlanProgressed && several:
		return whichOne(speech.Kind(c.kind), found.plans)
	case c.verb == domain.PlanProgressed:
		return c.progress(one)
	}
	return c.end(ctx, found)
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
func (s *skills) begin(ctx context.Context, call tool.SkillCall, kind domain.ItemKind, p domain.Plan, again bool,
	points map[string]any, says ...speech.Message) (tool.SkillDone, error) {
	made, err := domain.Commitment{Kind: kind}.Decide(domain.PlanMade, p)
	if err != nil {
		return asksBack(err)
	}
	if full, err := s.full(ctx); err != nil || full {
		return noRoom(err)
	}
	if !again {
		if done, there, err := s.alreadyPlanned(ctx, call, kind, p); err != nil || there {
			return done, err
		}
	}
	e, err := entry(s, call, made.Payload, made.Keys)
	if err != nil {
		return tool.SkillDone{}, err
	}
	points[string(kind)+"_id"], points["text"] = e.Envelope.ID.UUID(), p.Text
	return confirmAll(says, points, e)
}

// idsIn are the ids that a text is a row of; none when there is anything else in it.
func idsIn(text string) []domain.ID {
	var out []domain.ID
	for part := range strings.SplitSeq(text, " and ") {
		id, err := domain.ParseID(strings.TrimSpace(part))
		if err != nil {
			return nil
		}
		out = append(out, id)
	}
	return out
}

package skill_test

import (
	"log/slog"
	"slices"
	"testing"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// happens has something happen to a plan as the domain decides it.
func (p *planner) happens(c domain.Commitment, verb domain.PlanVerb, said domain.Plan) domain.ID {
	p.t.Helper()
	effect, err := c.Decide(verb, said)
	if err != nil {
		p.t.Fatal(err)
	}
	id := p.ids.NewID()
	e, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, p.now(), "test", effect.Payload)
	if err != nil {
		p.t.Fatal(err)
	}
	e.Envelope.Keys = effect.Keys
	p.does(tool.SkillDone{Entries: []domain.Entry{e}})
	return id
}

// known is a plan as it stands now.
func (p *planner) known(id domain.ID) domain.Commitment {
	p.t.Helper()
	if err := p.WaitFor(p.t.Context(), p.log.Tail()); err != nil {
		p.t.Fatal(err)
	}
	one, ok := p.plans.Commitments.Find(id)
	if !ok {
		p.t.Fatalf("nothing is known of the plan %s", id)
	}
	return one
}

// changingPlans never says that they change: a test makes the rounds itself.
type changingPlans struct{ planBook }

func (changingPlans) Changed() <-chan struct{} { return nil }

type noHeart struct{}

func (noHeart) Work(string) func() { return func() {} }

// tellsDue has the scheduler tell what is due.
func (p *planner) tellsDue() {
	p.t.Helper()
	scheduler, err := background.NewScheduler(background.SchedulerConfig{
		Env:   commands.Env{Log: p.log, Reader: p.log, Tail: p.log, Clock: p.clock, IDs: p.ids, Logger: slog.New(slog.DiscardHandler)},
		Plans: changingPlans{planBook{p}}, Applied: p, Heart: noHeart{},
	})
	if err == nil {
		_, err = scheduler.Round(p.t.Context())
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// A kind of plan is a row of the table: what is made, moved, ended, told, taken back and kept in mind
// of all plans is so of one that Chalie doesn't have.
func TestAnotherKindOfPlanIsARow(t *testing.T) {
	domaintest.WithKind(t, domaintest.Bet)
	p := newPlanner(t)
	plans := func(want string) {
		t.Helper()
		if got := p.call("plans", `{}`); got != want {
			t.Errorf("planned is %q, want %q", got, want)
		}
	}
	undo := func(want string) {
		t.Helper()
		if got := p.call("undo", `{}`); got != want {
			t.Errorf("undo says %q, want %q", got, want)
		}
	}
	at := func(text string) domain.Appointment {
		return domain.Appointment{Start: p.moment(text), Zone: p.zone.String()}
	}

	id := p.happens(domain.Commitment{Kind: "bet"}, domain.PlanMade, domain.Plan{Text: "the tower falls", Time: at("2026-11-22 09:00")})
	plans("Bets: the tower falls, tomorrow at 09:00.")
	p.happens(p.known(id), domain.PlanChanged, domain.Plan{Text: "the spire falls", Time: at("2026-11-27 10:00")})
	plans("Bets: the spire falls, on Friday 27 November at 10:00.")
	undo(`Taken back: the bet "the tower falls" is tomorrow at 09:00 again.`)
	p.happens(p.known(id), domain.PlanProgressed, domain.Plan{Percent: 40})
	plans("Bets: the tower falls (40 %), tomorrow at 09:00.")
	undo(`Taken back: the bet "the tower falls" is at 0 % again.`)
	p.happens(p.known(id), domain.PlanDropped, domain.Plan{})
	plans("Nothing is planned.")
	if _, err := p.known(id).Decide(domain.PlanDone, domain.Plan{}); domain.CodeOf(err) != domain.CodePlanEnded {
		t.Errorf("it can be won after it was called off: %v", err)
	}
	undo(`Taken back: the bet "the tower falls" is back, tomorrow at 09:00.`)

	p.clock.Advance(p.moment("2026-11-22 09:00").Sub(p.now()))
	p.tellsDue()
	said := told[domain.ReasoningConcluded](p)
	if len(said) != 1 || domain.PlainText(said[0].Blocks) != "Bet: the tower falls" || said[0].Topic != "bet" {
		t.Errorf("told is %+v", said)
	}
	if got := p.known(id); got.Standing != domain.StandingTold || got.Told != p.now() {
		t.Errorf("told, it is %+v", got)
	}
	p.happens(p.known(id), domain.PlanDone, domain.Plan{})
	if got := p.known(id).Standing; got != domain.StandingDone {
		t.Errorf("won, it is %s", got)
	}
	if !slices.ContainsFunc(p.world.Candidates(p.now()), func(c domain.Candidate) bool {
		return c.EnvelopeID == id && c.Kind == "bet" && c.Phase == domain.PhaseDone
	}) {
		t.Errorf("the world has no bet: %+v", p.world.Candidates(p.now()))
	}
	second := p.happens(domain.Commitment{Kind: "bet"}, domain.PlanMade, domain.Plan{Text: "it rains", Time: at("2026-11-23 09:00")})
	undo(`Taken back: the bet "it rains", tomorrow at 09:00, is removed.`)
	if got := p.known(second).Standing; got != domain.StandingDropped {
		t.Errorf("taken back, it is %s", got)
	}
}

// What is asked for without the name of its kind, or by that of another, reaches a kind by its row.
func TestAnotherKindOfPlanIsFound(t *testing.T) {
	domaintest.WithKind(t, domaintest.Bet)
	for _, c := range []struct{ skill, params, said string }{
		{"remove", `{"which":"tower"}`, `Cancelled 1 bet: "the tower falls" (tomorrow at 09:00).`},
		{"remove", `{"which":"tower","action":"done"}`, "Done: the tower falls"},
		{"task", `{"action":"complete","which":"the tower"}`, "Done: the tower falls"},
		{"reminder", `{"action":"cancel","which":"tower"}`, `Cancelled 1 bet: "the tower falls" (tomorrow at 09:00).`},
		{"reminder", `{"action":"move","which":"tower","when":"10"}`, "Moved: the tower falls, tomorrow, Sunday 22 November at 10:00"},
		{"appointment", `{"action":"move","which":"tower","when":"on Friday"}`, "Moved: the tower falls, on Friday 27 November at 09:00"},
		{"reminder", `{"action":"skip","which":"tower"}`, `Nothing like "tower" comes back, so there is nothing to skip.`},
		{"reminder", `{"action":"cancel","which":"falls"}`, `Which bet is meant: "the tower falls", "the spire falls"?`},
	} {
		p := newPlanner(t)
		of := domain.Commitment{Kind: domaintest.Bet.Kind}
		p.happens(of, domain.PlanMade, domain.Plan{Text: "the tower falls", Time: domain.Appointment{Start: p.moment("2026-11-22 09:00"), Zone: p.zone.String()}})
		if c.params == `{"action":"cancel","which":"falls"}` {
			p.happens(of, domain.PlanMade, domain.Plan{Text: "the spire falls", Time: domain.Appointment{Start: p.moment("2026-11-23 09:00"), Zone: p.zone.String()}})
		}
		done := p.ask(c.skill, c.params)
		if done.Result.Text == nil || *done.Result.Text != c.said {
			t.Errorf("%s %s says %q, want %q", c.skill, c.params, *done.Result.Text, c.said)
		}
	}
}

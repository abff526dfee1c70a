package skill_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/skill"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// planner is a log with folds that follow it, and the skills over them.
type planner struct {
	concerns *skill.Concerns
	t        testing.TB
	clock    *domaintest.Clock
	ids      *domaintest.IDs
	log      *memlog.Log
	zone     *time.Location
	tools    map[string]tool.Skill

	through  domain.Position
	plans    domain.Plans
	memories domain.Memories
	world    domain.World
	unwanted domain.Unwanted

	invocations domain.Invocations
	registry    domain.Registry
	notices     []domain.PastNotice // what was told unasked, the latest first
	explains    func(about string, not bool) ([]string, error)
	trouble     []string
}

// planBook, memoryBook, worldBook: the same folds under the names that the ports want.
type (
	planBook   struct{ *planner }
	memoryBook struct{ *planner }
	worldBook  struct{ *planner }
)

func (b planBook) Read(fn func(*domain.Plans)) { fn(&b.plans) }

func (b memoryBook) Read(fn func(*domain.Memories)) { fn(&b.memories) }

func (b worldBook) Read(fn func(*domain.World)) { fn(&b.world) }

type (
	invocationBook struct{ *planner }
	registryBook   struct{ *planner }
)

func (b invocationBook) Read(fn func(*domain.Invocations)) { fn(&b.invocations) }

func (b registryBook) Read(fn func(*domain.Registry)) { fn(&b.registry) }

type unwantedBook struct{ *planner }

func (b unwantedBook) Read(fn func(*domain.Unwanted)) { fn(&b.unwanted) }

// Recent implements skill.Told.
func (p *planner) Recent(domain.Millis, time.Duration) []domain.PastNotice { return p.notices }

// newPlanner stands in Malta on a Saturday morning.
func newPlanner(t testing.TB) *planner {
	t.Helper()
	return newPlannerIn(t, "Europe/Malta", "2026-11-21 10:00")
}

// newPlannerIn stands somewhere at a time on the wall there.
func newPlannerIn(t testing.TB, place, at string) *planner {
	t.Helper()
	zone, err := time.LoadLocation(place)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := time.ParseInLocation("2006-01-02 15:04", at, zone)
	if err != nil {
		t.Fatal(err)
	}
	clock := domaintest.NewClockAt(wall)
	p := &planner{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: memlog.New(clock), zone: zone, tools: map[string]tool.Skill{}, world: domain.NewWorld()}
	cfg := skill.Config{
		Plans: planBook{p}, Memory: memoryBook{p}, World: worldBook{p}, Unwanted: unwantedBook{p}, Told: p, Env: commands.Env{Log: p.log, Reader: p.log, Tail: p.log, Clock: p.clock, IDs: p.ids, Logger: slog.New(slog.DiscardHandler)}, Applied: p, Explainer: p,
		Trouble: func() []string { return p.trouble }, Invocations: invocationBook{p}, Registry: registryBook{p},
	}
	skills, err := skill.New(cfg)
	if err == nil {
		p.concerns, err = skill.NewConcerns(cfg)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skills {
		p.tools[s.Tool().Name] = s
	}
	return p
}

func (p *planner) WaitFor(ctx context.Context, pos domain.Position) error {
	for p.through < pos {
		records, err := p.log.Select(ctx, domain.Selector{}, p.through+1, 100)
		if err != nil {
			return err
		}
		for _, rec := range records {
			p.memories.Evolve(rec)
			if err := p.plans.Evolve(rec); err != nil {
				return err
			}
			if err := p.world.Evolve(rec); err != nil {
				return err
			}
			if err := p.unwanted.Evolve(rec); err != nil {
				return err
			}
			p.through = rec.Position
		}
	}
	return nil
}

func (p *planner) Explain(_ context.Context, about string) ([]string, error) {
	return p.explains(about, false)
}

func (p *planner) ExplainNot(_ context.Context, about string, _ domain.TraceID) ([]string, error) {
	return p.explains(about, true)
}

func (p *planner) now() domain.Millis { return domain.MillisOf(p.clock.Now()) }

// ask is what a skill decides. Its parameters are held to what it declares.
func (p *planner) ask(name, params string) tool.SkillDone {
	p.t.Helper()
	s, ok := p.tools[name]
	if !ok {
		p.t.Fatalf("there is no skill %s", name)
	}
	offered := s.Tool()
	if err := offered.CheckParams(json.RawMessage(params)); err != nil {
		p.t.Fatalf("%s %s: %v", name, params, err)
	}
	cause := p.ids.NewID()
	done, err := s.Do(p.t.Context(), tool.SkillCall{
		Params: json.RawMessage(params), By: commands.OperatorCaller("test"), Now: p.now(), Zone: p.zone,
		Lineage: domain.Lineage{Trace: domain.TraceID{ID: cause}, Parent: cause, Principal: domain.PrincipalOperator},
	})
	if err != nil {
		p.t.Fatalf("%s %s: %v", name, params, err)
	}
	if !s.SideEffects() && len(done.Entries) > 0 {
		p.t.Fatalf("%s has no side effects, and changes something", name)
	}
	p.fits(name, done)
	return done
}

// call does what a skill decides, and returns its text.
func (p *planner) call(name, params string) string {
	p.t.Helper()
	done := p.ask(name, params)
	p.does(done)
	return *done.Result.Text
}

// fits holds an answer to what the skill declares of its data.
func (p *planner) fits(name string, done tool.SkillDone) {
	p.t.Helper()
	if len(done.Result.Data) == 0 || done.Result.Error != nil {
		return
	}
	declared := p.tools[name].Tool().Returns
	var known struct{ Properties map[string]any }
	var given map[string]any
	if json.Unmarshal(declared, &known) != nil || json.Unmarshal(done.Result.Data, &given) != nil {
		p.t.Errorf("%s answers %s, and declares %q", name, done.Result.Data, declared)
	}
	for member := range given {
		if known.Properties[member] == nil {
			p.t.Errorf("%s answers with %s, which it doesn't declare: %s", name, member, done.Result.Data)
		}
	}
	if wrong, checked, err := (jsonschema.Formats{}).Check(p.t.Context(), declared, done.Result.Data); !checked || err != nil || len(wrong) > 0 {
		p.t.Errorf("%s answers %s, which isn't what it declares: %v, %v", name, done.Result.Data, wrong, err)
	}
}

func (p *planner) does(done tool.SkillDone) {
	p.t.Helper()
	if len(done.Entries) == 0 {
		return
	}
	if _, err := p.log.Append(p.t.Context(), domain.Batch{Entries: done.Entries, Conditions: done.Conditions}); err != nil {
		p.t.Fatal(err)
	}
}

// told is what the log holds of a type, oldest first.
func told[P any](p *planner) (out []P) {
	p.t.Helper()
	records, err := p.log.Select(p.t.Context(), domain.Selector{}, 1, 10_000)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, rec := range records {
		if payload, err := domain.Decode[P](rec.Envelope); err == nil {
			out = append(out, payload)
		}
	}
	return out
}

// moment is a time on the planner's wall.
func (p *planner) moment(text string) domain.Millis {
	p.t.Helper()
	m, err := time.ParseInLocation("2006-01-02 15:04", text, p.zone)
	if err != nil {
		p.t.Fatal(err)
	}
	return domain.MillisOf(m)
}

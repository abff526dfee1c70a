package main

import (
	"context"
	"fmt"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/replay"
)

// newSkills is what Chalie itself can do.
func newSkills(a *App) ([]commands.Skill, error) {
	return commands.NewSkills(commands.SkillsConfig{
		Plans: a.folds.plans, Memory: a.folds.memory, World: a.folds.world, Reader: a.log, Tail: a.log,
		Applied: a.folds.those(a.folds.plans, a.folds.memory, a.folds.world), IDs: a.cfg.IDs,
		Explainer: explainer{a}, Trouble: a.trouble,
	})
}

// newScheduler is what tells the person of what falls due.
func newScheduler(a *App) (*commands.Scheduler, error) {
	return commands.NewScheduler(commands.SchedulerConfig{
		Log: a.bus, Reader: a.log, Tail: a.log, Plans: a.folds.plans, Applied: a.folds.those(a.folds.plans),
		Clock: a.cfg.Clock, IDs: a.cfg.IDs, Heart: a.spine.hearts, Logger: a.cfg.Logger,
	})
}

// explainer explains from the log, in the person's zone.
type explainer struct{ a *App }

// Explain implements commands.Explainer.
func (x explainer) Explain(ctx context.Context, id domain.ID) ([]string, error) {
	target, err := replay.ParseTarget("last")
	if !id.IsZero() {
		target, err = replay.ParseTarget(id.String())
	}
	if err != nil {
		return nil, err
	}
	out, err := replay.Explain(ctx, x.a.log, target, x.a.zone())
	return out.Sentences, err
}

// zone is the person's, as a client of theirs told it, or this machine's; UTC when
// neither is known.
func (a *App) zone() *time.Location {
	name := athome{a.folds.surroundings, hostZone()}.Now().Timezone
	if name == nil {
		return time.UTC
	}
	zone, err := time.LoadLocation(*name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// trouble is what of Chalie doesn't work now, a sentence each.
func (a *App) trouble() (out []string) {
	for _, p := range a.spine.hearts.Pulses() {
		if p.Dead {
			out = append(out, fmt.Sprintf("%s %s: %s", p.Service.Name, p.Why, p.Service.FailMode))
		}
	}
	return out
}

package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"chalie/adapters/hostzone"
	"chalie/commands"
	"chalie/commands/background"
)

// newScheduler is what tells the person of what falls due.
func newScheduler(a *App) (*background.Scheduler, error) {
	return a.wiring().Scheduler(a.spine.hearts)
}

// zone is the person's, as a client of theirs told it, or this machine's; UTC when
// neither is known.
func (a *App) zone() *time.Location {
	return commands.AtHome{ContextView: a.folds.surroundings, Zone: hostzone.Name()}.Location()
}

// trouble is what of Chalie doesn't work now, a sentence each.
func (a *App) trouble() (out []string) {
	for _, p := range a.spine.hearts.Pulses() {
		if p.Dead {
			out = append(out, fmt.Sprintf("%s %s: %s", p.Service.Name, p.Why, p.Service.FailMode))
		}
	}
	diverged := a.auditor.Diverged(a.stopping)
	for _, name := range slices.Sorted(maps.Keys(diverged)) {
		out = append(out, "projection "+name+" "+divergedWords(diverged[name]))
	}
	return out
}

package inmemory

import (
	"context"
	"errors"
	"fmt"

	"chalie/domain"
	"chalie/replay/player"
)

// Nothing is outside: no other model, and no interface.
type Nothing struct{}

var _ player.Effects = Nothing{}

var errOutside = errors.New("there is nothing outside")

// Ground implements player.Effects: the built-in model alone answers.
func (Nothing) Ground(context.Context, player.Act) (domain.ReasoningStarted, bool) {
	return domain.ReasoningStarted{}, false
}

// Reply implements player.Effects.
func (Nothing) Reply(_ context.Context, _ player.Act, model string) (domain.Envelope, error) {
	return domain.Envelope{}, fmt.Errorf("%w: %s was asked", errOutside, model)
}

// Edited implements player.Effects.
func (Nothing) Edited(context.Context, player.Act) (domain.Envelope, bool, error) {
	return domain.Envelope{}, false, nil
}

// Verdict implements player.Effects.
func (Nothing) Verdict(context.Context, player.Act) (domain.Envelope, error) {
	return domain.Envelope{}, errOutside
}

// Answer implements player.Effects.
func (Nothing) Answer(_ context.Context, _ player.Act, call player.Outgoing) (domain.Envelope, error) {
	return domain.Envelope{}, fmt.Errorf("%w: %s was called", errOutside, call.Tool)
}

// State implements player.Effects.
func (Nothing) State(context.Context, player.Act, player.Outgoing, domain.Moment) (domain.StateTaken, error) {
	return domain.StateTaken{}, errOutside
}

// Invoked implements player.Effects.
func (Nothing) Invoked(context.Context, domain.ID) (domain.Record, error) {
	return domain.Record{}, errOutside
}

// Trouble implements player.Effects.
func (Nothing) Trouble() []string { return nil }

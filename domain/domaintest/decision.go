package domaintest

import (
	"reflect"
	"testing"

	"chalie/domain"
)

// Rules are how events of type E make a state S: what a decision rests on.
//
//	rules := domaintest.Rules[account, any]{Evolve: account.evolve}
//	rules.Given(registered).When(t, logIn).Then(loggedIn)
//	rules.Given().When(t, logIn).ThenRefused(domain.NotFound, "")
type Rules[S, E any] struct {
	Initial S
	Evolve  func(S, E) S
}

// Given folds what has happened so far.
func (r Rules[S, E]) Given(events ...E) Past[S, E] {
	state := r.Initial
	for _, e := range events {
		state = r.Evolve(state, e)
	}
	return Past[S, E]{rules: r, state: state}
}

// Past are the events before a decision.
type Past[S, E any] struct {
	rules Rules[S, E]
	state S
}

// When decides. decide must be pure: it takes time and ids from its closure.
func (p Past[S, E]) When(t testing.TB, decide func(S) ([]E, error)) Decided[S, E] {
	events, err := decide(p.state)
	return Decided[S, E]{t: t, past: p, decide: decide, events: events, err: err}
}

// Decided is the answer to a decision.
type Decided[S, E any] struct {
	t      testing.TB
	past   Past[S, E]
	decide func(S) ([]E, error)
	events []E
	err    error
}

// Then expects exactly these events; and again: nothing. The decision is made a
// second time on the state that the events lead to, as it is when an answer got
// lost and the caller asks again, and must then decide no event and no error.
func (d Decided[S, E]) Then(events ...E) {
	d.t.Helper()
	d.ThenOnly(events...)
	if d.err != nil || d.t.Failed() {
		return
	}
	state := d.past.state
	for _, e := range d.events {
		state = d.past.rules.Evolve(state, e)
	}
	switch again, err := d.decide(state); {
	case err != nil:
		d.t.Errorf("decided again: got error %v, want nothing", err)
	case len(again) > 0:
		d.t.Errorf("decided again: got %d events, want nothing:\n%+v", len(again), again)
	}
}

// ThenOnly is Then for a decision that is meant to act every time.
func (d Decided[S, E]) ThenOnly(events ...E) {
	d.t.Helper()
	switch {
	case d.err != nil:
		d.t.Errorf("decided: got error %v, want %d events", d.err, len(events))
	case len(d.events) != len(events):
		d.t.Errorf("decided %d events, want %d:\n%+v\nwant\n%+v", len(d.events), len(events), d.events, events)
	default:
		for i := range events {
			if !reflect.DeepEqual(d.events[i], events[i]) {
				d.t.Errorf("event %d is\n%+v\nwant\n%+v", i, d.events[i], events[i])
			}
		}
	}
}

// ThenRefused expects an error of the category, with the code unless it is "",
// and no event.
func (d Decided[S, E]) ThenRefused(category domain.Category, code domain.Code) {
	d.t.Helper()
	if len(d.events) > 0 {
		d.t.Errorf("decided %d events, want a refusal:\n%+v", len(d.events), d.events)
		return
	}
	wantRefusal(d.t, d.err, category, code)
}

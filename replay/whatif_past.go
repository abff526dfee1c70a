package replay

import (
	"context"

	"chalie/domain"
)

// past is a trace as it was recorded.
type past struct {
	opened  domain.Record
	started *domain.ReasoningStarted
	erased  bool // something in it can't be read any more
	steps   map[identity]domain.Envelope
	taken   map[identity]int
	answers map[domain.ID]bool // invocations whose answer was given in the branch
}

// pastOf reads a trace, and keeps it until it is let go.
func (w *branching) pastOf(ctx context.Context, trace domain.TraceID) (*past, error) {
	if p := w.pasts[trace]; p != nil {
		return p, nil
	}
	p := &past{steps: map[identity]domain.Envelope{}, taken: map[identity]int{}, answers: map[domain.ID]bool{}}
	seen := map[identity]int{}
	err := eachOf(ctx, w.log, trace, func(rec domain.Record) error {
		env := rec.Envelope
		if p.opened.Position == 0 {
			p.opened = rec
		}
		p.erased = p.erased || env.Payload.Encoding == domain.EncodingErased
		if env.Type == domain.ReasoningStartedType && p.started == nil {
			if started, err := domain.Decode[domain.ReasoningStarted](env); err == nil {
				p.started = &started
			}
		}
		id := identityOf(env)
		seen[id]++
		if rec.Position > w.fork {
			id.n = seen[identityOf(env)]
			p.steps[id] = env
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// What lies before the fork is there already.
	for id, n := range seen {
		later := 0
		for m := 1; m <= n; m++ {
			id.n = m
			if _, ok := p.steps[id]; ok {
				later++
			}
		}
		id.n = 0
		p.taken[id] = n - later
	}
	w.pasts[trace] = p
	return p, nil
}

// take is the recorded step that comes next under an identity; nil when there is none.
func (p *past) take(env domain.Envelope) *domain.Envelope {
	id := identityOf(env)
	p.taken[id]++
	id.n = p.taken[id]
	twin, ok := p.steps[id]
	if !ok {
		return nil
	}
	delete(p.steps, id)
	return &twin
}

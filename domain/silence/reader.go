package silence

import (
	"context"

	"chalie/domain"
)

// Finder finds records by their ids.
type Finder interface {
	Find(ctx context.Context, id domain.ID) (domain.Record, error)
}

// Reader works out silent cycles from their records. It keeps what it read last, so that cycles
// in the order of the log cost little. It is for one goroutine.
type Reader struct {
	log    Finder
	last   *List
	places map[domain.ID]place
}

// NewReader reads from a log.
func NewReader(log Finder) *Reader { return &Reader{log: log, places: map[domain.ID]place{}} }

// maxPlaces bounds the places that are kept.
const maxPlaces = 1 << 14

// Cycle is the cycle of a silent spine signal. The error is CodeErased when it, or one that it
// differs from, can't be read any more; others are the log's, and CodeUndecodable.
func (r *Reader) Cycle(ctx context.Context, rec domain.Record) (Cycle, error) {
	list, err := r.List(ctx, rec)
	if err != nil {
		return Cycle{}, err
	}
	signal, err := domain.Decode[domain.SpineSignalEmitted](rec.Envelope)
	if err != nil {
		return Cycle{}, err
	}
	out, err := list.cycle(rec.Envelope.Timestamp, signal.Silent.World, r.where(ctx))
	if err != nil {
		return Cycle{}, err
	}
	out.Started.Read, out.Ended.Read = signal.Read, signal.Read
	out.Ended.Evidence = askedFor(rec.Envelope.ID)
	return out, nil
}

// Agrees reports whether a cycle comes to the same today as when it was recorded. Where it
// doesn't, the rules of then aren't known any more, or what it refers to isn't there.
func (r *Reader) Agrees(rec domain.Record, c *Cycle) bool {
	signal, err := domain.Decode[domain.SpineSignalEmitted](rec.Envelope)
	return err == nil && signal.Silent != nil && signal.Silent.Sum == c.sum()
}

// askedFor is the evidence of every silent cycle.
func askedFor(opening domain.ID) []domain.Evidence {
	return []domain.Evidence{{EnvelopeID: opening, Role: "asked", Weight: domain.One}}
}

// List is what a silent spine signal looked at. Errors are as of Cycle.
func (r *Reader) List(ctx context.Context, rec domain.Record) (*List, error) {
	type step struct {
		id    domain.ID
		cycle *domain.SilentCycle
	}
	var steps []step // the latest first
	var before *List
	for at := rec; ; {
		if r.last != nil && r.last.id == at.Envelope.ID {
			before = r.last
			break
		}
		signal, err := domain.Decode[domain.SpineSignalEmitted](at.Envelope)
		if err != nil {
			return nil, err
		}
		if signal.Silent == nil || len(steps) > domain.FullEvery {
			return nil, broken()
		}
		steps = append(steps, step{at.Envelope.ID, signal.Silent})
		if signal.Silent.Since.IsZero() {
			break
		}
		at, err = r.log.Find(ctx, signal.Silent.Since)
		switch {
		case domain.CategoryOf(err) == domain.NotFound:
			return nil, broken()
		case err != nil:
			return nil, err
		}
	}
	for len(steps) > 0 {
		one := steps[len(steps)-1]
		steps = steps[:len(steps)-1]
		next, fits := before.apply(one.id, one.cycle)
		if !fits {
			return nil, broken()
		}
		before = next
	}
	r.last = before
	return before, nil
}

// Lists are the list that a silent spine signal differs from, nil of a full one, and its own; both
// nil when it can't be read any more.
func (r *Reader) Lists(ctx context.Context, rec domain.Record) (before, own *List, err error) {
	signal, err := domain.Decode[domain.SpineSignalEmitted](rec.Envelope)
	if err == nil && signal.Silent != nil && !signal.Silent.Since.IsZero() {
		var since domain.Record
		if since, err = r.log.Find(ctx, signal.Silent.Since); err == nil {
			before, err = r.List(ctx, since)
		}
	}
	if err == nil {
		own, err = r.List(ctx, rec)
	}
	if domain.CategoryOf(err) == domain.NotFound {
		return nil, nil, nil
	}
	return before, own, err
}

// broken is the error of a cycle that differs from one that can't be read any more.
func broken() error {
	return &domain.Error{Op: "read a silent cycle", Category: domain.NotFound, Code: domain.CodeErased,
		Message: "what the cycle considered can't be read any more: a record that it differs from is erased or gone"}
}

// where finds the places of envelopes, and keeps them.
func (r *Reader) where(ctx context.Context) func(domain.ID) (place, error) {
	return func(id domain.ID) (place, error) {
		if at, ok := r.places[id]; ok {
			return at, nil
		}
		rec, err := r.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return place{clock: id.Millis()}, nil
		}
		if err != nil {
			return place{}, err
		}
		if len(r.places) >= maxPlaces {
			clear(r.places)
		}
		at := place{rec.Position, rec.Clock()}
		r.places[id] = at
		return at, nil
	}
}

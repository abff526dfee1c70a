package explain

import (
	"bytes"
	"context"

	"chalie/domain"
	"chalie/domain/relate"
)

// mostFoundRead bounds the records of reasons that are read for one ground.
const mostFoundRead = 512

// foundIn is what was recorded of how signals relate to plans, as a decision knew it: each
// signal's own latest. Told of a record it says whether to look at the one before it. What
// isn't in the log any more ends it.
func (w *walk) foundIn(ctx context.Context, ground *domain.ReasoningStarted, take func(domain.Record, domain.RelationsFound) (more bool)) error {
	id := ground.Found
	for range mostFoundRead {
		if id.IsZero() {
			return nil
		}
		rec, err := w.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		found, readable := decoded[domain.RelationsFound](rec.Envelope)
		if !readable || !take(rec, found) {
			return nil
		}
		id = found.Before
	}
	return nil
}

// relationsOf are the recorded relations of a signal as a decision knew them, strongest
// first, with their reasons; nil when nothing related it to any plan, or nothing was
// recorded.
func (w *walk) relationsOf(ctx context.Context, ground *domain.ReasoningStarted, signal domain.Record) ([]relate.Relation, error) {
	var out []relate.Relation
	said, _ := decoded[domain.SignalReceived](signal.Envelope)
	err := w.foundIn(ctx, ground, func(rec domain.Record, found domain.RelationsFound) bool {
		if rec.Position < signal.Position {
			return false
		}
		for _, one := range found.Signals {
			if one.Signal != signal.Envelope.ID {
				continue
			}
			for _, plan := range one.Plans {
				r := relate.Recorded(plan, said)
				r.Signal = one.Signal
				out = append(out, r)
			}
			return false
		}
		return true
	})
	return out, err
}

// relationsTo are the recorded relations of all signals of a decision's world to a plan, with
// their reasons.
func (w *walk) relationsTo(ctx context.Context, ground *domain.ReasoningStarted, plan domain.ID) ([]relate.Relation, error) {
	open := map[domain.ID]bool{}
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		for _, item := range items {
			if item.Kind == domain.ItemSignal && wasRelated(item) {
				open[item.EnvelopeID] = true
			}
		}
	}
	of := map[domain.ID]domain.PlanRelation{}
	err := w.foundIn(ctx, ground, func(_ domain.Record, found domain.RelationsFound) bool {
		for _, one := range found.Signals {
			if !open[one.Signal] {
				continue
			}
			delete(open, one.Signal)
			for _, p := range one.Plans {
				if p.Commitment == plan {
					of[one.Signal] = p
				}
			}
		}
		return len(open) > 0
	})
	var out []relate.Relation
	for signal, p := range of {
		rec, failed := w.log.Find(ctx, signal)
		if failed != nil && domain.CategoryOf(failed) != domain.NotFound {
			return nil, failed
		}
		said, _ := decoded[domain.SignalReceived](rec.Envelope)
		r := relate.Recorded(p, said)
		r.Signal = signal
		out = append(out, r)
	}
	domain.SortFunc(out, func(a, b relate.Relation) int { return bytes.Compare(a.Signal[:], b.Signal[:]) })
	return out, err
}

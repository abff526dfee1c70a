package replay

import (
	"cmp"
	"context"
	"slices"

	"chalie/domain"
)

// coming is an effect that an index of the log names, to be judged when its place in
// the log comes.
type coming struct {
	effect domain.Record
	cause  cause
}

// onward follows what a record led to, in the order of the log: an effect always stands
// after its cause, so each record is judged once, when all its causes are known.
func (w *walk) onward(ctx context.Context, target domain.Record) error {
	w.target = target.Envelope.ID
	if err := w.arrive(ctx, target); err != nil {
		return err
	}
	ends := newEnds(w.log, target.Position)
	for !w.out.Cut {
		end, err := ends.next(ctx)
		if err != nil {
			return err
		}
		switch {
		case len(w.ahead) == 0 && end.Position == 0:
			w.out.Cut = ends.cut || w.beyond
			return nil
		case end.Position == 0 || len(w.ahead) > 0 && w.ahead[0].effect.Position <= end.Position:
			next := w.ahead[0]
			w.ahead = w.ahead[1:]
			err = w.effect(ctx, next.effect, next.cause)
		default:
			ends.take()
			err = w.conclusion(ctx, end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// conclusion makes a conclusion an effect of every node that it rests on or shows.
func (w *walk) conclusion(ctx context.Context, end domain.Record) error {
	for _, c := range append(evidenceOf(end.Envelope), w.referencesOf(end.Envelope)...) {
		if w.node(c.id) == nil || c.id == end.Envelope.ID {
			continue
		}
		if err := w.effect(ctx, end, c); err != nil {
			return err
		}
	}
	return nil
}

// effect joins a record to a node that it is an effect of.
func (w *walk) effect(ctx context.Context, rec domain.Record, c cause) error {
	if w.node(rec.Envelope.ID) == nil {
		if w.full() {
			return nil
		}
		if err := w.arrive(ctx, rec); err != nil {
			return err
		}
	}
	w.join(rec, c)
	return nil
}

// arrive makes a record a node, and notes what the log's indexes say it led to.
func (w *walk) arrive(ctx context.Context, rec domain.Record) error {
	w.meet(rec)
	w.queue = nil // that is for causes
	id := rec.Envelope.ID
	if err := w.note(ctx, domain.Selector{Parent: id}, rec, cause{id: id, role: RoleParent}, nil); err != nil {
		return err
	}
	plan := func(r domain.Record) bool { return r.Envelope.Parent != id }
	if rec.Topic == domain.TopicCommitments {
		if err := w.note(ctx, domain.Selector{Key: domain.PlanKey(id)}, rec, cause{id: id, role: RoleAbout}, plan); err != nil {
			return err
		}
	}
	return w.noteOthers(ctx, rec)
}

// Bounds of what is read ahead: in one read, and in all what is kept.
const (
	aheadPage = 64
	aheadMost = 4 * MaxNodes
)

// note reads what an index names after a record, and keeps what fits as its effects;
// nil takes all.
func (w *walk) note(ctx context.Context, by domain.Selector, rec domain.Record, c cause, fits func(domain.Record) bool) error {
	from := rec.Position + 1
	for found := 0; found < MaxNodes; {
		records, err := w.log.Select(ctx, by, from, aheadPage)
		if err != nil {
			return err
		}
		for _, r := range records {
			from = r.Position + 1
			w.readAhead += len(r.Envelope.Payload.Bytes)
			if fits == nil || fits(r) {
				w.expect(r, c)
			}
		}
		if found += len(records); len(records) < aheadPage {
			return nil
		}
		if w.readAhead > 4*maxPayloadBytes {
			break
		}
	}
	w.beyond = true
	return nil
}

// expect keeps an effect until its place in the log comes. Of very many the earliest
// are kept.
func (w *walk) expect(rec domain.Record, c cause) {
	at, _ := slices.BinarySearchFunc(w.ahead, rec.Position+1, func(a coming, pos domain.Position) int { return cmp.Compare(a.effect.Position, pos) })
	w.ahead = slices.Insert(w.ahead, at, coming{rec, c})
	if len(w.ahead) > aheadMost {
		w.ahead, w.beyond = w.ahead[:aheadMost], true
	}
}

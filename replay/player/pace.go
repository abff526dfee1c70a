package player

import (
	"context"

	"chalie/domain"
)

// pace finds the steps that are made before their own record is passed: where they had
// read the log, because what came in between had no part in them.
type pace struct {
	steps  map[domain.Position][]domain.Position // by what they had read, their first records
	looked domain.Position                       // the last position that was looked at
}

// farAhead is how many records may stand between what a step had read and the step itself
// for it to be made where it had read: many times what comes in while one is decided.
const farAhead = 2 * feedPage

// look finds the steps of the wanted traces, before the record at a position is passed.
func (p *pace) look(ctx context.Context, f *feed, pos domain.Position, wanted func(domain.TraceID) bool) error {
	for p.looked = max(p.looked, pos); p.looked <= pos+farAhead; p.looked++ {
		rec, ok, err := f.at(ctx, p.looked)
		if err != nil || !ok {
			return err
		}
		p.looked = rec.Position
		read := domain.ReadOf(rec.Envelope)
		if read < max(pos, 1) || read >= rec.Position || !wanted(rec.Envelope.Trace) {
			continue
		}
		first := rec
		for first.Position > pos {
			before, ok, err := f.at(ctx, first.Position-1)
			if err != nil {
				return err
			}
			if !ok || before.Position >= first.Position || !follows(before.Envelope, first.Envelope) {
				break
			}
			first = before
		}
		if read < first.Position-1 {
			if p.steps == nil {
				p.steps = map[domain.Position][]domain.Position{}
			}
			p.steps[read] = append(p.steps[read], first.Position)
		}
	}
	return nil
}

// due are the steps that had read the log until a position, by their first records.
func (p *pace) due(pos domain.Position) []domain.Position {
	out := p.steps[pos]
	delete(p.steps, pos)
	return out
}

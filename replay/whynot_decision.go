package replay

import (
	"context"

	"chalie/domain"
)

// Bounds of reading decisions.
const (
	decisionPage     = 256      // records at a time
	maxDecisionBytes = 64 << 20 // of payloads
	latestDecisions  = 60       // looked at of what is in mind for ever
	maxLate          = 8        // pages read for those that have begun when no more begin
)

// decision is an episode as far as it decides what is told: what it began with,
// what the model said last, and its end.
type decision struct {
	started domain.Record
	replied domain.Record // zero when there was no reply
	end     domain.Record // zero when it hasn't ended
	calls   []domain.Record
}

func (d *decision) ground() *domain.ReasoningStarted { return startedOf(d.started.Envelope) }

// conclusion is how it ended; nil when it hasn't, or that can't be read any more.
func (d *decision) conclusion() *domain.ReasoningConcluded {
	c, readable := decoded[domain.ReasoningConcluded](d.end.Envelope)
	if d.end.Position == 0 || !readable {
		return nil
	}
	return &c
}

// going is whether further decisions are looked at.
type going int

const (
	goOn   going = iota
	finish       // those that have begun, and none that begins later
)

// decisions are read from the topic reasoning in the order in which they end, those
// that haven't ended last.
type decisions struct {
	log     Log
	through domain.Position
	visit   func(*decision) (going, error)

	open     []*decision // in the order in which they began
	seen     int
	bytes    int
	finished bool
	late     int // pages since
}

// read visits the decisions that begin at a position or later. cut says that there
// were more than are looked at.
func (r *decisions) read(ctx context.Context, from domain.Position) (cut bool, err error) {
	for at := from; at <= r.through; {
		page, err := r.log.Select(ctx, domain.Selector{Topic: domain.TopicReasoning}, at, decisionPage)
		if err != nil {
			return false, err
		}
		for _, rec := range page {
			if rec.Position > r.through {
				break
			}
			if err := r.take(rec); err != nil {
				return false, err
			}
			if r.finished && len(r.open) == 0 {
				return false, nil
			}
			if r.seen >= maxDecisions || r.bytes > maxDecisionBytes {
				return true, nil
			}
		}
		if r.finished {
			r.late++
		}
		if r.late > maxLate {
			return true, nil
		}
		if len(page) < decisionPage {
			break
		}
		at = page[len(page)-1].Position + 1
	}
	for _, d := range r.open {
		if _, err := r.visit(d); err != nil {
			return false, err
		}
	}
	return false, nil
}

// take puts a record into its decision.
func (r *decisions) take(rec domain.Record) error {
	r.bytes += len(rec.Envelope.Payload.Bytes)
	if rec.Envelope.Type == domain.ReasoningStartedType {
		if !r.finished {
			r.open = append(r.open, &decision{started: rec})
		}
		return nil
	}
	for i, d := range r.open {
		if d.started.Envelope.Trace != rec.Envelope.Trace {
			continue
		}
		switch rec.Envelope.Type {
		case domain.ModelRepliedType:
			d.replied = rec
		case domain.ModelCalledType, domain.CallRejectedType:
			d.calls = append(d.calls, rec)
		case domain.ReasoningConcludedType:
			d.end = rec
			r.open = append(r.open[:i:i], r.open[i+1:]...)
			r.seen++
			next, err := r.visit(d)
			r.finished = r.finished || next == finish
			return err
		}
		return nil
	}
	return nil
}

// latest is from where on the last decisions begin, about as many as are asked for:
// it goes back in steps that grow until there are enough.
func latest(ctx context.Context, log Log, topic domain.Topic, is domain.EventType, count int, from, tail domain.Position) (domain.Position, error) {
	for span := domain.Position(1024); ; span *= 4 {
		begin := from
		if tail > from+span {
			begin = tail - span
		}
		found, err := positionsOf(ctx, log, topic, is, begin, tail)
		switch {
		case err != nil:
			return 0, err
		case len(found) >= count:
			return found[len(found)-count], nil
		case begin == from:
			return from, nil
		}
	}
}

func positionsOf(ctx context.Context, log Log, topic domain.Topic, is domain.EventType, from, through domain.Position) ([]domain.Position, error) {
	var out []domain.Position
	for from <= through {
		page, err := log.Select(ctx, domain.Selector{Topic: topic}, from, decisionPage)
		if err != nil {
			return nil, err
		}
		for _, rec := range page {
			if rec.Position <= through && rec.Envelope.Type == is {
				out = append(out, rec.Position)
			}
		}
		if len(page) < decisionPage {
			break
		}
		from = page[len(page)-1].Position + 1
	}
	return out, nil
}

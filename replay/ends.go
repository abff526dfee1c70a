package replay

import (
	"context"

	"chalie/domain"
)

// endsPage is how many records are read at a time where many are looked through.
const endsPage = 500

// ends are the conclusions after a position, in the order of the log, however they were
// shown. Every conclusion carries a key that says how; there is no index of all.
type ends struct {
	log  Log
	keys []endsOf
	read int
	cut  bool // there may be more than were read
}

// endsOf are those of one key.
type endsOf struct {
	key   domain.Key
	from  domain.Position
	some  []domain.Record // read and not taken
	known bool            // there are no more
}

func newEnds(log Log, after domain.Position) *ends {
	e := &ends{log: log}
	keys := append(shownKeys(), domain.ReasoningConcluded{}.ShownKey(), domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}.ShownKey())
	for _, key := range keys {
		e.keys = append(e.keys, endsOf{key: key, from: after + 1})
	}
	return e
}

// next is the earliest that was not taken; the zero record when there is none any more,
// or maxEnds were read.
func (e *ends) next(ctx context.Context) (domain.Record, error) {
	for i := range e.keys {
		if k := &e.keys[i]; len(k.some) == 0 && !k.known {
			if err := e.fill(ctx, k); err != nil {
				return domain.Record{}, err
			}
		}
	}
	if k := e.earliest(); k != nil {
		return k.some[0], nil
	}
	return domain.Record{}, nil
}

// take takes what next returned.
func (e *ends) take() {
	if k := e.earliest(); k != nil {
		k.some = k.some[1:]
	}
}

func (e *ends) earliest() *endsOf {
	var first *endsOf
	for i := range e.keys {
		if k := &e.keys[i]; len(k.some) > 0 && (first == nil || k.some[0].Position < first.some[0].Position) {
			first = k
		}
	}
	return first
}

func (e *ends) fill(ctx context.Context, k *endsOf) error {
	if e.read >= maxEnds {
		e.cut, k.known = true, true
		return nil
	}
	some, err := e.log.Select(ctx, domain.Selector{Key: k.key}, k.from, endsPage)
	if err != nil {
		return err
	}
	e.read += len(some)
	k.some, k.known = some, len(some) < endsPage
	if len(some) > 0 {
		k.from = some[len(some)-1].Position + 1
	}
	return nil
}

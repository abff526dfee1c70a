package domaintest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"chalie/domain"

	"github.com/anishathalye/porcupine"
)

func testLinearizable(b *bench) { CheckLinearizable(b.T, b.log, b.ids) }

// CheckLinearizable lets eight writers append, with and without conditions, and
// read, and asks whether there is one order of all that explains every answer. Nobody else
// appends meanwhile, and no append may fail but for its condition.
func CheckLinearizable(t *testing.T, log domain.Log, ids *IDs) {
	t.Helper()
	base := log.Tail()
	const clients, steps = 8, 20
	var tick atomic.Int64 // a clock that only orders
	histories := make([][]porcupine.Operation, clients)
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for step := range steps {
				in := linearInput{kind: (client + step*3) % 4, key: domain.Key(fmt.Sprintf("k%d", step%2)), after: log.Tail()}
				// Reads begin a little before the tail, so that they see appends under way.
				in.from = in.after + 1 - min(2, in.after-base)
				if in.kind < 2 {
					in.entries = NewEntries(ids, "a", 1+step%2)
				}
				op := porcupine.Operation{ClientId: client, Call: tick.Add(1), Input: in}
				op.Output = in.run(log)
				op.Return = tick.Add(1)
				histories[client] = append(histories[client], op)
			}
		})
	}
	wg.Wait()
	result := porcupine.CheckOperationsTimeout(linearModel(base), slices.Concat(histories...), patience)
	if result != porcupine.Ok {
		t.Errorf("no order of the %d operations explains their answers: %s", clients*steps, result)
	}
}

const (
	linearAppend      = iota // append entries
	linearConditional        // append entries with key, if nothing has it after a position
	linearTail               // how long is the log
	linearRead               // what stands from a position on
)

type linearInput struct {
	kind    int
	entries []domain.Entry
	key     domain.Key
	after   domain.Position // the condition's
	from    domain.Position // the read's
}

type linearOutput struct {
	err       error
	positions []domain.Position
	ids       []domain.ID
	tail      domain.Position
}

func (in linearInput) run(log domain.Log) linearOutput {
	switch in.kind {
	case linearTail:
		return linearOutput{tail: log.Tail()}
	case linearRead:
		recs, err := log.Select(context.Background(), domain.Selector{}, in.from, 5)
		out := linearOutput{err: err}
		for _, rec := range recs {
			out.ids = append(out.ids, rec.Envelope.ID)
		}
		return out
	}
	batch := domain.Batch{Entries: in.entries}
	if in.kind == linearConditional {
		for i := range batch.Entries {
			batch.Entries[i].Envelope.Keys = []domain.Key{in.key}
		}
		batch.Conditions = []domain.Condition{{Key: in.key, After: in.after}}
	}
	receipt, err := log.Append(context.Background(), batch)
	return linearOutput{err: err, positions: receipt.Positions}
}

// linearState is a log as a value: appending makes another one.
type linearState struct {
	ids  []domain.ID
	last map[domain.Key]domain.Position
}

func linearModel(base domain.Position) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return linearState{} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := as[linearState](state), as[linearInput](input), as[linearOutput](output)
			return s.step(base, in, out)
		},
		Equal: func(a, b any) bool {
			// The same ids in the same order: the keys follow from them.
			return slices.Equal(as[linearState](a).ids, as[linearState](b).ids)
		},
	}
}

// as is the value behind an any that this file put there.
func as[V any](value any) V {
	v, ok := value.(V)
	if !ok {
		panic(fmt.Sprintf("the history holds a %T where a %T belongs", value, v))
	}
	return v
}

func (s linearState) step(base domain.Position, in linearInput, out linearOutput) (bool, any) {
	tail := base + domain.Position(len(s.ids))
	switch in.kind {
	case linearTail:
		return out.tail == tail, s
	case linearRead:
		want := s.ids[min(int(in.from-base-1), len(s.ids)):]
		return out.err == nil && slices.Equal(out.ids, want[:min(5, len(want))]), s
	case linearConditional:
		if s.last[in.key] > in.after {
			return domain.CodeOf(out.err) == domain.CodeConditionFailed, s
		}
	}
	if out.err != nil || len(out.positions) != len(in.entries) {
		return false, s
	}
	next := linearState{ids: slices.Clone(s.ids), last: maps.Clone(s.last)}
	if next.last == nil {
		next.last = map[domain.Key]domain.Position{}
	}
	for i, e := range in.entries {
		tail++
		if out.positions[i] != tail {
			return false, s
		}
		next.ids = append(next.ids, e.Envelope.ID)
		if in.kind == linearConditional {
			next.last[in.key] = tail
		}
	}
	return true, next
}

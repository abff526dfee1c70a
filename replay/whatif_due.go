package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"chalie/domain"
)

// falling is what falls due in a branch and didn't in the log. Nobody recorded a
// moment for it: the scheduler tells it on time.
type falling struct {
	then, here domain.Commitments // plans as the log had them, and as the branch has them
	told       map[dueAt]bool     // what was tried in the branch
	next       dueAt              // the earliest; the zero value for nothing
	begun      map[domain.ID]domain.Record
}

// dueAt is a plan at a time.
type dueAt struct {
	plan domain.ID
	at   domain.Millis
}

// recorded folds a record of the log.
func (w *branching) recorded(rec domain.Record) error {
	if !domain.IsCommitment(rec.Envelope.Type) {
		return nil
	}
	if err := w.falling.then.Evolve(rec); err != nil {
		return err
	}
	w.falling.look()
	return nil
}

// apply folds a record of the branch.
func (w *branching) apply(rec domain.Record) error {
	if err := w.stage.Apply(rec); err != nil {
		return err
	}
	if !domain.IsCommitment(rec.Envelope.Type) {
		return nil
	}
	if err := w.falling.here.Evolve(rec); err != nil {
		return err
	}
	w.falling.look()
	return nil
}

// look finds what falls due next in the branch alone.
func (f *falling) look() {
	f.next = dueAt{}
	for id, one := range f.here.Open {
		due := dueAt{id, one.Due}
		then, ok := f.then.Open[id]
		if !one.Waiting || f.told[due] || ok && then.Waiting && then.Due == one.Due {
			continue
		}
		if first := f.next; first.at == 0 || due.at < first.at || due.at == first.at && bytes.Compare(id[:], first.plan[:]) < 0 {
			f.next = due
		}
	}
}

// fallDue tells what has fallen due in the branch by a time. What a recorded moment is
// there for waits for that.
func (w *branching) fallDue(ctx context.Context, by domain.Millis, pos domain.Position) error {
	for w.falling.next.at != 0 && w.falling.next.at <= by {
		due := w.falling.next
		w.falling.told[due] = true
		w.falling.look()
		recorded, err := w.log.Select(ctx, domain.Selector{Key: domain.DueKey(due.plan, due.at)}, w.fork+1, 1)
		if err != nil {
			return err
		}
		if len(recorded) > 0 || !w.scope.Trace.IsZero() {
			continue
		}
		sum := sha256.Sum256(slices.Concat([]byte("due"), due.plan[:], binary.BigEndian.AppendUint64(nil, uint64(due.at))))
		id := mintedAt(due.at, sum)
		opening, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, due.at, "scheduler", domain.TimerDue{SubjectID: due.plan, Due: due.at})
		if err != nil {
			return err
		}
		w.falling.begun[id] = domain.Record{Topic: opening.Topic, RecordedAt: due.at, Envelope: opening.Envelope}
		w.touch(domain.TraceID{ID: id}, pos).differs = true
		w.now, w.at = due.at, due.at
		if err := w.finish(ctx, Act{Trace: domain.TraceID{ID: id}}); err != nil {
			return err
		}
	}
	return nil
}

// mintedAt is an id made of a hash.
func mintedAt(at domain.Millis, sum [sha256.Size]byte) domain.ID {
	var id domain.ID
	copy(id[:], sum[:])
	binary.BigEndian.PutUint64(id[:8], uint64(max(at, 0))<<16|0x7000|uint64(binary.BigEndian.Uint16(id[6:8])&0x0fff))
	id[8] = id[8]&0x3f | 0x80
	return id
}

package replay

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"chalie/domain"
)

// come lets an input come into the branch, unless it doesn't.
func (w *branching) come(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	if w.without[env.ID] || w.Policy != nil && env.Type == domain.PolicyChangedType {
		return w.lose(ctx, rec)
	}
	one, isEdited := w.edited[env.ID]
	if isEdited && one.moves() {
		return nil // it comes at another time
	}
	there, err := w.follows(ctx, rec)
	if err != nil {
		return err
	}
	if !there {
		return w.lose(ctx, rec)
	}
	switch env.Type {
	case domain.SystemStartedType:
		w.stopAll() // what was under way is begun again from the log
	case domain.ReasoningYieldedType:
		return w.makeRoom(ctx, rec)
	}
	if isEdited {
		return w.write(ctx, one.rec)
	}
	pos, err := w.branch.Keep(rec)
	if err != nil {
		return err
	}
	rec.Position = pos
	return w.apply(rec)
}

// write appends an input that isn't what was recorded.
func (w *branching) write(ctx context.Context, rec domain.Record) error {
	w.at = rec.Clock()
	receipt, err := w.branch.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}})
	if err != nil {
		return err
	}
	if t := w.anew[rec.Envelope.Trace]; t != nil {
		t.differs = true
	}
	rec.Position, rec.RecordedAt, rec.Ahead = receipt.Positions[0], receipt.RecordedAt, receipt.Ahead
	return w.apply(rec)
}

// lose leaves an input out.
func (w *branching) lose(ctx context.Context, rec domain.Record) error {
	trace := rec.Envelope.Trace
	if !w.scope.Trace.IsZero() && trace != w.scope.Trace {
		return nil
	}
	p, err := w.pastOf(ctx, trace)
	if err != nil {
		return err
	}
	w.touch(trace, p.opened.Position).differs = true
	return nil
}

// follows reports whether what an input follows from is in the branch, as it was
// then.
func (w *branching) follows(ctx context.Context, rec domain.Record) (bool, error) {
	if by := saidBy(rec.Envelope); !by.IsZero() {
		// A message that isn't what it was decides by itself, when it is answered.
		said, err := w.branch.Find(ctx, by)
		if domain.CategoryOf(err) == domain.NotFound || err == nil && !w.branch.isKept(said.Position) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	parent := rec.Envelope.Parent
	if parent.IsZero() {
		return true, nil
	}
	_, err := w.branch.Find(ctx, parent)
	if domain.CategoryOf(err) == domain.NotFound {
		// What the log itself doesn't hold any more is missing nowhere.
		_, err = w.log.Find(ctx, parent)
		if domain.CategoryOf(err) == domain.NotFound {
			return true, nil
		}
		return false, err
	}
	return err == nil, err
}

// saidBy is the message that decided a proposal; none for any other record.
func saidBy(env domain.Envelope) domain.ID {
	switch env.Type {
	case domain.ApprovalGrantedType:
		p, _ := domain.Decode[domain.ApprovalGranted](env)
		return p.MessageID
	case domain.ApprovalRefusedType:
		p, _ := domain.Decode[domain.ApprovalRefused](env)
		return p.MessageID
	}
	return domain.ID{}
}

// makeRoom lets a cycle make room at the step at which it is in the branch.
func (w *branching) makeRoom(ctx context.Context, rec domain.Record) error {
	act := Act{Trace: rec.Envelope.Trace}
	w.stop(act)
	var ep domain.Episode
	if err := eachOf(ctx, w.branch, act.Trace, ep.Evolve); err != nil {
		return err
	}
	if ep.Next() == domain.MoveNone {
		return w.lose(ctx, rec)
	}
	key := domain.StepKey(act.Trace, ep.Steps+1)
	if slices.Contains(rec.Envelope.Keys, key) {
		pos, err := w.branch.Keep(rec)
		if err != nil {
			return err
		}
		rec.Position = pos
		return w.apply(rec)
	}
	rec.Envelope.Keys = slices.Clone(rec.Envelope.Keys)
	for i, k := range rec.Envelope.Keys {
		if strings.HasPrefix(string(k), "step/") {
			rec.Envelope.Keys[i] = key
		}
	}
	return w.write(ctx, rec)
}

// comeLate lets the inputs come whose time is now: before next, or all that are left.
func (w *branching) comeLate(ctx context.Context, next *domain.Record) error {
	for len(w.moved) > 0 && (next == nil || w.moved[0].rec.RecordedAt <= next.RecordedAt) {
		one := w.moved[0]
		w.moved = w.moved[1:]
		there, err := w.follows(ctx, one.rec)
		if err == nil && there {
			err = w.write(ctx, one.rec)
		} else if err == nil {
			err = w.lose(ctx, one.rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// govern puts a policy in force, as the person would.
func (w *branching) govern(ctx context.Context, next domain.Record) error {
	if w.Policy == nil {
		return nil
	}
	var id domain.ID
	sum := sha256.Sum256(append([]byte("policy before "), next.Envelope.ID[:]...))
	copy(id[:], sum[:])
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, next.RecordedAt, "replay", domain.PolicyChanged{Policy: *w.Policy})
	if err != nil {
		return err
	}
	entry.Envelope.Keys = domain.PolicyChanged{}.Keys()
	return w.write(ctx, domain.Record{Topic: entry.Topic, RecordedAt: next.RecordedAt, Ahead: next.Ahead, Envelope: entry.Envelope})
}

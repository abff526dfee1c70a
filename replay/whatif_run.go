package replay

import (
	"context"

	"chalie/domain"
)

// run is an act under way in a branch. Its code runs in a goroutine that is handed
// the turn, and gives it back whenever it appends: there it rests until the recorded
// act made its next step. So it sees at every step what it would have seen then.
type run struct {
	act    Act
	names  idBook
	cancel context.CancelFunc
	turn   chan turn   // from the code
	answer chan answer // to it
	last   domain.Receipt
	begun  bool
}

// turn is what the code of a run comes to: a batch that it appends, or its end.
type turn struct {
	batch domain.Batch
	ended bool
	err   error
}

type answer struct {
	receipt domain.Receipt
	err     error
}

// under is the run of an act, which begins with its first move.
func (w *branching) under(act Act) *run {
	r := w.runs[act]
	if r == nil {
		r = &run{act: act, names: w.naming(act), turn: make(chan turn), answer: make(chan answer)}
		w.runs[act] = r
	}
	return r
}

// move lets a run make its next step, which is in the branch then, or come to its
// end. The error is that of the log or of ctx; what the code itself fails with is
// noted.
func (w *branching) move(ctx context.Context, r *run) (ended bool, err error) {
	w.moving = r
	defer func() { w.moving = nil }()
	if r.begun {
		r.answer <- answer{receipt: r.last}
	} else {
		r.begun = true
		running, cancel := context.WithCancel(ctx)
		r.cancel = cancel
		go func() { r.turn <- turn{ended: true, err: w.stage.Run(running, r.act)} }()
	}
	for {
		next := <-r.turn
		if next.ended {
			r.cancel()
			delete(w.runs, r.act)
			return true, w.ended(ctx, r, next.err)
		}
		batch := next.batch
		receipt, err := w.commit(ctx, r, &batch)
		if err != nil {
			// A condition that doesn't hold is the code's to deal with.
			r.answer <- answer{err: err}
			continue
		}
		if !r.rests(batch) {
			r.last = receipt
			return false, nil
		}
		r.answer <- answer{receipt: receipt}
	}
}

// rests reports whether an act makes no further step by itself after a batch: it has
// ended, or waits for the person. Its code is let go then, and holds nothing.
func (r *run) rests(batch domain.Batch) bool {
	for _, e := range batch.Entries {
		switch env := e.Envelope; {
		case env.Type == domain.ApprovalProposedType, env.Type == domain.ReasoningConcludedType:
			return true
		case env.Kind == domain.KindResult:
			if id, ok := domain.InvocationOf(env); ok && id == r.act.Invocation {
				return true
			}
		}
	}
	return false
}

// ended notes how the code of a run came to its end.
func (w *branching) ended(ctx context.Context, r *run, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if domain.CodeOf(err) == "not_due" {
		return nil // in the branch it isn't, or isn't yet
	}
	if err != nil && w.unknown[r.act.Trace] == "" {
		w.unknown[r.act.Trace] = inWords(err)
	}
	return nil
}

// stop ends the run of an act where it is.
func (w *branching) stop(act Act) {
	r := w.runs[act]
	if r == nil {
		return
	}
	delete(w.runs, act)
	if !r.begun {
		return
	}
	w.moving = r
	defer func() { w.moving = nil }()
	r.cancel()
	for r.answer <- (answer{err: errStopped()}); ; r.answer <- (answer{err: errStopped()}) {
		if next := <-r.turn; next.ended {
			return
		}
	}
}

// stopAll leaves no goroutine behind.
func (w *branching) stopAll() {
	for act := range w.runs {
		w.stop(act)
	}
}

// errStopped is what code is told whose turn won't come again. The code of
// CodeClosed isn't tried again by anybody.
func errStopped() error {
	return &domain.Error{Op: "replay", Category: domain.Dependency, Code: domain.CodeClosed, Message: "this replay goes on otherwise"}
}

// stageLog is the branch as a run sees it.
type stageLog struct{ w *branching }

var _ SceneLog = stageLog{}

// Append implements domain.Appender: the batch is handed over, and the turn with it.
func (l stageLog) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	r := l.w.moving
	r.turn <- turn{batch: batch}
	a := <-r.answer
	return a.receipt, a.err
}

// Select implements domain.Reader.
func (l stageLog) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if r := l.w.moving; r != nil {
		s = r.names.selector(s)
	}
	return l.w.branch.Select(ctx, s, from, limit)
}

// Find implements domain.Reader.
func (l stageLog) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if r := l.w.moving; r != nil {
		id = r.names.of(id)
	}
	return l.w.branch.Find(ctx, id)
}

// Since implements domain.Reader.
func (l stageLog) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	return l.w.branch.Since(ctx, t)
}

// Tail implements domain.Tailer.
func (l stageLog) Tail() domain.Position { return l.w.branch.Tail() }

// Wait implements domain.Tailer.
func (l stageLog) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	return l.w.branch.Wait(ctx, after)
}

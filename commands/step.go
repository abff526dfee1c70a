package commands

import (
	"context"
	"sync"

	"chalie/domain"
)

// Fold is a projection that deciding code asks.
type Fold interface {
	// LastChange is the position of the last record that changed it.
	LastChange() domain.Position
}

// footing is what the steps of deciding code stand on: the log, and folds of it.
type footing struct {
	log     domain.Appender
	reader  domain.Reader
	tail    domain.Tailer
	folds   []Fold
	applied Barrier // of folds
}

// Deciding is an Env whose steps record how much of the log they had read when they were
// decided (domain.ReadOf), so that a replay can decide them again where they were decided
// and not where they were appended. Folds are those that the code asks; one that changes
// often is given to Asked where it is asked, instead. Applied is the barrier of all.
//
// What is appended within Act's context is such a step.
func (e Env) Deciding(applied Barrier, folds ...Fold) Env {
	e.footing = &footing{log: e.Log, reader: e.Reader, tail: e.Tail, folds: folds, applied: applied}
	e.Log, e.Reader = stepLog{e.footing}, stepReader{e.footing}
	return e
}

// Act is the context of an act of deciding code, at its first step. Within another act
// it is that one's.
func (e Env) Act(ctx context.Context) context.Context {
	if e.footing == nil || stepOf(ctx) != nil {
		return ctx
	}
	s := &step{on: e.footing}
	s.begin(ctx)
	return context.WithValue(ctx, stepKey{}, s)
}

// Anew forgets what the step of an act has read so far: what came of it is known, and what
// is read from now on decides. It waits until the folds have seen all that is in the log.
func Anew(ctx context.Context) {
	if s := stepOf(ctx); s != nil {
		s.begin(ctx)
	}
}

// Asked notes that a fold that changes often is asked next. A view that is no Fold is one
// that doesn't change.
func Asked(ctx context.Context, view any) {
	f, ok := view.(Fold)
	if s := stepOf(ctx); s != nil && ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, asked{f, f.LastChange()})
	}
}

// AskedAt notes that a fold of every record was asked, and through which position it was.
func AskedAt(ctx context.Context, at domain.Position) {
	if s := stepOf(ctx); s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.torn = s.torn || s.exact != 0 && s.exact != at
		s.exact = at
	}
}

// step is what one step has read so far.
type step struct {
	on *footing

	mu     sync.Mutex
	from   domain.Position // the log's tail when it began
	asked  []asked
	reads  []selection
	exact  domain.Position // through which a fold of everything was when it was asked; 0 when none was
	torn   bool            // it has read what can't be together
	marked domain.ID       // the latest entry that got a position
	at     domain.Position // that position
}

// asked is a fold, with its last change when it was asked.
type asked struct {
	fold Fold
	at   domain.Position
}

// selection is a read of the log.
type selection struct {
	of      domain.Selector
	last    domain.Position // the last record that was found; 0 for none
	through domain.Position // everything until then was seen; 0 when the read was cut short
}

// mostReads bounds the selections that are remembered: a step that reads more, such as an
// explanation of the past, is compared by its end.
const mostReads = 256

// Aside is a context outside the act of ctx: what is appended within it is no step, and takes
// no part in one.
func Aside(ctx context.Context) context.Context {
	return context.WithValue(ctx, stepKey{}, (*step)(nil))
}

type stepKey struct{}

func stepOf(ctx context.Context) *step {
	s, _ := ctx.Value(stepKey{}).(*step)
	return s
}

// begin begins the next step. The folds have to have seen what is in the log: one that
// came to it while the step is under way could not be told from one that changed.
func (s *step) begin(ctx context.Context) {
	from := s.on.tail.Tail()
	err := CatchUp(ctx, s.on.applied, from)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from, s.reads, s.exact, s.torn = from, nil, 0, err != nil
	s.asked = s.asked[:0]
	for _, f := range s.on.folds {
		s.asked = append(s.asked, asked{f, f.LastChange()})
	}
}

func (s *step) selected(sel domain.Selector, found []domain.Record, limit int, tail domain.Position) {
	read := selection{of: sel, through: tail}
	if n := len(found); n > 0 {
		read.last = found[n-1].Position
		read.through = max(read.through, read.last)
	}
	if len(found) == limit {
		read.through = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.reads) == mostReads {
		s.torn = true
		return
	}
	s.reads = append(s.reads, read)
}

// read is a position as of which everything that the step has read was as it read it; 0
// when there is none.
func (s *step) read(ctx context.Context) domain.Position {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := max(s.from, s.exact)
	for _, r := range s.reads {
		at = max(at, r.last)
	}
	for _, a := range s.asked {
		at = max(at, a.at)
	}
	if s.torn || s.exact != 0 && s.exact != at {
		return 0
	}
	if at > s.from && CatchUp(ctx, s.on.applied, at) != nil {
		return 0
	}
	for _, a := range s.asked {
		if a.fold.LastChange() != a.at {
			return 0
		}
	}
	for _, r := range s.reads {
		if r.through == 0 || r.through >= at {
			continue
		}
		more, err := s.on.reader.Select(ctx, r.of, r.through+1, 1)
		if err != nil || len(more) > 0 && more[0].Position <= at {
			return 0
		}
	}
	return at
}

// mark puts the position into the batch's last entry that takes one.
func (s *step) mark(ctx context.Context, entries []domain.Entry) []domain.Entry {
	for i := len(entries) - 1; i >= 0; i-- {
		env := entries[i].Envelope
		if !domain.TakesRead(env.Type) {
			continue
		}
		if env.ID != s.marked { // else it is appended again: the same envelope has the same bytes
			s.marked, s.at = env.ID, s.read(ctx)
		}
		marked := append([]domain.Entry(nil), entries...)
		marked[i].Envelope = domain.WithRead(env, s.at)
		return marked
	}
	return entries
}

// stepLog appends steps.
type stepLog struct{ on *footing }

// Append implements domain.Appender. The next step begins with its answer.
func (l stepLog) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	if isLeft(ctx) {
		return domain.Receipt{}, errLeft()
	}
	defer Outside(ctx)()
	s := stepOf(ctx)
	if s == nil {
		return l.on.log.Append(ctx, b)
	}
	b.Entries = s.mark(ctx, b.Entries)
	receipt, err := l.on.log.Append(ctx, b)
	s.begin(ctx)
	return receipt, err
}

// stepReader reads for steps.
type stepReader struct{ on *footing }

// Select implements domain.Reader.
func (r stepReader) Select(ctx context.Context, sel domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	s := stepOf(ctx)
	if s == nil {
		return r.on.reader.Select(ctx, sel, from, limit)
	}
	tail := r.on.tail.Tail()
	found, err := r.on.reader.Select(ctx, sel, from, limit)
	if err == nil {
		s.selected(sel, found, limit, tail)
	}
	return found, err
}

// Find implements domain.Reader: an envelope doesn't change.
func (r stepReader) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	return r.on.reader.Find(ctx, id)
}

// Since implements domain.Reader.
func (r stepReader) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	return r.on.reader.Since(ctx, t)
}

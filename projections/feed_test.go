package projections_test

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// tape is a log in memory whose failures the test chooses.
type tape struct {
	mu     sync.Mutex
	recs   []domain.Record
	more   chan struct{} // closed and replaced when something changes
	went   domain.Runs   // positions whose records went
	fail   func(from domain.Position) error
	closed bool
}

func newTape(n int) *tape {
	t := &tape{more: make(chan struct{})}
	t.extend(n)
	return t
}

var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // when synctest's clock begins

// extend appends n records, one second apart, from epoch on.
func (t *tape) extend(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for range n {
		pos := domain.Position(len(t.recs) + 1)
		t.recs = append(t.recs, domain.Record{
			Position: pos, Topic: "test", RecordedAt: domain.MillisOf(epoch) + 1000*domain.Millis(pos),
			Envelope: domain.Envelope{ID: idOf(uint64(pos)), Trace: domain.TraceID{ID: idOf(uint64(pos))}, Kind: domain.KindEvent, Type: "test.happened", Version: 1},
		})
	}
	t.wake()
}

// retire has the records at some positions go.
func (t *tape) retire(from, through domain.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.went = t.went.Add(from, through)
}

func (t *tape) wake() {
	close(t.more)
	t.more = make(chan struct{})
}

func (t *tape) spoil(fail func(domain.Position) error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fail = fail
	t.wake()
}

func (t *tape) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.wake()
}

func (t *tape) Tail() domain.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	return domain.Position(len(t.recs))
}

func (t *tape) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	for {
		t.mu.Lock()
		tail, closed, more := domain.Position(len(t.recs)), t.closed, t.more
		t.mu.Unlock()
		switch {
		case closed:
			return 0, &domain.Error{Code: domain.CodeClosed, Message: "closed"}
		case tail > after:
			return tail, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-more:
		}
	}
}

// Select returns the records before the one that fails along with the failure.
func (t *tape) Select(_ context.Context, _ domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []domain.Record
	for pos := from; int(pos) <= len(t.recs) && len(out) < limit; pos++ {
		if t.fail != nil {
			if err := t.fail(pos); err != nil {
				return out, err
			}
		}
		if _, went := t.went.Covering(pos); !went {
			out = append(out, t.recs[pos-1])
		}
	}
	return out, nil
}

func idOf(n uint64) (id domain.ID) {
	binary.BigEndian.PutUint64(id[8:], n)
	id[0] = 1
	return id
}

// sum folds positions to their sum and their count.
type sum struct {
	name     string
	mu       sync.Mutex
	total    uint64
	count    uint64
	refuse   map[domain.Position]error
	explode  domain.Position
	loads    int
	saves    int
	loadFail error // of the next Load
}

func newSum(name string) *sum { return &sum{name: name, refuse: map[domain.Position]error{}} }

func (s *sum) Name() string { return s.name }
func (s *sum) Version() int { return 3 }

func (s *sum) Load(snap projections.Snapshot) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads++
	if err := s.loadFail; err != nil {
		s.loadFail = nil
		return err
	}
	value, found, err := snap.Get([]byte("sum"))
	s.total, s.count = 0, 0
	if found {
		s.total, s.count = binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])
	}
	return err
}

func (s *sum) Apply(rec domain.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse[rec.Position]; err != nil {
		return err
	}
	s.total += uint64(rec.Position)
	if rec.Position == s.explode {
		panic("half applied")
	}
	s.count++
	return nil
}

func (s *sum) Save(b projections.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saves++
	return b.Set([]byte("sum"), binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, s.total), s.count))
}

func (s *sum) state() (total, count uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total, s.count
}

// patient is a sum that is a Committer.
type patient struct {
	*sum
	saved int
}

func (p *patient) Saved() { p.saved++ }

// stubborn refuses updates while err is set.
type stubborn struct {
	projections.Store
	mu       sync.Mutex
	err      error
	attempts int
}

func (s *stubborn) set(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *stubborn) Update(pos domain.Position, fn func(projections.Batch) error) error {
	s.mu.Lock()
	s.attempts++
	err := s.err
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.Store.Update(pos, fn)
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

package domain

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"
)

// Millis is a moment in Unix milliseconds, the unit of every stored time.
type Millis int64

// MillisOf cuts a time to its Unix millisecond.
func MillisOf(t time.Time) Millis { return Millis(t.UnixMilli()) }

// Time is the moment in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// Sub is the time that passed from n to m; negative when n is later. A distance
// beyond 292 years is the greatest or least Duration: a reminder for the far
// future must not wrap around and fall due.
func (m Millis) Sub(n Millis) time.Duration {
	const most = math.MaxInt64 / Millis(time.Millisecond)
	d := m - n
	switch {
	case m > n && (d < 0 || d > most):
		return math.MaxInt64
	case m < n && (d > 0 || d < -most):
		return math.MinInt64
	}
	return time.Duration(d) * time.Millisecond
}

// Add moves the moment by d, cut to milliseconds.
func (m Millis) Add(d time.Duration) Millis { return m + Millis(d.Milliseconds()) }

// Clock tells the present. It is a port because replay and tests bring their own.
type Clock interface {
	Now() time.Time
}

// Setback is a record that was written when the writer's clock stood before where it
// had stood at the record before: somebody put it right, or wrong.
type Setback struct {
	Position Position `json:"pos"`
	Clock    Millis   `json:"clock"`           // of the record
	By       Millis   `json:"by"`              // how far it had gone back
	Crept    bool     `json:"crept,omitempty"` // it came back to where it had been by itself
}

// Setbacks is the fold of them. It says how old something is after the clock was
// wrong: as old as the least that the clock showed since. What was recorded by a clock
// that was ahead is so as old as the first record by the clock that was put right, and
// stays so when that clock has gone past it. The zero Setbacks knows of none.
//
// Nothing tells a clock that was ahead and is put right from one that was right and is
// put wrong, but how it comes back to where it had been: the first creeps there, and
// the second jumps. So a setback counts unless the clock jumped back, and with it all
// that lie between go.
//
// Of more than mostSetbacks the smallest are forgotten.
type Setbacks struct {
	All      []Setback `json:"all,omitempty"` // in the order of the log
	Position Position  `json:"pos,omitempty"` // of the last record that IsBehind
	Clock    Millis    `json:"clock,omitempty"`
}

// mostSetbacks bounds how many are kept. Clocks that are put right by a moment every
// hour go back often, and each time by little.
const mostSetbacks = 64

// IsBehind reports whether a record was written when the writer's clock stood before
// some record that is in the log already. Setbacks are among those, and a fold of
// them has to see no others.
func IsBehind(rec *Record) bool { return rec.Ahead != 0 }

// Evolve folds one record.
func (s *Setbacks) Evolve(rec *Record) {
	if !IsBehind(rec) || rec.Position <= s.Position {
		return
	}
	if s.Position+1 != rec.Position {
		s.step(rec.RecordedAt) // by a record that isn't behind, so this one has its moment
	}
	was := s.Clock
	s.step(rec.Clock())
	s.Position = rec.Position
	if s.Clock >= was {
		return
	}
	s.All = append(s.All, Setback{Position: rec.Position, Clock: s.Clock, By: was - s.Clock})
	if len(s.All) > mostSetbacks {
		least := slices.MinFunc(s.All, func(a, b Setback) int { return cmp.Compare(a.By, b.By) })
		s.All = slices.DeleteFunc(s.All, func(b Setback) bool { return b == least })
	}
}

// step is the clock going on from one record to the next.
func (s *Setbacks) step(to Millis) {
	for i := range s.All {
		b := &s.All[i]
		if b.undone(s.Clock, to) {
			s.All = s.All[:i]
			break
		}
		b.Crept = b.Crept || b.back(to)
	}
	s.Clock = to
}

// back reports whether a clock is where it had been before the setback.
func (b *Setback) back(clock Millis) bool { return clock >= b.Clock+b.By }

// undone reports whether a step of the clock is the jump back to where it had been:
// the first that gets there, and half of the way or more.
func (b *Setback) undone(from, to Millis) bool {
	return !b.Crept && b.back(to) && 2*(b.Clock+b.By-from) >= b.By
}

// Since is the moment that something counts from at now, when it was recorded at a
// position by a clock that showed at: that moment, or the least that the clock was put
// back to since. What lies ahead of now all the same is of no age.
func (s *Setbacks) Since(pos Position, at, now Millis) Millis {
	for _, b := range s.All {
		if b.undone(s.Clock, now) {
			break
		}
		if b.Position > pos {
			at = min(at, b.Clock)
		}
	}
	return at
}

// CountsSince is the moment that a record counts from, for callers that have a log and no
// fold of it: what the clock showed, or, while that lies ahead of now, what it showed at the
// first record behind it that doesn't. It reads on from one that lies ahead, through
// the position that the log went to at now, and nothing for any other.
func CountsSince(ctx context.Context, log Reader, rec Record, through Position, now Millis) (Millis, error) {
	const page = 64
	at := rec.Clock()
	for from := rec.Position + 1; at > now && from <= through; from += page {
		records, err := log.Select(ctx, Selector{}, from, page)
		if err != nil {
			return 0, err
		}
		for _, later := range records {
			if later.Clock() <= now && later.Position <= through {
				return later.Clock(), nil
			}
		}
		if len(records) < page {
			break
		}
	}
	return at, nil
}

// Clone is a copy that shares nothing with the original.
func (s *Setbacks) Clone() Setbacks {
	out := *s
	out.All = slices.Clone(s.All)
	return out
}

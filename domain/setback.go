package domain

import (
	"cmp"
	"context"
	"slices"
)

// Setback is a record that was written when the writer's clock stood before where it
// had stood at the record before: somebody put it right, or wrong.
type Setback struct {
	Position Position `json:"pos"`
	Clock    Millis   `json:"clock"` // of the record
	By       Millis   `json:"by"`    // how far it had gone back
}

// Setbacks is the fold of them. It says how old something is after the clock was
// wrong: what was recorded by a clock that was ahead is as old as the first record
// behind it by the clock that was put right. The zero Setbacks knows of none.
//
// Nothing tells a clock that was ahead and is put right from one that is put wrong and
// was right before, but what comes then: the first creeps up to where it had been, and
// the second jumps. So a setback counts until the clock is beyond where it had been,
// and for ever unless it jumped there.
//
// Of more than mostSetbacks the smallest are forgotten.
type Setbacks struct {
	All  []Setback `json:"all,omitempty"` // in the order of the log
	Last behind    `json:"last,omitzero"`
}

// behind is the last record that IsBehind.
type behind struct {
	Position Position `json:"pos"`
	Clock    Millis   `json:"clock"`
	Before   Millis   `json:"before"` // where the clock had been: recorded_at
	Began    Position `json:"began"`  // the first of those that it follows without one that isn't behind
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
	if !IsBehind(rec) || rec.Position <= s.Last.Position {
		return
	}
	next := behind{Position: rec.Position, Clock: rec.Clock(), Before: rec.RecordedAt, Began: s.Last.Began}
	before := s.Last.Clock
	if s.Last.Position+1 != rec.Position {
		// The record before was written by the latest clock so far.
		s.All = slices.DeleteFunc(s.All, s.undone)
		before, next.Began = rec.RecordedAt, rec.Position
	}
	s.Last = next
	if next.Clock >= before {
		return
	}
	s.All = append(s.All, Setback{rec.Position, next.Clock, before - next.Clock})
	if len(s.All) > mostSetbacks {
		least := slices.MinFunc(s.All, func(a, b Setback) int { return cmp.Compare(a.By, b.By) })
		s.All = slices.DeleteFunc(s.All, func(b Setback) bool { return b == least })
	}
}

// undone reports whether the clock jumped back to where it had been before a setback,
// once it is there: it lacked half of the way, or more, at the last record.
func (s *Setbacks) undone(b Setback) bool {
	return b.Position >= s.Last.Began && s.Last.Before-s.Last.Clock >= (b.By+1)/2
}

// Since is the moment that something counts from at now, when it was recorded at a
// position by a clock that showed at: that moment, or what the clock showed when it
// was put back to before it. What still lies ahead of now is of no age.
func (s *Setbacks) Since(pos Position, at, now Millis) Millis {
	for _, b := range slices.Backward(s.All) {
		if b.Position <= pos {
			break
		}
		if b.Clock < at && (now < s.Last.Before || !s.undone(b)) {
			at = b.Clock
		}
	}
	return at
}

// CountsSince is the moment that a record counts from, for who has a log and no fold
// of it: what the clock showed, or, while that lies ahead of now, what it showed at the
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
func (s *Setbacks) Clone() Setbacks { return Setbacks{All: slices.Clone(s.All), Last: s.Last} }

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
// wrong: what was recorded at a moment that lies ahead of now is as old as the first
// record behind it that doesn't lie ahead. The zero Setbacks knows of none.
//
// Of more than mostSetbacks the smallest are forgotten: what lies ahead by so little
// soon doesn't any more.
type Setbacks struct {
	All  []Setback `json:"all,omitempty"` // in the order of the log
	Last Setback   `json:"last,omitzero"` // the last record that IsBehind; By is 0
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
	clock := rec.Clock()
	// The record before is either the last one that was behind, or it was recorded by
	// the latest clock so far, which is the time that this one is recorded at.
	before := rec.RecordedAt
	if s.Last.Position+1 == rec.Position {
		before = s.Last.Clock
	}
	s.Last = Setback{Position: rec.Position, Clock: clock}
	if clock >= before {
		return
	}
	s.All = append(s.All, Setback{rec.Position, clock, before - clock})
	if len(s.All) > mostSetbacks {
		least := 0
		for i := range s.All {
			if s.All[i].By < s.All[least].By {
				least = i
			}
		}
		s.All = slices.Delete(s.All, least, least+1)
	}
}

// Since is the moment that something counts from at now, when it was recorded at a
// position by a clock that showed at: that moment, unless it lies ahead; then what the
// clock showed at the first record behind it that doesn't lie ahead. While there is
// none it lies ahead still, and is of no age.
func (s *Setbacks) Since(pos Position, at, now Millis) Millis {
	if at <= now {
		return at
	}
	i, _ := slices.BinarySearchFunc(s.All, pos, func(b Setback, pos Position) int { return cmp.Compare(b.Position, pos+1) })
	for _, b := range s.All[i:] {
		if b.Clock <= now {
			return b.Clock
		}
	}
	return at
}

// CountsSince is [Setbacks.Since] of a record, for who has a log and no fold of it. It
// reads on from a record that lies ahead, as far as the log went at now, and nothing
// for any other.
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

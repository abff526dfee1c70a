package domain

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
)

// SpanRetired says which records went because their time to be kept was over: the others are
// as they were, and so is every fold of them from here on, which was found by folding the log
// with these and without. The records may be there for a while after it.
type SpanRetired struct {
	Through Position       `json:"through"` // the base: folds were compared here, and come out the same here and later
	Runs    string         `json:"runs"`    // the positions, as Runs writes them
	Kept    []KeptFor      `json:"kept"`    // the times that were over
	Counts  []RetiredCount `json:"counts"`  // by topic and type
	Records uint64         `json:"records"`
	Bytes   uint64         `json:"bytes"`  // of the records, before they are compressed
	Oldest  Millis         `json:"oldest"` // recorded_at of the first
	Newest  Millis         `json:"newest"` // and of the last
}

// KeptFor is the time to keep of a topic.
type KeptFor struct {
	Topic Topic  `json:"topic"`
	For   Millis `json:"for"` // a length of time
}

// RetiredCount is how many records of a type went.
type RetiredCount struct {
	Topic   Topic     `json:"topic"`
	Type    EventType `json:"type"`
	Records uint64    `json:"records"`
}

// SourceRetention is the emitter of what is recorded of what went.
const SourceRetention Source = "retention"

// RetiredKey marks every event that says what went.
const RetiredKey Key = "retired"

// Keys go onto the event's envelope.
func (SpanRetired) Keys() []Key { return []Key{RetiredKey} }

// Positions are those that went.
func (s SpanRetired) Positions() (Runs, error) { return ReadRuns(s.Runs) }

// Run is a run of positions, both ends included.
type Run struct {
	From    Position `json:"from"`
	Through Position `json:"through"`
}

// Runs are positions: runs that ascend and don't touch.
type Runs []Run

// Add adds positions behind all that are there, or next to the last.
func (r Runs) Add(from, through Position) Runs {
	if n := len(r); n > 0 && from <= r[n-1].Through+1 {
		r[n-1].Through = max(r[n-1].Through, through)
		return r
	}
	return append(r, Run{from, through})
}

// Last is the last position; 0 of none.
func (r Runs) Last() Position {
	if len(r) == 0 {
		return 0
	}
	return r[len(r)-1].Through
}

// Count is how many positions there are.
func (r Runs) Count() (n uint64) {
	for _, run := range r {
		n += uint64(run.Through-run.From) + 1
	}
	return n
}

// Covering is the run that a position is in; false when it is in none.
func (r Runs) Covering(pos Position) (Run, bool) {
	i, found := slices.BinarySearchFunc(r, pos, func(run Run, pos Position) int {
		switch {
		case run.Through < pos:
			return -1
		case run.From > pos:
			return 1
		}
		return 0
	})
	if !found {
		return Run{}, false
	}
	return r[i], true
}

// Before is the last position from one on, and through another at most, before the next run.
func (r Runs) Before(from, through Position) Position {
	for _, run := range r {
		if run.From > from {
			return min(through, run.From-1)
		}
	}
	return through
}

// Write is the runs as text: for each the distance from the end of the one before and the
// distance between its ends, as uvarints in base64.
func (r Runs) Write() string {
	var out []byte
	var last Position
	for _, run := range r {
		out = binary.AppendUvarint(out, uint64(run.From-last))
		out = binary.AppendUvarint(out, uint64(run.Through-run.From))
		last = run.Through
	}
	return base64.RawStdEncoding.EncodeToString(out)
}

var errNoRuns = errors.New("they are no runs of positions")

// ReadRuns reads what Write wrote.
func ReadRuns(text string) (out Runs, err error) {
	in, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errNoRuns
	}
	var last Position
	next := func() Position {
		n, size := binary.Uvarint(in)
		if size <= 0 {
			err = errNoRuns
			return 0
		}
		in = in[size:]
		return Position(n)
	}
	for len(in) > 0 && err == nil {
		from := last + next()
		through := from + next()
		if from <= last || through < from {
			return nil, errNoRuns
		}
		out, last = append(out, Run{from, through}), through
	}
	return out, err
}

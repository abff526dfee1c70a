package player

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"chalie/domain"
	"chalie/domain/memlog"
)

// Config is what a replay needs. Log and StartRuntime are required.
type Config struct {
	Log     memlog.Base
	Staging StartRuntime
	Params  domain.Params // what today's code decides by; zero is domain.DefaultParams
	Today   Version       // of today's code, for the report
	Workers int           // traces are shared among so many; 0 is one for each processor
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	if c.Log == nil || c.Staging == nil || c.Workers < 0 {
		return domain.Invalid("configure replay", "", "Log and Staging are required, and Workers is 0 or more")
	}
	return nil
}

// Player lets today's code decide again what was decided then, from what was recorded
// of everything else, and compares each step with the one in the log.
//
// It walks through the log in order, folds every record, and stops before every step
// that is to be replayed: the code then sees the log and its folds as they were, with
// the clock, the ids and the answers from outside as they were recorded, until it
// appends its step. That is caught and compared; nothing is written, and nobody is
// asked. A Player is safe for concurrent use.
type Player struct{ cfg Config }

// New checks the configuration.
func New(cfg Config) (*Player, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Workers == 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	return &Player{cfg}, nil
}

// Progress is how far a replay has come.
type Progress struct {
	Done  domain.Position
	Total domain.Position
}

// Request is what is to be replayed.
type Request struct {
	Trace domain.TraceID  // this one; none for all that began at Since or later
	Since domain.Position // 0 is the beginning of the log
}

// Replay replays what is asked for. told is called now and then, by one goroutine at a
// time; nil for nobody. Errors are those of Trace and All.
func (p *Player) Replay(ctx context.Context, what Request, told func(Progress)) (Report, error) {
	if what.Trace.IsZero() {
		return p.All(ctx, what.Since, told)
	}
	return p.Trace(ctx, what.Trace, told)
}

// Trace replays one trace as far as the log has it. Errors: not found, when the log has
// none with that id; those of the log; and ctx's.
func (p *Player) Trace(ctx context.Context, trace domain.TraceID, told func(Progress)) (Report, error) {
	through, err := p.endOf(ctx, trace)
	if err != nil {
		return Report{}, err
	}
	one := func(t domain.TraceID) bool { return t == trace }
	return p.perform(ctx, one, 1, through, tellOf(told, through))
}

// endOf is the last position of a trace.
func (p *Player) endOf(ctx context.Context, trace domain.TraceID) (domain.Position, error) {
	const page = 1024
	var last domain.Position
	for {
		records, err := p.cfg.Log.Select(ctx, domain.Selector{Trace: trace}, last+1, page)
		if err != nil {
			return 0, err
		}
		if n := len(records); n > 0 {
			last = records[n-1].Position
		}
		if len(records) < page {
			break
		}
	}
	if last == 0 {
		return 0, &domain.Error{Op: "replay", Category: domain.NotFound, Code: "not_found", Message: "there is no trace " + trace.String() + " in the log"}
	}
	return last, nil
}

// All replays every trace that begins at a position or later, through the tail as it is
// now. told is called now and then, by one goroutine at a time. Errors: those of the
// log, and ctx's; then nothing is reported.
func (p *Player) All(ctx context.Context, since domain.Position, told func(Progress)) (Report, error) {
	through := p.cfg.Log.Tail()
	n := uint64(p.cfg.Workers)
	reports, failures := make([]Report, n), make([]error, n)
	shares := newShares(int(n), tellOf(told, through))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var working sync.WaitGroup
	for i := range n {
		working.Go(func() {
			mine := func(t domain.TraceID) bool { return binary.BigEndian.Uint64(t.ID[8:])%n == i }
			if reports[i], failures[i] = p.perform(ctx, mine, since, through, shares.of(int(i))); failures[i] != nil {
				cancel() // the others' work would be of no use
			}
		})
	}
	working.Wait()
	if err := firstOf(failures); err != nil {
		return Report{}, err
	}
	out := Report{Identical: true}
	for _, r := range reports {
		out.add(r)
	}
	return out, nil
}

// firstOf is the failure that the others followed from, if there is one.
func firstOf(failures []error) error {
	var out error
	for _, err := range failures {
		if err != nil && (out == nil || errors.Is(out, context.Canceled)) {
			out = err
		}
	}
	return out
}

// perform walks the log once. A trace that differs is looked at once more, step for
// step with what its code may have seen.
func (p *Player) perform(ctx context.Context, wanted func(domain.TraceID) bool, from, through domain.Position, told func(domain.Position)) (Report, error) {
	show, err := newReplayRun(p.cfg.Log, p.cfg.Staging, p.cfg.Params, through)
	if err != nil {
		return Report{}, err
	}
	show.wanted, show.from, show.today, show.told = wanted, from, p.cfg.Today, told
	return show.run(ctx)
}

// tellOf tells of one walk.
func tellOf(told func(Progress), through domain.Position) func(domain.Position) {
	if told == nil {
		return nil
	}
	return func(pos domain.Position) { told(Progress{pos, through}) }
}

// shares puts the progress of several walks together: it is that of the slowest.
type shares struct {
	told func(domain.Position)
	at   []atomic.Uint64
	one  sync.Mutex
}

func newShares(n int, told func(domain.Position)) *shares {
	return &shares{told: told, at: make([]atomic.Uint64, n)}
}

func (s *shares) of(i int) func(domain.Position) {
	if s.told == nil {
		return nil
	}
	return func(pos domain.Position) {
		s.at[i].Store(uint64(pos))
		if !s.one.TryLock() {
			return
		}
		defer s.one.Unlock()
		least := uint64(pos)
		for j := range s.at {
			least = min(least, s.at[j].Load())
		}
		s.told(domain.Position(least))
	}
}

// MaxDiffering bounds the traces that a report names as decided differently.
const MaxDiffering = 200

// Report is what a replay found.
type Report struct {
	// Identical says that today's code decides everything that was replayed as it was
	// decided then.
	Identical bool `json:"identical"`
	// Traces are those with something to decide. Some of them are Skipped, wholly or
	// from some step on: those that have no end yet, which are Open, those whose inputs
	// are Erased, and those whose beginning the log doesn't hold, which are
	// Cut.
	Traces  int `json:"traces"`
	Skipped int `json:"skipped"`
	Open    int `json:"open"`
	Erased  int `json:"erased"`
	Cut     int `json:"cut"`
	// WithoutDecisions are the traces in which there is nothing to decide, such as a
	// signal that was heard.
	WithoutDecisions int `json:"without_decisions"`
	Steps            int `json:"steps" doc:"Decisions that were compared, each of one or more envelopes."`
	Envelopes        int `json:"envelopes" doc:"That were compared."`
	// Diverged is how many traces are decided differently; Divergence is the first, by
	// its place in the log.
	Diverged   int         `json:"diverged"`
	Divergence *Divergence `json:"divergence,omitempty"`
	// Differing says of each of them where it differs first, in log order: of at most
	// MaxDiffering, the earliest.
	Differing []Differing `json:"differing,omitempty"`
}

// Differing is one trace that is decided differently, and where it is first.
type Differing struct {
	Trace    domain.TraceID   `json:"trace_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field"`
}

// Divergence is where today's code decides differently for the first time.
type Divergence struct {
	Trace domain.TraceID `json:"trace_id"`
	// Envelope is the recorded one that differs. When today's code goes on where the
	// record ends, or ends where the record goes on, it is the last that agrees, and
	// Field is "next".
	Envelope domain.ID        `json:"envelope_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field" doc:"A path, such as payload.world.items[0].salience."`
	Recorded json.RawMessage  `json:"recorded" doc:"Null where there is nothing."`
	Replayed json.RawMessage  `json:"replayed"`
	Versions Versions         `json:"versions"`
}

// Versions tell which code wrote, and which replayed.
type Versions struct {
	Recorded Version `json:"recorded"`
	Replayed Version `json:"replayed"`
}

// Version names code: its build, and the hash of the rules and parameters that it
// decides by; "" where that wasn't recorded.
type Version struct {
	Build string `json:"build"`
	Rules string `json:"rules"`
}

// add takes what another walk over the same log found, over other traces.
func (r *Report) add(o Report) {
	r.Traces += o.Traces
	r.Skipped += o.Skipped
	r.Open += o.Open
	r.Erased += o.Erased
	r.Cut += o.Cut
	r.WithoutDecisions += o.WithoutDecisions
	r.Steps += o.Steps
	r.Envelopes += o.Envelopes
	r.Diverged += o.Diverged
	if o.Divergence != nil && (r.Divergence == nil || o.Divergence.Position < r.Divergence.Position) {
		r.Divergence = o.Divergence
	}
	r.Differing = append(r.Differing, o.Differing...)
	slices.SortFunc(r.Differing, func(a, b Differing) int { return cmp.Compare(a.Position, b.Position) })
	r.Differing = r.Differing[:min(len(r.Differing), MaxDiffering)]
	r.Identical = r.Diverged == 0
}

package player

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"chalie/domain"
	"chalie/replay"
)

// Config is what a replay needs. Log and StartRuntime are required.
type Config struct {
	Log     replay.Log
	Staging StartRuntime
	Today   Version // today's code, by its build and amendments
	Workers int     // number of walks that share the traces; 0 is one per processor
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	if c.Log == nil || c.Staging == nil || c.Workers < 0 {
		return domain.Invalid("configure replay", "", "Log and Staging are required, and Workers is 0 or more")
	}
	return nil
}

// Player replays recorded decisions with today's code and the recorded inputs, and
// compares each step with the log.
//
// It walks through the log in order, folds every record, and stops before every step to
// be replayed: the code then sees the log and its folds as of that step, with the
// recorded clock, ids and external answers, until it appends its step, which is caught
// and compared. Nothing is written, and no model or interface is called. A Player is safe
// for concurrent use.
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

// Progress is the progress of a replay.
type Progress struct {
	Done  domain.Position
	Total domain.Position
}

// Request selects the traces to replay.
type Request struct {
	Trace domain.TraceID  // this trace; zero for all that began at Since or later
	Since domain.Position // 0 is the beginning of the log
}

// Replay replays the requested traces. told, if not nil, is called now and then, by one
// goroutine at a time. Errors are those of Trace and All.
func (p *Player) Replay(ctx context.Context, what Request, told func(Progress)) (report Report, err error) {
	from := what.Since
	if what.Trace.IsZero() {
		report, err = p.All(ctx, what.Since, told)
	} else if report, err = p.Trace(ctx, what.Trace, told); err == nil {
		_, from, err = p.spanOf(ctx, what.Trace)
	}
	if err == nil {
		report.Gap, err = GapBehind(ctx, p.cfg.Log, from+1)
	}
	return report, err
}

// Trace replays one trace as far as the log has it. Errors: not found, when the log has
// none with that id; those of the log; and ctx's.
func (p *Player) Trace(ctx context.Context, trace domain.TraceID, told func(Progress)) (Report, error) {
	first, through, err := p.spanOf(ctx, trace)
	if err != nil {
		return Report{}, err
	}
	one := func(t domain.TraceID) bool { return t == trace }
	report, err := p.perform(ctx, part{wanted: one, first: first, through: through}, tellOf(told, through))
	if err != nil {
		return Report{}, err
	}
	return report, p.settle(ctx, &report)
}

// spanOf are the first and the last position of a trace.
func (p *Player) spanOf(ctx context.Context, trace domain.TraceID) (first, last domain.Position, err error) {
	const page = 1024
	for {
		records, err := p.cfg.Log.Select(ctx, domain.Selector{Trace: trace}, last+1, page)
		if err != nil {
			return 0, 0, err
		}
		if n := len(records); n > 0 {
			last = records[n-1].Position
			first = cmp.Or(first, records[0].Position)
		}
		if len(records) < page {
			break
		}
	}
	if last == 0 {
		return 0, 0, &domain.Error{Op: "replay", Category: domain.NotFound, Code: "not_found", Message: "there is no trace " + trace.String() + " in the log"}
	}
	return first, last, nil
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
			if reports[i], failures[i] = p.perform(ctx, part{mine, since, since, through}, shares.of(int(i))); failures[i] != nil {
				cancel() // the other walks' results would not be used
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
	return out, p.settle(ctx, &out)
}

// firstOf is the original failure among cancelled walks, if there is one.
func firstOf(failures []error) error {
	var out error
	for _, err := range failures {
		if err != nil && (out == nil || errors.Is(out, context.Canceled)) {
			out = err
		}
	}
	return out
}

// part is what one walk replays.
type part struct {
	wanted  func(domain.TraceID) bool
	from    domain.Position // traces that began before it aren't replayed
	first   domain.Position // nothing before it is
	through domain.Position
}

// perform walks the log once.
func (p *Player) perform(ctx context.Context, what part, told func(domain.Position)) (Report, error) {
	show, err := newComparing(p.cfg.Log, p.cfg.Staging, what.through)
	if err != nil {
		return Report{}, err
	}
	show.wanted, show.from, show.today = what.wanted, what.from, p.cfg.Today
	if err := show.begin(ctx, what.first); err != nil {
		return Report{}, err
	}
	return show.run(ctx, told)
}

// tellOf reports the progress of one walk.
func tellOf(told func(Progress), through domain.Position) func(domain.Position) {
	if told == nil {
		return nil
	}
	return func(pos domain.Position) { told(Progress{pos, through}) }
}

// shares combines the progress of several walks: it is the slowest one's.
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

// Report is what a replay found.
type Report struct {
	// Identical says that all replayed decisions are as recorded.
	Identical bool `json:"identical"`
	// Traces counts the traces with decisions. Some of them are Skipped, wholly or from
	// some step on: those without an end, which are Open, those whose inputs are Erased,
	// and those whose beginning the log doesn't hold, which are Cut.
	Traces  int `json:"traces"`
	Skipped int `json:"skipped"`
	Open    int `json:"open"`
	Erased  int `json:"erased"`
	Cut     int `json:"cut"`
	// WithoutDecisions counts the traces without decisions, such as that of a signal.
	WithoutDecisions int `json:"without_decisions"`
	Steps            int `json:"steps" doc:"Decisions that were compared, each of one or more envelopes."`
	Envelopes        int `json:"envelopes" doc:"That were compared."`
	Unread           int `json:"unread" doc:"Of them, those that didn't record how much of the log had been read: they agree when they agree with one of the views that there may have been."`
	Given            int `json:"given" doc:"Decisions that were taken as recorded: they rest on what isn't in this log."`

	Gap

	// Diverged counts the traces that are decided differently somewhere, and Differ the decisions.
	Diverged int `json:"diverged"`
	Differ   int `json:"differ" doc:"Decisions that were decided differently, of those compared."`
	// A decision has a difference of each kind that is in it.
	Known int    `json:"known" doc:"Differences that are known by their kind: to the program, or because the person accepted it."`
	New   int    `json:"new" doc:"Differences that aren't known."`
	Deeds int    `json:"deeds" doc:"Differences, known or not, by which something would be done that wasn't, or not, or otherwise."`
	Kinds []Kind `json:"kinds,omitempty" doc:"Those of all differences, what isn't known first."`
	// Divergence is the first difference in the log that isn't known, or, when all are, the first.
	Divergence *Divergence `json:"divergence,omitempty"`
	// Differing are the differences that aren't known, in log order, at most MaxDiffering.
	Differing []Differing `json:"differing,omitempty"`
}

// Same reports whether two replays found the same, whatever of it is known: all as it was, or the
// same first difference.
func (r Report) Same(o Report) bool {
	if r.Identical != o.Identical || r.Steps != o.Steps || r.Skipped != o.Skipped || r.Differ != o.Differ {
		return false
	}
	a, b := r.earliest(false), o.earliest(false)
	return a == nil || b != nil && a.Envelope == b.Envelope && a.Field == b.Field
}

// Divergence is a difference.
type Divergence struct {
	Trace domain.TraceID `json:"trace_id"`
	// Envelope is the recorded envelope that differs. When today's code makes more or
	// fewer steps than recorded, it is the last that agrees, and Field is "next".
	Envelope domain.ID        `json:"envelope_id"`
	Position domain.Position  `json:"position"`
	Type     domain.EventType `json:"type"`
	Field    string           `json:"field" doc:"A path, such as payload.world.items[0].salience."`
	Recorded json.RawMessage  `json:"recorded" doc:"Null where there is nothing."`
	Replayed json.RawMessage  `json:"replayed"`
	Versions Versions         `json:"versions"`
}

// Versions are the code that recorded, and the code that replayed.
type Versions struct {
	Recorded Version `json:"recorded"`
	Replayed Version `json:"replayed"`
}

// Version identifies code by its build, the hash of its rules and parameters, and the amendments
// that it has; "" and 0 where that wasn't recorded.
type Version struct {
	Build      string `json:"build"`
	Rules      string `json:"rules"`
	Amendments int    `json:"amendments,omitempty" doc:"How many of the changes of what is decided it has that the program names."`
}

// add merges the report of another walk over other traces.
func (r *Report) add(o Report) {
	r.Traces += o.Traces
	r.Skipped += o.Skipped
	r.Open += o.Open
	r.Erased += o.Erased
	r.Cut += o.Cut
	r.WithoutDecisions += o.WithoutDecisions
	r.Steps += o.Steps
	r.Envelopes += o.Envelopes
	r.Unread += o.Unread
	r.Given += o.Given
	r.Diverged += o.Diverged
	r.Differ += o.Differ
	r.Kinds = merged(r.Kinds, o.Kinds)
	r.Identical = r.Diverged == 0
}

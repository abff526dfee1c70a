package replay

import (
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"chalie/domain"
)

// PlayerConfig is what a replay needs. Log and Staging are required.
type PlayerConfig struct {
	Log     Base
	Staging Staging
	Params  domain.Params // what today's code decides by; zero is domain.DefaultParams
	Today   Version       // of today's code, for the report
	Workers int           // traces are shared among so many; 0 is one for each processor
}

// Validate returns a validation error when something is missing.
func (c PlayerConfig) Validate() error {
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
type Player struct{ cfg PlayerConfig }

// NewPlayer checks the configuration.
func NewPlayer(cfg PlayerConfig) (*Player, error) {
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

// TraceOf is the trace that a text names: an id of any envelope of it, or whatever
// else ParseTarget takes. Errors: validation; and not found.
func TraceOf(ctx context.Context, log Log, text string) (domain.TraceID, error) {
	target, err := ParseTarget(text)
	if err != nil {
		return domain.TraceID{}, err
	}
	rec, err := target.locate(ctx, log)
	return rec.Envelope.Trace, err
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
	show, err := newPerformance(p.cfg.Log, p.cfg.Staging, p.cfg.Params, through)
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

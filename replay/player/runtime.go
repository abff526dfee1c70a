package player

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"chalie/domain"
	"chalie/replay"
)

// Environment is the world of today's code in a replay: a log that ends at the replay's
// position, and the recorded clock, ids and external answers. No port of it has an
// effect.
type Environment struct {
	Log     EnvironmentLog
	Clock   domain.Clock
	IDs     domain.IDs
	Effects Effects
}

// EnvironmentLog is the log as of the replay's position, which catches appends.
type EnvironmentLog interface {
	domain.Reader
	domain.Tailer
	domain.Appender
}

// Act is one run of deciding code: an episode, or a directly requested invocation. A
// trace may have several: an interface that is called in an episode may request an
// invocation itself.
type Act struct {
	Trace      domain.TraceID
	Invocation domain.ID // the directly requested invocation; zero for an episode
}

// Runtime is today's code in an environment. One goroutine uses it at a time; the runs of
// several acts may be under way together as long as only one of them moves.
type Runtime interface {
	// Begin gives the folds what they had at or before a position, where that is kept. It
	// comes first, or not at all, and then they begin with nothing. Errors are the log's.
	Begin(ctx context.Context, at domain.Position) (Beginning, error)
	// Apply folds one record. Records come in log order. An error means that the record
	// can't be folded.
	Apply(rec domain.Record) error
	// Hold keeps the present world state for the episode of a trace, which then starts
	// with it. Without Hold it starts with the latest.
	Hold(trace domain.TraceID)
	// Run continues an act from its state in the environment's log, until it ends or
	// waits, or the log refuses a step. Its error is the environment's, or the one that
	// ended the code.
	Run(ctx context.Context, act Act) error
}

// Beginning is what a walk goes on from; the zero value is before the first record.
type Beginning struct {
	At         domain.Position    // the last record that is folded
	Plans      domain.Commitments // as they were then
	Build      string             // of the process that wrote then; "" for unknown
	Amendments int                // that it had, as domain.SystemStarted has them
}

// StartRuntime makes a runtime. It is how the program lends its wiring to this package.
type StartRuntime func(Environment) (Runtime, error)

// CodeNotRecorded says that an external answer is needed that isn't recorded: a replay
// makes no calls.
const CodeNotRecorded domain.Code = "not_recorded"

// NotRecorded is the error of an effect that there is no record of.
func NotRecorded(what string) error {
	return &domain.Error{Op: "replay", Category: domain.Dependency, Code: CodeNotRecorded,
		Message: what + " is not recorded, and a replay asks nobody"}
}

// Effects are the recorded external answers, by the act that needs them; the error is
// NotRecorded's when there is none.
type Effects interface {
	// Ground is the recorded reasoning.started of an act; false when there is none. Only
	// its given parts are used: the models, and the machine's time zone.
	Ground(ctx context.Context, act Act) (domain.ReasoningStarted, bool)
	// Reply is the recorded model.replied or model.failed of a model that isn't part
	// of the program.
	Reply(ctx context.Context, act Act, model string) (domain.Envelope, error)
	// Edited is what a change has the built-in model reply to the present question of an
	// act; false when it has nothing, and the model is asked.
	Edited(ctx context.Context, act Act) (domain.Envelope, bool, error)
	// Verdict is the recorded answer.verified.
	Verdict(ctx context.Context, act Act) (domain.Envelope, error)
	// Answer is the recorded end of a call to an interface: tool.completed, tool.failed
	// or tool.outcome_unknown.
	Answer(ctx context.Context, act Act, call Outgoing) (domain.Envelope, error)
	// State is the recorded state around a call.
	State(ctx context.Context, act Act, call Outgoing, when domain.Moment) (domain.StateTaken, error)
	// Invoked is the record that begins an act by itself: the tool.invoked of what was
	// asked for directly, or the timer.due of what fell due, by its id, which is that of
	// the act's invocation or trace. The environment's log doesn't hold it yet: today's code
	// appends it anew, together with what it decides about it.
	Invoked(ctx context.Context, id domain.ID) (domain.Record, error)
	// Trouble are Chalie's faults at that time, a sentence each, if an answer about them
	// was recorded.
	Trouble() []string
}

// Lagging are Effects that know how far a fold was behind the log at a decision.
type Lagging interface {
	// HeardThrough is the position through which the conversation was folded; 0 for all
	// that the log holds.
	HeardThrough() domain.Position
	// KnownThrough is the position through which the interfaces were folded; 0 likewise.
	KnownThrough() domain.Position
}

// Outgoing is a call as it would be sent.
type Outgoing struct {
	Invocation domain.ID
	Tool       string
	Params     json.RawMessage
}

// behind is the log as of a position.
type behind struct {
	base    replay.Log
	through domain.Position
	recent  *recent
}

var _ replay.Log = (*behind)(nil)

// Tail implements domain.Tailer.
func (l *behind) Tail() domain.Position { return l.through }

// Wait implements domain.Tailer. The tail doesn't move while the code runs.
func (l *behind) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	if l.through > after {
		return l.through, nil
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// Select implements domain.Reader.
func (l *behind) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if from > l.through {
		return nil, ctx.Err()
	}
	if s == (domain.Selector{}) || s.Topic == domain.TopicAll {
		limit = min(limit, int(l.through-from)+1)
	}
	records, err := l.base.Select(ctx, s, from, limit)
	if over := slices.IndexFunc(records, func(r domain.Record) bool { return r.Position > l.through }); over >= 0 {
		return records[:over], nil
	}
	return records, err
}

// Find implements domain.Reader.
func (l *behind) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, known := l.recent.records[id]
	var err error
	if !known {
		rec, err = l.base.Find(ctx, id)
	}
	if err == nil && rec.Position > l.through {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}

// Since implements domain.Reader.
func (l *behind) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	pos, err := l.base.Since(ctx, t)
	return min(pos, l.through+1), err
}

// recent caches the latest records of a walk: most records that code reads by id are
// among them, such as the signals of the world state.
type recent struct {
	records map[domain.ID]domain.Record
	order   []domain.ID // a ring, once it is full
	oldest  int
}

// mostRecent bounds the records that are kept: a few times what a world remembers.
const mostRecent = 1024

func newRecent() *recent { return &recent{records: make(map[domain.ID]domain.Record, mostRecent)} }

func (r *recent) add(rec domain.Record) {
	id := rec.Envelope.ID
	if len(r.order) < mostRecent {
		r.order = append(r.order, id)
	} else {
		delete(r.records, r.order[r.oldest])
		r.order[r.oldest] = id
		r.oldest = (r.oldest + 1) % mostRecent
	}
	r.records[id] = rec
}

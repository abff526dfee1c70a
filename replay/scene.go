package replay

import (
	"context"
	"encoding/json"

	"chalie/domain"
)

// Scene is the world that today's code is let into: a log that ends where the
// replay stands, the clock and the ids as they were recorded, and the effects as
// they were recorded. No port of it has an effect.
type Scene struct {
	Log     SceneLog
	Clock   domain.Clock
	IDs     domain.IDs
	Effects Effects
	Params  domain.Params // what today's code decides by; zero is domain.DefaultParams
}

// SceneLog is a log that shows what today's code could see, and catches what it
// would append.
type SceneLog interface {
	domain.Reader
	domain.Tailer
	domain.Appender
}

// Act is one run of Chalie's code that decides: an episode, or an invocation that
// somebody asked for directly. A trace may have several: an interface that is
// called in an episode may ask for something itself.
type Act struct {
	Trace      domain.TraceID
	Invocation domain.ID // of what was asked for directly; none of an episode
}

// Stage is today's code on a scene. One goroutine uses it at a time; the runs of
// several acts may be under way together as long as only one of them moves.
type Stage interface {
	// Apply folds one record into what the code knows. Records come in log order.
	// An error says that the record can't be folded.
	Apply(rec domain.Record) error
	// Hold keeps the world as it is folded now for the episode of a trace: it starts
	// with that, whatever comes in between. Without it, it starts with the latest.
	Hold(trace domain.TraceID)
	// Run goes on with an act from where the scene's log says it is, until it has
	// ended or waits, or the scene's log refuses a step. Its error is that of the
	// scene, or of the code: one that it can't go on after.
	Run(ctx context.Context, act Act) error
}

// Staging makes a stage. It is how the program lends its wiring to this package.
type Staging func(Scene) (Stage, error)

// CodeNotRecorded says that something from outside is needed that no record has:
// a replay asks nobody.
const CodeNotRecorded domain.Code = "not_recorded"

// NotRecorded is the error of an effect that there is no record of.
func NotRecorded(what string) error {
	return &domain.Error{Op: "replay", Category: domain.Dependency, Code: CodeNotRecorded,
		Message: what + " is not recorded, and a replay asks nobody"}
}

// Effects are what came from outside, as it was recorded. Each is asked for by the
// act that needs it; the error is that of NotRecorded when there is none.
type Effects interface {
	// Ground is the recorded reasoning.started of an act; false when there is none. Of
	// it only what was given is taken: which models there were, and the zone of the
	// machine.
	Ground(ctx context.Context, act Act) (domain.ReasoningStarted, bool)
	// Reply is the recorded model.replied or model.failed of a model that isn't part
	// of the program.
	Reply(ctx context.Context, act Act, model string) (domain.Envelope, error)
	// Verdict is the recorded answer.verified.
	Verdict(ctx context.Context, act Act) (domain.Envelope, error)
	// Answer is the recorded end of a call to an interface: tool.completed, tool.failed
	// or tool.outcome_unknown.
	Answer(ctx context.Context, act Act, call Outgoing) (domain.Envelope, error)
	// State is the recorded state around a call.
	State(ctx context.Context, act Act, call Outgoing, when domain.Moment) (domain.StateTaken, error)
	// Invoked is the record that begins an act by itself: the tool.invoked of what was
	// asked for directly, or the timer.due of what fell due, by its id, which is that of
	// the act's invocation or trace. The scene's log doesn't hold it yet: today's code
	// appends it anew, together with what it decides about it.
	Invoked(ctx context.Context, id domain.ID) (domain.Record, error)
	// Trouble is what of Chalie didn't work then, a sentence each, as far as an answer
	// about that was recorded.
	Trouble() []string
}

// Lagging are Effects that know how far a fold was behind the log when something was
// decided.
type Lagging interface {
	// HeardThrough is the position through which the conversation was folded; 0 for all
	// that the log holds.
	HeardThrough() domain.Position
	// KnownThrough is the position through which the interfaces were folded; 0 likewise.
	KnownThrough() domain.Position
}

// Outgoing is a call as it would leave.
type Outgoing struct {
	Invocation domain.ID
	Tool       string
	Params     json.RawMessage
}

package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// WorldView is the world state, as its projection keeps it.
type WorldView interface {
	// At is the world state at a moment, and the position it was folded through.
	At(now domain.Millis) (domain.Assembly, domain.Position)
}

// ReasonerConfig is what reasoning needs. All fields but Skills are required.
type ReasonerConfig struct {
	Log          domain.Appender
	Reader       domain.Reader
	World        WorldView
	Conversation Conversation
	Applied      Applied // of the world and the conversation
	Model        Model
	Clock        domain.Clock
	IDs          domain.IDs
	Rules        string   // hash of the rules and parameters the world is scored by
	Build        string   // version of the program
	Skills       []string // what an action may ask for by name
}

// Validate returns a validation error when something is missing.
func (c ReasonerConfig) Validate() error {
	const op = "configure reasoning"
	switch {
	case c.Log == nil || c.Reader == nil || c.World == nil || c.Conversation == nil || c.Applied == nil || c.Model == nil || c.Clock == nil || c.IDs == nil:
		return domain.Invalid(op, "", "Log, Reader, World, Conversation, Applied, Model, Clock and IDs are required")
	case c.Rules == "" || c.Build == "":
		return domain.Invalid(op, "", "Rules and Build are required: a replay compares by them")
	}
	return nil
}

// Reasoner answers what is said to Chalie, one move at a time. Which move is
// next is domain.Episode's; making it is this type's.
//
// # Ordering
//
// Every move is appended before its effect, as a child of what made it
// necessary: started after the opening, called after started or after the steer
// that changed the question, replied after called, concluded after replied.
// Before each move the trace is read again, so a steer that came in meanwhile is
// taken up: the end is appended on the condition that none did.
//
// # Crashes and races
//
// Nothing is kept between calls of Answer: the log says how far an episode is.
// Each step carries domain.StepKey and is appended on the condition that no such
// step is there, so it is there once, however often an episode is picked up and
// by however many at once. Only the model can be asked twice for one call: when
// the process dies, or another loses a race, between the question and the
// recording of its reply. What was recorded is never asked for again.
//
// A Reasoner is safe for concurrent use.
type Reasoner struct {
	cfg ReasonerConfig
}

// NewReasoner checks the configuration.
func NewReasoner(cfg ReasonerConfig) (*Reasoner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg.Skills = slices.Clone(cfg.Skills)
	return &Reasoner{cfg: cfg}, nil
}

// maxMoves bounds the rounds of one Answer. An episode takes at most
// 2 + 2·domain.DefaultReasoningLimits().ModelCalls steps, and every round either makes one or has lost
// one to somebody else.
const maxMoves = 64

// Answer goes on with the episode of rec until it has ended. Any record of topic
// messages will do: one whose trace has no opening (an uploaded image) has
// nothing to be answered, and one whose episode is concluded nothing more.
//
// nil means that the episode is over and durably so. Any error means that it is
// not: call Answer again with the same record, later. Errors are those of the
// log, of the folds waited for and of the model when they are retriable. What is
// wrong with a message, or a model's terminal error, is no error but the
// episode's outcome.
func (r *Reasoner) Answer(ctx context.Context, rec domain.Record) error {
	var ep domain.Episode
	for range maxMoves {
		if err := r.reload(ctx, rec.Envelope.Trace, &ep); err != nil {
			return err
		}
		move := ep.Next()
		if move == domain.MoveNone {
			return nil
		}
		err := r.take(ctx, move, &ep)
		if err != nil && domain.CodeOf(err) != domain.CodeConditionFailed {
			return err
		}
	}
	return &domain.Error{Op: "answer", Category: domain.Conflict, Code: "contended", Retriable: true,
		Message: "the answer to " + rec.Envelope.Trace.String() + " did not come to an end: others keep changing it; it will be tried again"}
}

// reload folds what came into the trace since it was last read.
func (r *Reasoner) reload(ctx context.Context, trace domain.TraceID, ep *domain.Episode) error {
	const page = 100
	for {
		records, err := r.cfg.Reader.Select(ctx, domain.Selector{Trace: trace}, ep.Through+1, page)
		if err != nil {
			return err
		}
		for _, rec := range records {
			if err := ep.Evolve(rec); err != nil {
				return err
			}
		}
		if len(records) < page {
			return nil
		}
	}
}

// take makes one move.
func (r *Reasoner) take(ctx context.Context, move domain.Move, ep *domain.Episode) error {
	opened, err := openingOf(ep)
	if err != nil {
		return err
	}
	switch {
	case ep.IsAction():
		return r.fail(ctx, ep, r.noSkill(opened))
	case opened.erased && move != domain.MoveConclude:
		return r.fail(ctx, ep, domain.Fault{Code: domain.CodeErased, Category: domain.NotFound,
			Message: "what was said was erased before it was answered: say it again if it still matters"})
	case move == domain.MoveStart:
		return r.start(ctx, ep)
	case move == domain.MoveCall:
		return r.call(ctx, ep)
	case move == domain.MoveAsk:
		return r.ask(ctx, ep, opened.message)
	}
	return r.conclude(ctx, ep)
}

func (r *Reasoner) now() domain.Millis { return domain.MillisOf(r.cfg.Clock.Now()) }

package reasoning

import (
	"context"
	"errors"
	"slices"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/concern"
	"chalie/domain/language/speech"
)

// Config has the dependencies of reasoning. All fields but Approvals, Notices, Concerns,
// Verifier, Sentences and Params are required.
type Config struct {
	commands.Env
	Mind         Mind
	Conversation commands.Conversation
	Applied      commands.Barrier // of what Mind, Conversation, Notices and Tools fold
	// Models are asked in this order: the next when one fails. The last should be one
	// that can't be away. Their names differ.
	Models    []Model
	Tools     ToolCaller
	Approvals Approver                            `optional:"yes"` // nil: nobody is asked for approval in words
	Notices   Notices                             `optional:"yes"` // nil: everything may be told
	Concerns  Concerns                            `optional:"yes"` // nil: what others say isn't checked against plans
	Verifier  Verifier                            `optional:"yes"` // nil: answers aren't checked
	Sentences SentenceReader                      `optional:"yes"` // nil: what the person says is read by the models alone
	Params    func(context.Context) domain.Params `optional:"yes"` // those in force; nil: domain.DefaultParams
	Rules     func(domain.Params) string          // hash of the rules, and of the parameters they go by
	Build     string                              // version of the program
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	const op = "configure reasoning"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	switch {
	case len(c.Models) == 0 || slices.Contains(c.Models, nil):
		return domain.Invalid(op, "Models", "there has to be a model to ask")
	case c.Build == "":
		return domain.Invalid(op, "Build", "Build is required: a replay compares by it")
	}
	for i, m := range c.Models {
		if slices.ContainsFunc(c.Models[:i], func(other Model) bool { return other.Name() == m.Name() }) {
			return domain.Invalid(op, "Models", "two models are called "+m.Name()+": name each once")
		}
	}
	return nil
}

// Reasoner answers messages, and thinks unprompted, one
// move at a time. Which move is next is domain.Episode's; making it is this
// type's.
//
// # Ordering
//
// Every move is appended before its effect, as a child of what made it
// necessary: started after the opening, called after what changed the question,
// replied after called, tool calls after the reply that asked for them, concluded
// after what it shows. Before each move the trace is read again, so a steer or a
// cancel that came in meanwhile is taken up: an answer is appended on the
// condition that none did.
//
// # Crashes and races
//
// Nothing is kept between calls of Answer: the log says how far an episode is.
// Each step carries domain.StepKey and is appended on the condition that no such
// step is there, so it is there once, however often an episode is picked up and
// by however many at once. A tool call carries domain.CallKey and is made once.
// Only a model can be asked twice for one call: when the process dies, or another
// loses a race, between the question and the recording of its reply. What was
// recorded is never asked for again.
//
// A Reasoner is safe for concurrent use.
type Reasoner struct {
	cfg Config
}

// New checks the configuration.
func New(cfg Config) (*Reasoner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Params == nil {
		cfg.Params = defaultParams
	}
	cfg.Models = slices.Clone(cfg.Models)
	return &Reasoner{cfg: cfg}, nil
}

func defaultParams(context.Context) domain.Params { return domain.DefaultParams() }

// maxMoves bounds the rounds of one Answer, far above what the limits of an
// episode allow: every round either makes a step or has lost one to somebody else.
const maxMoves = 256

// Answer continues the episode of rec until it has ended, or waits for the
// person's approval. Any record of the trace will do: one whose trace has no
// opening (an uploaded image) has nothing to be answered, and one whose episode
// is concluded nothing more.
//
// nil means that the episode is over, or waits, and durably so: what it waits for
// is recorded in the same trace, and Answer goes on when it is called again then.
// Any error means that it is not: call Answer again with the same record, later.
// Errors are those of the log, of the folds waited for, of a model when they are
// retriable, and the end of ctx. What is wrong with a message, a tool, or a
// model's terminal error, is no error but part of the episode.
func (r *Reasoner) Answer(ctx context.Context, rec domain.Record) error {
	_, err := r.goOn(ctx, rec.Envelope.Trace)
	return err
}

// goOn makes moves until there is none to make now, and returns the episode.
func (r *Reasoner) goOn(ctx context.Context, trace domain.TraceID) (*domain.Episode, error) {
	ctx = r.cfg.Act(ctx)
	var ep domain.Episode
	for range maxMoves {
		if ctx.Err() != nil {
			return &ep, givenUp(ctx)
		}
		if err := r.reload(ctx, trace, &ep); err != nil {
			return &ep, err
		}
		move := ep.Next()
		if move == domain.MoveNone {
			return &ep, nil
		}
		if move == domain.MoveWait {
			if err := r.askAlong(ctx, &ep); domain.CodeOf(err) != domain.CodeConditionFailed {
				return &ep, err
			}
			continue // another asked, or the person answered
		}
		// The person's last words have to count, and so do those before them.
		// After a restart the folds may not be there yet: a tool would seem to be gone.
		if err := commands.CatchUp(ctx, r.cfg.Applied, ep.Opening.Position); err != nil {
			return &ep, err
		}
		err := r.take(ctx, move, &ep)
		if err != nil && domain.CodeOf(err) != domain.CodeConditionFailed {
			return &ep, err
		}
	}
	return &ep, &domain.Error{Op: "answer", Category: domain.Conflict, Code: "contended", Retriable: true,
		Message: "the answer to " + trace.String() + " did not come to an end: others keep changing it; it will be tried again"}
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
	if opened.erased && needsOpening(ep, move) {
		return r.fail(ctx, ep, opened.erasedFault(ep))
	}
	switch move {
	case domain.MoveStart:
		return r.start(ctx, ep, opened)
	case domain.MoveCall:
		return r.call(ctx, ep, opened)
	case domain.MoveAsk:
		return r.ask(ctx, ep, opened)
	case domain.MoveTool:
		return r.useTool(ctx, ep, opened)
	case domain.MoveVerify:
		return r.verify(ctx, ep, opened)
	case domain.MoveResume:
		return r.resume(ctx, ep)
	case domain.MoveGiveUp:
		return r.giveUp(ctx, ep, opened)
	default:
		return r.conclude(ctx, ep, opened)
	}
}

// Mind is the context that reasoning starts from.
type Mind interface {
	// ContextSnapshot is the world state at a moment, with everything that was heard related
	// to everything that is planned. It has seen everything through the position of
	// the last record that its folds were waited for. The opening of the episode that it is for isn't
	// in mind itself; it is none of a look from outside.
	Ground(ctx context.Context, now domain.Millis, opening domain.ID) (ContextSnapshot, error)
	// Recall is an item of a world state with its text, by reference. What was erased
	// or is no longer kept has a label that says so.
	Recall(ctx context.Context, item domain.SeenItem) (language.ContextItem, error)
	// Shared is what an item that was heard and one that is planned share, in words,
	// the weightiest first. zone is an IANA name, or "".
	Shared(heard, planned language.ContextItem, zone string) []string
}

// ContextSnapshot is a world state with its relations.
type ContextSnapshot struct {
	Assembly  domain.Assembly
	Params    domain.Params            // as they were set then
	Zone      string                   // the person's time zone, an IANA name; "" when it isn't known
	Relations []domain.SeenRelation    // strongest first
	Found     domain.ID                // the last relations.found; none without
	News      []domain.SignalRelations // what was found and isn't recorded yet
	Through   domain.Position
}

// ToolCaller makes the tool calls of an episode. It is *Tools.
type ToolCaller interface {
	// Offers are the tools that can be called now, by name.
	Offers() []domain.Offer
	// Manifest is what the policy in force takes it for.
	Manifest(o domain.Offer) domain.Manifest
	// IsSlow reports whether a tool is known to take a moment, so that who waits is told of it.
	IsSlow(o domain.Offer) bool
	// Call makes the call with in.CallKey, or continues it from where the log says
	// it is, as often as it is asked. It returns the result, or that it waits:
	// Invoked.Outcome is then approval.proposed. An error before anything was recorded
	// says that the call can't be made: validation and not_found are the model's to
	// mend.
	Call(ctx context.Context, c commands.Caller, in tool.Invocation) (tool.Invoked, error)
}

// Approver answers what the person says to a question for approval.
type Approver interface {
	// Ask is given every message of the person before a model is. A plain yes or no
	// decides what was just asked; when it isn't plain what that is it is answered by
	// a question. Asked again for the same message it says the same.
	Ask(ctx context.Context, c commands.Caller, msg domain.Record, text string) (tool.Spoken, error)
	// Press decides by a button of such a question. Any other button isn't handled.
	Press(ctx context.Context, c commands.Caller, action domain.Record) (tool.Spoken, error)
	// StillWaits says, below the answer to a message that begins with a yes or no and goes
	// on, what it didn't decide.
	StillWaits(ctx context.Context, c commands.Caller, msg domain.Record, text string) (tool.Spoken, error)
	// Withdraw takes back a proposal whose episode was cancelled.
	Withdraw(ctx context.Context, c commands.Caller, invocation domain.ID, cancel domain.Envelope) error
}

var (
	_ ToolCaller = (*tool.Tools)(nil)
	_ Approver   = (*tool.Approvals)(nil)
)

// Notices judges what Chalie would tell unprompted.
type Notices interface {
	// Judge returns how a notice stands with the rules: a verdict without a gate may be
	// shown. It follows from the log and the moment alone.
	Judge(ctx context.Context, n Notice) (Verdict, error)
	// Standing returns of each pair the gate that would hold a finding of it alone, as far
	// as that follows from what was told and what the person doesn't want to be told; "" of
	// what is news. It follows from the same.
	Standing(ctx context.Context, at domain.Millis, related []domain.SeenRelation) ([]domain.Gate, error)
}

// Concerns checks what others say against the person's plans.
type Concerns interface {
	// Of is what a message means for the plans, and a row of buttons of Chalie's own, whose labels are said with it:
	// nothing when it is about no plan, or of the plan that it is known to be about when
	// nothing follows. of is that plan; zero where it is still to be found. The evidence is the
	// plans that it names. It changes nothing, and follows from the log and the moment alone.
	Of(ctx context.Context, m concern.Message, of domain.ID) (said []speech.Said, buttons []domain.Block, evidence []domain.Evidence, err error)
}

// Notice is something that Chalie would tell unprompted.
type Notice struct {
	At       domain.Millis
	From     domain.Principal // the interface whose message it is; "" for a finding of a cycle
	Topic    string
	Blocks   []domain.Block
	Urgent   bool
	Evidence []domain.Evidence
	Score    domain.PPM // of a finding: its confidence
}

// Verdict is the rules' verdict on a notice.
type Verdict struct {
	Gate    domain.Gate // "" when it may be shown
	Because domain.ID   // the conclusion that told it before, or what the person said of it; none otherwise

	By     domain.Holding // the rule with numbers; 0 where there is none
	Since  time.Duration  // how long ago Because told it
	Within time.Duration  // the rule's time
}

// Detail is the rule's numbers; never a text from outside.
func (v Verdict) Detail() string { return v.By.Detail(v.Since, v.Within) }

// Cycle continues an unprompted cycle until it has ended. When ctx
// ends with the cause ErrPreempted, it makes room: what is under way is given up, and
// that is recorded as reasoning.yielded. done is false then: call Cycle again
// when the person has been answered. An episode that made room
// domain.MaxYields times ends for good: the world it looked at is an old one.
//
// Otherwise it is as Answer.
func (r *Reasoner) Cycle(ctx context.Context, rec domain.Record) (done bool, err error) {
	ep, err := r.goOn(ctx, rec.Envelope.Trace)
	if err == nil || !errors.Is(context.Cause(ctx), background.ErrPreempted) {
		return err == nil, err
	}
	// What was given up must not hide how far it had come.
	work := context.WithoutCancel(ctx)
	if err := r.reload(work, rec.Envelope.Trace, ep); err != nil {
		return false, err
	}
	if ep.Next() == domain.MoveNone {
		return true, nil
	}
	yielded := domain.ReasoningYielded{}
	if room, ok := errors.AsType[*background.Preemption](context.Cause(ctx)); ok {
		yielded.To = room.By
	}
	err = makeStep(work, r, ep, latest(ep), yielded)
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		err = nil // another made the next step
	}
	return false, err
}

package commands

import (
	"context"

	"chalie/domain"
)

// Mind is what is known now, for reasoning to start from.
type Mind interface {
	// Ground is the world state at a moment, with everything that was heard related
	// to everything that is planned. It has seen everything through the position of
	// the last record that its folds were waited for.
	Ground(ctx context.Context, now domain.Millis) (Ground, error)
	// Recall is an item of a world state with its text, by reference. What was erased
	// or is no longer kept has a label that says so.
	Recall(ctx context.Context, item domain.SeenItem) (InMind, error)
	// Shared is what an item that was heard and one that is planned share, in words,
	// the weightiest first. zone is an IANA name, or "".
	Shared(heard, planned InMind, zone string) []string
}

// Ground is a world state with its relations.
type Ground struct {
	Assembly  domain.Assembly
	Zone      string                // the person's time zone, an IANA name; "" when it isn't known
	Relations []domain.SeenRelation // strongest first
	Through   domain.Position
}

// ToolCaller makes the tool calls of an episode. It is *Tools.
type ToolCaller interface {
	// Offers are the tools that can be called now, by name.
	Offers() []domain.Offer
	// SideEffects reports whether calling it may change something.
	SideEffects(o domain.Offer) bool
	// Unasked reports whether the person marked it as safe to use when they didn't ask.
	Unasked(o domain.Offer) bool
	// Call makes the call with in.CallKey, or goes on with it from where the log says
	// it is, as often as it is asked. It returns what came of it, or that it waits:
	// Invoked.Outcome is then approval.proposed. An error before anything was recorded
	// says that the call can't be made: validation and not_found are the model's to
	// mend.
	Call(ctx context.Context, c Caller, in Invocation) (Invoked, error)
}

// Approver answers what the person says to a question for approval.
type Approver interface {
	// Ask is given every message of the person before a model is. A plain yes or no
	// decides what was just asked; when it isn't plain what that is it is answered by
	// a question. Asked again for the same message it says the same.
	Ask(ctx context.Context, c Caller, msg domain.Record, text string) (Spoken, error)
	// Withdraw takes back a proposal because what it is for was cancelled.
	Withdraw(ctx context.Context, c Caller, invocation domain.ID, cancel domain.Envelope) error
}

var (
	_ ToolCaller = (*Tools)(nil)
	_ Approver   = (*Approvals)(nil)
)

// Spoken is an answer without a model.
type Spoken struct {
	Handled  bool // there is one
	Blocks   []domain.Block
	Evidence []domain.Evidence
}

// Notices judges what Chalie would tell of its own accord.
type Notices interface {
	// Judge returns how a notice stands with the rules: a verdict without a gate may be
	// shown. It follows from the log and the moment alone.
	Judge(ctx context.Context, n Notice) (Verdict, error)
}

// Notice is something that Chalie would tell of its own accord.
type Notice struct {
	At       domain.Millis
	From     domain.Principal // the interface whose message it is; "" for a finding of a cycle
	Topic    string
	Blocks   []domain.Block
	Urgent   bool
	Evidence []domain.Evidence
	Score    domain.PPM // of a finding: its confidence
}

// Verdict is what the rules say to a notice.
type Verdict struct {
	Gate    domain.Gate // "" when it may be shown
	Because domain.ID   // the conclusion that told it before; none otherwise
	Detail  string      // the rule's numbers; never a text from outside
}

package commands

import (
	"context"

	"chalie/domain"
)

// Model answers. It has no effects beyond its answer, and asks nobody for
// anything that isn't in the prompt: what it says can then be explained by it.
type Model interface {
	// Name is stable and recorded with every call.
	Name() string
	// SeesImages reports whether images mean anything to it.
	SeesImages() bool
	// Reply answers a prompt. It is safe for concurrent use. A retriable error is
	// tried again later, any other ends the episode as failed, with its message
	// told to the person. Cancelling ctx gives up.
	Reply(ctx context.Context, p Prompt) (Reply, error)
}

// Prompt is what a model knows of an episode.
type Prompt struct {
	AsOf   domain.Millis
	Asked  Asked
	Steers []string // what the person added meanwhile, oldest first
	World  []InMind // what is in the reasoning context, in order
	Out    []domain.SeenItem
	Recent []Turn // working memory, oldest first
}

// Asked is the message to be answered.
type Asked struct {
	ID       domain.ID
	Text     string // "(erased)" when it can't be read any more
	Source   string
	Topic    string // "" without a hint
	Metadata []byte // a JSON object, or empty
	Images   int
	// From is who is accountable for it: the person (domain.PrincipalOperator), or
	// an interface, whose words are data and never instructions.
	From domain.Principal
	// Via is what it came through, in a name that Chalie gave it, such as
	// interface/lab: unlike Source it is not for the sender to choose.
	Via domain.Source
}

// InMind is one item of the world state with its text.
type InMind struct {
	domain.SeenItem
	Label      string // what was heard, "(erased)" when it can't be read any more
	Source     string
	SignalType string
	Topic      string
	RecordedAt domain.Millis
}

// Turn is an exchange of before.
type Turn struct {
	Prompt     string
	RecordedAt domain.Millis
}

// Reply is what a model says.
type Reply struct {
	Blocks     []domain.Block // at least one
	Topic      string         // of the conversation, never ""
	Mode       domain.Mode
	Confidence domain.PPM
	Urgent     bool              // it can't wait: what an interface reports is shown as an escalation
	Used       []domain.Evidence // what it rests on, with weights
	Usage      domain.Usage
}

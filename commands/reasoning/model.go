package reasoning

import (
	"context"

	"chalie/domain"
	"chalie/domain/language"
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
	Reply(ctx context.Context, p language.Prompt) (language.Reply, error)
}

// Unmoved is a Model that nothing it is shown can move to do something: what it calls
// follows from the person's own words alone, and it says in Reply.Used what of the
// rest it quotes. It is shown all there is.
type Unmoved interface {
	Model
	Unmoved()
}

func unmoved(m Model) bool {
	_, ok := m.(Unmoved)
	return ok
}

// SentenceReader reads what the person says without a model, and is moved by nothing else.
type SentenceReader interface {
	// Hears are the calls that the person's own words in the prompt ask for and that
	// weren't made yet, in order.
	Hears(p language.Prompt) []domain.ToolCall
}

// Verifier judges whether an answer fulfils its request: the semantic phase of a
// verification, after what can be checked without a model has been.
type Verifier interface {
	// Name is stable and recorded with every verdict.
	Name() string
	// Verify returns a verdict whose Verifier is Name(). It is safe for concurrent
	// use, and free of effects, so asking again is allowed. An error means that there
	// is no verdict: the answer then stands as it is. Cancelling ctx gives up.
	Verify(ctx context.Context, v Verification) (domain.AnswerVerified, error)
}

// Verification is an answer to judge, with its task and calls.
type Verification struct {
	Task   string          // the request, with its steers
	Answer string          // as plain text
	Done   []language.Done // the tool calls made for it, oldest first
}

package commands

import (
	"context"

	"chalie/domain"
)

// Verifier judges whether an answer does what was asked: the semantic phase of a
// verification, after what can be checked without a model has been.
type Verifier interface {
	// Name is stable and recorded with every verdict.
	Name() string
	// Verify returns a verdict whose Verifier is Name(). It is safe for concurrent
	// use, and free of effects, so asking again is allowed. An error means that there
	// is no verdict: the answer then stands as it is. Cancelling ctx gives up.
	Verify(ctx context.Context, v Verification) (domain.AnswerVerified, error)
}

// Verification is what there is to judge.
type Verification struct {
	Task   string // what was asked, with what was added meanwhile
	Answer string // as plain text
	Done   []Done // the tool calls made for it, oldest first
}

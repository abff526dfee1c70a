// Package builtinmodel makes the reasoning.Model that comes with Chalie of domain/language and domain/cards. It needs no
// network, no key and no clock, and says the same to the same prompt for ever.
//
// # Testing with it
//
// The zero Model is ready to use. A reply is a pure function of its prompt, and
// Model is safe for concurrent use.
package builtinmodel

import (
	"context"

	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/cards"
	"chalie/domain/language"
	"chalie/domain/language/answers"
)

// Model is the built-in model.
type Model struct{}

var (
	_ reasoning.Unmoved        = Model{}
	_ reasoning.SentenceReader = Model{}
)

// Name is "builtin/9". The number rises when the same prompt gets another reply.
func (Model) Name() string { return "builtin/9" }

// SeesImages is false.
func (Model) SeesImages() bool { return false }

// Reply answers at once. Its only error is retriable: ctx ended before it had.
func (Model) Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	reply, err := answers.Reply(ctx, p)
	if err == nil && p.Kind == language.AskedCycle {
		reply.Findings = cards.Findings(p)
	}
	return reply, err
}

// Unmoved implements reasoning.Unmoved.
func (Model) Unmoved() {}

// Hears implements reasoning.SentenceReader.
func (Model) Hears(p language.Prompt) []domain.ToolCall { return answers.Hears(p) }

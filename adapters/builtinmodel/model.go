// Package builtinmodel is the reasoning.Model that comes with Chalie: it needs no
// network, no key and no clock, and says the same to the same prompt for ever.
//
// To the person it answers in one of four ways. What plainly asks for something
// that is on offer becomes a tool call, with values that were said and no others.
// Where something is missing, or two things can be meant, it asks. What came of
// calls is shown as it came. Anything else is answered with what the world state
// holds now, and with what it would need to do more. What an interface says it passes on, marked as that interface's
// words: nothing in it is a request. Of a cycle it makes findings: what was heard
// that bears on what is planned.
//
// A request goes this way: read splits it into words, listener.hears finds the
// sentence it is one of (phrase) or the tool that it plainly means (candidate),
// filling gives the tool's parameters what was said, wish takes up what was added
// meanwhile, and listener.plan leaves out what was done already. In another language
// that is read, listener.abroad finds the sentence by that language's phrases, with
// its time in English; inTongue tells the answer in it, and readBack reads the last
// reply back.
//
// # Words from outside
//
// Nothing in a prompt is an instruction to it. What it repeats goes into plain
// fields, without control characters and without those that turn the direction
// of writing; an interface's words are marked on every line, so that no text can
// pretend to be Chalie's own.
//
// # Bounds
//
// However large a prompt is, the reply stays far below domain.MaxPayloadBytes:
// labels are cut, lists are shortened, and both say so.
//
// # Testing with it
//
// The zero Model is ready to use. A reply is a pure function of its prompt, and
// Model is safe for concurrent use.
package builtinmodel

import (
	"cmp"
	"context"
	"strings"

	"chalie/commands/reasoning"
	"chalie/domain"
)

// Confidence is how sure the model is that it did what the message is for, not
// of what it says: the numbers it shows are the world state's own.
const (
	Sure   = domain.One     // nothing was asked of it but to greet, or to pass something on
	Unsure = domain.One / 2 // some of the message is beyond it
)

// Model is the built-in model.
type Model struct{}

var _ reasoning.Model = Model{}

// Name is "builtin/9". The number rises when the same prompt gets another reply.
func (Model) Name() string { return "builtin/9" }

// SeesImages is false.
func (Model) SeesImages() bool { return false }

// Reply answers at once. Its only error is retriable: ctx ended before it had, which it looks at
// for each part of what was said.
func (Model) Reply(ctx context.Context, p reasoning.Prompt) (reasoning.Reply, error) {
	if ctx.Err() != nil {
		return givenUp(ctx)
	}
	reply := reasoning.Reply{Topic: topicOf(p.Asked.Topic), Mode: domain.ModeRespond, Confidence: Sure}
	switch {
	case p.Kind == reasoning.AskedCycle:
		reply.Findings = findings(p, cmp.Or(p.Surfaces, domain.DefaultWorldRules().Surfaces))
	case p.Asked.From == domain.PrincipalOperator:
		toPerson(ctx, &reply, p)
	default:
		passOn(&reply, p)
	}
	if ctx.Err() != nil {
		return givenUp(ctx) // what it read then is only a part
	}
	return reply, nil
}

func givenUp(ctx context.Context) (reasoning.Reply, error) {
	return reasoning.Reply{}, &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "cancelled", Retriable: true,
		Message: "the model was given up before it answered", Err: ctx.Err()}
}

func topicOf(hint string) string {
	hint = cut(oneLine(hint), domain.MaxTopicHintBytes)
	if strings.TrimSpace(hint) == "" {
		return domain.GeneralTopic
	}
	return hint
}

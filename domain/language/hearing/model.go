// Package hearing reads what a person says, and answers as the model does that comes with Chalie: it needs no
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
// A reply is a pure function of its prompt, and both [Reply] and [Hears] are safe for concurrent use.
package hearing

import (
	"cmp"
	"context"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
)

// Confidence is how sure the model is that it did what the message is for, not
// of what it says: the numbers it shows are the world state's own.
const (
	Sure   = domain.One     // nothing was asked of it but to greet, or to pass something on
	Unsure = domain.One / 2 // some of the message is beyond it
)

// Reply answers at once. Its only error is retriable: ctx ended before it had, which it looks at
// for each part of what was said.
func Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	if ctx.Err() != nil {
		return givenUp(ctx)
	}
	reply := language.Reply{Topic: topicOf(p.Asked.Topic), Mode: domain.ModeRespond, Confidence: Sure}
	switch {
	case p.Kind == language.AskedCycle:
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

func givenUp(ctx context.Context) (language.Reply, error) {
	return language.Reply{}, &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "cancelled", Retriable: true,
		Message: "the model was given up before it answered", Err: ctx.Err()}
}

func topicOf(hint string) string {
	hint = cut(oneLine(hint), domain.MaxTopicHintBytes)
	if strings.TrimSpace(hint) == "" {
		return domain.GeneralTopic
	}
	return hint
}

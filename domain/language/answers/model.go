// Package answers makes the replies of the model that comes with Chalie of what package turns hears: it needs no
// network, no key and no clock, and says the same to the same prompt for ever.
//
// To the person it answers in one of four ways. What plainly asks for something
// that is on offer becomes a tool call, with values that were said and no others.
// Where something is missing, or two things can be meant, it asks. What came of
// calls is shown as it came. Anything else is answered with what the world state
// holds now, and with what it would need to do more. What an interface says it passes on, marked as that interface's
// words: nothing in it is a request.
//
// A request goes this way: package sentences splits it into words, and a listener of package hearing finds the
// phrase it is one of, in plans and lists, or the tool that it plainly means, in tools, which gives the tool's
// parameters what was said. Package turns takes up what was added meanwhile, and leaves out what was done already. In
// another language that is read, package abroad finds the sentence by that language's phrases, with its time in
// English, tells the answer in it, and reads the last reply back.
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
package answers

import (
	"context"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
)

// Reply answers at once. Its only error is retriable: ctx ended before it had, which it looks at
// for each part of what was said.
func Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	if ctx.Err() != nil {
		return givenUp(ctx)
	}
	reply := language.Reply{Topic: sentences.TopicOf(p.Asked.Topic), Mode: domain.ModeRespond, Confidence: hearing.Sure}
	switch {
	case p.Kind == language.AskedCycle: // nobody is answered: what bears on plans is found by domain/cards
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

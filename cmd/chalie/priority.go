package main

import (
	"context"

	"chalie/commands"
	"chalie/domain"
)

// prioritised tells the background when somebody waits for an answer: from when a
// message is taken up until nothing is left to be answered. Between two messages
// that wait there is no gap.
type prioritised struct {
	answering
	reader     domain.Reader
	foreground *commands.Foreground
	leave      func() // nil while nobody waits; of the reactor's one goroutine
}

// Answer implements answering. One that failed, and is tried again, still has
// somebody waiting.
func (p *prioritised) Answer(ctx context.Context, rec domain.Record) error {
	if p.leave == nil {
		if !domain.OpensReasoning(rec.Envelope.Type) {
			return p.answering.Answer(ctx, rec)
		}
		p.leave = p.foreground.Enter()
	}
	err := p.answering.Answer(ctx, rec)
	if err != nil && !isItsOwn(err) {
		return err
	}
	if next, unread := p.reader.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, rec.Position+1, 1); unread == nil && len(next) > 0 {
		return err // another comes next
	}
	p.leave()
	p.leave = nil
	return err
}

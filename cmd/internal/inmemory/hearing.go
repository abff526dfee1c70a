package inmemory

import (
	"context"

	"chalie/commands"
	"chalie/commands/screen"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/replay/player"
)

// Person is the person, who speaks through the API.
func Person() commands.Caller { return commands.OperatorCaller("api") }

// Program is a program with a token.
func Program(name string) commands.Caller {
	return commands.Caller{Name: name, Source: domain.Source(name), Principal: domain.Principal(name)}
}

// Say has somebody say something, until it is answered or waits for the person.
func (c *Chalie) Say(ctx context.Context, by commands.Caller, msg domain.MessageReceived) (domain.ID, error) {
	id, err := c.messages.Say(ctx, by, msg)
	return id, c.answer(ctx, domain.TraceID{ID: id}, err)
}

// Press has the person press a button of an exchange, until it is answered or waits for them; the
// zero exchange is none.
func (c *Chalie) Press(ctx context.Context, action domain.ActionReceived, exchange domain.ID) (domain.ID, error) {
	id, err := c.messages.ActIn(ctx, Person(), action, exchange)
	return id, c.answer(ctx, domain.TraceID{ID: id}, err)
}

// Hear has a program send a signal.
func (c *Chalie) Hear(ctx context.Context, from commands.Caller, s domain.SignalReceived) (domain.ID, error) {
	return c.signals.Submit(ctx, from, s)
}

// Update has the person's device report their surroundings.
func (c *Chalie) Update(ctx context.Context, to domain.ContextUpdated) error {
	return c.around.Update(ctx, Person(), to)
}

// Decide has the person say yes or no to a proposal, on its page.
func (c *Chalie) Decide(ctx context.Context, proposal domain.ID, yes bool) error {
	p, err := c.approvals.Decide(ctx, Person(), c.Box.Tokens.Token(proposal), tool.Deciding{Granted: yes, Channel: "api"})
	return c.answer(ctx, p.Trace, err)
}

// Pair lets a program in that offers tools.
func (c *Chalie) Pair(ctx context.Context, name string, tools []domain.Tool) error {
	if err := domain.CheckTools(tools); err != nil {
		return err
	}
	id := c.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(c.Clock.Now()), "api", domain.InterfacePaired{
		Name: name, Host: "127.0.0.1", Port: 1, Version: "1", TokenHash: domain.HashSecret(name).String(), Signals: []string{}, Tools: screen.Tools(tools),
	})
	if err != nil {
		return err
	}
	entry.Envelope.Keys = append(entry.Envelope.Keys, domain.InterfaceKey(id))
	_, err = (folding{c.Log, c}).Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}

// answer runs an episode that somebody waits for, and those that go on because of it.
func (c *Chalie) answer(ctx context.Context, of domain.TraceID, err error) error {
	if err != nil {
		return err
	}
	c.busy = true
	for next := []domain.TraceID{of}; len(next) > 0 && err == nil; {
		err = c.Box.Run(ctx, player.Act{Trace: next[0]})
		next = append(next[1:], c.goOn...)
		c.goOn = nil
	}
	c.busy = false
	waited := c.waits
	c.waits = nil
	for _, w := range waited {
		if err == nil {
			err = c.emit(ctx, w.cause, w.signal)
		}
	}
	return err
}

// emit records a spine signal, once nobody waits for an answer.
func (c *Chalie) emit(ctx context.Context, cause domain.Envelope, s domain.SpineSignal) error {
	if c.busy {
		c.waits = append(c.waits, given{cause, s})
		return nil
	}
	if err := c.emitter.Record(ctx, cause, s); err != nil || !c.atOnce {
		return err
	}
	last := c.queue[len(c.queue)-1]
	c.queue, c.atOnce = c.queue[:len(c.queue)-1], false
	return c.Box.Run(ctx, player.Act{Trace: last.Envelope.Trace})
}

package background

import (
	"context"
	"fmt"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// DefaultThreadAfter is the silence after which a conversation is over.
const DefaultThreadAfter = 30 * time.Minute

// ThreadsConfig is what the thread service needs. All fields but After are
// required.
type ThreadsConfig struct {
	commands.Env
	Emitter  *Emitter
	Priority Priority
	Heart    Heart
	After    time.Duration // 0 is DefaultThreadAfter
}

// Validate returns a validation error when something is missing or makes no sense.
func (c ThreadsConfig) Validate() error {
	const op = "configure threads"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	if c.After < 0 {
		return domain.Invalid(op, "After", fmt.Sprintf("After is %s: give 0 for %s, or more", c.After, DefaultThreadAfter))
	}
	return nil
}

// Threads emits thread_expired when the person and Chalie have said nothing to each
// other for a while, once for each conversation: the signal's cause is the last
// thing that was said in it. One that came to rest while the program was away
// expires at the next start, if that is within a day.
type Threads struct{ cfg ThreadsConfig }

// NewThreads checks the configuration. Run does the work.
func NewThreads(cfg ThreadsConfig) (*Threads, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.After == 0 {
		cfg.After = DefaultThreadAfter
	}
	return &Threads{cfg: cfg}, nil
}

// threadsAgain is the pause before an unreadable log is read again.
const threadsAgain = 5 * time.Second

// Run waits for conversations to come to rest, until ctx ends.
func (t *Threads) Run(ctx context.Context) error {
	spoken, err := t.begin(ctx)
	for err != nil {
		if !commands.Sleep(ctx, threadsAgain) {
			return nil
		}
		spoken, err = t.begin(ctx)
	}
	var last domain.Record // the last words of an open conversation
	var since time.Time    // when that was
	due := t.cfg.Clock.Now()
	for until(ctx, t.cfg.Clock, due) {
		done := t.cfg.Heart.Work(domain.ServiceThreads)
		latest, said, err := spoken.latest(ctx)
		done()
		now := t.cfg.Clock.Now()
		if said {
			last, since = latest, timeOf(latest.Clock())
			switch {
			case since.After(now): // the clock has been put back
				since = now
			case now.Sub(since) > staleAfter:
				last = domain.Record{}
			}
		}
		switch {
		case err != nil:
			t.cfg.Logger.DebugContext(ctx, "whether anything was said is not known", "err", err)
			due = now.Add(threadsAgain)
			continue
		case last.Position == 0 || t.cfg.Priority.Waiting():
			due = now.Add(t.cfg.After)
			continue
		}
		if due = since.Add(t.cfg.After); due.After(now) {
			continue
		}
		t.expire(ctx, last)
		last, due = domain.Record{}, now.Add(t.cfg.After)
	}
	return nil
}

// begin looks back far enough for a conversation that has not expired.
func (t *Threads) begin(ctx context.Context) (*activity, error) {
	from, err := t.cfg.Reader.Since(ctx, domain.MillisOf(t.cfg.Clock.Now().Add(-staleAfter)))
	if err != nil {
		return nil, err
	}
	return newActivity(t.cfg.Reader, from-1, isConversation, domain.TopicMessages, domain.TopicReasoning), nil
}

func (t *Threads) expire(ctx context.Context, last domain.Record) {
	t.cfg.Emitter.Emit(ctx, last.Envelope, domain.SpineSignal{
		Type: domain.ThreadExpired, Source: domain.ServiceThreads, ContentRef: last.Envelope.ID, Energy: domain.One, // within the range of its type
		Content: fmt.Sprintf("the conversation has rested for %s", t.cfg.After),
	})
}

// isConversation reports whether the person said something, or was answered.
func isConversation(rec domain.Record) bool {
	switch rec.Envelope.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.SteerReceivedType:
		return rec.Envelope.Principal == domain.PrincipalOperator
	case domain.ReasoningConcludedType:
		return rec.Envelope.Principal == domain.PrincipalOperator && isAnswer(rec.Envelope)
	}
	return false
}

// isAnswer reports whether a conclusion was shown as an answer.
func isAnswer(e domain.Envelope) bool {
	ended, err := domain.ConclusionOf(e)
	return err == nil && ended.Shown == domain.ShownMessage
}

package background

import (
	"context"
	"fmt"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// DefaultIdleAfter is how long nothing has to happen until Chalie looks over what
// it has in mind.
const DefaultIdleAfter = 10 * time.Minute

// The energy of an idle discovery: more when there was a signal since the last one.
const (
	idleWithNews    = domain.One / 2
	idleWithoutNews = domain.One * 2 / 5
)

// IdleConfig has the dependencies of the idle service. All fields but After are required.
type IdleConfig struct {
	commands.Env
	Emitter  *Emitter
	Priority Priority
	Heart    Heart
	After    time.Duration // 0 is DefaultIdleAfter
}

// Validate returns a validation error when something is missing or makes no sense.
func (c IdleConfig) Validate() error {
	const op = "configure idle"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	if c.After < 0 {
		return domain.Invalid(op, "After", fmt.Sprintf("After is %s: give 0 for %s, or more", c.After, DefaultIdleAfter))
	}
	return nil
}

// Idle emits idle_discovery when nothing was said or done for a while, and again
// after as long without anything, which the cycle that follows counts as. What was
// overheard is nothing said: signals don't end a span. Neither does a context that
// a device reports. The start of the program begins one.
//
// It looks at the log once in a span and not before something can be due: when the
// span is over it reads what has happened in it, and waits for the rest of the one
// that this began.
type Idle struct{ cfg IdleConfig }

// NewIdle checks the configuration. Run does the work.
func NewIdle(cfg IdleConfig) (*Idle, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.After == 0 {
		cfg.After = DefaultIdleAfter
	}
	return &Idle{cfg: cfg}, nil
}

// Run waits for idle spans until ctx ends.
func (i *Idle) Run(ctx context.Context) error {
	since, tail := i.now(), i.cfg.Tail.Tail()
	happened := newActivity(i.cfg.Reader, tail, endsIdleness, domain.TopicMessages, domain.TopicTools, domain.TopicReasoning, domain.TopicSpine)
	looked := tail // where the log ended when it last emitted
	for i.waitSince(ctx, &since) {
		last, busy, err := i.look(ctx, happened)
		switch {
		case err != nil:
			// What can't be read may have been anything: the span begins anew.
			i.cfg.Logger.DebugContext(ctx, "whether anything happened is not known", "err", err)
			since = i.now()
		case i.cfg.Priority.Waiting():
			since = i.now() // a message still waits for its answer
		case busy && timeOf(last.Clock()).After(i.now()):
			since = i.now() // the clock has been put back
		case busy && timeOf(last.Clock()).After(since):
			since = timeOf(last.Clock())
		default:
			since = i.now()
			i.emit(ctx, looked)
			looked = i.cfg.Tail.Tail()
		}
	}
	return nil
}

// waitSince waits until a span since a moment is over. When the clock is put back to before
// that moment, the span begins anew.
func (i *Idle) waitSince(ctx context.Context, since *time.Time) bool {
	for {
		now := i.now()
		if now.Before(*since) {
			*since = now
		}
		left := since.Add(i.cfg.After).Sub(now)
		if left <= 0 {
			return ctx.Err() == nil
		}
		if !commands.Sleep(ctx, left) {
			return false
		}
	}
}

// now is the clock's time, to be compared with the clock of records.
func (i *Idle) now() time.Time { return i.cfg.Clock.Now().Round(0) }

func (i *Idle) look(ctx context.Context, happened *activity) (domain.Record, bool, error) {
	defer i.cfg.Heart.Work(domain.ServiceIdle)()
	return happened.latest(ctx)
}

func (i *Idle) emit(ctx context.Context, looked domain.Position) {
	energy := idleWithoutNews
	for _, topic := range []domain.Topic{domain.TopicSignals, domain.TopicMessages} {
		if news, err := i.cfg.Reader.Select(ctx, domain.Selector{Topic: topic}, looked+1, 1); err == nil && len(news) > 0 {
			energy = idleWithNews
		}
	}
	i.cfg.Emitter.Emit(ctx, domain.Envelope{}, domain.SpineSignal{
		Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: energy,
		Content: fmt.Sprintf("nothing was said or done for %s", i.cfg.After),
	})
}

// endsIdleness reports whether a record is something said or done.
func endsIdleness(rec domain.Record) bool {
	switch rec.Envelope.Type {
	case domain.ContextUpdatedType, domain.SpineSignalDroppedType:
		return false
	}
	return true
}

// activity finds out when something last happened in a topic, by reading on from
// where it last looked. It belongs to one goroutine.
type activity struct {
	reader domain.Reader
	counts func(domain.Record) bool // what is something
	topics []domain.Topic
	from   map[domain.Topic]domain.Position
}

// newActivity looks at what comes after a position.
func newActivity(reader domain.Reader, after domain.Position, counts func(domain.Record) bool, topics ...domain.Topic) *activity {
	a := &activity{reader: reader, counts: counts, topics: topics, from: map[domain.Topic]domain.Position{}}
	for _, t := range topics {
		a.from[t] = after + 1
	}
	return a
}

// latest is the latest record that counts since it last looked; false when there
// is none.
func (a *activity) latest(ctx context.Context) (last domain.Record, found bool, err error) {
	for _, topic := range a.topics {
		for {
			records, err := a.reader.Select(ctx, domain.Selector{Topic: topic}, a.from[topic], spinePage)
			if err != nil {
				return last, found, err
			}
			for _, rec := range records {
				a.from[topic] = rec.Position + 1
				if rec.Position > last.Position && a.counts(rec) {
					last, found = rec, true
				}
			}
			if len(records) < spinePage {
				break
			}
		}
	}
	return last, found, nil
}

// until sleeps until a moment, and reports false when ctx ended first.
func until(ctx context.Context, clock domain.Clock, moment time.Time) bool {
	for {
		left := moment.Sub(clock.Now())
		if left <= 0 {
			return ctx.Err() == nil
		}
		if !commands.Sleep(ctx, left) {
			return false
		}
	}
}

// timeOf is a moment of the log as a time.
func timeOf(at domain.Millis) time.Time { return time.UnixMilli(int64(at)) }

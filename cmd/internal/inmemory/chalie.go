package inmemory

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/signal"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/replay/baseline"
	"chalie/replay/player"
	"chalie/replay/sandbox"
	"chalie/replay/wiring"
)

// Config is how a Chalie begins.
type Config struct {
	At      time.Time      // when it starts
	Zone    string         // where the person is, by an IANA name
	Build   string         // the name that its records have for it
	Outside player.Effects // what there is outside; nil for Nothing
	InSteps bool           // cycles that tell nothing are recorded in steps, as other models' are
}

// Chalie is one in memory. One goroutine uses it at a time.
type Chalie struct {
	Log   *memlog.Log
	Clock *domaintest.Clock
	Box   *sandbox.Sandbox // its folds, and its parts

	cfg       Config
	ids       *domaintest.IDs
	zone      *time.Location
	emitter   *background.Emitter
	scheduler *background.Scheduler
	signals   *signal.Signals
	around    *signal.Surroundings
	messages  *message.Messages
	approvals *tool.Approvals
	noticing  map[domain.Topic][]background.Noticing
	takes     []domain.SpineType // what the consumer does

	queue  []domain.Record // of the consumer
	free   time.Time       // when it may take the next
	quiet  time.Time       // since when nothing was said or done
	spoken domain.Record   // the last words of the open conversation
	looked domain.Position // where the log ended when idleness was last told

	atOnce bool             // the cycle of the latest signal is recorded in steps, at once
	busy   bool             // a message is being answered: what is noticed meanwhile waits
	waits  []given          // in order
	goOn   []domain.TraceID // episodes whose proposals the person has decided
}

// given is a spine signal to be recorded.
type given struct {
	cause  domain.Envelope
	signal domain.SpineSignal
}

// pause is how long the consumer rests after a cycle.
const pause = 30 * time.Second

// New starts one, to which the person's device tells their zone.
func New(ctx context.Context, cfg Config) (*Chalie, error) {
	zone, err := time.LoadLocation(cfg.Zone)
	if err != nil {
		return nil, err
	}
	if cfg.Outside == nil {
		cfg.Outside = Nothing{}
	}
	clock := domaintest.NewClockAt(cfg.At)
	c := &Chalie{
		cfg: cfg, zone: zone, Log: memlog.New(clock), Clock: clock, ids: domaintest.NewIDs(clock, 1), quiet: cfg.At,
		noticing: map[domain.Topic][]background.Noticing{
			domain.TopicCommitments: {background.NoticePlans()}, domain.TopicMemory: {background.NoticePlans()}, domain.TopicReasoning: {background.NoticeDue()},
		},
	}
	if err := c.wire(); err != nil {
		return nil, err
	}
	return c, c.start(ctx)
}

// wire makes the code that decides, and what takes in.
func (c *Chalie) wire() (err error) {
	program := wiring.Program{BuiltIn: builtinmodel.Model{}, Formats: jsonschema.Formats{}, Build: c.cfg.Build}
	log := folding{c.Log, c}
	env := player.Environment{Log: log, Clock: c.Clock, IDs: c.ids, Effects: c.cfg.Outside}
	if c.Box, err = sandbox.New(sandbox.Config{Program: program, Zone: c.cfg.Zone}, env); err != nil {
		return err
	}
	ports := c.env()
	if c.emitter, err = background.NewEmitter(background.EmitterConfig{Env: ports}); err != nil {
		return err
	}
	if c.scheduler, err = c.Box.Scheduler(unwatched{}); err != nil {
		return err
	}
	if c.around, err = signal.NewSurroundings(signal.SurroundingsConfig{Env: ports, Book: c.Box.Surroundings, Applied: folded{}}); err != nil {
		return err
	}
	if c.signals, err = signal.New(signal.Config{Env: ports, Surroundings: c.around}); err != nil {
		return err
	}
	if err := c.foresee(); err != nil {
		return err
	}
	c.messages, err = message.New(message.Config{Env: ports, Conversation: c.Box.Transcript, Applied: folded{}})
	consumer, _ := domain.ServiceNamed(domain.ServiceBackground)
	c.takes = consumer.Consumes
	return err
}

// env is what its commands work with.
func (c *Chalie) env() commands.Env {
	log := folding{c.Log, c}
	return commands.Env{Log: log, Reader: log, Tail: log, Clock: c.Clock, IDs: c.ids, Logger: slog.New(slog.DiscardHandler)}
}

// foresee has cycles thought through before they are recorded.
func (c *Chalie) foresee() error {
	tools, err := c.Box.Tools()
	if err != nil {
		return err
	}
	if c.approvals, err = c.Box.Approvals(tools); err != nil {
		return err
	}
	wired := c.Box.Wiring
	if c.cfg.InSteps {
		wired.Log = nowhere{}
	}
	thinking, err := wired.Reasoner([]reasoning.Model{builtinmodel.Model{}}, nil, tools, c.approvals)
	if err != nil {
		return err
	}
	ahead := background.Ahead{Foresight: reasoning.NewForesight(thinking)}
	if c.cfg.InSteps {
		ahead.Foresight = stepping{ahead.Foresight, c}
	}
	c.emitter.ThinkAhead(ahead)
	return nil
}

// stepping finds out which cycles tell nothing, and has them recorded in steps at once.
type stepping struct {
	background.Foresight
	c *Chalie
}

// Silently implements background.Foresight.
func (s stepping) Silently(ctx context.Context, batch domain.Batch) (recorded, done bool, err error) {
	recorded, done, err = s.Foresight.Silently(ctx, batch)
	s.c.atOnce = recorded
	return false, done && !recorded, err
}

// nowhere is a log that keeps nothing.
type nowhere struct{}

// Append implements domain.Appender.
func (nowhere) Append(context.Context, domain.Batch) (domain.Receipt, error) {
	return domain.Receipt{}, nil
}

// start is the program's, and the person's zone as their device tells it.
func (c *Chalie) start(ctx context.Context) error {
	id := c.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(c.Clock.Now()), "system",
		domain.SystemStarted{Version: c.cfg.Build, CatalogueHash: domain.Events().Hash(), Over: domain.OverToday, Amendments: baseline.Latest()})
	if err != nil {
		return err
	}
	if _, err = (folding{c.Log, c}).Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return err
	}
	return c.around.Update(ctx, Person(), domain.ContextUpdated{Timezone: &c.cfg.Zone})
}

// Until does what is to be done by itself before a moment, and sets the clock to it.
func (c *Chalie) Until(ctx context.Context, moment time.Time) error {
	for {
		at, do := c.next()
		if !at.Before(moment) {
			c.Clock.Set(moment)
			return nil
		}
		if at.After(c.Clock.Now()) {
			c.Clock.Set(at)
		}
		if err := do(ctx); err != nil {
			return fmt.Errorf("at %s: %w", c.Clock.Now().In(c.zone).Format("2006-01-02T15:04:05"), err)
		}
	}
}

// next is what is to be done first, and when.
func (c *Chalie) next() (at time.Time, do func(context.Context) error) {
	at, do = c.quiet.Add(background.DefaultIdleAfter), c.idle
	sooner := func(when time.Time, what func(context.Context) error) {
		if when.Before(at) {
			at, do = when, what
		}
	}
	if c.spoken.Position != 0 {
		sooner(c.spoken.Clock().Time().Add(background.DefaultThreadAfter), c.expire)
	}
	if len(c.queue) > 0 {
		sooner(later(c.free, c.queue[0].Clock().Time()), c.cycle)
	}
	if due, ok := c.due(); ok {
		sooner(due.Wakes().Time(), c.tell)
	}
	return at, do
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// due is the plan whose time comes next.
func (c *Chalie) due() (next domain.Commitment, ok bool) {
	c.Box.Plans.Read(func(p *domain.Plans) {
		for _, one := range p.Commitments.List() {
			if one.Wakes() != 0 && (!ok || one.Wakes() < next.Wakes()) {
				next, ok = one, true
			}
		}
	})
	return next, ok
}

// tell tells what is due.
func (c *Chalie) tell(ctx context.Context) error {
	if _, err := c.scheduler.Round(ctx); err != nil {
		return err
	}
	if one, ok := c.due(); ok && !one.Wakes().Time().After(c.Clock.Now()) {
		return fmt.Errorf("the plan %s can't be told", one.ID)
	}
	return nil
}

// idle says that nothing was said or done for a while.
func (c *Chalie) idle(ctx context.Context) error {
	energy := tenth * 4
	for _, topic := range []domain.Topic{domain.TopicSignals, domain.TopicMessages} {
		news, err := c.Log.Select(ctx, domain.Selector{Topic: topic}, c.looked+1, 1)
		if err != nil {
			return err
		}
		if len(news) > 0 {
			energy = tenth * 5
		}
	}
	err := c.emit(ctx, domain.Envelope{}, domain.SpineSignal{
		Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: energy,
		Content: fmt.Sprintf("nothing was said or done for %s", background.DefaultIdleAfter),
	})
	c.looked, c.quiet = c.Log.Tail(), c.Clock.Now()
	return err
}

const tenth = domain.One / 10

// expire says that the conversation has come to rest.
func (c *Chalie) expire(ctx context.Context) error {
	last := c.spoken.Envelope
	c.spoken = domain.Record{}
	return c.emit(ctx, last, domain.SpineSignal{
		Type: domain.ThreadExpired, Source: domain.ServiceThreads, ContentRef: last.ID, Energy: domain.One,
		Content: fmt.Sprintf("the conversation has rested for %s", background.DefaultThreadAfter),
	})
}

// cycle takes up the next signal of the spine.
func (c *Chalie) cycle(ctx context.Context) error {
	rec := c.queue[0]
	c.queue = c.queue[1:]
	c.free = c.Clock.Now().Add(pause)
	return c.Box.Run(ctx, player.Act{Trace: rec.Envelope.Trace})
}

// Each reads the log from a position on.
func (c *Chalie) Each(ctx context.Context, from domain.Position, do func(domain.Record) error) error {
	const page = 1000
	for ; from <= c.Log.Tail(); from += page {
		records, err := c.Log.Select(ctx, domain.Selector{}, from, page)
		if err != nil {
			return err
		}
		for _, rec := range records {
			if err := do(rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// Find is an envelope of the log.
func (c *Chalie) Find(ctx context.Context, id domain.ID) (domain.Envelope, error) {
	rec, err := c.Log.Find(ctx, id)
	return rec.Envelope, err
}

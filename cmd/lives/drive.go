package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/domain/silence"
	"chalie/replay/player"
	"chalie/replay/sandbox"
	"chalie/replay/wiring"
)

// driver lives a life. What waits in the program for a time (the idle service, the consumer of
// the spine, the scheduler) is done here at that time, one after the other, so that the same
// life gives the same log. The clock stands while something is done.
type driver struct {
	life  *life
	log   *memlog.Log
	clock *domaintest.Clock
	ids   *domaintest.IDs
	box   *sandbox.Sandbox

	emitter   *background.Emitter
	scheduler *background.Scheduler
	signals   *signal.Signals
	around    *signal.Surroundings
	messages  *message.Messages
	noticing  map[domain.Topic][]background.Noticing
	takes     []domain.SpineType // what the consumer does

	queue  []domain.Record // of the consumer
	free   time.Time       // when it may take the next
	quiet  time.Time       // since when nothing was said or done
	spoken domain.Record   // the last words of the open conversation
	looked domain.Position // where the log ended when idleness was last told
	names  map[domain.ID]string
	steps  map[string]int // of each trace and type, for names
	silent *silence.Reader

	inSteps bool    // cycles that tell nothing are recorded in steps, as other models' are
	atOnce  bool    // the cycle of the latest signal is one of these
	busy    bool    // a message is being answered: what is noticed meanwhile waits
	waits   []given // in order
}

// given is a spine signal to be recorded.
type given struct {
	cause  domain.Envelope
	signal domain.SpineSignal
}

// pause is how long the consumer rests after a cycle.
const pause = 30 * time.Second

// live lives a life to its end.
func live(ctx context.Context, of *life, inSteps bool) (*driver, error) {
	clock := domaintest.NewClockAt(of.from)
	d := &driver{
		life: of, inSteps: inSteps, log: memlog.New(clock), clock: clock, ids: domaintest.NewIDs(clock, 1), quiet: of.from,
		names: map[domain.ID]string{}, steps: map[string]int{},
		noticing: map[domain.Topic][]background.Noticing{
			domain.TopicCommitments: {background.NoticePlans()}, domain.TopicMemory: {background.NoticePlans()}, domain.TopicReasoning: {background.NoticeDue()},
		},
	}
	d.silent = silence.NewReader(d.log)
	if err := d.wire(); err != nil {
		return nil, err
	}
	if err := d.start(ctx); err != nil {
		return nil, err
	}
	for i := range of.happenings {
		h := &of.happenings[i]
		if err := d.until(ctx, h.at); err != nil {
			return nil, err
		}
		if err := d.happen(ctx, h); err != nil {
			return nil, fmt.Errorf("line %d: %w", h.line, err)
		}
	}
	return d, d.until(ctx, of.to)
}

// wire makes the code that decides, and what takes in.
func (d *driver) wire() (err error) {
	program := wiring.Program{BuiltIn: builtinmodel.Model{}, Formats: jsonschema.Formats{}, Build: "lives"}
	log := folding{d.log, d}
	if d.box, err = sandbox.New(sandbox.Config{Program: program, Zone: d.life.Zone}, player.Environment{Log: log, Clock: d.clock, IDs: d.ids, Effects: nothing{}}); err != nil {
		return err
	}
	env := commands.Env{Log: log, Reader: log, Tail: log, Clock: d.clock, IDs: d.ids, Logger: slog.New(slog.DiscardHandler)}
	if d.emitter, err = background.NewEmitter(background.EmitterConfig{Env: env}); err != nil {
		return err
	}
	if d.scheduler, err = d.box.Scheduler(unwatched{}); err != nil {
		return err
	}
	if d.around, err = signal.NewSurroundings(signal.SurroundingsConfig{Env: env, Book: d.box.Surroundings, Applied: folded{}}); err != nil {
		return err
	}
	if d.signals, err = signal.New(signal.Config{Env: env, Surroundings: d.around}); err != nil {
		return err
	}
	if err := d.foresee(); err != nil {
		return err
	}
	d.messages, err = message.New(message.Config{Env: env, Conversation: d.box.Transcript, Applied: folded{}})
	consumer, _ := domain.ServiceNamed(domain.ServiceBackground)
	d.takes = consumer.Consumes
	return err
}

// foresee has cycles thought through before they are recorded.
func (d *driver) foresee() error {
	tools, err := d.box.Tools()
	if err != nil {
		return err
	}
	approvals, err := d.box.Approvals(tools)
	if err != nil {
		return err
	}
	wired := d.box.Wiring
	if d.inSteps {
		wired.Log = nowhere{}
	}
	thinking, err := wired.Reasoner([]reasoning.Model{builtinmodel.Model{}}, nil, tools, approvals)
	if err != nil {
		return err
	}
	ahead := background.Ahead{Foresight: reasoning.NewForesight(thinking)}
	if d.inSteps {
		ahead.Foresight = stepping{ahead.Foresight, d}
	}
	d.emitter.ThinkAhead(ahead)
	return nil
}

// stepping finds out which cycles tell nothing, and has them recorded in steps at once.
type stepping struct {
	background.Foresight
	d *driver
}

// Silently implements background.Foresight.
func (s stepping) Silently(ctx context.Context, batch domain.Batch) (recorded, done bool, err error) {
	recorded, done, err = s.Foresight.Silently(ctx, batch)
	s.d.atOnce = recorded
	return false, done && !recorded, err
}

// nowhere is a log that keeps nothing.
type nowhere struct{}

// Append implements domain.Appender.
func (nowhere) Append(context.Context, domain.Batch) (domain.Receipt, error) {
	return domain.Receipt{}, nil
}

// emit records a spine signal, once nobody waits for an answer.
func (d *driver) emit(ctx context.Context, cause domain.Envelope, s domain.SpineSignal) error {
	if d.busy {
		d.waits = append(d.waits, given{cause, s})
		return nil
	}
	if err := d.emitter.Record(ctx, cause, s); err != nil || !d.atOnce {
		return err
	}
	last := d.queue[len(d.queue)-1]
	d.queue, d.atOnce = d.queue[:len(d.queue)-1], false
	return d.box.Run(ctx, player.Act{Trace: last.Envelope.Trace})
}

// start is the program's, and the person's zone as their device tells it.
func (d *driver) start(ctx context.Context) error {
	id := d.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(d.clock.Now()), "system",
		domain.SystemStarted{Version: "lives", CatalogueHash: domain.Events().Hash(), Over: domain.OverToday})
	if err != nil {
		return err
	}
	if _, err = (folding{d.log, d}).Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return err
	}
	return d.around.Update(ctx, commands.OperatorCaller("api"), domain.ContextUpdated{Timezone: &d.life.Zone})
}

// until does what is to be done by itself before a moment, and sets the clock to it.
func (d *driver) until(ctx context.Context, moment time.Time) error {
	for {
		at, do := d.next()
		if !at.Before(moment) {
			d.clock.Set(moment)
			return nil
		}
		if at.After(d.clock.Now()) {
			d.clock.Set(at)
		}
		if err := do(ctx); err != nil {
			return fmt.Errorf("at %s: %w", d.clock.Now().In(d.life.zone).Format(localTime), err)
		}
	}
}

// next is what is to be done first, and when.
func (d *driver) next() (at time.Time, do func(context.Context) error) {
	at, do = d.quiet.Add(background.DefaultIdleAfter), d.idle
	sooner := func(when time.Time, what func(context.Context) error) {
		if when.Before(at) {
			at, do = when, what
		}
	}
	if d.spoken.Position != 0 {
		sooner(d.spoken.Clock().Time().Add(background.DefaultThreadAfter), d.expire)
	}
	if len(d.queue) > 0 {
		sooner(later(d.free, d.queue[0].Clock().Time()), d.cycle)
	}
	if due, ok := d.due(); ok {
		sooner(due.Wakes().Time(), d.tell)
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
func (d *driver) due() (next domain.Commitment, ok bool) {
	d.box.Plans.Read(func(p *domain.Plans) {
		for _, c := range p.Commitments.List() {
			if c.Wakes() != 0 && (!ok || c.Wakes() < next.Wakes()) {
				next, ok = c, true
			}
		}
	})
	return next, ok
}

// tell tells what is due.
func (d *driver) tell(ctx context.Context) error {
	if _, err := d.scheduler.Round(ctx); err != nil {
		return err
	}
	if c, ok := d.due(); ok && !c.Wakes().Time().After(d.clock.Now()) {
		return fmt.Errorf("the plan %s can't be told", c.ID)
	}
	return nil
}

// idle says that nothing was said or done for a while.
func (d *driver) idle(ctx context.Context) error {
	energy := tenth * 4
	for _, topic := range []domain.Topic{domain.TopicSignals, domain.TopicMessages} {
		news, err := d.log.Select(ctx, domain.Selector{Topic: topic}, d.looked+1, 1)
		if err != nil {
			return err
		}
		if len(news) > 0 {
			energy = tenth * 5
		}
	}
	err := d.emit(ctx, domain.Envelope{}, domain.SpineSignal{
		Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: energy,
		Content: fmt.Sprintf("nothing was said or done for %s", background.DefaultIdleAfter),
	})
	d.looked, d.quiet = d.log.Tail(), d.clock.Now()
	return err
}

const tenth = domain.One / 10

// expire says that the conversation has come to rest.
func (d *driver) expire(ctx context.Context) error {
	last := d.spoken.Envelope
	d.spoken = domain.Record{}
	return d.emit(ctx, last, domain.SpineSignal{
		Type: domain.ThreadExpired, Source: domain.ServiceThreads, ContentRef: last.ID, Energy: domain.One,
		Content: fmt.Sprintf("the conversation has rested for %s", background.DefaultThreadAfter),
	})
}

// cycle takes up the next signal of the spine.
func (d *driver) cycle(ctx context.Context) error {
	rec := d.queue[0]
	d.queue = d.queue[1:]
	d.free = d.clock.Now().Add(pause)
	return d.box.Run(ctx, player.Act{Trace: rec.Envelope.Trace})
}

// happen has a line of the life happen.
func (d *driver) happen(ctx context.Context, h *happening) error {
	from := d.log.Tail() + 1
	defer func() {
		if rec, err := d.log.Select(ctx, domain.Selector{}, from, 1); err == nil && len(rec) > 0 {
			d.names[rec[0].Envelope.ID] = fmt.Sprint("line ", h.line)
			h.signal = &rec[0]
		}
	}()
	switch {
	case h.Signal != nil:
		s := h.Signal
		_, err := d.signals.Submit(ctx, callerOf(s.Source), domain.SignalReceived{
			SignalType: s.Type, Source: s.Source, Content: s.Content, Topic: s.Topic, ActivationEnergy: s.Energy, Metadata: s.Metadata,
		})
		return err
	case h.Attention != "":
		return d.around.Update(ctx, commands.OperatorCaller("api"), domain.ContextUpdated{Attention: &h.Attention})
	case h.Message != nil:
		id, err := d.messages.Say(ctx, callerOf(h.Message.Source), domain.MessageReceived{
			Text: h.Message.Text, Source: h.Message.Source, Topic: h.Message.Topic, Metadata: h.Message.Metadata, ImageIDs: []domain.ID{},
		})
		return d.answer(ctx, id, err)
	case h.Say != "":
		id, err := d.messages.Say(ctx, commands.OperatorCaller("api"), domain.MessageReceived{Text: h.Say, Source: domain.SaidInText, ImageIDs: []domain.ID{}})
		return d.answer(ctx, id, err)
	case h.Press != "":
		return d.press(ctx, h)
	}
	return nil
}

// callerOf is a program with a token.
func callerOf(name string) commands.Caller {
	return commands.Caller{Name: name, Source: domain.Source(name), Principal: domain.Principal(name)}
}

func (d *driver) answer(ctx context.Context, opening domain.ID, err error) error {
	if err != nil {
		return err
	}
	d.busy = true
	err = d.box.Run(ctx, player.Act{Trace: domain.TraceID{ID: opening}})
	d.busy = false
	waited := d.waits
	d.waits = nil
	for _, w := range waited {
		if err == nil {
			err = d.emit(ctx, w.cause, w.signal)
		}
	}
	return err
}

// press presses a button of the latest notice that has it. Where none has, as when something
// else was told than the life expects, nothing is pressed.
func (d *driver) press(ctx context.Context, h *happening) error {
	ends, err := d.ends(ctx)
	if err != nil {
		return err
	}
	for _, end := range slices.Backward(ends) {
		said, err := domain.SaidIn(end.Envelope, func(id domain.ID) (domain.Envelope, error) {
			rec, err := d.log.Find(ctx, id)
			return rec.Envelope, err
		})
		if err != nil {
			return err
		}
		if !strings.Contains(domain.PlainText(said.Blocks), h.On) {
			continue
		}
		for _, button := range domain.PressablesIn(said.Blocks) {
			if !strings.EqualFold(button.Label, h.Press) {
				continue
			}
			payload, err := json.Marshal(button.Payload)
			if err != nil {
				return err
			}
			skill, _ := button.Payload["skill"].(string)
			id, err := d.messages.Act(ctx, commands.OperatorCaller("api"), domain.ActionReceived{Skill: skill, Payload: payload, Label: button.Label})
			return d.answer(ctx, id, err)
		}
	}
	return nil
}

// ends are the conclusions by which the person was told something unasked, oldest first.
func (d *driver) ends(ctx context.Context) (out []domain.Record, err error) {
	err = d.each(ctx, func(rec domain.Record) error {
		if rec.Envelope.Type != domain.ReasoningConcludedType {
			return nil
		}
		end, err := domain.ConclusionOf(rec.Envelope)
		if err == nil && (end.Shown == domain.ShownNotification || end.Shown == domain.ShownEscalation) {
			out = append(out, rec)
		}
		return err
	})
	return out, err
}

// each reads the log from its beginning.
func (d *driver) each(ctx context.Context, do func(domain.Record) error) error {
	const page = 1000
	for from := domain.Position(1); from <= d.log.Tail(); from += page {
		records, err := d.log.Select(ctx, domain.Selector{}, from, page)
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

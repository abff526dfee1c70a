package background

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Noticing decides which signal a record is worth.
type Noticing interface {
	// Notice is the signal that a record is worth; false when it is worth none. It is
	// given the records of each topic in order, again when it fails and after a crash.
	// An error that is retriable is waited for; with any other the record passes.
	Notice(ctx context.Context, rec domain.Record) (domain.SpineSignal, bool, error)
}

// WatcherConfig has the dependencies of a watcher. All are required.
type WatcherConfig struct {
	commands.Env
	Service  string // who emits; the group is named after it
	Topics   []domain.Topic
	Noticing Noticing
	Listener commands.Listener
	Emitter  *Emitter
	Heart    Heart
}

// Validate returns a validation error when something is missing.
func (c WatcherConfig) Validate() error {
	if c.Service == "" || len(c.Topics) == 0 {
		return domain.Invalid("configure watcher", "", "a watcher has a service and at least one topic")
	}
	return commands.Complete("configure watcher", c)
}

// Watcher is a service that reads the log and emits a spine signal for what it
// notices there. It keeps its place, so what happened while it was away is noticed
// when it is back, once.
//
// No service notices what a background cycle does: thinking about it again would
// go round in a circle. What is older than staleAfter is history.
type Watcher struct{ cfg WatcherConfig }

// staleAfter is the age beyond which a record is worth no signal.
const staleAfter = 24 * time.Hour

// NewWatcher checks the configuration. Run does the work.
func NewWatcher(cfg WatcherConfig) (*Watcher, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Watcher{cfg: cfg}, nil
}

// Run watches until ctx ends. An error says that the log can no longer be read.
func (w *Watcher) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, len(w.cfg.Topics))
	for _, topic := range w.cfg.Topics {
		go func() {
			ended <- w.cfg.Listener.Listen(ctx, "spine/"+w.cfg.Service, topic, w.handle)
			cancel() // one topic alone would be half a service
		}()
	}
	var failure error
	for range w.cfg.Topics {
		if err := <-ended; err != nil && failure == nil {
			failure = err
		}
	}
	return failure
}

// handle returns only what is worth another try.
func (w *Watcher) handle(ctx context.Context, rec domain.Record) error {
	defer w.cfg.Heart.Work(w.cfg.Service)()
	signal, ok, err := w.notice(ctx, rec)
	if err == nil && ok {
		if ok, err = w.isNews(ctx, rec); ok && err == nil {
			err = w.cfg.Emitter.Record(ctx, rec.Envelope, signal)
		}
	}
	if err != nil && (domain.IsRetriable(err) || ctx.Err() != nil) {
		return err
	}
	if err != nil {
		w.cfg.Logger.DebugContext(ctx, "nothing could be made of a record", "service", w.cfg.Service, "position", uint64(rec.Position), "err", err)
	}
	return nil
}

// notice turns a panic into an error: one bad record must not end the service.
func (w *Watcher) notice(ctx context.Context, rec domain.Record) (s domain.SpineSignal, ok bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.cfg.Logger.ErrorContext(ctx, "a record was too much for a service", "service", w.cfg.Service, "position", uint64(rec.Position), "panic", p, "stack", string(debug.Stack()))
			ok, err = false, &domain.Error{Op: "notice", Category: domain.Conflict, Code: "panicked", Message: fmt.Sprintf("it broke off: %v", p)}
		}
	}()
	return w.cfg.Noticing.Notice(ctx, rec)
}

// isNews reports whether a record is recent, and not the doing of a background
// cycle.
func (w *Watcher) isNews(ctx context.Context, rec domain.Record) (bool, error) {
	if w.cfg.Now().Sub(rec.Clock()) > staleAfter {
		return false, nil
	}
	opening, err := w.cfg.Reader.Find(ctx, rec.Envelope.Trace.ID)
	if domain.CategoryOf(err) == domain.NotFound {
		return true, nil // what the trace began with is no longer kept
	}
	return opening.Envelope.Type != domain.SpineSignalEmittedType, err
}

// What is remembered of what tools answered: as long as a day, and of so many
// questions at most.
const (
	observedFor  = 24 * time.Hour
	observedMost = 1024
)

// Observation notices that a tool answers the same question otherwise than it did.
// It remembers hashes only. After a start it reads back a day of the log before
// the first record that it is given.
type Observation struct {
	reader domain.Reader
	clock  domain.Clock

	mu      sync.Mutex
	seeded  bool
	answers map[[32]byte]observed // by question
}

var _ Noticing = (*Observation)(nil)

// observed is the last answer to a question, and the one before it: a record that
// comes again is held against that.
type observed struct {
	answer, before [32]byte
	again          bool // there was one before
	position       domain.Position
}

// NewObservation reads past questions from the log.
func NewObservation(reader domain.Reader, clock domain.Clock) *Observation {
	return &Observation{reader: reader, clock: clock, answers: map[[32]byte]observed{}}
}

// Notice implements Noticing, for the topic of tools.
func (o *Observation) Notice(ctx context.Context, rec domain.Record) (domain.SpineSignal, bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.seeded {
		if err := o.seed(ctx, rec.Position); err != nil {
			return domain.SpineSignal{}, false, err
		}
		o.seeded = true
	}
	tool, novel, err := o.observe(ctx, rec)
	if err != nil || !novel {
		return domain.SpineSignal{}, false, err
	}
	return domain.SpineSignal{
		Type: domain.NovelObservation, Source: domain.ServiceObservation, Energy: domain.One, // within the range of its type
		ConceptName: tool, Content: tool + " answers otherwise than it did", ContentRef: rec.Envelope.ID,
	}, true, nil
}

// seed remembers the day before a position.
func (o *Observation) seed(ctx context.Context, before domain.Position) error {
	since := domain.MillisOf(o.clock.Now().Add(-observedFor))
	from, err := o.reader.Since(ctx, since)
	for err == nil && from < before {
		var records []domain.Record
		records, err = o.reader.Select(ctx, domain.Selector{Topic: domain.TopicTools}, from, spinePage)
		for _, rec := range records {
			if rec.Position >= before {
				return nil
			}
			from = rec.Position + 1
			if rec.Clock() < since {
				continue // the clock was put back to before it
			}
			if _, _, wrong := o.observe(ctx, rec); wrong != nil && domain.IsRetriable(wrong) {
				return wrong
			}
		}
		if len(records) < spinePage {
			break
		}
	}
	return err
}

// observe notes an answer, and reports whether the same question was answered
// otherwise before.
func (o *Observation) observe(ctx context.Context, rec domain.Record) (tool string, novel bool, err error) {
	if rec.Envelope.Type != domain.ToolCompletedType {
		return "", false, nil
	}
	answer, err := domain.Decode[domain.ToolCompleted](rec.Envelope)
	if err != nil || answer.Error != nil {
		return "", false, passErased(err)
	}
	asked, err := o.reader.Find(ctx, answer.InvocationID)
	if err != nil {
		return "", false, err
	}
	question, err := domain.Decode[domain.ToolInvoked](asked.Envelope)
	if err != nil || question.InterfaceID.IsZero() { // what Chalie itself does is no observation
		return "", false, passErased(err)
	}
	key := sha256.Sum256([]byte(strings.Join([]string{question.InterfaceID.String(), question.Tool, string(question.Params)}, "\x00")))
	said := sha256.Sum256(content(answer))
	now := observed{answer: said, position: rec.Position}
	switch last, known := o.answers[key]; {
	case known && last.position >= rec.Position:
		now = last
	case known:
		now.before, now.again = last.answer, true
	}
	o.answers[key] = now
	o.forget()
	return question.Tool, now.again && now.before != said, nil
}

// content is an answer's data, or its text where it has none.
func content(answer domain.ToolCompleted) []byte {
	if len(answer.Data) > 0 && !bytes.Equal(answer.Data, []byte("null")) {
		var value any
		if json.Unmarshal(answer.Data, &value) == nil {
			// Written again, the order of its fields and its spaces don't matter.
			if text, err := json.Marshal(value); err == nil {
				return text
			}
		}
		return answer.Data
	}
	if answer.Text != nil {
		return []byte(*answer.Text)
	}
	return nil
}

// forget drops the oldest when there are too many.
func (o *Observation) forget() {
	if len(o.answers) <= observedMost {
		return
	}
	var oldest [32]byte
	first := true
	for key, seen := range o.answers {
		if first || seen.position < o.answers[oldest].position {
			oldest, first = key, false
		}
	}
	delete(o.answers, oldest)
}

// passErased is nil for an erased payload, and any other error unchanged.
func passErased(err error) error {
	if domain.CodeOf(err) == domain.CodeErased {
		return nil
	}
	return err
}

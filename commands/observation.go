package commands

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"chalie/domain"
)

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

// NewObservation reads what was asked from the log.
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

// content is what an answer says: its data, or its text where it has none.
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

// passErased is an error without those of what can't be read any more.
func passErased(err error) error {
	if domain.CodeOf(err) == domain.CodeErased {
		return nil
	}
	return err
}

package skill

import (
	"context"
	"slices"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// Bounds of what is told of the messages of programs.
const (
	maxMessagesRead = 1 << 10 // records, the person's own among them
	messagesShown   = 5       // in a status
)

// messagesFor is a day, and less where so much was sent that a day of it isn't read.
var messagesFor = []time.Duration{24 * time.Hour, 4 * time.Hour, 30 * time.Minute, 3 * time.Minute}

// messages are those that programs sent to the person lately, oldest first, each as what was
// heard from its sender. What a program asks for itself is none, and one whose words were erased says
// nothing any more.
func (s *skills) messages(ctx context.Context, now domain.Millis) ([]signal, error) {
	for _, within := range messagesFor {
		if out, whole, err := s.messagesWithin(ctx, now, within); whole || err != nil {
			return out, err
		}
	}
	return nil, nil
}

// messagesWithin are those of a time; not whole when there are more records than are read.
func (s *skills) messagesWithin(ctx context.Context, now domain.Millis, within time.Duration) (out []signal, whole bool, err error) {
	from, err := s.cfg.Reader.Since(ctx, now.Add(-within))
	if err != nil {
		return nil, false, err
	}
	looked, err := domain.Look(ctx, s.cfg.Reader, domain.Selector{Topic: domain.TopicMessages}, from, maxMessagesRead, func(rec domain.Record) {
		if m, theirs, err := domain.MessageOfProgram(rec.Envelope); theirs && err == nil {
			out = append(out, messageHeard(m, rec))
		}
	})
	return out, looked < maxMessagesRead, err
}

// messageHeard is a program's message as what was heard from its sender.
func messageHeard(m domain.MessageReceived, rec domain.Record) signal {
	return signal{domain.SignalReceived{Source: m.Sender(rec.Envelope.Source), SignalType: "message", Topic: m.Topic, Content: m.Text, Marks: m.Marks}, rec.Envelope.ID, rec.RecordedAt}
}

// toldMessages is what a status tells of messages.
type toldMessages struct {
	lines   []speech.Message
	flagged []signal // whose words aren't repeated
	ids     []domain.ID
}

// latestMessages are those that a status tells, the newest first.
func (s *skills) latestMessages(ctx context.Context, call tool.SkillCall) (out toldMessages, err error) {
	all, err := s.messages(ctx, call.Now)
	if err != nil {
		return toldMessages{}, err
	}
	for _, one := range slices.Backward(all[max(0, len(all)-messagesShown):]) {
		out.lines, out.ids = append(out.lines, s.lineOf(ctx, one, call)), append(out.ids, one.id)
		if one.isFlagged() {
			out.flagged = append(out.flagged, one)
		}
	}
	return out, nil
}

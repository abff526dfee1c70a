package skill

import (
	"cmp"
	"context"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
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
		e := rec.Envelope
		if e.Type != domain.MessageReceivedType || e.Principal == domain.PrincipalOperator {
			return
		}
		m, err := domain.Decode[domain.MessageReceived](e)
		if err != nil || m.Conversation.Project == domain.ProjectBrain || strings.TrimSpace(m.Text) == "" {
			return
		}
		sender := strings.TrimPrefix(string(e.Source), "interface/")
		if (domain.Interface{Name: m.Source}).Source() == e.Source {
			sender = m.Source // the same name, as it is written
		}
		out = append(out, signal{domain.SignalReceived{Source: cmp.Or(sender, m.Source), SignalType: "message", Topic: m.Topic, Content: m.Text, Marks: m.Marks}, e.ID, rec.RecordedAt})
	})
	return out, looked < maxMessagesRead, err
}

// toldMessages are the lines of the latest messages, the newest first, with links to those whose words
// aren't repeated.
func (s *skills) toldMessages(ctx context.Context, call tool.SkillCall) (lines []string, kept []domain.Block, err error) {
	all, err := s.messages(ctx, call.Now)
	if err != nil {
		return nil, nil, err
	}
	for i := len(all) - 1; i >= 0 && len(lines) < messagesShown; i-- {
		lines = append(lines, s.lineOf(ctx, all[i], call))
		if all[i].isFlagged() {
			kept = append(kept, all[i].link())
		}
	}
	return lines, kept, nil
}

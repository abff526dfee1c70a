package message

import (
	"cmp"
	"context"
	"fmt"

	"chalie/commands"
	"chalie/domain"
)

// Heard is what a message says of where its words were heard.
type Heard struct {
	STT     domain.ID // the recording's; none when it isn't said
	Session string    // "" is the conversation's
}

// mostHeard bounds the transcripts of a session that are looked at: a caller has no more in a
// minute.
const mostHeard = 64

// transcript is the envelope of what was heard that a message says: what its stt_id names, or
// else the last transcript of its session, if its words are the same and it is no older than
// domain.SpokenFor. None for a message that was typed.
//
// Errors: validation, of an stt_id that is none of the caller's; and what domain.Reader
// returns.
func (m *Messages) transcript(ctx context.Context, c commands.Caller, msg domain.MessageReceived, heard Heard) (domain.ID, error) {
	if !heard.STT.IsZero() {
		return m.named(ctx, c, heard.STT)
	}
	now := m.cfg.Now()
	const past = domain.SpokenFor
	from, err := m.cfg.Reader.Since(ctx, now-past)
	if err != nil {
		return domain.ID{}, err
	}
	records, err := m.cfg.Reader.Select(ctx, domain.Selector{Key: domain.VoiceKey(c.Principal, cmp.Or(heard.Session, msg.Conversation.Session))}, from, mostHeard)
	if err != nil || len(records) == 0 {
		return domain.ID{}, err
	}
	last := records[len(records)-1]
	text, err := domain.Decode[domain.STTCompleted](last.Envelope)
	if err != nil || now-last.Clock() > past || !domain.SaysTheSame(msg.Text, text.Text) {
		return domain.ID{}, nil //nolint:nilerr // an erased transcript is the parent of nothing
	}
	return last.Envelope.ID, nil
}

// named is the transcript of a recording that the caller sent; the operator may name any.
func (m *Messages) named(ctx context.Context, c commands.Caller, id domain.ID) (domain.ID, error) {
	started, err := m.cfg.Reader.Find(ctx, id)
	unknown := domain.CategoryOf(err) == domain.NotFound
	if err != nil && !unknown {
		return domain.ID{}, err
	}
	if unknown || started.Envelope.Type != domain.STTStartedType || !c.Operator && !c.Owns(started) {
		return domain.ID{}, domain.Invalid("say", "stt_id", fmt.Sprintf("no recording %s of yours was heard: use the stt_id that POST /api/voice/stt answered, or leave it out", id.UUID()))
	}
	ends, err := m.cfg.Reader.Select(ctx, domain.Selector{Parent: id}, started.Position, mostHeard)
	if err != nil {
		return domain.ID{}, err
	}
	for _, end := range ends {
		if end.Envelope.Type == domain.STTCompletedType {
			return end.Envelope.ID, nil
		}
	}
	return domain.ID{}, domain.Invalid("say", "stt_id", fmt.Sprintf("nothing was heard in the recording %s yet: wait for the answer of POST /api/voice/stt", id.UUID()))
}

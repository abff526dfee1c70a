package message

import (
	"context"
	"fmt"

	"chalie/commands"
	"chalie/domain"
)

// MaxSeen bounds the exchanges that a client says at once to have shown.
const MaxSeen = 100

// Seen records that the person has seen exchanges: a client of theirs had them while they could
// see it. It counts for those in which they were told of a plan or had a program's message, each once;
// any other is passed over, so a client may name all that it shows. Errors: validation, policy for a caller that
// isn't the person, and what domain.Appender returns.
func (m *Messages) Seen(ctx context.Context, c commands.Caller, exchanges []domain.ID) error {
	if err := c.OnlyOperator("say what they have seen"); err != nil {
		return err
	}
	if len(exchanges) > MaxSeen {
		return domain.Invalid("see", "exchange_ids", fmt.Sprintf("exchange_ids names %d exchanges, the bound is %d: send the rest with another message", len(exchanges), MaxSeen))
	}
	for _, id := range exchanges {
		if err := m.see(ctx, c, id); err != nil {
			return err
		}
	}
	return nil
}

func (m *Messages) see(ctx context.Context, c commands.Caller, exchange domain.ID) error {
	opening, err := m.cfg.Reader.Find(ctx, exchange)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	of, err := toldIn(opening.Envelope)
	if err != nil || of.IsZero() {
		return err
	}
	key := domain.SeenKey(opening.Envelope.Trace)
	known, err := m.cfg.Reader.Select(ctx, domain.Selector{Key: key}, opening.Position, 1)
	if err != nil || len(known) > 0 {
		return err
	}
	lineage := domain.Continue(opening.Envelope)
	lineage.Principal = domain.PrincipalOperator // that the person saw it is theirs, and not the program's whose message it was
	entry, err := domain.New(lineage, m.cfg.IDs.NewID(), m.cfg.Now(), c.Source, domain.ToldSeen{Of: of})
	if err != nil {
		return err
	}
	entry.Envelope.Keys = []domain.Key{key}
	_, err = m.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: key}}})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // another client said it meanwhile
	}
	return err
}

// toldIn is what an exchange told unasked, by its opening: a plan, or the message of a program; none
// of any other exchange.
func toldIn(opening domain.Envelope) (domain.ID, error) {
	if opening.Type != domain.TimerDueType {
		_, theirs, err := domain.MessageOfProgram(opening)
		if err != nil || !theirs {
			return domain.ID{}, err
		}
		return opening.ID, nil
	}
	due, err := domain.Decode[domain.TimerDue](opening)
	if domain.CodeOf(err) == domain.CodeErased {
		return domain.ID{}, nil
	}
	return due.SubjectID, err
}

package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// question is what the person was asked last about proposals, if nothing else was
// shown or said since.
type question struct {
	listed []domain.ID // the proposals, in the order they were shown; nil: nothing was just asked
	isList bool        // they were listed, so that one can be picked
	says   saying      // of a list: the yes or no that it asks back about
}

// meant is the pending proposal that an answer decides: the only one that was asked
// about, when the person asked for no other, or the one picked from a list.
func (q question) meant(said answer, pending []Proposal, own int) (Proposal, bool) {
	var id domain.ID
	switch {
	case said.says == sayNeither || said.several:
		return Proposal{}, false
	case said.which == 0 && len(q.listed) == 1 && own == 1:
		id = q.listed[0]
	case said.which == lastListed && q.isList:
		id = q.listed[len(q.listed)-1]
	case said.which > 0 && said.which <= len(q.listed) && q.isList:
		id = q.listed[said.which-1]
	default:
		return Proposal{}, false
	}
	i := slices.IndexFunc(pending, func(p Proposal) bool { return p.Proposal == id })
	if i < 0 || said.which == 0 && !inConversation(pending[i]) {
		return Proposal{}, false
	}
	return pending[i], true
}

// askedLast is what was asked last before a message: the latest pending proposal, when
// it was shown, or the question which is meant. What was shown or said since the
// message that the question answers makes it old, too: nobody can tell what a yes is
// to that was typed meanwhile.
func (a *Approvals) askedLast(ctx context.Context, latest Proposal, msg domain.Record) (question, error) {
	q, since, itself := question{listed: []domain.ID{latest.Proposal}}, latest.Position, domain.Position(0)
	back, err := a.lastBefore(ctx, domain.ReasoningConcluded{Shown: domain.ShownMessage}.ShownKey(), latest.Position, msg.Position)
	if err != nil {
		return question{}, err
	}
	if listed := listedIn(back.Envelope); listed != nil {
		opening, err := a.cfg.Reader.Find(ctx, back.Envelope.Trace.ID)
		if err != nil {
			return question{}, err
		}
		q, since = question{listed: listed, isList: true}, opening.Position
		itself = back.Position
		if received, err := domain.Decode[domain.MessageReceived](opening.Envelope); err == nil {
			if said, ok := readAnswer(received.Text); ok {
				q.says = said.says
			}
		}
	}
	if moved, err := a.spokenSince(ctx, since, msg.Position, itself); err != nil || moved {
		return question{}, err
	}
	return q, nil
}

// listedIn are the proposals that a conclusion asks about, in order; nil when it asks
// about none.
func listedIn(conclusion domain.Envelope) []domain.ID {
	end, err := domain.Decode[domain.ReasoningConcluded](conclusion)
	if err != nil {
		return nil
	}
	var out []domain.ID
	for _, ev := range end.Evidence {
		switch ev.Role {
		case roleProposed:
			out = append(out, ev.EnvelopeID)
		case roleDecided:
			return nil
		}
	}
	return out
}

// maxLookedBack bounds the records of each topic that are looked through for what was
// shown or said. Behind more than that nothing was just asked.
const maxLookedBack = 1024

// spokenSince reports whether the person was shown or said anything between two
// positions, but for one record.
func (a *Approvals) spokenSince(ctx context.Context, after, before, but domain.Position) (bool, error) {
	const page = 128
	for _, topic := range []domain.Topic{domain.TopicMessages, domain.TopicReasoning, domain.TopicTools} {
		for from, seen := after+1, 0; ; {
			records, err := a.cfg.Reader.Select(ctx, domain.Selector{Topic: topic}, from, page)
			if err != nil {
				return false, err
			}
			records = slices.DeleteFunc(records, func(rec domain.Record) bool { return rec.Position >= before })
			if slices.ContainsFunc(records, func(rec domain.Record) bool { return rec.Position != but && isSpoken(rec.Envelope) }) {
				return true, nil
			}
			if len(records) < page {
				break
			}
			from = records[len(records)-1].Position + 1
			if seen += page; seen >= maxLookedBack {
				return true, nil
			}
		}
	}
	return false, nil
}

// isSpoken reports whether the person said something by an envelope, or read something
// that it gave them. That an answer is being thought about is nothing to read.
func isSpoken(e domain.Envelope) bool {
	switch e.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.SteerReceivedType:
		return e.Principal == domain.PrincipalOperator
	}
	types, err := domain.FrameTypes(e)
	return err != nil || slices.ContainsFunc(types, func(t domain.FrameType) bool {
		switch t {
		case domain.FrameNarration, domain.FrameCard, domain.FrameMessage, domain.FrameNotification, domain.FrameEscalation, domain.FrameError:
			return true
		}
		return false
	})
}

// lastBefore is the last record with a key between two positions; the zero record
// without one.
func (a *Approvals) lastBefore(ctx context.Context, key domain.Key, after, before domain.Position) (last domain.Record, err error) {
	const page = 64
	for from, n := after+1, page; n == page; {
		records, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: key}, from, page)
		if err != nil {
			return last, err
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Position >= before {
				return last, nil
			}
			last = rec
		}
		n = len(records)
	}
	return last, nil
}

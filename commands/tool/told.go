package tool

import (
	"bytes"
	"context"

	"chalie/commands/screen"
	"chalie/domain"
)

// Told is what the log has of an invocation, for a caller that asks for it by its id.
type Told struct {
	Invoked
	First    domain.ToolInvoked
	Decision domain.PolicyDecided
	Proposal domain.ID // of what the person is asked or was asked; none otherwise
	Ended    bool
}

// Told reads an invocation. One that an earlier process left open is ended first, as Recover
// would; one that waits for the person stays as it is. Errors: not found, of an id that is no
// invocation's, and those of the log.
func (t *Tools) Told(ctx context.Context, id domain.ID) (Told, error) {
	first, err := t.cfg.Reader.Find(ctx, id)
	if err == nil && first.Envelope.Type != domain.ToolInvokedType {
		err = &domain.Error{Op: "read invocation", Category: domain.NotFound, Code: "not_found", Message: "there is no invocation " + id.UUID()}
	}
	if err != nil {
		return Told{}, err
	}
	if _, ended, open, err := t.soFar(ctx, first); err != nil {
		return Told{}, err
	} else if !ended && !open.GoesOn() && !t.held(id) {
		if _, err := t.settle(context.WithoutCancel(ctx), id, open); err != nil && domain.CodeOf(err) != domain.CodeConditionFailed {
			return Told{}, err
		}
	}
	return t.told(ctx, first)
}

func (t *Tools) told(ctx context.Context, first domain.Record) (Told, error) {
	asked, err := domain.Decode[domain.ToolInvoked](first.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return Told{}, err
	}
	course, err := t.course(ctx, first)
	if err != nil {
		return Told{}, err
	}
	out := Told{Invoked: Invoked{ID: first.Envelope.ID}, First: asked, Decision: course.Decided, Proposal: course.Proposed, Ended: course.End != nil}
	if course.End != nil {
		out.Invoked, err = invokedOf(out.ID, course.End.Envelope)
	}
	return out, err
}

// ByToken is the invocation that a proposal's token is for; an error of category not_found, with the code
// no_proposal, when there is none.
func (t *Tools) ByToken(ctx context.Context, token string) (domain.ID, error) {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ProposalKey(domain.HashSecret(token))}, 1, 1)
	if err != nil {
		return domain.ID{}, err
	}
	if len(records) == 0 {
		return domain.ID{}, &domain.Error{Op: "find proposal", Category: domain.NotFound, Code: "no_proposal", Field: "approval_token",
			Message: "no proposal has this token: call without a token to be given one"}
	}
	id, _ := domain.InvocationOf(records[0].Envelope)
	return id, nil
}

// Ends waits until an invocation has ended, or ctx has: it then is told as it stands.
func (t *Tools) Ends(ctx context.Context, id domain.ID) (Told, error) {
	first, err := t.cfg.Reader.Find(ctx, id)
	if err != nil {
		return Told{}, err
	}
	for {
		tail := t.cfg.Tail.Tail()
		out, err := t.told(context.WithoutCancel(ctx), first)
		if err != nil || out.Ended {
			return out, err
		}
		if _, err := t.cfg.Tail.Wait(ctx, tail); err != nil {
			return out, nil //nolint:nilerr // it is told as it stands
		}
	}
}

// SameParams reports whether parameters are those that an invocation was recorded with.
func (t Told) SameParams(given []byte) bool {
	kept, err := domain.NormalParams(given)
	kept, _ = screen.Params(kept) // as they are stored
	return err == nil && bytes.Equal(kept, t.First.Params)
}

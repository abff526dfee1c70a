package commands

import (
	"context"

	"chalie/domain"
)

// Withdraw takes back what waits for the person's approval, because they cancelled
// what it was for: cancel is the envelope with which they said so. One that was
// decided meanwhile is a CodeConditionFailed.
func (a *Approvals) Withdraw(ctx context.Context, c Caller, invocation domain.ID, cancel domain.Envelope) error {
	first, err := a.cfg.Reader.Find(ctx, invocation)
	if err != nil {
		return err
	}
	inv, err := a.cfg.Tools.resumed(ctx, first)
	if err != nil {
		return err
	}
	if inv.stage != domain.CourseWaiting {
		return &domain.Error{Op: "withdraw proposal", Category: domain.Conflict, Code: domain.CodeConditionFailed, Retriable: true,
			Message: "this was decided at the same moment"}
	}
	return a.record(ctx, c, inv, Deciding{Channel: string(cancel.Source), Correlator: domain.ByCancel, MessageID: cancel.ID})
}

package httpapi

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// courseSteps is how many of one invocation are read.
const courseSteps = 64

// decided is GET /api/approvals/decided?before=&limit=&at=: the newest proposals first,
// without those that wait, or waited then.
func (x *exchange) decided() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	before, err := q.count("before")
	if err != nil {
		return err
	}
	limit, err := q.count("limit")
	if err != nil {
		return err
	}
	then, err := x.asOf(q)
	if err != nil {
		return err
	}
	through, now := x.api.cfg.Log.Tail(), q.now
	if then != nil {
		through, now = then.Position, then.Time
	}
	if before == 0 || before > uint64(through) {
		before = uint64(through) + 1
	}
	found, err := newest(x.r.Context(), x.api.cfg.Log, logQuery{selector: domain.Selector{Key: domain.ProposedKey}, before: domain.Position(before), limit: int(limit)})
	if err != nil {
		return err
	}
	out := api.DecidedPage{AsOf: then, Approvals: []api.Decided{}}
	for _, rec := range found.records {
		body, err := x.api.decidedOf(x.r.Context(), rec, through, now)
		if err != nil {
			return err
		}
		if body.Decision != "" {
			out.Approvals = append(out.Approvals, body)
		}
	}
	if n := len(found.records); found.cut || n == int(limit) {
		out.Next = found.records[n-1].Position
	}
	return x.answer(http.StatusOK, out)
}

// decidedOf follows a proposal to its end, or to how far it had come through a
// position. Its Decision is "" while it waits.
func (a *API) decidedOf(ctx context.Context, rec domain.Record, through domain.Position, now domain.Millis) (api.Decided, error) {
	n, err := domain.ApprovalNotice(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return api.Decided{}, err
	}
	out := api.Decided{
		CapabilityID: n.CapabilityID, CapabilityVersion: n.CapabilityVersion, Summary: n.Summary, Actor: n.Actor, Channel: n.Channel,
		TraceID: api.UUID{ID: n.Trace.ID}, InvocationID: api.UUID{ID: n.InvocationID}, EnvelopeID: rec.Envelope.ID, Position: rec.Position,
		ProposedAt: rec.RecordedAt, ExpiresAt: n.ExpiresAt, CameTo: "not_done",
	}
	steps, err := a.cfg.Log.Select(ctx, domain.Selector{Key: domain.InvocationKey(n.InvocationID)}, rec.Position+1, courseSteps)
	if err != nil {
		return out, err
	}
	for _, step := range steps {
		if step.Position <= through {
			followed(&out, step)
		}
	}
	if n.ExpiresAt > 0 {
		since, err := domain.CountsSince(ctx, a.cfg.Log, rec, through, now)
		if err != nil {
			return out, err
		}
		n.ExpiresAt -= rec.Clock() - since
		out.ExpiresAt = n.ExpiresAt
	}
	if out.Decision == "" && n.ExpiresAt > 0 && n.ExpiresAt <= now {
		out.Decision, out.DecidedAt = "expired", n.ExpiresAt // which is about to be recorded
	}
	return out, nil
}

// followed takes up a step of the invocation. One whose payload was erased still says
// by its type what happened.
func followed(d *api.Decided, rec domain.Record) {
	env := rec.Envelope
	switch env.Type {
	case domain.ApprovalGrantedType:
		p, _ := domain.Decode[domain.ApprovalGranted](env)
		d.Decision, d.DecidedAt, d.CameTo = "granted", rec.RecordedAt, "under_way"
		d.DecidedBy, d.DecidedThrough, d.Correlator = p.Actor, p.Channel, p.Correlator
	case domain.ApprovalRefusedType:
		p, _ := domain.Decode[domain.ApprovalRefused](env)
		d.Decision, d.DecidedAt = "refused", rec.RecordedAt
		d.DecidedBy, d.DecidedThrough, d.Correlator = p.Actor, p.Channel, p.Correlator
	case domain.ApprovalExpiredType:
		d.Decision, d.DecidedAt = "expired", rec.RecordedAt
	case domain.ToolCompletedType:
		p, _ := domain.Decode[domain.ToolCompleted](env)
		d.CameTo, d.EndedAt = "done", rec.RecordedAt
		if p.Error != nil {
			d.CameTo, d.Detail = "failed", *p.Error
		}
	case domain.ToolFailedType:
		p, _ := domain.Decode[domain.ToolFailed](env)
		d.EndedAt = rec.RecordedAt
		if d.Decision == "granted" {
			d.CameTo, d.Detail = "failed", p.Detail
		}
	case domain.ToolOutcomeUnknownType:
		p, _ := domain.Decode[domain.ToolOutcomeUnknown](env)
		d.CameTo, d.EndedAt, d.Detail = "unknown", rec.RecordedAt, p.Detail
	}
}

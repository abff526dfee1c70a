package httpapi

import (
	"context"
	"math"
	"net/http"

	"chalie/domain"
)

// decidedBody is one line of GET /api/approvals/decided: what was proposed, what
// was said to it, and what came of it.
type decidedBody struct {
	CapabilityID      string          `json:"capability_id"` // "" when the proposal was erased
	CapabilityVersion string          `json:"capability_version"`
	Summary           string          `json:"summary"`
	Actor             string          `json:"actor"`
	Channel           string          `json:"channel"`
	TraceID           string          `json:"trace_id"`
	InvocationID      string          `json:"invocation_id"`
	EnvelopeID        domain.ID       `json:"envelope_id"`
	Position          domain.Position `json:"position"`
	ProposedAt        domain.Millis   `json:"proposed_at"`
	ExpiresAt         domain.Millis   `json:"expires_at"`

	Decision       string            `json:"decision"` // granted, refused or expired
	DecidedAt      domain.Millis     `json:"decided_at"`
	DecidedBy      string            `json:"decided_by,omitempty"`      // nobody when it expired
	DecidedThrough string            `json:"decided_through,omitempty"` // the channel
	Correlator     domain.Correlator `json:"correlator,omitempty"`

	CameTo  string        `json:"came_to"` // done, failed, unknown, not_done or under_way
	EndedAt domain.Millis `json:"ended_at,omitempty"`
	Detail  string        `json:"detail,omitempty"` // what went wrong
}

// The bounds of a page of what was decided.
const (
	usualDecided = 20
	mostDecided  = 100
	courseSteps  = 64 // of one invocation that are read
)

// decided is GET /api/approvals/decided?before=&limit=&at=: the newest proposals first,
// without those that wait, or waited then.
func (x *exchange) decided() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	before, err := q.count("before", math.MaxInt64, 1, math.MaxInt64)
	if err != nil {
		return err
	}
	limit, err := q.count("limit", usualDecided, 1, mostDecided)
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
	before = min(before, uint64(through)+1)
	found, err := newest(x.r.Context(), x.api.cfg.Log, logQuery{selector: domain.Selector{Key: domain.ProposedKey}, before: domain.Position(before), limit: int(limit)})
	if err != nil {
		return err
	}
	out := struct {
		AsOf      *asOf           `json:"as_of,omitempty"` // when at was asked
		Approvals []decidedBody   `json:"approvals"`
		Next      domain.Position `json:"next"` // before it there may be more; 0 when there is none
	}{AsOf: then, Approvals: []decidedBody{}}
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
func (api *API) decidedOf(ctx context.Context, rec domain.Record, through domain.Position, now domain.Millis) (decidedBody, error) {
	n, err := domain.ApprovalNotice(rec.Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return decidedBody{}, err
	}
	out := decidedBody{
		CapabilityID: n.CapabilityID, CapabilityVersion: n.CapabilityVersion, Summary: n.Summary, Actor: n.Actor, Channel: n.Channel,
		TraceID: n.Trace.UUID(), InvocationID: n.InvocationID.UUID(), EnvelopeID: rec.Envelope.ID, Position: rec.Position,
		ProposedAt: rec.RecordedAt, ExpiresAt: n.ExpiresAt, CameTo: "not_done",
	}
	steps, err := api.cfg.Log.Select(ctx, domain.Selector{Key: domain.InvocationKey(n.InvocationID)}, rec.Position+1, courseSteps)
	if err != nil {
		return out, err
	}
	for _, step := range steps {
		if step.Position <= through {
			out.follow(step)
		}
	}
	if n.ExpiresAt > 0 {
		since, err := domain.CountsSince(ctx, api.cfg.Log, rec, through, now)
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

// follow takes up a step of the invocation. One whose payload was erased still says
// by its type what happened.
func (d *decidedBody) follow(rec domain.Record) {
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

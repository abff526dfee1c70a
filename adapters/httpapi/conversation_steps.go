package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"chalie/adapters/api"
	"chalie/domain"
)

// Kinds of steps.
const (
	stepNarration = "narration" // the announcement of a step
	stepCard      = "card"      // a tool's answer as sanitised HTML
	stepApproval  = "approval"  // a proposal
	stepSteer     = "steer"     // the person's message meanwhile
	stepCancel    = "cancel"    // the person's cancellation
	stepFailure   = "failure"   // of a tool
)

// maxSteps bounds the records of a trace that one request reads for steps, as
// domain.PageBytes bounds their bytes. The next request gets those after them.
const maxSteps = 200

// States of an approval.
const (
	approvalWaits   = "waiting"
	approvalGranted = "granted"
	approvalRefused = "refused"
	approvalLapsed  = "expired"
)

// stateAfter is the state that a record brings a proposal to; "" for none.
func stateAfter(t domain.EventType) string {
	switch t {
	case domain.ApprovalGrantedType:
		return approvalGranted
	case domain.ApprovalRefusedType:
		return approvalRefused
	case domain.ApprovalExpiredType:
		return approvalLapsed
	}
	return ""
}

// callOf reads a call from its tool.invoked, with the interface's state now or then.
// Erased fields are empty.
func (x *exchange) callOf(invoked domain.Envelope, then *api.AsOf) (api.Call, error) {
	out := api.Call{Params: json.RawMessage("{}"), Footing: api.Footing{ForeignWords: []string{}}}
	in, err := domain.Decode[domain.ToolInvoked](invoked)
	if domain.CodeOf(err) == domain.CodeErased {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Tool = in.Tool
	if len(in.Params) > 0 {
		out.Params = in.Params
	}
	of, err := x.interfaceAt(in.InterfaceID, then)
	if err != nil {
		return out, err
	}
	out.Interface, out.Does = of.Name, x.describe(of, in)
	out.Footing, err = x.footingOf(invoked.ID, then)
	return out, err
}

// footingOf reads the grounds of a call from the policy's decision.
func (x *exchange) footingOf(invocation domain.ID, then *api.AsOf) (api.Footing, error) {
	out := api.Footing{ForeignWords: []string{}}
	steps, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{Key: domain.InvocationKey(invocation)}, 1, courseSteps)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(steps, func(rec domain.Record) bool { return rec.Envelope.Type == domain.PolicyDecidedType })
	if at < 0 {
		return out, nil
	}
	decided, err := domain.Decode[domain.PolicyDecided](steps[at].Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	name := func(of string) string {
		id, no := domain.ParseID(of)
		if no != nil {
			return of
		}
		known, no := x.interfaceAt(id, then)
		err = errors.Join(err, no)
		return cmp.Or(known.Name, "an interface that is gone")
	}
	out.ForeignWords = append(out.ForeignWords, domain.NamedWords(decided.Words, name)...)
	out.Carries = len(decided.Carried) > 0
	return out, err
}

// describe is a tool's description, by its interface or by Chalie for a skill.
func (x *exchange) describe(of domain.Interface, in domain.ToolInvoked) string {
	for _, t := range of.Tools {
		if t.Name == in.Tool {
			return t.Description
		}
	}
	if x.api.cfg.Tools == nil || !in.InterfaceID.IsZero() {
		return ""
	}
	for _, o := range x.api.cfg.Tools.Offers() {
		if o.IsOwn() && o.Tool.Name == in.Tool {
			return o.Tool.Description
		}
	}
	return ""
}

// interfaceAt is an interface now or then; the zero Interface for one that was removed.
func (x *exchange) interfaceAt(id domain.ID, then *api.AsOf) (known domain.Interface, err error) {
	if then != nil {
		book, err := x.api.cfg.Past.Registry(x.r.Context(), then.Position)
		if err != nil {
			return known, err
		}
		book.Read(func(r *domain.Registry) {
			if i := r.Interfaces[id]; i != nil {
				known = *i
			}
		})
		return known, nil
	}
	if x.api.cfg.Interfaces == nil {
		return known, nil
	}
	known, err = x.api.cfg.Interfaces.Get(id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Interface{}, nil
	}
	return known, err
}

// trail is the steps of a trace that a conversation shows.
type trail struct {
	x     *exchange
	then  *api.AsOf // nil for now
	steps []api.Step
	stage domain.Stage    // the latest
	next  domain.Position // of the next record to read; 0 at the end

	size int // about the size of the steps in an answer
	read int // size of the records that were read

	proposed map[domain.ID]*api.ApprovalStep // by the invocation
}

// stepSize is an upper bound for the size of a step without its texts.
const stepSize = 256

// list adds a step.
func (t *trail) list(s api.Step) {
	t.size += stepSize + len(s.Text)
	if a := s.Approval; a != nil {
		t.size += len(a.Params) + len(a.Summary) + len(a.Does)
	}
	t.steps = append(t.steps, s)
}

// trail reads a part of a trace as it is, or as it was then.
func (x *exchange) trail(trace domain.TraceID, from domain.Position, then *api.AsOf) (*trail, error) {
	t := &trail{x: x, then: then, steps: []api.Step{}, proposed: map[domain.ID]*api.ApprovalStep{}}
	if from > 1 {
		// The stage is read from the beginning.
		first, err := x.trail(trace, 1, then)
		if err != nil {
			return nil, err
		}
		t.stage = first.stage
	}
	if err := t.follow(trace, from); err != nil {
		return nil, err
	}
	if err := t.decidedLater(); err != nil {
		return nil, err
	}
	return t, t.waiting(trace)
}

// follow reads the records of a trace from a position on, as many as one request gets. The
// parts of a reply are no steps, and don't count.
func (t *trail) follow(trace domain.TraceID, from domain.Position) error {
	for read := 0; ; {
		records, cut, err := domain.SelectWithin(t.x.r.Context(), t.x.api.cfg.Log, domain.Selector{Trace: trace}, from, maxSteps+1, domain.PageBytes)
		if err != nil {
			return err
		}
		for i, rec := range records {
			if t.then != nil && rec.Position > t.then.Position {
				return nil
			}
			if read == maxSteps || t.size >= domain.PageBytes || cut && i == len(records)-1 {
				t.next = rec.Position
				return nil
			}
			from = rec.Position + 1
			if rec.Envelope.Type == domain.ModelStreamedType {
				continue
			}
			read++
			if err := t.add(rec); err != nil {
				return err
			}
			t.read += rec.Size()
		}
		if len(records) <= maxSteps {
			return nil
		}
	}
}

func (t *trail) add(rec domain.Record) error {
	step := api.Step{Seq: domain.SeqOf(rec.Position, 0)}
	switch e := rec.Envelope; e.Type {
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
		t.decided(e)
		return nil
	case domain.SteerReceivedType:
		steer, err := domain.Decode[domain.SteerReceived](e)
		step.Type, step.Text = stepSteer, steer.Text
		if domain.CodeOf(err) == domain.CodeErased {
			step.Text, err = "(erased)", nil
		}
		t.list(step)
		return err
	case domain.CancelReceivedType:
		step.Type = stepCancel
		t.list(step)
		return nil
	case domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		return t.failed(e, step)
	}
	return t.framed(rec)
}

// framed adds the frames that clients were sent of a record.
func (t *trail) framed(rec domain.Record) error {
	types, err := domain.FrameTypes(rec.Envelope)
	if err != nil || len(types) == 0 || rec.Envelope.Type == domain.ReasoningConcludedType {
		return err
	}
	frames, err := domain.Frames(rec, func(id domain.ID) (domain.Envelope, error) {
		rec, err := t.x.api.cfg.Log.Find(t.x.r.Context(), id)
		return rec.Envelope, err
	})
	if err != nil {
		return err
	}
	for _, f := range frames {
		step := api.Step{Seq: f.Seq}
		switch {
		case f.Type == domain.FrameStatus:
			t.stage = f.Stage
			continue
		case f.Type == domain.FrameNarration:
			step.Type, step.Text = stepNarration, f.Message
		case f.Type == domain.FrameCard:
			step.Type, step.ToolName, step.Title, step.AccentColor = stepCard, f.Tool, f.Card.Title, f.Card.AccentColor
		case f.Proposal != nil:
			if step, err = t.proposal(step, *f.Proposal); err != nil {
				return err
			}
		default:
			continue
		}
		t.list(step)
	}
	return nil
}

func (t *trail) proposal(step api.Step, p domain.Notification) (api.Step, error) {
	invoked, err := t.x.api.cfg.Log.Find(t.x.r.Context(), p.InvocationID)
	if err != nil {
		return step, err
	}
	what, err := t.x.callOf(invoked.Envelope, t.then)
	if err != nil {
		return step, err
	}
	a := &api.ApprovalStep{Call: what, InvocationID: api.UUID{ID: p.InvocationID}, Summary: p.Summary, State: approvalWaits, ExpiresAt: p.ExpiresAt}
	t.proposed[p.InvocationID] = a
	step.Type, step.Approval = stepApproval, a
	return step, nil
}

// decided notes the outcome of a proposal. Its envelope's keys name the invocation, so an
// erased one counts, too.
func (t *trail) decided(e domain.Envelope) {
	id, ok := domain.InvocationOf(e)
	state := stateAfter(e.Type)
	if !ok || state == "" || t.proposed[id] == nil {
		return
	}
	t.proposed[id].State = state
	if no, err := domain.Decode[domain.ApprovalRefused](e); err == nil && state == approvalRefused {
		t.proposed[id].Withdrawn = no.Correlator == domain.ByCancel
	}
}

// failed adds a tool's failure, unless the person had denied the call.
func (t *trail) failed(e domain.Envelope, step api.Step) error {
	step.Type, step.Text = stepFailure, "A tool failed."
	if len(e.Errors) > 0 {
		if code := e.Errors[0].Code; code == domain.CodeApprovalRefused || code == domain.CodeApprovalExpired {
			return nil
		}
		step.Text = e.Errors[0].Message
	}
	t.list(step)
	return nil
}

// decidedLater finds the outcomes of proposals in records beyond those that were read.
func (t *trail) decidedLater() error {
	if t.next == 0 {
		return nil
	}
	for id, a := range t.proposed {
		if a.State != approvalWaits {
			continue
		}
		_, err := domain.Look(t.x.r.Context(), t.x.api.cfg.Log, domain.Selector{Key: domain.InvocationKey(id)}, t.next, maxSteps, func(rec domain.Record) {
			if t.then == nil || rec.Position <= t.then.Position {
				t.decided(rec.Envelope)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// waiting gives undecided proposals their tokens. One beyond the records that were read
// is added: a reader of the beginning has to see it.
func (t *trail) waiting(trace domain.TraceID) error {
	open := t.next != 0
	for _, a := range t.proposed {
		open = open || a.State == approvalWaits
	}
	if !open || t.then != nil || t.x.api.cfg.Approvals == nil {
		return nil
	}
	pending, err := t.x.api.cfg.Approvals.Pending(t.x.r.Context())
	if err != nil {
		return err
	}
	room := t.size + domain.PageBytes
	for _, p := range pending {
		if p.Trace == trace && t.next != 0 && p.Position >= t.next && t.size < room {
			step, err := t.proposal(api.Step{Seq: domain.SeqOf(p.Position, 0)}, p.Notification)
			if err != nil {
				return err
			}
			t.list(step)
		}
		if a := t.proposed[p.InvocationID]; a != nil && a.State == approvalWaits {
			a.ProposalToken = p.Token
		}
	}
	return nil
}

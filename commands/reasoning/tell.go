package reasoning

import (
	"context"
	"slices"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/concern"
)

// tell ends an episode with its last reply, as far as the rules of what may be
// told allow. Who asked always gets the answer.
func (r *Reasoner) tell(ctx context.Context, ep *domain.Episode) error {
	last, at := ep.LastCall(), r.cfg.Now()
	end := r.ending(ep)
	end.Reply = last.ReplyID
	end.Evidence = append(end.Evidence, last.Reply.Used...)
	var err error
	switch {
	case ep.ByOperator():
		end.Outcome, end.Shown = domain.OutcomeResponded, domain.ShownMessage
		if err = r.addOpening(ctx, ep, &end); err == nil {
			err = r.addWaiting(ctx, ep, &end)
		}
	case ep.Background():
		err = r.tellFindings(ctx, at, ep, &end)
	default:
		err = r.passOn(ctx, at, ep, &end)
	}
	if err != nil {
		return err
	}
	return r.endAt(ctx, at, ep, last.ReplyID, end, nil, r.unlessSteered(ep)...)
}

// addOpening has an answer rest on the tools that want a page opened for the person,
// whether the model says so or not: its words don't have the address.
func (r *Reasoner) addOpening(ctx context.Context, ep *domain.Episode, end *domain.ReasoningConcluded) error {
	for _, called := range ep.Calls {
		for _, made := range called.Tools {
			if made.Outcome != domain.ToolCompletedType || slices.ContainsFunc(end.Evidence, func(e domain.Evidence) bool { return e.EnvelopeID == made.End }) {
				continue
			}
			_, done, err := recall[domain.ToolCompleted](ctx, r.cfg.Reader, made.End)
			if err != nil {
				return err
			}
			if done != nil && done.OpenURL != nil {
				end.Evidence = append(end.Evidence, domain.Evidence{EnvelopeID: made.End, Role: roleUsed, Weight: domain.One})
			}
		}
	}
	return nil
}

// addWaiting has an answer say what the person may have meant to decide with it, and didn't.
func (r *Reasoner) addWaiting(ctx context.Context, ep *domain.Episode, end *domain.ReasoningConcluded) error {
	if r.cfg.Approvals == nil || ep.Opening.Envelope.Type != domain.MessageReceivedType {
		return nil
	}
	said, err := openingOf(ep)
	if err != nil || said.erased {
		return err
	}
	spoken, err := r.cfg.Approvals.StillWaits(ctx, r.caller(ep), ep.Opening, said.message.Text)
	if err == nil && spoken.Handled {
		end.Blocks, end.Evidence = spoken.Blocks, append(end.Evidence, spoken.Evidence...)
	}
	return err
}

// unlessSteered lets an answer be the end only if the person added nothing that
// it doesn't know, as long as the model can still be asked.
func (r *Reasoner) unlessSteered(ep *domain.Episode) []domain.Condition {
	trace := ep.Opening.Envelope.Trace
	conditions := []domain.Condition{{Key: domain.CancelKey(trace), After: ep.Through}}
	if _, exhausted := ep.Exhausted(); !exhausted {
		conditions = append(conditions, domain.Condition{Key: domain.SteerKey(trace), After: ep.Through})
	}
	return conditions
}

// passOn shows what an interface had to say.
func (r *Reasoner) passOn(ctx context.Context, at domain.Millis, ep *domain.Episode, end *domain.ReasoningConcluded) error {
	opening, reply := ep.Opening.Envelope, ep.LastCall().Reply
	verdict, err := r.judge(ctx, Notice{At: at, From: opening.Principal, Topic: reply.Topic, Blocks: reply.Blocks, Urgent: reply.Urgent,
		Evidence: end.Evidence, Score: reply.Confidence})
	if err != nil {
		return err
	}
	if verdict.Gate != "" {
		end.Outcome, end.Reply = domain.OutcomeHeld, domain.ID{}
		end.Rejected = append(end.Rejected, domain.Rejected{EnvelopeID: opening.ID, Because: verdict.Because, Score: reply.Confidence, Gate: verdict.Gate, Detail: verdict.Detail()})
		return nil
	}
	end.Outcome, end.Shown = domain.OutcomeSurfaced, showing(reply.Urgent)
	return r.addConcern(ctx, at, ep, end)
}

// addConcern adds to what an interface said what it means for the person's plans. The words are
// Chalie's own, and stand behind those of the interface.
func (r *Reasoner) addConcern(ctx context.Context, at domain.Millis, ep *domain.Episode, end *domain.ReasoningConcluded) error {
	said, err := openingOf(ep)
	if err != nil || said.erased || r.cfg.Concerns == nil || apart(ep, said) {
		return err
	}
	m := concern.Message{
		Text: said.message.Text, Sender: said.message.Source + " " + string(ep.Opening.Envelope.Source), Metadata: said.message.Metadata, At: at, Zone: said.zone(ep),
	}
	if said.message.Topic != nil {
		m.Topic = *said.message.Topic
	}
	words, buttons, evidence, err := r.cfg.Concerns.Of(ctx, m, domain.ID{})
	if err != nil {
		return err
	}
	end.Evidence = append(end.Evidence, evidence...)
	return r.says(ctx, at, ep, words, buttons, end)
}

// maxConcerns bounds the findings of a cycle that are checked against their plans.
const maxConcerns = 3

// addConcerns adds to the findings that are shown what follows for the plan of each, where the
// signal says that it moved or was cancelled.
func (r *Reasoner) addConcerns(ctx context.Context, at domain.Millis, ep *domain.Episode, end *domain.ReasoningConcluded) error {
	if r.cfg.Concerns == nil {
		return nil
	}
	for _, i := range end.Findings[:min(len(end.Findings), maxConcerns)] {
		var heard, planned domain.ID
		for _, e := range ep.LastCall().Reply.Findings[i].Evidence {
			switch {
			case e.Role == roleHeard && heard.IsZero():
				heard = e.EnvelopeID
			case e.Role == rolePlanned && planned.IsZero():
				planned = e.EnvelopeID
			}
		}
		if heard.IsZero() || planned.IsZero() {
			continue
		}
		_, signal, err := recall[domain.SignalReceived](ctx, r.cfg.Reader, heard)
		if err != nil {
			return err
		}
		if signal == nil {
			continue
		}
		words, buttons, _, err := r.cfg.Concerns.Of(ctx, concern.Message{Text: signal.Content, Sender: signal.Source, At: at, Zone: commands.ZoneOf(ep.Started.Zone)}, planned)
		if err != nil {
			return err
		}
		if err := r.says(ctx, at, ep, words, buttons, end); err != nil {
			return err
		}
	}
	return nil
}

// The roles of a signal and of a plan in the evidence of a finding.
const (
	roleHeard   = "heard"
	rolePlanned = "planned"
)

// tellFindings shows those findings of a cycle that may be told. What is kept
// back is recorded with its gate.
func (r *Reasoner) tellFindings(ctx context.Context, at domain.Millis, ep *domain.Episode, end *domain.ReasoningConcluded) error {
	urgent := false
	for i, f := range ep.LastCall().Reply.Findings {
		verdict, err := r.judge(ctx, Notice{At: at, Topic: f.Topic, Blocks: f.Blocks, Urgent: f.Urgent, Evidence: f.Evidence, Score: f.Confidence})
		if err != nil {
			return err
		}
		if verdict.Gate == "" {
			end.Findings = append(end.Findings, i)
			end.Evidence = append(end.Evidence, f.Evidence...)
			urgent = urgent || f.Urgent
			continue
		}
		for _, e := range f.Evidence {
			end.Rejected = append(end.Rejected, domain.Rejected{EnvelopeID: e.EnvelopeID, Because: verdict.Because, Score: e.Weight, Gate: verdict.Gate, Detail: verdict.Detail()})
		}
	}
	if len(end.Findings) == 0 {
		end.Outcome, end.Reply = domain.OutcomeHeld, domain.ID{}
		return nil
	}
	end.Outcome, end.Shown = domain.OutcomeSurfaced, showing(urgent)
	return r.addConcerns(ctx, at, ep, end)
}

func (r *Reasoner) judge(ctx context.Context, n Notice) (Verdict, error) {
	if r.cfg.Notices == nil {
		return Verdict{}, nil
	}
	return r.cfg.Notices.Judge(ctx, n)
}

func showing(urgent bool) domain.Showing {
	if urgent {
		return domain.ShownEscalation
	}
	return domain.ShownNotification
}

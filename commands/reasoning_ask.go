package commands

import (
	"context"
	"errors"
	"slices"

	"chalie/domain"
)

// call notes that the next model is about to be asked, what it is told of, and
// what it may call.
func (r *Reasoner) call(ctx context.Context, ep *domain.Episode, said opened) error {
	name := ep.Model()
	if name == "" {
		name = r.cfg.Models[0].Name()
	}
	called := domain.ModelCalled{Model: name, Steers: append([]domain.ID{}, ep.Steers...), Tools: []string{}, Final: ep.FinalCall()}
	if n := len(ep.Failures); n > 0 {
		called.Instead = ep.Failures[n-1]
	}
	if v := ep.Verified; v != nil && v.Outcome == domain.VerifiedFailure {
		called.Verification = v.ID
	}
	var offers []domain.Offer
	var err error
	if !called.Final {
		if offers, err = r.offers(ctx, ep, said); err != nil {
			return err
		}
		for _, o := range offers {
			called.Tools = append(called.Tools, o.Name)
		}
	}
	if called.Shown, err = r.mark(ctx, ep, said, offers); err != nil {
		return err
	}
	return makeStep(ctx, r, ep, callCause(ep), called)
}

// callCause is what made the next call to a model necessary.
func callCause(ep *domain.Episode) domain.ID {
	last := ep.LastCall()
	switch {
	case last == nil:
		return ep.StartedID
	case len(ep.Steers) > len(last.Steers):
		return ep.Steers[len(last.Steers)] // the first that the last call didn't know
	case !last.Failed.IsZero():
		return last.Failed
	case len(last.Tools) > 0:
		return last.Tools[len(last.Tools)-1].End
	case ep.Verified != nil && ep.Verified.Reply == last.ReplyID:
		return ep.Verified.ID
	}
	return latest(ep)
}

// ask asks the model and records its reply, or that it gave none.
func (r *Reasoner) ask(ctx context.Context, ep *domain.Episode, said opened) error {
	model, ok := r.model(ep.LastCall().Model)
	if !ok {
		return r.modelFailed(ctx, ep, &domain.Error{Op: "ask model", Category: domain.NotFound, Code: "unknown_model",
			Message: "the model " + ep.LastCall().Model + " is no longer configured"})
	}
	prompt, err := r.prompt(ctx, ep, said)
	if err != nil {
		return err
	}
	reply, err := model.Reply(ctx, prompt)
	if err == nil {
		err = checkReply(prompt, reply)
	}
	if ctx.Err() != nil {
		// Whatever a model makes of being given up, it isn't an answer.
		return givenUp(ctx)
	}
	if domain.IsRetriable(err) {
		return err
	}
	if err == nil {
		var entry domain.Entry
		if entry, err = r.replied(ep, model, reply); err == nil {
			return r.step(ctx, ep, entry)
		}
	}
	return r.modelFailed(ctx, ep, err)
}

// model is one by its name. What was asked before it was erased asks the first.
func (r *Reasoner) model(name string) (Model, bool) {
	if name == "" {
		return r.cfg.Models[0], true
	}
	i := slices.IndexFunc(r.cfg.Models, func(m Model) bool { return m.Name() == name })
	if i < 0 {
		return nil, false
	}
	return r.cfg.Models[i], true
}

// modelFailed records a model's terminal error in place of a reply.
func (r *Reasoner) modelFailed(ctx context.Context, ep *domain.Episode, err error) error {
	last := ep.LastCall()
	entry, newErr := domain.New(lineage(ep, last.ID), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, domain.ModelFailed{Model: last.Model})
	if newErr != nil {
		return newErr
	}
	entry.Envelope.Errors = []domain.Fault{modelFault(err)}
	return r.step(ctx, ep, entry)
}

// modelFault is a model's or a verifier's error, for a person.
func modelFault(err error) domain.Fault {
	fault := domain.Fault{Code: "model_failed", Category: domain.Dependency, Message: "the model failed: " + err.Error()}
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		fault.Code, fault.Category, fault.Message = e.Code, e.Category, e.Message
	}
	fault.Message = cut(fault.Message, maxFaultBytes)
	return fault
}

// verify has the answer checked before it is given. Without a verdict it stands.
func (r *Reasoner) verify(ctx context.Context, ep *domain.Episode, said opened) error {
	verdict := domain.AnswerVerified{Outcome: domain.VerifiedNot, Issues: []string{}, Verifier: ep.Started.Verifier}
	var faults []domain.Fault
	err := error(&domain.Error{Category: domain.NotFound, Code: "unknown_model", Message: "the verifier " + ep.Started.Verifier + " is no longer configured"})
	if v := r.cfg.Verifier; v != nil && v.Name() == ep.Started.Verifier {
		var asked Verification
		if asked, err = r.verification(ctx, ep, said); err != nil {
			return err
		}
		var got domain.AnswerVerified
		if got, err = v.Verify(ctx, asked); err == nil {
			verdict = got
			verdict.Issues = append([]string{}, got.Issues...)
		}
	}
	if ctx.Err() != nil {
		return givenUp(ctx)
	}
	if err != nil {
		faults = []domain.Fault{modelFault(err)}
	}
	entry, err := domain.New(lineage(ep, ep.LastCall().ReplyID), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, verdict)
	if err != nil {
		return err
	}
	entry.Envelope.Errors = faults
	return r.step(ctx, ep, entry)
}

package reasoning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language"
)

// call notes that the next model is about to be asked, what it is told of, and
// what it may call.
func (r *Reasoner) call(ctx context.Context, ep *domain.Episode, said openingEvent) error {
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

// callCause is the envelope that made the next call to a model necessary.
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
func (r *Reasoner) ask(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	model, ok := r.model(ep.LastCall().Model)
	if !ok {
		return r.modelFailed(ctx, ep, &domain.Error{Op: "ask model", Category: domain.NotFound, Code: "unknown_model",
			Message: "the model " + ep.LastCall().Model + " is no longer configured"})
	}
	prompt, err := r.prompt(ctx, ep, said)
	if err != nil {
		return err
	}
	back := func() {}
	if !unmoved(model) {
		back = commands.Outside(ctx)
	}
	reply, last, err := r.listen(ctx, ep, model, prompt)
	back()
	if !unmoved(model) {
		commands.Anew(ctx) // it took its time, and what it said is recorded
	}
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
		var before []domain.Entry
		if before, err = last(reply); err != nil {
			return err
		}
		if reply.ToolCalls, err = r.withDeeds(ctx, ep, model, prompt, reply.ToolCalls); err != nil {
			return err
		}
		var entry domain.Entry
		if entry, err = r.replied(ep, model, reply); err == nil {
			return r.stepAround(ctx, ep, before, entry, nil)
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
	if entry.Envelope.Keys, newErr = r.retracts(ctx, ep); newErr != nil {
		return newErr
	}
	return r.step(ctx, ep, entry)
}

// modelFault is a model's or a verifier's error, for a person.
func modelFault(err error) domain.Fault {
	fault := domain.Fault{Code: "model_failed", Category: domain.Dependency, Message: "the model failed: " + err.Error()}
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		fault.Code, fault.Category, fault.Message = e.Code, e.Category, e.Message
	}
	fault.Message = domain.Cut(fault.Message, commands.MaxFaultBytes)
	return fault
}

// verify has the answer checked before it is given. Without a verdict it stands.
func (r *Reasoner) verify(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	verdict := domain.AnswerVerified{Outcome: domain.VerifiedNot, Issues: []string{}, Verifier: ep.Started.Verifier}
	var faults []domain.Fault
	err := error(&domain.Error{Category: domain.NotFound, Code: "unknown_model", Message: "the verifier " + ep.Started.Verifier + " is no longer configured"})
	if v := r.cfg.Verifier; v != nil && v.Name() == ep.Started.Verifier {
		var asked Verification
		if asked, err = r.verification(ctx, ep, said); err != nil {
			return err
		}
		var got domain.AnswerVerified
		back := commands.Outside(ctx)
		got, err = v.Verify(ctx, asked)
		back()
		commands.Anew(ctx)
		if err == nil {
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
	if verdict.Outcome == domain.VerifiedFailure && ep.LastCall().Streamed.IsShown() {
		entry.Envelope.Keys = []domain.Key{domain.RetractsKey}
	}
	return r.step(ctx, ep, entry)
}

// replied makes the envelope of a reply. Its errors are the model's fault.
func (r *Reasoner) replied(ep *domain.Episode, model Model, reply language.Reply) (domain.Entry, error) {
	entry, err := domain.New(lineage(ep, ep.LastCall().ID), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, domain.ModelReplied{
		Model: model.Name(), Blocks: listed(reply.Blocks), Topic: reply.Topic, Mode: reply.Mode,
		Confidence: reply.Confidence, Urgent: reply.Urgent, Used: listed(reply.Used), Usage: reply.Usage,
		ToolCalls: listed(reply.ToolCalls), Findings: listed(reply.Findings), Readings: reply.Readings, Finish: finishOf(reply), Spoken: reply.Spoken,
	})
	if err != nil {
		return domain.Entry{}, badReply("it can't be written down: " + err.Error())
	}
	// Most steps take milliseconds, all of Chalie's own among them: they are over before they could be read of.
	if slices.ContainsFunc(reply.ToolCalls, func(call domain.ToolCall) bool {
		offer, found := r.offerOf(call.Tool)
		return found && !offer.IsOwn() && r.cfg.Tools.IsSlow(offer)
	}) {
		entry.Envelope.Keys = []domain.Key{domain.ActsKey(len(ep.Calls))}
	}
	if size := len(entry.Envelope.Payload.Bytes); size > domain.MaxPayloadBytes {
		return domain.Entry{}, badReply(fmt.Sprintf("it takes %d bytes when stored, the bound is %d", size, domain.MaxPayloadBytes))
	}
	return entry, nil
}

// listed is a list that isn't null when it is stored.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// checkReply returns a terminal error about a reply that the port doesn't allow.
// What a reply rests on has to be in the prompt, or lineage would point at
// nothing.
func checkReply(p language.Prompt, reply language.Reply) error {
	switch {
	case len(reply.Blocks) == 0 && len(reply.ToolCalls) == 0 && p.Kind == language.AskedMessage:
		return badReply("it says nothing")
	case strings.TrimSpace(reply.Topic) == "":
		return badReply("it names no topic")
	case reply.Mode != domain.ModeRespond && reply.Mode != domain.ModeAct:
		return badReply(fmt.Sprintf("its mode %q is none", reply.Mode))
	case !isShare(reply.Confidence):
		return badReply(fmt.Sprintf("its confidence %s is not within 0 and 1", reply.Confidence))
	case len(reply.ToolCalls) > 0 && len(p.Tools) == 0:
		return badReply(fmt.Sprintf("it calls %s, and was offered no tools", domain.Cut(reply.ToolCalls[0].Tool, domain.MaxNameBytes)))
	case len(reply.ToolCalls) > language.MaxToolCalls:
		return badReply(fmt.Sprintf("it calls %d tools at once, the bound is %d", len(reply.ToolCalls), language.MaxToolCalls))
	case len(reply.Readings) > language.MaxReadings || slices.ContainsFunc(reply.Readings, func(r domain.Reading) bool { return len(r.Words) > language.MaxReadings }):
		return badReply(fmt.Sprintf("it gives more than %d reasons for reading so", language.MaxReadings))
	case len(reply.Findings) > language.MaxFindings || len(reply.Findings) > 0 && p.Kind != language.AskedCycle:
		return badReply(fmt.Sprintf("it has %d findings, the bound is %d in a cycle and none in an answer", len(reply.Findings), language.MaxFindings))
	}
	known := knownTo(p)
	if err := checkEvidence(known, reply.Used); err != nil {
		return err
	}
	for _, f := range reply.Findings {
		if err := checkFinding(known, f); err != nil {
			return err
		}
	}
	return nil
}

func isShare(p domain.PPM) bool { return p >= 0 && p <= domain.One }

// knownTo is everything that a prompt tells of.
func knownTo(p language.Prompt) map[domain.ID]bool {
	known := map[domain.ID]bool{p.Asked.ID: true}
	for _, item := range p.World {
		known[item.EnvelopeID] = true
	}
	for _, rel := range p.Related {
		known[rel.Signal.EnvelopeID], known[rel.Commitment.EnvelopeID] = true, true
	}
	for _, done := range p.Done {
		known[done.End] = true
	}
	return known
}

func checkFinding(known map[domain.ID]bool, f domain.Finding) error {
	switch {
	case len(f.Blocks) == 0 || strings.TrimSpace(f.Topic) == "" || !isShare(f.Confidence):
		return badReply("a finding says nothing, names no topic, or is surer than 1")
	case len(f.Evidence) == 0:
		return badReply("a finding rests on nothing")
	}
	return checkEvidence(known, f.Evidence)
}

func checkEvidence(known map[domain.ID]bool, evidence []domain.Evidence) error {
	if len(evidence) > language.MaxEvidence {
		return badReply(fmt.Sprintf("it rests on %d items, the bound is %d", len(evidence), language.MaxEvidence))
	}
	for _, used := range evidence {
		if !known[used.EnvelopeID] || len(used.Role) > domain.MaxNameBytes {
			return badReply(fmt.Sprintf("it rests on %s, which it wasn't told of, or gives it a role over %d bytes", used.EnvelopeID, domain.MaxNameBytes))
		}
	}
	return nil
}

func badReply(why string) error {
	return &domain.Error{Op: "ask model", Category: domain.Dependency, Code: "bad_reply",
		Message: "the model's reply can't be used, " + why + ": ask again, or choose another model"}
}

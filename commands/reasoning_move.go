package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// reasoningSource is the emitter of an episode's steps.
const reasoningSource domain.Source = "reasoning"

// start fixes the ground: the moment, and by reference the world state and what
// was said before.
func (r *Reasoner) start(ctx context.Context, ep *domain.Episode) error {
	// What the person said last has to count, and so does what they sent before it.
	if err := r.cfg.Applied.WaitFor(ctx, ep.Opening.Position); err != nil {
		return err
	}
	recent, err := r.recent(ep)
	if err != nil {
		return err
	}
	now := r.now()
	assembly, through := r.cfg.World.At(now)
	entry, err := domain.New(lineage(ep, ep.Opening.Envelope.ID), r.cfg.IDs.NewID(), now, reasoningSource, domain.ReasoningStarted{
		AsOf: now, World: domain.SeenIn(assembly, through), Recent: recent,
		Models: []string{r.cfg.Model.Name()}, Relations: []domain.SeenRelation{}, Limits: domain.DefaultReasoningLimits(), Rules: r.cfg.Rules, Build: r.cfg.Build,
	})
	if err != nil {
		return err
	}
	return r.step(ctx, ep, entry)
}

// lookBack bounds how many of the latest exchanges are gone through for those
// in working memory: interfaces may have said a lot since the person last spoke.
const lookBack = 1024

// recent are the messages of the last concluded exchanges before this one,
// oldest first.
func (r *Reasoner) recent(ep *domain.Episode) ([]domain.ID, error) {
	const page = 32
	out := []domain.ID{}
	before := ep.Opening.Position
	for offset := 0; offset < lookBack; offset += page {
		exchanges, _, err := r.cfg.Conversation.Recent(page, offset)
		if err != nil {
			return nil, err
		}
		for _, x := range slices.Backward(exchanges) {
			// New ones move the pages: an exchange may come twice.
			if x.Position >= before {
				continue
			}
			before = x.Position
			if !x.Prompt.IsZero() && !x.Conclusion.IsZero() {
				out = append(out, x.Prompt)
			}
			if len(out) == domain.WorkingMemory {
				slices.Reverse(out)
				return out, nil
			}
		}
		if len(exchanges) < page {
			break
		}
	}
	slices.Reverse(out)
	return out, nil
}

// call notes that the model is about to be asked, and which steers it is told.
func (r *Reasoner) call(ctx context.Context, ep *domain.Episode) error {
	cause := ep.StartedID
	if last := ep.LastCall(); last != nil && len(ep.Steers) > len(last.Steers) {
		cause = ep.Steers[len(last.Steers)] // the first that the last call didn't know
	}
	entry, err := domain.New(lineage(ep, cause), r.cfg.IDs.NewID(), r.now(), reasoningSource, domain.ModelCalled{
		Model: r.cfg.Model.Name(), Steers: append([]domain.ID{}, ep.Steers...),
	})
	if err != nil {
		return err
	}
	return r.step(ctx, ep, entry)
}

// ask asks the model and records its reply. A terminal error ends the episode.
func (r *Reasoner) ask(ctx context.Context, ep *domain.Episode, msg domain.MessageReceived) error {
	prompt, err := r.prompt(ctx, ep, msg)
	if err != nil {
		return err
	}
	reply, err := r.cfg.Model.Reply(ctx, prompt)
	if err == nil {
		err = checkReply(prompt, reply)
	}
	if ctx.Err() != nil {
		// Whatever a model makes of being given up, it isn't an answer.
		return givenUp(ctx)
	}
	if err != nil {
		return r.unanswered(ctx, ep, err)
	}
	entry, err := r.replied(ep, reply)
	if err != nil {
		return r.unanswered(ctx, ep, err)
	}
	return r.step(ctx, ep, entry)
}

// step appends one step, on the condition that nobody has made it, and the
// further ones given.
func (r *Reasoner) step(ctx context.Context, ep *domain.Episode, entry domain.Entry, further ...domain.Condition) error {
	key := domain.StepKey(ep.Opening.Envelope.Trace, ep.Steps+1)
	entry.Envelope.Keys = append(entry.Envelope.Keys, key)
	return r.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: append([]domain.Condition{{Key: key}}, further...),
	})
}

// append appends a batch, and once more with the same ids when nobody knows
// whether it is in the log.
func (r *Reasoner) append(ctx context.Context, b domain.Batch) error {
	const attempts = 3
	var err error
	for range attempts {
		_, err = r.cfg.Log.Append(ctx, b)
		if domain.CodeOf(err) != domain.CodeOutcomeUnknown || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// lineage is that of a step that cause, in the same episode, made necessary.
func lineage(ep *domain.Episode, cause domain.ID) domain.Lineage {
	lin := domain.Continue(ep.Opening.Envelope)
	lin.Parent = cause
	return lin
}

func givenUp(ctx context.Context) error {
	return &domain.Error{Op: "answer", Category: domain.Dependency, Code: "cancelled", Retriable: true,
		Message: "answering was given up before its end; it goes on when it is called again", Err: ctx.Err()}
}

package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// reasoningSource is the emitter of an episode's steps.
const reasoningSource domain.Source = "reasoning"

// maxRelations bounds those that an episode starts with.
const maxRelations = 64

// start fixes the ground: the moment, and by reference the world state and what
// was said before. A plain yes or no needs none: it is an answer to a question.
func (r *Reasoner) start(ctx context.Context, ep *domain.Episode, said opened) error {
	if r.cfg.Approvals != nil && ep.ByOperator() {
		spoken, err := r.cfg.Approvals.Ask(ctx, r.caller(ep), ep.Opening, said.message.Text)
		if err != nil {
			return err
		}
		if spoken.Handled {
			return r.sayPlainly(ctx, ep, spoken)
		}
	}
	recent, err := r.recent(ep)
	if err != nil {
		return err
	}
	now := r.cfg.Now()
	ground, err := r.cfg.Mind.Ground(ctx, now)
	if err != nil {
		return err
	}
	started := domain.ReasoningStarted{
		AsOf: now, Zone: ground.Zone, World: domain.SeenIn(ground.Assembly, ground.Through), Recent: recent,
		Relations: append([]domain.SeenRelation{}, ground.Relations[:min(len(ground.Relations), maxRelations)]...),
		Models:    []string{}, Limits: r.cfg.Limits, Rules: r.cfg.Rules, Build: r.cfg.Build,
	}
	for _, m := range r.cfg.Models {
		started.Models = append(started.Models, m.Name())
	}
	if r.cfg.Verifier != nil {
		started.Verifier = r.cfg.Verifier.Name()
	}
	return makeStep(ctx, r, ep, ep.Opening.Envelope.ID, started)
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
			if len(out) == r.cfg.Memory {
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

// resume notes that an episode which made room goes on.
func (r *Reasoner) resume(ctx context.Context, ep *domain.Episode) error {
	return makeStep(ctx, r, ep, ep.Yielded, domain.ReasoningResumed{})
}

// makeStep appends one step, of one event.
func makeStep[P any](ctx context.Context, r *Reasoner, ep *domain.Episode, cause domain.ID, payload P) error {
	entry, err := domain.New(lineage(ep, cause), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource, payload)
	if err != nil {
		return err
	}
	return r.step(ctx, ep, entry)
}

// step appends one step, on the condition that nobody has made it, and the
// further ones given.
func (r *Reasoner) step(ctx context.Context, ep *domain.Episode, entry domain.Entry, further ...domain.Condition) error {
	key := domain.StepKey(ep.Opening.Envelope.Trace, ep.Steps+1)
	entry.Envelope.Keys = append(entry.Envelope.Keys, key)
	if ep.Background() {
		entry.Envelope.Keys = append(entry.Envelope.Keys, domain.UnaskedKey)
	}
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
		Message: "answering was given up before its end; it goes on when it is called again", Err: context.Cause(ctx)}
}

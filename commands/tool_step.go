package commands

import (
	"context"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// invoking is an invocation under way: what is to be done, and its latest step.
type invoking struct {
	id       domain.ID
	lineage  domain.Lineage
	source   domain.Source
	offer    domain.Offer
	params   json.RawMessage // as they are sent
	kept     json.RawMessage // as they are stored: without secrets
	marks    *domain.Marks   // what was taken out of kept
	question domain.Invoking
	decision domain.PolicyDecided
	once     *once      // of one with a Key
	callKey  domain.Key // of a tool call of an episode
	bill     *bill      // nil for what counts for nobody
	bounded  bool       // how many proposals may wait counts for it
	missing  error      // why it can't be called any more; of one that is gone on with

	stage   domain.CourseStage
	course  domain.Course   // of one that is gone on with
	last    domain.ID       // the envelope of the latest step
	through domain.Position // of the latest record under its key
	began   domain.Millis   // when the call left; 0 before
}

// begin records what is asked for and what the policy says to it.
func (t *Tools) begin(ctx context.Context, inv *invoking) error {
	q := inv.question
	inv.decision = t.cfg.Regime.Decide(q)
	bounded := inv.decision.Verdict == domain.VerdictApproval && inv.bounded && q.Actor != domain.ActorOperator
	var counted domain.Position
	if bounded {
		var err error
		if counted, err = t.countProposals(ctx, q.Actor); err != nil {
			return err
		}
	}
	invoked, err := domain.New(inv.lineage, inv.id, t.cfg.Now(), inv.source, domain.ToolInvoked{
		InterfaceID: inv.offer.Interface.ID, Tool: inv.offer.Tool.Name, Params: inv.kept, Marks: inv.marks,
		Actor: q.Actor, Channel: q.Channel, ParentInvocationID: q.ParentInvocationID, Depth: q.Depth,
	})
	if err != nil {
		return err
	}
	var first []domain.Condition
	if inv.once != nil {
		invoked.Envelope.Keys = append(invoked.Envelope.Keys, inv.once.key)
		first = append(first, inv.once.condition())
	}
	if inv.callKey != "" {
		invoked.Envelope.Keys = append(invoked.Envelope.Keys, inv.callKey)
		first = append(first, domain.Condition{Key: inv.callKey})
	}
	inv.last, inv.stage = inv.id, domain.CourseDenied
	if inv.decision.Allowed {
		inv.stage = domain.CourseAllowed
	}
	before, last, err := t.judged(inv, invoked)
	if err != nil {
		return err
	}
	if err := inv.bill.reserve(weight(before...) + weight(last) + endRoom); err != nil {
		return err
	}
	if inv.stage == domain.CourseWaiting && inv.holdsSecret() {
		t.unstored.keep(inv.id, inv.params) // now: once it is recorded it can be approved
	}
	add := func() error { return t.step(ctx, inv, last, with{before: before, conditions: first}) }
	if bounded {
		add = func() error { return t.addCounted(ctx, inv, last, with{before: before, conditions: first}, counted) }
	}
	if err := add(); err != nil {
		t.unstored.drop(inv.id)
		return err
	}
	return nil
}

// addCounted appends a proposal on the condition that there is none that wasn't counted,
// and counts again when there is.
func (t *Tools) addCounted(ctx context.Context, inv *invoking, last domain.Entry, more with, counted domain.Position) error {
	for {
		now := more
		now.conditions = append(slices.Clone(more.conditions), domain.Condition{Key: domain.ProposedKey, After: counted})
		failed := t.step(ctx, inv, last, now)
		if domain.CodeOf(failed) != domain.CodeConditionFailed {
			return failed
		}
		again, err := t.countProposals(ctx, inv.question.Actor)
		if err != nil {
			return err
		}
		if again == counted {
			return failed // it was another condition
		}
		counted = again
	}
}

// judged is what is asked for and decided, and the proposal if the person has to
// approve it.
func (t *Tools) judged(inv *invoking, invoked domain.Entry) (before []domain.Entry, last domain.Entry, err error) {
	waits := inv.decision.Verdict == domain.VerdictApproval
	var proposal domain.ID
	var hash domain.SecretHash
	if waits {
		proposal = t.cfg.IDs.NewID()
		hash = domain.HashSecret(t.cfg.Tokens.Token(proposal))
		inv.decision.ProposalToken = hash.String()
	}
	inv.decision.DecisionID = t.cfg.IDs.NewID()
	decided, err := domain.New(domain.Continue(invoked.Envelope), inv.decision.DecisionID, t.cfg.Now(), policySource, inv.decision)
	if err != nil || !waits {
		return []domain.Entry{invoked}, decided, err
	}
	decided.Envelope.Keys = []domain.Key{domain.InvocationKey(inv.id)}
	proposed, err := t.proposed(inv, decided.Envelope, proposal, hash)
	return []domain.Entry{invoked, decided}, proposed, err
}

// dispatch records that the call leaves now, and the state before it.
func (t *Tools) dispatch(ctx context.Context, inv *invoking) error {
	var before []domain.Entry
	last := inv.last
	if state := t.state(ctx, inv, domain.BeforeCall); state != nil {
		taken, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, *state)
		if err != nil {
			return err
		}
		taken.Envelope.Keys = []domain.Key{domain.InvocationKey(inv.id)}
		before, inv.last = []domain.Entry{taken}, taken.Envelope.ID
	}
	entry, err := domain.New(inv.next(), t.cfg.IDs.NewID(), t.cfg.Now(), toolsSource, domain.ToolDispatched{InvocationID: inv.id})
	if err != nil {
		return err
	}
	if err := t.step(ctx, inv, entry, with{before: before}); err != nil {
		inv.last = last
		return err
	}
	inv.began = t.cfg.Now()
	return nil
}

// next is the lineage of the next step.
func (inv *invoking) next() domain.Lineage {
	return domain.Lineage{Trace: inv.lineage.Trace, Parent: inv.last, Principal: inv.lineage.Principal}
}

// with is what goes into one batch with a step.
type with struct {
	before     []domain.Entry
	after      []domain.Entry
	conditions []domain.Condition
}

// step appends the next step, with what goes with it, on the condition that
// nobody has made it. When nobody knows whether it is in the log it is appended
// once more, with the same ids.
func (t *Tools) step(ctx context.Context, inv *invoking, entry domain.Entry, more with) error {
	const attempts = 3
	ctx, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	key := domain.InvocationKey(inv.id)
	entry.Envelope.Keys = append(entry.Envelope.Keys, key)
	batch := domain.Batch{
		Entries:    slices.Concat(more.before, []domain.Entry{entry}, more.after),
		Conditions: append(slices.Clone(more.conditions), domain.Condition{Key: key, After: inv.through}),
	}
	var receipt domain.Receipt
	var err error
	for range attempts {
		receipt, err = t.cfg.Log.Append(ctx, batch)
		if domain.CodeOf(err) != domain.CodeOutcomeUnknown || ctx.Err() != nil {
			break
		}
	}
	if err == nil || domain.CodeOf(err) == domain.CodeOutcomeUnknown {
		inv.bill.spend(weight(batch.Entries...))
	}
	if err != nil {
		return err
	}
	if entry.Envelope.Kind == domain.KindResult {
		t.unstored.drop(inv.id)
	}
	inv.last, inv.through = batch.Entries[len(batch.Entries)-1].Envelope.ID, receipt.Positions[len(receipt.Positions)-1]
	return nil
}

package tool

import (
	"context"
	"slices"

	"chalie/commands"
	"chalie/domain"
)

// yesSource is the source of what a yes to a question records.
const yesSource domain.Source = "skills"

// forGood adds to the steps of an invocation what the person's yes says for the future:
// that the tool is done without a question from now on. It is recorded with the invocation,
// so that both are in the log or neither, and only of a tool that is asked about for no
// other reason than that it doesn't say that it only looks.
func (t *Tools) forGood(inv *invoking, invoked domain.Envelope, step *with) error {
	m := inv.question.Manifest
	if !inv.fromNowOn || !inv.decision.Allowed || inv.offer.IsOwn() || inv.question.Actor != domain.ActorOperator ||
		m.Ask != domain.AskAsSaid || m.MovesMoney || m.RequiresApproval {
		return nil
	}
	said, through := t.cfg.Regime.SaidOf(inv.offer)
	never := domain.AskNever
	said.Ask = &never
	entry, err := domain.New(domain.Continue(invoked), t.cfg.IDs.NewID(), t.cfg.Now(), yesSource, said)
	entry.Envelope.Keys = said.Keys()
	step.after = []domain.Entry{entry}
	step.conditions = append(step.conditions, domain.Condition{Key: domain.PolicyKey, After: through})
	return err
}

// waitForRules waits until what decides knows what an invocation has recorded of tools.
func (t *Tools) waitForRules(ctx context.Context, inv *invoking, recorded []domain.Entry) error {
	if t.cfg.Governed == nil || !slices.ContainsFunc(recorded, func(e domain.Entry) bool { return e.Topic == domain.TopicPolicy }) {
		return nil
	}
	return commands.CatchUp(ctx, t.cfg.Governed, inv.through)
}

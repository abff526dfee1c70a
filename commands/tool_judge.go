package commands

import (
	"context"
	"fmt"

	"chalie/domain"
)

// judge finds the tool and checks everything that needs no record.
func (t *Tools) judge(ctx context.Context, c Caller, in Invocation) (*invoking, error) {
	if err := t.waitForRegime(ctx); err != nil {
		return nil, err
	}
	inv := &invoking{id: t.cfg.IDs.NewID(), source: c.Source}
	var err error
	if inv.offer, err = t.Offer(in.Tool); err != nil {
		return nil, err
	}
	if err := inv.offer.Tool.CheckParams(in.Params); err != nil {
		return nil, err
	}
	if inv.params, err = domain.NormalParams(in.Params); err != nil {
		return nil, err
	}
	// In an episode the skill asks back itself, in words for the person.
	if own, ok := t.own.skills[inv.offer.Tool.Name].(SkillChecker); ok && inv.offer.IsOwn() && in.CallKey == "" {
		if err := own.Check(inv.params); err != nil {
			return nil, err
		}
	}
	inv.screen()
	if in.CallKey != "" {
		if err := inv.checkSecrets(in.Withheld); err != nil {
			return nil, err
		}
	}
	switch {
	case !c.Operator && in.CallKey == "":
		in.Channel = domain.ChannelToken
	case in.Channel == "":
		in.Channel = string(c.Source)
	}
	if len(in.Channel) > domain.MaxNameBytes {
		return nil, domain.Invalid("invoke tool", "channel", fmt.Sprintf("channel has %d bytes, the bound is %d", len(in.Channel), domain.MaxNameBytes))
	}
	inv.question = domain.Invoking{
		InvocationID: inv.id, Actor: domain.ActorOf(c.Principal), Channel: in.Channel, Manifest: t.cfg.Regime.Manifest(inv.offer),
		Footing: in.Footing,
	}
	inv.lineage = domain.Begin(domain.TraceID{ID: inv.id}, c.Principal)
	if in.Parent.IsZero() {
		return inv, nil
	}
	return inv, t.judgeCause(ctx, c, in, inv)
}

// waitForRegime waits until what decides knows every change that was recorded
// before this process began. Later ones wait for it themselves.
func (t *Tools) waitForRegime(ctx context.Context) error {
	if t.cfg.Governed == nil || t.governed.Load() {
		return nil
	}
	if err := t.cfg.Governed.WaitFor(ctx, t.cfg.Tail.Tail()); err != nil {
		return err
	}
	t.governed.Store(true)
	return nil
}

// judgeCause makes an invocation a part of what caused it.
func (t *Tools) judgeCause(ctx context.Context, c Caller, in Invocation, inv *invoking) error {
	cause, err := t.cfg.Reader.Find(ctx, in.Parent)
	if err != nil {
		return err
	}
	var around domain.ToolInvoked
	outer, nested := domain.InvocationOf(cause.Envelope)
	if nested {
		first, err := t.cfg.Reader.Find(ctx, outer)
		if err != nil {
			return err
		}
		if around, err = domain.Decode[domain.ToolInvoked](first.Envelope); err != nil && domain.CodeOf(err) != domain.CodeErased {
			return err
		}
		inv.question.ParentInvocationID, inv.question.Depth = outer, around.Depth+1
		if cause.Envelope.Principal != c.Principal {
			if err := t.judgeNested(ctx, c, first, around); err != nil {
				return err
			}
			inv.question.Channel = domain.ChannelNested
		}
	}
	if !nested && cause.Envelope.Principal != c.Principal {
		return otherPrincipal(c, cause.Envelope)
	}
	inv.lineage = domain.Continue(cause.Envelope)
	if in.CallKey == "" {
		return nil
	}
	// On whose behalf an episode acts is not for its caller to say.
	opening, err := t.cfg.Reader.Find(ctx, cause.Envelope.Trace.ID)
	if err != nil {
		return err
	}
	inv.question.Actor, inv.question.Channel = domain.ActingFor(opening.Envelope)
	return nil
}

// judgeNested lets an interface invoke something for what it is doing itself:
// whoever is accountable for that is accountable for this, too.
func (t *Tools) judgeNested(ctx context.Context, c Caller, first domain.Record, around domain.ToolInvoked) error {
	who, err := domain.ParseID(string(c.Principal))
	if err != nil || around.InterfaceID != who {
		return otherPrincipal(c, first.Envelope)
	}
	course, err := t.course(ctx, first)
	if err != nil {
		return err
	}
	if course.Stage() != domain.CourseDispatched {
		return &domain.Error{Op: "invoke tool", Category: domain.Policy, Code: "parent_not_under_way", Field: "parent_id",
			Message: "the parent invocation isn't under way: only what is being done can have something else done for it"}
	}
	return nil
}

func otherPrincipal(c Caller, cause domain.Envelope) error {
	return &domain.Error{Op: "invoke tool", Category: domain.Policy, Code: "other_principal", Field: "parent_id",
		Message: fmt.Sprintf("%s is accountable for the parent, not %s: an invocation has the principal of what caused it", cause.Principal, c.Principal)}
}

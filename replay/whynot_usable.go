package replay

import (
	"context"
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// maxHistory bounds what is read of a topic to know how things stood at a position.
const maxHistory = 100_000

// usable are the changes by which a tool would have been used.
func (s *silent) usable(ctx context.Context, c Considered) ([]Remedy, error) {
	const unanswered = "what it would have answered is in no log"
	switch c.Gate {
	case domain.GatePolicy:
		return s.permitted(ctx, c)
	case domain.GateApproval:
		return []Remedy{{Kind: ChangeApproval, Words: "you approved it", NotTried: "you still can"}}, nil
	case domain.GateApprovalRefused, domain.GateApprovalExpired:
		yes := Remedy{Kind: ChangeApproval, Words: "you had approved it", NotTried: unanswered}
		more, err := s.permitted(ctx, c)
		return append(more, yes), err
	case domain.GateOffline, domain.GateScope:
		return s.offered(ctx, c, unanswered)
	case domain.GateToolFailed:
		return []Remedy{{Kind: ChangeOnline, Words: "it had answered well", NotTried: unanswered}}, nil
	case domain.GateCallRejected:
		return []Remedy{{Kind: ChangeAsk, Words: "the model had called it in the right way", NotTried: "another answer of a model can't be made up"}}, nil
	case domain.GateNoTool, domain.GateAmbiguousTool:
		return []Remedy{{Kind: ChangeAsk, Words: "one interface, and only one, offered it by that name", NotTried: unanswered}}, nil
	}
	return nil, nil
}

// permitted is the one rule more by which the policy of then would have let an
// invocation pass. The policy is asked again, as it stood, with that rule before all
// others: it decides by nothing but what it is asked.
func (s *silent) permitted(ctx context.Context, c Considered) ([]Remedy, error) {
	decision, book, in, err := s.asked(ctx, c)
	if err != nil || in.InvocationID.IsZero() {
		return nil, err
	}
	rules := book.Rules()
	if again := rules.Decide(in, decision.RegimeID); again.Verdict != decision.Verdict {
		return []Remedy{{Kind: ChangePolicy, Words: "a rule had allowed it", NotTried: "today's code decides otherwise by the policy of then: " + string(again.Verdict)}}, nil
	}
	change := Remedy{Kind: ChangePolicy, NotTried: "the policy denies it with such a rule, too"}
	if in.Depth > rules.MaxDepth {
		rules.MaxDepth = in.Depth
		change.Words = fmt.Sprintf("the policy's max_depth had been %d instead of %d", in.Depth, book.Rules().MaxDepth)
	} else {
		rules.Rules = append([]domain.PolicyRule{{Name: "why_not", Actors: []string{in.Actor}, Capabilities: []string{in.Manifest.CapabilityID},
			Verdict: domain.VerdictAllowed, Autonomy: domain.AutonomyFull, Confirmed: true}}, rules.Rules...)
		change.Words = fmt.Sprintf("the policy's first rule had been one that lets %s use %s", actorNamed(in.Actor), narrate.Quoted(in.Manifest.CapabilityID[strings.LastIndexByte(in.Manifest.CapabilityID, '/')+1:]))
	}
	change.Policy = &rules
	if rules.Decide(in, decision.RegimeID).Allowed {
		change.Verified, change.NotTried = true, ""
	}
	return []Remedy{change}, nil
}

// actorNamed is who wants something done, for a person.
func actorNamed(actor string) string {
	switch actor {
	case domain.ActorOperator:
		return "you"
	case domain.ActorReasoning:
		return "Chalie by itself"
	}
	return narrate.Shortened(actor, narrate.MaxLabel)
}

// asked is what the policy was asked, and how it stood then; no question when that
// can't be read any more.
func (s *silent) asked(ctx context.Context, c Considered) (decision domain.PolicyDecided, book domain.Rulebook, in domain.Invoking, err error) {
	rec, err := s.log.Find(ctx, c.Decision)
	if err != nil {
		return decision, book, in, err
	}
	invocation, _ := domain.InvocationOf(rec.Envelope)
	steps, err := s.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(invocation)}, 1, maxSteps)
	if err != nil {
		return decision, book, in, err
	}
	var decided domain.Record
	for _, step := range steps {
		if step.Envelope.Type == domain.PolicyDecidedType {
			decided = step
		}
	}
	decision, readable := decoded[domain.PolicyDecided](decided.Envelope)
	if decided.Position == 0 || !readable {
		return decision, book, in, nil
	}
	if err := s.history(ctx, domain.TopicPolicy, decided.Position, book.Evolve); err != nil {
		return decision, book, in, err
	}
	manifest := domain.Manifest{CapabilityID: decision.CapabilityID, Version: decision.CapabilityVersion, SideEffects: decision.SideEffects, Autonomy: decision.Autonomy}
	if manifest.Autonomy == "" {
		manifest.Autonomy = domain.AutonomyFull
	}
	if said, ok := book.Manifests[decision.CapabilityID]; ok && said.RequiresApproval != nil {
		manifest.RequiresApproval = *said.RequiresApproval
	}
	in = domain.Invoking{InvocationID: decision.InvocationID, ParentInvocationID: decision.ParentInvocationID, Depth: decision.Depth,
		Actor: decision.Actor, Channel: decision.Channel, Manifest: manifest}
	for _, code := range decision.ReasonCodes {
		in.CantWait = in.CantWait || code == domain.ReasonNobodyToAsk
		in.Manifest.RequiresApproval = in.Manifest.RequiresApproval || code == domain.ReasonAsksFirst
	}
	return decision, book, in, nil
}

// history gives the records of a topic before a position to a fold.
func (s *silent) history(ctx context.Context, topic domain.Topic, end domain.Position, evolve func(domain.Record) error) error {
	read := 0
	for from := domain.Position(1); from < end && read < maxHistory; {
		page, err := s.log.Select(ctx, domain.Selector{Topic: topic}, from, registryPage)
		if err != nil {
			return err
		}
		for _, rec := range page {
			if rec.Position >= end {
				return nil
			}
			if err := evolve(rec); err != nil {
				return err
			}
		}
		if read += len(page); len(page) < registryPage {
			return nil
		}
		from = page[len(page)-1].Position + 1
	}
	return nil
}

// offered is the one thing that has to happen until an interface's tool can be used:
// the registry is asked again as if it had.
func (s *silent) offered(ctx context.Context, c Considered, unanswered string) ([]Remedy, error) {
	if s.named == "" {
		return []Remedy{{Kind: ChangeOnline, Words: "who offers it had answered", NotTried: unanswered}}, nil
	}
	registry, err := s.registry(ctx)
	if err != nil {
		return nil, err
	}
	for _, i := range registry.Listed() {
		if i.ID != c.because {
			continue
		}
		change := Remedy{Kind: ChangeOnline, Words: narrate.Quoted(i.Name) + " answered again"}
		i.Offline = false
		if c.Gate == domain.GateScope {
			change = Remedy{Kind: ChangeScope, Words: "you decided which of its scopes " + narrate.Quoted(i.Name) + " may have"}
			i.Decided = true
		}
		if _, err := registry.ResolveOffer(s.named); err == nil {
			change.Verified = true
		} else {
			change.NotTried = messageOf(err)
		}
		return []Remedy{change}, nil
	}
	return nil, nil
}

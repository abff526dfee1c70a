package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Bounds of what is read for a tool that is asked about by its name.
const (
	registryPage  = 1000 // records at a time
	latestUses    = 20   // times it was asked for
	maxUsesLooked = 2000 // invocations among which they are looked for
)

// tool asks about a tool by its name: whether it is offered, what became of the
// latest times it was asked for, and whether the model could have chosen it.
func (s *silent) tool(ctx context.Context) error {
	s.out.Target = Unsaid{Type: "tool", Label: "the tool " + narrate.Shortened(s.named, narrate.MaxName)}
	last, err := s.log.Select(ctx, domain.Selector{}, s.tail, 1)
	if err != nil {
		return err
	}
	if len(last) > 0 {
		s.target = domain.Record{RecordedAt: last[0].RecordedAt} // times are told as seen from here
	}
	registry, err := s.registry(ctx)
	if err != nil {
		return err
	}
	known, err := s.uses(ctx, registry)
	if err != nil {
		return err
	}
	offered, err := s.thought(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(s.out.Considered, func(a, b Considered) int { return int(int64(a.Position) - int64(b.Position)) })
	if s.standing(registry, known || offered) {
		return nil
	}
	return notThere("no_tool", fmt.Sprintf("nothing is called %q, and no tool was ever: %s", narrate.Shortened(s.named, narrate.MaxName), possibleQuestions))
}

// registry is who Chalie speaks with, and what they offer, where the log ends.
func (s *silent) registry(ctx context.Context) (*domain.Registry, error) {
	out := &domain.Registry{}
	return out, s.history(ctx, domain.TopicInterfaces, s.tail+1, out.Evolve)
}

// plain is the tool's own name.
func (s *silent) plain() string { return s.named[strings.LastIndexByte(s.named, '.')+1:] }

// uses are the latest times that the tool was asked for; false when it never was, as
// far as that was looked for.
func (s *silent) uses(ctx context.Context, registry *domain.Registry) (bool, error) {
	from, err := latest(ctx, s.log, domain.TopicTools, domain.ToolInvokedType, maxUsesLooked, 1, s.tail)
	if err != nil {
		return false, err
	}
	var found []domain.Record
	for {
		page, err := s.log.Select(ctx, domain.Selector{Topic: domain.TopicTools}, from, registryPage)
		if err != nil {
			return false, err
		}
		for _, rec := range page {
			if p, ok := decoded[domain.ToolInvoked](rec.Envelope); ok && rec.Envelope.Type == domain.ToolInvokedType && s.means(p, registry) {
				found = append(found, rec)
			}
		}
		if len(page) < registryPage {
			break
		}
		from = page[len(page)-1].Position + 1
	}
	if n := len(found); n > latestUses {
		found, s.out.Cut = found[n-latestUses:], true
	}
	for _, rec := range found {
		c, answer, err := s.invoked(ctx, rec)
		if err != nil {
			return false, err
		}
		if !answer.IsZero() {
			s.out.Surfaced = answer
		}
		s.out.Considered = append(s.out.Considered, c)
	}
	return len(found) > 0, nil
}

// means reports whether an invocation is one of the tool that is asked about.
func (s *silent) means(p domain.ToolInvoked, registry *domain.Registry) bool {
	if p.Tool == s.named {
		return true
	}
	whose, ok := registry.Interfaces[p.InterfaceID]
	return ok && (s.named == whose.Name+"."+p.Tool || s.named == whose.ID.UUID()+"."+p.Tool)
}

// thought is how often the model lately could have called the tool, and which of its
// calls were turned down; false when neither was so.
func (s *silent) thought(ctx context.Context) (bool, error) {
	from, err := latest(ctx, s.log, domain.TopicReasoning, domain.ReasoningStartedType, latestDecisions, 1, s.tail)
	if err != nil {
		return false, err
	}
	offered := 0
	r := decisions{log: s.log, through: s.tail, visit: func(d *decision) (going, error) {
		could := false
		for _, rec := range d.calls {
			if p, ok := decoded[domain.ModelCalled](rec.Envelope); ok && rec.Envelope.Type == domain.ModelCalledType {
				could = could || slices.ContainsFunc(p.Tools, s.isNamed)
			}
			if p, ok := decoded[domain.CallRejected](rec.Envelope); ok && rec.Envelope.Type == domain.CallRejectedType && s.isNamed(p.Tool) {
				s.out.Considered = append(s.out.Considered, s.turnedDown(rec, p))
			}
		}
		if could {
			offered++
		}
		return goOn, nil
	}}
	cut, err := r.read(ctx, from)
	s.out.Cut = s.out.Cut || cut
	if offered > 0 {
		s.before = append(s.before, narrate.Words("Lately the model could have called it "+oneOf(offered, "once", fmt.Sprintf("%d times", offered))+"."))
	}
	return offered > 0 || len(s.out.Considered) > 0, err
}

func (s *silent) isNamed(tool string) bool {
	return tool == s.named || tool == s.plain() || strings.HasSuffix(tool, "."+s.named)
}

func (s *silent) turnedDown(rec domain.Record, p domain.CallRejected) Considered {
	c := Considered{Decision: rec.Envelope.ID, Trace: rec.Envelope.Trace, Position: rec.Position, At: rec.RecordedAt, Kind: ByTool, Gate: domain.GateCallRejected, Numbers: Numbers{}}
	if len(rec.Envelope.Errors) > 0 {
		c.Gate = gateOf(rec.Envelope.Errors[0].Code)
	}
	c.Words = "the model asked for it, and that was turned down: " + narrate.Shortened(strings.TrimSuffix(p.Reason, "."), narrate.MaxLabel)
	return c
}

// gateOf is the gate of a name that invokes nothing.
func gateOf(code domain.Code) domain.Gate {
	switch code {
	case domain.CodeToolOffline:
		return domain.GateOffline
	case domain.CodeToolPending:
		return domain.GateScope
	case domain.CodeNoTool:
		return domain.GateNoTool
	case domain.CodeAmbiguousTool:
		return domain.GateAmbiguousTool
	}
	return domain.GateCallRejected
}

// standing says whether the tool can be used where the log ends, and what stands in
// the way; false when nobody ever heard of it.
func (s *silent) standing(registry *domain.Registry, known bool) bool {
	offer, err := registry.ResolveOffer(s.named)
	gate := gateOf(domain.CodeOf(err))
	switch {
	case err == nil:
		s.after = append(s.after, narrate.Sayf("It is offered by %s, and could be used now.", narrate.Quoted(offer.Interface.Name)))
		if len(s.out.Considered) == 0 {
			s.out.Never = NeverAsked
		}
		return true
	case gate == domain.GateNoTool && known:
		return true // a skill of Chalie's own, or of somebody who has left
	case gate == domain.GateNoTool:
		return false
	}
	c := Considered{Position: registry.Through, Kind: ByTool, Gate: gate, Numbers: Numbers{}, At: s.target.RecordedAt}
	for _, i := range registry.Listed() {
		if slices.ContainsFunc(i.Tools, func(t domain.Tool) bool { return t.Name == s.plain() || t.Name == s.named }) {
			c.Decision, c.because = i.ID, i.ID
			if why := strings.TrimSpace(i.OfflineWhy); gate == domain.GateOffline && why != "" {
				c.Words = " (" + narrate.Shortened(why, narrate.MaxName) + ")"
			}
		}
	}
	c.Words = narrate.Shortened(messageOf(err), narrate.MaxLabel) + c.Words
	s.out.Considered = append(s.out.Considered, c)
	return true
}

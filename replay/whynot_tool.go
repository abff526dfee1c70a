package replay

import (
	"context"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// maxSteps bounds what is read of one invocation.
const maxSteps = 64

// codeUnreachable is how a call ends that found nobody.
const codeUnreachable domain.Code = "unreachable"

// invocation asks why a tool was not used when it was asked for.
func (s *silent) invocation(ctx context.Context) error {
	c, end, err := s.invoked(ctx, s.target)
	if err != nil {
		return err
	}
	s.out.Surfaced = end
	s.out.Considered = append(s.out.Considered, c)
	return nil
}

// invoked is what became of an invocation: the step that stopped it, and its answer
// when nothing did.
func (s *silent) invoked(ctx context.Context, rec domain.Record) (c Considered, answer domain.ID, err error) {
	steps, err := s.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(rec.Envelope.ID)}, rec.Position, maxSteps)
	if err != nil {
		return c, answer, err
	}
	c = Considered{Kind: ByTool, Gate: domain.GateUnderWay, Numbers: Numbers{}}
	at := rec
	for _, step := range steps {
		switch step.Envelope.Type {
		case domain.PolicyDecidedType:
			if s.judged(&c, step.Envelope) {
				at = step
			}
		case domain.ApprovalProposedType:
			at = step
			c.Kind, c.Gate, c.Words = ByPolicy, domain.GateApproval, "it waits for you to approve it"+words(step.Envelope, s.until)
		case domain.ApprovalGrantedType:
			c.Kind, c.Gate, c.Words = ByTool, domain.GateUnderWay, ""
		case domain.ApprovalRefusedType:
			at, c.Gate, c.Words = step, domain.GateApprovalRefused, "you did not approve it"
		case domain.ApprovalExpiredType:
			at, c.Gate, c.Words = step, domain.GateApprovalExpired, "you were asked to approve it, and said nothing in time"
		case domain.ToolFailedType, domain.ToolOutcomeUnknownType, domain.ToolCompletedType:
			if c.Gate == domain.GateUnderWay || c.Gate == domain.GateApproval && step.Envelope.Type == domain.ToolCompletedType {
				at = step
				answer = s.came(&c, step.Envelope)
			}
		}
	}
	c.Decision, c.Trace, c.Position, c.At = at.Envelope.ID, at.Envelope.Trace, at.Position, at.RecordedAt
	return c, answer, nil
}

func (s *silent) until(p domain.ApprovalProposed) string { return ", until " + s.clock(p.ExpiresAt) }

// judged is what the policy says; false when it lets the call pass.
func (s *silent) judged(c *Considered, e domain.Envelope) bool {
	p, readable := decoded[domain.PolicyDecided](e)
	if !readable {
		c.Kind, c.Gate = ByPolicy, domain.GateErased
		return true
	}
	c.Numbers["depth"], c.Codes = float64(p.Depth), narrate.Codes(p)
	if p.Verdict != domain.VerdictDenied {
		return false
	}
	c.Kind, c.Gate = ByPolicy, domain.GatePolicy
	c.Words = "the policy denied it: " + narrate.Shortened(narrate.Reasons(p), narrate.MaxLabel)
	return true
}

// came is how a call that was made, or could not be made, came to its end. A
// good answer is no gate: its id is returned.
func (s *silent) came(c *Considered, e domain.Envelope) domain.ID {
	c.Kind, c.Gate = ByTool, domain.GateToolFailed
	switch e.Type {
	case domain.ToolFailedType:
		p, readable := decoded[domain.ToolFailed](e)
		if readable && p.Reason == codeUnreachable {
			c.Gate = domain.GateOffline
		}
		c.Words = "the call failed"
		if readable {
			c.Words += ": " + narrate.Fault(p.Reason, p.Detail)
		}
	case domain.ToolOutcomeUnknownType:
		c.Words = "it was called, and nobody knows what came of it"
	default:
		if len(e.Errors) == 0 {
			c.Gate, c.Words = domain.Gate(""), "it was used, and answered"
			return e.ID
		}
		c.Words = "it was used, and said that it failed" + narrate.Because(e)
	}
	c.Words = narrate.Shortened(strings.TrimSuffix(c.Words, "."), narrate.MaxLabel)
	return domain.ID{}
}

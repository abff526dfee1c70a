package replay

import (
	"context"
	"strings"

	"chalie/domain"
	"chalie/replay/wording"
)

// The gates of tools.
const (
	GatePolicy     domain.Gate = "policy"           // a rule denied it
	GateApproval   domain.Gate = "approval"         // it waits for the person
	GateRefused    domain.Gate = "approval_refused" // they said no
	GateExpired    domain.Gate = "approval_expired" // they said nothing in time
	GateOffline    domain.Gate = "offline"          // who offers it doesn't answer
	GateUnapproved domain.Gate = "scope"            // who offers it waits for its scopes to be approved
	GateNoTool     domain.Gate = "no_tool"          // nobody offers it
	GateAmbiguous  domain.Gate = "ambiguous_tool"   // more than one does, by that name
	GateToolFailed domain.Gate = "tool_failed"      // it was called, and gave no good answer
	GateBadCall    domain.Gate = "call_rejected"    // the model called it wrongly
	GateUnused     domain.Gate = "not_chosen"       // it was offered to the model, which didn't call it
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
	c = Considered{Kind: ByTool, Gate: GateUnderWay, Numbers: Numbers{}}
	at := rec
	for _, step := range steps {
		switch step.Envelope.Type {
		case domain.PolicyDecidedType:
			if s.judged(&c, step.Envelope) {
				at = step
			}
		case domain.ApprovalProposedType:
			at = step
			c.Kind, c.Gate, c.Words = ByPolicy, GateApproval, "it waits for you to approve it"+words(step.Envelope, s.until)
		case domain.ApprovalGrantedType:
			c.Kind, c.Gate, c.Words = ByTool, GateUnderWay, ""
		case domain.ApprovalRefusedType:
			at, c.Gate, c.Words = step, GateRefused, "you did not approve it"
		case domain.ApprovalExpiredType:
			at, c.Gate, c.Words = step, GateExpired, "you were asked to approve it, and said nothing in time"
		case domain.ToolFailedType, domain.ToolOutcomeUnknownType, domain.ToolCompletedType:
			if c.Gate == GateUnderWay || c.Gate == GateApproval && step.Envelope.Type == domain.ToolCompletedType {
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
		c.Kind, c.Gate = ByPolicy, GateErased
		return true
	}
	c.Numbers["depth"], c.Codes = float64(p.Depth), wording.Codes(p)
	if p.Verdict != domain.VerdictDenied {
		return false
	}
	c.Kind, c.Gate = ByPolicy, GatePolicy
	c.Words = "the policy denied it: " + reasonWords(p)
	return true
}

// came is how a call that was made, or could not be made, came to its end. A
// good answer is no gate: its id is returned.
func (s *silent) came(c *Considered, e domain.Envelope) domain.ID {
	c.Kind, c.Gate = ByTool, GateToolFailed
	switch e.Type {
	case domain.ToolFailedType:
		p, readable := decoded[domain.ToolFailed](e)
		if readable && p.Reason == codeUnreachable {
			c.Gate = GateOffline
		}
		c.Words = "the call failed"
		if readable {
			c.Words += ": " + reason(p.Reason, p.Detail)
		}
	case domain.ToolOutcomeUnknownType:
		c.Words = "it was called, and nobody knows what came of it"
	default:
		if len(e.Errors) == 0 {
			c.Gate, c.Words = GateNone, "it was used, and answered"
			return e.ID
		}
		c.Words = "it was used, and said that it failed" + becauseOf(e)
	}
	c.Words = shortened(strings.TrimSuffix(c.Words, "."), maxLabel)
	return domain.ID{}
}

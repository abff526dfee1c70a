package gist

import (
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/wording"
)

// approvalGist tells what became of a question for approval.
func approvalGist(e domain.Envelope) string {
	switch e.Type {
	case domain.ApprovalProposedType:
		return say(e, func(p domain.ApprovalProposed) string {
			return fmt.Sprintf("may it? %s (until %s)", wording.Summary(p.Summary), p.ExpiresAt.Time().UTC().Format("15:04:05 UTC"))
		})
	case domain.ApprovalGrantedType:
		return say(e, func(p domain.ApprovalGranted) string {
			return "approved by " + wording.Way(p.Actor, p.Correlator)
		})
	case domain.ApprovalRefusedType:
		return say(e, func(p domain.ApprovalRefused) string {
			return "refused by " + wording.Way(p.Actor, p.Correlator)
		})
	case domain.ApprovalExpiredType:
		return say(e, func(domain.ApprovalExpired) string { return "nobody answered in time, which is a no" })
	}
	return say(e, func(p domain.AttemptRefused) string {
		return fmt.Sprintf("an answer by %s did nothing: %s", wording.Actor(p.Actor), Spelt(string(p.Reason)))
	})
}

// checkGist tells what looking at a tool's answer or its state brought.
func checkGist(e domain.Envelope) string {
	if e.Type == domain.ToolVerifiedType {
		return say(e, func(p domain.ToolVerified) string {
			if p.Passed {
				return "the answer is what the tool declares"
			}
			return "the answer isn't what the tool declares: " + strings.Join(p.Errors, "; ")
		})
	}
	return say(e, func(p domain.StateTaken) string {
		said := p.Description
		switch {
		case p.Problem != "":
			return fmt.Sprintf("%s the call: not known, %s", p.When, p.Problem)
		case said == "":
			said = string(p.State)
		}
		return fmt.Sprintf("%s the call: %s", p.When, said)
	})
}

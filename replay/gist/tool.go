package gist

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

// toolGist tells one step of an invocation. What went wrong stands in the
// envelope's errors, which go before it.
func toolGist(e domain.Envelope) string {
	switch e.Type {
	case "tool.invoked":
		return say(e, func(p domain.ToolInvoked) string {
			if string(p.Params) == "{}" {
				return p.Tool
			}
			return p.Tool + " " + string(p.Params)
		})
	case "policy.decided":
		return say(e, func(p domain.PolicyDecided) string {
			return fmt.Sprintf("%s by %s: %s", Spelt(string(p.Verdict)), shortRegime(p.RegimeID), strings.Join(p.ReasonCodes, ", "))
		})
	case "tool.dispatched":
		return say(e, func(domain.ToolDispatched) string { return "the call leaves" })
	case "tool.completed":
		return say(e, completedGist)
	case "tool.failed":
		return say(e, func(p domain.ToolFailed) string {
			if !p.Dispatched {
				return fmt.Sprintf("(%s)", p.Reason)
			}
			return fmt.Sprintf("(%s after %s)", p.Reason, lasting(p.DurationMS))
		})
	}
	return say(e, func(p domain.ToolOutcomeUnknown) string { return fmt.Sprintf("(%s)", p.Reason) })
}

// completedGist puts what a tool said beside its own error in brackets with the
// rest, so that the two can be told apart.
func completedGist(p domain.ToolCompleted) string {
	after, said := "after "+lasting(p.DurationMS), ""
	switch {
	case p.Text != nil && strings.TrimSpace(*p.Text) != "":
		said = Plain(*p.Text)
	case len(p.Blocks) > 0:
		said = Plain(domain.PlainText(p.Blocks))
	case len(p.Data) > 0 && string(p.Data) != "null":
		said = string(p.Data)
	}
	switch {
	case said == "":
		return "(" + after + ")"
	case p.Error != nil:
		return "(" + after + "; it also said: " + said + ")"
	}
	return said + " (" + after + ")"
}

func lasting(ms int64) string { return Span(time.Duration(ms) * time.Millisecond) }

// shortRegime is enough of a regime's hash to tell it from others.
func shortRegime(id string) string {
	const digits = 15
	if strings.HasPrefix(id, "sha256:") && len(id) > digits {
		return id[:digits]
	}
	return id
}

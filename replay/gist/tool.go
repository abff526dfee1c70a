package gist

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/wording"
)

// toolGist tells one step of an invocation. What went wrong stands in the
// envelope's errors, which go before it.
func toolGist(e domain.Envelope) string {
	switch e.Type {
	case domain.ToolInvokedType:
		return say(e, func(p domain.ToolInvoked) string {
			if values := wording.Values(p.Params); values != "" {
				return p.Tool + " with " + values
			}
			return p.Tool
		})
	case domain.PolicyDecidedType:
		return say(e, func(p domain.PolicyDecided) string { return wording.Decision(p, "") })
	case domain.ToolDispatchedType:
		return say(e, func(domain.ToolDispatched) string { return "the call leaves" })
	case domain.ToolCompletedType:
		return say(e, completedGist)
	case domain.ToolFailedType:
		return say(e, func(p domain.ToolFailed) string {
			if !p.Dispatched {
				return fmt.Sprintf("(%s)", Spelt(string(p.Reason)))
			}
			return fmt.Sprintf("(%s after %s)", Spelt(string(p.Reason)), lasting(p.DurationMS))
		})
	}
	return say(e, func(p domain.ToolOutcomeUnknown) string { return fmt.Sprintf("(%s)", Spelt(string(p.Reason))) })
}

// completedGist puts what a tool said beside its own error in brackets with the
// rest, so that the two can be told apart.
func completedGist(p domain.ToolCompleted) string {
	var said string
	after := "after " + lasting(p.DurationMS)
	switch {
	case p.Text != nil && strings.TrimSpace(*p.Text) != "":
		said = Plain(*p.Text)
	case len(p.Blocks) > 0:
		said = Plain(domain.PlainText(p.Blocks))
	default:
		said = wording.Answer(p.Data)
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

package gist

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// saidGist tells what came in for Chalie to answer.
func saidGist(e domain.Envelope) string {
	switch e.Type {
	case domain.MessageReceivedType:
		return say(e, func(p domain.MessageReceived) string {
			if len(p.ImageIDs) == 0 {
				return p.Text
			}
			return fmt.Sprintf("%s (with %s)", p.Text, Counted(len(p.ImageIDs), "image", "images"))
		})
	case domain.ActionReceivedType:
		return say(e, domain.ActionReceived.Name)
	case domain.SteerReceivedType:
		return say(e, func(p domain.SteerReceived) string { return p.Text })
	case domain.MessageQueuedType:
		return say(e, func(p domain.MessageQueued) string { return "waits for " + p.Behind.UUID() })
	case domain.CancelReceivedType:
		return "stop it"
	}
	return say(e, func(p domain.ImageUploaded) string {
		return fmt.Sprintf("%s, %d × %d, %s", p.MediaType, p.Width, p.Height, Counted(uint64(p.Bytes), "byte", "bytes"))
	})
}

// thoughtGist tells one step of an answer.
func thoughtGist(e domain.Envelope) string {
	switch e.Type {
	case domain.ReasoningStartedType:
		return say(e, func(p domain.ReasoningStarted) string {
			return fmt.Sprintf("saw %s of the world at %s, left out %d", Counted(len(p.World.Items), "item", "items"),
				Grouped(uint64(p.World.Position)), len(p.World.LeftOut))
		})
	case domain.ModelCalledType:
		return say(e, func(p domain.ModelCalled) string { return "asked " + p.Model })
	case domain.ModelRepliedType:
		return say(e, func(p domain.ModelReplied) string {
			if len(p.ToolCalls) > 0 {
				return "wants to use " + tools(p.ToolCalls)
			}
			return replied(p)
		})
	case domain.ModelFailedType:
		return say(e, func(p domain.ModelFailed) string { return p.Model + " gave no answer" })
	case domain.CallRejectedType:
		return say(e, func(p domain.CallRejected) string { return p.Tool + " was not called: " + p.Reason })
	case domain.AnswerVerifiedType:
		return say(e, func(p domain.AnswerVerified) string {
			return fmt.Sprintf("%s finds a %s: %s", p.Verifier, p.Outcome, Plain(p.Reasoning))
		})
	case domain.ReasoningYieldedType:
		return say(e, func(p domain.ReasoningYielded) string {
			if p.To.IsZero() {
				return "makes room"
			}
			return "makes room for " + p.To.UUID()
		})
	case domain.ReasoningResumedType:
		return "goes on"
	}
	return say(e, func(p domain.ReasoningConcluded) string {
		how := string(p.Outcome)
		switch p.Shown {
		case domain.ShownNot:
		case domain.ShownEscalation:
			how += " with an escalation"
		default:
			how += " with a " + string(p.Shown)
		}
		return how + " after " + Span(time.Duration(p.DurationMS)*time.Millisecond)
	})
}

// replied is what a model said: an answer, or what a look of its own found.
func replied(p domain.ModelReplied) string {
	if text := Plain(domain.PlainText(p.Blocks)); text != "" {
		return text
	}
	if len(p.Findings) == 0 {
		return "found nothing to tell"
	}
	return "found: " + Findings(p, nil)
}

// Findings are the texts of some of a reply's findings, by their numbers; of all of
// them without any.
func Findings(p domain.ModelReplied, which []int) string {
	var out []string
	for n, f := range p.Findings {
		if text := Plain(domain.PlainText(f.Blocks)); text != "" && (len(which) == 0 || slices.Contains(which, n)) {
			out = append(out, text)
		}
	}
	return strings.Join(out, " · ")
}

// tools names what a model wants to use.
func tools(calls []domain.ToolCall) string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Tool
	}
	return strings.Join(names, ", then ")
}

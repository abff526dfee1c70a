package replay

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
)

// saidLabel tells what came in from outside.
func saidLabel(e domain.Envelope, name string) string {
	switch e.Type {
	case domain.SignalReceivedType:
		return words(e, func(p domain.SignalReceived) string {
			return p.SignalType + " from " + sender(e, p.Source, name) + ": " + p.Content
		})
	case domain.MessageReceivedType:
		return words(e, func(p domain.MessageReceived) string {
			return sender(e, p.Source, name) + " said: " + textOrImage(p)
		})
	case domain.ActionReceivedType:
		return words(e, func(p domain.ActionReceived) string { return "you pressed: " + p.Name() })
	case domain.SteerReceivedType:
		return words(e, func(p domain.SteerReceived) string { return "you added: " + p.Text })
	case domain.CancelReceivedType:
		return "you cancelled it"
	case domain.MessageQueuedType:
		return "the message had to wait for an earlier one"
	case domain.ImageUploadedType:
		return words(e, func(p domain.ImageUploaded) string {
			return fmt.Sprintf("you sent an image, %s, %d × %d", p.MediaType, p.Width, p.Height)
		})
	case domain.ContextUpdatedType:
		return "your surroundings were reported"
	}
	return ""
}

// sender is the person, or what Chalie calls whom something came from: what that
// calls itself is only told when nothing else is known.
func sender(e domain.Envelope, source, name string) string {
	switch {
	case name != "":
		return name
	case e.Principal == domain.PrincipalOperator && e.Type != domain.SignalReceivedType:
		return "you"
	case strings.TrimSpace(source) != "":
		return shortened(source, maxName)
	}
	return shortened(string(e.Source), maxName)
}

func textOrImage(p domain.MessageReceived) string {
	if strings.TrimSpace(p.Text) == "" {
		return "(an image)"
	}
	return p.Text
}

// thoughtLabel tells a step of reasoning.
func thoughtLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case domain.ReasoningStartedType:
		return words(e, func(p domain.ReasoningStarted) string {
			if len(p.World.Items) == 0 {
				return "began to think, with nothing in mind"
			}
			return "began to think, with " + counted(len(p.World.Items), "thing", "things") + " in mind"
		})
	case domain.ModelCalledType:
		return words(e, func(p domain.ModelCalled) string { return "asked " + modelNamed(p.Model) })
	case domain.ModelRepliedType:
		return words(e, repliedLabel)
	case domain.ModelFailedType:
		return words(e, func(p domain.ModelFailed) string { return modelNamed(p.Model) + " gave no answer" + becauseOf(e) })
	case domain.CallRejectedType:
		return words(e, func(p domain.CallRejected) string {
			return "the call to " + p.Tool + " was not made: " + p.Reason
		})
	case domain.AnswerVerifiedType:
		return words(e, func(p domain.AnswerVerified) string { return with(verified(p.Outcome), strings.Join(p.Issues, ", ")) })
	case domain.ReasoningYieldedType:
		return "made room for you"
	case domain.ReasoningResumedType:
		return "went on"
	case domain.ReasoningConcludedType:
		return words(e, func(p domain.ReasoningConcluded) string { return concludedLabel(e, p) })
	}
	return ""
}

// builtin begins the names of the models that are part of Chalie.
const builtin = "builtin/"

func modelNamed(model string) string {
	if strings.HasPrefix(model, builtin) {
		return "the built-in model"
	}
	return "the model " + model
}

// verified is what the look over an answer brought.
func verified(outcome domain.VerificationOutcome) string {
	switch outcome {
	case domain.VerifiedSuccess:
		return "looked the answer over and found it good"
	case domain.VerifiedPartial:
		return "looked the answer over and found it half right"
	case domain.VerifiedFailure:
		return "looked the answer over and found it wrong"
	case domain.VerifiedNot:
		return "could not have the answer looked over"
	}
	return "looked the answer over"
}

func repliedLabel(p domain.ModelReplied) string {
	text := domain.PlainText(p.Blocks)
	for _, finding := range p.Findings {
		text = strings.TrimSpace(text + " " + domain.PlainText(finding.Blocks))
	}
	switch {
	case strings.TrimSpace(text) != "":
		return "the model said: " + text
	case len(p.ToolCalls) > 0:
		var tools []string
		for _, call := range p.ToolCalls {
			if !slices.Contains(tools, call.Tool) {
				tools = append(tools, call.Tool)
			}
		}
		return "the model asked for " + strings.Join(tools, ", ")
	}
	return "the model had nothing to say"
}

func concludedLabel(e domain.Envelope, c domain.ReasoningConcluded) string {
	switch c.Outcome {
	case domain.OutcomeResponded:
		return "answered"
	case domain.OutcomeSurfaced:
		if c.Shown == domain.ShownEscalation {
			return "told you at once"
		}
		return "told you"
	case domain.OutcomeHeld:
		return "kept it back"
	case domain.OutcomeYielded:
		return "gave it up to make room for you"
	case domain.OutcomeCancelled:
		return "was cancelled"
	case domain.OutcomeFailed:
		return "failed" + becauseOf(e)
	}
	return "ended: " + string(c.Outcome)
}

// becauseOf is what an envelope says went wrong, behind a colon; "" when it says
// nothing.
func becauseOf(e domain.Envelope) string {
	if len(e.Errors) == 0 {
		return ""
	}
	return ": " + e.Errors[0].Message
}

// spineLabel tells what one of Chalie's services noticed.
func spineLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case domain.SpineSignalEmittedType:
		return words(e, func(p domain.SpineSignalEmitted) string {
			what := meaningOf(p.SignalType)
			if p.Content != nil && strings.TrimSpace(*p.Content) != "" {
				what += ": " + *p.Content
			}
			return what
		})
	case domain.SpineSignalDroppedType:
		return words(e, func(p domain.SpineSignalDropped) string {
			return fmt.Sprintf("%s did not get it: %s", p.Consumer, p.Reason)
		})
	}
	return ""
}

// meaningOf is what a spine signal of a type says has happened.
func meaningOf(t domain.SpineType) string {
	if kind, ok := domain.SpineTypeNamed(t); ok {
		return kind.Meaning
	}
	return "a signal came in (" + string(t) + ")"
}

package narrate

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

// tools are the steps of an invocation. Failures are in the envelope's errors, which
// precede its line.
var tools = map[domain.EventType]Entry{
	domain.ToolInvokedType: event[domain.ToolInvoked]{
		Kind: "Tool call", Lead: "%s used a tool:", From: callStep.but("one that was asked for directly is given"),
		Line:      func(p domain.ToolInvoked) string { return p.Tool + Given(p) },
		LabelOf:   func(s Sent, p domain.ToolInvoked) string { return "asked for " + Tool(p, s.Name) + Given(p) },
		SubjectOf: func(e domain.Envelope) string { return strings.ToLower(Invoker(e)[:1]) + Invoker(e)[1:] },
	}.entry(),
	domain.PolicyDecidedType: event[domain.PolicyDecided]{
		Kind: "Policy", Lead: "The policy decided:", From: callStep,
		Measured: map[string]string{"payload.proposal_token": ofToken},
		Since:    []string{"payload.policy_decision_id", "payload.opened_by", "payload.rests_on", "payload.words", "payload.carried"},
		Line:     func(p domain.PolicyDecided) string { return Decision(p, "") },
		Labelled: func(p domain.PolicyDecided) string { return "the policy " + Decision(p, "it") },
		Clause: func(s Scene, p domain.PolicyDecided) Phrase {
			return Sayf("the policy %s: %s", verdict(p, s.Tool()), Shortened(Reasons(p), MaxLabel))
		},
	}.entry(),
	domain.ToolDispatchedType: event[domain.ToolDispatched]{
		Kind: "Tool call", Lead: "A call left:", From: callStep,
		Line:   func(domain.ToolDispatched) string { return "the call leaves" },
		Label:  "the call left",
		Clause: func(s Scene, _ domain.ToolDispatched) Phrase { return Sayf("%s was called", s.Tool()) },
	}.entry(),
	domain.ToolCompletedType: event[domain.ToolCompleted]{
		Kind: "Tool call", Lead: "A tool answered:", From: callStep.but("what an interface answered is given"), Bare: true,
		Measured: map[string]string{"payload.duration_ms": measured, "payload.spoken.catalogue": ofWords}, Since: []string{"payload.spoken"},
		Line: completed,
		Labelled: func(p domain.ToolCompleted) string {
			answer := AnswerOf(p)
			switch {
			case p.Error != nil:
				return "the tool says it failed: " + *p.Error
			case answer != "":
				return "the tool answered: " + answer
			}
			return "the tool answered"
		},
		Clause: func(s Scene, _ domain.ToolCompleted) Phrase { return Sayf("%s answered %s", s.Tool(), s.Quote()) },
	}.entry(),
	domain.ToolFailedType: event[domain.ToolFailed]{
		Kind: "Tool call", Lead: "A call failed:", From: callStep,
		Measured: map[string]string{"payload.duration_ms": measured},
		Line: func(p domain.ToolFailed) string {
			if !p.Dispatched {
				return fmt.Sprintf("(%s)", Spelt(string(p.Reason)))
			}
			return fmt.Sprintf("(%s after %s)", Spelt(string(p.Reason)), lasting(p.DurationMS))
		},
		Labelled: func(p domain.ToolFailed) string {
			if why := Unmade(p.Reason); why != "" {
				return "the call was not made: " + why
			}
			return "the call failed: " + Fault(p.Reason, p.Detail)
		},
		Clause: func(s Scene, p domain.ToolFailed) Phrase {
			if why := Unmade(p.Reason); why != "" {
				return Sayf("%s was not called, because %s", s.Tool(), why)
			}
			return Sayf("calling %s failed: %s", s.Tool(), Fault(p.Reason, p.Detail))
		},
	}.entry(),
	domain.ToolOutcomeUnknownType: event[domain.ToolOutcomeUnknown]{
		Kind: "Tool call", Lead: "Nobody knows what came of a call:", From: callStep,
		Measured: map[string]string{"payload.duration_ms": measured},
		Line:     func(p domain.ToolOutcomeUnknown) string { return fmt.Sprintf("(%s)", Spelt(string(p.Reason))) },
		Labelled: func(p domain.ToolOutcomeUnknown) string {
			return "nobody knows what came of the call: " + Fault(p.Reason, p.Detail)
		},
		Clause: func(s Scene, p domain.ToolOutcomeUnknown) Phrase {
			return Sayf("%s was called, and nobody knows what came of it: %s", s.Tool(), Fault(p.Reason, p.Detail))
		},
	}.entry(),
	domain.ToolVerifiedType: event[domain.ToolVerified]{
		Kind: "Tool call", Lead: "An answer was checked:", From: callStep, Measured: map[string]string{"payload.plain": forPeople},
		Line:     func(p domain.ToolVerified) string { return verifiedAnswer(p, "; ") },
		Labelled: func(p domain.ToolVerified) string { return verifiedAnswer(p, ", ") },
	}.entry(),
	domain.StateTakenType: event[domain.StateTaken]{
		Kind: "Tool call", Lead: "A state was looked at:", From: callStep.but("the state itself is given"), Subject: "Chalie",
		Line: func(p domain.StateTaken) string {
			said := p.Description
			switch {
			case p.Problem != "":
				return fmt.Sprintf("%s the call: not known, %s", p.When, p.Problem)
			case said == "":
				said = string(p.State)
			}
			return fmt.Sprintf("%s the call: %s", p.When, said)
		},
		Labelled: func(p domain.StateTaken) string {
			return withDetail(fmt.Sprintf("looked at what it acts on, %s the call", p.When), p.Description)
		},
	}.entry(),
}

// Own is the owner's name of Chalie's own skills.
const Own = "Chalie"

// Tool names a tool, and its interface when known.
func Tool(p domain.ToolInvoked, name string) string {
	if name == "" || name == Own {
		return "the tool " + Shortened(p.Tool, MaxName)
	}
	return "the tool " + Shortened(p.Tool, MaxName) + " of " + name
}

// Given is a call's parameters, to follow the tool's name.
func Given(p domain.ToolInvoked) string {
	if values := Values(p.Params); values != "" {
		return " with " + Shortened(values, MaxLabel)
	}
	return ""
}

// Invoker names the caller of a tool.
func Invoker(invoked domain.Envelope) string {
	_, _, byModel := domain.CallOf(invoked)
	if !byModel && invoked.Principal == domain.PrincipalOperator && invoked.Trace.ID == invoked.ID {
		return "You"
	}
	if invoked.Trace.ID == invoked.ID && !byModel {
		if _, program := invoked.Principal.Program(); program {
			return string(invoked.Source) // its own call
		}
		if invoked.Source == domain.ChannelMCP {
			return string(invoked.Principal) // of an earlier build, which knew programs by their names
		}
	}
	return "Chalie"
}

// AnswerOf is a tool's answer as text: the values of its data if it has no text.
func AnswerOf(p domain.ToolCompleted) string {
	if p.Text != nil && strings.TrimSpace(*p.Text) != "" {
		return *p.Text
	}
	if text := domain.PlainText(p.Blocks); text != "" {
		return text
	}
	return Answer(p.Data)
}

// completed tells a tool's answer; text beside a reported error is in brackets, so that
// the two can be told apart.
func completed(p domain.ToolCompleted) string {
	said, after := Plain(AnswerOf(p)), "after "+lasting(p.DurationMS)
	switch {
	case said == "":
		return "(" + after + ")"
	case p.Error != nil:
		return "(" + after + "; it also said: " + said + ")"
	}
	return said + " (" + after + ")"
}

func verifiedAnswer(p domain.ToolVerified, between string) string {
	if p.Passed {
		return "the answer is what the tool declares"
	}
	return withDetail("the answer isn't what the tool declares", strings.Join(p.InWords(), between))
}

// Became tells the outcome of a call, by the type of its end.
func Became(end domain.EventType) string {
	switch end {
	case domain.ToolCompletedType:
		return "was called"
	case domain.ToolFailedType:
		return "was called and failed"
	}
	return "was called, with no known end"
}

// Unmade is who decided that a call isn't made, by the reason with which it ended; "" of
// one that failed.
func Unmade(reason domain.Code) string {
	switch reason {
	case domain.CodeDenied:
		return "the policy denied it"
	case domain.CodeApprovalRefused:
		return "you said no"
	case domain.CodeApprovalExpired:
		return "you said nothing in time"
	}
	return ""
}

// Fault tells an error in words, or else by its code.
func Fault(code domain.Code, detail string) string {
	if detail != "" {
		return detail
	}
	return Spelt(string(code))
}

func lasting(ms int64) string { return Span(time.Duration(ms) * time.Millisecond) }

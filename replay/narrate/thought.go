package narrate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// thoughts are the steps of an episode.
var thoughts = map[domain.EventType]Entry{
	domain.ReasoningStartedType: event[domain.ReasoningStarted]{
		Kind: "Thought", Lead: "Chalie began to think:", From: step, Subject: "Chalie", Since: []string{"payload.found"},
		Measured: map[string]string{"payload.rules": namesBuild, "payload.build": namesBuild},
		Line: func(p domain.ReasoningStarted) string {
			return fmt.Sprintf("saw %s of the world at %s, left out %d", Counted(len(p.World.Items), "item", "items"),
				Grouped(uint64(p.World.Position)), len(p.World.LeftOut))
		},
		Labelled: func(p domain.ReasoningStarted) string {
			if len(p.World.Items) == 0 {
				return "began to think, with nothing in mind"
			}
			return "began to think, with " + Counted(len(p.World.Items), "thing", "things") + " in mind"
		},
	}.entry(),
	domain.RelationsFoundType: event[domain.RelationsFound]{
		Kind: "Thought", Lead: "Chalie compared what it had heard with what is planned:", From: step, Subject: "Chalie",
		Line:     compared,
		Labelled: compared,
	}.entry(),
	domain.ModelCalledType: event[domain.ModelCalled]{
		Kind: "Model", Lead: "Chalie asked a model:", From: step, Subject: "Chalie", Since: []string{"payload.shown"},
		Line:     func(p domain.ModelCalled) string { return "asked " + p.Model },
		Labelled: func(p domain.ModelCalled) string { return "asked " + Model(p.Model) },
	}.entry(),
	domain.ModelStreamedType: event[domain.ModelStreamed]{
		Kind: "Model", Lead: "A model was answering:",
		From:     origin{OriginGiven, "how a reply came, piece by piece, is nobody's decision: the reply is"},
		Line:     streamed,
		Labelled: streamed,
	}.entry(),
	domain.ModelRepliedType: event[domain.ModelReplied]{
		Kind: "Model", Lead: "A model answered:", From: step.but("the words of a model that isn't part of the program are given"), Bare: true,
		Measured: map[string]string{"payload.usage": measured, "payload.tool_calls.withheld": ofSecret, "payload.spoken.catalogue": ofWords},
		Since:    []string{"payload.readings", "payload.finish_reason", "payload.tool_calls.deed", "payload.spoken"},
		Line: func(p domain.ModelReplied) string {
			if len(p.ToolCalls) > 0 {
				return "wants to use " + strings.Join(toolsOf(p.ToolCalls), ", then ") + Readings(p)
			}
			return replied(p) + Readings(p)
		},
		Labelled: repliedLabel,
		Clause:   func(s Scene, _ domain.ModelReplied) Phrase { return Sayf("it had said %s", s.Quote()) },
	}.entry(),
	domain.ModelFailedType: event[domain.ModelFailed]{
		Kind: "Model", Lead: "A model failed:", From: step,
		Line: func(p domain.ModelFailed) string { return p.Model + " gave no answer" },
		LabelOf: func(s Sent, p domain.ModelFailed) string {
			return Model(p.Model) + " gave no answer" + Because(s.Envelope)
		},
	}.entry(),
	domain.CallRejectedType: event[domain.CallRejected]{
		Kind: "Tool call", Lead: "A call was not made:", From: step, Measured: map[string]string{"payload.plain": forPeople},
		Line:     func(p domain.CallRejected) string { return p.Tool + " was not called: " + p.InWords() },
		Labelled: func(p domain.CallRejected) string { return "the call to " + p.Tool + " was not made: " + p.InWords() },
	}.entry(),
	domain.AnswerVerifiedType: event[domain.AnswerVerified]{
		Kind: "Answer", Lead: "An answer was looked over:", From: step.but("the verdict is given"), Subject: "Chalie",
		Line: func(p domain.AnswerVerified) string {
			return fmt.Sprintf("%s finds a %s: %s", p.Verifier, p.Outcome, Plain(p.Reasoning))
		},
		Labelled: func(p domain.AnswerVerified) string {
			return withDetail(p.Outcome.Label(), strings.Join(p.Issues, ", "))
		},
	}.entry(),
	domain.ReasoningYieldedType: event[domain.ReasoningYielded]{
		Kind: "Thought", Lead: "Chalie made room:", From: origin{OriginGiven, "when it was interrupted is nobody's decision"}, Subject: "Chalie",
		Line: func(p domain.ReasoningYielded) string {
			if p.To.IsZero() {
				return "makes room"
			}
			return "makes room for " + p.To.UUID()
		},
		Label: "made room for you",
	}.entry(),
	domain.ReasoningResumedType: event[domain.ReasoningResumed]{
		Kind: "Thought", Lead: "Chalie went on:", From: step, Subject: "Chalie",
		Line:  func(domain.ReasoningResumed) string { return "goes on" },
		Label: "went on",
	}.entry(),
	domain.AttemptFailedType: event[domain.AttemptFailed]{
		Kind: "Attempt", Lead: "An attempt failed:", From: origin{OriginGiven, "what it took of the machine is nobody's decision"}, Subject: "Chalie",
		Line: func(p domain.AttemptFailed) string {
			return fmt.Sprintf("at %q it %s, after %s", p.Move, p.Bound.Words(), Span(time.Duration(p.TookMS)*time.Millisecond))
		},
		Labelled: func(p domain.AttemptFailed) string { return "tried to go on, and it " + p.Bound.Words() },
	}.entry(),
	domain.ReasoningGivenUpType: event[domain.ReasoningGivenUp]{
		Kind: "Thought", Lead: "Chalie gave it up:", From: step, Subject: "Chalie",
		Line: func(p domain.ReasoningGivenUp) string {
			return "given up after " + Counted(len(p.Attempts), "attempt", "attempts")
		},
		Labelled: func(p domain.ReasoningGivenUp) string {
			return "gave it up after " + Counted(len(p.Attempts), "attempt", "attempts")
		},
	}.entry(),
	domain.ReasoningConcludedType: event[domain.ReasoningConcluded]{
		Kind: "Thought", Lead: "Chalie came to an end:", From: step, Bare: true,
		Measured: map[string]string{"payload.duration_ms": measured, "payload.spoken.catalogue": ofWords}, Since: []string{"payload.spoken"},
		Line: func(p domain.ReasoningConcluded) string {
			how := string(p.Outcome)
			switch p.Shown {
			case domain.ShownNot:
			case domain.ShownEscalation:
				how += " with an escalation"
			default:
				how += " with a " + string(p.Shown)
			}
			return how + " after " + Span(time.Duration(p.DurationMS)*time.Millisecond)
		},
		LabelOf: func(s Sent, p domain.ReasoningConcluded) string {
			told := p.Outcome.Label(p.Shown)
			if p.Outcome == domain.OutcomeFailed {
				told += Because(s.Envelope)
			}
			return told
		},
		Clause: func(s Scene, _ domain.ReasoningConcluded) Phrase { return Sayf("it had said %s", s.Quote()) },
	}.entry(),
}

func compared(p domain.RelationsFound) string {
	bear := 0
	for _, s := range p.Signals {
		if len(s.Plans) > 0 && s.Plans[0].Score >= domain.DefaultWorldRules().Surfaces {
			bear++
		}
	}
	said := "compared " + Counted(len(p.Signals), "signal", "signals") + " with what is planned: "
	if bear == 0 {
		return said + "none has to do with it"
	}
	return said + Counted(bear, "has to do with it", "have to do with it")
}

// builtin begins the names of the models that are part of Chalie.
const builtin = "builtin/"

// Model is a model in a sentence.
func Model(name string) string {
	if strings.HasPrefix(name, builtin) {
		return "the built-in model"
	}
	return "the model " + name
}

func repliedLabel(p domain.ModelReplied) string {
	text := domain.PlainText(p.Blocks)
	for _, finding := range p.Findings {
		text = strings.TrimSpace(text + " " + found(finding))
	}
	switch {
	case strings.TrimSpace(text) != "":
		return "the model said: " + text
	case len(p.ToolCalls) > 0:
		tools := toolsOf(p.ToolCalls)
		slices.Sort(tools)
		return "the model asked for " + strings.Join(slices.Compact(tools), ", ")
	}
	return "the model had nothing to say"
}

// streamed is a part of a reply while it was made.
func streamed(p domain.ModelStreamed) string {
	if p.Withdrawn != "" {
		return "what it had said is taken back: " + p.Withdrawn
	}
	var text, tools []string
	for _, e := range p.Events {
		switch e.Type {
		case domain.StreamText:
			text = append(text, e.Delta)
		case domain.StreamCallStart:
			tools = append(tools, e.Name)
		}
	}
	switch {
	case len(text) > 0:
		return "says: " + Plain(strings.Join(text, ""))
	case len(tools) > 0:
		return "begins to ask for " + strings.Join(tools, ", then ")
	}
	return "goes on"
}

// Because is an envelope's error, after a colon; "" for none.
func Because(e domain.Envelope) string {
	if len(e.Errors) == 0 {
		return ""
	}
	return ": " + e.Errors[0].Message
}

// replied is a model's reply: an answer, or the findings of a cycle.
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
		if text := Plain(found(f)); text != "" && (len(which) == 0 || slices.Contains(which, n)) {
			out = append(out, text)
		}
	}
	return strings.Join(out, " · ")
}

// found is a finding in a line: its headline, or all of it without one.
func found(f domain.Finding) string { return cmp.Or(f.Headline, domain.PlainText(f.Blocks)) }

// Readings tell why the built-in model took what was asked as it did, to follow what it says;
// "" when that wasn't recorded.
func Readings(p domain.ModelReplied) string {
	var out []string
	for _, r := range p.Readings {
		said := "read as " + r.Rule
		at := slices.IndexFunc(p.ToolCalls, func(c domain.ToolCall) bool { return c.ID == r.Call })
		var params map[string]any
		if at >= 0 && json.Unmarshal(p.ToolCalls[at].Params, &params) == nil {
			var words []string
			for _, w := range r.Words {
				if value, ok := params[w.As].(string); ok {
					words = append(words, w.As+" "+Quoted(value))
				}
			}
			if len(words) > 0 {
				said += ": " + strings.Join(words, ", ")
			}
		}
		out = append(out, said)
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, "; ") + ")"
}

// toolsOf names the tools that a model calls.
func toolsOf(calls []domain.ToolCall) []string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Tool
	}
	return names
}

package answers

import (
	"cmp"
	"encoding/json"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/turns"
)

// Bounds of what is shown of the results of tools.
const (
	maxResultBytes = 128 << 10 // of one, as blocks
	maxResultText  = 32 << 10  // of one, as text
)

// results show the results of the tool calls, in order, as they came. The last calls
// are the ones shown when there are more than can be.
func results(reply *language.Reply, p language.Prompt) {
	const most = 3 // of the largest there may be, beside all else
	done := p.Done
	if more := len(done) - 2*most; more > 0 {
		done = done[more:]
		reply.Blocks = append(reply.Blocks, sentences.Plain(sentences.Count(more, "earlier tool call isn't", "earlier tool calls aren't")+" shown."))
	}
	budget := most * maxResultBytes
	for _, d := range done {
		one := resultOf(p, d)
		if isOwnTool(p, d.Call.Tool) && len(d.Flags) == 0 {
			one.Blocks = abroad.Answer(&one, p, d, one.Blocks)
		}
		if asked := openQuestion(p); asked != "" && d.Call.Tool == tools.SkillStatus && turns.ReadParams(d.Call.Params)["waiting"] == true {
			one.Blocks = append(one.Blocks, sentences.Plain("I have asked you, too: "+asked+" Answer it, or say never mind."))
		}
		if size := sizeOf(one.Blocks); size > min(budget, maxResultBytes) {
			one = says(p, say("tool.ended", args{"how": speech.Kind("more"), "tool": called(p, d.Call.Tool)}))
			one.Blocks = append(one.Blocks, sentences.Plain(marked(sentences.Cut(sentences.Lines(plainOf(d)), min(maxResultText, max(budget/2, 1<<10))))))
		}
		budget = max(budget-sizeOf(one.Blocks), 4<<10)
		abroad.Add(reply, one)
		if d.Error != "" || d.Outcome != tools.Completed || len(d.Issues) > 0 {
			reply.Confidence = hearing.Unsure
		}
		if !d.End.IsZero() && len(reply.Used) < language.MaxEvidence {
			reply.Used = append(reply.Used, domain.Evidence{EnvelopeID: d.End, Role: "answered", Weight: domain.One})
		}
	}
}

// openQuestion is what was asked last and isn't answered; "" for nothing.
func openQuestion(p language.Prompt) string {
	l := turns.NewTalk(p)
	turn, ok := l.Questioning()
	if !ok || turn.Foreign || turn.Reply == "" || !l.AsksOpen() {
		return ""
	}
	return sentences.Mention(sentences.Cut(sentences.OneLine(turn.Reply), sentences.MaxLabelBytes))
}

// sizeOf is how many bytes blocks take when stored; too many when they can't be.
func sizeOf(blocks []domain.Block) int {
	raw, err := json.Marshal(blocks)
	if err != nil {
		return 1 << 30
	}
	return len(raw)
}

// plainOf is a result as text.
func plainOf(d language.Done) string {
	return cmp.Or(d.Text, domain.PlainText(d.Blocks), string(d.Data))
}

// resultOf is the result of one call.
func resultOf(p language.Prompt, d language.Done) language.Reply {
	tool, own := called(p, d.Call.Tool), isOwnTool(p, d.Call.Tool)
	why := speech.Text{Words: sentence(d.Error), Theirs: whose(p, d.Call.Tool)}
	switch d.Outcome {
	case tools.Completed:
	case domain.ToolOutcomeUnknownType:
		// What to do about it is said here in other words.
		why.Words = sentence(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(d.Error, "."), domain.PerhapsDone), domain.LookFirst))
		return says(p, say("tool.ended", args{"how": speech.Kind("perhaps"), "tool": tool, "why": why}))
	case domain.CallRejectedType:
		return says(p, say("tool.ended", args{"how": speech.Kind("uncalled"), "tool": tool, "why": why}))
	default:
		return undone(p, tool, why, d.Code)
	}
	if d.Error != "" && (len(d.Blocks) == 0 || len(d.Flags) > 0 || !own) {
		if own {
			return language.Reply{Blocks: []domain.Block{sentences.Plain(why.Words)}}
		}
		out := says(p, say("tool.ended", args{"how": speech.Kind("failed"), "tool": tool}))
		beside, failed, said := answered(false, d), sentences.OneLine(d.Error), sentences.OneLine(plainOf(d))
		if whole := strings.Contains(said, failed) && !strings.Contains(failed, said) && len(d.Flags) == 0; beside == nil || !whole {
			out.Blocks = append(out.Blocks, sentences.Plain(marked(sentences.Cut(sentences.Lines(d.Error), maxResultText))))
			if beside != nil && !strings.Contains(failed, said) {
				abroad.Say(&out, p, nil, told(say("tool.ended", args{"how": speech.Kind("also"), "tool": tool})))
			} else {
				beside = nil
			}
		}
		out.Blocks = append(append(out.Blocks, beside...), warnings(d)...)
		return out
	}
	out := answer(p, tool, own, d)
	out.Blocks = append(out.Blocks, warnings(d)...)
	return out
}

// say is a message, and args are its arguments.
var say = speech.New

type args = speech.Args

// says is a reply that says a message.
func says(p language.Prompt, m speech.Message) (out language.Reply) {
	abroad.Say(&out, p, nil, told(m))
	return out
}

// undone is what is said of a call that failed. What the person decided about it they
// know.
func undone(p language.Prompt, tool speech.Message, why speech.Text, code domain.Code) language.Reply {
	switch code {
	case domain.CodeApprovalRefused:
		return says(p, say("tool.ended", args{"how": speech.Kind("unused"), "tool": tool}))
	case domain.CodeApprovalExpired:
		return says(p, say("tool.ended", args{"how": speech.Kind("unapproved"), "tool": tool}))
	case domain.CodeDenied:
		out := says(p, say("tool.ended", args{"how": speech.Kind("denied"), "tool": tool, "why": why}))
		out.Blocks = append(out.Blocks, sentences.LeadsTo("/system/policy", "What the policy allows"))
		return out
	}
	return says(p, say("tool.ended", args{"how": speech.Kind("undone"), "tool": tool, "why": why}))
}

// mayBeDone reports whether a call did anything, as far as is known.
func mayBeDone(d language.Done) bool {
	return d.Outcome == tools.Completed || d.Outcome == domain.ToolOutcomeUnknownType
}

// answer is what a tool answered, under its name if it isn't one of Chalie's own.
func answer(p language.Prompt, tool speech.Message, own bool, d language.Done) language.Reply {
	out := answered(own, d)
	switch {
	case out == nil:
		kind := speech.Kind("silent")
		if len(d.Data) > 0 && string(d.Data) != "null" {
			kind = "empty"
		}
		return says(p, say("tool.ended", args{"how": kind, "tool": tool}))
	case own:
		return language.Reply{Blocks: out}
	}
	reply := says(p, say("tool.ended", args{"how": speech.Kind("answers"), "tool": tool}))
	reply.Blocks = append(reply.Blocks, out...)
	return reply
}

// answered is what a tool said: its blocks, else its text, else its data; nil for nothing. Text
// that is data is shown as that. What tries something with its reader is shown as text, with
// a mark on every line.
func answered(own bool, d language.Done) []domain.Block {
	switch text := sentences.Lines(d.Text); {
	case len(d.Flags) > 0 && plainOf(d) == "":
		return nil
	case len(d.Flags) > 0:
		return []domain.Block{sentences.Plain(marked(sentences.Cut(sentences.Lines(plainOf(d)), maxResultText)))}
	case len(d.Blocks) > 0:
		return d.Blocks
	case strings.TrimSpace(text) == "":
		return domain.DataBlocks(d.Data)
	case domain.IsShownAsData(d.Text):
		return domain.TextBlocks(d.Text)
	case own:
		return []domain.Block{sentences.Plain(sentences.Cut(text, maxResultText))}
	default:
		return []domain.Block{sentences.Plain(marked(sentences.Cut(text, maxResultText)))}
	}
}

// warnings are what a reader of the answer should know.
func warnings(d language.Done) []domain.Block {
	var out []domain.Block
	if len(d.Flags) > 0 {
		out = append(out, sentences.Flagged("This answer", d.Flags))
	}
	if len(d.Issues) > 0 {
		out = append(out, sentences.Plain("It isn't what the tool says it answers: "+sentences.Cut(sentences.OneLine(strings.Join(d.Issues, "; ")), sentences.MaxLabelBytes)+"."))
	}
	return out
}

// called is a tool by its name and whose it is, for a person.
func called(p language.Prompt, tool string) speech.Message {
	for _, o := range p.Tools {
		if o.Name == tool && o.Interface != tools.OwnInterface {
			return tools.Called(o)
		}
	}
	return tools.Called(language.Offered{Name: tool})
}

// whose is the name of the interface that a tool is one of; "" for Chalie's own.
func whose(p language.Prompt, tool string) string {
	for _, o := range p.Tools {
		if o.Name == tool && o.Interface != tools.OwnInterface {
			return o.Interface
		}
	}
	return ""
}

// isOwnTool reports whether a tool is one of Chalie's, as far as the prompt tells:
// those keep their names whatever else is offered.
func isOwnTool(p language.Prompt, tool string) bool {
	for _, o := range p.Tools {
		if o.Name == tool {
			return o.Interface == tools.OwnInterface
		}
	}
	return tools.IsSkill(tool)
}

// sentence is a text from outside as the end of one.
func sentence(text string) string {
	text = sentences.Cut(sentences.OneLine(text), 1<<10)
	switch {
	case text == "":
		return "no reason is known."
	case strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!"):
		return text
	}
	return text + "."
}

package answers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
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
		blocks := resultOf(p, d)
		if isOwnTool(p, d.Call.Tool) && len(d.Flags) == 0 {
			blocks = abroad.Answer(reply, p, d, blocks)
		}
		if asked := openQuestion(p); asked != "" && d.Call.Tool == tools.SkillStatus && turns.ReadParams(d.Call.Params)["waiting"] == true {
			blocks = append(blocks, sentences.Plain("I have asked you, too: "+asked+" Answer it, or say never mind."))
		}
		if size := sizeOf(blocks); size > min(budget, maxResultBytes) {
			blocks = []domain.Block{sentences.Plain(toolName(p, d.Call.Tool) + " answers more than can be shown here. It begins:"), sentences.Plain(marked(sentences.Cut(sentences.Lines(plainOf(d)), min(maxResultText, max(budget/2, 1<<10)))))}
		}
		budget = max(budget-sizeOf(blocks), 4<<10)
		reply.Blocks = append(reply.Blocks, blocks...)
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
func resultOf(p language.Prompt, d language.Done) []domain.Block {
	name, why := toolName(p, d.Call.Tool), sentence(d.Error)
	own := isOwnTool(p, d.Call.Tool)
	tells := sentences.Plain
	if !own { // what one of Chalie's own says is told in the language in all
		tells = func(text string) domain.Block { return abroad.InTongue(p, sentences.Plain(text))[0] }
	}
	switch d.Outcome {
	case tools.Completed:
	case domain.ToolOutcomeUnknownType:
		// What to do about it is said here in other words.
		why = sentence(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(d.Error, "."), domain.PerhapsDone), domain.LookFirst))
		return []domain.Block{tells(fmt.Sprintf("I don't know whether %s did it: %s Look yourself before you ask for it again.", name, why))}
	case domain.CallRejectedType:
		return []domain.Block{tells(fmt.Sprintf("I couldn't use %s, and nothing was done: %s Say it in other words, or with what is missing.", name, why))}
	default:
		return undone(tells, name, why, d.Code)
	}
	if d.Error != "" && (len(d.Blocks) == 0 || len(d.Flags) > 0 || !own) {
		if own {
			return []domain.Block{sentences.Plain(why)}
		}
		out := []domain.Block{tells(name + " says that it didn't work:"), sentences.Plain(marked(sentences.Cut(sentences.Lines(d.Error), maxResultText)))}
		beside, failed, said := answered(false, d), sentences.OneLine(d.Error), sentences.OneLine(plainOf(d))
		switch {
		case beside == nil || strings.Contains(failed, said):
		case strings.Contains(said, failed) && len(d.Flags) == 0:
			out = append(out[:1], beside...)
		default:
			out = append(append(out, tells("It also says:")), beside...)
		}
		return append(out, warnings(d)...)
	}
	return append(answer(tells, name, own, d), warnings(d)...)
}

// undone is what is said of a call that failed. What the person decided about it they
// know.
func undone(tells func(string) domain.Block, name, why string, code domain.Code) []domain.Block {
	switch code {
	case domain.CodeApprovalRefused:
		return []domain.Block{tells(fmt.Sprintf("All right: %s was not used.", name))}
	case domain.CodeApprovalExpired:
		return []domain.Block{tells(fmt.Sprintf("Nobody approved %s in time, so it was not used.", name))}
	case domain.CodeDenied:
		return []domain.Block{tells("That isn't allowed: " + why), sentences.LeadsTo("/system/policy", "What the policy allows")}
	}
	return []domain.Block{tells(fmt.Sprintf("%s didn't do it: %s", name, why))}
}

// mayBeDone reports whether a call did anything, as far as is known.
func mayBeDone(d language.Done) bool {
	return d.Outcome == tools.Completed || d.Outcome == domain.ToolOutcomeUnknownType
}

// answer is what a tool answered, under its name if it isn't one of Chalie's own.
func answer(tells func(string) domain.Block, name string, own bool, d language.Done) []domain.Block {
	out := answered(own, d)
	switch {
	case out == nil:
		if len(d.Data) > 0 && string(d.Data) != "null" {
			return []domain.Block{tells(name + " is done, and its answer is empty.")}
		}
		return []domain.Block{tells(name + " is done, and answered with nothing at all: neither a text nor data.")}
	case own:
		return out
	}
	return append([]domain.Block{tells(name + " answers:")}, out...)
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

// toolName is a tool by its name and whose it is, for a person.
func toolName(p language.Prompt, tool string) string {
	name := sentences.Mention(sentences.Cut(tool, sentences.MaxNameBytes))
	for _, o := range p.Tools {
		if o.Name == tool && sentences.OneLine(o.Interface) != "" && o.Interface != tools.OwnInterface {
			return name + " of " + sentences.Cut(sentences.OneLine(o.Interface), sentences.MaxNameBytes)
		}
	}
	return name
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

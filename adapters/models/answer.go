package models

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
	"chalie/domain/language"
)

// generalTopic is the topic of an answer that names none.
const generalTopic = "general"

// mark is a reference to an item: [#3], [#3:40] or several, [#3, #5].
var mark = regexp.MustCompile(` ?\[#\d+(?::\d+)?%?(?:[,;] ?#?\d+(?::\d+)?%?)*\]`)

var reference = regexp.MustCompile(`#?(\d+)(?::(\d+))?`)

// closing is the last line of an answer. Other lines may begin alike: those of a
// patch do.
var closing = regexp.MustCompile(`(?mi)^[ \t>*_]*@@[ \t]*(?:(?:topic|confidence|urgent)[ \t]*:[^\n]*)?$\n?`)

// reply reads an answer to a message. With calls it is not the end.
func (a *asking) reply(answer dialogue.Answer, p language.Prompt) language.Reply {
	out := language.Reply{Topic: topicOf(p.Asked.Topic), Mode: domain.ModeRespond, Confidence: domain.One / 2, Usage: answer.Usage, Finish: finishOf(answer)}
	text := a.references(answer.Text, &out)
	text = closings(text, &out)
	if text != "" {
		out.Blocks = append(out.Blocks, domain.TextBlock(text, domain.FormatMarkdown))
	}
	if answer.Stop == dialogue.StopLength && text != "" {
		out.Blocks = append(out.Blocks, domain.AlertBlock("The answer was cut off here: it was longer than I am allowed to write.", domain.VariantWarning))
	}
	if answer.Stop == dialogue.StopUnknown && text != "" {
		out.Blocks = append(out.Blocks, domain.AlertBlock(fmt.Sprintf("Something may be missing here: the model ended the answer with “%s”, and I don't know what that means.",
			cut(answer.Reason, domain.MaxNameBytes)), domain.VariantWarning))
	}
	out.ToolCalls = a.calls(answer.Calls)
	if len(out.ToolCalls) > 0 || len(p.Done) > 0 {
		out.Mode = domain.ModeAct
	}
	return out
}

// finishOf is why an answer ended. One that a bound ended may have calls, too.
func finishOf(answer dialogue.Answer) domain.FinishReason {
	switch {
	case answer.Stop == dialogue.StopLength:
		return domain.FinishMaxTokens
	case len(answer.Calls) > 0:
		return domain.FinishToolUse
	}
	return domain.FinishStop
}

// references takes the marks out of a text and keeps them as evidence.
func (a *asking) references(text string, out *language.Reply) string {
	return mark.ReplaceAllStringFunc(text, func(found string) string {
		for _, ref := range reference.FindAllStringSubmatch(found, -1) {
			n, err := strconv.Atoi(ref[1])
			if err != nil {
				continue
			}
			percent, err := strconv.Atoi(ref[2])
			if err != nil || percent > 100 {
				percent = 0 // the item's own weight
			}
			if e, ok := a.sources.evidence(n, domain.PPM(percent)*domain.One/100); ok && len(out.Used) < language.MaxEvidence {
				out.Used = add(out.Used, e)
			}
		}
		return ""
	})
}

// closings takes the closing line out of a text and reads it, leniently: what it
// doesn't say stays as it is.
func closings(text string, out *language.Reply) string {
	for _, line := range closing.FindAllString(text, -1) {
		for field := range strings.SplitSeq(line[strings.Index(line, "@@")+2:], ";") {
			name, value, _ := strings.Cut(field, ":")
			value = strings.Trim(value, " \t\n*_.")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "topic":
				if out.Topic == generalTopic {
					out.Topic = topicOf(value)
				}
			case "confidence":
				if n, err := strconv.Atoi(strings.TrimSuffix(value, "%")); err == nil && n >= 0 && n <= 100 {
					out.Confidence = domain.PPM(n) * domain.One / 100
				}
			case "urgent":
				out.Urgent = strings.EqualFold(value, "yes")
			}
		}
	}
	return strings.TrimSpace(closing.ReplaceAllString(text, ""))
}

func topicOf(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	if text == "" {
		return generalTopic
	}
	return cut(text, domain.MaxTopicHintBytes)
}

// calls are the calls of an answer in our own names.
func (a *asking) calls(list []dialogue.Call) []domain.ToolCall {
	var out []domain.ToolCall
	taken := map[string]bool{}
	for i, c := range list {
		tool := a.tools.Back(c.Tool)
		params := c.Params
		if names := a.params[tool]; names != nil {
			params = renamed(params, names.Back)
		}
		out = append(out, domain.ToolCall{ID: callID(taken, i, c.ID), Tool: tool, Params: compact(params)})
	}
	return out
}

// compact is an object in one line, as it was written otherwise.
func compact(object json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil || fields == nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(jsonLine(object))
}

// objectFault says what is wrong with a call's parameters, "" when nothing is.
func objectFault(params json.RawMessage) string {
	if deep := domain.Nesting(params); deep > domain.MaxNesting {
		return fmt.Sprintf("they nest %d objects and arrays deep, and %d is the bound", deep, domain.MaxNesting)
	}
	var fields map[string]json.RawMessage
	switch err := json.Unmarshal(params, &fields); {
	case err != nil:
		return "they are no JSON object: " + err.Error()
	case fields == nil:
		return "they are null, and not a JSON object"
	}
	return ""
}

package openai

import (
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// chatListener puts an answer together from the chunks of its stream.
type chatListener struct {
	text     strings.Builder
	calls    []*chatCall
	usage    domain.Usage
	stop     dialogue.Stop
	finished bool // it was told why it ends, so nothing is missing
	tooLong  bool
}

type chatCall struct {
	index    int64
	id, tool string
	params   strings.Builder
}

func (l *chatListener) take(chunk sdk.ChatCompletionChunk) {
	if u := chunk.Usage; u.PromptTokens > 0 || u.CompletionTokens > 0 {
		cached := u.PromptTokensDetails.CachedTokens
		l.usage = domain.Usage{InputTokens: int(u.PromptTokens - cached), OutputTokens: int(u.CompletionTokens), CacheReadTokens: int(cached)}
	}
	if len(chunk.Choices) == 0 {
		return
	}
	choice := chunk.Choices[0]
	l.text.WriteString(choice.Delta.Content)
	l.text.WriteString(choice.Delta.Refusal)
	l.bound(l.text.Len())
	for _, d := range choice.Delta.ToolCalls {
		c := l.call(d)
		c.params.WriteString(d.Function.Arguments)
		l.bound(c.params.Len())
	}
	if choice.FinishReason != "" {
		l.finish(choice.FinishReason)
	}
}

// call is the one a delta belongs to. Some servers give every call the same
// index: a new id is a new call.
func (l *chatListener) call(d sdk.ChatCompletionChunkChoiceDeltaToolCall) *chatCall {
	for _, c := range slices.Backward(l.calls) {
		if c.index == d.Index && (d.ID == "" || d.ID == c.id) {
			return c
		}
	}
	c := &chatCall{index: d.Index, id: d.ID, tool: d.Function.Name}
	l.calls = append(l.calls, c)
	return c
}

func (l *chatListener) bound(size int) {
	if size > dialogue.MaxAnswerBytes {
		l.stop, l.finished, l.tooLong = dialogue.StopLength, true, true
	}
}

func (l *chatListener) finish(reason string) {
	l.finished = true
	switch {
	case l.stop != "":
	case reason == "length":
		l.stop = dialogue.StopLength
	case reason == "content_filter":
		l.stop = dialogue.StopRefused
	default:
		l.stop = dialogue.StopDone
	}
}

func (l *chatListener) answer() dialogue.Answer {
	out := dialogue.Answer{Text: withoutThoughts(l.text.String()), Usage: l.usage, Stop: l.stop}
	for _, c := range l.calls {
		params := c.params.String()
		if params == "" {
			params = "{}"
		}
		out.Calls = append(out.Calls, dialogue.Call{ID: c.id, Tool: c.tool, Params: json.RawMessage(params)})
	}
	return out
}

// withoutThoughts leaves out what some servers let a model think aloud before
// its answer.
func withoutThoughts(text string) string {
	const begin, end = "<think>", "</think>"
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \n"), begin)
	if !ok {
		return text
	}
	_, answer, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return strings.TrimLeft(answer, " \n")
}

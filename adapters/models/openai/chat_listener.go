package openai

import (
	"slices"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// chatChunk is one event of a stream.
type chatChunk struct {
	Choices []struct {
		Delta struct {
			Content   string          `json:"content"`
			Refusal   string          `json:"refusal"`
			ToolCalls []chatCallDelta `json:"tool_calls"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int          `json:"prompt_tokens"`
		Details    cachedTokens `json:"prompt_tokens_details"`
		Completion int          `json:"completion_tokens"`
	} `json:"usage"`
}

type chatCallDelta struct {
	Index    int              `json:"index"`
	ID       string           `json:"id"`
	Function chatCallFunction `json:"function"`
}

// chatListener puts an answer together from the chunks of its stream.
type chatListener struct {
	text     strings.Builder
	calls    []*chatCall
	usage    domain.Usage
	stop     dialogue.Stop
	finished bool // it was told why it ends, so nothing is missing
	tooLong  bool
	tell     dialogue.Tell
	aloud    thoughts
}

type chatCall struct {
	number   int // from 1
	index    int
	id, tool string
	params   strings.Builder
}

func (l *chatListener) take(chunk chatChunk) {
	if u := chunk.Usage; u.Prompt > 0 || u.Completion > 0 {
		l.usage = used(u.Prompt, u.Details, u.Completion)
	}
	if len(chunk.Choices) == 0 {
		return
	}
	choice := chunk.Choices[0]
	l.text.WriteString(choice.Delta.Content)
	l.text.WriteString(choice.Delta.Refusal)
	l.tell.Text(l.aloud.add(choice.Delta.Content + choice.Delta.Refusal))
	l.bound(l.text.Len())
	for _, d := range choice.Delta.ToolCalls {
		c := l.call(d)
		c.params.WriteString(d.Function.Arguments)
		l.tell.Params(c.number, d.Function.Arguments)
		l.bound(c.params.Len())
	}
	if choice.FinishReason != "" {
		l.finish(choice.FinishReason)
	}
}

// call is the one a delta belongs to. Some servers give every call the same
// index: a new id is a new call.
func (l *chatListener) call(d chatCallDelta) *chatCall {
	for _, c := range slices.Backward(l.calls) {
		if c.index == d.Index && (d.ID == "" || d.ID == c.id) {
			return c
		}
	}
	l.endCall()
	c := &chatCall{number: len(l.calls) + 1, index: d.Index, id: d.ID, tool: d.Function.Name}
	l.calls = append(l.calls, c)
	l.tell.Begin(c.number, c.id, c.tool)
	return c
}

// endCall tells that the latest call is whole, which nothing else says but what comes behind.
func (l *chatListener) endCall() {
	if n := len(l.calls); n > 0 {
		l.tell.End(n)
	}
}

func (l *chatListener) bound(size int) {
	if size > dialogue.MaxAnswerBytes {
		l.stop, l.finished, l.tooLong = dialogue.StopLength, true, true
	}
}

func (l *chatListener) finish(reason string) {
	if !l.finished {
		l.tell.Text(l.aloud.rest())
		l.endCall()
	}
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
		out.Calls = append(out.Calls, callOf(c.id, c.tool, c.params.String()))
	}
	return out
}

// withoutThoughts leaves out what some servers let a model think aloud before
// its answer.
func withoutThoughts(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \n"), beginThoughts)
	if !ok {
		return text
	}
	_, answer, ok := strings.Cut(rest, endThoughts)
	if !ok {
		return ""
	}
	return strings.TrimLeft(answer, " \n")
}

package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// listener puts an answer together from the events of its stream.
type listener struct {
	text  strings.Builder
	calls []*call
	open  map[int64]*call // by the index of the content block
	usage domain.Usage
	stop  dialogue.Stop
	over  bool // the answer is complete, or as much as is read of it
}

type call struct {
	id, tool string
	params   strings.Builder
}

func (l *listener) take(e sdk.MessageStreamEventUnion) {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		l.usage = domain.Usage{InputTokens: int(u.InputTokens), OutputTokens: int(u.OutputTokens),
			CacheReadTokens: int(u.CacheReadInputTokens), CacheWriteTokens: int(u.CacheCreationInputTokens)}
	case "content_block_start":
		l.begin(e)
	case "content_block_delta":
		l.delta(e)
	case "message_delta":
		l.end(e)
	case "message_stop":
		l.over = true
	}
}

func (l *listener) begin(e sdk.MessageStreamEventUnion) {
	switch e.ContentBlock.Type {
	case "text":
		l.text.WriteString(e.ContentBlock.Text)
	case "tool_use":
		c := &call{id: e.ContentBlock.ID, tool: e.ContentBlock.Name}
		if l.open == nil {
			l.open = map[int64]*call{}
		}
		l.open[e.Index] = c
		l.calls = append(l.calls, c)
	}
}

func (l *listener) delta(e sdk.MessageStreamEventUnion) {
	switch e.Delta.Type {
	case "text_delta":
		l.text.WriteString(e.Delta.Text)
		l.bound(l.text.Len())
	case "input_json_delta":
		if c := l.open[e.Index]; c != nil {
			c.params.WriteString(e.Delta.PartialJSON)
			l.bound(c.params.Len())
		}
	}
}

// bound stops reading an answer that is longer than anybody wants.
func (l *listener) bound(size int) {
	if size > dialogue.MaxAnswerBytes {
		l.stop, l.over = dialogue.StopLength, true
	}
}

// end takes what is known only at the end. The counts are those of the whole
// answer.
func (l *listener) end(e sdk.MessageStreamEventUnion) {
	switch e.Delta.StopReason {
	case sdk.StopReasonMaxTokens, "model_context_window_exceeded":
		l.stop = dialogue.StopLength
	case sdk.StopReasonRefusal:
		l.stop = dialogue.StopRefused
	default:
		l.stop = dialogue.StopDone
	}
	for _, n := range []struct {
		into *int
		from int64
	}{
		{&l.usage.OutputTokens, e.Usage.OutputTokens}, {&l.usage.InputTokens, e.Usage.InputTokens},
		{&l.usage.CacheReadTokens, e.Usage.CacheReadInputTokens}, {&l.usage.CacheWriteTokens, e.Usage.CacheCreationInputTokens},
	} {
		if n.from > 0 {
			*n.into = int(n.from)
		}
	}
}

func (l *listener) answer() dialogue.Answer {
	out := dialogue.Answer{Text: l.text.String(), Usage: l.usage, Stop: l.stop}
	for _, c := range l.calls {
		params := c.params.String()
		if params == "" { // a call without parameters has no deltas
			params = "{}"
		}
		out.Calls = append(out.Calls, dialogue.Call{ID: c.id, Tool: c.tool, Params: json.RawMessage(params)})
	}
	return out
}

// messageOf is what an error response says, "" when it is of another shape.
func messageOf(body string) string {
	var e struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(body), &e) != nil {
		return ""
	}
	return e.Error.Message
}

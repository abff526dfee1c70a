package anthropic

import (
	"encoding/json"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// event is one of a stream. Type says which of the other fields it has.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"` // of the content block
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	ContentBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"content_block"`
	Delta struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
}

type usage struct {
	Input      int `json:"input_tokens"` // those that no cache had
	Output     int `json:"output_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
}

// listener puts an answer together from the events of its stream.
type listener struct {
	text  strings.Builder
	calls []*call
	open  map[int]*call // by the index of the content block
	usage domain.Usage
	stop  dialogue.Stop
	over  bool // the answer is complete, or as much as is read of it
	tell  dialogue.Tell
}

type call struct {
	number   int // from 1
	id, tool string
	params   strings.Builder
}

func (l *listener) take(e event) {
	switch e.Type {
	case "message_start":
		l.count(e.Message.Usage)
	case "content_block_start":
		l.begin(e)
	case "content_block_delta":
		l.delta(e)
	case "content_block_stop":
		if c := l.open[e.Index]; c != nil {
			l.tell.End(c.number)
		}
	case "message_delta":
		l.end(e)
	case "message_stop":
		l.over = true
	}
}

func (l *listener) begin(e event) {
	switch e.ContentBlock.Type {
	case "text":
		l.text.WriteString(e.ContentBlock.Text)
		l.tell.Text(e.ContentBlock.Text)
	case "tool_use":
		c := &call{number: len(l.calls) + 1, id: e.ContentBlock.ID, tool: e.ContentBlock.Name}
		l.tell.Begin(c.number, c.id, c.tool)
		if l.open == nil {
			l.open = map[int]*call{}
		}
		l.open[e.Index] = c
		l.calls = append(l.calls, c)
	}
}

func (l *listener) delta(e event) {
	switch e.Delta.Type {
	case "text_delta":
		l.text.WriteString(e.Delta.Text)
		l.tell.Text(e.Delta.Text)
		l.bound(l.text.Len())
	case "input_json_delta":
		if c := l.open[e.Index]; c != nil {
			c.params.WriteString(e.Delta.PartialJSON)
			l.tell.Params(c.number, e.Delta.PartialJSON)
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

// end takes what is known only at the end.
func (l *listener) end(e event) {
	switch e.Delta.StopReason {
	case "max_tokens", "model_context_window_exceeded":
		l.stop = dialogue.StopLength
	case "refusal":
		l.stop = dialogue.StopRefused
	default:
		l.stop = dialogue.StopDone
	}
	l.count(e.Usage)
}

// count takes what was used. Counts are those of the whole answer so far, and one
// that is missing stays as it was.
func (l *listener) count(u usage) {
	for _, n := range []struct {
		into *int
		from int
	}{
		{&l.usage.InputTokens, u.Input}, {&l.usage.OutputTokens, u.Output},
		{&l.usage.CacheReadTokens, u.CacheRead}, {&l.usage.CacheWriteTokens, u.CacheWrite},
	} {
		if n.from > 0 {
			*n.into = n.from
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

package anthropic

import (
	"encoding/json"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
)

// event is one of a stream. Type says which of the other fields it has. An answer that isn't
// streamed is a message by itself.
type event struct {
	reply                  // of type message
	Index   dialogue.Place `json:"index"` // of the content block
	Message reply          `json:"message"`
	Block   block          `json:"content_block"`
	Delta   struct {
		Type        string           `json:"type"`
		Text        dialogue.Content `json:"text"`
		PartialJSON json.RawMessage  `json:"partial_json"`
		Input       json.RawMessage  `json:"input"`
		StopReason  dialogue.Word    `json:"stop_reason"`
	} `json:"delta"`
}

// reply is the answer so far, or all of it.
type reply struct {
	Type       string          `json:"type"`
	Content    json.RawMessage `json:"content"` // blocks, or a text
	StopReason dialogue.Word   `json:"stop_reason"`
	Usage      usage           `json:"usage"`
}

// block is a part of an answer: of text, or a call. Others, such as thoughts, are left out.
type block struct {
	Type  string           `json:"type"`
	Text  dialogue.Content `json:"text"`
	ID    dialogue.Word    `json:"id"`
	Name  dialogue.Word    `json:"name"`
	Input json.RawMessage  `json:"input"`
}

type usage struct {
	Input      int `json:"input_tokens"` // those that no cache had
	Output     int `json:"output_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
}

// listener puts an answer together from the events of its stream.
type listener struct {
	*dialogue.Draft
	open   map[int]int // the numbers of calls, by the index of the content block
	latest int         // call; -1 for none
}

func newListener(d *dialogue.Draft) *listener {
	return &listener{Draft: d, open: map[int]int{}, latest: -1}
}

func (l *listener) take(e event) *wire.Fault {
	switch e.Type {
	case "message_start":
		l.count(e.Message.Usage)
		l.blocks(e.Message.Content)
	case "message":
		l.count(e.Usage)
		l.blocks(e.Content)
		l.Finish(string(e.StopReason))
		l.Over = true
	case "content_block_start":
		l.begin(e.Index.At, e.Block)
	case "content_block_delta":
		l.delta(e)
	case "message_delta":
		l.count(e.Usage)
		if reason := e.Delta.StopReason; reason != "" {
			l.Finish(string(reason))
		}
	case "message_stop":
		l.Finish("")
		l.Over = true
	}
	return nil // errors have a form of their own
}

// blocks takes content that comes as a whole.
func (l *listener) blocks(raw json.RawMessage) {
	var list []block
	if json.Unmarshal(raw, &list) != nil && len(list) == 0 {
		var text dialogue.Content
		if json.Unmarshal(raw, &text) == nil {
			l.Text(text.Text)
		}
		return
	}
	for _, b := range list {
		l.begin(nil, b)
	}
}

// begin takes what a block begins with, which may be all of it.
func (l *listener) begin(index *int, b block) {
	switch b.Type {
	case "text", "":
		l.Text(b.Text.Text)
	case "tool_use":
		l.latest = l.Begin(index)
		if index != nil {
			l.open[*index] = l.latest
		}
		l.Add(l.latest, dialogue.CallPart{ID: string(b.ID), Name: string(b.Name), Params: input(b.Input)})
	case "thinking", "redacted_thinking":
	default:
		l.Odd("content of type " + b.Type)
	}
}

// input is what a block begins with of the input. Nothing is what is filled by deltas.
func input(raw json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) == nil && len(fields) == 0 {
		return nil
	}
	return raw
}

func (l *listener) delta(e event) {
	switch e.Delta.Type {
	case "text_delta", "text", "":
		l.Text(e.Delta.Text.Text)
	}
	for _, raw := range []json.RawMessage{e.Delta.PartialJSON, e.Delta.Input} {
		if n := l.call(e.Index.At); n >= 0 && len(raw) > 0 {
			l.Add(n, dialogue.CallPart{Params: raw})
		}
	}
}

// call is the number of the call that the block of an index is: that which began there, or else the latest.
func (l *listener) call(index *int) int {
	if index != nil {
		if n, ok := l.open[*index]; ok {
			return n
		}
	}
	return l.latest
}

// count takes what was used. Counts are those of the whole answer so far, and one
// that is missing stays as it was.
func (l *listener) count(u usage) {
	for _, n := range []struct {
		into *int
		from int
	}{
		{&l.Usage.InputTokens, u.Input}, {&l.Usage.OutputTokens, u.Output},
		{&l.Usage.CacheReadTokens, u.CacheRead}, {&l.Usage.CacheWriteTokens, u.CacheWrite},
	} {
		if n.from > 0 {
			*n.into = n.from
		}
	}
}

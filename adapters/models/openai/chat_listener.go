package openai

import (
	"encoding/json"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
)

// chatChunk is one event of a stream, or an answer that isn't streamed: that has a message in the place of
// a delta. Ollama's own API has the message beside what is done.
type chatChunk struct {
	Choices dialogue.List[chatChoice] `json:"choices"`
	Usage   struct {
		Prompt     int          `json:"prompt_tokens"`
		Details    cachedTokens `json:"prompt_tokens_details"`
		Completion int          `json:"completion_tokens"`
	} `json:"usage"`

	Message    json.RawMessage `json:"message"`
	Done       bool            `json:"done"`
	DoneReason dialogue.Word   `json:"done_reason"`
}

type chatChoice struct {
	Index        dialogue.Place   `json:"index"`
	Delta        chatDelta        `json:"delta"`
	Message      *chatDelta       `json:"message"`
	Text         dialogue.Content `json:"text"`
	FinishReason dialogue.Word    `json:"finish_reason"`
	Error        json.RawMessage  `json:"error"`
}

type chatDelta struct {
	Content   dialogue.Content `json:"content"`
	Refusal   dialogue.Content `json:"refusal"`
	ToolCalls json.RawMessage  `json:"tool_calls"`
	Call      json.RawMessage  `json:"function_call"` // how calls were said once
}

// said is the text of a delta.
func (d chatDelta) said() string { return d.Content.Text + d.Refusal.Text }

type chatCallDelta struct {
	Index     dialogue.Place  `json:"index"`
	ID        dialogue.Word   `json:"id"`
	Function  json.RawMessage `json:"function"`
	Name      dialogue.Word   `json:"name"` // of servers without a function around it
	Arguments json.RawMessage `json:"arguments"`
}

// chatListener puts an answer together from the chunks of its stream.
type chatListener struct {
	*dialogue.Draft
	choice *int // the one that is read
}

func (l *chatListener) take(chunk chatChunk) *wire.Fault {
	if u := chunk.Usage; u.Prompt > 0 || u.Completion > 0 {
		l.Usage = used(u.Prompt, u.Details, u.Completion)
	}
	var own chatDelta
	if json.Unmarshal(chunk.Message, &own) == nil && len(chunk.Choices) == 0 {
		l.delta(own)
		if chunk.Done {
			l.Finish(string(chunk.DoneReason))
		}
	}
	for _, choice := range chunk.Choices {
		if l.choice == nil {
			l.choice = choice.Index.At
		}
		if at := choice.Index.At; at != nil && l.choice != nil && *at != *l.choice {
			continue // of another answer
		}
		l.hear(choice)
		if f := wire.FaultOf(choice.Error); f != nil {
			return f
		}
	}
	return nil
}

func (l *chatListener) hear(choice chatChoice) {
	l.delta(choice.Delta)
	l.Text(choice.Text.Text)
	if m := choice.Message; m != nil {
		text := *m
		text.Content, text.Refusal = dialogue.Content{Odd: m.Content.Odd}, dialogue.Content{}
		l.WholeText(l.Came(), m.said())
		l.delta(text)
		if m.said() != "" || isThere(m.ToolCalls) {
			l.Finish(string(choice.FinishReason)) // it is whole
		}
	}
	if choice.FinishReason != "" {
		l.Finish(string(choice.FinishReason))
	}
}

func (l *chatListener) delta(d chatDelta) {
	l.Text(d.said())
	if d.Content.Odd != "" {
		l.Odd(d.Content.Odd)
	}
	l.calls(d.ToolCalls)
	if isThere(d.Call) {
		l.call(chatCallDelta{Function: d.Call})
	}
}

// isThere reports whether a member has a value.
func isThere(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// calls takes the calls of a delta: a list, or one.
func (l *chatListener) calls(raw json.RawMessage) {
	if !isThere(raw) {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	for _, one := range list {
		var d chatCallDelta
		if !isThere(one) {
			continue
		}
		if json.Unmarshal(one, &d) != nil {
			l.Unread("it calls a tool in a form that can't be read")
			continue
		}
		l.call(d)
	}
}

func (l *chatListener) call(d chatCallDelta) {
	part := dialogue.CallPart{Index: d.Index.At, ID: string(d.ID), Name: string(d.Name), Params: d.Arguments}
	if isThere(d.Function) {
		var f struct {
			Name       dialogue.Word   `json:"name"`
			Arguments  json.RawMessage `json:"arguments"`
			Parameters json.RawMessage `json:"parameters"`
		}
		if json.Unmarshal(d.Function, &f) != nil {
			l.Unread("it calls a tool in a form that can't be read")
			return
		}
		if f.Name != "" {
			part.Name = string(f.Name)
		}
		for _, params := range []json.RawMessage{f.Parameters, f.Arguments} {
			if isThere(params) {
				part.Params = params
			}
		}
	}
	l.Call(part)
}

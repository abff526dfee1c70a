package anthropic

import (
	"encoding/json"

	"chalie/adapters/models/dialogue"
)

// request is a question as the Messages API takes it.
type request struct {
	prompt
	MaxTokens   int      `json:"max_tokens"`
	Stream      bool     `json:"stream"`
	Temperature *float64 `json:"temperature,omitempty"`
	Stop        []string `json:"stop_sequences,omitempty"`
}

// prompt is the part of a request whose tokens can be counted.
type prompt struct {
	Model      string        `json:"model"`
	System     string        `json:"system,omitempty"`
	Messages   []message     `json:"messages"`
	Tools      []tool        `json:"tools,omitempty"`
	ToolChoice *choice       `json:"tool_choice,omitempty"`
	Output     *outputConfig `json:"output_config,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // of the blocks below
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type imageBlock struct {
	Type   string      `json:"type"`
	Source imageSource `json:"source"`
}

type imageSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"` // as base64
}

type callBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type resultBlock struct {
	Type    string `json:"type"`
	CallID  string `json:"tool_use_id"`
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

type tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Schema      map[string]any `json:"input_schema"`
}

type choice struct {
	Type string `json:"type"`
}

type outputConfig struct {
	Format outputFormat `json:"format"`
}

type outputFormat struct {
	Schema map[string]any `json:"schema"`
	Type   string         `json:"type"`
}

func (c *Client) prompt(q dialogue.Question) prompt {
	p := prompt{Model: c.cfg.Model, System: q.System, Messages: make([]message, 0, len(q.Turns))}
	for _, t := range q.Turns {
		p.Messages = append(p.Messages, messageOf(t))
	}
	for _, t := range q.Tools {
		p.Tools = append(p.Tools, tool(t))
	}
	if len(q.Tools) > 0 && !q.MayCall {
		p.ToolChoice = &choice{"none"}
	}
	if q.Format != nil {
		p.Output = &outputConfig{outputFormat{q.Format.Schema, "json_schema"}}
	}
	return p
}

func messageOf(t dialogue.Turn) message {
	m := message{Role: "user"}
	switch {
	case len(t.Calls) > 0:
		m.Role = "assistant"
		for _, c := range t.Calls {
			m.Content = append(m.Content, callBlock{"tool_use", c.ID, c.Tool, object(c.Params)})
		}
	case len(t.Results) > 0:
		for _, r := range t.Results {
			m.Content = append(m.Content, resultBlock{"tool_result", r.CallID, r.Text, r.Failed})
		}
	default:
		for _, p := range t.Pictures {
			m.Content = append(m.Content, imageBlock{"image", imageSource{"base64", p.MediaType, p.Bytes}})
		}
		m.Content = append(m.Content, textBlock{"text", t.Text})
	}
	return m
}

// object is parameters as the API wants them: an object.
func object(params json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(params, &fields) != nil || fields == nil {
		return json.RawMessage("{}")
	}
	return params
}

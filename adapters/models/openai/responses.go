package openai

import (
	"context"
	"sync/atomic"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
)

// Responses asks one model by the Responses API.
type Responses struct {
	cfg   Config
	api   *wire.Client
	aloud atomic.Bool // see dialogue.NewDraft
}

var _ dialogue.Client = (*Responses)(nil)

// NewResponses makes a client. Nothing is sent.
func NewResponses(cfg Config) *Responses {
	cfg = cfg.withDefaults()
	return &Responses{cfg: cfg, api: cfg.api()}
}

// Close lets go of idle connections.
func (c *Responses) Close() { c.api.Close() }

// Ask puts a question once. The API knows no sequences to stop at, so that the answer is
// left there.
func (c *Responses) Ask(ctx context.Context, q dialogue.Question, tell dialogue.Tell) (dialogue.Answer, error) {
	heard := responseListener{Draft: dialogue.NewDraft(q, tell, &c.aloud), stops: dialogue.Stops{Sequences: q.Stop}}
	return wire.Hear(ctx, c.api, "responses", c.request(q), heard.Draft, heard.take)
}

// Count asks the API what a question takes.
func (c *Responses) Count(ctx context.Context, q dialogue.Question) (int, bool) {
	var got struct {
		InputTokens int `json:"input_tokens"`
	}
	err := c.api.Call(ctx, "responses/input_tokens", c.prompt(q), &got)
	return got.InputTokens, err == nil && got.InputTokens > 0 // else whoever asks can estimate
}

// List asks the API which models there are.
func (c *Responses) List(ctx context.Context) ([]dialogue.Listed, error) { return listed(ctx, c.api) }

// responseRequest is a question as the API takes it.
type responseRequest struct {
	responsePrompt
	MaxOutputTokens int           `json:"max_output_tokens"`
	Temperature     *float64      `json:"temperature,omitempty"`
	ToolChoice      string        `json:"tool_choice,omitempty"`
	Text            *responseText `json:"text,omitempty"`
	Store           bool          `json:"store"`
	Stream          bool          `json:"stream"`
}

// responsePrompt is the part of a request whose tokens can be counted.
type responsePrompt struct {
	Model        string         `json:"model"`
	Instructions string         `json:"instructions,omitempty"`
	Input        []any          `json:"input"` // of the items below
	Tools        []responseTool `json:"tools,omitempty"`
}

type responseTool struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
	Strict      bool           `json:"strict"`
}

type responseText struct {
	Format responseFormat `json:"format"`
}

type responseFormat struct {
	Type string `json:"type"`
	schemaFormat
}

// inputMessage is what the person says and shows.
type inputMessage struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // of the parts below
}

type inputText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type inputImage struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
	URL    string `json:"image_url"`
}

// inputCall is what the model called.
type inputCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// inputResult is the result of a call.
type inputResult struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output string `json:"output"`
}

func (c *Responses) request(q dialogue.Question) responseRequest {
	r := responseRequest{responsePrompt: c.prompt(q), MaxOutputTokens: q.MaxTokens, Temperature: q.Temperature, Stream: true}
	if len(q.Tools) > 0 && !q.MayCall {
		r.ToolChoice = none
	}
	if f := q.Format; f != nil {
		r.Text = &responseText{responseFormat{"json_schema", schemaFormat{f.Name, true, f.Schema}}}
	}
	return r
}

func (c *Responses) prompt(q dialogue.Question) responsePrompt {
	p := responsePrompt{Model: c.cfg.Model, Instructions: q.System, Input: inputItems(q.Turns)}
	for _, t := range q.Tools {
		p.Tools = append(p.Tools, responseTool{typeFunction, t.Name, t.Description, t.Schema, false})
	}
	return p
}

func inputItems(turns []dialogue.Turn) []any {
	var out []any
	for _, t := range turns {
		switch {
		case len(t.Calls) > 0:
			for _, call := range t.Calls {
				out = append(out, inputCall{itemCall, call.ID, call.Tool, string(call.Params)})
			}
		case len(t.Results) > 0:
			for _, r := range t.Results {
				out = append(out, inputResult{"function_call_output", r.CallID, r.Text})
			}
		default:
			said := inputMessage{Role: "user"}
			for _, p := range t.Pictures {
				said.Content = append(said.Content, inputImage{"input_image", "auto", dataURL(p)})
			}
			said.Content = append(said.Content, inputText{"input_text", t.Text})
			out = append(out, said)
		}
	}
	return out
}

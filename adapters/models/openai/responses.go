package openai

import (
	"context"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
	"chalie/domain"
)

// Responses asks one model by the Responses API.
type Responses struct {
	cfg Config
	api *wire.Client
}

var _ dialogue.Client = (*Responses)(nil)

// NewResponses makes a client. Nothing is sent.
func NewResponses(cfg Config) *Responses {
	cfg = cfg.withDefaults()
	return &Responses{cfg, cfg.api()}
}

// Close lets go of idle connections.
func (c *Responses) Close() { c.api.Close() }

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

// Ask puts a question once. The API knows no sequences to stop at, so that the answer is
// left there.
func (c *Responses) Ask(ctx context.Context, q dialogue.Question, tell dialogue.Tell) (dialogue.Answer, error) {
	var text strings.Builder
	stops := dialogue.Stops{Sequences: q.Stop}
	calls := map[int]int{} // their numbers, by the place of the item
	for e, err := range wire.Events[responseEvent](ctx, c.api, "responses", c.request(q)) {
		if err != nil {
			return dialogue.Answer{}, err
		}
		switch e.Type {
		case "response.output_text.delta", "response.refusal.delta":
			more, hit := stops.Add(e.Delta)
			text.WriteString(more)
			tell.Text(more)
			if hit {
				return dialogue.Answer{Text: text.String(), Stop: dialogue.StopDone}, nil
			}
			if text.Len() > dialogue.MaxAnswerBytes {
				return dialogue.Answer{Text: text.String(), Stop: dialogue.StopLength}, nil
			}
		case "response.output_item.added":
			if e.Item.Type == itemCall {
				calls[e.Index] = len(calls) + 1
				tell.Begin(calls[e.Index], e.Item.CallID, e.Item.Name)
			}
		case "response.function_call_arguments.delta":
			if n := calls[e.Index]; n > 0 {
				tell.Params(n, e.Delta)
			}
		case "response.output_item.done":
			if n := calls[e.Index]; n > 0 {
				tell.End(n)
			}
		case "response.completed", "response.incomplete":
			tell.Text(stops.Rest())
			return e.Response.answer(), nil
		case "response.failed":
			return dialogue.Answer{Usage: e.Response.Usage.count()}, c.api.Failed(e.Response.Error)
		case "error":
			return dialogue.Answer{}, c.api.Failed(wire.Fault{Code: e.Code, Message: e.Message})
		}
	}
	return dialogue.Answer{}, dialogue.Cut(c.cfg.Name)
}

// responseEvent is one event of a stream. Type says which of the other fields it
// has.
type responseEvent struct {
	Type     string   `json:"type"`
	Delta    string   `json:"delta"`
	Response response `json:"response"`
	Index    int      `json:"output_index"`
	Item     struct {
		Type   string `json:"type"`
		CallID string `json:"call_id"`
		Name   string `json:"name"`
	} `json:"item"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// itemCall is the type of an item that is a call.
const itemCall = "function_call"

// response is the answer so far; in the last event, all of it.
type response struct {
	Status     string         `json:"status"`
	Output     []responseItem `json:"output"`
	Usage      responseUsage  `json:"usage"`
	Error      wire.Fault     `json:"error"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

// responseItem is a message or a call. Others, such as thoughts, are left out.
type responseItem struct {
	Type    string `json:"type"`
	Content []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type responseUsage struct {
	Input   int          `json:"input_tokens"`
	Details cachedTokens `json:"input_tokens_details"`
	Output  int          `json:"output_tokens"`
}

func (u responseUsage) count() domain.Usage { return used(u.Input, u.Details, u.Output) }

func (r response) answer() dialogue.Answer {
	out := dialogue.Answer{Usage: r.Usage.count(), Stop: dialogue.StopDone}
	for _, item := range r.Output {
		switch item.Type {
		case "message":
			for _, part := range item.Content {
				out.Text += part.Text + part.Refusal
			}
		case itemCall:
			out.Calls = append(out.Calls, callOf(item.CallID, item.Name, item.Arguments))
		}
	}
	if r.Status == "incomplete" {
		out.Stop = dialogue.StopLength
		if r.Incomplete.Reason == "content_filter" {
			out.Stop = dialogue.StopRefused
		}
	}
	return out
}

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

package openai

import (
	"context"
	"sync/atomic"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
)

// Chat asks one model by the Chat Completions API.
type Chat struct {
	cfg   Config
	api   *wire.Client
	aloud atomic.Bool // see dialogue.NewDraft
}

var _ dialogue.Client = (*Chat)(nil)

// NewChat makes a client. Nothing is sent.
func NewChat(cfg Config) *Chat {
	cfg = cfg.withDefaults()
	return &Chat{cfg: cfg, api: cfg.api()}
}

// Close lets go of idle connections.
func (c *Chat) Close() { c.api.Close() }

// Count says that this API counts nothing beforehand.
func (c *Chat) Count(context.Context, dialogue.Question) (int, bool) { return 0, false }

// List asks the API which models there are.
func (c *Chat) List(ctx context.Context) ([]dialogue.Listed, error) { return listed(ctx, c.api) }

// Ask puts a question once.
func (c *Chat) Ask(ctx context.Context, q dialogue.Question, tell dialogue.Tell) (dialogue.Answer, error) {
	heard := chatListener{Draft: dialogue.NewDraft(q, tell, &c.aloud)}
	return wire.Hear(ctx, c.api, "chat/completions", c.request(q), heard.Draft, heard.take)
}

// chatRequest is a question as the API takes it.
type chatRequest struct {
	Model               string            `json:"model"`
	Messages            []any             `json:"messages"` // of the kinds below
	Tools               []chatTool        `json:"tools,omitempty"`
	ToolChoice          string            `json:"tool_choice,omitempty"`
	ResponseFormat      *chatFormat       `json:"response_format,omitempty"`
	MaxTokens           int               `json:"max_tokens,omitempty"`
	MaxCompletionTokens int               `json:"max_completion_tokens,omitempty"`
	Temperature         *float64          `json:"temperature,omitempty"`
	Stop                []string          `json:"stop,omitempty"`
	Stream              bool              `json:"stream"`
	StreamOptions       chatStreamOptions `json:"stream_options"`
}

type chatStreamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatFormat struct {
	Schema schemaFormat `json:"json_schema"`
	Type   string       `json:"type"`
}

type chatTool struct {
	Type     string           `json:"type"`
	Function chatToolFunction `json:"function"`
}

type chatToolFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
}

// chatText is what the system or the person says.
type chatText struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chatPictures is what the person says and shows.
type chatPictures struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // of the parts below
}

type chatTextPart struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type chatImagePart struct {
	Type  string    `json:"type"`
	Image chatImage `json:"image_url"`
}

type chatImage struct {
	URL string `json:"url"`
}

// chatCalls is what the model called.
type chatCalls struct {
	Role  string         `json:"role"`
	Calls []chatToolCall `json:"tool_calls"`
}

type chatToolCall struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function chatCallFunction `json:"function"`
}

type chatCallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// chatResult is the result of a call.
type chatResult struct {
	Role    string `json:"role"`
	CallID  string `json:"tool_call_id"`
	Content string `json:"content"`
}

func (c *Chat) request(q dialogue.Question) chatRequest {
	r := chatRequest{Model: c.cfg.Model, Messages: chatMessages(q), Stream: true, StreamOptions: chatStreamOptions{IncludeUsage: true},
		Temperature: q.Temperature, Stop: q.Stop}
	if c.cfg.BaseURL == DefaultBaseURL {
		r.MaxCompletionTokens = q.MaxTokens
	} else {
		r.MaxTokens = q.MaxTokens // the name that every server knows
	}
	for _, t := range q.Tools {
		r.Tools = append(r.Tools, chatTool{typeFunction, chatToolFunction{t.Name, t.Description, t.Schema}})
	}
	if len(q.Tools) > 0 && !q.MayCall {
		r.ToolChoice = none
	}
	if f := q.Format; f != nil {
		r.ResponseFormat = &chatFormat{schemaFormat{f.Name, true, f.Schema}, "json_schema"}
	}
	return r
}

func chatMessages(q dialogue.Question) []any {
	var out []any
	if q.System != "" {
		out = append(out, chatText{"system", q.System})
	}
	for _, t := range q.Turns {
		switch {
		case len(t.Calls) > 0:
			said := chatCalls{Role: "assistant"}
			for _, call := range t.Calls {
				said.Calls = append(said.Calls, chatToolCall{call.ID, typeFunction, chatCallFunction{call.Tool, string(call.Params)}})
			}
			out = append(out, said)
		case len(t.Results) > 0:
			for _, r := range t.Results {
				out = append(out, chatResult{"tool", r.CallID, r.Text})
			}
		case len(t.Pictures) == 0:
			out = append(out, chatText{"user", t.Text})
		default:
			shown := chatPictures{Role: "user"}
			for _, p := range t.Pictures {
				shown.Content = append(shown.Content, chatImagePart{"image_url", chatImage{dataURL(p)}})
			}
			shown.Content = append(shown.Content, chatTextPart{"text", t.Text})
			out = append(out, shown)
		}
	}
	return out
}

// Package anthropic puts questions to the models of Anthropic: the Messages API,
// streamed. Other servers that speak it are asked alike.
package anthropic

import (
	"context"
	"net/http"
	"time"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
)

// DefaultBaseURL is where Anthropic serves its models.
const DefaultBaseURL = "https://api.anthropic.com/"

// version is that of the API which is spoken here.
const version = "2023-06-01"

// Config is which model is asked, and where.
type Config struct {
	Name    string // of the model, in errors
	Model   string // as the API knows it
	BaseURL string // default: DefaultBaseURL
	Key     string // may be empty
	Now     func() time.Time
}

// Client asks one model.
type Client struct {
	cfg Config
	api *wire.Client
}

var _ dialogue.Client = (*Client)(nil)

// New makes a client. Nothing is sent.
func New(cfg Config) *Client {
	if cfg.BaseURL == "" {
		cfg.BaseURL = DefaultBaseURL
	}
	header := http.Header{}
	header.Set("Anthropic-Version", version)
	if cfg.Key != "" {
		header.Set("X-Api-Key", cfg.Key)
	}
	return &Client{cfg, wire.New(wire.Config{Name: cfg.Name, BaseURL: cfg.BaseURL, Header: header, Now: cfg.Now})}
}

// Close lets go of idle connections.
func (c *Client) Close() { c.api.Close() }

// Ask puts a question once.
func (c *Client) Ask(ctx context.Context, q dialogue.Question) (dialogue.Answer, error) {
	ask := request{prompt: c.prompt(q), MaxTokens: q.MaxTokens, Stream: true}
	var heard listener
	for e, err := range wire.Events[event](ctx, c.api, "v1/messages", ask) {
		if err != nil {
			return heard.answer(), err
		}
		if heard.take(e); heard.over {
			return heard.answer(), nil
		}
	}
	return heard.answer(), dialogue.Cut(c.cfg.Name)
}

// Count asks the API what a question takes.
func (c *Client) Count(ctx context.Context, q dialogue.Question) (int, bool) {
	var got struct {
		InputTokens int `json:"input_tokens"`
	}
	err := c.api.Call(ctx, "v1/messages/count_tokens", c.prompt(q), &got)
	return got.InputTokens, err == nil && got.InputTokens > 0 // else whoever asks can estimate
}

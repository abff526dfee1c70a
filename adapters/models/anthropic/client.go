// Package anthropic puts questions to the models of Anthropic: the Messages API,
// streamed. Other servers that speak it are asked alike.
package anthropic

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
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
	api   *wire.Client
	cfg   Config
	aloud atomic.Bool // see dialogue.NewDraft
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
	return &Client{cfg: cfg, api: wire.New(wire.Config{Name: cfg.Name, BaseURL: cfg.BaseURL, Header: header, Now: cfg.Now})}
}

// Close lets go of idle connections.
func (c *Client) Close() { c.api.Close() }

// Ask puts a question once.
func (c *Client) Ask(ctx context.Context, q dialogue.Question, tell dialogue.Tell) (dialogue.Answer, error) {
	ask := request{prompt: c.prompt(q), MaxTokens: q.MaxTokens, Stream: true, Temperature: q.Temperature, Stop: q.Stop}
	heard := newListener(dialogue.NewDraft(q, tell, &c.aloud))
	return wire.Hear(ctx, c.api, "v1/messages", ask, heard.Draft, heard.take)
}

// List asks the API which models there are, page by page.
func (c *Client) List(ctx context.Context) ([]dialogue.Listed, error) {
	const page = "v1/models?limit=1000"
	var out []dialogue.Listed
	for path := page; ; {
		var got struct {
			Data []struct {
				ID        string `json:"id"`
				Name      string `json:"display_name"`
				Context   int    `json:"max_input_tokens"`
				MaxOutput int    `json:"max_tokens"`
			} `json:"data"`
			More bool   `json:"has_more"`
			Last string `json:"last_id"`
		}
		if err := c.api.Get(ctx, path, &got); err != nil {
			return nil, err
		}
		for _, m := range got.Data {
			out = append(out, dialogue.Listed{ID: m.ID, Name: m.Name, Context: m.Context, MaxOutput: m.MaxOutput})
		}
		if !got.More || got.Last == "" || len(got.Data) == 0 || len(out) >= dialogue.MaxListed {
			return out, nil
		}
		path = page + "&after_id=" + url.QueryEscape(got.Last)
	}
}

// Count asks the API what a question takes.
func (c *Client) Count(ctx context.Context, q dialogue.Question) (int, bool) {
	var got struct {
		InputTokens int `json:"input_tokens"`
	}
	err := c.api.Call(ctx, "v1/messages/count_tokens", c.prompt(q), &got)
	return got.InputTokens, err == nil && got.InputTokens > 0 // else whoever asks can estimate
}

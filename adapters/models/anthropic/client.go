// Package anthropic puts questions to the models of Anthropic, through its
// official SDK: the Messages API, streamed.
//
// The SDK's own retries, environment variables and tracing are off: what is sent,
// and how often, is decided by who asks.
package anthropic

import (
	"context"
	"errors"
	"net/http"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"chalie/adapters/models/dialogue"
)

// DefaultBaseURL is where Anthropic serves its models.
const DefaultBaseURL = "https://api.anthropic.com/"

// Config is which model is asked, and where.
type Config struct {
	Name    string // of the model, in errors
	Model   string // as the API knows it
	BaseURL string // default: DefaultBaseURL
	Key     string
	Now     func() time.Time // for dates in Retry-After; default time.Now
}

// Client asks one model.
type Client struct {
	cfg      Config
	http     *http.Client
	messages sdk.MessageService
}

var _ dialogue.Client = (*Client)(nil)

// New makes a client. Nothing is sent.
func New(cfg Config) *Client {
	if cfg.BaseURL == "" {
		cfg.BaseURL = DefaultBaseURL
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Client{cfg: cfg, http: dialogue.NewHTTPClient()}
	// The service is made without the SDK's client, which would look for keys and
	// addresses in the environment by itself.
	c.messages = sdk.NewMessageService(
		option.WithHTTPClient(c.http), option.WithBaseURL(cfg.BaseURL), option.WithAPIKey(cfg.Key),
		option.WithMaxRetries(0), option.WithoutOpenTelemetry(),
	)
	return c
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Ask puts a question once.
func (c *Client) Ask(ctx context.Context, q dialogue.Question) (dialogue.Answer, error) {
	stream := c.messages.NewStreaming(ctx, c.params(q))
	defer func() { _ = stream.Close() }()
	var heard listener
	for !heard.over && stream.Next() {
		heard.take(stream.Current())
	}
	answer := heard.answer()
	switch err := stream.Err(); {
	case err != nil:
		return answer, c.fault(err)
	case !heard.over:
		return answer, dialogue.Cut(c.cfg.Name)
	}
	return answer, nil
}

// Count asks the API what a question takes.
func (c *Client) Count(ctx context.Context, q dialogue.Question) (int, bool) {
	p := c.params(q)
	count := sdk.MessageCountTokensParams{Messages: p.Messages, Model: p.Model,
		System: sdk.MessageCountTokensParamsSystemUnion{OfTextBlockArray: p.System}, ToolChoice: p.ToolChoice, OutputConfig: p.OutputConfig}
	for _, t := range p.Tools {
		count.Tools = append(count.Tools, sdk.MessageCountTokensToolUnionParam{OfTool: t.OfTool})
	}
	got, err := c.messages.CountTokens(ctx, count)
	if err != nil || got.InputTokens <= 0 {
		return 0, false // whoever asks can estimate
	}
	return int(got.InputTokens), true
}

// statuses are the HTTP statuses of errors that come within a stream, where it is
// too late for one.
func statusOf(kind string, status int) int {
	if status >= http.StatusBadRequest {
		return status
	}
	switch kind {
	case "invalid_request_error":
		return http.StatusBadRequest
	case "authentication_error":
		return http.StatusUnauthorized
	case "billing_error":
		return http.StatusPaymentRequired
	case "permission_error":
		return http.StatusForbidden
	case "not_found_error":
		return http.StatusNotFound
	case "request_too_large":
		return http.StatusRequestEntityTooLarge
	case "rate_limit_error":
		return http.StatusTooManyRequests
	case "overloaded_error":
		return 529
	}
	return http.StatusInternalServerError
}

func (c *Client) fault(err error) error {
	refused, ok := errors.AsType[*sdk.Error](err)
	if !ok {
		return dialogue.Broken(c.cfg.Name, err)
	}
	kind := string(refused.Type())
	r := dialogue.Refusal{Model: c.cfg.Name, Status: statusOf(kind, refused.StatusCode), Kind: kind, Message: messageOf(refused.RawJSON())}
	if refused.Response != nil {
		r.Header = refused.Response.Header
	}
	return r.Error(c.cfg.Now())
}

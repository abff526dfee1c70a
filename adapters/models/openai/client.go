// Package openai puts questions to the models of OpenAI, and to servers that
// speak like OpenAI's, through its official SDK. There are two ways: Responses,
// which OpenAI's own models want for tools, and Chat, which is what everybody
// else (Ollama among them) understands. Both are streamed, and neither keeps
// anything at the provider.
//
// The SDK's own retries and environment variables are off: what is sent, where,
// with which key, and how often, is decided by who asks.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"chalie/adapters/models/dialogue"
)

// DefaultBaseURL is where OpenAI serves its models.
const DefaultBaseURL = "https://api.openai.com/v1/"

// Config is which model is asked, and where.
type Config struct {
	Name    string // of the model, in errors
	Model   string // as the API knows it
	BaseURL string // default: DefaultBaseURL
	Key     string // may be empty
	Now     func() time.Time
}

func (c Config) withDefaults() Config {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// options are those of a service that is made without the SDK's client, which
// would look for keys and addresses in the environment by itself.
func (c Config) options(client *http.Client) []option.RequestOption {
	out := []option.RequestOption{option.WithHTTPClient(client), option.WithBaseURL(c.BaseURL), option.WithMaxRetries(0)}
	if c.Key != "" {
		out = append(out, option.WithAPIKey(c.Key))
	}
	return out
}

// fault puts an SDK's error in words.
func (c Config) fault(ctx context.Context, err error) error {
	if refused, ok := errors.AsType[*sdk.Error](err); ok {
		r := dialogue.Refusal{Model: c.Name, Status: refused.StatusCode, Kind: kindOf(refused.Code, refused.Type), Message: refused.Message}
		if refused.Response != nil {
			r.Header = refused.Response.Header
		}
		return r.Error(c.Now())
	}
	if within, ok := errors.AsType[*ssestream.StreamError](err); ok && ctx.Err() == nil {
		return c.within(within.Event.Data)
	}
	return dialogue.Broken(c.Name, err)
}

// within is the error of an event in a stream, where it is too late for an HTTP
// status.
func (c Config) within(event []byte) error {
	var e struct {
		Error json.RawMessage `json:"error"`
	}
	var detail struct {
		Code    any    `json:"code"`
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(event, &e) == nil && json.Unmarshal(e.Error, &detail) != nil {
		_ = json.Unmarshal(e.Error, &detail.Message) // some servers send a text
	}
	code, _ := detail.Code.(string)
	return c.failed(kindOf(code, detail.Type), detail.Message)
}

// failed is the error of a kind that came without a status.
func (c Config) failed(kind, message string) error {
	status := http.StatusInternalServerError
	switch kind {
	case "rate_limit_exceeded", "rate_limit_error":
		status = http.StatusTooManyRequests
	case "invalid_request_error", "invalid_prompt", "context_length_exceeded", "content_filter":
		status = http.StatusBadRequest
	case "invalid_api_key", "authentication_error":
		status = http.StatusUnauthorized
	case "model_not_found":
		status = http.StatusNotFound
	}
	return dialogue.Refusal{Model: c.Name, Status: status, Kind: kind, Message: message}.Error(c.Now())
}

// kindOf prefers the more telling of the two names an error has.
func kindOf(code, typ string) string {
	if code != "" {
		return code
	}
	return typ
}

// Package openai puts questions to the models of OpenAI, and to servers that
// speak like OpenAI's. There are two ways: Responses, which OpenAI's own models
// want for tools, and Chat, which is what everybody else (Ollama among them)
// understands. Both are streamed, and neither keeps anything at the provider.
package openai

import (
	"context"
	"encoding/base64"
	"net/http"
	"time"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/wire"
	"chalie/domain"
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
	return c
}

// api is what asks for a client of this configuration.
func (c Config) api() *wire.Client {
	header := http.Header{}
	if c.Key != "" {
		header.Set("Authorization", "Bearer "+c.Key)
	}
	return wire.New(wire.Config{Name: c.Name, BaseURL: c.BaseURL, Header: header, Now: c.Now})
}

// listed asks an API which models there are.
func listed(ctx context.Context, api *wire.Client) ([]dialogue.Listed, error) {
	var got struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := api.Get(ctx, "models", &got); err != nil {
		return nil, err
	}
	var out []dialogue.Listed
	for _, m := range got.Data[:min(len(got.Data), dialogue.MaxListed)] {
		out = append(out, dialogue.Listed{ID: m.ID})
	}
	return out, nil
}

// schemaFormat is the format of an answer that is JSON of a schema.
type schemaFormat struct {
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema map[string]any `json:"schema"`
}

// typeFunction is the type of the only tools there are.
const typeFunction = "function"

// none in place of a choice of tools allows none of them.
const none = "none"

func dataURL(p dialogue.Picture) string {
	return "data:" + p.MediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Bytes)
}

// cachedTokens is the part of a count that a cache had.
type cachedTokens struct {
	Cached int `json:"cached_tokens"`
}

// used are the tokens of an answer. What a cache had counts as input here.
func used(input int, of cachedTokens, output int) domain.Usage {
	return domain.Usage{InputTokens: input - of.Cached, OutputTokens: output, CacheReadTokens: of.Cached}
}

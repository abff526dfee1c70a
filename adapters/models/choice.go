package models

import (
	"fmt"
	"net/url"
	"strings"

	"chalie/domain"
)

// Provider is whose model it is, and so which API it speaks.
type Provider string

// The providers.
const (
	Anthropic Provider = "anthropic"
	OpenAI    Provider = "openai" // and every server that speaks like it
	Ollama    Provider = "ollama" // on one's own machine, without a key
)

// ollamaBaseURL is where Ollama listens unless told otherwise.
const ollamaBaseURL = "http://127.0.0.1:11434/v1/"

// Choice is one model and how to reach it.
type Choice struct {
	Provider Provider
	Model    string // as the provider names it
	BaseURL  string // "" for the provider's own; otherwise it ends in /
	Key      Secret
	KeyFrom  string // where the key comes from, in words; "" without one
	Traits   Traits
	Style    Style
	// Responses says that a server of one's own speaks OpenAI's Responses API.
	Responses bool
}

// Style is how a model is asked to answer.
type Style struct {
	// Temperature is how freely it answers: 0 is the most predictable. nil leaves it to the
	// provider.
	Temperature *float64
	// Stop are texts before which its answers to messages end; at most maxStops.
	Stop []string
}

// Bounds of a Style.
const (
	maxTemperature = 2.0 // Anthropic takes 1 at most
	maxStops       = 4   // OpenAI takes no more
	maxStopBytes   = 64
)

// check returns a validation error about what the provider of a model doesn't take.
func (s Style) check(op, model string, p Provider) error {
	most := maxTemperature
	if p == Anthropic {
		most = 1
	}
	if t := s.Temperature; t != nil && !(*t >= 0 && *t <= most) {
		return domain.Invalid(op, "temperature", fmt.Sprintf("%s has a temperature of %g: give one from 0 to %g", model, *t, most))
	}
	if len(s.Stop) > maxStops {
		return domain.Invalid(op, "stop", fmt.Sprintf("%s has %d stop sequences: give %d at most", model, len(s.Stop), maxStops))
	}
	for _, sequence := range s.Stop {
		if strings.TrimSpace(sequence) == "" || len(sequence) > maxStopBytes {
			return domain.Invalid(op, "stop", fmt.Sprintf("%s has the stop sequence %q: give texts of 1 to %d bytes that aren't blank", model, sequence, maxStopBytes))
		}
	}
	return nil
}

// Name is how the model is called in the log and on the command line.
func (c Choice) Name() string { return string(c.Provider) + "/" + c.Model }

// NeedsKey reports whether it can't be asked without one: a server of one's own
// may do without.
func (c Choice) NeedsKey() bool { return c.Provider != Ollama && c.BaseURL == "" }

const choiceForm = "write PROVIDER:MODEL, such as anthropic:claude-sonnet-5-5, openai:gpt-6-sol or ollama:llama3.1, and @URL behind it for a server of your own"

// ParseChoice reads PROVIDER:MODEL or PROVIDER:MODEL@URL, with what is known of
// the model and without a key. The error is a validation error.
func ParseChoice(text string) (Choice, error) {
	const op = "choose model"
	provider, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
	if !ok {
		return Choice{}, domain.Invalid(op, "model", fmt.Sprintf("%q names no model: %s", text, choiceForm))
	}
	c := Choice{Provider: Provider(provider), Model: rest}
	switch c.Provider {
	case Anthropic, OpenAI:
	case Ollama:
		c.BaseURL = ollamaBaseURL
	default:
		return Choice{}, domain.Invalid(op, "model", fmt.Sprintf("%q is no provider: %s", provider, choiceForm))
	}
	if at := strings.LastIndex(rest, "@http"); at >= 0 {
		base, err := baseURL(rest[at+1:], c.Provider)
		if err != nil {
			return Choice{}, err
		}
		c.Model, c.BaseURL = rest[:at], base
	}
	if c.Model == "" || len(c.Name()) > domain.MaxNameBytes || strings.ContainsFunc(c.Model, unnameable) {
		return Choice{}, domain.Invalid(op, "model", fmt.Sprintf("%q names no model: %s", text, choiceForm))
	}
	c.Traits = traitsOf(c)
	return c, nil
}

// unnameable reports whether a name of a model can't have a character.
func unnameable(r rune) bool { return r <= ' ' || r == ',' || r == 0x7f }

// String is how it is chosen: PROVIDER:MODEL, and @URL behind it for a server of one's own.
func (c Choice) String() string {
	out := string(c.Provider) + ":" + c.Model
	if c.BaseURL != "" && c.BaseURL != ollamaBaseURL {
		out += "@" + strings.TrimSuffix(c.BaseURL, "/")
	}
	return out
}

// baseURL checks an address and completes it: without a path it gets that of
// OpenAI's API.
func baseURL(text string, provider Provider) (string, error) {
	const op = "choose model"
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", domain.Invalid(op, "model", "the address of a model must be a URL such as http://127.0.0.1:11434")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", domain.Invalid(op, "model", "the address of a model must have no password, query or fragment: a key belongs into the environment or the file of models")
	}
	if strings.Trim(u.Path, "/") == "" && provider != Anthropic {
		u.Path = "/v1"
	}
	u.Path = strings.TrimRight(u.Path, "/") + "/"
	return u.String(), nil
}

// ParseChoices reads a list of them, separated by commas.
func ParseChoices(text string) ([]Choice, error) {
	var out []Choice
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		c, err := ParseChoice(part)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

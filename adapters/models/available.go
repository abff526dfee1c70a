package models

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// Available is a model that a provider has.
type Available struct {
	Choice Choice // by which it is chosen, with what is known of it
	Name   string // for a person; the model's own when the provider gives none
}

// listWithin bounds how long a provider may take to list its models.
const listWithin = 30 * time.Second

// List asks the provider of a choice which models it has, by name. Only the address and the
// key of the choice count. Errors are terminal, and say for a person what to do.
func List(ctx context.Context, of Choice) ([]Available, error) {
	const op = "list models"
	who := string(of.Provider)
	if of.BaseURL != "" && of.BaseURL != ollamaBaseURL {
		who += " at " + of.BaseURL
	}
	if of.NeedsKey() && of.Key.IsZero() {
		return nil, domain.Invalid(op, "key", fmt.Sprintf("%s lists its models only with a key: set %s, or write the key into the file of models", who, keyVariable(of.Provider)))
	}
	ctx, cancel := context.WithTimeout(ctx, listWithin)
	defer cancel()
	client := newClient(of, who)
	defer client.Close()
	list, err := client.List(ctx)
	if err != nil {
		return nil, listFault(ctx, of, who, err)
	}
	out := make([]Available, 0, len(list))
	for _, m := range list {
		c := of
		c.Model, c.Style, c.Responses = m.ID, Style{}, of.Responses
		if c.Model == "" || len(c.Name()) > domain.MaxNameBytes || strings.ContainsFunc(c.Model, unnameable) {
			continue // it couldn't be chosen
		}
		c.Traits = traitsOf(c)
		set(&c.Traits.Context, known(m.Context))
		out = append(out, Available{c, cmp.Or(printable(m.Name), m.ID)})
	}
	domain.SortFunc(out, func(a, b Available) int { return cmp.Compare(a.Choice.Model, b.Choice.Model) })
	return out, nil
}

func known(tokens int) *int {
	if tokens <= 0 {
		return nil
	}
	return &tokens
}

// printable is a provider's name for a model in one line.
func printable(name string) string {
	return cut(strings.Join(strings.Fields(name), " "), domain.MaxNameBytes)
}

// listFault says what is wrong with asking a provider for its models.
func listFault(ctx context.Context, of Choice, who string, err error) error {
	out := domain.Error{Op: "list models", Category: domain.Dependency, Code: domain.CodeOf(err), Message: err.Error()}
	if e, ok := err.(*domain.Error); ok { //nolint:errorlint // a client's errors are these
		out.Message = e.Message
	}
	switch {
	case ctx.Err() != nil:
		out.Code, out.Message = dialogue.CodeUnreachable, fmt.Sprintf("%s did not list its models within %s: see whether it is there, and try again", who, listWithin)
	case out.Code == dialogue.CodeUnknown || out.Code == dialogue.CodeRefused:
		out.Message = who + " lists no models at this address: check it, or take a name from its own pages"
	case out.Code == dialogue.CodeUnreachable && of.Provider == Ollama:
		out.Message += "; `ollama serve` starts it"
	case out.Code == dialogue.CodeUnreachable:
		out.Message += ": check the address and the connection, and try again"
	}
	out.Message = of.Key.scrubbed(out.Message)
	return &out
}

// Endpoint is the provider that a text names, PROVIDER or PROVIDER@URL, with its key: a choice
// without a model. The error is a validation error.
func (s Settings) Endpoint(text string) (Choice, error) {
	s = s.withEnvironment()
	provider, at, own := strings.Cut(strings.TrimSpace(text), "@")
	some := provider + ":model"
	if own {
		some += "@" + at
	}
	c, err := ParseChoice(some)
	if err != nil || c.Model != "model" {
		return Choice{}, domain.Invalid("list models", "provider", fmt.Sprintf("%q names no provider: write anthropic, openai or ollama, and @URL behind it for a server of your own", text))
	}
	file, err := readFile(s.File)
	if err != nil {
		return Choice{}, err
	}
	c.Model = ""
	for _, m := range file.Models {
		said, err := ParseChoice(m.Model)
		if err != nil || said.Provider != c.Provider || said.BaseURL != c.BaseURL {
			continue
		}
		if said, err = s.complete(said, file); err == nil && !said.Key.IsZero() {
			c.Key, c.KeyFrom = said.Key, said.KeyFrom
			return c, nil
		}
	}
	return s.complete(c, settingsFile{})
}

// Endpoints are the providers of the chosen models, each once, as Endpoint gives them.
func (c Chosen) Endpoints() []Choice {
	all := slices.Clone(c.Models)
	if c.Verifier != nil {
		all = append(all, *c.Verifier)
	}
	var out []Choice
	for _, one := range all {
		if !slices.ContainsFunc(out, func(o Choice) bool { return o.Provider == one.Provider && o.BaseURL == one.BaseURL }) {
			one.Model = ""
			out = append(out, one)
		}
	}
	return out
}

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/replay/explain"
)

// Bounds of completions.
const (
	maxCompletions   = 100 // the protocol's
	maxCompletedText = 120 // bytes of the words by which something is named
)

// lastTold names the last thing that was told, and of why-not the last that was kept back.
const lastTold = "last"

// complete completes what a prompt or the address of a resource takes: what can be asked about, by its
// words or its id.
func (c *client) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	of, err := completed(req.Params)
	if err != nil {
		return nil, err
	}
	begun := strings.ToLower(strings.TrimSpace(req.Params.Argument.Value))
	words, ids, err := c.askable(ctx, of)
	if err != nil {
		return nil, err
	}
	values := []string{}
	offer := func(value string, fits bool) {
		if fits && value != "" && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	offer(lastTold, strings.HasPrefix(lastTold, begun))
	for _, value := range words {
		offer(value, strings.Contains(strings.ToLower(value), begun))
	}
	for _, id := range ids {
		offer(id, strings.HasPrefix(id, begun))
	}
	out := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}
	if len(values) > maxCompletions {
		out.Completion.Values, out.Completion.HasMore = values[:maxCompletions], true
	}
	return out, nil
}

// completed is the resource whose name is completed: that of a template, or what a prompt is made of.
func completed(p *mcp.CompleteParams) (resource, error) {
	switch p.Ref.Type {
	case "ref/prompt":
		if p.Ref.Name == promptWhy && p.Argument.Name == argumentWhat {
			return whyResource(), nil
		}
	case "ref/resource":
		for _, r := range resources {
			if p.Ref.URI == scheme+r.uri && strings.Contains(r.uri, "{"+p.Argument.Name+"}") {
				return r, nil
			}
		}
	}
	return resource{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(
		"nothing is completed for %s of %s: prompts/list and resources/templates/list say what takes an argument", clip(p.Argument.Name), clip(p.Ref.Name+p.Ref.URI))}
}

// askable are the words and the ids of what can be asked about, the newest first. What is named by its
// words alone is only what is found by them.
func (c *client) askable(ctx context.Context, of resource) (words, ids []string, err error) {
	var latest explain.Latest
	var plans api.Plans
	var lately api.TracePage
	for path, into := range map[string]any{"/api/why?limit=20": &latest, "/api/plans": &plans, "/api/traces?limit=100": &lately} {
		answer, err := c.get(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal(answer, into); err != nil {
			return nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "what was read could not be put into words"}
		}
	}
	if strings.HasPrefix(of.uri, "why-not/") {
		for _, kept := range latest.Kept {
			words, ids = append(words, begins(kept.Label)), append(ids, kept.ID.UUID())
		}
		for _, p := range slices.Concat(plans.Reminders, plans.Appointments, plans.Tasks) {
			words, ids = append(words, begins(p.Text)), append(ids, p.ID.UUID())
		}
		for _, o := range c.server.cfg.Tools.Offers() {
			words = append(words, o.Name)
		}
		return words, ids, nil
	}
	for _, told := range latest.Told {
		words, ids = append(words, begins(told.Said)), append(ids, told.ID.UUID())
	}
	for _, name := range c.names(plans) {
		if isSaid(name, latest.Told) {
			words = append(words, name)
		}
	}
	for _, t := range lately.Traces {
		ids = append(ids, t.TraceID.UUID())
	}
	return words, ids, nil
}

// names are those of plans, lists and interfaces.
func (c *client) names(plans api.Plans) (names []string) {
	for _, p := range slices.Concat(plans.Reminders, plans.Appointments, plans.Tasks) {
		names = append(names, begins(p.Text))
	}
	for _, list := range plans.Lists {
		names = append(names, begins(list.Name))
	}
	for _, o := range c.server.cfg.Tools.Offers() {
		if !o.IsOwn() {
			names = append(names, begins(o.Interface.Name))
		}
	}
	return names
}

// isSaid reports whether something that was told has all words of a name, so that it is found by them.
func isSaid(name string, told []explain.Told) bool {
	words := bynames.TellingWords(name)
	return len(words) > 0 && slices.ContainsFunc(told, func(t explain.Told) bool { return bynames.HasAll(bynames.TellingWords(t.Said), words) })
}

// begins is a text on one line, as far as it is short, and no half of a word; "" of what names nothing.
func begins(text string) string {
	text = oneLine(text)
	if strings.IndexFunc(text, unicode.IsLetter) < 0 || domain.ShownText(text) != text {
		return ""
	}
	if len(text) <= maxCompletedText {
		return strings.TrimSuffix(text, "…")
	}
	return text[:max(strings.LastIndexByte(text[:maxCompletedText], ' '), 0)]
}

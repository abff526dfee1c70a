package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// offered are the tools that a client was told of, by the names it calls them.
type offered map[string]shownTool

type shownTool struct {
	offer string // the name by which it is invoked
	told  []byte // as the client was told
}

// MaxToolName bounds a tool's name by what the strictest models take.
const MaxToolName = 64

// ownTools are the tools of this package, which no offer may take the name of.
const (
	toolAsk     = "ask_chalie"
	toolTell    = "tell_person"
	toolOutcome = "outcome_of"
)

// sync brings the tools up to date with what is offered now. Open sessions are told when
// anything has changed.
func (c *client) sync() {
	now := offered{}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.syncSpeech()
	for _, o := range c.server.cfg.Tools.Offers() {
		answers := c.server.shapeOf(o)
		described := c.describe(o)
		described.OutputSchema = answers.declared()
		described.Name = nameOf(o.Name, func(name string) bool {
			_, taken := now[name]
			return taken || name == toolAsk || name == toolTell || name == toolOutcome
		})
		told, err := json.Marshal(described)
		if err != nil {
			c.server.cfg.Logger.Warn("a tool can't be offered to programs that speak MCP", "tool", o.Name, "err", err)
			continue
		}
		now[described.Name] = shownTool{o.Name, told}
		if before, ok := c.offers[described.Name]; ok && before.offer == o.Name && bytes.Equal(before.told, told) {
			continue
		}
		c.mcp.AddTool(described, c.calls(o.Name, answers))
	}
	var gone []string
	for name := range c.offers {
		if _, still := now[name]; !still {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		c.mcp.RemoveTools(gone...)
	}
	c.offers = now
}

// nameOf is the name of a tool as clients take it: letters, digits, dashes and underscores, 64
// at most. What has to be replaced or cut, or is taken, ends in a part of a hash, so that it
// stays the same whatever else is offered.
func nameOf(offer string, taken func(string) bool) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, offer)
	if len(name) <= MaxToolName && strings.ReplaceAll(offer, ".", "_") == name && !taken(name) {
		return name
	}
	const digits = 8
	sum := sha256.Sum256([]byte(offer))
	return name[:min(len(name), MaxToolName-digits-1)] + "_" + hex.EncodeToString(sum[:])[:digits]
}

// describe is a tool as clients are told of it, but for its name. What is said of its effects
// is what the policy goes by.
func (c *client) describe(o domain.Offer) *mcp.Tool {
	m := c.server.cfg.Tools.Manifest(o)
	var says strings.Builder
	says.WriteString(strings.TrimSpace(o.Tool.Description))
	if o.Tool.Documentation != "" {
		says.WriteString("\n\n" + strings.TrimSpace(o.Tool.Documentation))
	}
	if !o.IsOwn() {
		fmt.Fprintf(&says, "\n\nOffered by %s, which is paired with Chalie.", o.Interface.Name)
	}
	for _, warning := range o.Tool.Warnings() {
		says.WriteString("\n\nChalie's note: " + warning)
	}
	if m.SideEffects || m.RequiresApproval {
		says.WriteString("\n\nIt may wait for the person's approval, and then says so.")
	}
	open, destructive := !o.IsOwn(), m.SideEffects
	return &mcp.Tool{
		Title: o.Name, Description: strings.TrimSpace(says.String()), InputSchema: schemaOf(o.Tool),
		Annotations: &mcp.ToolAnnotations{Title: o.Name, ReadOnlyHint: !m.SideEffects, DestructiveHint: &destructive, OpenWorldHint: &open},
	}
}

// schemaOf is the JSON Schema of a tool's parameters: its own, where it has one.
func schemaOf(t domain.Tool) map[string]any {
	var own map[string]any
	d := json.NewDecoder(bytes.NewReader(t.Schema))
	d.UseNumber() // what it says of large ones is exact
	if len(t.Schema) > 0 && d.Decode(&own) == nil && own != nil {
		own["type"] = "object"
		return own
	}
	properties, required := map[string]any{}, []string{}
	for _, p := range t.Parameters {
		one := map[string]any{}
		if p.Type != domain.TypeAny {
			one["type"] = string(p.Type)
		}
		if p.Description != "" {
			one["description"] = p.Description
		}
		properties[p.Name] = one
		if p.Required {
			required = append(required, p.Name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// zoneKey is the context's key for where the program of a connection is.
type zoneKey struct{}

// zoneOf is where the device is that a request comes from: over HTTP each says it, and over a
// connection its opening did. "" when that isn't known.
func zoneOf(ctx context.Context, req *mcp.CallToolRequest) string {
	if extra := req.GetExtra(); extra != nil && extra.Header != nil {
		return extra.Header.Get(api.TimezoneHeader)
	}
	zone, _ := ctx.Value(zoneKey{}).(string)
	return zone
}

// calls is the handler of a tool.
func (c *client) calls(offer string, answers shape) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		who, ok := c.caller()
		if !ok {
			return failed(shutOut(c.name)), nil
		}
		who.Zone = zoneOf(ctx, req)
		call := c.calling(req, who)
		call.answers = answers
		defer call.progress.during(ctx, "calling "+offer)()
		asking, stop := cancelling(ctx)
		defer stop()
		out, err := c.server.cfg.Tools.Invoke(asking, who, tool.Invocation{Tool: offer, Params: argumentsOf(req), Channel: domain.ChannelMCP})
		if err != nil {
			return failed(err), nil
		}
		switch out.Outcome {
		case domain.ApprovalProposedType:
			return call.outcome(ctx, out.ID, c.server.cfg.ApproveWithin)
		case domain.ToolCompletedType:
			return answers.answered(ctx, out.ID, domain.ToolCompleted{Text: out.Result.Text, Data: out.Result.Data, Error: out.Result.Error, Blocks: out.Result.Blocks, OpenURL: out.Result.OpenURL}), nil
		}
		return about(out.ID, problem(undone(out.Fault))), nil
	}
}

// undone says why a call brought no answer, and what may be done about it.
func undone(f *domain.Fault) string {
	switch {
	case f == nil || f.Message == "":
		return "The tool gave no answer, and nothing says why: ask " + toolOutcome + " with the id of the call."
	case f.Code == domain.CodeDenied:
		return f.Message + ". It will be denied again: the person can change that with `chalie policy`, or do it in Chalie themselves."
	}
	return f.Message
}

// cancelling is a call's context as those know it who work for it: the end of a request is the
// word that nobody wants it any more.
func cancelling(ctx context.Context) (asking context.Context, stop func()) {
	asking, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(ctx, func() { cancel(commands.ErrCancelled) })
	return asking, func() {
		unwatch()
		cancel(nil)
	}
}

// argumentsOf are the arguments of a call; none are an empty object.
func argumentsOf(req *mcp.CallToolRequest) json.RawMessage {
	if len(req.Params.Arguments) == 0 || string(req.Params.Arguments) == "null" {
		return nil
	}
	return req.Params.Arguments
}

// answered is a tool's answer.
func (s shape) answered(ctx context.Context, id domain.ID, a domain.ToolCompleted) *mcp.CallToolResult {
	texts := said(a)
	if a.OpenURL != nil {
		texts = append(texts, "To be opened: "+*a.OpenURL)
	}
	// Clients that read no structured content read it as text.
	data := bytes.TrimSpace(a.Data)
	if len(data) > 0 && string(data) != "null" && !slices.ContainsFunc(texts, func(text string) bool { return domain.SaysAll(text, data) }) {
		texts = append(texts, string(data))
	}
	if len(texts) == 0 {
		texts = []string{"Done."}
	}
	out := &mcp.CallToolResult{IsError: a.Error != nil, StructuredContent: s.structured(ctx, id, a, strings.Join(texts, "\n"))}
	for _, text := range texts {
		out.Content = append(out.Content, &mcp.TextContent{Text: text})
	}
	return about(id, out)
}

// said are the words of an answer. Some tools say what went wrong in their text, too.
func said(a domain.ToolCompleted) (texts []string) {
	text := ""
	switch {
	case a.Text != nil && strings.TrimSpace(*a.Text) != "":
		text = *a.Text
	case len(a.Blocks) > 0:
		text = domain.PlainText(a.Blocks)
	}
	if a.Error == nil {
		return appended(nil, text)
	}
	why, beside := domain.SaidOnce(text, *a.Error)
	return appended([]string{"It failed: " + cmp.Or(why, "it doesn't say why")}, beside)
}

// appended is a list with a text, if that says anything.
func appended(texts []string, text string) []string {
	if strings.TrimSpace(text) == "" {
		return texts
	}
	return append(texts, text)
}

// about says which invocation or exchange a result is of, for why.
func about(id domain.ID, r *mcp.CallToolResult) *mcp.CallToolResult {
	r.Meta = mcp.Meta{"chalie/id": id.UUID(), "chalie/why": whyURI(id)}
	return r
}

// problem is a result that says why there is none.
func problem(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// failed is the result of a call that was refused.
func failed(err error) *mcp.CallToolResult {
	out := problem(words(err))
	if e, ok := errors.AsType[*domain.Error](err); ok && e.RetryAfter > 0 {
		out.Content = append(out.Content, &mcp.TextContent{Text: fmt.Sprintf("Try again in %.0f s.", e.RetryAfter.Seconds())})
	}
	return out
}

// words are an error's text for the outside, without its cause.
func words(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return e.Message
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return "the call was given up"
	}
	return "something went wrong inside Chalie: its log says what"
}

package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/commands/screen"
	"chalie/domain"
	"chalie/domain/guard"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxPages bounds the pages that a list of tools comes in.
const maxPages = 32

// list asks a server for its tools.
func (s *session) list(ctx context.Context) ([]domain.Tool, error) {
	const op = "read tools"
	ctx, cancel := context.WithTimeout(ctx, s.cfg.AskWithin)
	defer cancel()
	tools := []domain.Tool{}
	var params mcp.ListToolsParams
	for range maxPages {
		page, err := s.mcp.ListTools(ctx, &params)
		if err != nil {
			return nil, s.asked(op, s.cfg.AskWithin, err)
		}
		for _, t := range page.Tools {
			tool, err := toolOf(t)
			if err != nil {
				return nil, failure(op, commands.CodePeerBadShape, s.name+" offers a tool that can't be taken: "+err.Error(), err)
			}
			tools = append(tools, tool)
		}
		if len(tools) > domain.MaxTools {
			break // judged below
		}
		if params.Cursor = page.NextCursor; params.Cursor == "" {
			if err := domain.CheckTools(tools); err != nil {
				return nil, failure(op, commands.CodePeerBadShape, s.name+" offers tools that can't be taken: "+commands.InWords(err), err)
			}
			return screen.Tools(tools), nil
		}
	}
	return nil, failure(op, commands.CodePeerTooLarge, fmt.Sprintf("%s offers more than %d tools, or lists them on more than %d pages", s.name, domain.MaxTools, maxPages), nil)
}

// toolOf is a tool as Chalie knows it. It asks for approval until its person says otherwise:
// what a server says of a tool allows nothing.
func toolOf(t *mcp.Tool) (domain.Tool, error) {
	schema, err := json.Marshal(t.InputSchema)
	if err != nil {
		return domain.Tool{}, err
	}
	out := domain.Tool{
		Name: t.Name, Description: t.Description, Documentation: titleOf(t), RequiresApproval: true, Hints: hintsOf(t.Annotations),
	}
	if t.OutputSchema != nil {
		if out.Returns, err = json.Marshal(t.OutputSchema); err != nil {
			return domain.Tool{}, err
		}
	}
	// What is kept is without secrets, and the pin has to be of what is kept.
	if schema, err = clean(schema); err != nil {
		return domain.Tool{}, err
	}
	if out.Returns, err = clean(out.Returns); err != nil {
		return domain.Tool{}, err
	}
	for _, text := range []*string{&out.Description, &out.Documentation} {
		*text = screen.Text(strings.ToValidUTF8(*text, "\uFFFD"))
	}
	var ok bool
	if out.Parameters, ok = domain.ParametersOf(schema); !ok {
		return domain.Tool{}, fmt.Errorf("the schema of the parameters of %s is none of an object", quoted(t.Name))
	}
	if domain.Nesting(schema) > domain.MaxNesting || domain.Nesting(out.Returns) > domain.MaxNesting {
		return domain.Tool{}, fmt.Errorf("a schema of %s nests more than %d deep", quoted(t.Name), domain.MaxNesting)
	}
	out.Schema = schema
	return out, nil
}

func clean(text json.RawMessage) (json.RawMessage, error) {
	if len(text) == 0 {
		return nil, nil
	}
	out, _ := guard.RedactJSON(text)
	if !json.Valid(out) {
		return nil, fmt.Errorf("a schema is no JSON")
	}
	return out, nil
}

func titleOf(t *mcp.Tool) string {
	if t.Title != "" || t.Annotations == nil {
		return t.Title
	}
	return t.Annotations.Title
}

// hintsOf are the hints that were given. Of the two that the protocol has a default for
// nobody can tell whether they were.
func hintsOf(a *mcp.ToolAnnotations) *domain.ToolHints {
	if a == nil {
		return nil
	}
	h := domain.ToolHints{Destructive: a.DestructiveHint, OpenWorld: a.OpenWorldHint}
	if a.ReadOnlyHint {
		h.ReadOnly = &a.ReadOnlyHint
	}
	if a.IdempotentHint {
		h.Idempotent = &a.IdempotentHint
	}
	if h == (domain.ToolHints{}) {
		return nil
	}
	return &h
}

// resultOf is an answer as Chalie keeps it: texts, and what is structured. Pictures, sounds
// and files are told and left out.
func resultOf(r *mcp.CallToolResult) (commands.Result, error) {
	var out commands.Result
	var parts []string
	for _, c := range r.Content {
		if text := textOf(c); text != "" {
			parts = append(parts, text)
		}
	}
	text := strings.ToValidUTF8(strings.Join(parts, "\n"), "\uFFFD")
	if text != "" {
		out.Text = &text
	}
	if r.StructuredContent != nil {
		data, err := json.Marshal(r.StructuredContent)
		if err != nil {
			return out, err
		}
		out.Data = data
	}
	switch {
	case r.IsError && text == "":
		text = "it failed, and says no more"
		fallthrough
	case r.IsError:
		out.Text, out.Error = nil, &text
	case r.NeedsInput():
		why := "it asks for more than a call can give it, which Chalie doesn't support"
		out.Error = &why
	}
	return out, nil
}

func textOf(c mcp.Content) string {
	switch c := c.(type) {
	case *mcp.TextContent:
		return c.Text
	case *mcp.ImageContent:
		return fmt.Sprintf("(A picture, %s, %d bytes, that isn't kept.)", c.MIMEType, len(c.Data))
	case *mcp.AudioContent:
		return fmt.Sprintf("(A recording, %s, %d bytes, that isn't kept.)", c.MIMEType, len(c.Data))
	case *mcp.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("%s: %s", c.Name, c.URI))
	case *mcp.EmbeddedResource:
		switch {
		case c.Resource == nil:
			return ""
		case c.Resource.Text != "":
			return c.Resource.URI + "\n" + c.Resource.Text
		}
		return fmt.Sprintf("(%s, %s, %d bytes, that isn't kept.)", c.Resource.URI, c.Resource.MIMEType, len(c.Resource.Blob))
	}
	return "(Something of a kind that Chalie doesn't know.)"
}

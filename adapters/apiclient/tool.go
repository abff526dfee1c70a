package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"chalie/domain"
)

// Tool is one that can be invoked now.
type Tool struct {
	Name          string             `json:"name"` // by which it is invoked
	InterfaceID   domain.ID          `json:"interface_id"`
	Interface     string             `json:"interface"` // the name of what offers it
	Tool          string             `json:"tool"`      // the interface's own name for it
	Description   string             `json:"description"`
	Documentation string             `json:"documentation"`
	Parameters    []domain.Parameter `json:"parameters"`
	Returns       json.RawMessage    `json:"returns"` // as the interface describes it; null without
	Manifest      domain.Manifest    `json:"manifest"`
	Flags         []domain.Flag      `json:"flags"` // what its own texts try
}

// GoesBy reports whether a name means the tool: the one it is listed under, or a
// qualified one.
func (t Tool) GoesBy(name string) bool {
	return name == t.Name || name == t.Interface+"."+t.Tool ||
		name == t.InterfaceID.UUID()+"."+t.Tool || name == t.InterfaceID.String()+"."+t.Tool
}

// Answer is what came of an invocation.
type Answer struct {
	InvocationID domain.ID       `json:"invocation_id"`
	Text         *string         `json:"text"`
	Data         json.RawMessage `json:"data"`  // an object or null
	Error        *string         `json:"error"` // the tool ran, and says that it failed
	Blocks       []domain.Block  `json:"blocks"`
	OpenURL      *string         `json:"open_url"`

	// Approval is "pending" while it waits for the person, until ExpiresAt.
	Approval  string        `json:"approval"`
	ExpiresAt domain.Millis `json:"expires_at"`
}

// Tools lists the tools that can be invoked now, by name.
func (c *Client) Tools(ctx context.Context) ([]Object[Tool], error) {
	list, err := get[struct {
		Tools []Object[Tool] `json:"tools"`
	}](ctx, c, "/api/tools", nil)
	return list.Tools, err
}

// NoAnswer says that an invocation brought no answer: it was denied, it failed,
// it could not be recorded, or nobody knows what came of it. What is known of it
// stands in the log under its id.
type NoAnswer struct {
	InvocationID domain.ID
	Text         json.RawMessage // the refusal as it came
	Err          *domain.Error
}

// CodeNobodyKnows is the code of an invocation that was called and of which nobody
// knows what came.
const CodeNobodyKnows domain.Code = "tool_outcome_unknown"

func (e *NoAnswer) Error() string { return e.Err.Error() }

func (e *NoAnswer) Unwrap() error { return e.Err }

// InvokeTool has a tool do something and waits for what comes of it. The tool's
// own failure stands in the answer. Of an invocation without an answer the error
// is a *NoAnswer; any other means that it was not asked, or that nobody can tell.
func (c *Client) InvokeTool(ctx context.Context, name string, params json.RawMessage) (Object[Answer], error) {
	return call[Object[Answer]](ctx, c, http.MethodPost, "/api/tools/"+url.PathEscape(name)+"/invoke", nil, map[string]json.RawMessage{"params": params})
}

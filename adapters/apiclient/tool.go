package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"chalie/adapters/api"
	"chalie/domain"
)

// GoesBy reports whether a name means the tool: the one it is listed under, or a
// qualified one.
func GoesBy(t api.Tool, name string) bool {
	if name == t.Name || name == t.Interface+"."+t.Tool {
		return true
	}
	return t.InterfaceID != nil && (name == t.InterfaceID.UUID()+"."+t.Tool || name == t.InterfaceID.ID.String()+"."+t.Tool)
}

// Answer is the result of an invocation.
type Answer struct {
	api.Invoked

	// Approval is "pending" while it waits for the person, until ExpiresAt.
	Approval  string        `json:"approval"`
	ExpiresAt domain.Millis `json:"expires_at"`
}

// Tools lists the tools that can be invoked now, by name.
func (c *Client) Tools(ctx context.Context) ([]Object[api.Tool], error) {
	list, err := get[struct {
		Tools []Object[api.Tool] `json:"tools"`
	}](ctx, c, "/api/tools", nil)
	return list.Tools, err
}

// NoAnswer says that an invocation brought no answer: it was denied, it failed,
// it could not be recorded, or nobody knows the result. What is known of it
// is in the log under its id.
type NoAnswer struct {
	InvocationID domain.ID
	Text         json.RawMessage // the refusal as it came
	Err          *domain.Error
}

func (e *NoAnswer) Error() string { return e.Err.Error() }

func (e *NoAnswer) Unwrap() error { return e.Err }

// InvokeTool has a tool do something and waits for what comes of it. The tool's
// own failure is in the answer. Of an invocation without an answer the error
// is a *NoAnswer; any other means that it was not asked, or that nobody can tell.
func (c *Client) InvokeTool(ctx context.Context, name string, params json.RawMessage) (Object[Answer], error) {
	return call[Object[Answer]](ctx, c, http.MethodPost, "/api/tools/"+url.PathEscape(name)+"/invoke", nil, map[string]json.RawMessage{"params": params})
}

package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/adapters/api"
)

// IssueToken lets a program in. The token's text is in this answer and nowhere
// else.
func (c *Client) IssueToken(ctx context.Context, name string, signals []string) (Object[api.IssuedToken], error) {
	if signals == nil {
		signals = []string{}
	}
	return call[Object[api.IssuedToken]](ctx, c, http.MethodPost, "/api/tokens", nil, api.TokenRequest{Name: name, Signals: signals})
}

// Tokens lists the programs that are let in.
func (c *Client) Tokens(ctx context.Context) ([]Object[api.Token], error) {
	list, err := get[struct {
		Tokens []Object[api.Token] `json:"tokens"`
	}](ctx, c, "/api/tokens", nil)
	return list.Tokens, err
}

// RevokeToken shuts a program out.
func (c *Client) RevokeToken(ctx context.Context, name string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/tokens/"+url.PathEscape(name), nil, nil)
	return err
}

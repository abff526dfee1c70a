package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/domain"
)

// Token is a program that is let in.
type Token struct {
	Name     string        `json:"name"`
	Text     string        `json:"token"`   // only in the answer that issues it
	Signals  []string      `json:"signals"` // what it may send; none means everything
	IssuedAt domain.Millis `json:"issued_at"`
}

// IssueToken lets a program in. The token's text is in this answer and nowhere
// else.
func (c *Client) IssueToken(ctx context.Context, name string, signals []string) (Object[Token], error) {
	if signals == nil {
		signals = []string{}
	}
	return call[Object[Token]](ctx, c, http.MethodPost, "/api/tokens", nil, map[string]any{"name": name, "signals": signals})
}

// Tokens lists the programs that are let in.
func (c *Client) Tokens(ctx context.Context) ([]Object[Token], error) {
	list, err := get[struct {
		Tokens []Object[Token] `json:"tokens"`
	}](ctx, c, "/api/tokens", nil)
	return list.Tokens, err
}

// RevokeToken shuts a program out.
func (c *Client) RevokeToken(ctx context.Context, name string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/tokens/"+url.PathEscape(name), nil, nil)
	return err
}

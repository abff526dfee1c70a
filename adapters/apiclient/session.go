package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/adapters/api"
)

// Sessions lists where the person is logged in.
func (c *Client) Sessions(ctx context.Context) ([]Object[api.Session], error) {
	list, err := get[struct {
		Sessions []Object[api.Session] `json:"sessions"`
	}](ctx, c, "/api/sessions", nil)
	return list.Sessions, err
}

// EndSession ends one session.
func (c *Client) EndSession(ctx context.Context, id string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/sessions/"+url.PathEscape(id), nil, nil)
	return err
}

// EndSessions ends all sessions, and tells how many that were.
func (c *Client) EndSessions(ctx context.Context) (int, error) {
	done, err := call[api.Ended](ctx, c, http.MethodDelete, "/api/sessions", nil, nil)
	return done.Ended, err
}

// SetPassword sets the account's password, ends every session, and tells how many that
// were. It is for the Unix socket, which asks for no present one.
func (c *Client) SetPassword(ctx context.Context, password string) (int, error) {
	done, err := call[api.Ended](ctx, c, http.MethodPut, "/api/account/password", nil, api.PasswordChange{Password: password})
	return done.Ended, err
}

// Register makes the one account, and logs in: the HTTP client's jar holds the session's
// cookie then, and the answer its key, if one was asked for.
func (c *Client) Register(ctx context.Context, as api.Credentials) (api.LoggedIn, error) {
	return call[api.LoggedIn](ctx, c, http.MethodPost, "/auth/register", nil, as)
}

package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/domain"
)

// Session is a browser or app in which the person is logged in.
type Session struct {
	ID        string        `json:"id"`
	OpenedAt  domain.Millis `json:"opened_at"`
	UsedAt    domain.Millis `json:"used_at"` // up to a day too early
	ExpiresAt domain.Millis `json:"expires_at"`
	Client    string        `json:"client"` // what it called itself
	From      string        `json:"from"`   // as of domain.Visitor
	Relayed   bool          `json:"relayed"`
}

// Sessions lists where the person is logged in.
func (c *Client) Sessions(ctx context.Context) ([]Object[Session], error) {
	list, err := get[struct {
		Sessions []Object[Session] `json:"sessions"`
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
	done, err := call[struct {
		Ended int `json:"ended"`
	}](ctx, c, http.MethodDelete, "/api/sessions", nil, nil)
	return done.Ended, err
}

// SetPassword sets the account's password, ends every session, and tells how many that
// were. It is for the Unix socket, which asks for no present one.
func (c *Client) SetPassword(ctx context.Context, password string) (int, error) {
	done, err := call[struct {
		Ended int `json:"ended"`
	}](ctx, c, http.MethodPut, "/api/account/password", nil, map[string]string{"password": password})
	return done.Ended, err
}

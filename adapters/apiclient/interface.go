package apiclient

import (
	"context"
	"net/http"

	"chalie/domain"
)

// App is an interface with what it asks for and what it may do.
type App struct {
	ID             domain.ID                  `json:"id"`
	Name           string                     `json:"name"`
	Host           string                     `json:"host"`
	Port           int                        `json:"port"`
	Status         domain.InterfaceStatus     `json:"status"`
	Origin         domain.Origin              `json:"origin"`
	Version        string                     `json:"version"`
	Description    string                     `json:"description"`
	Author         string                     `json:"author"`
	Requested      domain.Scopes              `json:"requested_scopes"`
	ApprovedScopes map[string]map[string]bool `json:"approved_scopes"` // by category and key; what is there is true
	Signals        []string                   `json:"signals"`         // what a paired one's token permits; none means any
	PairedAt       *string                    `json:"paired_at"`       // RFC 3339
	LastSeenAt     *string                    `json:"last_seen_at"`    // RFC 3339; null when nothing was heard since the start
	OfflineReason  string                     `json:"offline_reason"`  // empty unless it is offline
	FlaggedTools   []string                   `json:"flagged_tools"`   // whose own texts try something
	Capabilities   []domain.Tool              `json:"capabilities"`    // only when asked for one
}

// Apps lists the interfaces.
func (c *Client) Apps(ctx context.Context) ([]Object[App], error) {
	return get[[]Object[App]](ctx, c, "/api/apps", nil)
}

// App asks for one interface, its tools included.
func (c *Client) App(ctx context.Context, id domain.ID) (Object[App], error) {
	return get[Object[App]](ctx, c, "/api/apps/"+id.UUID(), nil)
}

// PairingKey lets one interface pair, once.
type PairingKey struct {
	Key     string `json:"pairing_key"`
	Host    string `json:"host"`
	Port    int    `json:"port"`
	Seconds int    `json:"expires_in_seconds"`
}

// PairingKey generates one. Its text is in this answer and nowhere else.
func (c *Client) PairingKey(ctx context.Context) (Object[PairingKey], error) {
	return call[Object[PairingKey]](ctx, c, http.MethodPost, "/api/interfaces/pairing-key", nil, nil)
}

// Approve allows an interface these keys of each category, and no others.
func (c *Client) Approve(ctx context.Context, id domain.ID, approved domain.Approval) error {
	set := func(keys []string) map[string]bool {
		out := make(map[string]bool, len(keys))
		for _, k := range keys {
			out[k] = true
		}
		return out
	}
	_, err := call[struct{}](ctx, c, http.MethodPut, "/api/apps/"+id.UUID()+"/scopes", nil, map[string]any{"approved_scopes": map[string]any{
		"context": set(approved.Context), "signals": set(approved.Signals), "messages": set(approved.Messages),
	}})
	return err
}

// RefreshInterface asks an interface again what it offers, and returns the names
// of its tools.
func (c *Client) RefreshInterface(ctx context.Context, id domain.ID) ([]string, error) {
	out, err := call[struct {
		Capabilities []string `json:"capabilities"`
	}](ctx, c, http.MethodPost, "/api/interfaces/"+id.UUID()+"/refresh", nil, nil)
	return out.Capabilities, err
}

// RemoveInterface ends an interface, its tools and its token.
func (c *Client) RemoveInterface(ctx context.Context, id domain.ID) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/interfaces/"+id.UUID(), nil, nil)
	return err
}

package apiclient

import (
	"context"
	"net/http"
	"net/url"

	"chalie/adapters/api"
)

// Settings asks for the settings.
func (c *Client) Settings(ctx context.Context) (Object[api.Settings], error) {
	return get[Object[api.Settings]](ctx, c, "/api/settings", nil)
}

// Retention asks how long records are kept, and what would go next if settings were as given, by
// name.
func (c *Client) Retention(ctx context.Context, as map[string]string) (Object[api.Retention], error) {
	asked := url.Values{}
	for name, value := range as {
		asked.Set(name, value)
	}
	return get[Object[api.Retention]](ctx, c, "/api/retention", asked)
}

// Set changes a setting, to a value or to default, and returns it.
func (c *Client) Set(ctx context.Context, name, value string) (Object[api.Setting], error) {
	return call[Object[api.Setting]](ctx, c, http.MethodPut, "/api/settings/"+url.PathEscape(name), nil, api.SettingValue{Value: value})
}

// UndoSetting takes back the latest change of a setting that wasn't, and returns it.
func (c *Client) UndoSetting(ctx context.Context, name string) (Object[api.Setting], error) {
	return call[Object[api.Setting]](ctx, c, http.MethodPost, "/api/settings/"+url.PathEscape(name)+"/undo", nil, api.SettingUndo{})
}

// Restore has a kind of signals told again that wasn't.
func (c *Client) Restore(ctx context.Context, id string) (Object[api.OK], error) {
	return call[Object[api.OK]](ctx, c, http.MethodDelete, "/api/silenced/"+url.PathEscape(id), nil, nil)
}

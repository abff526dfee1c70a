package apiclient

import (
	"context"
	"net/http"

	"chalie/adapters/api"
)

// Models are the models that answer.
func (c *Client) Models(ctx context.Context) ([]api.ListedModel, error) {
	list, err := get[api.Models](ctx, c, "/api/models", nil)
	return list.Models, err
}

// CheckModel asks a model a question of a few words.
func (c *Client) CheckModel(ctx context.Context, name string) (api.CheckedModel, error) {
	return call[api.CheckedModel](ctx, c, http.MethodPost, "/api/models/check", nil, api.ModelCheck{Name: name})
}

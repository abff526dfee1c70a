package apiclient

import (
	"context"

	"chalie/adapters/api"
)

// WhatIf tells what would have come otherwise, and calls progress on the way.
func (c *Client) WhatIf(ctx context.Context, what api.ReplayRequest, progress func(api.Progress)) (Object[api.WhatIf], error) {
	return replayed[api.WhatIf](ctx, c, what, progress)
}

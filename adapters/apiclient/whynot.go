package apiclient

import (
	"context"
	"net/url"
	"time"

	"chalie/replay/explain"
)

// WhyNot tells why the person wasn't told of a target as the API reads it: last, an
// id, pos: and a position, or the name of a tool. Times in the sentences are those of
// the zone. With try, decisions are made again to see what would have helped.
func (c *Client) WhyNot(ctx context.Context, target string, zone *time.Location, try bool) (Object[explain.NotTold], error) {
	query := whyQuery(zone)
	if !try {
		query.Set("try", "false")
	}
	return get[Object[explain.NotTold]](ctx, c, "/api/why-not/"+url.PathEscape(target), query)
}

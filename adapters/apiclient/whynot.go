package apiclient

import (
	"context"
	"net/url"
	"time"

	"chalie/replay"
)

// WhyNot tells why the person wasn't told of a target as the API reads it: last, an
// id, pos: and a position, or the name of a tool. Times in the sentences are those of
// the zone.
func (c *Client) WhyNot(ctx context.Context, target string, zone *time.Location) (Object[replay.Silence], error) {
	offset := time.Now().In(zone).Format("-07:00")
	return get[Object[replay.Silence]](ctx, c, "/api/why-not/"+url.PathEscape(target), url.Values{"zone": {offset}})
}

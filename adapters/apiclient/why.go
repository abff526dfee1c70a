package apiclient

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"chalie/replay/explain"
)

// Why explains a target as the API reads it: last, an id, the seq of a frame or
// pos: and a position. Times in the sentences are those of the zone.
func (c *Client) Why(ctx context.Context, target string, zone *time.Location) (Object[explain.Explanation], error) {
	return get[Object[explain.Explanation]](ctx, c, whyPath(target), whyQuery(zone))
}

// Effects tells what a target led to: Why in the other direction.
func (c *Client) Effects(ctx context.Context, target string, zone *time.Location) (Object[explain.Explanation], error) {
	query := whyQuery(zone)
	query.Set("direction", string(explain.Forward))
	return get[Object[explain.Explanation]](ctx, c, whyPath(target), query)
}

// Picture is Why or Effects as a drawing: format is mermaid, dot or svg.
func (c *Client) Picture(ctx context.Context, target string, direction explain.Direction, format string, zone *time.Location) ([]byte, error) {
	query := whyQuery(zone)
	query.Set("direction", string(direction))
	query.Set("format", format)
	resp, err := c.ask(ctx, http.MethodGet, whyPath(target), query, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	drawing, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, unreachable("draw", err)
	}
	return drawing, nil
}

func whyPath(target string) string { return "/api/why/" + url.PathEscape(target) }

func whyQuery(zone *time.Location) url.Values { return url.Values{"zone": {ZoneName(zone)}} }

// ZoneName is a zone as the API takes it: by its IANA name, so that every time is
// told as the clocks showed it, or by its distance from UTC where it has none.
func ZoneName(zone *time.Location) string {
	name := zone.String()
	if known, err := time.LoadLocation(name); err == nil && name != "Local" && sameYear(zone, known) {
		return name
	}
	return time.Now().In(zone).Format("-07:00")
}

// DeviceZone is a zone by its IANA name, as a device says where it is; "" for one that has none.
func DeviceZone(zone *time.Location) string {
	if name := ZoneName(zone); name == zone.String() {
		return name
	}
	return ""
}

// sameYear tells a zone from another that only has its name: a fixed one may be
// called CET.
func sameYear(a, b *time.Location) bool {
	now := time.Now()
	for months := range 12 {
		at := now.AddDate(0, -months, 0)
		_, one := at.In(a).Zone()
		if _, other := at.In(b).Zone(); one != other {
			return false
		}
	}
	return true
}

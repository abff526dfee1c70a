package apiclient

import (
	"context"
	"net/url"
	"time"

	"chalie/domain"
)

// Why is why something is as it is: its causes, back to their roots.
type Why struct {
	Target    WhyTarget         `json:"target"`
	Sentences []string          `json:"sentences"` // for a person, the answer first
	Nodes     []Object[WhyNode] `json:"nodes"`     // the target first, then the nearest causes
	Edges     []Object[WhyEdge] `json:"edges"`
	Cut       bool              `json:"cut"` // there are more causes than were followed
}

// WhyTarget is what is explained.
type WhyTarget struct {
	ID    domain.ID        `json:"id"`
	Type  domain.EventType `json:"type"`
	Trace domain.ID        `json:"trace"`
	Said  string           `json:"said"` // what the person was told by it; "" for nothing
}

// WhyNode is one envelope of an explanation. Of one that is missing only the id is
// known.
type WhyNode struct {
	ID         domain.ID          `json:"id"`
	Type       domain.EventType   `json:"type"`
	Trace      domain.ID          `json:"trace"`
	Position   domain.Position    `json:"position"`
	RecordedAt domain.Millis      `json:"recorded_at"`
	Source     domain.Source      `json:"source"`
	Principal  domain.Principal   `json:"principal"`
	Label      string             `json:"label"`
	Numbers    map[string]float64 `json:"numbers"`
	Gate       domain.Gate        `json:"gate"`
	Missing    bool               `json:"missing"`
	Erased     bool               `json:"erased"`
}

// WhyEdge goes from a cause to what it is a cause of.
type WhyEdge struct {
	From   domain.ID `json:"from"`
	To     domain.ID `json:"to"`
	Kind   string    `json:"kind"` // caused or evidence
	Role   string    `json:"role"`
	Weight *float64  `json:"weight"` // of evidence, 0 to 1; nil otherwise
}

// Why explains a target as the API reads it: last, an id, the seq of a frame or
// pos: and a position. Times in the sentences are those of the zone.
func (c *Client) Why(ctx context.Context, target string, zone *time.Location) (Object[Why], error) {
	offset := time.Now().In(zone).Format("-07:00")
	return get[Object[Why]](ctx, c, "/api/why/"+url.PathEscape(target), url.Values{"zone": {offset}})
}

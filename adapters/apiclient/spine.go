package apiclient

import (
	"context"

	"chalie/domain"
)

// Spine is what every service declares of itself, and how it is.
type Spine struct {
	Services   []Service                   `json:"services"`
	Signals    []SignalType                `json:"signals"`
	Consumers  []Consumer                  `json:"consumers"`
	Recorded   map[domain.SpineType]uint64 `json:"recorded"`
	Lost       uint64                      `json:"lost"`
	Noteworthy []string                    `json:"noteworthy"` // the services that are dead
}

// Service is one part of Chalie. State is "" where Chalie doesn't run.
type Service struct {
	Name      string             `json:"name"`
	Layer     domain.Layer       `json:"layer"`
	Emits     []domain.SpineType `json:"emits"`
	Consumes  []domain.SpineType `json:"consumes"`
	Trigger   domain.Trigger     `json:"trigger"`
	CycleMS   int64              `json:"cycle_ms"`
	TTLMS     int64              `json:"ttl_ms"`
	FailMode  string             `json:"fail_mode"`
	State     string             `json:"state"`
	Heartbeat *domain.Millis     `json:"heartbeat"`
	Why       string             `json:"why,omitempty"`
}

// SignalType is one line of the table of registered types.
type SignalType struct {
	Type     domain.SpineType `json:"type"`
	Meaning  string           `json:"meaning"`
	Emitters []string         `json:"emitters"`
	Least    float64          `json:"least"`
	Most     float64          `json:"most"`
	Taken    string           `json:"taken"`
}

// Consumer is who takes signals up, with its queue.
type Consumer struct {
	Name       string     `json:"name"`
	Depth      int        `json:"depth"`
	Waiting    int        `json:"waiting"`
	Running    *domain.ID `json:"running"`
	Taken      uint64     `json:"taken"`
	Yielded    uint64     `json:"yielded"`
	Dropped    uint64     `json:"dropped"`
	PassedOver uint64     `json:"passed_over"`
	Stuck      string     `json:"stuck,omitempty"`
}

// Spine asks how the services are.
func (c *Client) Spine(ctx context.Context) (Object[Spine], error) {
	return get[Object[Spine]](ctx, c, "/api/spine", nil)
}

package apiclient

import (
	"context"
	"net/url"

	"chalie/domain"
)

// World is the world state at one moment.
type World struct {
	AsOf     domain.Millis   `json:"as_of"`
	Position domain.Position `json:"position"` // folded through
	Items    []WorldItem     `json:"items"`
	LeftOut  []WorldItem     `json:"left_out"`
	// Relations are what was heard that bears on what is planned, by envelope id,
	// strongest first.
	Relations []WorldRelation `json:"relations"`
}

// WorldRelation is what was heard, what it bears on, and how much, from 0 to 1.
type WorldRelation struct {
	Signal     domain.ID `json:"signal"`
	Commitment domain.ID `json:"commitment"`
	Score      float64   `json:"score"`
}

// WorldItem is one thing that may matter.
type WorldItem struct {
	Kind       string          `json:"kind"`
	Label      string          `json:"label"`
	Salience   float64         `json:"salience"` // 0 to 1
	Bonus      float64         `json:"bonus"`    // for being related to another item; it comes first then
	Source     string          `json:"source"`
	EnvelopeID string          `json:"envelope_id"`
	Position   domain.Position `json:"position"`
	AgeSeconds float64         `json:"age_seconds"`
	Gate       domain.Gate     `json:"gate"` // why it was left out; "" when it was not
}

// World asks for the world state at a moment as the API takes it; "" is now.
func (c *Client) World(ctx context.Context, at string) (Object[World], error) {
	query := url.Values{}
	if at != "" {
		query.Set("at", at)
	}
	return get[Object[World]](ctx, c, "/api/world", query)
}

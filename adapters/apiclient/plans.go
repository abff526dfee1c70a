package apiclient

import (
	"context"
	"time"

	"chalie/domain"
)

// Plans is what is planned.
type Plans struct {
	Reminders []Plan     `json:"reminders"` // the next first
	Tasks     []Plan     `json:"tasks"`
	Lists     []PlanList `json:"lists"`
	Ended     []Plan     `json:"ended"` // lately, the latest first
}

// Plan is a reminder or a task.
type Plan struct {
	ID         domain.ID       `json:"id"`
	Kind       domain.ItemKind `json:"kind"`
	Text       string          `json:"text"`
	Standing   domain.Standing `json:"standing"`
	Due        *time.Time      `json:"due"`
	Overdue    bool            `json:"overdue"`
	Recurrence *string         `json:"recurrence"` // in words
	Zone       string          `json:"zone"`
	Percent    int             `json:"percent"`
	SetAt      *time.Time      `json:"set_at"`
	ToldAt     *time.Time      `json:"told_at"`
	EndedAt    *time.Time      `json:"ended_at"`
}

// PlanList is a list with what is on it.
type PlanList struct {
	ID    domain.ID `json:"id"`
	Name  string    `json:"name"`
	Items []struct {
		ID   domain.ID `json:"id"`
		Text string    `json:"text"`
	} `json:"items"`
}

// Plans asks for what is planned.
func (c *Client) Plans(ctx context.Context) (Object[Plans], error) {
	return get[Object[Plans]](ctx, c, "/api/plans", nil)
}

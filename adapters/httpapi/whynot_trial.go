package httpapi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chalie/domain"
	"chalie/replay/explain"
)

// triesWithin bounds how long decisions are made again for one answer: a server's
// answer has to be written within a time.
const triesWithin = 45 * time.Second

// impatient is a trial that gives up in time. What was not tried is told as that.
type impatient struct {
	trial explain.Trial
	until time.Time
	told  func(explain.Attempt) // of each before it is made; nil for nobody
}

var _ explain.Trial = impatient{}

// Surfaces implements explain.Trial.
func (i impatient) Surfaces(ctx context.Context, a explain.Attempt) (bool, error) {
	if i.told != nil {
		i.told(a)
	}
	within, cancel := context.WithDeadline(ctx, i.until)
	defer cancel()
	surfaced, err := i.trial.Surfaces(within, a)
	if err != nil && ctx.Err() == nil && errors.Is(within.Err(), context.DeadlineExceeded) {
		return false, &domain.Error{Op: "ask why not", Category: domain.Validation, Code: "too_long",
			Message: fmt.Sprintf("making decisions of a log as long as this again takes more than %s", triesWithin)}
	}
	return surfaced, err
}

package projections

import (
	"context"

	"chalie/domain"
)

// tellingKey is what told stands under in a context.
type tellingKey struct{}

// Telling has the questions to a Past that are asked with the context tell how many
// records of those that they have to fold are folded. It is called from their
// goroutine, every few thousand records; not at all when the answer is known.
func Telling(ctx context.Context, told func(done, total domain.Position)) context.Context {
	return context.WithValue(ctx, tellingKey{}, told)
}

func tell(ctx context.Context, done, total domain.Position) {
	if told, ok := ctx.Value(tellingKey{}).(func(done, total domain.Position)); ok {
		told(done, total)
	}
}

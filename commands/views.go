package commands

import (
	"context"

	"chalie/domain"
)

// Barrier waits until the accounts projection has applied a position. It
// returns ctx's error, or why the projection stopped.
type Barrier interface {
	WaitFor(ctx context.Context, pos domain.Position) error
}

// Conversation is the transcript, as its projection keeps it.
type Conversation interface {
	// Recent returns up to limit exchanges after skipping the offset latest ones,
	// oldest first, and how many there are in all.
	Recent(limit, offset int) (exchanges []domain.Exchange, total int, err error)
}

// ContextView is the fold of what is known of the person's surroundings, as
// its projection keeps it.
type ContextView interface {
	// Now is the latest that is known of each field.
	Now() domain.ContextUpdated
}

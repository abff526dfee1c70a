package commands

import (
	"context"
	"time"

	"chalie/domain"
)

// Barrier waits until the accounts projection has applied a position. It
// returns ctx's error, or why the projection stopped.
type Barrier interface {
	WaitFor(ctx context.Context, pos domain.Position) error
}

// CatchUp waits for a barrier as something outside of an attempt.
func CatchUp(ctx context.Context, b Barrier, pos domain.Position) error {
	defer Outside(ctx)()
	return b.WaitFor(ctx, pos)
}

// Conversation is the transcript, as its projection keeps it. It is no View: a
// conversation is as long as the past, so each question reads the part that it is about
// from the disk, and may fail.
type Conversation interface {
	// Recent returns up to limit exchanges of a conversation after skipping the offset
	// latest ones, oldest first, and how many there are in all.
	Recent(of domain.ConversationID, limit, offset int) (exchanges []domain.Exchange, total int, err error)
}

// AtHome is the person's surroundings as far as they are known; until a client of theirs
// says where they are, they are where this machine is.
type AtHome struct {
	View[domain.ContextUpdated]
	Zone string // an IANA name, or ""
}

// Read implements View.
func (a AtHome) Read(fn func(*domain.ContextUpdated)) {
	known := Copy(a.View)
	if known.Timezone == nil && a.Zone != "" {
		known.Timezone = &a.Zone
	}
	fn(&known)
}

// Location is where they are; UTC when that isn't known, or this machine doesn't know
// the zone.
func (a AtHome) Location() *time.Location {
	name := Copy(a).Timezone
	if name == nil {
		return time.UTC
	}
	return ZoneOf(*name)
}

// Listener hands the records of a topic to durable groups.
type Listener interface {
	// Listen calls handle for every record of the topic, in log order and one at a
	// time, beginning behind the last one that handle returned nil for in this group.
	// A record whose handling fails comes again, after a pause. It returns nil when
	// ctx ends, and an error when the log can no longer be read.
	Listen(ctx context.Context, group string, topic domain.Topic, handle func(context.Context, domain.Record) error) error
}

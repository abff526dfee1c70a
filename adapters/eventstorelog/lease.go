package eventstorelog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
)

// leaseKept is how many of the lease's events the cluster keeps.
const leaseKept = 20

// holding is an event of the lease's stream: who writes the log.
type holding struct {
	Node  domain.ID `json:"node"` // zero when it was given up
	Host  string    `json:"host"`
	Epoch uint64    `json:"epoch"` // counts the takeovers

	// Closed is the move that closes the stream for everybody but the machine, Host, that
	// ends it: the log is on its way here, or has gone there. "" when none does.
	Closed Move `json:"closed,omitempty"`
}

// lease is the stream that says who may write.
type lease struct {
	cluster *cluster
	stream  string
}

// look reads who holds the lease, and the revision that the next event gets.
func (l lease) look(ctx context.Context) (held holding, next uint64, err error) {
	last, err := l.cluster.last(ctx, l.stream)
	if err != nil || last == nil {
		return holding{}, 0, err
	}
	if err := json.Unmarshal(last.data, &held); err != nil {
		return holding{}, 0, fmt.Errorf("the stream %s is no lease: %w", l.stream, err)
	}
	return held, last.revision + 1, nil
}

// put adds an event at a revision. It appends it until the outcome is known; an error
// with ErrorCodeWrongExpectedVersion says that somebody else was there first.
func (l lease) put(ctx context.Context, next uint64, held holding) error {
	data, err := json.Marshal(held)
	if err != nil {
		return err
	}
	return l.cluster.settle(ctx, l.stream, next, []esdb.EventData{{EventID: uuid.New(), EventType: "lease.held", ContentType: esdb.ContentTypeJson, Data: data}})
}

// settle appends events at a revision until it is known what came of it.
func (c *cluster) settle(ctx context.Context, stream string, next uint64, events []esdb.EventData) error {
	for {
		err := c.append(ctx, stream, next, events)
		if isSettled(err) || wait(ctx, firstPause) != nil {
			return err
		}
	}
}

// isSettled reports whether it is known what came of an append.
func isSettled(err error) bool {
	switch code(err) {
	case -1, esdb.ErrorCodeWrongExpectedVersion, esdb.ErrorCodeStreamDeleted:
		return true
	}
	return isNumbering(err)
}

// wait fails when the context ends before the time is over.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package eventstorelog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// Source is a log on this machine that is moved.
type Source interface {
	domain.Tailer
	// Sealed are records from a position on, at most so many and of so many bytes.
	Sealed(ctx context.Context, from domain.Position, limit, bytes int) ([]domain.Sealed, error)
}

// Progress hears how far a move is.
type Progress func(done, of domain.Position)

// sentAtOnce is how many records a move appends in one call.
const sentAtOnce = 1000

// Move names one move of a log between a machine and a cluster. It is kept on the machine
// and in the lease, so that of all machines only that one goes on with it.
type Move string

// NewMove names a move to the cluster, or from it.
func NewMove(id domain.ID, back bool) Move {
	if back {
		return Move(fromCluster + id.String())
	}
	return Move(toCluster + id.String())
}

const (
	toCluster   = "to:"
	fromCluster = "from:"
)

// IsBack reports whether the log comes from the cluster.
func (m Move) IsBack() bool { return strings.HasPrefix(string(m), fromCluster) }

// Bring appends to the stream what it lacks of a log, until it has all. It takes the lease
// first, and closes the stream by this move, so that nobody else writes it, now or until
// Part. What a move that was broken
// off has appended already is compared and kept. Errors: Conflict with CodeStreamInUse when
// another node writes the stream, with CodeStreamShort when the stream has more records
// than the log, with CodeForked of the log's when it has others; those of the cluster.
func (n *Node) Bring(ctx context.Context, from Source, by Move, told Progress) error {
	held, next, err := n.unused(ctx)
	if err != nil {
		return err
	}
	tail := from.Tail()
	last, err := n.cluster.last(ctx, n.cfg.Stream)
	if err != nil {
		return n.unreachable(gone(n.cfg.Stream, err))
	}
	has := domain.Position(0)
	if last != nil {
		has = domain.Position(last.revision + 1)
	}
	if has > tail {
		return &domain.Error{Op: "move", Category: domain.Conflict, Code: CodeStreamShort,
			Message: fmt.Sprintf("the stream %s has %d records and the log here %d: it is another Chalie's, or that log went on there; name another stream with --log-stream", n.cfg.Stream, has, tail)}
	}
	if has > 0 {
		if err := n.same(ctx, from, has, *last); err != nil {
			return err
		}
	}
	if err := n.take(ctx, next, holding{Node: n.id, Host: n.cfg.Host, Epoch: held.Epoch + 1, Closed: by}); err != nil {
		return n.unreachable(err)
	}
	for ; has < tail; tail = from.Tail() {
		records, err := from.Sealed(ctx, has+1, sentAtOnce, maxCall-sentAtOnce*typeNames)
		if err != nil {
			return err
		}
		err = n.cluster.settle(ctx, n.cfg.Stream, uint64(has), eventsOf(records))
		if lost := n.Err(); lost != nil {
			return lost
		}
		if err != nil {
			return n.unreachable(gone(n.cfg.Stream, err))
		}
		has += domain.Position(len(records))
		told(has, tail)
	}
	return nil
}

// typeNames is room for what a cluster counts of the name of an event's type.
const typeNames = 128

// Unused fails with CodeStreamInUse when another node writes the stream.
func (n *Node) Unused(ctx context.Context) error {
	_, _, err := n.unused(ctx)
	return err
}

// CatchUp adds to a copy what it lacks of the stream.
func (n *Node) CatchUp(ctx context.Context, log Copy) error {
	n.copy.Store(&log)
	if err := n.check(ctx); err != nil {
		return n.unreachable(gone(n.cfg.Stream, err))
	}
	return n.unreachable(gone(n.cfg.Stream, n.catchUp(ctx)))
}

// unused waits until it is known whether somebody writes the stream.
func (n *Node) unused(ctx context.Context) (holding, uint64, error) {
	held, next, err := n.look(ctx)
	if err != nil {
		return held, next, n.unreachable(gone(n.lease.stream, err))
	}
	if held.Node.IsZero() {
		return held, next, nil
	}
	if err := wait(ctx, n.cfg.LeaseFor); err != nil {
		return held, next, err
	}
	now, after, err := n.look(ctx)
	if err != nil {
		return held, next, n.unreachable(gone(n.lease.stream, err))
	}
	if after != next {
		return now, after, &domain.Error{Op: "move", Category: domain.Conflict, Code: CodeStreamInUse,
			Message: fmt.Sprintf("%s writes the stream %s; stop that Chalie first", cmp.Or(now.Host, "another node"), n.cfg.Stream)}
	}
	return now, after, nil
}

func (n *Node) unreachable(err error) error {
	if _, known := errors.AsType[*domain.Error](err); known || err == nil {
		return err
	}
	return &domain.Error{Op: "move", Category: domain.Dependency, Code: domain.CodeClusterAway, Retriable: true, Err: n.cluster.explained(err),
		Message: "the cluster doesn't answer, or refuses it; see that the connection string is right and that it runs, and run the same command again: it goes on where it stopped"}
}

// same compares a record of the stream with the log's at a position.
func (n *Node) same(ctx context.Context, from Source, pos domain.Position, theirs stored) error {
	mine, err := from.Sealed(ctx, pos, 1, 1)
	if err != nil {
		return err
	}
	if len(mine) != 1 || !bytes.Equal(mine[0].Bytes, theirs.data) || mine[0].Envelope.ID != theirs.id {
		return &domain.Error{Op: "move", Category: domain.Conflict, Code: CodeStreamOther,
			Message: fmt.Sprintf("the stream %s has another record at position %d than the log here: it is another Chalie's; name another stream with --log-stream", n.cfg.Stream, pos)}
	}
	return nil
}

// CodeStreamOther says that a stream holds other records than the log.
const CodeStreamOther domain.Code = "stream_other"

// Compare reads the stream from a position to the log's end, and compares every record's
// bytes and id. It returns the position through which they are the same. Errors: Conflict with CodeStreamOther or CodeStreamShort, Dependency with
// CodeStreamCut, those of the cluster.
func (n *Node) Compare(ctx context.Context, with Source, first domain.Position, told Progress) (through domain.Position, err error) {
	tail := with.Tail()
	for next := max(first, 1); next <= tail; {
		found, err := n.cluster.read(ctx, n.cfg.Stream, esdb.Revision(uint64(next-1)), esdb.Forwards, min(sentAtOnce, uint64(tail-next)+1))
		if err != nil {
			return next - 1, n.unreachable(gone(n.cfg.Stream, err))
		}
		if len(found) == 0 {
			return next - 1, &domain.Error{Op: "move", Category: domain.Conflict, Code: CodeStreamShort,
				Message: fmt.Sprintf("the stream %s ends at position %d, and the log here at %d", n.cfg.Stream, next-1, tail)}
		}
		var mine []domain.Sealed
		for _, theirs := range found {
			if theirs.revision != uint64(next-1) {
				return next - 1, &domain.Error{Op: "move", Category: domain.Dependency, Code: CodeStreamCut,
					Message: fmt.Sprintf("the stream %s lacks the record at position %d: it was cut off in the cluster", n.cfg.Stream, next)}
			}
			if len(mine) == 0 {
				if mine, err = with.Sealed(ctx, next, sentAtOnce, maxCall); err != nil {
					return next - 1, err
				}
			}
			if len(mine) == 0 || !bytes.Equal(mine[0].Bytes, theirs.data) || mine[0].Envelope.ID != theirs.id {
				return next - 1, &domain.Error{Op: "move", Category: domain.Conflict, Code: CodeStreamOther,
					Message: fmt.Sprintf("the record at position %d differs between the stream %s and the log here", next, n.cfg.Stream)}
			}
			mine = mine[1:]
			next++
		}
		told(next-1, tail)
	}
	return tail, nil
}

// closing is a request to give the lease up, with the stream closed by a move or open.
type closing struct {
	ctx  context.Context
	by   Move
	done chan error
}

// Part gives the lease up for good. By a move the stream is closed, and nobody writes it
// until a log is brought to it again; with none it is open to whoever leads next. Only a
// node that leads or brings a log can.
func (n *Node) Part(ctx context.Context, by Move) error {
	c := closing{ctx, by, make(chan error, 1)}
	select {
	case n.closings <- c:
	case <-n.lost:
		return n.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := <-c.done; err != nil {
		return n.unreachable(err)
	}
	n.leading.Store(false)
	return nil
}

// Parted is the move by which the stream is closed, "" when it is open.
func (n *Node) Parted(ctx context.Context) (Move, error) {
	held, _, err := n.look(ctx)
	return held.Closed, n.unreachable(gone(n.lease.stream, err))
}

func closed(stream string, held holding) error {
	says := "a log is being moved to the stream %s from the machine %s, and goes on there until that is done; run the move again there to end it"
	if held.Closed.IsBack() {
		says = "the log was moved from the stream %s to the machine %s, and goes on there; nothing is written to the stream any more; should that move have been broken off, run it again there"
	}
	return &domain.Error{Op: "open log", Category: domain.Conflict, Code: CodeStreamClosed, Message: fmt.Sprintf(says, stream, held.Host)}
}

// Returned reports whether a log has come from the stream, which is closed by that move: all
// of the stream is in it.
func (n *Node) Returned(ctx context.Context, log Source) (bool, error) {
	by, err := n.Parted(ctx)
	if err != nil || !by.IsBack() {
		return false, err
	}
	last, err := n.cluster.last(ctx, n.cfg.Stream)
	if err != nil || last == nil {
		return false, n.unreachable(gone(n.cfg.Stream, err))
	}
	pos := domain.Position(last.revision + 1)
	if pos > log.Tail() {
		return false, nil
	}
	switch err := n.same(ctx, log, pos, *last); {
	case domain.CodeOf(err) == CodeStreamOther:
		return false, nil
	default:
		return err == nil, err
	}
}

package eventstorelog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
)

// Copy is the log on this machine.
type Copy interface {
	domain.Tailer
	domain.Appender
	// Follow adds records that are upstream, at first and the positions after it. What is
	// there already is compared.
	Follow(ctx context.Context, first domain.Position, records [][]byte) error
}

// Config says where the log is. The fields up to Clock are required.
type Config struct {
	URL    string // connection string, such as esdb://one:2113,two:2113,three:2113?tls=true
	Stream string // name of this Chalie's stream
	Host   string // name of this machine, for people
	IDs    domain.IDs
	Clock  domain.Clock
	Logger *slog.Logger // default: nothing is logged
	Move   Move         // by which the log has come to the stream and nobody has led since; "" for none

	// Known is a position that this machine knows the log to have reached, whatever its copy
	// holds: what was folded of it. A stream that ends before it is refused.
	Known domain.Position
	// Fresh is called before an empty copy is filled, for what was made of another. An error
	// ends Lead and CatchUp.
	Fresh func() error

	CallFor    time.Duration // how long one call may take; default 3 s
	RenewEvery time.Duration // how often the writer renews its lease; default 500 ms
	LeaseFor   time.Duration // how long a lease holds without being renewed; default 2.5 s
}

// Codes of this package's errors.
const (
	CodeStreamShort   domain.Code = "stream_short"   // the cluster has fewer records than the copy
	CodeStreamCut     domain.Code = "stream_cut"     // records are missing at the stream's beginning
	CodeStreamDeleted domain.Code = "stream_deleted" // the stream was deleted
	CodeBehind        domain.Code = "copy_behind"    // the copy lacks records that the cluster has
	CodeStreamClosed  domain.Code = "stream_closed"  // the log was moved from the cluster to a machine
	CodeStreamInUse   domain.Code = "stream_in_use"  // another node writes the stream
	CodeBadURL        domain.Code = "bad_connection_string"
)

// Node is this program's part in the cluster. It is safe for concurrent use.
type Node struct {
	cfg     Config
	id      domain.ID
	cluster *cluster
	lease   lease
	copy    atomic.Pointer[Copy] // set by Lead and CatchUp, also while the lease is renewed

	leading  atomic.Bool
	held     atomic.Pointer[holding]   // as it was heard of last
	renewed  atomic.Pointer[time.Time] // when the lease was last seen to be renewed
	lag      atomic.Uint64             // records that the stream had and the copy hadn't, when it was looked at last
	away     atomic.Pointer[error]     // why the cluster doesn't take anything
	cut      atomic.Bool               // the stream has lost its beginning
	catching atomic.Bool               // the copy is being brought up to date

	closings chan closing // to the goroutine that renews the lease

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	mu   sync.Mutex
	err  error // why lost was closed
	lost chan struct{}
}

var _ domain.Upstream = (*Node)(nil)

// New makes a node. It makes no call yet. The error is a validation.
func New(cfg Config) (*Node, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	cfg.CallFor = cmp.Or(cfg.CallFor, 3*time.Second)
	cfg.RenewEvery = cmp.Or(cfg.RenewEvery, 500*time.Millisecond)
	cfg.LeaseFor = cmp.Or(cfg.LeaseFor, 2500*time.Millisecond)
	client, err := parseURL(cfg.URL, cfg.Logger)
	if err != nil {
		return nil, &domain.Error{Op: "open log", Category: domain.Validation, Code: CodeBadURL,
			Message: "the connection string of the cluster can't be read; write it as esdb://HOST:2113,HOST:2113,HOST:2113?tls=true: " + unread(cfg.URL, err)}
	}
	if !streamName.MatchString(cfg.Stream) {
		return nil, domain.Invalid("open log", "stream", fmt.Sprintf("%q can't be the name of a stream: take up to 100 letters and digits, with dots, hyphens and underscores between them", cfg.Stream))
	}
	if warning := Warning(cfg.URL); warning != "" {
		cfg.Logger.Warn(warning)
	}
	calls := &cluster{cfg: client, patience: cfg.CallFor}
	n := &Node{cfg: cfg, id: cfg.IDs.NewID(), cluster: calls, lease: lease{cluster: calls, stream: cfg.Stream + "-lease"}, lost: make(chan struct{}), closings: make(chan closing)}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	return n, nil
}

// streamName leaves out the cluster's own streams, which begin with $, and what a shell
// would read otherwise.
var streamName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

func (n *Node) log() Copy { return *n.copy.Load() }

// Lost is closed when another node has taken over, or the stream can't be written any more.
func (n *Node) Lost() <-chan struct{} { return n.lost }

// Err is why Lost was closed; nil before.
func (n *Node) Err() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.err
}

func (n *Node) lose(err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.err == nil {
		n.err = err
		n.leading.Store(false)
		close(n.lost)
		n.cfg.Logger.Error("this node doesn't write the log any more", "error", err)
	}
	return n.err
}

// Away implements domain.Upstream.
func (n *Node) Away() error {
	if why := n.away.Load(); why != nil {
		return *why
	}
	return nil
}

func (n *Node) noteAway(err error) {
	if err == nil {
		if n.away.Swap(nil) != nil {
			n.cfg.Logger.Debug("the cluster answers again")
		}
		return
	}
	err = n.cluster.explained(err)
	if n.away.Swap(&err) == nil {
		n.cfg.Logger.Warn("the cluster doesn't answer, and is asked again all the time", "error", err)
	}
}

// Pauses between attempts.
const (
	firstPause = 20 * time.Millisecond
	longPause  = time.Second
)

// Commit implements domain.Upstream.
func (n *Node) Commit(ctx context.Context, first domain.Position, records []domain.Sealed) error {
	if err := n.Err(); err != nil {
		return err
	}
	if n.catching.Load() {
		return behind(first)
	}
	events := eventsOf(records)
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		err := n.cluster.append(ctx, n.cfg.Stream, uint64(first-1), events)
		switch {
		case err == nil:
			n.noteAway(nil)
			return nil
		case code(err) == esdb.ErrorCodeWrongExpectedVersion:
			n.noteAway(nil)
			return n.conflict(ctx, first)
		case isSettled(err):
			return n.lose(deleted(n.cfg.Stream, err))
		case code(err) == esdb.ErrorCodeNotLeader:
			continue // the library has moved to the leader
		}
		n.noteAway(err)
		select {
		case <-n.lost:
			return n.Err()
		default:
		}
		if wait(ctx, pause) != nil {
			return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true, Err: err,
				Message: "the cluster didn't say what came of the append; repeat it with the same ids to find out"}
		}
	}
}

// conflict finds out why other records stand where this node's were to stand.
func (n *Node) conflict(ctx context.Context, first domain.Position) error {
	if !n.leading.Load() {
		return behind(first)
	}
	n.catching.Store(true)
	n.tasks.Go(func() {
		defer n.catching.Store(false)
		if err := n.catchUp(n.ctx); err != nil && n.ctx.Err() == nil {
			n.cfg.Logger.Error("the copy of the log can't be brought up to date", "error", err)
		}
	})
	found, err := n.cluster.read(ctx, n.cfg.Stream, esdb.Revision(uint64(first-1)), esdb.Forwards, 1)
	if err != nil || len(found) == 0 {
		return behind(first)
	}
	held, _, err := n.look(ctx)
	if err != nil || held.Node == n.id {
		return behind(first)
	}
	return n.lose(takenOver(held))
}

func (n *Node) look(ctx context.Context) (holding, uint64, error) {
	held, next, err := n.lease.look(ctx)
	if err == nil {
		n.held.Store(&held)
	}
	return held, next, err
}

// behind is the error of an append for which the copy lacks what came before.
func behind(first domain.Position) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: CodeBehind, Retriable: true,
		Message: fmt.Sprintf("the cluster has a record at position %d already, which is being read; nothing was appended; try again", first)}
}

func takenOver(by holding) error {
	return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeWriterLost,
		Message: fmt.Sprintf("%s has taken over the log, so this Chalie stops; nothing was lost, and it goes on there; start this one again to stand by", cmp.Or(by.Host, "another node"))}
}

func deleted(stream string, cause error) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: CodeStreamDeleted, Err: cause,
		Message: fmt.Sprintf("the stream %s was deleted in the cluster; nothing is written to it any more; the copy on this machine has what was there", stream)}
}

// maxCall is what one append may have in data and metadata.
const maxCall = 1 << 20

// eventsOf makes the events of records. The metadata is for people who look into the
// cluster, and is left out when all of it wouldn't fit.
func eventsOf(records []domain.Sealed) []esdb.EventData {
	out := make([]esdb.EventData, len(records))
	size := 0
	for i, rec := range records {
		e := rec.Envelope
		out[i] = esdb.EventData{EventID: uuid.UUID(e.ID), EventType: string(e.Type), ContentType: esdb.ContentTypeBinary, Data: rec.Bytes}
		topic, _ := json.Marshal(rec.Topic) // a string always has a JSON
		out[i].Metadata = fmt.Appendf(nil, `{"topic":%s,"envelope_id":"%s","trace_id":"%s"}`, topic, e.ID, e.Trace.ID)
		size += len(rec.Bytes) + len(out[i].Metadata) + domain.ClusterBytes(e.Type)
	}
	if size > maxCall {
		for i := range out {
			out[i].Metadata = nil
		}
	}
	return out
}

// measure notes how far the copy is behind.
func (n *Node) measure(ctx context.Context) error {
	last, err := n.cluster.last(ctx, n.cfg.Stream)
	if err != nil || last == nil {
		return err
	}
	lag := uint64(0)
	if tail := uint64(n.log().Tail()); last.revision+1 > tail {
		lag = last.revision + 1 - tail
	}
	n.lag.Store(lag)
	return nil
}

// readAtOnce is how many events are read in one call.
const readAtOnce = 4096

// catchUp brings the copy to the end of the stream.
func (n *Node) catchUp(ctx context.Context) error {
	for first := true; ; first = false {
		next := n.log().Tail() + 1
		found, err := n.cluster.read(ctx, n.cfg.Stream, esdb.Revision(uint64(next-1)), esdb.Forwards, readAtOnce)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			n.lag.Store(0)
			return nil
		}
		if len(found) == readAtOnce && first {
			if err := n.measure(ctx); err != nil {
				return err
			}
		}
		n.lag.Store(n.lag.Load() - min(n.lag.Load(), uint64(len(found))))
		if err := n.follow(ctx, next, found); err != nil {
			return err
		}
	}
}

// follow adds what was read to the copy. It never goes on over a gap.
func (n *Node) follow(ctx context.Context, first domain.Position, found []stored) error {
	records := make([][]byte, len(found))
	for i, e := range found {
		if want := uint64(first-1) + uint64(i); e.revision != want {
			return &domain.Error{Op: "follow", Category: domain.Dependency, Code: CodeStreamCut,
				Message: fmt.Sprintf("the cluster doesn't have the records from position %d to %d any more: the stream %s was cut off; restore it in the cluster, or take a copy that has them", want+1, e.revision, n.cfg.Stream)}
		}
		records[i] = e.data
	}
	return n.log().Follow(ctx, first, records)
}

// check compares the copy, and what is known of the log, with the stream before it is
// followed.
func (n *Node) check(ctx context.Context) error {
	tail := n.log().Tail()
	if max(tail, n.cfg.Known) > 0 {
		last, err := n.cluster.last(ctx, n.cfg.Stream)
		if err != nil {
			return err
		}
		has := domain.Position(0)
		if last != nil {
			has = domain.Position(last.revision + 1)
		}
		if has < max(tail, n.cfg.Known) {
			return n.short(has, tail)
		}
	}
	if tail == 0 {
		if n.cfg.Fresh != nil {
			return n.cfg.Fresh()
		}
		return nil
	}
	for _, pos := range []domain.Position{1, tail} {
		found, err := n.cluster.read(ctx, n.cfg.Stream, esdb.Revision(uint64(pos-1)), esdb.Forwards, 1)
		if err != nil {
			return err
		}
		if len(found) == 1 && found[0].revision == uint64(pos-1) {
			err = n.log().Follow(ctx, pos, [][]byte{found[0].data})
		} else {
			n.cfg.Logger.Warn("the stream was cut off in the cluster; another copy can't be made of it", "stream", n.cfg.Stream)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// short refuses a stream that ends before what this machine has of it.
func (n *Node) short(has, tail domain.Position) error {
	mine, next := fmt.Sprintf("the copy on this machine %d", tail), "the copy has what is missing"
	if has >= tail {
		mine, next = fmt.Sprintf("what was folded on this machine knows %d", n.cfg.Known), "when it is right, move the folder projections of the data directory away"
	}
	return &domain.Error{Op: "follow", Category: domain.Conflict, Code: CodeStreamShort,
		Message: fmt.Sprintf("the stream %s has %d records, and %s: it was deleted, restored from an older backup, or is another Chalie's; nothing was changed; look at the cluster first, %s", n.cfg.Stream, has, mine, next)}
}

// lookEvery is how often a node that stands by looks at the lease and at the log.
const lookEvery = 250 * time.Millisecond

// Lead waits until this node is the one that writes the log, and brings its copy up to
// date meanwhile. log is opened with this node as its Upstream, and nothing else is
// appended to it before. Errors: ctx's; those with which the copy and the stream can't be
// of one log; Dependency when the copy's disk refuses. While the cluster is away it waits.
// A node that leads already goes on with another copy.
func (n *Node) Lead(ctx context.Context, log Copy) error {
	n.copy.Store(&log)
	if n.leading.Load() {
		return n.catchUp(ctx)
	}
	var heard struct {
		since  time.Time // of the latest renewal
		next   uint64
		writer domain.ID
	}
	heard.since = time.Now()
	checked := false // the copy was compared with the stream
	for pause := firstPause; ; {
		held, next, err := n.stand(ctx, &checked)
		if isOurs(err) || ctx.Err() != nil {
			return cmp.Or(ctx.Err(), err)
		}
		n.noteAway(err)
		if err != nil {
			// Nobody's lease ends while nobody can be asked.
			heard.since, pause = time.Now(), min(2*pause, longPause)
			if wait(ctx, pause) != nil {
				return ctx.Err()
			}
			continue
		}
		pause = firstPause
		if held.Closed != "" && held.Closed != n.cfg.Move {
			return closed(n.cfg.Stream, held)
		}
		if next != heard.next {
			heard.since, heard.next = time.Now(), next
			n.noteRenewal()
		}
		if held.Node.IsZero() || time.Since(heard.since) >= n.cfg.LeaseFor {
			led, err := n.takeOver(ctx, next, held.Epoch+1)
			if led || isOurs(err) || ctx.Err() != nil {
				return cmp.Or(ctx.Err(), err)
			}
			heard.since = time.Now()
			continue
		}
		if held.Node != heard.writer {
			heard.writer = held.Node
			n.cfg.Logger.Info("another node writes the log; this one stands by", "writer", held.Host)
		}
		if wait(ctx, lookEvery) != nil {
			return ctx.Err()
		}
	}
}

// isOurs reports whether an error is about the log itself, and not about reaching it.
func isOurs(err error) bool {
	known, ok := errors.AsType[*domain.Error](err)
	return ok && !known.Retriable
}

// stand reads what is new: who writes, and the log.
func (n *Node) stand(ctx context.Context, checked *bool) (holding, uint64, error) {
	var err error
	if !*checked {
		err = n.check(ctx)
		*checked = err == nil
	}
	if err == nil {
		err = n.catchUp(ctx)
	}
	if err != nil {
		return holding{}, 0, gone(n.cfg.Stream, err)
	}
	held, next, err := n.look(ctx)
	return held, next, gone(n.lease.stream, err)
}

// gone makes an error that tells of a stream that was deleted for good one that nobody
// waits after.
func gone(stream string, err error) error {
	if code(err) == esdb.ErrorCodeStreamDeleted {
		return deleted(stream, err)
	}
	return err
}

// takeOver makes this node the writer, unless another was first. next is the revision of
// the lease's next event.
func (n *Node) takeOver(ctx context.Context, next, epoch uint64) (bool, error) {
	if err := n.take(ctx, next, holding{Node: n.id, Host: n.cfg.Host, Epoch: epoch}); err != nil {
		return false, err
	}
	id := n.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(n.cfg.Clock.Now()), "chalie",
		domain.LogTakenOver{Node: n.id.String(), Host: n.cfg.Host, Epoch: epoch})
	if err != nil {
		return false, err
	}
	for {
		if err := n.catchUp(ctx); err != nil {
			if isOurs(err) || wait(ctx, firstPause) != nil {
				return false, n.lose(err)
			}
			continue
		}
		_, err := n.log().Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
		if err == nil {
			n.leading.Store(true)
			n.cfg.Logger.Info("this node writes the log", "stream", n.cfg.Stream, "epoch", epoch)
			return true, nil
		}
		// Whoever wrote before may have written a little more. What isn't known will be
		// when it is appended again.
		if !domain.IsRetriable(err) || wait(ctx, firstPause) != nil {
			return false, n.lose(err)
		}
	}
}

// take takes the lease, and has it renewed.
func (n *Node) take(ctx context.Context, next uint64, mine holding) error {
	if err := n.lease.put(ctx, next, mine); err != nil {
		return err
	}
	n.held.Store(&mine)
	if next == 0 {
		if err := n.cluster.bound(ctx, n.lease.stream, leaseKept); err != nil {
			n.cfg.Logger.Warn("the lease's stream couldn't be bounded, and grows by two events a second", "error", err)
		}
	}
	n.tasks.Go(func() { n.renew(next+1, mine) })
	return nil
}

// renew keeps the lease until it is lost or the node is closed, and gives it up then.
func (n *Node) renew(next uint64, mine holding) {
	for count := 0; ; next++ {
		select {
		case <-time.After(n.cfg.RenewEvery):
		case <-n.ctx.Done():
			n.giveUp(next, mine)
			return
		case c := <-n.closings:
			c.done <- n.lease.put(c.ctx, next, holding{Host: mine.Host, Epoch: mine.Epoch, Closed: c.by})
			return
		}
		if count++; count%watchEvery == 0 && n.copy.Load() != nil {
			n.watch()
		}
		err := n.lease.put(n.ctx, next, mine)
		switch {
		case err == nil && n.Err() == nil:
			n.noteRenewal()
			continue
		case n.ctx.Err() != nil:
			// It may be there or not; whoever waits for the lease waits for its end.
		case err == nil:
			n.giveUp(next+1, mine)
		case isNumbering(err) || code(err) == esdb.ErrorCodeStreamDeleted:
			_ = n.lose(deleted(n.lease.stream, err))
		default:
			held, _, err := n.look(n.ctx)
			if err != nil {
				held = holding{}
			}
			_ = n.lose(takenOver(held))
		}
		return
	}
}

func (n *Node) noteRenewal() {
	now := time.Now()
	n.renewed.Store(&now)
}

// watchEvery is how many renewals come for each look at the stream's beginning.
const watchEvery = 10

// watch looks whether the stream has lost its beginning, of which the cluster says nothing,
// and how far the copy is behind.
func (n *Node) watch() {
	_ = n.measure(n.ctx) // appends say why not
	found, err := n.cluster.read(n.ctx, n.cfg.Stream, esdb.Start{}, esdb.Forwards, 1)
	if err != nil {
		return // appends say so
	}
	cut := len(found) == 0 || found[0].revision > 0
	if cut && !n.cut.Swap(cut) {
		n.cfg.Logger.Error("the stream was cut off or deleted in the cluster; this copy has everything, and another can't be made; restore the stream, or begin another from this copy", "stream", n.cfg.Stream)
	}
	n.cut.Store(cut)
}

// giveUp lets others have the lease at once.
func (n *Node) giveUp(next uint64, mine holding) {
	ctx, cancel := context.WithTimeout(context.Background(), n.cfg.CallFor)
	defer cancel()
	if err := n.lease.put(ctx, next, holding{Host: mine.Host, Epoch: mine.Epoch, Closed: mine.Closed}); err != nil {
		n.cfg.Logger.Info("the lease wasn't given up; another node takes it after "+n.cfg.LeaseFor.String(), "error", err)
	}
}

func isNumbering(err error) bool { return errors.Is(err, errNumbering) }

// Health is how the node stands.
type Health struct {
	Leading bool
	Holder  string // host of the node that writes; "" when nobody does
	Epoch   uint64
	Away    error           // why the cluster takes nothing; nil when it does
	Cut     bool            // the cluster has lost the beginning of the stream
	Renewed time.Time       // when the lease was last seen to be renewed; zero for never
	Lag     uint64          // records that the copy lacked when it was looked at last
	Copied  domain.Position // through which the copy goes
}

// Health tells how the node stands, by what was heard last.
func (n *Node) Health() Health {
	out := Health{Leading: n.leading.Load(), Away: n.Away(), Cut: n.cut.Load(), Lag: n.lag.Load()}
	if at := n.renewed.Load(); at != nil {
		out.Renewed = *at
	}
	if log := n.copy.Load(); log != nil {
		out.Copied = (*log).Tail()
	}
	if held := n.held.Load(); held != nil {
		out.Holder, out.Epoch = held.Host, held.Epoch
	}
	return out
}

// Close gives the lease up, so that another node need not wait for its end, and ends the
// node. The log is closed before.
func (n *Node) Close() {
	n.cancel()
	n.tasks.Wait()
	n.leading.Store(false)
	n.cluster.close()
}

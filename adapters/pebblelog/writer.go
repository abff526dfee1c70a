package pebblelog

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// maxYields bounds how often the writer lets others run before it closes a
// group that is smaller than the last one.
const maxYields = 16

// writer is the one writer of one opening of the store. It ends when the store
// fails, when Pebble ends its goroutine, or when the log is closed.
type writer struct {
	log    *Log
	store  *store
	next   domain.Position
	at     domain.Millis // recorded_at of the last group
	recent *recentIDs
	counts map[domain.TypeVersion]uint64
	memory scratch
	expect int       // requests in the last group
	yields int       // for the group being built
	synced time.Time // when the last group was that was synced

	// flight hands a group that is being written to the goroutine that waits for
	// its sync. Unbuffered: one group syncs while the next is built, no more, or
	// groups would become many and small.
	flight chan *group
	ended  chan struct{}

	// With an upstream the next group is built while one is committed: uphill hands it
	// over, and ahead are those that can't be read in the store yet, oldest first.
	uphill chan *group
	ahead  []*group
	barred chan struct{}         // closed when nothing more can be committed
	away   atomic.Pointer[error] // why a group waits longer for Upstream than it should; nil when none does

	mu      sync.Mutex
	pending []*group // taken from the queue and not answered
	held    *request // the first of the next group, for which the last had no room
	lost    error    // set once the writer was given up: why
	refused error    // what Upstream said of the last group, which isn't in the log then; set before ended is closed
}

func newWriter(l *Log, s *store, at start) *writer {
	return &writer{
		log: l, store: s, next: at.tail + 1, at: at.recordedAt,
		recent: newRecentIDs(at.maxID), counts: at.counts,
		flight: make(chan *group), ended: make(chan struct{}), uphill: make(chan *group), barred: make(chan struct{}),
	}
}

// run writes until there is nothing more to write or the store fails.
func (w *writer) run() {
	defer close(w.ended)
	// A writer that was given up may still be at it; the store stays open for it.
	if !w.store.acquire() {
		return
	}
	defer w.store.release()
	synced := make(chan struct{})
	go func() {
		defer close(synced)
		w.guarded(func() {
			for g := range w.flight {
				w.sync(g)
			}
		})
	}()
	defer func() {
		close(w.flight)
		<-synced
	}()
	if w.log.cfg.Upstream == nil {
		w.guarded(w.build)
		return
	}
	climbed := make(chan struct{})
	go func() {
		defer close(climbed)
		w.guarded(w.climb)
	}()
	w.guarded(w.build)
	close(w.uphill)
	<-climbed
}

// guarded runs a part of the writer. Pebble ends its goroutine when a write fails; the
// groups still in flight must be told apart from those that were synced even then.
func (w *writer) guarded(part func()) {
	defer func() {
		if r := recover(); r != nil {
			w.store.fail(fmt.Errorf("the store failed: %v", r))
		}
	}()
	part()
}

// build makes groups until there is nothing more to write or the store fails.
func (w *writer) build() {
	for {
		first, ok := w.take()
		if !ok || !w.write(first) {
			return
		}
	}
}

// climb commits groups upstream. They are put into the store while the next is committed.
func (w *writer) climb() {
	defer close(w.barred)
	for g := range w.uphill {
		if err := w.commit(g); err != nil {
			w.refused = err
			return
		}
		if !w.fly(g) {
			return
		}
	}
}

// take waits for work: a request, or nil when only checkpoints are to be saved.
func (w *writer) take() (*request, bool) {
	select {
	case <-w.store.failed:
		return nil, false
	case <-w.barred:
		return nil, false
	default:
	}
	if held := w.unhold(); held != nil {
		return held, true
	}
	select {
	case req, ok := <-w.log.requests:
		return req, ok
	default:
	}
	select {
	case <-w.store.failed:
		return nil, false
	case <-w.barred:
		return nil, false
	case req, ok := <-w.log.requests:
		return req, ok
	case <-w.log.checkpoints.dirty:
		return nil, true
	}
}

// write builds one group that starts with first, and applies it or has it committed
// upstream. It reports false when the writer is at its end.
func (w *writer) write(first *request) bool {
	w.yields = 0
	g := &group{first: w.next, counts: map[domain.TypeVersion]uint64{}}
	w.catchSight()
	now := domain.MillisOf(w.log.cfg.Clock.Now())
	w.at = max(w.at, now)
	g.at, g.ahead = w.at, w.at-now
	w.mu.Lock()
	w.pending = append(w.pending, g)
	w.mu.Unlock()
	low := w.log.checkSpace()
	for req := first; req != nil; req = w.more(g) {
		if !req.state.CompareAndSwap(queued, taken) {
			continue
		}
		if why := w.away.Load(); why != nil {
			req.reply(domain.Receipt{}, *why)
			continue
		}
		a := answer{err: low}
		if low == nil {
			a.receipt, a.err = w.judge(g, req)
		}
		w.join(g, req, a)
	}
	g.low = low != nil
	w.next += domain.Position(len(g.entries))
	w.expect = len(g.requests)
	if w.log.cfg.Upstream == nil {
		return w.put(g) && w.fly(g)
	}
	g.put = make(chan struct{})
	w.ahead = append(w.ahead, g)
	select {
	case w.uphill <- g:
		return true
	case <-w.barred:
		return false
	case <-w.store.failed:
		return false
	}
}

// catchSight forgets the groups that are in the store by now. One that is too large to
// remember all its ids is waited for.
func (w *writer) catchSight() {
	for len(w.ahead) > 0 {
		g := w.ahead[0]
		if len(w.ahead[0].entries) < recentHalf/2 {
			select {
			case <-g.put:
			default:
				return
			}
		}
		select {
		case <-g.put:
		case <-w.barred:
			return
		case <-w.store.failed:
			return
		}
		w.ahead = w.ahead[1:]
	}
}

// put applies a group to the store. It reports false when the store failed.
func (w *writer) put(g *group) bool {
	g.batch = w.store.db.NewBatchWithSize(g.bytes + 128*len(g.entries) + 1024)
	err := g.fill(&w.memory)
	if err == nil && !g.low {
		err = w.log.checkpoints.addTo(g.batch)
	}
	switch {
	case err != nil:
	case g.batch.Empty():
		g.batch = nil
	default:
		g.synced = w.isToSync()
		err = w.store.write(func() error {
			if g.synced {
				return w.store.db.ApplyNoSyncWait(g.batch, pebble.Sync)
			}
			return w.store.db.Apply(g.batch, pebble.NoSync)
		})
	}
	if err != nil {
		w.store.fail(err)
		return false
	}
	return true
}

// fly hands a group to the goroutine that answers it.
func (w *writer) fly(g *group) bool {
	select {
	case w.flight <- g:
		return true
	case <-w.store.failed:
		return false
	}
}

// isToSync reports whether a group is to be on the disk before it is answered. A copy's is
// safe upstream; its sync would only take its turn from others.
func (w *writer) isToSync() bool {
	if w.log.cfg.Upstream != nil && time.Since(w.synced) < markEvery {
		return false
	}
	w.synced = time.Now()
	return true
}

// more is the next request for the group, or nil when it is to be written.
func (w *writer) more(g *group) *request {
	if g.bytes >= domain.MaxBatchBytes || len(g.requests) >= w.fill(g) {
		return nil
	}
	for {
		select {
		case req := <-w.log.requests:
			if w.log.cfg.Upstream != nil && req != nil && !g.takes(req) {
				w.hold(req)
				return nil
			}
			return req
		default:
		}
		// Those just answered are about to come back: let them run rather than
		// sync for the few that were quicker.
		if w.yields == maxYields || len(g.requests) >= w.expect {
			return nil
		}
		w.yields++
		runtime.Gosched()
	}
}

// fill is how many requests a group takes. A crowd is split in halves, so that
// one is prepared while the other syncs; a few are not, since the sync is then
// the longer part and they had better share it.
func (w *writer) fill(g *group) int {
	return max(smallestHalf, (w.expect+len(g.requests)+len(w.log.requests)+1)/2)
}

// smallestHalf is how many requests take about as long to prepare as to sync.
const smallestHalf = 256

func (w *writer) join(g *group, req *request, a answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost != nil {
		req.reply(domain.Receipt{}, outcomeUnknown(w.lost))
		return
	}
	if w.away.Load() != nil {
		req.reply(domain.Receipt{}, outcomeUnknown(unanswered(w.log.cfg.Upstream)))
	}
	g.follows = req.follows > 0
	g.requests = append(g.requests, req)
	g.answers = append(g.answers, a)
	g.bytes += req.bytes
}

// sync waits until the group is on disk, moves the durable position and only
// then answers: also the refusals, which may rest on a neighbour's write.
func (w *writer) sync(g *group) {
	if w.log.cfg.Upstream != nil {
		if !w.put(g) {
			return
		}
		close(g.put)
	}
	if g.synced {
		if err := g.batch.SyncWait(); err != nil {
			w.store.fail(err)
			return
		}
	}
	if !w.log.advance(w.store, g) {
		return
	}
	if g.batch != nil {
		_ = g.batch.Close() // returns memory to a pool, nothing else
	}
	if g.synced {
		w.log.noteMark(w.log.mark.set(g.last()))
	}
	w.mu.Lock()
	if len(w.pending) > 0 { // none when the store was given up in between
		w.pending = w.pending[1:]
	}
	w.mu.Unlock()
	for i, req := range g.requests {
		req.reply(g.answers[i].receipt, g.answers[i].err)
	}
}

// abandon fails everything that was taken and not answered: its outcome isn't known.
func (w *writer) abandon(cause error) {
	err := outcomeUnknown(cause)
	if w.refused != nil {
		err = w.refused
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = cause
	for _, g := range w.pending {
		for _, req := range g.requests {
			req.reply(domain.Receipt{}, err)
		}
	}
	w.pending = nil
	if w.held != nil {
		w.held.reply(domain.Receipt{}, err)
		w.held = nil
	}
}

func (w *writer) hold(req *request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost != nil {
		req.reply(domain.Receipt{}, outcomeUnknown(w.lost))
		return
	}
	w.held = req
}

func (w *writer) unhold() *request {
	w.mu.Lock()
	defer w.mu.Unlock()
	held := w.held
	w.held = nil
	return held
}

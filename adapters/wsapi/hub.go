package wsapi

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"chalie/domain"
)

// closeWithin bounds the end of a connection: writing our close frame, and waiting for
// the peer's.
const closeWithin = 2 * time.Second

// Hub holds the sockets and sends every frame to each of them. Make one with New, and
// call Run.
type Hub struct {
	cfg  Config
	ring atomic.Pointer[ring] // nil until Ready

	slots   [pingSlots]slot
	turn    atomic.Uint32 // of the slot that new clients join
	bursts  sync.Pool     // of *burst
	buffers sync.Pool     // of *[]byte, for messages that come in

	talking context.Context // of commands; ends after the clients' time to close is over
	silence context.CancelFunc
	pings   []byte // both pings, encoded

	mu      sync.Mutex
	fresh   context.Context // ends when the encoded frames are stale
	written context.CancelFunc
	clients int
	parting *verdict       // why new clients are refused; nil while the hub is open
	leave   sync.WaitGroup // one for each client
}

// New makes a hub. It accepts clients at once; they get frames once Run runs.
func New(cfg Config) (*Hub, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	h := &Hub{cfg: cfg.withDefaults(), pings: pings(cfg.Speaks.Ping())}
	h.talking, h.silence = context.WithCancel(context.Background())
	h.fresh, h.written = context.WithCancel(context.Background())
	return h, nil
}

// Run sends frames and pings until ctx ends or the log closes. Then new clients are
// refused, every client is closed with 1001, and Run returns when all have left, after
// about two seconds at most. It is called once.
//
// An error says why no frames can be sent any more; clients were closed with
// 1011 then.
func (h *Hub) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var pinging sync.WaitGroup
	pinging.Go(func() { h.ping(ctx) })
	err := h.pump(ctx)
	if ctx.Err() != nil || domain.CodeOf(err) == domain.CodeClosed {
		err = nil
	}
	stop()
	pinging.Wait()
	h.close(err)
	return err
}

// close closes all connections and waits until they are gone.
func (h *Hub) close(err error) {
	why := &verdict{statusGoingAway, "Chalie is stopping: reconnect when it is back, and resume"}
	if err != nil {
		why = &verdict{statusInternal, "Chalie can't send frames any more: its log says why"}
	}
	h.mu.Lock()
	h.parting = why
	h.mu.Unlock()
	h.visit(func(c *client, b *burst) { c.end(why.code, why.reason, b) })
	hush := time.AfterFunc(closeWithin, h.silence)
	h.leave.Wait()
	hush.Stop()
	h.silence()
}

// Tell sends a text to every client that is there and takes what it is sent: it comes from no
// record, and nobody gets it later.
func (h *Hub) Tell(text []byte) {
	h.visit(func(c *client, b *burst) {
		c.mu.Lock()
		if len(c.notes) < maxNotes && !c.stuck && !c.closing && !c.ended {
			c.notes = append(c.notes, note{text: text})
		}
		c.mu.Unlock()
		c.flush(b)
	})
}

// epochs are those of the log.
func (h *Hub) epochs() domain.Epochs {
	if h.cfg.Epochs == nil {
		return nil
	}
	return h.cfg.Epochs()
}

// Recheck closes the connections whose session is over, without waiting for their next
// ping.
func (h *Hub) Recheck() { h.visit((*client).deliver) }

// Clients is the number of connections.
func (h *Hub) Clients() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.clients
}

// reserve counts one more client, or refuses it.
func (h *Hub) reserve() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.parting != nil {
		return &domain.Error{Op: "open socket", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
			Message: h.parting.reason}
	}
	if h.clients >= h.cfg.MaxClients {
		return tooManyClients(h.cfg.MaxClients)
	}
	h.clients++
	h.leave.Add(1)
	return nil
}

func (h *Hub) release() {
	h.mu.Lock()
	h.clients--
	h.mu.Unlock()
	h.leave.Done()
}

// parted is why all connections are being closed; nil while they aren't.
func (h *Hub) parted() *verdict {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.parting
}

// visit calls do for every client, with as many workers as there are processors. do must
// not block: a slow write belongs to the client's own goroutine.
func (h *Hub) visit(do func(*client, *burst)) {
	var working sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), pingSlots)
	for w := range workers {
		working.Go(func() {
			b := h.burst()
			defer h.bursts.Put(b)
			var present []*client
			for i := w; i < pingSlots; i += workers {
				present = h.slots[i].appendTo(present[:0])
				for _, c := range present {
					do(c, b)
				}
			}
		})
	}
	working.Wait()
}

func (h *Hub) burst() *burst {
	if b, ok := h.bursts.Get().(*burst); ok {
		return b
	}
	return newBurst()
}

// ended reports whether an error only means that the program stops.
func ended(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled) || domain.CodeOf(err) == domain.CodeClosed
}

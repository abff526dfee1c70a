package wsapi

import (
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"chalie/commands"
	"chalie/domain"

	"github.com/gobwas/ws"
)

// client is one connection. It has one goroutine, which reads and handles messages;
// frames are written by the goroutine that delivers them (see deliver).
type client struct {
	hub    *Hub
	conn   net.Conn
	raw    syscall.RawConn // nil when conn has no non-blocking write
	who    commands.Caller
	alive  func() bool
	slot   *slot
	opener *time.Timer
	heard  atomic.Int64 // when the last byte came, Unix nanoseconds
	in     input        // of the reading goroutine
	header [ws.MaxHeaderSize]byte

	mu       sync.Mutex
	cursor   domain.Seq // every frame through it was sent or skipped
	shown    domain.Seq // the number sent last
	crossing []byte     // says first that another epoch has begun
	resumed  bool       // since frames were last loaded: a gap now was there before this connection
	opening  bool       // a resume may still come
	writing  bool       // a writer is at work, and looks for more when done
	stuck    bool       // the writer is a goroutine of its own, because the socket is full
	closing  bool       // a close frame is on its way, or was sent
	said     bool       // the close frame was loaded
	ended    bool       // nothing can be written any more

	pinging  bool
	pong     []byte        // the frame that answers the latest ping
	notes    []note        // that wait to be sent
	farewell []byte        // the close frame, and the error before it
	changed  chan struct{} // closed when a condition of await may hold
}

// start is where a client's frames begin: behind a number, which for one that doesn't resume is
// where the log ended before the upgrade was answered.
type start struct {
	cursor  domain.Seq
	resumes bool // it has said so already
}

// join takes over a connection after reserve. ahead is what the peer has already sent.
func (h *Hub) join(conn net.Conn, ahead []byte, at start, who commands.Caller, alive func() bool) {
	c := &client{hub: h, conn: conn, raw: rawConn(conn), who: who, alive: alive,
		cursor: at.cursor, resumed: at.resumes, opening: true}
	grace := h.cfg.OpeningGrace
	if at.resumes {
		c.shown, grace = at.cursor, 0
	}
	// The slot whose turn has just been: its next one is a whole interval away.
	c.slot = &h.slots[(h.turn.Load()+pingSlots-1)%pingSlots]
	c.in.conn, c.in.heard, c.in.ahead = conn, &c.heard, ahead
	c.heard.Store(time.Now().UnixNano())
	c.slot.add(c)
	c.opener = time.AfterFunc(grace, func() { c.withBurst(c.open) })
	if why := h.parted(); why != nil {
		// close may have visited the clients before this one joined.
		c.withBurst(func(b *burst) { c.end(why.code, why.reason, b) })
	}
	go c.serve()
}

// serve is the connection's goroutine.
func (c *client) serve() {
	defer c.hub.release()
	c.read()
	c.linger()
	c.opener.Stop()
	c.slot.remove(c)
	c.mu.Lock()
	if tcp, ok := c.conn.(interface{ SetLinger(int) error }); ok && c.stuck {
		// The peer doesn't read: the kernel need not keep unsent bytes.
		_ = tcp.SetLinger(0)
	}
	_ = c.conn.Close()
	c.ended = true
	c.wake()
	c.await(func() bool { return !c.writing })
	c.mu.Unlock()
}

// open ends the time in which a client may resume.
func (c *client) open(b *burst) {
	c.mu.Lock()
	c.opening = false
	c.mu.Unlock()
	c.deliver(b)
}

// resume sets the number after which the client wants frames.
func (c *client) resume(last domain.Seq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cursor, c.shown, c.resumed = last, last, true
}

// ping pings the client, or cuts it off when it has been silent for too long.
func (c *client) ping(now time.Time, b *burst) {
	silent := c.hub.cfg.SilentFor
	// A client that is nearly silent for too long is cut off now: by the next ping it
	// would be overdue.
	if now.UnixNano()-c.heard.Load() >= int64(silent-c.hub.cfg.PingEvery/pingSlots) {
		c.end(statusGoingAway, "nothing was heard for "+silent.String()+": reconnect and resume", b)
		return
	}
	if !c.alive() {
		c.expire(b)
		return
	}
	c.mu.Lock()
	c.pinging = !c.stuck // no ping for a client that doesn't read
	c.mu.Unlock()
	c.flush(b)
}

// note is what only one client is sent, or what is sent to those that are there now: it comes
// from no record.
type note struct {
	refusal string
	text    []byte // instead of a refusal
}

// maxNotes bounds the notes that wait to be written. At the bound, reading from the
// client stops until it has taken some.
const maxNotes = 8

// queueNote sends a note to this client.
func (c *client) queueNote(n note) {
	c.withBurst(func(b *burst) {
		c.mu.Lock()
		c.notes = append(c.notes, n)
		c.mu.Unlock()
		c.flush(b)
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.await(func() bool { return len(c.notes) < maxNotes || c.closing || c.ended })
}

func (c *client) withBurst(do func(*burst)) {
	b := c.hub.burst()
	defer c.hub.bursts.Put(b)
	do(b)
}

// await waits until a condition holds. The lock is held before and after, and while the
// condition is evaluated.
func (c *client) await(holds func() bool) {
	for !holds() {
		if c.changed == nil {
			c.changed = make(chan struct{})
		}
		changed := c.changed
		c.mu.Unlock()
		<-changed
		c.mu.Lock()
	}
}

// wake makes await evaluate its condition again. The lock is held.
func (c *client) wake() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

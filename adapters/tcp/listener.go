package tcp

import (
	"container/list"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Bounds is how many connections there may be at once.
type Bounds struct {
	Total    int // at least 1
	PerPlace int // of one place; at least 1
}

// listener counts what it accepted until it is closed.
type listener struct {
	*net.TCPListener
	bounds Bounds
	log    *slog.Logger

	mu     sync.Mutex
	count  int
	places map[netip.Prefix]*place
	quiet  crowd
	told   time.Time // when it was logged that there is no room
}

// place is where connections come from.
type place struct {
	count int
	quiet crowd
}

// crowd is connections that are quiet, each list with the longest quiet one first.
type crowd struct {
	silent list.List // of *conn: no request came on them yet
	idle   list.List // of *conn: one was answered
}

// first is the one that goes when one has to, nil when none is quiet: one that keeps
// alive has shown that it is somebody.
func (c *crowd) first() *conn {
	for _, l := range []*list.List{&c.silent, &c.idle} {
		if e := l.Front(); e != nil {
			return e.Value.(*conn) //nolint:errcheck // the lists hold nothing else
		}
	}
	return nil
}

// conn is a connection that is counted. It is a TCP connection in every other way, so
// that what looks beneath it finds one.
type conn struct {
	*net.TCPConn
	owner  *listener
	from   netip.Prefix
	closed bool // guarded by the listener's mutex, as all below

	asked          bool          // a request came
	inAll, inPlace *list.Element // nil while it isn't quiet
}

var (
	_ net.Listener = (*listener)(nil)
	_ net.Conn     = (*conn)(nil)
)

// connKey finds a request's connection in its context.
type connKey struct{}

// Guard bounds what server, and the others that serve on the same listener by Split,
// accept from inner. It takes each one's ConnState and ConnContext, and puts itself before
// its handler.
func Guard(server *http.Server, inner *net.TCPListener, bounds Bounds, log *slog.Logger, others ...*http.Server) net.Listener {
	l := &listener{TCPListener: inner, bounds: bounds, log: log, places: map[netip.Prefix]*place{}}
	for _, s := range append(others, server) {
		l.watch(s)
	}
	return l
}

// watch learns from a server which connections are quiet.
func (l *listener) watch(server *http.Server) {
	next := server.Handler
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, ownConn(c))
	}
	server.ConnState = func(c net.Conn, s http.ConnState) {
		if own := ownConn(c); own != nil && s == http.StateIdle {
			l.markIdle(own)
		}
	}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if own, ok := r.Context().Value(connKey{}).(*conn); ok && own != nil {
			l.wake(own)
		}
		next.ServeHTTP(w, r)
	})
}

// ownConn is the counted connection beneath what a server was given, such as one of TLS;
// nil when there is none.
func ownConn(c net.Conn) *conn {
	for {
		if own, ok := c.(*conn); ok {
			return own
		}
		over, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			return nil
		}
		c = over.NetConn()
	}
}

// Accept returns the next connection that there is room for.
func (l *listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		c := &conn{TCPConn: inner, owner: l, from: placeOf(inner.RemoteAddr())}
		ended, ok := l.admit(c)
		if ended != nil {
			_ = ended.TCPConn.Close() // it was counted off already
		}
		if ok {
			return c, nil
		}
		_ = inner.Close()
	}
}

// admit counts a connection. It may have to end another one, which the caller closes.
func (l *listener) admit(c *conn) (ended *conn, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full := l.crowdBefore(c.from); full != nil {
		l.tell(c.from)
		if ended = full.first(); ended == nil {
			return nil, false
		}
		l.leave(ended)
	}
	p := l.places[c.from]
	if p == nil {
		p = &place{}
		l.places[c.from] = p
	}
	l.count++
	p.count++
	l.list(c)
	return ended, true
}

// crowdBefore is the quiet ones of whom one has to go before a new one from a place may
// come, nil when there is room; the caller holds the mutex.
func (l *listener) crowdBefore(from netip.Prefix) *crowd {
	if p := l.places[from]; p != nil && p.count >= l.bounds.PerPlace {
		return &p.quiet
	}
	if l.count >= l.bounds.Total {
		return &l.quiet
	}
	return nil
}

// tellEvery is how often it is said that there is no room.
const tellEvery = time.Minute

// tell says that there is no room; the caller holds the mutex.
func (l *listener) tell(from netip.Prefix) {
	now := time.Now()
	if now.Sub(l.told) < tellEvery {
		return
	}
	l.told = now
	l.log.Warn("too many connections: those that have been quiet longest are ended, and new ones refused when there are none",
		"connections", l.count, "bound", l.bounds.Total, "bound_of_one_place", l.bounds.PerPlace, "last_from", from.String())
}

// leave counts a connection off; the caller holds the mutex.
func (l *listener) leave(c *conn) {
	if c.closed {
		return
	}
	c.closed = true
	l.unlist(c)
	l.count--
	p := l.places[c.from]
	if p.count--; p.count == 0 {
		delete(l.places, c.from)
	}
}

// list makes a connection quiet; the caller holds the mutex.
func (l *listener) list(c *conn) {
	if c.inAll != nil {
		return
	}
	p := l.places[c.from]
	if c.asked {
		c.inAll, c.inPlace = l.quiet.idle.PushBack(c), p.quiet.idle.PushBack(c)
	} else {
		c.inAll, c.inPlace = l.quiet.silent.PushBack(c), p.quiet.silent.PushBack(c)
	}
}

// unlist makes a connection busy; the caller holds the mutex.
func (l *listener) unlist(c *conn) {
	if c.inAll == nil {
		return
	}
	// Of the two lists that it may be in, removing it from the other does nothing.
	p := l.places[c.from]
	for _, in := range []*crowd{&l.quiet, &p.quiet} {
		for _, e := range []*list.Element{c.inAll, c.inPlace} {
			in.silent.Remove(e)
			in.idle.Remove(e)
		}
	}
	c.inAll, c.inPlace = nil, nil
}

// markIdle makes a connection quiet: its request was answered, and no other began.
func (l *listener) markIdle(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.closed {
		l.list(c)
	}
}

// wake keeps a connection from being ended while its request is answered.
func (l *listener) wake(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.closed {
		l.unlist(c)
		c.asked = true
	}
}

// Close ends the connection and makes its room free.
func (c *conn) Close() error {
	c.owner.mu.Lock()
	c.owner.leave(c)
	c.owner.mu.Unlock()
	return c.TCPConn.Close()
}

// placeOf is the place of an address.
func placeOf(addr net.Addr) netip.Prefix {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	switch {
	case ip.IsLoopback():
		return netip.PrefixFrom(netip.IPv6Loopback(), 128)
	case ip.Is6():
		return netip.PrefixFrom(ip, 64).Masked()
	}
	return netip.PrefixFrom(ip, 32)
}

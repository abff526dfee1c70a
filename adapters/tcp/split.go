package tcp

import (
	"net"
	"sync"
	"time"
)

// handshake is the first byte of a TLS connection, and of no HTTP request.
const handshake = 0x16

// firstByteWithin is how long a connection may say nothing before nobody serves it.
const firstByteWithin = 10 * time.Second

// splitter hands connections to one of two listeners by their first byte.
type splitter struct {
	inner         net.Listener
	secure, plain chan net.Conn
	ended         chan struct{}
	err           error // why Accept ends; set before ended is closed
	closing       sync.Once
	closed        error
	work          sync.WaitGroup

	mu      sync.Mutex
	waiting map[net.Conn]bool // for a first byte; nil once closed
}

// Split shares a listener between two servers: connections that begin a TLS handshake are
// accepted by secure, all others by plain. Closing either closes inner, ends both, and
// waits for what Split runs.
func Split(inner net.Listener) (secure, plain net.Listener) {
	s := &splitter{inner: inner, secure: make(chan net.Conn), plain: make(chan net.Conn), ended: make(chan struct{}), waiting: map[net.Conn]bool{}}
	s.work.Go(s.accept)
	return half{s, s.secure}, half{s, s.plain}
}

func (s *splitter) accept() {
	defer close(s.ended)
	for {
		c, err := s.inner.Accept()
		if err != nil {
			s.err = err
			return
		}
		if !s.await(c) {
			_ = c.Close()
			continue
		}
		s.work.Go(func() { s.judge(c) })
	}
}

// await notes a connection whose first byte is awaited; false once the listener is closed.
func (s *splitter) await(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting != nil {
		s.waiting[c] = true
	}
	return s.waiting != nil
}

// judge reads the first byte of a connection and hands it on. The bounds of the guarded
// listener are those of how many there are.
func (s *splitter) judge(c net.Conn) {
	var first [1]byte
	err := c.SetReadDeadline(time.Now().Add(firstByteWithin))
	if err == nil {
		_, err = c.Read(first[:])
	}
	if err == nil {
		err = c.SetReadDeadline(time.Time{})
	}
	s.mu.Lock()
	delete(s.waiting, c)
	s.mu.Unlock()
	if err != nil {
		_ = c.Close()
		return
	}
	to := s.plain
	if first[0] == handshake {
		to = s.secure
	}
	select {
	case to <- &begun{Conn: c, first: first[:]}:
	case <-s.ended:
		_ = c.Close()
	}
}

func (s *splitter) close() error {
	s.closing.Do(func() {
		s.closed = s.inner.Close()
		s.mu.Lock()
		for c := range s.waiting {
			_ = c.Close()
		}
		s.waiting = nil
		s.mu.Unlock()
		s.work.Wait()
	})
	return s.closed
}

// half is the listener of one of the two servers.
type half struct {
	*splitter
	from chan net.Conn
}

var _ net.Listener = half{}

// Accept implements net.Listener.
func (h half) Accept() (net.Conn, error) {
	select {
	case c := <-h.from:
		return c, nil
	case <-h.ended:
		return nil, h.err
	}
}

// Close implements net.Listener.
func (h half) Close() error { return h.close() }

// Addr implements net.Listener.
func (h half) Addr() net.Addr { return h.inner.Addr() }

// begun is a connection whose first byte was read.
type begun struct {
	net.Conn
	first []byte
}

// Read implements net.Conn. A server reads from one goroutine at a time.
func (b *begun) Read(p []byte) (int, error) {
	if len(b.first) == 0 || len(p) == 0 {
		return b.Conn.Read(p)
	}
	n := copy(p, b.first)
	b.first = b.first[n:]
	return n, nil
}

// NetConn is the connection beneath.
func (b *begun) NetConn() net.Conn { return b.Conn }

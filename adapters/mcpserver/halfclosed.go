package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
)

// answersWithin bounds the wait for answers behind the end of what a program says: one that was
// killed looks the same, and its questions are taken back.
const answersWithin = 10 * time.Second

// halfClosed is a connection whose other side may have said all that it wants, and still waits for
// answers: its end is told when they are written, since the library ends a session with its input.
type halfClosed struct {
	io.ReadWriteCloser
	within time.Duration // to wait for answers
	gone   chan struct{} // closed with the connection

	mu      sync.Mutex
	asked   []byte        // the line that is being read
	told    []byte        // the line that is being written
	open    int           // requests without an answer
	settled chan struct{} // closed when there is none, after the end was read; nil before
	closing sync.Once
}

func newHalfClosed(conn io.ReadWriteCloser, within time.Duration) *halfClosed {
	return &halfClosed{ReadWriteCloser: conn, within: within, gone: make(chan struct{})}
}

// Read implements io.Reader.
func (h *halfClosed) Read(p []byte) (int, error) {
	n, err := h.ReadWriteCloser.Read(p)
	h.mu.Lock()
	h.asked = h.count(h.asked, p[:n], true)
	if n > 0 || !errors.Is(err, io.EOF) || h.open == 0 {
		h.mu.Unlock()
		if n > 0 {
			err = nil // it comes again
		}
		return n, err
	}
	settled := make(chan struct{})
	h.settled = settled
	h.mu.Unlock()
	patience := time.NewTimer(h.within)
	defer patience.Stop()
	select {
	case <-settled:
	case <-patience.C:
	case <-h.gone:
	}
	return 0, io.EOF
}

// Write implements io.Writer.
func (h *halfClosed) Write(p []byte) (int, error) {
	n, err := h.ReadWriteCloser.Write(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = h.count(h.told, p[:n], false)
	if h.settled != nil && (h.open == 0 || err != nil) {
		close(h.settled)
		h.settled = nil
	}
	return n, err
}

// Close implements io.Closer.
func (h *halfClosed) Close() error {
	h.closing.Do(func() { close(h.gone) })
	return h.ReadWriteCloser.Close()
}

// count notes the requests in what came, or the answers in what left, and returns what of a line
// isn't whole. The lock is held.
func (h *halfClosed) count(before, more []byte, asks bool) (rest []byte) {
	rest = append(before, more...) //nolint:gocritic // what is before goes on in it
	for {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			return rest
		}
		rest = after
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || (m.Method != "") != asks {
			continue // a notification, the answer of a program, a question of Chalie's
		}
		if asks {
			h.open++
		} else {
			h.open--
		}
	}
}

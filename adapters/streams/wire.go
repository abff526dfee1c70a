package streams

import (
	"errors"
	"net"
	"os"
	"time"
)

// errLongHandshake says that an answer to the handshake doesn't end.
var errLongHandshake = errors.New("the answer to the handshake is too long")

// wire is a connection that is bounded in what it reads during the handshake and
// asks a silent server for a sign of life after it.
type wire struct {
	net.Conn
	budget int // of the handshake; negative once that is over

	pingEvery time.Duration
	ping      func() error
}

func newWire(conn net.Conn) *wire { return &wire{Conn: conn, budget: maxHandshakeBytes} }

// shaken ends the handshake.
func (w *wire) shaken(pingEvery time.Duration, ping func() error) {
	w.budget, w.pingEvery, w.ping = -1, pingEvery, ping
}

// maxPings go out without any answer before a silent server is given up.
const maxPings = 3

// Read fails with os.ErrDeadlineExceeded when the server doesn't even answer
// pings. A deadline here loses nothing: no bytes were read when it passes.
func (w *wire) Read(p []byte) (int, error) {
	if w.budget >= 0 {
		return w.readHandshake(p)
	}
	for pings := 0; ; pings++ {
		if err := w.SetReadDeadline(time.Now().Add(w.pingEvery)); err != nil {
			return 0, err
		}
		n, err := w.Conn.Read(p)
		if n > 0 || pings == maxPings || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if err := w.ping(); err != nil {
			return 0, err
		}
	}
}

func (w *wire) readHandshake(p []byte) (int, error) {
	if w.budget == 0 {
		return 0, errLongHandshake
	}
	n, err := w.Conn.Read(p[:min(len(p), w.budget)])
	w.budget -= n
	return n, err
}

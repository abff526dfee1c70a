package wsapi

import (
	"net"
	"sync/atomic"
	"time"
)

// input reads a connection a few bytes ahead: enough for a header and a pong in one
// system call, and little enough to be kept for thousands of idle clients.
type input struct {
	conn  net.Conn
	heard *atomic.Int64
	ahead []byte // bytes that came with the handshake
	buf   [64]byte
	from  uint8
	to    uint8
}

// inHand is how many bytes can be read without waiting.
func (in *input) inHand() int { return len(in.ahead) + int(in.to-in.from) }

func (in *input) Read(p []byte) (int, error) {
	if len(in.ahead) > 0 {
		n := copy(p, in.ahead)
		if in.ahead = in.ahead[n:]; len(in.ahead) == 0 {
			in.ahead = nil
		}
		return n, nil
	}
	if in.from == in.to {
		if len(p) >= len(in.buf) {
			n, err := in.conn.Read(p)
			in.note(n)
			return n, err
		}
		n, err := in.conn.Read(in.buf[:])
		in.note(n)
		in.from, in.to = 0, uint8(n)
		if n == 0 {
			return 0, err
		}
		// An error that came with bytes comes again with the next read.
	}
	n := copy(p, in.buf[in.from:in.to])
	in.from += uint8(n)
	return n, nil
}

// note counts bytes as a sign of life.
func (in *input) note(n int) {
	if n > 0 {
		in.heard.Store(time.Now().UnixNano())
	}
}

package wsapi

import "syscall"

// burst writes to sockets without waiting. It is used by one goroutine at a time, for one
// client after another.
type burst struct {
	buf []byte // what is put together for one write

	out     []byte
	n       int
	err     error
	attempt func(fd uintptr) bool // made once, to save a closure per write
}

func newBurst() *burst {
	b := &burst{buf: make([]byte, 0, burstBytes/4)}
	b.attempt = func(fd uintptr) bool {
		b.n, b.err = writeNow(fd, b.out)
		return true // never wait until the socket takes more
	}
	return b
}

// write returns how many bytes the socket took, which may be none. An error means that
// the connection is gone.
func (b *burst) write(raw syscall.RawConn, out []byte) (int, error) {
	if raw == nil {
		return 0, nil
	}
	b.out, b.n, b.err = out, 0, nil
	err := raw.Write(b.attempt)
	b.out = nil
	if err == nil {
		err = b.err
	}
	return b.n, err
}

//go:build unix

package wsapi

import (
	"errors"
	"net"
	"syscall"
)

// rawConn is a connection's access for non-blocking writes; nil when it has none.
func rawConn(conn net.Conn) syscall.RawConn {
	if sc, ok := conn.(syscall.Conn); ok {
		if raw, err := sc.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil
}

// writeNow writes as many bytes as the socket takes at once. Go's sockets never block in
// the kernel.
func writeNow(fd uintptr, p []byte) (int, error) {
	for {
		n, err := syscall.Write(int(fd), p)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			return 0, nil
		case err != nil:
			return 0, err
		}
		return n, nil
	}
}

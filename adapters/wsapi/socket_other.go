//go:build !unix

package wsapi

import (
	"net"
	"syscall"
)

// rawConn is nil: every write is finished by a goroutine of the client's own.
func rawConn(net.Conn) syscall.RawConn { return nil }

// writeNow is never called without a raw connection.
func writeNow(uintptr, []byte) (int, error) { return 0, syscall.EINVAL }

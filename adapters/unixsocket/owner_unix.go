//go:build unix

package unixsocket

import (
	"errors"
	"os"
	"syscall"
)

func ownedByUs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// refusedCall reports whether a call failed because nobody listens.
func refusedCall(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

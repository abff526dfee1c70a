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

// ownerOf is the user who owns a folder, -1 when nobody can tell.
func ownerOf(dir string) int {
	info, err := os.Stat(dir)
	if err != nil {
		return -1
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1
	}
	return int(stat.Uid)
}

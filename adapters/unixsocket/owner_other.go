//go:build !unix

package unixsocket

import (
	"errors"
	"os"
	"syscall"
)

// ownedByUs can't be told from a mode here; the folder inherits the rights of
// the data directory.
func ownedByUs(os.FileInfo) bool { return true }

// refusedCall reports whether a call failed because nobody listens: here the
// same failure has another number.
func refusedCall(err error) bool {
	const wsaeconnrefused syscall.Errno = 10061
	return errors.Is(err, wsaeconnrefused)
}

// ownerOf can't be told here.
func ownerOf(string) int { return -1 }

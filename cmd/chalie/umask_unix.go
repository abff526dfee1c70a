//go:build unix

package main

import (
	"os"
	"syscall"
)

// keepToOwner has every file that this process makes from here on belong to its
// owner alone, whatever the shell says: what libraries make, too.
func keepToOwner() { syscall.Umask(0o077) }

// ownedByUs reports whether a file or folder is the user's who runs this process.
func ownedByUs(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

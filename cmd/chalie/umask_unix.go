//go:build unix

package main

import "syscall"

// keepToOwner has every file that this process makes from here on belong to its
// owner alone, whatever the shell says: what libraries make, too.
func keepToOwner() { syscall.Umask(0o077) }

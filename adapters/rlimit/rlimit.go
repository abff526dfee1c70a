// Package rlimit says how many files this process may have open: files, folders and
// connections alike.
package rlimit

import "os"

// Open is how many files this process has open; 0 where nobody can tell.
func Open() int {
	names, err := os.ReadDir("/dev/fd")
	if err != nil {
		return 0
	}
	return len(names)
}

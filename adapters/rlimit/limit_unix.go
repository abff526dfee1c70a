//go:build unix

package rlimit

import "golang.org/x/sys/unix"

// most is what an unlimited number counts as.
const most = 1 << 20

// Files is how many files this process may have open at once; 0 where nobody can tell.
// Go raises the limit to the highest that a process may give itself, so this is it.
func Files() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), most)) //nolint:unconvert // its type differs between systems
}

package voices

import "golang.org/x/sys/unix"

// Bounds of a child. PocketSphinx maps its models into memory and takes about 200 MB.
const (
	maxMemory  = 2 << 30
	maxSeconds = 120 // of processor time
	maxFile    = 64 << 20
)

// bound sets a child's limits just after its start: Go can't do it between fork and exec. A
// child that has ended already needs none.
func bound(pid int) {
	for resource, most := range map[int]uint64{unix.RLIMIT_AS: maxMemory, unix.RLIMIT_CPU: maxSeconds, unix.RLIMIT_FSIZE: maxFile, unix.RLIMIT_CORE: 0} {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
	}
}

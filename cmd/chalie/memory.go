package main

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"chalie/adapters/cgroup"
	"chalie/commands"
)

// allowance is the memory limit of the program in bytes; 0 when unknown, and then its
// parts have their largest useful sizes.
//
// Three quarters are the Go collector's memory limit; the rest is for memory outside of
// it: the stores' caches and tables, thread stacks, the kernel's buffers. GOMEMLIMIT, if
// set, is the first part, and the rest is sized by it.
type allowance int64

// machineMemory is what this machine, or the control group it runs in, leaves to the
// program. It sets the collector's limit.
func machineMemory() allowance {
	bytes, _ := cgroup.Memory()
	if given := debug.SetMemoryLimit(-1); given != math.MaxInt64 {
		if wanted := given/3*4 + 1; bytes == 0 || wanted < bytes {
			bytes = wanted
		}
		return allowance(bytes)
	}
	if bytes > 0 {
		debug.SetMemoryLimit(bytes / 4 * 3)
	}
	return allowance(bytes)
}

// share is a part of it, between two bounds: one 32nd for a part of 32.
func (m allowance) share(part, least, most int64) int64 {
	if m == 0 {
		return most
	}
	return min(max(int64(m)/part, least), most)
}

const mib = 1 << 20

// giveBack has what a look back or a rebuild used given back to the machine, once it is
// quiet again: the collector keeps it for the next, and looks for it every two minutes.
func giveBack(ctx context.Context, every time.Duration, give func()) {
	allocated := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	read := func() uint64 {
		metrics.Read(allocated)
		return allocated[0].Value.Uint64()
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	given, last := read(), uint64(0)
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := read()
		if now-given > busyBytes && now-last < quietBytes {
			give()
			given = read()
		}
		last = now
	}
}

// More than busyBytes since the last time are worth a collection; less than quietBytes in
// one span are quiet.
const (
	busyBytes  = 64 * mib
	quietBytes = 4 * mib
)

// Each of these is as large as it is of use where there are one or two gigabytes; the kernel
// keeps what doesn't fit while it has room. What the stores take is outside of the collector's
// limit, and all of it together, with the table that each is filling and the one before, has to
// fit into what that leaves on the smallest machine.

func (m allowance) logCache() int64  { return m.share(32, 4*mib, 16*mib) }
func (m allowance) logTable() int64  { return m.share(64, 4*mib, 32*mib) }
func (m allowance) foldCache() int64 { return m.share(512, mib/2, 2*mib) }
func (m allowance) foldTable() int64 { return m.share(256, mib, 4*mib) }
func (m allowance) bodies() int64    { return m.share(16, 16*mib, 64*mib) }
func (m allowance) stack() int64     { return m.share(4, 64*mib, 256*mib) }
func (m allowance) reading() int64   { return m.share(4, 64*mib, commands.DefaultReadMemory) }
func (m allowance) heapFloor() int64 { return m.share(64, 0, 16*mib) }

package main

import "runtime"

// heapFloor is memory that is asked for and never touched, so that it takes
// none. What lives on this program's heap is a few megabytes: the collector
// would run each time as much again is allocated, fifty times a second under
// load, for a sixth of all computing time. It counts the floor as living and
// waits accordingly. GOGC would do the same, but multiply a large heap, too.
type heapFloor []byte

// newHeapFloor is one for a program that may take so much: its limit counts the floor.
func newHeapFloor(m allowance) heapFloor { return make(heapFloor, m.heapFloor()) }

// release lets the collector take it. Until then it must be held.
func (f heapFloor) release() { runtime.KeepAlive(f) }

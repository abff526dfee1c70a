package main

import "time"

// scale is how much work a run does.
type scale struct {
	rounds     int
	publishFor time.Duration // of each publishing trial
	postFor    time.Duration // of each trial over HTTP
	messages   int           // consumed in each subscribing trial
	envelopes  int           // in the log that is scanned and opened
	syncFor    time.Duration // timing the disk
	clients    int           // connected over WebSocket
	idleFor    time.Duration // before the memory they take is read
	causes     int           // of a frame to all, in each trial
	frames     int           // of a broadcast stream
}

// full takes about eight minutes on two cores.
func full() scale {
	return scale{
		rounds: 5, publishFor: time.Second, postFor: 3 * time.Second, messages: 20_000, envelopes: 1_000_000,
		syncFor: time.Second, clients: 10_000, idleFor: 35 * time.Second, causes: 7, frames: 300_000,
	}
}

// short only shows that everything runs.
func short() scale {
	return scale{
		rounds: 1, publishFor: 50 * time.Millisecond, postFor: 100 * time.Millisecond, messages: 200, envelopes: 5_000,
		syncFor: 50 * time.Millisecond, clients: 300, idleFor: 50 * time.Millisecond, causes: 2, frames: 2_000,
	}
}

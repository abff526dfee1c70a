package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// publish lets n publishers call send in a loop for a while, each at least
// once, and returns how many messages were sent a second. send returns how many
// it sent, all of them confirmed. The clock stops when the last call returns.
func publish(ctx context.Context, n int, while time.Duration, send func(publisher int) (int, error)) (float64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var sent atomic.Int64
	var publishers sync.WaitGroup
	begun := time.Now()
	for p := range n {
		publishers.Go(func() {
			for ctx.Err() == nil {
				count, err := send(p)
				if err != nil {
					cancel(err)
					return
				}
				sent.Add(int64(count))
				if time.Since(begun) >= while {
					return
				}
			}
		})
	}
	publishers.Wait()
	took := time.Since(begun)
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	return float64(sent.Load()) / took.Seconds(), nil
}

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// How BenchmarkChatUnderSignals talks, and what arrives meanwhile.
const (
	benchChats     = 400                   // messages of each condition, at least
	benchChatPause = 10 * time.Millisecond // from an answer to the next message
	benchSignals   = 10_000
	benchPaced     = 10 * time.Second // in which they come, in the paced condition
)

// BenchmarkChatUnderSignals measures how long a message takes until its `done` is
// on the person's device, while nothing else happens and while 10,000 signals
// arrive: within ten seconds over 16 connections (paced), and as fast as 64
// connections can send (flood). All sides share the process. The 99th percentile
// under paced signals is to stay below twice the idle one; under a flood it is about
// twice that, and was more than three times before signals made room.
//
// It takes about half a minute: run it with -benchtime 1x.
func BenchmarkChatUnderSignals(b *testing.B) {
	for b.Loop() {
		p := openBenched(b)
		p.serve()
		p.plan(20)
		d := p.device()
		p.chat(d, messages(50)) // the first ones pay for what is made once
		idle := p.chat(d, messages(benchChats))
		paced := p.chatBeside(d, 16, benchPaced)
		flood := p.chatBeside(d, 64, 0)
		for _, c := range []struct {
			name string
			took []time.Duration
		}{{"idle", idle}, {"paced", paced}, {"flood", flood}} {
			slices.Sort(c.took)
			b.ReportMetric(quantile(c.took, 50), c.name+"-p50-ms")
			b.ReportMetric(quantile(c.took, 99), c.name+"-p99-ms")
		}
		b.ReportMetric(quantile(paced, 99)/quantile(idle, 99), "paced/idle-p99")
		b.ReportMetric(quantile(flood, 99)/quantile(idle, 99), "flood/idle-p99")
	}
	b.ReportMetric(0, "ns/op")
}

// messages is enough after so many.
func messages(n int) func(said int) bool { return func(said int) bool { return said == n } }

// chat says one thing after the other until enough, and tells how long each took.
func (p *benched) chat(d *device, enough func(said int) bool) (took []time.Duration) {
	p.b.Helper()
	for n := 0; !enough(n); n++ {
		begun := time.Now()
		if err := d.say("what should I know?"); err != nil {
			p.b.Fatal(err)
		}
		// A background cycle may have something to say meanwhile.
		said, err := d.until(func(h heard) bool { return h.name() == "status processing" })
		if err == nil {
			_, err = d.until(func(h heard) bool { return isDone(h) && h.ExchangeID == said.ExchangeID })
		}
		if err != nil {
			p.b.Fatal(err)
		}
		took = append(took, time.Since(begun))
		<-time.After(benchChatPause)
	}
	return took
}

// chatBeside chats while benchSignals arrive over some connections, within a time
// or as fast as they can, again and again until enough was said.
func (p *benched) chatBeside(d *device, connections int, within time.Duration) (took []time.Duration) {
	p.b.Helper()
	for len(took) < benchChats {
		ctx, cancel := context.WithCancel(p.b.Context())
		failures := make([]error, connections)
		var sending sync.WaitGroup
		for c := range connections {
			sending.Go(func() {
				failures[c] = p.sendSignals(ctx, benchSignals/connections, within, fmt.Sprint("line ", c))
			})
		}
		over := make(chan struct{})
		go func() {
			sending.Wait()
			close(over)
		}()
		took = append(took, p.chat(d, func(int) bool {
			select {
			case <-over:
				return true
			default:
				return false
			}
		})...)
		cancel()
		for _, err := range failures {
			if err != nil {
				p.b.Fatal(err)
			}
		}
	}
	return took
}

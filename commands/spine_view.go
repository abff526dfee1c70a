package commands

import "time"

// SpineView is how the spine is at a moment.
type SpineView struct {
	Pulses    []Pulse       // of the services that run, by name
	Idle      time.Duration // after how long of nothing the idle service says so
	Consumers []ConsumerView
	Emitted   EmitterCounts
}

// ConsumerView is one consumer with its queue.
type ConsumerView struct {
	Name  string
	Depth int // how many signals wait at most
	ConsumerState
}

// View is the consumer now.
func (c *Consumer) View() ConsumerView {
	return ConsumerView{Name: c.cfg.Name, Depth: c.cfg.Depth, ConsumerState: c.State()}
}

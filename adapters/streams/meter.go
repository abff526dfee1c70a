package streams

import (
	"sync"
	"sync/atomic"
	"time"

	"chalie/commands/signal"
)

// rateOver is how many seconds the rate looks back.
const rateOver = 5

// meter counts what came over one stream.
type meter struct {
	received, malformed, ignored, lost atomic.Uint64

	mu        sync.Mutex
	accepted  uint64
	seconds   [rateOver + 1]second // a ring, by the second
	lastError error
	lastFault error
}

type second struct {
	at       int64 // Unix
	accepted uint64
}

// fault counts a malformed message.
func (m *meter) fault(err error) {
	m.malformed.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lastFault = err
}

// fail remembers what went wrong with the connection or the log.
func (m *meter) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lastError = err
}

// took counts signals that became durable.
func (m *meter) took(n int, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.accepted += uint64(n)
	s := &m.seconds[now.Unix()%int64(len(m.seconds))]
	if s.at != now.Unix() {
		*s = second{at: now.Unix()}
	}
	s.accepted += uint64(n)
}

// status leaves what the meter doesn't know to its caller.
func (m *meter) status(now time.Time) signal.StreamStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	// In this order, so that what is received is never less than what became of it.
	out := signal.StreamStatus{
		Accepted: m.accepted, Malformed: m.malformed.Load(), Ignored: m.ignored.Load(), Lost: m.lost.Load(),
		LastError: words(m.lastError), LastFault: words(m.lastFault),
	}
	out.Received = m.received.Load()
	// The second that has begun isn't over; the ones before it are.
	var sum uint64
	for _, s := range m.seconds {
		if age := now.Unix() - s.at; age >= 1 && age <= rateOver {
			sum += s.accepted
		}
	}
	out.Rate = float64(sum) / rateOver
	return out
}

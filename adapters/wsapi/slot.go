package wsapi

import (
	"context"
	"sync"
	"time"
)

// pingSlots is the number of moments over which an interval's pings are spread.
const pingSlots = 60

// slot is the clients that are pinged at the same moment: those that joined at
// the same moment of an interval.
type slot struct {
	mu      sync.Mutex
	clients map[*client]struct{}
}

func (s *slot) add(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients == nil {
		s.clients = map[*client]struct{}{}
	}
	s.clients[c] = struct{}{}
}

func (s *slot) remove(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, c)
}

// appendTo copies the list of clients, so that joining and leaving don't wait for a visit
// to end.
func (s *slot) appendTo(list []*client) []*client {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		list = append(list, c)
	}
	return list
}

// ping lets one ticker serve one slot after the other until ctx ends.
func (h *Hub) ping(ctx context.Context) {
	ticker := time.NewTicker(max(h.cfg.PingEvery/pingSlots, 1))
	defer ticker.Stop()
	b := h.burst()
	defer h.bursts.Put(b)
	var present []*client
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		now := time.Now()
		present = h.slots[h.turn.Load()].appendTo(present[:0])
		for _, c := range present {
			c.ping(now, b)
		}
		clear(present)
		h.turn.Store((h.turn.Load() + 1) % pingSlots)
	}
}

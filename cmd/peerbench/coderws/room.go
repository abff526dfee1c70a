package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/coder/websocket"
)

// room is all clients that are connected.
type room struct {
	ctx     context.Context // ends with the server; a request's ends with its handler
	mu      sync.Mutex
	clients map[*client]struct{}
	seq     int
}

func newRoom(ctx context.Context) *room {
	return &room{ctx: ctx, clients: map[*client]struct{}{}}
}

// ServeHTTP takes a client in, and returns when it has left. This goroutine is
// the one that writes to the client; another reads.
func (m *room) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	ctx, cancel := context.WithCancel(m.ctx)
	c := &client{conn: conn, frames: make(chan []byte, waitingFrames), leave: cancel}
	m.enter(c)
	var reading sync.WaitGroup
	reading.Go(func() { c.read(ctx, m.tellAll) })
	c.write(ctx)
	m.left(c)
	cancel()
	_ = conn.CloseNow() // it ends the reading; whoever is gone hears nothing of an error
	reading.Wait()
}

func (m *room) enter(c *client) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clients[c] = struct{}{}
}

func (m *room) left(c *client) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.clients, c)
}

// tellAll gives everybody the next frame. Whoever has too many waiting is sent
// away.
func (m *room) tellAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seq++
	frame := fmt.Appendf(nil, `{"type":"status","stage":"processing","seq":%d}`, m.seq)
	for c := range m.clients {
		select {
		case c.frames <- frame:
		default:
			c.leave()
		}
	}
}

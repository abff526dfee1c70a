package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/coder/websocket"
)

const (
	waitingFrames = 16
	pingEvery     = 15 * time.Second
	answerWithin  = 10 * time.Second // to a ping, or for a write to be taken
)

// client is one connection. One goroutine reads from it and one writes to it,
// so that a slow client holds up nobody else.
type client struct {
	conn   *websocket.Conn
	frames chan []byte // waiting to be written
	leave  context.CancelFunc
}

// read takes what the client sends, pongs among it, until it is gone. A chat
// frame calls chat.
func (c *client) read(ctx context.Context, chat func()) {
	defer c.leave()
	for {
		_, text, err := c.conn.Read(ctx)
		if err != nil {
			return
		}
		var frame struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(text, &frame) == nil && frame.Type == "chat" {
			chat()
		}
	}
}

// write sends what waits, and pings, until ctx ends or a write fails.
func (c *client) write(ctx context.Context) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		var err error
		select {
		case frame := <-c.frames:
			err = c.send(ctx, frame)
		case <-ping.C:
			err = c.ping(ctx)
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (c *client) send(ctx context.Context, frame []byte) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	return c.conn.Write(ctx, websocket.MessageText, frame)
}

// ping asks in both ways: a text frame for scripts, which can't see the
// protocol's own ping, and that one.
func (c *client) ping(ctx context.Context) error {
	if err := c.send(ctx, []byte(`{"type":"ping"}`)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	return c.conn.Ping(ctx)
}

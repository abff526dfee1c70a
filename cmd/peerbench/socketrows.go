package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// mebibyte is the unit of the memory rows.
const mebibyte = 1 << 20

// openFor is how long all clients are connected before the first frame: the
// program waits a moment whether a new client wants to resume, and sends it
// nothing meanwhile.
const openFor = 1500 * time.Millisecond

// socketRows measure many devices at once: what they take while nothing
// happens, and how soon all of them hear of something.
func socketRows(s scale) []row {
	n, peer := grouped(int64(s.clients)), "coder/websocket, net/http"
	return []row{
		{
			name: fmt.Sprintf("/ws, %s idle clients", n), unit: "MiB", versus: peer, rounds: 1,
			target: target{atMost: 300}, ours: whileIdle(s, openChalie, wholeOf), peer: whileIdle(s, openCoder, wholeOf),
		},
		{
			name: fmt.Sprintf("/ws, %s idle clients, above its base", n), unit: "MiB", versus: peer, rounds: 1,
			ours: whileIdle(s, openChalie, growthOf), peer: whileIdle(s, openCoder, growthOf),
		},
		{
			name: fmt.Sprintf("/ws, one frame to %s clients", n), unit: "ms", versus: peer, rounds: 3,
			target: target{atMost: 250}, ours: oneFrame(s, openChalie), peer: oneFrame(s, openCoder),
		},
	}
}

// wholeOf is all the memory of the process.
func wholeOf(_, now uint64) float64 { return float64(now) / mebibyte }

// growthOf is what the clients added.
func growthOf(base, now uint64) float64 { return (float64(now) - float64(base)) / mebibyte }

// whileIdle is a server's resident memory with all clients connected, when they
// have been idle for a while.
func whileIdle(s scale, open socketOpener, figure func(base, now uint64) float64) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		server, err := open(ctx, dir)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, server.stop()) }()
		base, err := server.resident()
		if err != nil {
			return 0, err
		}
		clients, err := gather(ctx, server.address, server.cookie, s.clients)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, clients.close()) }()
		if err := clients.idle(ctx, s.idleFor); err != nil {
			return 0, err
		}
		now, err := server.resident()
		return figure(base, now), err
	}
}

// oneFrame is the time from one client's chat frame until the last of all has
// the frame that says that it is being processed: the median of several.
func oneFrame(s scale, open socketOpener) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		server, err := open(ctx, dir)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, server.stop()) }()
		clients, err := gather(ctx, server.address, server.cookie, s.clients)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, clients.close()) }()
		if err := clients.idle(ctx, openFor); err != nil {
			return 0, err
		}
		took := make([]float64, s.causes)
		for n := range took {
			if took[n], err = clients.processing(ctx, server.answerEnds); err != nil {
				return 0, err
			}
		}
		return median(took), clients.idle(ctx, s.syncFor)
	}
}

// processing says something and returns how many milliseconds it took until the
// last client knew. The rest of the answer is heard out, so that the next
// begins with nothing under way.
func (c *crowd) processing(ctx context.Context, ends func(answerFrame) bool) (float64, error) {
	begun := time.Now()
	if err := c.say("hello"); err != nil {
		return 0, err
	}
	text, at, err := c.hear(ctx)
	if err != nil {
		return 0, err
	}
	f, err := readAnswer(text)
	if err != nil {
		return 0, err
	}
	if f != (answerFrame{"status", "processing"}) {
		return 0, fmt.Errorf("the first frame after a chat frame is %s", text)
	}
	for !ends(f) {
		if text, _, err = c.hear(ctx); err != nil {
			return 0, err
		}
		if f, err = readAnswer(text); err != nil {
			return 0, err
		}
	}
	return float64(at.Sub(begun)) / float64(time.Millisecond), nil
}

// answerFrame is what tells the frames of an answer apart.
type answerFrame struct {
	Type  string `json:"type"`
	Stage string `json:"stage"`
}

func readAnswer(text []byte) (answerFrame, error) {
	var f answerFrame
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("the server sent %q: %w", text, err)
	}
	return f, nil
}

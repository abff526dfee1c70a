package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/commands/signal"

	"github.com/gobwas/ws"
)

// streamRows measure the whole program while it listens to a broadcast.
func streamRows(s scale) []row {
	return []row{{
		name: fmt.Sprintf("broadcast stream, one socket, %s frames", grouped(int64(s.frames))), unit: "signals/s",
		target: target{atLeast: 50_000}, ours: hear(s),
	}}
}

// frameBytes is the size of a message of the stream.
const frameBytes = 300

// hear is how many signals a second a fresh program takes from one socket that
// offers more than it can: from the first frame until the last is durable and
// the world knows it.
func hear(s scale) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		binary, err := build(ctx, dir)
		if err != nil {
			return 0, err
		}
		p, _, err := start(ctx, binary, filepath.Join(dir, "data"))
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, p.stop()) }()
		station, err := openStation(ctx, s.frames)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, station.close()) }()
		api := apiclient.New(unixsocket.Client(p.data), unixsocket.BaseURL)
		defer api.Close()
		if _, err := api.AddStream(ctx, station.url, "exchange"); err != nil {
			return 0, err
		}
		var begun time.Time
		select {
		case begun = <-station.begun:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		if err := untilHeard(ctx, api, s.frames); err != nil {
			return 0, err
		}
		return float64(s.frames) / time.Since(begun).Seconds(), nil
	}
}

// untilHeard waits until everything was taken in and folded.
func untilHeard(ctx context.Context, api *apiclient.Client, frames int) error {
	ask := time.NewTicker(5 * time.Millisecond)
	defer ask.Stop()
	for {
		list, err := api.Streams(ctx)
		if err != nil {
			return err
		}
		if len(list) != 1 {
			return fmt.Errorf("there are %d streams", len(list))
		}
		stream, err := list[0].Value()
		switch {
		case err != nil:
			return err
		case stream.State == string(signal.StreamWaiting) || stream.Malformed+stream.Ignored+stream.Lost > 0:
			return fmt.Errorf("listening goes wrong: %+v", stream)
		case stream.Accepted == uint64(frames):
			_, err := api.World(ctx, "") // which waits for its fold
			return err
		}
		select {
		case <-ask.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// station is a broadcast with one listener.
type station struct {
	url      string
	begun    chan time.Time // gets the moment of the first frame
	listener net.Listener
	ended    chan error
}

func openStation(ctx context.Context, frames int) (*station, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &station{url: "ws://" + l.Addr().String() + "/stream", begun: make(chan time.Time, 1), listener: l, ended: make(chan error, 1)}
	go func() { s.ended <- s.serve(frames) }()
	return s, nil
}

// serve sends all frames, prepared so that it takes little of the machine, and
// then waits until the listener goes.
func (s *station) serve(frames int) error {
	conn, err := s.listener.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := ws.Upgrade(conn); err != nil {
		return err
	}
	const atOnce = 200
	one := frameOf(frameBytes)
	many := bytes.Repeat(one, atOnce)
	s.begun <- time.Now()
	for frames > 0 {
		n := min(frames, atOnce)
		if _, err := conn.Write(many[:n*len(one)]); err != nil {
			return err
		}
		frames -= n
	}
	var rest [1 << 10]byte
	for {
		if _, err := conn.Read(rest[:]); err != nil {
			return nil // it went, as it should
		}
	}
}

// frameOf is a price update that takes so many bytes without its header.
func frameOf(size int) []byte {
	const around = `{"type":"signal","signal_type":"price_update","content":"MSFT at $420.10, down 0.5%","activation_energy":0.3,"metadata":{"ticker":"MSFT","pad":""}}`
	text := strings.Replace(around, `"pad":"`, `"pad":"`+strings.Repeat("x", size-len(around)), 1)
	return ws.MustCompileFrame(ws.NewTextFrame([]byte(text)))
}

// close ends the broadcast, whose listener may have left before.
func (s *station) close() error {
	err := s.listener.Close()
	select {
	case failure := <-s.ended:
		return errors.Join(err, failure)
	case <-time.After(time.Second):
		// The program is still connected; stopping it ends the rest.
		return err
	}
}

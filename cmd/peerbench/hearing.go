package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// frameHeard is a text frame and how many clients have it.
type frameHeard struct {
	text []byte
	by   int
	at   time.Time // when the last client had it
}

// pollFor bounds a wait for the sockets, so that a cancelled run ends soon.
const pollFor = 50 * time.Millisecond

// hear waits for the next frame to reach every client, and returns it and when
// the last one had it.
func (c *crowd) hear(ctx context.Context) ([]byte, time.Time, error) {
	deadline := time.Now().Add(c.patience)
	for {
		if c.next < len(c.frames) && c.frames[c.next].by == c.size {
			f := c.frames[c.next]
			c.next++
			return f.text, f.at, nil
		}
		if err := c.listen(pollFor); err != nil {
			return nil, time.Time{}, err
		}
		switch {
		case ctx.Err() != nil:
			return nil, time.Time{}, ctx.Err()
		case time.Now().Before(deadline):
		case c.next == len(c.frames):
			return nil, time.Time{}, fmt.Errorf("no client was sent anything within %s", c.patience)
		default:
			f := c.frames[c.next]
			return nil, time.Time{}, fmt.Errorf("%d of %d clients had %s within %s", f.by, c.size, f.text, c.patience)
		}
	}
}

// idle only answers pings for a while. A frame that comes is an error.
func (c *crowd) idle(ctx context.Context, while time.Duration) error {
	for until := time.Now().Add(while); time.Now().Before(until); {
		if err := c.listen(min(pollFor, time.Until(until)+time.Millisecond)); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.next < len(c.frames) {
			f := c.frames[c.next]
			return fmt.Errorf("%d of %d clients had %s, and nothing was to come", f.by, c.size, f.text)
		}
	}
	return nil
}

// listen waits for something to read, and reads it.
func (c *crowd) listen(atMost time.Duration) error {
	n, err := unix.EpollWait(c.poll, c.events, int(atMost.Milliseconds()))
	if errors.Is(err, unix.EINTR) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range c.events[:n] {
		if err := c.read(c.sockets[e.Fd]); err != nil {
			return fmt.Errorf("client %d: %w", e.Fd+1, err)
		}
	}
	return nil
}

func (c *crowd) read(s *socket) error {
	n, err := unix.Read(s.fd, c.buffer)
	switch {
	case errors.Is(err, unix.EAGAIN):
		return nil
	case err != nil:
		return err
	case n == 0:
		return errors.New("the server closed the connection without a word")
	}
	return c.heed(s, c.buffer[:n])
}

// heed takes the whole frames of what has come, and keeps the rest.
func (c *crowd) heed(s *socket, data []byte) error {
	if len(s.rest) > 0 {
		data = append(s.rest, data...)
	}
	for {
		op, payload, rest, err := cutFrame(data)
		if err != nil {
			return err
		}
		if payload == nil {
			s.rest = append([]byte(nil), rest...)
			return nil
		}
		if err := c.take(s, op, payload); err != nil {
			return err
		}
		data = rest
	}
}

// take does with a frame what a browser and the web chat in it do.
func (c *crowd) take(s *socket, op opcode, payload []byte) error {
	switch {
	case op == opPing:
		return s.send(clientFrame(opPong, payload))
	case op == opPong:
		c.greeted++
		return nil
	case op == opClose:
		return fmt.Errorf("the server closed the connection %s", closeText(payload))
	case op != opText:
		return fmt.Errorf("the server sent a frame with opcode %d", op)
	case bytes.Contains(payload, []byte(`"type":"ping"`)): // within a string the quotes would be escaped
		return s.send(clientFrame(opText, []byte(`{"type":"pong"}`)))
	}
	if s.heard == len(c.frames) {
		c.frames = append(c.frames, frameHeard{text: bytes.Clone(payload)})
	}
	f := &c.frames[s.heard]
	if !bytes.Equal(f.text, payload) {
		return fmt.Errorf("its frame %d is %s; others were sent %s", s.heard+1, payload, f.text)
	}
	s.heard++
	if f.by++; f.by == c.size {
		f.at = time.Now()
	}
	return nil
}

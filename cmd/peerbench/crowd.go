package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// crowd is many WebSocket clients of one server. They share the machine with
// the server, so they cost as little as they can: one goroutine, the caller's,
// waits for all of them with epoll and reads into one buffer. Nothing is read
// and no ping is answered except during a call.
//
// Every client must get the same text frames, in the same order, each once; the
// first that doesn't fails the call. So does one that the server lets go.
type crowd struct {
	size     int
	patience time.Duration // for a frame to reach everybody
	poll     int
	sockets  []*socket
	events   []unix.EpollEvent
	buffer   []byte
	greeted  int // sockets whose first ping was answered
	frames   []frameHeard
	next     int // of frames, to be handed out by hear
}

// spareFiles are what this process and the server open beside the clients.
const spareFiles = 500

// gather connects n clients to /ws at address. Each sends a ping, and when all
// are answered the server reads from everybody: one that has only upgraded a
// connection may not know it yet when it has a frame for all.
func gather(ctx context.Context, address, cookie string, n int) (_ *crowd, err error) {
	if err := roomForFiles(n + spareFiles); err != nil {
		return nil, err
	}
	c := &crowd{size: n, patience: 30 * time.Second, events: make([]unix.EpollEvent, 512), buffer: make([]byte, 64<<10)}
	if c.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	for len(c.sockets) < n {
		if err := c.join(ctx, address, cookie); err != nil {
			return nil, fmt.Errorf("connect client %d of %d: %w", len(c.sockets)+1, n, err)
		}
		if len(c.sockets)%100 == 0 {
			if err := c.listen(0); err != nil {
				return nil, err
			}
		}
	}
	return c, c.untilGreeted(ctx)
}

func (c *crowd) untilGreeted(ctx context.Context) error {
	for deadline := time.Now().Add(c.patience); c.greeted < c.size; {
		if err := c.listen(pollFor); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the server answered the pings of %d of %d clients within %s", c.greeted, c.size, c.patience)
		}
	}
	return nil
}

// roomForFiles fails when a process may not open n files. The server's process
// has the same limit.
func roomForFiles(n int) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	if limit.Cur < uint64(n) {
		return fmt.Errorf("a process may open %d files here, and this needs %d in this one and as many in the server's: "+
			"raise the limit (ulimit -Hn shows how far it goes)", limit.Cur, n)
	}
	return nil
}

func (c *crowd) join(ctx context.Context, address, cookie string) error {
	s, err := openSocket(ctx, address, cookie)
	if err != nil {
		return err
	}
	number := len(c.sockets)
	c.sockets = append(c.sockets, s)
	if err := c.heed(s, nil); err != nil {
		return err // what came behind the handshake
	}
	if err := s.send(clientFrame(opPing, nil)); err != nil {
		return err
	}
	// What is meant for the descriptor carries the client's number.
	return unix.EpollCtl(c.poll, unix.EPOLL_CTL_ADD, s.fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(number)})
}

// say lets one client send a chat frame with a text in ASCII.
func (c *crowd) say(text string) error {
	return c.sockets[0].send(clientFrame(opText, fmt.Appendf(nil, `{"type":"chat","text":%q}`, text)))
}

// close cuts everybody off.
func (c *crowd) close() error {
	err := unix.Close(c.poll)
	for _, s := range c.sockets {
		err = errors.Join(err, s.close())
	}
	c.sockets = nil
	return err
}

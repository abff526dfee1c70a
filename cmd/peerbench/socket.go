package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// socket is one WebSocket client: a descriptor and what has come of a frame.
// It has no goroutine and no buffer of its own.
type socket struct {
	fd    int
	rest  []byte // the beginning of a frame that has not come whole; nil mostly
	heard int    // text frames so far, pings not among them
}

// The example key of RFC 6455 and its answer: that clients differ in their keys
// matters to nobody here.
const (
	socketKey    = "dGhlIHNhbXBsZSBub25jZQ=="
	socketAnswer = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
)

const handshakeWithin = 30 * time.Second

// openSocket connects to /ws at address, with a cookie unless it is "". Dialling
// is left to package net, the descriptor is then taken from it: registered with
// the runtime, each would cost a wake-up of its own.
func openSocket(ctx context.Context, address, cookie string) (_ *socket, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	rest, err := shakeHands(conn, address, cookie)
	if err != nil {
		return nil, err
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil, fmt.Errorf("the connection is a %T", conn)
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := &socket{rest: rest}
	var failed error
	err = raw.Control(func(fd uintptr) { s.fd, failed = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) })
	return s, errors.Join(err, failed)
}

// shakeHands asks for the upgrade and returns what came behind the answer.
func shakeHands(conn net.Conn, address, cookie string) (rest []byte, err error) {
	if err := conn.SetDeadline(time.Now().Add(handshakeWithin)); err != nil {
		return nil, err
	}
	request := fmt.Appendf(nil, "GET /ws HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n", address, socketKey)
	if cookie != "" {
		request = fmt.Appendf(request, "Cookie: %s\r\n", cookie)
	}
	if _, err := conn.Write(append(request, "\r\n"...)); err != nil {
		return nil, err
	}
	answer := make([]byte, 0, 2048)
	for {
		n, err := conn.Read(answer[len(answer):cap(answer)])
		answer = answer[:len(answer)+n]
		head, behind, whole := bytes.Cut(answer, []byte("\r\n\r\n"))
		switch {
		case whole && bytes.HasPrefix(head, []byte("HTTP/1.1 101 ")) && bytes.Contains(head, []byte(socketAnswer)):
			return bytes.Clone(behind), nil
		case whole:
			return nil, fmt.Errorf("GET /ws at %s was not upgraded; the answer was\n%s", address, answer)
		case err != nil:
			return nil, err
		case len(answer) == cap(answer):
			return nil, fmt.Errorf("GET /ws at %s was answered with more than %d bytes of headers", address, len(answer))
		}
	}
}

// send writes a frame whole. The server reads all the time, so a full buffer is
// a fault of it.
func (s *socket) send(frame []byte) error {
	n, err := unix.Write(s.fd, frame)
	if err == nil && n < len(frame) {
		err = errors.New("the server has stopped reading")
	}
	return err
}

func (s *socket) close() error { return unix.Close(s.fd) }

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// session is a way to ask the API, and what is to be closed after it.
type session struct {
	*apiclient.Client
	offline *offline // nil when a running program answers
}

// Close ends the session. Nothing was written, so nothing can be lost.
func (s *session) Close() {
	s.Client.Close()
	if s.offline != nil {
		s.offline.close()
	}
}

// needs is how much of the data directory a question takes when no program runs.
type needs int

const (
	recordsOnly needs = iota // the log
	foldsToo                 // and every projection, folded through its tail
	foldsKept                // and what was folded is kept
)

// A program that starts or stops holds the data directory while its socket is
// not there. That takes a moment, and a question waits for it.
const (
	settleWithin = 5 * time.Second
	settleEvery  = 50 * time.Millisecond
)

// connect asks the running program, or opens the data directory read-only when
// none runs.
func connect(ctx context.Context, c *console, o *options, need needs) (*session, error) {
	if err := checkData(c, o); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(settleWithin)
	for {
		s, err := dial(ctx, o)
		if domain.CodeOf(err) != unixsocket.CodeNotRunning {
			return s, err
		}
		off, err := openOffline(ctx, o.data, need, c.meter())
		if err == nil {
			if refusal := off.log.Refusal(); refusal != nil {
				c.complain(advice(c, o, words(refusal)))
			}
			return &session{apiclient.InProcess(off.core.api.TrustedHandler()), off}, nil
		}
		if domain.CodeOf(err) == "no_log" {
			return nil, notStarted(c, o, "log in")
		}
		if !busy(err) || time.Now().After(deadline) {
			return nil, err
		}
		select {
		case <-time.After(settleEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// connectToRunning asks the running program, for what only that can do.
func connectToRunning(ctx context.Context, c *console, o *options, what string) (*session, error) {
	if err := checkData(c, o); err != nil {
		return nil, err
	}
	s, err := dial(ctx, o)
	if domain.CodeOf(err) == unixsocket.CodeNotRunning {
		return nil, fmt.Errorf("%s needs a running Chalie; start it with `%s`", what, again(c, o, "serve"))
	}
	return s, err
}

// dial finds out whether a program answers.
func dial(ctx context.Context, o *options) (*session, error) {
	conn, err := unixsocket.Dial(ctx, o.data)
	if err != nil {
		return nil, err
	}
	if err := conn.Close(); err != nil {
		return nil, fmt.Errorf("close the socket: %w", err)
	}
	return &session{Client: apiclient.New(unixsocket.Client(o.data), unixsocket.BaseURL)}, nil
}

func checkData(c *console, o *options) error {
	info, err := os.Stat(o.data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notStarted(c, o, "data directory at")
	case err != nil:
		return noDataDir(o.data, err)
	case !info.IsDir():
		return fmt.Errorf("%s is a file and no data directory; name another one with --data", o.data)
	}
	return nil
}

// notStarted says that there is nothing to read yet.
func notStarted(c *console, o *options, what string) error {
	return fmt.Errorf("there is no %s %s; start Chalie once with `%s`, or name another data directory with --data", what, o.data, again(c, o, "serve"))
}

// busy reports whether another process holds what was to be opened.
func busy(err error) bool {
	return domain.CategoryOf(err) == domain.Conflict && domain.IsRetriable(err)
}

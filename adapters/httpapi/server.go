package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// readTimeout is how long a request may take to come.
const readTimeout = 30 * time.Second

// NewServer wraps a handler with the bounds a server should have. Cancelling
// ctx ends the requests under way, long polls first of all: do so when the
// server's Shutdown should not wait for them.
func NewServer(ctx context.Context, h http.Handler, log *slog.Logger) *http.Server {
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       readTimeout,
		WriteTimeout:      90 * time.Second, // longer than any poll
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	if log != nil {
		s.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	}
	return s
}

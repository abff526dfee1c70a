package httpapi

import (
	"net/http"
	"time"
)

// Metrics counts what is answered, and tells what was counted. It is safe for concurrent
// use.
type Metrics interface {
	http.Handler
	// Answered counts a request: the route is a path of the contract.
	Answered(method, route string, status int, took time.Duration)
}

// metrics is GET /metrics.
func (x *exchange) metrics() error {
	if x.api.cfg.Metrics == nil {
		return notRunning("tell how it does")
	}
	x.begun = true
	x.api.cfg.Metrics.ServeHTTP(x.w, x.r)
	return nil
}

// counted notes the status of an answer.
type counted struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (c *counted) WriteHeader(status int) {
	if c.status == 0 && status >= http.StatusOK {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *counted) Write(text []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	return c.ResponseWriter.Write(text)
}

// Unwrap lets a http.ResponseController reach what is below.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// answered is the status; 101 where somebody else took the connection over.
func (c *counted) answered() int {
	if c.status == 0 {
		return http.StatusSwitchingProtocols
	}
	return c.status
}

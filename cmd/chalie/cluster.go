package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/eventstorelog"
	"chalie/adapters/pebblelog"
	"chalie/domain"
)

// Cluster says where the log is, when it is not only on this machine.
type Cluster struct {
	URL    string // connection string; "" for a log of this machine's
	Stream string // name of the stream
}

// name is the stream that the log is a copy of; "" for none.
func (c Cluster) name() string {
	if c.URL == "" {
		return ""
	}
	return c.Stream
}

// defaultStream is the stream of a Chalie that shares its cluster with no other.
const defaultStream = "chalie"

// joinCluster makes this program a node of the cluster; nil without one.
func joinCluster(cfg Config) (*eventstorelog.Node, error) {
	if cfg.Cluster.URL == "" {
		return nil, nil
	}
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without a name"
	}
	return eventstorelog.New(eventstorelog.Config{
		URL: cfg.Cluster.URL, Stream: cfg.Cluster.Stream, Host: host, IDs: cfg.IDs, Clock: cfg.Clock, Logger: cfg.Logger,
	})
}

// lead waits until this node writes the log. Whoever asks meanwhile is told so.
func lead(ctx context.Context, node *eventstorelog.Node, log *pebblelog.Log, listener net.Listener) error {
	release := standBy(listener, node)
	defer release()
	return node.Lead(ctx, log)
}

// standBy answers requests of a node that doesn't write, until it is released.
func standBy(listener net.Listener, node *eventstorelog.Node) (release func()) {
	server := &http.Server{ReadHeaderTimeout: finishWithin, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		// A client that has gone isn't told.
		_ = json.NewEncoder(w).Encode(map[string]any{"ready": false, "error": standing(node.Health())})
	})}
	kept := &lent{Listener: listener}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(kept) // it ends when it is closed
	}()
	return func() {
		_ = server.Close()
		<-ended
		_ = kept.until(time.Time{})
	}
}

// lent is a listener that goes on to listen when its server is closed.
type lent struct{ net.Listener }

// Close implements net.Listener.
func (l *lent) Close() error { return l.until(time.Now()) }

// until bounds how long it waits for clients.
func (l *lent) until(t time.Time) error {
	if bounded, ok := l.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		return bounded.SetDeadline(t)
	}
	return l.Listener.Close()
}

func standing(h eventstorelog.Health) string {
	switch {
	case h.Away != nil:
		return "Chalie waits for the cluster that keeps its log: " + h.Away.Error()
	case h.Holder != "":
		return fmt.Sprintf("Chalie stands by here: the log is written by %s; ask there, or again when that one has ended", h.Holder)
	}
	return "Chalie is about to take over the log; ask again"
}

// clusterHealth tells how the cluster is.
func clusterHealth(h eventstorelog.Health) api.Service {
	s := api.Service{Ready: h.Leading && h.Away == nil, Detail: fmt.Sprintf("%s writes the log, since takeover %d", h.Holder, h.Epoch)}
	if h.Away != nil {
		s.Detail += "; the cluster takes nothing: " + h.Away.Error()
	}
	if h.Cut {
		s.Detail += "; the stream has lost its beginning, so that no other copy can be made of it"
	}
	return s
}

// overtaken is closed when another node has taken over; nil without a cluster.
func (a *App) overtaken() <-chan struct{} {
	if a.node == nil {
		return nil
	}
	return a.node.Lost()
}

// withoutLost leaves out what a node that was overtaken couldn't append at its end.
func withoutLost(err error) error {
	if domain.CodeOf(err) == domain.CodeWriterLost {
		return nil
	}
	return err
}

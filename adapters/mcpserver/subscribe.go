package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/commands"
	"chalie/domain"
)

// newsEvery is the shortest time between two notifications of a resource's changes. What changes
// meanwhile is one change.
const newsEvery = time.Second

// news are the resources that have changed and whose subscribers aren't told so yet.
type news struct {
	begin sync.Once // with the first subscription
	due   chan struct{}

	mu      sync.Mutex
	watched bool // somebody has subscribed to something
	changed []string
}

func newNews() *news { return &news{due: make(chan struct{}, 1)} }

// has reports whether anybody may want to know of changes.
func (n *news) has() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.watched
}

// add notes that resources have changed.
func (n *news) add(uris []string) {
	if len(uris) == 0 {
		return
	}
	n.mu.Lock()
	for _, uri := range uris {
		if !slices.Contains(n.changed, uri) {
			n.changed = append(n.changed, uri)
		}
	}
	n.mu.Unlock()
	select {
	case n.due <- struct{}{}:
	default:
	}
}

// take takes what is to be told.
func (n *news) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := n.changed
	n.changed = nil
	return out
}

// subscribe lets a session be told when a resource changes. The library keeps who is told of what,
// for as long as the session lasts.
func (c *client) subscribe(_ context.Context, req *mcp.SubscribeRequest) error {
	var tell []string
	for _, r := range resources {
		if len(r.changes) > 0 {
			tell = append(tell, scheme+r.uri)
		}
	}
	if !slices.Contains(tell, req.Params.URI) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%s tells of no changes: read it when you need it; what can be subscribed to is %s", clip(req.Params.URI), strings.Join(tell, ", "))}
	}
	c.news.mu.Lock()
	c.news.watched = true
	c.news.mu.Unlock()
	c.news.begin.Do(func() { c.server.serving.Go(c.tellNews) })
	return nil
}

func unsubscribe(context.Context, *mcp.UnsubscribeRequest) error { return nil }

// tellNews tells subscribers of changes. A session that reads nothing holds up the other sessions of its
// program, and nothing else.
func (c *client) tellNews() {
	for {
		select {
		case <-c.news.due:
		case <-c.living.Done():
			return
		}
		for _, uri := range c.news.take() {
			_ = c.mcp.ResourceUpdated(c.living, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // it has no errors
		}
		if !commands.Sleep(c.living, newsEvery) {
			return
		}
	}
}

// tellOf tells every program of the resources that records from a position on have changed.
func (s *Server) tellOf(ctx context.Context, from domain.Position) error {
	all := slices.DeleteFunc(s.all(), func(c *client) bool { return !c.news.has() })
	if len(all) == 0 {
		return nil
	}
	var changed []string
	for _, r := range resources {
		for _, topic := range r.changes {
			records, err := s.cfg.Log.Select(ctx, domain.Selector{Topic: topic}, from, 1)
			if err != nil {
				return err
			}
			if len(records) > 0 {
				changed = append(changed, scheme+r.uri)
				break
			}
		}
	}
	for _, c := range all {
		c.news.add(changed)
	}
	return nil
}

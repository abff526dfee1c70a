package mcpserver_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/domain"
)

// Who has subscribed to a resource is told when it changes, and nobody of another one.
func TestSubscriptions(t *testing.T) {
	s := openShop(t, time.Hour)
	s.runs()
	near, far := net.Pipe()
	go func() { _ = s.server.ServeConn(who, func() (io.ReadWriteCloser, error) { return far, nil }) }()
	changed := make(chan string, 16)
	client := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { changed <- r.Params.URI },
	})
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: near, Writer: near}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if has := session.InitializeResult().Capabilities; has.Resources == nil || !has.Resources.Subscribe || has.Completions == nil {
		t.Errorf("what it can is %+v", has)
	}
	if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "chalie://plans"}); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{"chalie://why/last", "file:///etc/passwd"} {
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "chalie://world, chalie://plans, chalie://traces") {
			t.Errorf("%s is subscribed to: %v", uri, err)
		}
	}
	record(s, domain.SignalReceived{SignalType: "other", Content: "x", Source: "y"}) // no plan
	record(s, domain.TaskCreated{Text: "tidy the cellar"})
	if uri := <-changed; uri != "chalie://plans" {
		t.Errorf("%s has changed", uri)
	}
	if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "chalie://plans"}); err != nil {
		t.Fatal(err)
	}
	if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "chalie://traces"}); err != nil {
		t.Fatal(err)
	}
	record(s, domain.TaskCreated{Text: "tidy the attic"})
	if uri := <-changed; uri != "chalie://traces" {
		t.Errorf("%s has changed", uri)
	}
}

// runs lets the server follow the log.
func (s *shop) runs() {
	ctx, stop := context.WithCancel(s.T.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.server.Run(ctx) }()
	s.T.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.T.Error(err)
		}
	})
}

// record appends one.
func record[P any](s *shop, payload P) {
	s.T.Helper()
	entry, err := domain.New(domain.Begin(s.IDs.NewTrace(), domain.PrincipalOperator), s.IDs.NewID(), 1, "test", payload)
	if err == nil {
		_, err = s.Log.Append(s.T.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		s.T.Fatal(err)
	}
}

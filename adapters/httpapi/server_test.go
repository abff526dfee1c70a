package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// pipes is a network in memory, so that a bubble's time governs its deadlines.
type pipes struct {
	conns chan net.Conn
	shut  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.shut:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.shut); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// served runs a server over pipes and returns a way to call it.
func served(t *testing.T, b *bench) (call func() net.Conn) {
	t.Helper()
	network := &pipes{conns: make(chan net.Conn), shut: make(chan struct{})}
	server := httpapi.NewServer(context.Background(), b.api.TrustedHandler(), b.cfg.Logger)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(network) }()
	t.Cleanup(func() {
		b.must(server.Close())
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return func() net.Conn {
		here, there := net.Pipe()
		network.conns <- there
		t.Cleanup(func() { _ = here.Close() })
		return here
	}
}

func TestLongRequestsLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
			cfg.Verify = func(ctx context.Context, _ func(done, total domain.Position)) (httpapi.Verification, error) {
				select {
				case <-time.After(10 * time.Minute):
					return httpapi.Verification{Records: 7}, nil
				case <-ctx.Done():
					return httpapi.Verification{}, ctx.Err()
				}
			}
		}})
		conn := served(t, b)()
		_, err := io.WriteString(conn, "GET /api/verify HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		b.must(err)
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.Contains(string(answer), `"records":7`) {
			t.Errorf("the answer is %s, %v", answer, err)
		}
	})
}

func TestSlowSenders(t *testing.T) {
	for _, c := range []struct {
		name, sent string
		within     time.Duration
		says       string
	}{
		{"a header that never ends", "POST /api/signals HTTP/1.1\r\nHost:", 10 * time.Second, ""},
		{"a body that never ends", "POST /api/signals HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 30 * time.Second, "ended early"},
		{"a body in chunks that never ends", "POST /api/signals HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 30 * time.Second, "ended early"},
		{"a body nobody reads", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 30 * time.Second, "/nowhere"},
		{"an image that never ends", "POST /chat/image HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 100\r\n\r\n\x89PNG", 3 * time.Minute, "ended early"},
		{"nothing after an answer", "GET /ready HTTP/1.1\r\nHost: x\r\n\r\n", 2 * time.Minute, "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, settings{})
				conn := served(t, b)()
				began := time.Now()
				_, err := io.WriteString(conn, c.sent)
				b.must(err)
				answer, err := io.ReadAll(bufio.NewReader(conn))
				if took := time.Since(began); err != nil || took > c.within {
					t.Errorf("hung up on after %v, %v; want at most %v", took, err, c.within)
				}
				if !strings.Contains(string(answer), c.says) {
					t.Errorf("the answer is %s", answer)
				}
				b.holds(domain.TopicAll, 0)
			})
		})
	}
}

// TestSlowImage comes over a telephone: longer than other bodies may take.
func TestSlowImage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{})
		conn := served(t, b)()
		picture := pictures(t)["image/png"]
		send := func(text string) {
			_, err := io.WriteString(conn, text)
			b.must(err)
		}
		send(fmt.Sprintf("POST /chat/image HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n", len(picture)))
		for i := range len(picture) {
			domaintest.Pass(2 * time.Minute / time.Duration(len(picture)))
			send(picture[i : i+1])
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 201") {
			t.Errorf("the answer is %s, %v", answer, err)
		}
	})
}

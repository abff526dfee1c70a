package wsapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/gobwas/ws"
)

// answer is what a request that is no socket, or not yet, was answered with.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a whole HTTP request.
func ask(t *testing.T, addr net.Addr, request string) answer {
	t.Helper()
	conn, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got := answer{status: res.StatusCode, header: res.Header}
	if res.StatusCode != http.StatusSwitchingProtocols {
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		got.body = string(body)
	}
	return got
}

func TestHandshakes(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	host := srv.Listener.Addr().String()
	good := fmt.Sprintf(handshake, host)
	with := func(header string) string { return strings.TrimSuffix(good, "\r\n") + header + "\r\n\r\n" }
	for _, c := range []struct {
		name, request string
		code          domain.Code // "" for a socket
		about         string
	}{
		{"a program", good, "", ""},
		{"a page of this host", with("Origin: http://" + host), "", ""},
		{"a page of this host, other case", strings.Replace(with("Origin: HTTP://LOCALHOST:80"), host, "localhost:80", 1), "", ""},
		{"a page behind TLS", with("Origin: https://" + host), "", ""},
		{"a page of another host", with("Origin: http://evil.example"), CodeCrossOrigin, "evil.example"},
		{"a page of another port", with("Origin: http://127.0.0.1:1"), CodeCrossOrigin, "own pages"},
		{"a page without an origin", with("Origin: null"), CodeCrossOrigin, "own pages"},
		{"an empty origin", with("Origin:"), CodeCrossOrigin, "own pages"},
		{"two origins", with("Origin: http://" + host + "\r\nOrigin: http://evil.example"), CodeCrossOrigin, "own pages"},
		{"an origin that is no address", with("Origin: http://%zz"), CodeCrossOrigin, "own pages"},
		{"plain GET", "GET /ws HTTP/1.1\r\nHost: x\r\n\r\n", CodeUpgradeRequired, "Upgrade: websocket"},
		{"POST", strings.Replace(good, "GET", "POST", 1), CodeUpgradeRequired, "GET"},
		{"another protocol", strings.Replace(good, "websocket", "h2c", 1), CodeUpgradeRequired, "Upgrade: websocket"},
		{"no Connection", strings.Replace(good, "keep-alive, Upgrade", "keep-alive", 1), CodeUpgradeRequired, "Connection"},
		{"Connection on two lines", strings.Replace(good, "keep-alive, Upgrade", "keep-alive\r\nConnection: Upgrade", 1), "", ""},
		{"Connection on three lines", strings.Replace(good, "keep-alive, Upgrade", "UPGRADE\r\nConnection: keep-alive\r\nConnection: x", 1), "", ""},
		{"Upgrade on two lines", strings.Replace(good, "Upgrade: websocket", "Upgrade: h2c\r\nUpgrade: websocket", 1), "", ""},
		{"Upgrade as a list", strings.Replace(good, "Upgrade: websocket", "Upgrade: h2c, WebSocket", 1), "", ""},
		{"no Connection on two lines", strings.Replace(good, "keep-alive, Upgrade", "keep-alive\r\nConnection: upgrades", 1), CodeUpgradeRequired, "Connection"},
		{"version 8", strings.Replace(good, "Version: 13", "Version: 8", 1), CodeUpgradeRequired, "13"},
		{"no version", strings.Replace(good, "Version: 13", "Version:", 1), CodeUpgradeRequired, "13"},
		{"short key", strings.Replace(good, "dGhlIHNhbXBsZSBub25jZQ==", "dGhl", 1), "invalid", "16 bytes"},
		{"key that is no base64", strings.Replace(good, "dGhlIHNhbXBsZSBub25jZQ==", "!!!!!!!!!!!!!!!!!!!!!!!!", 1), "invalid", "16 bytes"},
		{"no key", strings.Replace(good, "Key: dGhlIHNhbXBsZSBub25jZQ==", "Key:", 1), "invalid", "16 bytes"},
		{"compression offered", with("Sec-WebSocket-Extensions: permessage-deflate"), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := ask(t, srv.Listener.Addr(), c.request)
			if c.code == "" {
				if res.status != http.StatusSwitchingProtocols {
					t.Fatalf("got %d %s", res.status, res.body)
				}
				if got := res.header.Get("Sec-WebSocket-Accept"); got != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
					t.Errorf("accepted with %q", got)
				}
				if res.header.Get("Sec-WebSocket-Extensions") != "" {
					t.Error("an extension was agreed to")
				}
				if got := res.header.Get("Set-Cookie"); got != "chalie_session=renewed" {
					t.Errorf("the cookie is %q", got)
				}
				return
			}
			var refused struct{ Error, Code string }
			if err := json.Unmarshal([]byte(res.body), &refused); err != nil {
				t.Fatalf("%s: %v", res.body, err)
			}
			if domain.Code(refused.Code) != c.code || !strings.Contains(refused.Error, c.about) {
				t.Errorf("got %d %s, want %s and something about %q", res.status, res.body, c.code, c.about)
			}
			if c.code == CodeUpgradeRequired && res.header.Get("Sec-WebSocket-Version") != "13" {
				t.Error("the answer doesn't name the version")
			}
		})
	}
}

func TestNoMoreClientsThanRoom(t *testing.T) {
	h := newHouse(t, func(c *Config) { c.MaxClients = 2 })
	srv := h.serve(t)
	first := connect(t, srv)
	connect(t, srv)
	res := ask(t, srv.Listener.Addr(), fmt.Sprintf(handshake, "x"))
	if res.status != http.StatusServiceUnavailable || !strings.Contains(res.body, string(CodeTooManyClients)) {
		t.Errorf("got %d %s", res.status, res.body)
	}
	_ = first.conn.Close()
	domaintest.Until(t, "there is room again", func() bool { return h.hub.Clients() == 1 })
	connect(t, srv)
}

// TestBehindTheHandshake sends messages in one piece with the handshake: more
// than the small buffer, and less than the server's.
func TestBehindTheHandshake(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	msg := masked(ws.OpText, true, []byte(hello))
	for _, n := range []int{1, 20, 200} {
		h.forget()
		p := connect(t, srv, bytes.Repeat(msg, n)...)
		domaintest.Until(t, "all are heard", func() bool { return len(h.said()) == n })
		lives := masked(ws.OpClose, true, nil)
		p.send(lives)
		p.closed()
	}
}

func TestStopping(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	peers := []*peer{connect(t, srv), connect(t, srv), connect(t, srv)}
	codes := make(chan ws.StatusCode, len(peers))
	for _, p := range peers {
		go func() {
			code, _ := p.closed()
			_ = p.conn.Close()
			codes <- code
		}()
	}
	if err := h.shut(); err != nil {
		t.Fatalf("Run returned %v", err)
	}
	if n := h.hub.Clients(); n != 0 {
		t.Errorf("%d clients are left", n)
	}
	for range peers {
		if code := <-codes; code != 1001 {
			t.Errorf("closed with %d, want 1001", code)
		}
	}
	res := ask(t, srv.Listener.Addr(), fmt.Sprintf(handshake, "x"))
	if res.status != http.StatusServiceUnavailable || !strings.Contains(res.body, string(domain.CodeClosed)) {
		t.Errorf("got %d %s", res.status, res.body)
	}
}

// TestTLS serves a connection that can't be written to without waiting.
func TestTLS(t *testing.T) {
	h := newHouse(t)
	srv := httptest.NewTLSServer(h.handler(t))
	t.Cleanup(srv.Close)
	conn, err := tls.Dial("tcp", srv.Listener.Addr().String(), &tls.Config{RootCAs: roots(srv), ServerName: "example.com"})
	if err != nil {
		t.Fatal(err)
	}
	p := shake(t, conn, srv.Listener.Addr())
	p.say(`{"type":"resume","last_seq":0}`)
	for range 20 {
		h.exchange(t, "through the tunnel")
		for _, kind := range []string{"status", "status", "status", "status", "status", "message", "done"} {
			p.text(kind)
		}
	}
	p.say(`?`)
	p.refusal()
	lives(t, p)
	if err := p.over(); !errors.Is(err, io.EOF) {
		t.Errorf("it ended with %v", err)
	}
}

func roots(srv *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	return pool
}

// TestNoFramesAnyMore runs a hub whose folds don't come up.
func TestNoFramesAnyMore(t *testing.T) {
	broken, came := errors.New("the projection stopped"), make(chan struct{})
	h := idleHouse(t, func(c *Config) {
		c.Ready = func(context.Context) error { <-came; return broken }
	})
	h.start()
	p := connect(t, h.serve(t))
	close(came)
	if code, _ := p.closed(); code != 1011 {
		t.Errorf("closed with %d, want 1011", code)
	}
	_ = p.conn.Close()
	if err := <-h.done; !errors.Is(err, broken) {
		t.Errorf("Run returned %v", err)
	}
}

func TestConfig(t *testing.T) {
	h := idleHouse(t)
	good := h.hub.cfg
	for name, spoil := range map[string]func(*Config){
		"no buffer":         func(c *Config) { c.Buffer = nil },
		"no dialect":        func(c *Config) { c.Speaks = nil },
		"negative bound":    func(c *Config) { c.MaxMessageBytes = -1 },
		"silent too early":  func(c *Config) { c.SilentFor = c.PingEvery },
		"negative patience": func(c *Config) { c.WriteWithin = -1 },
	} {
		bad := good
		spoil(&bad)
		if _, err := New(bad); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: got %v, want a validation error", name, err)
		}
	}
	if good.MaxClients != 20_000 || good.MaxMessageBytes != 128<<10 {
		t.Errorf("the defaults are %+v", good)
	}
}

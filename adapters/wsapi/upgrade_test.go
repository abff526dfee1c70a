package wsapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"chalie/domain"

	"github.com/gobwas/ws"
)

// ask sends a whole HTTP request and returns the answer with its body.
func ask(t *testing.T, addr net.Addr, request string) (*http.Response, string) {
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
	if res.StatusCode == http.StatusSwitchingProtocols {
		return res, ""
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
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
		{"version 8", strings.Replace(good, "13", "8", 1), CodeUpgradeRequired, "13"},
		{"no version", strings.Replace(good, "Version: 13", "Version:", 1), CodeUpgradeRequired, "13"},
		{"short key", strings.Replace(good, "dGhlIHNhbXBsZSBub25jZQ==", "dGhl", 1), "invalid", "16 bytes"},
		{"key that is no base64", strings.Replace(good, "dGhlIHNhbXBsZSBub25jZQ==", "!!!!!!!!!!!!!!!!!!!!!!!!", 1), "invalid", "16 bytes"},
		{"no key", strings.Replace(good, "Key: dGhlIHNhbXBsZSBub25jZQ==", "Key:", 1), "invalid", "16 bytes"},
		{"compression offered", with("Sec-WebSocket-Extensions: permessage-deflate"), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, body := ask(t, srv.Listener.Addr(), c.request)
			if c.code == "" {
				if res.StatusCode != http.StatusSwitchingProtocols {
					t.Fatalf("got %s %s", res.Status, body)
				}
				if got := res.Header.Get("Sec-WebSocket-Accept"); got != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
					t.Errorf("accepted with %q", got)
				}
				if res.Header.Get("Sec-WebSocket-Extensions") != "" {
					t.Error("an extension was agreed to")
				}
				if got := res.Header.Get("Set-Cookie"); got != "chalie_session=renewed" {
					t.Errorf("the cookie is %q", got)
				}
				return
			}
			var refused struct{ Error, Code string }
			if err := json.Unmarshal([]byte(body), &refused); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			if domain.Code(refused.Code) != c.code || !strings.Contains(refused.Error, c.about) {
				t.Errorf("got %s %s, want %s and something about %q", res.Status, body, c.code, c.about)
			}
			if c.code == CodeUpgradeRequired && res.Header.Get("Sec-WebSocket-Version") != "13" {
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
	res, body := ask(t, srv.Listener.Addr(), fmt.Sprintf(handshake, "x"))
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, string(CodeTooManyClients)) {
		t.Errorf("got %s %s", res.Status, body)
	}
	_ = first.conn.Close()
	eventually(t, "there is room again", func() bool { return h.hub.Clients() == 1 })
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
		eventually(t, "all are heard", func() bool { return len(h.said()) == n })
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
	res, body := ask(t, srv.Listener.Addr(), fmt.Sprintf(handshake, "x"))
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, string(domain.CodeClosed)) {
		t.Errorf("got %s %s", res.Status, body)
	}
}

func TestConfig(t *testing.T) {
	h := idleHouse(t)
	good := h.hub.cfg
	for name, spoil := range map[string]func(*Config){
		"no buffer":         func(c *Config) { c.Buffer = nil },
		"no talk":           func(c *Config) { c.Talk = nil },
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

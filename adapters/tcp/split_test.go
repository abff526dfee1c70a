package tcp

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"chalie/domain/domaintest"
)

// twofold is a guarded listener with a server of TLS and one without, which say which
// they are.
func twofold(t *testing.T, bounds Bounds) (s *served, trusting *tls.Config) {
	t.Helper()
	inner, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	lent := httptest.NewUnstartedServer(nil)
	lent.StartTLS()
	defer lent.Close()
	pool := x509.NewCertPool()
	pool.AddCert(lent.Certificate())
	says := func(what string) *http.Server {
		return &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, what) })}
	}
	secured, plain := says("secured"), says("plain")
	secured.TLSConfig = &tls.Config{Certificates: lent.TLS.Certificates, NextProtos: []string{"http/1.1"}, MinVersion: tls.VersionTLS12}
	log := &domaintest.Buffer{}
	l := Guard(secured, inner, bounds, slog.New(slog.NewTextHandler(log, nil)), plain)
	one, two := Split(l)
	ended := make(chan error, 2)
	go func() { ended <- secured.ServeTLS(one, "", "") }()
	go func() { ended <- plain.Serve(two) }()
	t.Cleanup(func() {
		_ = secured.Close()
		_ = plain.Close()
		for range 2 {
			if err := <-ended; !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
				t.Error(err)
			}
		}
	})
	return &served{t: t, address: inner.Addr().String(), owner: l.(*listener), log: log}, &tls.Config{RootCAs: pool, ServerName: "example.com", MinVersion: tls.VersionTLS12}
}

func TestSplit(t *testing.T) {
	s, trusting := twofold(t, Bounds{Total: 10, PerPlace: 10})
	silent := s.call("") // holds up nobody
	if got, err := s.answer(s.call(request)); got != "plain" || err != nil {
		t.Errorf("without TLS it says %q, %v", got, err)
	}
	c := tls.Client(s.call(""), trusting)
	for range 2 { // on one connection
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(body) != "secured" || err != nil {
			t.Errorf("with TLS it says %q, %v", body, err)
		}
	}
	if _, err := io.WriteString(silent, request); err != nil {
		t.Fatal(err)
	}
	if got, err := s.answer(silent); got != "plain" || err != nil {
		t.Errorf("one that was silent first hears %q, %v", got, err)
	}
}

// TestSplitIsBounded: what the guard counts is counted beneath TLS, too, and makes room.
func TestSplitIsBounded(t *testing.T) {
	s, trusting := twofold(t, Bounds{Total: 2, PerPlace: 2})
	quiet := tls.Client(s.call(""), trusting)
	if err := quiet.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	silent := s.call("")
	s.settled(2)
	// Both said no word of HTTP: the one that waits longest goes, and then the other.
	for range 2 {
		if got, err := s.answer(s.call(request)); got != "plain" || err != nil {
			t.Fatalf("it says %q, %v", got, err)
		}
	}
	for name, c := range map[string]net.Conn{"after a handshake": quiet, "silent": silent} {
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Errorf("the connection %s is still open", name)
		}
	}
	// One that keeps alive after an answer is quiet, too.
	c := tls.Client(s.call(""), trusting)
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || resp.Body.Close() != nil {
		t.Fatalf("it isn't answered: %v", err)
	}
}

package tcp

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"chalie/domain/domaintest"
)

// served is a bounded server that answers "here" until the test ends.
type served struct {
	t       *testing.T
	address string
	owner   *listener
	log     *domaintest.Buffer
}

func serve(t *testing.T, bounds Bounds, handler http.HandlerFunc) *served {
	t.Helper()
	inner, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if handler == nil {
		handler = func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }
	}
	server := &http.Server{Handler: handler}
	log := &domaintest.Buffer{}
	l := Guard(server, inner, bounds, slog.New(slog.NewTextHandler(log, nil)))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-ended
	})
	return &served{t: t, address: inner.Addr().String(), owner: l.(*listener), log: log}
}

// call connects and says something.
func (s *served) call(says string) *net.TCPConn {
	s.t.Helper()
	c, err := (&net.Dialer{}).DialContext(s.t.Context(), "tcp", s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	if _, err := io.WriteString(c, says); err != nil {
		s.t.Fatal(err)
	}
	return c.(*net.TCPConn)
}

const request = "GET / HTTP/1.1\r\nHost: here\r\n\r\n"

// answer is the body that comes on a connection, or the error it ends with.
func (s *served) answer(c *net.TCPConn) (string, error) {
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// settled waits until so many connections are counted.
func (s *served) settled(want int) {
	s.t.Helper()
	for {
		s.owner.mu.Lock()
		n := s.owner.count
		s.owner.mu.Unlock()
		if n == want {
			return
		}
		if s.t.Context().Err() != nil {
			s.t.Fatalf("%d connections are counted, want %d", n, want)
		}
		runtime.Gosched()
	}
}

// A crowd that connects and waits keeps nobody out, whatever it waits with, and those
// that were quiet longest go.
func TestAQuietCrowdKeepsNobodyOut(t *testing.T) {
	for name, says := range map[string]string{
		"nothing": "", "half a line": "GE", "half a head": "GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ",
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Bounds{Total: 8, PerPlace: 6}, nil)
			var crowd []*net.TCPConn
			for range 40 {
				crowd = append(crowd, s.call(says))
			}
			kept := s.call(request)
			if got, err := s.answer(kept); got != "here" {
				t.Fatalf("somebody who asks gets %q, %v", got, err)
			}
			for range 3 {
				for range 10 {
					s.call(says)
				}
				if got, err := s.answer(s.call(request)); got != "here" {
					t.Fatalf("somebody who asks gets %q, %v", got, err)
				}
				// Who keeps alive goes after all who said nothing.
				if _, err := io.WriteString(kept, request); err != nil {
					t.Fatal(err)
				}
				if got, err := s.answer(kept); got != "here" {
					t.Fatalf("somebody who was answered before gets %q, %v", got, err)
				}
			}
			if n, err := crowd[0].Read(make([]byte, 1)); err == nil {
				t.Errorf("the first of the crowd was told %d bytes, and should be gone", n)
			}
			if n := strings.Count(s.log.String(), "too many connections"); n != 1 {
				t.Errorf("it was logged %d times:\n%s", n, s.log)
			}
		})
	}
}

// What is being answered is not ended for a newcomer, and room is there again when the
// answer is complete.
func TestAnAnswerIsNotEndedForANewcomer(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	s := serve(t, Bounds{Total: 3, PerPlace: 3}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			begun <- struct{}{}
			<-goOn
		}
		_, _ = io.WriteString(w, "here")
	})
	var long []*net.TCPConn
	for range 3 {
		long = append(long, s.call("GET /long HTTP/1.1\r\nHost: here\r\n\r\n"))
		<-begun
	}
	if got, err := s.answer(s.call(request)); err == nil {
		t.Errorf("a newcomer without room got %q", got)
	}
	close(goOn)
	for _, c := range long {
		if got, err := s.answer(c); got != "here" {
			t.Errorf("one that was being answered got %q, %v", got, err)
		}
	}
	// They keep alive now, and the one that has done so longest goes.
	if got, err := s.answer(s.call(request)); got != "here" {
		t.Errorf("a newcomer after the answers got %q, %v", got, err)
	}
}

// A connection that was taken over counts until it is closed, and is never ended.
func TestATakenOverConnectionCounts(t *testing.T) {
	taken := make(chan net.Conn, 2)
	s := serve(t, Bounds{Total: 2, PerPlace: 2}, func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		if _, ok := c.(syscall.Conn); !ok {
			t.Error("what lies beneath can't be reached")
		}
		taken <- c
	})
	s.call(request)
	s.call(request)
	held := []net.Conn{<-taken, <-taken}
	if n, err := s.call(request).Read(make([]byte, 1)); err == nil {
		t.Errorf("a newcomer without room was told %d bytes", n)
	}
	for _, c := range held {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	s.settled(0)
	s.call(request)
	_ = (<-taken).Close()
	s.settled(0)
	if len(s.owner.places) != 0 || s.owner.quiet.first() != nil {
		t.Errorf("%d places are left of none, and %v is quiet", len(s.owner.places), s.owner.quiet.first())
	}
}

// One place can't take the room of another.
func TestAPlaceHasItsOwnBound(t *testing.T) {
	s := serve(t, Bounds{Total: 10, PerPlace: 4}, nil)
	l := s.owner
	from := func(text string) *conn { return &conn{owner: l, from: netip.MustParsePrefix(text)} }
	friend := from("198.51.100.7/32")
	if _, ok := l.admit(friend); !ok {
		t.Fatal("the first one was refused")
	}
	for i := range 50 {
		ended, ok := l.admit(from("203.0.113.9/32"))
		if !ok || (i >= 4) != (ended != nil) || ended == friend {
			t.Fatalf("the crowd's connection %d: admitted %v, and ended %v", i, ok, ended)
		}
	}
	if l.count != 5 {
		t.Errorf("%d connections are counted, want the friend's and four", l.count)
	}
	for i := range 5 {
		if _, ok := l.admit(from("192.0.2." + string(rune('1'+i)) + "/32")); !ok {
			t.Fatalf("another place's connection %d was refused", i)
		}
	}
	// All is full: the longest quiet one goes, which is the friend's.
	if ended, ok := l.admit(from("192.0.2.9/32")); !ok || ended != friend {
		t.Errorf("the one that went is %v", ended)
	}
}

func TestPlaces(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:1": "::1/128", "127.8.9.1:1": "::1/128", "[::1]:1": "::1/128", "[::ffff:127.0.0.1]:1": "::1/128",
		"192.0.2.4:1": "192.0.2.4/32", "[::ffff:192.0.2.4]:1": "192.0.2.4/32",
		"[2001:db8:1:2:3:4:5:6]:1": "2001:db8:1:2::/64", "[2001:db8:1:2:9::]:1": "2001:db8:1:2::/64", "[2001:db8:1:3::]:1": "2001:db8:1:3::/64",
	} {
		if got := placeOf(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))); got.String() != want {
			t.Errorf("%s is of %s, want %s", address, got, want)
		}
	}
	if got := placeOf(&net.UnixAddr{Name: "a"}); got.IsValid() {
		t.Errorf("what is no address has the place %s", got)
	}
}

package streams_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobwas/ws"

	"chalie/adapters/streams"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// line is a network of pipes within a bubble: each dial runs the script on the
// other end.
type line struct {
	script func(n int, conn net.Conn)

	mu     sync.Mutex
	dialed []time.Time
	ends   []net.Conn
}

func (l *line) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	l.mu.Lock()
	n := len(l.dialed)
	l.dialed = append(l.dialed, time.Now())
	l.ends = append(l.ends, far)
	l.mu.Unlock()
	go func() {
		defer far.Close()
		l.script(n, far)
	}()
	return near, nil
}

// gaps are the pauses between the dials, to the millisecond.
func (l *line) gaps() []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []time.Duration
	for i := 1; i < len(l.dialed); i++ {
		out = append(out, l.dialed[i].Sub(l.dialed[i-1]).Round(time.Millisecond))
	}
	return out
}

// bubble listens over pipes, with the real pauses, for as long as fn runs.
func bubble(t *testing.T, script func(n int, conn net.Conn), change func(*streams.Config), fn func(h *house, s domain.Stream, l *line)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &line{script: script}
		s := streamAt("ws://exchange.example/stream")
		h := startHouse(t, memlog.New(clock{}), func(cfg *streams.Config) {
			cfg.Dial, cfg.FirstPause, cfg.LongestPause = l.dial, 0, 0
			cfg.Part = func(pause time.Duration) time.Duration { return pause }
			if change != nil {
				change(cfg)
			}
		}, s)
		fn(h, s, l)
		h.stop()
	})
}

func (h *house) status(s domain.Stream) signal.StreamStatus {
	synctest.Wait()
	status, _ := h.listener.Status(s.ID)
	return status
}

// refuse answers a request with an error.
func refuse(_ int, conn net.Conn) {
	if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		say(conn, []byte("HTTP/1.1 503 Service Unavailable\r\n\r\n"))
	}
}

func TestBackoff(t *testing.T) {
	bubble(t, refuse, nil, func(h *house, s domain.Stream, l *line) {
		if status := h.status(s); status.State != signal.StreamWaiting || !strings.Contains(status.Reason, "503") ||
			status.Until == nil || *status.Until != domain.MillisOf(time.Now().Add(time.Second)) {
			t.Errorf("the status is %+v", status)
		}
		domaintest.Pass(2*time.Minute - time.Millisecond)
		var want []time.Duration
		for _, seconds := range []int{1, 2, 4, 8, 16, 30, 30} {
			want = append(want, time.Duration(seconds)*time.Second)
		}
		synctest.Wait()
		if got := l.gaps(); !slices.Equal(got, want) {
			t.Errorf("the pauses are %v, want %v", got, want)
		}
	})
}

// TestJitter leaves the pause to chance: it is never longer than the full one,
// and two listeners don't come back together.
func TestJitter(t *testing.T) {
	bubble(t, refuse, func(cfg *streams.Config) { cfg.Part = nil }, func(_ *house, _ domain.Stream, l *line) {
		domaintest.Pass(10 * time.Minute)
		synctest.Wait()
		gaps := l.gaps()
		if len(gaps) < 20 || slices.Max(gaps) > 30*time.Second || slices.Max(gaps) == slices.Min(gaps) {
			t.Errorf("the pauses are %v", gaps)
		}
	})
}

// TestHealthyMinute forgets earlier failures once a connection held.
func TestHealthyMinute(t *testing.T) {
	script := func(n int, conn net.Conn) {
		if n != 3 {
			return
		}
		if _, err := ws.Upgrade(conn); err != nil {
			return
		}
		go stay(conn)
		for range 7 {
			say(conn, ws.MustCompileFrame(ws.NewPingFrame(nil)))
			domaintest.Pass(10 * time.Second)
		}
	}
	bubble(t, script, nil, func(_ *house, _ domain.Stream, l *line) {
		domaintest.Pass(90 * time.Second)
		synctest.Wait()
		want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 71 * time.Second, 2 * time.Second, 4 * time.Second}
		if got := l.gaps(); !slices.Equal(got, want) {
			t.Errorf("the pauses are %v, want %v", got, want)
		}
	})
}

func TestNoAnswerToTheHandshake(t *testing.T) {
	bubble(t, func(_ int, conn net.Conn) { stay(conn) }, nil, func(h *house, s domain.Stream, l *line) {
		if status := h.status(s); status.State != signal.StreamConnecting {
			t.Errorf("the status is %+v", status)
		}
		domaintest.Pass(10 * time.Second)
		if status := h.status(s); status.State != signal.StreamWaiting || !strings.Contains(status.Reason, "in time") {
			t.Errorf("the status is %+v", status)
		}
	})
}

func TestSilentServer(t *testing.T) {
	var pings atomic.Int64
	script := func(n int, conn net.Conn) {
		if _, err := ws.Upgrade(conn); err != nil {
			return
		}
		for {
			f, err := readFrame(conn)
			if err != nil {
				return
			}
			if n == 0 && f.Header.OpCode == ws.OpPing {
				if pings.Add(1) <= 10 {
					say(conn, ws.MustCompileFrame(ws.NewPongFrame(nil)))
				}
			}
		}
	}
	bubble(t, script, nil, func(h *house, s domain.Stream, l *line) {
		domaintest.Pass(10*20*time.Second + time.Second)
		if status := h.status(s); status.State != signal.StreamLive || pings.Load() != 10 {
			t.Errorf("after %d answered pings the status is %+v", pings.Load(), status)
		}
		// After the last answer: three pings, and a last wait.
		domaintest.Pass(4 * 20 * time.Second)
		synctest.Wait()
		if status := h.status(s); pings.Load() != 13 || !strings.Contains(status.LastError, "silent") || len(l.gaps()) > 1 {
			t.Errorf("after %d pings the status is %+v, and the pauses %v", pings.Load(), status, l.gaps())
		}
	})
}

// TestBatchEvery waits a few milliseconds for more, and not when there is enough.
func TestBatchEvery(t *testing.T) {
	script := func(_ int, conn net.Conn) {
		if _, err := ws.Upgrade(conn); err != nil {
			return
		}
		say(conn, text(heardSignal("one")))
		domaintest.Pass(4 * time.Millisecond)
		say(conn, text(heardSignal("two")))
		domaintest.Pass(16 * time.Millisecond)
		say(conn, slices.Concat(text(heardSignal("a")), text(heardSignal("b")), text(heardSignal("c")), text(heardSignal("d")), text(heardSignal("e"))))
		stay(conn)
	}
	bubble(t, script, func(cfg *streams.Config) { cfg.Batch = 4 }, func(h *house, s domain.Stream, _ *line) {
		for _, step := range []struct {
			after                    time.Duration
			received, accepted, most uint64
			lag                      int64
		}{
			{4500 * time.Microsecond, 2, 0, 0, 4},
			{time.Millisecond, 2, 2, 2, 0},
			{15 * time.Millisecond, 7, 6, 7, 0},
			{6 * time.Millisecond, 7, 7, 7, 0},
		} {
			domaintest.Pass(step.after)
			status := h.status(s)
			if status.Received != step.received || status.Accepted < step.accepted || status.Accepted > step.most || status.LagMillis != step.lag {
				t.Errorf("%v later the status is %+v, want %+v", step.after, status, step)
			}
		}
	})
}

// TestPace takes a flood at the rate it is told, and catches up on nothing.
func TestPace(t *testing.T) {
	script := func(_ int, conn net.Conn) {
		if _, err := ws.Upgrade(conn); err != nil {
			return
		}
		domaintest.Pass(10 * time.Second)
		for range 10_000 {
			if _, err := conn.Write(text(heardSignal("tick"))); err != nil {
				return
			}
		}
		stay(conn)
	}
	bubble(t, script, func(cfg *streams.Config) { cfg.PerSecond = 1000 }, func(h *house, s domain.Stream, _ *line) {
		domaintest.Pass(10 * time.Second)
		for range 5 {
			before := h.status(s).Accepted
			domaintest.Pass(time.Second)
			// A batch that was begun in this second may be the next one's.
			if n := h.status(s).Accepted - before; n > 2048 {
				t.Errorf("%d were taken in a second", n)
			}
		}
		if n := h.status(s).Accepted; n < 4000 || n > 7000 {
			t.Errorf("%d were taken in five seconds", n)
		}
	})
}

func TestRate(t *testing.T) {
	script := func(_ int, conn net.Conn) {
		if _, err := ws.Upgrade(conn); err != nil {
			return
		}
		for range 100 {
			say(conn, text(heardSignal("tick")))
			domaintest.Pass(100 * time.Millisecond)
		}
		stay(conn)
	}
	bubble(t, script, nil, func(h *house, s domain.Stream, _ *line) {
		domaintest.Pass(8 * time.Second)
		if status := h.status(s); status.Rate != 10 {
			t.Errorf("the rate is %v a second", status.Rate)
		}
		domaintest.Pass(10 * time.Second)
		if status := h.status(s); status.Rate != 0 || status.Accepted != 100 {
			t.Errorf("afterwards the status is %+v", status)
		}
	})
}

// TestStopWhileWaiting ends at once whatever a subscription does.
func TestStopWhileWaiting(t *testing.T) {
	for name, script := range map[string]func(n int, conn net.Conn){
		"the handshake":    func(_ int, conn net.Conn) { stay(conn) },
		"the next attempt": func(int, net.Conn) {},
		"a message": func(_ int, conn net.Conn) {
			if _, err := ws.Upgrade(conn); err == nil {
				stay(conn)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, script, nil, func(h *house, s domain.Stream, _ *line) {
				h.status(s)
				begun := time.Now()
				h.stop()
				if took := time.Since(begun); took > 100*time.Millisecond {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

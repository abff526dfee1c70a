package wsapi

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/gobwas/ws"
)

// within is a house whose time passes at once, and one client of it.
func within(t *testing.T, test func(t *testing.T, h *house, p *peer), change ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, change...)
		p, theirs := pipe(t)
		h.join(t, theirs, h.log.Tail())
		test(t, h, p)
		_ = p.conn.Close()
		synctest.Wait()
		if n := h.hub.Clients(); n != 0 {
			t.Errorf("%d clients are left", n)
		}
	})
}

// until reads frames until a moment and calls got for each.
func (p *peer) until(end time.Time, got func(received)) error {
	for {
		if err := p.conn.SetReadDeadline(end); err != nil {
			return err
		}
		f, err := p.frame()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
		got(f)
	}
}

func TestPings(t *testing.T) {
	within(t, func(t *testing.T, _ *house, p *peer) {
		begun := time.Now()
		var texts, pings []time.Duration
		err := p.until(begun.Add(5*time.Minute+time.Second), func(f received) {
			switch {
			case f.Type == "ping":
				if string(f.payload) != `{"type":"ping"}` {
					t.Errorf("the ping is %s", f.payload)
				}
				texts = append(texts, time.Since(begun))
			case f.op == ws.OpPing:
				pings = append(pings, time.Since(begun))
				// What any stack answers by itself keeps the connection.
				p.send(masked(ws.OpPong, true, f.payload))
			default:
				t.Errorf("got %s", f)
			}
		})
		if err != nil {
			t.Fatalf("the connection ended: %v", err)
		}
		if len(texts) != 20 || len(pings) != 20 {
			t.Fatalf("%d and %d pings came within 5 minutes, want 20", len(texts), len(pings))
		}
		for i := range texts {
			if want := time.Duration(i+1) * 15 * time.Second; texts[i] > want || texts[i] < want-250*time.Millisecond || pings[i] != texts[i] {
				t.Errorf("ping %d came after %v and %v, want %v", i, texts[i], pings[i], want)
			}
		}
	})
}

func TestHalfOpen(t *testing.T) {
	within(t, func(t *testing.T, h *house, p *peer) {
		begun := time.Now()
		var last received
		if err := p.until(begun.Add(time.Minute), func(f received) { last = f }); !errors.Is(err, io.EOF) {
			t.Fatalf("the connection ended with %v, want an end", err)
		}
		if took := time.Since(begun); took < 44*time.Second || took > 48*time.Second {
			t.Errorf("it took %v", took)
		}
		if last.op != ws.OpClose || !strings.Contains(last.String(), "1001") {
			t.Errorf("the last frame was %s", last)
		}
	})
}

func TestOpeningGrace(t *testing.T) {
	within(t, func(t *testing.T, h *house, p *peer) {
		begun := time.Now()
		seq := h.status(t)
		if got := p.text("status"); got.Seq != seq || time.Since(begun) != time.Second {
			t.Errorf("got %s after %v, want it when the grace is over", got, time.Since(begun))
		}
	})
	within(t, func(t *testing.T, h *house, p *peer) {
		begun := time.Now()
		first, second := h.status(t), h.status(t)
		synctest.Wait()
		p.say(`{"type":"resume","last_seq":0}`)
		third := h.status(t)
		for _, seq := range []domain.Seq{first, second, third} {
			if got := p.text("status"); got.Seq != seq {
				t.Errorf("got %s, want %d", got, seq)
			}
		}
		if time.Since(begun) != 0 {
			t.Errorf("a client that resumes waited %v", time.Since(begun))
		}
	})
	within(t, func(t *testing.T, h *house, p *peer) {
		for range 250 {
			h.status(t)
		}
		gap := p.text("gap")
		if gap.From != 16 || gap.To != domain.SeqOf(50, 0) {
			t.Errorf("got %s, want all that fell out within the grace", gap)
		}
		p.text("status")
	})
}

func TestMessageWithin(t *testing.T) {
	for name, begin := range map[string][]byte{
		"fragments": joined(masked(ws.OpText, false, []byte(`{"type"`))),
		"payload":   masked(ws.OpText, true, []byte(hello))[:20],
		"control":   masked(ws.OpPing, true, []byte("long enough"))[:10],
	} {
		t.Run(name, func(t *testing.T) {
			within(t, func(t *testing.T, _ *house, p *peer) {
				begun := time.Now()
				p.send(begin)
				if name == "fragments" {
					go func() { // keeps alive what never ends
						for range 3 {
							domaintest.Pass(20 * time.Second)
							_, _ = p.conn.Write(masked(ws.OpContinuation, false, []byte(" ")))
						}
					}()
				} else {
					go func() {
						domaintest.Pass(30 * time.Second)
						_, _ = p.conn.Write([]byte{0})
					}()
				}
				var last received
				_ = p.until(begun.Add(2*time.Minute), func(f received) { last = f })
				if last.op != ws.OpClose || !strings.Contains(last.String(), "1008") {
					t.Errorf("the last frame was %s", last)
				}
				if took := time.Since(begun); took != time.Minute+closeWithin {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
	within(t, func(t *testing.T, h *house, p *peer) {
		go func() { _ = p.until(time.Now().Add(70*time.Second), func(received) {}) }()
		p.send(masked(ws.OpText, false, []byte(hello[:5])))
		domaintest.Pass(30 * time.Second)
		p.send(masked(ws.OpContinuation, true, []byte(hello[5:])))
		domaintest.Pass(35 * time.Second)
		synctest.Wait()
		if n := len(h.said()); n != 1 || h.hub.Clients() != 1 {
			t.Errorf("%d messages and %d clients, want the deadline to end with its message", n, h.hub.Clients())
		}
	})
}

// TestSlowClientMustResume lets a client take one frame late, and then no more.
func TestSlowClientMustResume(t *testing.T) {
	for name, begin := range map[string]string{"new": `{"type":"pong"}`, "resumed": `{"type":"resume","last_seq":0}`} {
		t.Run(name, func(t *testing.T) {
			within(t, func(t *testing.T, h *house, p *peer) {
				p.say("%s", begin)
				first := h.fallBehind(t)
				if got := p.text("status"); got.Seq != first {
					t.Errorf("got %s, want %d", got, first)
				}
				code, reason := p.closed()
				if code != 1013 || !strings.Contains(reason, "resume") {
					t.Errorf("closed with %d %q", code, reason)
				}
			})
			within(t, func(t *testing.T, h *house, p *peer) {
				p.say("%s", begin)
				h.fallBehind(t)
				domaintest.Pass(closeWithin) // less than it would have for a frame
				synctest.Wait()
				if h.hub.Clients() != 0 {
					t.Error("a client that fell behind and takes nothing is still there")
				}
			})
		})
	}
}

// fallBehind appends a frame, and when that is being written, so many that the
// next one falls out of the ring.
func (h *house) fallBehind(t *testing.T) (first domain.Seq) {
	t.Helper()
	synctest.Wait()
	first = h.status(t)
	synctest.Wait()
	for range 250 {
		h.status(t)
		synctest.Wait()
	}
	return first
}

// TestWhoDoesNotReadIsNotHeard keeps a peer that only talks from filling the
// memory.
func TestWhoDoesNotReadIsNotHeard(t *testing.T) {
	within(t, func(t *testing.T, _ *house, p *peer) {
		const n = 100
		var taken atomic.Int64
		go func() {
			for range n {
				if _, err := p.conn.Write(masked(ws.OpText, true, []byte("?"))); err != nil {
					return
				}
				taken.Add(1)
			}
		}()
		synctest.Wait()
		if got := taken.Load(); got > maxNotes+3 {
			t.Errorf("%d messages were taken from who doesn't read the answers", got)
		}
		for range n {
			p.refusal()
		}
		synctest.Wait()
		if got := taken.Load(); got != n {
			t.Errorf("%d messages were taken, want %d", got, n)
		}
	})
}

// noted remembers the last deadline for writing.
type noted struct {
	net.Conn
	until atomic.Pointer[time.Time]
}

func (n *noted) SetWriteDeadline(until time.Time) error {
	n.until.Store(&until)
	return n.Conn.SetWriteDeadline(until)
}

// TestNoDeadlineIsLeftBehind holds a client that has caught up to have no
// deadline: an old one would fail its next frame.
func TestNoDeadlineIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		p, theirs := pipe(t)
		conn := &noted{Conn: theirs}
		h.join(t, conn, 0)
		p.say(`{"type":"pong"}`)
		h.status(t)
		synctest.Wait()
		if until := conn.until.Load(); until == nil || until.IsZero() {
			t.Error("a frame that waits has no deadline")
		}
		p.text("status")
		synctest.Wait()
		if until := conn.until.Load(); !until.IsZero() {
			t.Error("a deadline is left behind")
		}
	})
}

// TestStuckClientIsCut lets a client take nothing at all.
func TestStuckClientIsCut(t *testing.T) {
	within(t, func(t *testing.T, h *house, p *peer) {
		p.say(`{"type":"pong"}`)
		h.status(t)
		domaintest.Pass(9 * time.Second)
		synctest.Wait()
		if h.hub.Clients() != 1 {
			t.Error("the client was cut before its time")
		}
		domaintest.Pass(2 * time.Second)
		synctest.Wait()
		if h.hub.Clients() != 0 {
			t.Error("the client is still there")
		}
	})
}

// TestTheReasonArrives closes a connection whose peer goes on talking: unread, that
// would reset the connection, and on some systems lose the close frame.
func TestTheReasonArrives(t *testing.T) {
	within(t, func(t *testing.T, h *house, p *peer) {
		begun := time.Now()
		p.send(masked(3, true, nil))
		if code, _ := p.closed(); code != 1002 {
			t.Errorf("closed with %d, want 1002", code)
		}
		p.send(make([]byte, 256<<10))
		if time.Since(begun) != 0 || h.hub.Clients() != 1 {
			t.Error("what came after the close frame was not read")
		}
	})
}

// TestACloseNobodyTakesIsCut lets a peer neither read nor write.
func TestACloseNobodyTakesIsCut(t *testing.T) {
	within(t, func(t *testing.T, h *house, p *peer) {
		p.say(`{"type":"pong"}`)
		h.status(t)
		synctest.Wait()
		begun := time.Now()
		if err := h.shut(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took != closeWithin {
			t.Errorf("Run returned after %v, want %v", took, closeWithin)
		}
	})
}

// TestSteadyReaderOfALargeFrame takes a frame in longer than any one write may.
func TestSteadyReaderOfALargeFrame(t *testing.T) {
	within(t, func(t *testing.T, h *house, p *peer) {
		p.say(`{"type":"pong"}`)
		h.exchange(t, strings.Repeat("slow and steady ", 8<<10))
		slow := &drip{Conn: p.conn}
		p.in.Reset(slow)
		begun := time.Now()
		for range 5 {
			p.text("status")
		}
		if err := p.conn.SetReadDeadline(time.Time{}); err != nil {
			t.Fatal(err)
		}
		got, err := p.frame()
		if err != nil || got.Type != "message" {
			t.Errorf("got %s, %v", got, err)
		}
		if time.Since(begun) < 20*time.Second {
			t.Errorf("it took only %v", time.Since(begun))
		}
	})
}

// drip reads a little at a time.
type drip struct{ net.Conn }

func (d *drip) Read(p []byte) (int, error) {
	domaintest.Pass(time.Second)
	return d.Conn.Read(p[:min(len(p), 4<<10)])
}

func TestSessionEnds(t *testing.T) {
	over := func(t *testing.T, p *peer) {
		t.Helper()
		var got []received
		_ = p.until(time.Now().Add(30*time.Second), func(f received) { got = append(got, f) })
		if len(got) != 2 || got[0].Type != "error" || got[0].Recoverable == nil || *got[0].Recoverable || got[0].Seq == 0 ||
			got[1].op != ws.OpClose || !strings.Contains(got[1].String(), "1008") {
			t.Errorf("got %v, want an error that isn't recoverable, and 1008", got)
		}
	}
	within(t, func(t *testing.T, h *house, p *peer) { // seen at the ping
		h.quiet(t)
		h.gone.Store(true)
		over(t, p)
	})
	within(t, func(t *testing.T, h *house, p *peer) { // seen at once when somebody says so
		h.quiet(t)
		p.say(`{"type":"pong"}`)
		before := time.Now()
		h.hub.Recheck()
		h.gone.Store(true)
		h.hub.Recheck()
		over(t, p)
		if waited := time.Since(before); waited > closeWithin { // the peer stays until then
			t.Errorf("it took %v", waited)
		}
	})
	within(t, func(t *testing.T, h *house, p *peer) { // seen at a message
		p.say(`{"type":"pong"}`)
		h.gone.Store(true)
		p.say(hello)
		over(t, p)
		if len(h.said()) != 0 {
			t.Errorf("heard %v", h.said())
		}
	})
	within(t, func(t *testing.T, h *house, p *peer) { // seen at a frame
		p.say(`{"type":"pong"}`)
		h.gone.Store(true)
		h.status(t)
		over(t, p)
	})
	within(t, func(t *testing.T, h *house, p *peer) { // seen when it takes more
		p.say(`{"type":"pong"}`)
		h.status(t)
		synctest.Wait() // it is being written
		h.status(t)
		synctest.Wait()
		h.gone.Store(true)
		p.text("status")
		over(t, p)
	})
	within(t, func(t *testing.T, h *house, p *peer) { // seen at the end of the grace
		h.status(t)
		h.gone.Store(true)
		over(t, p)
	})
}

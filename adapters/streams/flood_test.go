package streams_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chalie/adapters/streams"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/memlog"
)

// gate is a log that can be shut, and whose appends can be refused.
type gate struct {
	domain.Log

	mu     sync.Mutex
	open   chan struct{} // closed while appends may pass
	refuse func(domain.Batch) error
}

func newGate() *gate { return &gate{Log: memlog.New(clock{}), open: make(chan struct{})} }

func (g *gate) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	g.mu.Lock()
	open, refuse := g.open, g.refuse
	g.mu.Unlock()
	select {
	case <-open:
	case <-ctx.Done():
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(), Message: "given up"}
	}
	if refuse != nil {
		if err := refuse(b); err != nil {
			return domain.Receipt{}, err
		}
	}
	return g.Log.Append(ctx, b)
}

// TestBlockedLog pours a flood at a log that takes nothing: memory stays bounded,
// the sender is slowed down, and in the end everything is there, in order.
func TestBlockedLog(t *testing.T) {
	const frames = 40_000 // 12 MB, twice what the sockets hold
	var sent atomic.Int64
	b := said(t, func(_ int, conn net.Conn) {
		_ = conn.(*net.TCPConn).SetWriteBuffer(64 << 10)
		var some bytes.Buffer
		for i := range frames {
			some.Write(text(padded(fmt.Sprint(i))))
			if i%100 < 99 {
				continue
			}
			if _, err := some.WriteTo(conn); err != nil {
				return
			}
			sent.Add(100)
		}
		stay(conn)
	})
	log := newGate()
	before := heap()
	h := startHouse(t, log, nil, b.stream)
	var stalled uint64
	h.until(b.stream, "the stall", func(s signal.StreamStatus) bool {
		same := s.Received > 0 && s.Received == stalled && s.LagMillis > 300
		stalled = s.Received
		return same
	})
	grown, pending := heap()-before, sent.Load()
	t.Logf("the log is shut: %d frames sent, %d received, the heap has grown by %d KiB", pending, stalled, grown>>10)
	if pending == frames {
		t.Error("nothing slowed the sender down")
	}
	if grown > 16<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	close(log.open)
	status := h.until(b.stream, "everything", accepted(frames))
	if status.Lost != 0 || status.Malformed != 0 {
		t.Errorf("the status is %+v", status)
	}
	for i, content := range h.heard() {
		if content != fmt.Sprint(i) {
			t.Fatalf("signal %d is %q", i, content)
		}
	}
}

// heap is what is in use after everything unused is gone.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// pour makes a broadcaster that says numbers.
func pour(t *testing.T, n int) *broadcaster {
	return said(t, func(_ int, conn net.Conn) {
		for i := range n {
			say(conn, text(heardSignal(fmt.Sprint(i))))
		}
		stay(conn)
	})
}

func TestRefusingLog(t *testing.T) {
	log := newGate()
	close(log.open)
	var refused [][]domain.ID
	taken := map[domain.ID]bool{}
	log.refuse = func(b domain.Batch) error {
		var ids []domain.ID
		for _, e := range b.Entries {
			ids = append(ids, e.Envelope.ID)
		}
		if len(refused) < 3 {
			refused = append(refused, ids)
			return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true, Message: "the disk is full"}
		}
		for _, id := range ids {
			taken[id] = true
		}
		return nil
	}
	b := pour(t, 100)
	h := startHouse(t, log, nil, b.stream)
	status := h.until(b.stream, "all of it", accepted(100))
	if status.LastError != "the disk is full" || status.Malformed != 0 {
		t.Errorf("the status is %+v", status)
	}
	h.stop()
	if got := h.heard(); len(got) != 100 {
		t.Errorf("heard %d signals", len(got))
	}
	for i, ids := range refused {
		if len(ids) == 0 || len(ids) != len(refused[0]) {
			t.Errorf("attempt %d had %d signals, the first %d", i, len(ids), len(refused[0]))
		}
		for _, id := range ids {
			if !taken[id] {
				t.Errorf("the repeat didn't hold %s", id)
			}
		}
	}
}

// TestUnknownOutcome repeats a batch that the log has: it is there once.
func TestUnknownOutcome(t *testing.T) {
	log := newGate()
	close(log.open)
	times := 0
	log.refuse = func(b domain.Batch) error {
		if times++; times > 2 {
			return nil
		}
		if _, err := log.Log.Append(context.Background(), b); err != nil {
			return err
		}
		return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Retriable: true, Message: "who knows"}
	}
	b := pour(t, 500)
	h := startHouse(t, log, nil, b.stream)
	h.until(b.stream, "all of it", accepted(500))
	for i, content := range h.heard() {
		if content != fmt.Sprint(i) {
			t.Fatalf("signal %d is %q", i, content)
		}
	}
}

// TestPoison is a signal that the log never takes: the ones around it are taken.
func TestPoison(t *testing.T) {
	log := newGate()
	close(log.open)
	log.refuse = func(b domain.Batch) error {
		for _, e := range b.Entries {
			if strings.Contains(string(e.Envelope.Payload.Bytes), `"content":"42"`) {
				return domain.Invalid("append", "payload", "42 is not taken")
			}
		}
		return nil
	}
	b := pour(t, 100)
	h := startHouse(t, log, nil, b.stream)
	status := h.until(b.stream, "all but one", accepted(99))
	if status.Malformed != 1 || status.LastFault != "42 is not taken" || status.Lost != 0 {
		t.Errorf("the status is %+v", status)
	}
	for i, content := range h.heard() {
		if i >= 42 {
			i++
		}
		if content != fmt.Sprint(i) {
			t.Fatalf("heard %q instead of %d", content, i)
		}
	}
}

// TestLost ends a listener whose log takes nothing any more: what it read is
// counted as lost, and said so.
func TestLost(t *testing.T) {
	b := pour(t, 300)
	var said bytes.Buffer
	h := startHouse(t, newGate(), func(cfg *streams.Config) {
		cfg.Grace = 1
		cfg.Logger = slog.New(slog.NewJSONHandler(&said, &slog.HandlerOptions{Level: slog.LevelError}))
	}, b.stream)
	h.until(b.stream, "all of it", func(s signal.StreamStatus) bool { return s.Received == 300 })
	h.stop()
	lost := 0
	for line := range strings.Lines(said.String()) {
		var entry struct {
			Stream  string `json:"stream"`
			Signals int    `json:"signals"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Stream != b.stream.ID.UUID() {
			t.Errorf("%s: %v", line, err)
		}
		lost += entry.Signals
	}
	if lost != 300 || h.log.Tail() != 0 {
		t.Errorf("%d signals were lost, and %d are in the log:\n%s", lost, h.log.Tail(), said.String())
	}
}

// folds waits like projections do, and remembers how far.
type folds struct {
	applied chan struct{}
	asked   atomic.Uint64
	err     error
}

func (f *folds) WaitFor(ctx context.Context, pos domain.Position) error {
	f.asked.Store(uint64(pos))
	select {
	case <-f.applied:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestPacedByFolds shows that reading waits for folds that fall behind, and not
// for those that failed.
func TestPacedByFolds(t *testing.T) {
	f := &folds{applied: make(chan struct{}), err: errors.New("the fold stopped")}
	b := pour(t, 20_000)
	h := startHouse(t, memlog.New(clock{}), func(cfg *streams.Config) { cfg.Applied, cfg.Behind = f, 100 }, b.stream)
	h.until(b.stream, "the wait", func(s signal.StreamStatus) bool { return f.asked.Load() > 0 && s.LagMillis > 100 })
	tail := h.log.Tail()
	if uint64(tail)-f.asked.Load() != 100 || tail >= 20_000 {
		t.Errorf("it waits for %d at %d", f.asked.Load(), tail)
	}
	close(f.applied)
	h.until(b.stream, "everything", accepted(20_000))
}

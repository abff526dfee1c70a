package eventstorelog_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/eventstorelog/teststore"
	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestFaults: over a network that cuts connections in the middle of a frame, swallows what
// is sent, is slow, and delivers appends twice, one order of all explains every answer, and
// the cluster has everything that was acknowledged, once.
func TestFaults(t *testing.T) {
	if elsewhere != "" {
		t.Skip("not run: it has a network of its own between itself and its server")
	}
	server, err := teststore.Serve(teststore.Config{Dir: t.TempDir(), Twice: true}, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	dice := rand.New(rand.NewPCG(domaintest.Seed(t), 0)) //nolint:gosec // it is to be repeated
	network := newNetwork(t, server.Addr())
	stream := freshStream()
	quick := func(cfg *eventstorelog.Config) { cfg.CallFor = 200 * time.Millisecond }
	m := join(t, "esdb://"+network.addr+"?tls=false", stream, t.TempDir(), system{}, quick).lead()
	ids := domaintest.NewIDs(system{}, 7)
	for range domaintest.Rounds(t, domaintest.FaultRounds, 10) {
		ctx, cancel := context.WithCancel(t.Context())
		var failing sync.WaitGroup
		failing.Go(func() { network.fail(ctx, dice) })
		domaintest.CheckLinearizable(t, settling{m.Log}, ids)
		cancel()
		failing.Wait()
		if t.Failed() {
			return
		}
	}
	select {
	case <-m.node.Lost():
		t.Fatalf("the only writer was overtaken: %v", m.node.Err())
	default:
	}
	// What is there is what a copy made anew has, whatever was acknowledged.
	want := m.everything()
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m.node.Close()
	again := join(t, "esdb://"+server.Addr()+"?tls=false", stream, t.TempDir(), system{}).lead()
	got := again.everything()
	if len(got) != len(want)+1 { // and its own takeover
		t.Errorf("the cluster has %d records, the writer had %d", len(got)-1, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("position %d has another record", i+1)
		}
	}
}

// everything is what the log holds, in order.
func (m *member) everything() (ids []domain.ID) {
	m.Helper()
	for {
		page, err := m.Select(m.Context(), domain.Selector{}, domain.Position(len(ids)+1), 1000)
		if err != nil {
			m.Fatal(err)
		}
		for _, rec := range page {
			ids = append(ids, rec.Envelope.ID)
		}
		if len(page) < 1000 {
			return ids
		}
	}
}

// settling repeats what failed with the same ids until it is known what came of it, as its
// callers are told to.
type settling struct{ *pebblelog.Log }

// Append implements domain.Appender.
func (s settling) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	for {
		receipt, err := s.Log.Append(ctx, batch)
		if err == nil || !domain.IsRetriable(err) {
			return receipt, err
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return receipt, err
		}
	}
}

// network passes bytes between clients and one server, and fails when told to.
type network struct {
	t    *testing.T
	addr string
	to   string

	mu    sync.Mutex
	open  map[net.Conn]bool
	left  int           // bytes until every connection is cut; negative for never
	hole  bool          // what is sent is swallowed
	delay time.Duration // of everything that is sent
}

func newNetwork(t *testing.T, to string) *network {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &network{t: t, addr: l.Addr().String(), to: to, open: map[net.Conn]bool{}, left: -1}
	var passing sync.WaitGroup
	passing.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			passing.Go(func() { n.pass(client) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		n.cut()
		passing.Wait()
	})
	return n
}

// pass carries one connection until it is cut.
func (n *network) pass(client net.Conn) {
	server, err := (&net.Dialer{}).DialContext(n.t.Context(), "tcp", n.to)
	if err != nil {
		_ = client.Close()
		return
	}
	n.mu.Lock()
	n.open[client], n.open[server] = true, true
	n.mu.Unlock()
	var ways sync.WaitGroup
	ways.Go(func() { n.carry(client, server) })
	ways.Go(func() { n.carry(server, client) })
	ways.Wait()
	n.mu.Lock()
	delete(n.open, client)
	delete(n.open, server)
	n.mu.Unlock()
}

func (n *network) carry(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		size, err := from.Read(buf)
		if err != nil {
			return
		}
		n.mu.Lock()
		hole, delay, whole := n.hole, n.delay, true
		if n.left >= 0 {
			if whole = size <= n.left; !whole {
				size = n.left
			}
			n.left -= size
		}
		n.mu.Unlock()
		if hole {
			continue
		}
		if delay > 0 {
			<-time.After(delay)
		}
		if _, err := to.Write(buf[:size]); err != nil && !errors.Is(err, io.EOF) {
			return
		}
		if !whole {
			n.cut()
			return
		}
	}
}

// cut ends every connection.
func (n *network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.left = -1
	for c := range n.open {
		_ = c.Close()
	}
}

func (n *network) set(left int, hole bool, delay time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.left, n.hole, n.delay = left, hole, delay
}

// fail makes the network fail in one way after the other until the context ends, and
// whole again then.
func (n *network) fail(ctx context.Context, dice *rand.Rand) {
	defer n.set(-1, false, 0)
	for {
		switch dice.IntN(4) {
		case 0:
			n.set(dice.IntN(20_000), false, 0) // cuts in the middle of something
		case 1:
			n.set(-1, true, 0)
		case 2:
			n.set(-1, false, time.Duration(dice.IntN(5_000))*time.Microsecond)
		case 3:
			n.set(-1, false, 0)
		}
		select {
		case <-time.After(time.Duration(dice.IntN(60)) * time.Millisecond):
		case <-ctx.Done():
			n.cut() // whatever was swallowed never comes
			return
		}
	}
}

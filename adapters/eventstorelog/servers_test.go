package eventstorelog_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/eventstorelog/teststore"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// elsewhere is the connection string of real servers to test with, instead of our own, and
// control the program that kills, freezes and cuts them off: `control kill 2`.
var (
	elsewhere = os.Getenv("CHALIE_EVENTSTORE")
	control   = os.Getenv("CHALIE_EVENTSTORE_CTL")
)

// servers are a cluster to which a test may do what it wants.
type servers struct {
	testing.TB
	url   string
	nodes int
	ours  *teststore.Cluster // nil for real ones
	stuck bool               // a node was frozen or cut off, and may end a moment after that is undone
}

// own is a cluster of at least so many nodes that the test may kill, freeze and cut. What
// it does is undone when the test ends.
func own(t *testing.T, nodes int) *servers {
	t.Helper()
	if elsewhere == "" {
		c := teststore.Start(t, teststore.Config{Nodes: nodes, Notice: time.Second})
		return &servers{TB: t, url: c.URL(), nodes: nodes, ours: c}
	}
	if control == "" {
		t.Skip("not run: CHALIE_EVENTSTORE_CTL names no program that kills, freezes and cuts off servers")
	}
	address, _, _ := strings.Cut(elsewhere, "?")
	s := &servers{TB: t, url: elsewhere, nodes: strings.Count(address, ",") + 1}
	if s.nodes < nodes {
		t.Skipf("not run: it needs %d nodes, and CHALIE_EVENTSTORE names %d", nodes, s.nodes)
	}
	t.Cleanup(s.mend)
	return s
}

// mend undoes what a test did, and waits until every node leads or follows. A node that was
// frozen or cut off and led ends a moment after it is back, and may end once more when it is
// started: so each has to be well several times in a row.
func (s *servers) mend() {
	for n := range s.nodes {
		for _, order := range []string{"thaw", "heal"} {
			if order != "heal" || s.nodes > 1 {
				_, _ = s.order(order, n+1) // it may be well already
			}
		}
	}
	inARow := 1
	if s.stuck {
		inARow = 10
	}
	each := nodesOf(s.url)
	domaintest.Until(s, "every node leads or follows", func() bool {
		for range inARow {
			for n, url := range each {
				_, _ = s.order("start", n+1) // likewise
				if !answers(s, url) {
					return false
				}
			}
			if s.stuck {
				<-time.After(300 * time.Millisecond)
			}
		}
		return true
	})
	s.leader()
}

// nodesOf are the connection strings of each node of a cluster.
func nodesOf(url string) (each []string) {
	scheme, rest, _ := strings.Cut(url, "://")
	hosts, settings, _ := strings.Cut(rest, "?")
	user, hosts, named := strings.Cut(hosts, "@")
	if !named {
		user, hosts = "", user
	} else {
		user += "@"
	}
	for host := range strings.SplitSeq(hosts, ",") {
		each = append(each, scheme+"://"+user+host+"?"+settings)
	}
	return each
}

// answers reports whether a node answers reads, as one that leads or follows does.
func answers(t testing.TB, url string) bool {
	cfg, err := esdb.ParseConnectionString(url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Logger, cfg.MaxDiscoverAttempts, cfg.GossipTimeout = esdb.NoopLogging(), 1, 1
	client, err := esdb.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	in, err := client.ReadStream(ctx, "no-such-stream", esdb.ReadStreamOptions{}, 1)
	if err != nil {
		return false // and the client is left: closed beside a call it may panic
	}
	defer in.Close()
	_, err = in.Recv()
	known, ok := errors.AsType[*esdb.Error](err)
	return errors.Is(err, io.EOF) || ok && known.Code() == esdb.ErrorCodeResourceNotFound
}

// order gives an order to the program.
func (s *servers) order(args string, number int) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	words := []string{args}
	if number > 0 {
		words = append(words, strconv.Itoa(number))
	}
	out, err := exec.CommandContext(ctx, control, words...).CombinedOutput() //nolint:gosec // its user says which
	return strings.TrimSpace(string(out)), err
}

func (s *servers) do(order string, number int) {
	s.Helper()
	s.stuck = s.stuck || order == "freeze" || order == "cut"
	if s.ours != nil {
		s.ours.Do(order, number)
		return
	}
	out, err := s.order(order, number)
	if err != nil && order == "fill" {
		s.Skipf("not run: CHALIE_EVENTSTORE_CTL fills no disk: %s", out)
	}
	if err != nil {
		s.Fatalf("%s %s %d: %v: %s", control, order, number, err, out)
	}
}

// all does something to every node.
func (s *servers) all(order string) {
	s.Helper()
	for n := range s.nodes {
		s.do(order, n+1)
	}
}

// leader waits for a leader.
func (s *servers) leader() (number int) {
	s.Helper()
	if s.ours != nil {
		return s.ours.Leader()
	}
	domaintest.Until(s, "a node leads", func() bool {
		out, err := s.order("leader", 0)
		if err != nil {
			return false
		}
		number, err = strconv.Atoi(out)
		return err == nil
	})
	return number
}

// goesOn appends until the cluster takes it, and wants what it was to be there once.
func (m *member) goesOn() domain.ID {
	m.Helper()
	batch := domain.Batch{Entries: []domain.Entry{m.entry()}}
	ctx, cancel := context.WithTimeout(m.Context(), 30*time.Second)
	defer cancel()
	for {
		_, err := settling{m.Log}.Append(ctx, batch)
		if err == nil {
			return batch.Entries[0].Envelope.ID
		}
		if ctx.Err() != nil || !domain.IsRetriable(err) {
			m.Fatalf("it doesn't go on: %v", err)
		}
	}
}

// sameElsewhere closes the writer, and wants a copy made anew to have these envelopes.
func (m *member) sameElsewhere(url, stream string, ids ...domain.ID) {
	m.Helper()
	if err := m.Close(); err != nil {
		m.Fatal(err)
	}
	m.node.Close()
	join(m.TB, url, stream, m.TempDir(), system{}).lead().has(ids...)
}

// TestLeaderKilled: the writer goes on with the leader that is elected.
func TestLeaderKilled(t *testing.T) {
	t.Parallel()
	s, stream := own(t, 3), freshStream()
	m := join(t, s.url, stream, t.TempDir(), system{}).lead()
	ids := []domain.ID{m.add()}
	for range 2 {
		leader := s.leader()
		s.do("kill", leader)
		ids = append(ids, m.goesOn(), m.add())
		s.do("start", leader)
	}
	m.sameElsewhere(s.url, stream, ids...)
}

// TestLeaderCut: a leader without the others takes nothing, and the writer goes on with
// another, while its own lease goes on, too.
func TestLeaderCut(t *testing.T) {
	t.Parallel()
	s, stream := own(t, 3), freshStream()
	m := join(t, s.url, stream, t.TempDir(), system{}).lead()
	ids := []domain.ID{m.add()}
	old := s.leader()
	s.do("cut", old)
	ids = append(ids, m.goesOn(), m.add())
	m.has(ids...)
	s.do("heal", old)
	s.do("start", old) // it stops when it finds what was never agreed
	ids = append(ids, m.goesOn())
	m.sameElsewhere(s.url, stream, ids...)
}

// TestLeaderFrozen: nothing hangs past its context, reads go on, and the writer goes on
// when the leader does, or another is elected.
func TestLeaderFrozen(t *testing.T) {
	t.Parallel()
	s, stream := own(t, 3), freshStream()
	m := join(t, s.url, stream, t.TempDir(), system{}).lead()
	ids := []domain.ID{m.add()}
	leader := s.leader()
	s.do("freeze", leader)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	e := m.entry()
	if _, err := m.Append(ctx, domain.Batch{Entries: []domain.Entry{e}}); !domain.IsRetriable(err) {
		t.Errorf("frozen: %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it hung for %v", took)
	}
	m.has(ids...)
	domaintest.Until(t, "it says so", func() bool { return m.node.Health().Away != nil })
	s.do("thaw", leader)
	if _, err := (settling{m.Log}).Append(t.Context(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
		t.Fatal(err)
	}
	m.sameElsewhere(s.url, stream, append(ids, e.Envelope.ID)...)
}

// TestWriterDead: with a leader killed at the same time, another node takes over without
// help.
func TestWriterDead(t *testing.T) {
	t.Parallel()
	s, stream := own(t, 3), freshStream()
	dead := join(t, s.url, stream, filepath.Join(t.TempDir(), "dead"), system{}, func(cfg *eventstorelog.Config) { cfg.RenewEvery = time.Hour }).lead()
	ids := []domain.ID{dead.add()}
	standby := join(t, s.url, stream, filepath.Join(t.TempDir(), "standby"), system{})
	led := make(chan error, 1)
	go func() { led <- standby.node.Lead(t.Context(), standby.Log) }()
	leader := s.leader()
	s.do("kill", leader)
	if err := <-led; err != nil {
		t.Fatal(err)
	}
	ids = append(ids, standby.goesOn())
	standby.has(ids...)
	if _, err := dead.Append(t.Context(), domain.Batch{Entries: []domain.Entry{dead.entry()}}); domain.CodeOf(err) != domain.CodeWriterLost {
		t.Errorf("who was overtaken appended: %v", err)
	}
}

// TestCutInTwo: a writer that reaches only the side without the others writes nothing; who
// is on the other side takes over; healed, one of both has written.
func TestCutInTwo(t *testing.T) {
	t.Parallel()
	s, stream := own(t, 3), freshStream()
	if s.ours == nil {
		t.Skip("not run: it needs to name the nodes of each side")
	}
	old := s.leader()
	rest := []int{old%3 + 1, (old+1)%3 + 1}
	here := join(t, s.ours.URL(old), stream, filepath.Join(t.TempDir(), "here"), system{}).lead()
	ids := []domain.ID{here.add()}
	there := join(t, s.ours.URL(rest...), stream, filepath.Join(t.TempDir(), "there"), domaintest.NewClockAt(time.Now().Add(time.Hour)))
	led := make(chan error, 1)
	s.do("cut", old)
	go func() { led <- there.node.Lead(t.Context(), there.Log) }()
	here.refuses()
	if err := <-led; err != nil {
		t.Fatal(err)
	}
	ids = append(ids, there.goesOn())
	here.refuses()
	s.do("heal", old)
	domaintest.Until(t, "the one that was cut off has stopped, starts again, and says who leads", func() bool {
		s.do("start", old)
		select {
		case <-here.node.Lost():
			return true
		case <-time.After(3 * time.Second):
			return false
		}
	})
	ids = append(ids, there.goesOn())
	there.sameElsewhere(s.url, stream, ids...)
}

// refuses wants an append to fail.
func (m *member) refuses() {
	m.Helper()
	ctx, cancel := context.WithTimeout(m.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := m.Append(ctx, domain.Batch{Entries: []domain.Entry{m.entry()}}); err == nil {
		m.Error("it appended")
	}
}

// TestSecure: over TLS the connection string's password or certificate lets a node in;
// without, it waits and says why.
func TestSecure(t *testing.T) {
	t.Parallel()
	c := teststore.Start(t, teststore.Config{Secure: true})
	authority, cert, key := c.Keys()
	_, address, _ := strings.Cut(c.URL(), "@")
	stream := freshStream()
	for _, url := range []string{c.URL(), "esdb://" + address + "&userCertFile=" + cert + "&userKeyFile=" + key} {
		m := join(t, url, stream, t.TempDir(), system{}).lead()
		m.add()
		_ = m.Close()
		m.node.Close()
	}
	host, _, _ := strings.Cut(address, "?")
	plain, hole := reachOurs(t), listen(t)
	for _, wrong := range []struct{ url, says string }{
		{"esdb://" + address, "$acl"},
		{"esdb://ops:guessed@" + address, "password"},
		{strings.Replace(c.URL(), "&tlsCaFile="+authority, "", 1), "tlsCaFile"},
		{"esdb://" + host + "?tls=false", "write tls=true"},
		{"esdb://" + plain + "?tls=true", "write tls=false"},
		{"esdb://" + hole + "?tls=false", hole + " gave no answer within 1s"},
		{"kurrentdb://127.0.0.1:1,127.0.0.1:2?tls=false", "it can't be reached: dial tcp 127.0.0.1:1: connect: connection refused"},
	} {
		m := join(t, wrong.url, stream, t.TempDir(), system{})
		ctx, cancel := context.WithCancel(t.Context())
		led := make(chan error, 1)
		go func() { led <- m.node.Lead(ctx, m.Log) }()
		domaintest.Until(t, wrong.url+" says why it waits: "+wrong.says, func() bool {
			why := m.node.Away()
			return why != nil && strings.Contains(why.Error(), wrong.says) && !strings.Contains(why.Error(), "[Error")
		})
		cancel()
		<-led
	}
}

// reachOurs is the address of a server of ours without TLS.
func reachOurs(t *testing.T) string {
	t.Helper()
	node, err := teststore.Serve(teststore.Config{Dir: t.TempDir()}, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Close() })
	return node.Addr()
}

// listen is an address where nobody answers.
func listen(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

// TestElsewhere runs tests of this package as they run with real servers: by a connection
// string and a program.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	if elsewhere != "" {
		t.Skip("it is what runs")
	}
	c := teststore.Start(t, teststore.Config{Nodes: 3, Notice: time.Second})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(env ...string) string {
		cmd := exec.CommandContext(t.Context(), self, "-test.v", "-test.run", "^(TestLeaderKilled|TestServerKilled|TestServerFull|TestServerFrozen|TestLost)$", "-test.parallel", "1", "-test.timeout", "2m") //nolint:gosec // it is this program
		cmd.Env = append(os.Environ(), append(env, "CHALIE_EVENTSTORE="+c.URL())...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v:\n%s", err, out)
		}
		return string(out)
	}
	with := run("CHALIE_EVENTSTORE_CTL=" + c.Control())
	for _, name := range []string{"TestLeaderKilled", "TestServerKilled", "TestServerFull", "TestServerFrozen", "TestLost"} {
		if !strings.Contains(with, "--- PASS: "+name) {
			t.Errorf("%s has not run", name)
		}
	}
	without := run("CHALIE_EVENTSTORE_CTL=")
	for _, name := range []string{"TestLeaderKilled", "TestServerKilled", "TestServerFull"} {
		if !strings.Contains(without, "--- SKIP: "+name) || !strings.Contains(without, "not run: CHALIE_EVENTSTORE_CTL") {
			t.Errorf("%s isn't listed as not run", name)
		}
	}
}

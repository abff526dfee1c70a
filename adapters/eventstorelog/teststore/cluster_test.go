package teststore_test

import (
	"errors"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chalie/adapters/eventstorelog/teststore"
	"chalie/domain/domaintest"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// three is a cluster, whose connections are given up soon after a cut.
func three(t *testing.T, cfg teststore.Config) *teststore.Cluster {
	t.Helper()
	t.Parallel()
	cfg.Nodes, cfg.Notice = 3, time.Second
	return teststore.Start(t, cfg)
}

// speak speaks with some nodes of a cluster, or with all.
func speak(t *testing.T, c *teststore.Cluster, numbers ...int) *server {
	t.Helper()
	return &server{T: t, Client: client(t, c.URL(numbers...))}
}

// try appends at a revision with little patience.
func (s *server) try(stream string, at esdb.ExpectedRevision, events ...esdb.EventData) error {
	soon := 3 * time.Second
	_, err := s.AppendToStream(s.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: at, Deadline: &soon}, events...)
	return err
}

// settle appends the same at the same revision until it is known to be there.
func settle(t *testing.T, c *teststore.Cluster, stream string, at esdb.ExpectedRevision, events ...esdb.EventData) {
	t.Helper()
	pause := time.NewTicker(50 * time.Millisecond)
	defer pause.Stop()
	domaintest.Until(t, "the append is known to be there", func() bool {
		<-pause.C
		cfg, err := esdb.ParseConnectionString(c.URL())
		if err != nil {
			t.Fatal(err)
		}
		cfg.Logger, cfg.MaxDiscoverAttempts, cfg.GossipTimeout = esdb.NoopLogging(), 3, 1
		fresh, err := esdb.NewClient(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer fresh.Close()
		err = (&server{T: t, Client: fresh}).try(stream, at, events...)
		if known, ok := esdb.FromError(err); !ok && known.Code() == esdb.ErrorCodeWrongExpectedVersion {
			t.Fatal(err)
		}
		return err == nil
	})
}

func others(leader int) []int {
	return slices.DeleteFunc([]int{1, 2, 3}, func(n int) bool { return n == leader })
}

// TestFollower: it answers reads, passes appends on, and refuses who asks for the leader.
func TestFollower(t *testing.T) {
	c := three(t, teststore.Config{})
	leader := c.Leader()
	follower := speak(t, c, others(leader)[0])
	first := events(2)
	follower.appended("a", esdb.NoStream{}, 1, first...)
	follower.refused(esdb.ErrorCodeWrongExpectedVersion, "a", esdb.NoStream{}, events(1)...)
	domaintest.Until(t, "it reads what it passed on", func() bool {
		ids, _, err := follower.ids("a", forwards, 0)
		return err == nil && len(ids) == 2
	})
	asking := metadata.AppendToOutgoingContext(t.Context(), "requires-leader", "true")
	for range 2 { // the library moves to the leader, whose address comes with the refusal
		soon := 3 * time.Second
		_, err := follower.AppendToStream(asking, "a", esdb.AppendToStreamOptions{ExpectedRevision: esdb.Revision(1), Deadline: &soon}, events(1)...)
		if err == nil {
			break
		}
		if known, ok := esdb.FromError(err); ok || known.Code() != esdb.ErrorCodeNotLeader {
			t.Fatalf("asked for the leader: %v", err)
		}
	}
	if ids := speak(t, c, leader).all("a"); len(ids) != 3 {
		t.Errorf("%d events", len(ids))
	}
	if _, err := follower.DeleteStream(t.Context(), "a", esdb.DeleteStreamOptions{ExpectedRevision: esdb.Revision(2)}); err != nil {
		t.Errorf("deleting by a follower: %v", err)
	}
	// The library finds the leader by what the nodes tell each other.
	whole := speak(t, c)
	whole.appended("b", esdb.NoStream{}, 0, events(1)...)
}

// TestLeaderKilled: another leads, what was acknowledged is there once, and the one that
// was killed has it, too, when it is back.
func TestLeaderKilled(t *testing.T) {
	c := three(t, teststore.Config{})
	var want []uuid.UUID
	for round := range 3 {
		leader := c.Leader()
		batch := events(3)
		settle(t, c, "a", after(3*round), batch...)
		c.Do("kill", leader)
		settle(t, c, "a", after(3*round), batch...)
		c.Do("start", leader)
		for _, e := range batch {
			want = append(want, e.EventID)
		}
	}
	for number := range 3 {
		s := speak(t, c, number+1)
		domaintest.Until(t, "each has all", func() bool {
			ids, _, err := s.ids("a", forwards, 0)
			return err == nil && slices.Equal(ids, want)
		})
	}
}

// after is the expectation that a stream has so many events.
func after(count int) esdb.ExpectedRevision {
	if count == 0 {
		return esdb.NoStream{}
	}
	return esdb.Revision(uint64(count - 1))
}

// TestLeaderFrozen: 23.10 elects no other while its connections are open; 24.10 does.
func TestLeaderFrozen(t *testing.T) {
	for _, like := range []string{"23.10", "24.10"} {
		t.Run(like, func(t *testing.T) {
			c := three(t, teststore.Config{Like: like})
			leader := c.Leader()
			s := speak(t, c, others(leader)...)
			s.appended("a", esdb.NoStream{}, 0, events(1)...)
			c.Do("freeze", leader)
			batch := events(1)
			if like == "24.10" {
				settle(t, c, "a", esdb.Revision(0), batch...)
				c.Do("thaw", leader)
				c.Do("start", leader) // it has stopped, if it held what was never agreed
			} else {
				for range 2 {
					if err := s.try("a", esdb.Revision(0), batch...); err == nil {
						t.Error("it took an append")
					}
				}
				c.Do("thaw", leader)
				settle(t, c, "a", esdb.Revision(0), batch...)
				if c.Leader() != leader {
					t.Error("another was elected")
				}
			}
			if ids := speak(t, c, c.Leader()).all("a"); len(ids) != 2 || ids[1] != batch[0].EventID {
				t.Errorf("%d events", len(ids))
			}
		})
	}
}

// TestLeaderCut: it can't write, and reads what is old; the others go on. Healed, it stops
// with what was never agreed.
func TestLeaderCut(t *testing.T) {
	c := three(t, teststore.Config{})
	old := c.Leader()
	alone := speak(t, c, old)
	alone.appended("a", esdb.NoStream{}, 0, events(1)...)
	c.Do("cut", old)
	lost := events(1)
	if err := alone.try("a", esdb.Revision(0), lost...); !isCode(err, esdb.ErrorAborted) {
		t.Errorf("cut off: %v", err)
	}
	domaintest.Until(t, "it says that it isn't ready", func() bool {
		return isCode(alone.try("a", esdb.Revision(0), lost...), esdb.ErrorUnavailable)
	})
	leader := c.Leader()
	if leader == old {
		t.Fatal("it still leads")
	}
	batch := events(2)
	speak(t, c, leader).appended("a", esdb.Revision(0), 2, batch...)
	reader := speak(t, c, old)
	reader.reads("a", forwards, 0, 0)
	c.Do("heal", old)
	domaintest.Until(t, "it has stopped", func() bool {
		_, _, err := reader.ids("a", forwards, 0)
		return err != nil
	})
	c.Do("start", old)
	again := speak(t, c, old)
	domaintest.Until(t, "it has what the others have", func() bool {
		_, revisions, err := again.ids("a", forwards, 0)
		return err == nil && slices.Equal(revisions, []uint64{0, 1, 2})
	})
}

func isCode(err error, code esdb.ErrorCode) bool {
	known, ok := esdb.FromError(err)
	return !ok && known.Code() == code
}

// TestAlone: without the others a leader takes nothing and reads; what it was told may be
// there afterwards, and the exact revision says it.
func TestAlone(t *testing.T) {
	c := three(t, teststore.Config{})
	leader := c.Leader()
	s := speak(t, c, leader)
	s.appended("a", esdb.NoStream{}, 0, events(1)...)
	for _, number := range others(leader) {
		c.Do("kill", number)
	}
	batch := events(1)
	if err := s.try("a", esdb.Revision(0), batch...); err == nil {
		t.Error("it took an append alone")
	}
	speak(t, c, leader).reads("a", forwards, 0, 0)
	for _, number := range others(leader) {
		c.Do("start", number)
	}
	settle(t, c, "a", esdb.Revision(0), batch...)
	settle(t, c, "a", esdb.Revision(1), events(1)...)
}

// TestWho: over TLS everybody needs to be known, and a stream's list holds.
func TestWho(t *testing.T) {
	t.Parallel()
	c := teststore.Start(t, teststore.Config{Secure: true})
	_, address, _ := strings.Cut(c.URL(), "@")
	authority, cert, key := c.Keys()
	s := speak(t, c)
	s.appended("a", esdb.NoStream{}, 0, events(1)...)
	s.reads("a", forwards, 0, 0)
	meta := esdb.StreamMetadata{}
	acl := esdb.Acl{}
	acl.AddWriteRoles("ops")
	meta.SetAcl(acl)
	if _, err := s.SetStreamMetadata(t.Context(), "a", esdb.AppendToStreamOptions{}, meta); err != nil {
		t.Fatal(err)
	}
	for _, who := range []struct {
		name, url string
		append    esdb.ErrorCode // 0 for success
		read      esdb.ErrorCode
	}{
		{"nobody", "esdb://" + address, esdb.ErrorCodeAccessDenied, esdb.ErrorCodeAccessDenied},
		{"a wrong password", "esdb://ops:guessed@" + address, esdb.ErrorCodeUnauthenticated, esdb.ErrorCodeUnauthenticated},
		{"guest", "esdb://guest:changeit@" + address, esdb.ErrorCodeAccessDenied, 0},
		{"a certificate", "esdb://" + address + "&userCertFile=" + cert + "&userKeyFile=" + key, 0, 0},
		{"plain text", "esdb://ops:changeit@" + strings.Replace(address, "tls=true", "tls=false", 1), esdb.ErrorUnavailable, esdb.ErrorUnavailable},
		{"an unknown authority", strings.Replace(c.URL(), "&tlsCaFile="+authority, "", 1), esdb.ErrorUnavailable, esdb.ErrorUnavailable},
	} {
		caller := &server{T: t, Client: client(t, who.url)}
		_, err := caller.append("a", esdb.Revision(0), events(1)...)
		if got := codeOf(err); got != who.append && !(who.append == esdb.ErrorUnavailable && err != nil) {
			t.Errorf("%s appends: %v", who.name, err)
		}
		_, _, err = caller.ids("a", forwards, 0)
		if got := codeOf(err); got != who.read && !(who.read == esdb.ErrorUnavailable && err != nil) {
			t.Errorf("%s reads: %v", who.name, err)
		}
	}
}

// codeOf is the library's code, or what it should have been; 0 for none.
func codeOf(err error) esdb.ErrorCode {
	if err == nil {
		return 0
	}
	if known, ok := errors.AsType[*esdb.Error](err); ok {
		return known.Code()
	}
	switch status.Code(err) {
	case codes.PermissionDenied:
		return esdb.ErrorCodeAccessDenied
	case codes.Unauthenticated:
		return esdb.ErrorCodeUnauthenticated
	}
	return -1
}

// TestControl: the program for other suites does what they ask.
func TestControl(t *testing.T) {
	c := three(t, teststore.Config{})
	program := c.Control()
	order := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		if err != nil {
			return err.Error() + ": " + string(out)
		}
		return strings.TrimSpace(string(out))
	}
	leader := order("leader")
	if got := order("kill", leader); got != "" {
		t.Fatal(got)
	}
	domaintest.Until(t, "another leads", func() bool { return order("leader") != leader })
	number, err := strconv.Atoi(leader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := speak(t, c, number).append("a", esdb.NoStream{}, events(1)...); err == nil {
		t.Error("it was not killed")
	}
	if got := order("start", leader) + order("freeze", leader) + order("thaw", leader) + order("cut", leader) + order("heal", leader); got != "" {
		t.Error(got)
	}
	if got := order("paint", leader); !strings.Contains(got, "nobody knows how to") {
		t.Errorf("it says %q", got)
	}
	settle(t, c, "a", esdb.NoStream{}, events(1)...)
}

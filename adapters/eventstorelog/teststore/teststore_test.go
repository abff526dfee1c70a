package teststore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"chalie/adapters/eventstorelog/teststore"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func TestMain(m *testing.M) {
	teststore.Main()
	os.Exit(m.Run())
}

// server is a node in this process, with a client.
type server struct {
	*testing.T
	*esdb.Client
	node *teststore.Server
}

func serve(t *testing.T, cfg teststore.Config) *server {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	node, err := teststore.Serve(cfg, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Close() })
	return &server{t, client(t, "esdb://"+node.Addr()+"?tls=false"), node}
}

func client(t *testing.T, url string) *esdb.Client {
	t.Helper()
	cfg, err := esdb.ParseConnectionString(url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Logger = esdb.NoopLogging()
	c, err := esdb.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func events(n int) []esdb.EventData {
	out := make([]esdb.EventData, n)
	for i := range out {
		out[i] = esdb.EventData{EventID: uuid.New(), EventType: "told", Data: fmt.Appendf(nil, "event %d", i)}
	}
	return out
}

func (s *server) append(stream string, at esdb.ExpectedRevision, events ...esdb.EventData) (uint64, error) {
	s.Helper()
	res, err := s.AppendToStream(s.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: at}, events...)
	if err != nil {
		return 0, err
	}
	return res.NextExpectedVersion, nil
}

// appended wants an append to end at a revision.
func (s *server) appended(stream string, at esdb.ExpectedRevision, want uint64, events ...esdb.EventData) {
	s.Helper()
	if got, err := s.append(stream, at, events...); err != nil || got != want {
		s.Errorf("appended through %d, want %d: %v", got, want, err)
	}
}

func (s *server) refused(code esdb.ErrorCode, stream string, at esdb.ExpectedRevision, events ...esdb.EventData) {
	s.Helper()
	_, err := s.append(stream, at, events...)
	if got, ok := esdb.FromError(err); ok || got.Code() != code {
		s.Errorf("got %v, want code %d", err, code)
	}
}

// ids reads a stream.
func (s *server) ids(stream string, options esdb.ReadStreamOptions, count uint64) (ids []uuid.UUID, revisions []uint64, err error) {
	read, err := s.ReadStream(s.Context(), stream, options, count)
	if err != nil {
		return nil, nil, err
	}
	defer read.Close()
	for {
		e, err := read.Recv()
		if errors.Is(err, io.EOF) {
			return ids, revisions, nil
		}
		if err != nil {
			return ids, revisions, err
		}
		ids, revisions = append(ids, e.Event.EventID), append(revisions, e.Event.EventNumber)
	}
}

func (s *server) reads(stream string, options esdb.ReadStreamOptions, count uint64, want ...uint64) {
	s.Helper()
	if _, got, err := s.ids(stream, options, count); err != nil || !slices.Equal(got, want) {
		s.Errorf("revisions %v, want %v: %v", got, want, err)
	}
}

var forwards = esdb.ReadStreamOptions{From: esdb.Start{}}

func TestAppending(t *testing.T) {
	s := serve(t, teststore.Config{})
	first, more, other := events(3), events(2), events(1)
	wrong := esdb.ErrorCodeWrongExpectedVersion
	s.refused(wrong, "absent", esdb.Revision(0), other...)
	s.refused(wrong, "absent", esdb.StreamExists{}, other...)
	s.appended("a", esdb.NoStream{}, 2, first...)
	s.refused(wrong, "a", esdb.NoStream{}, other...)
	s.appended("a", esdb.Revision(2), 4, more...)

	// Again at the exact revision, whole or less, answers as the first time; more doesn't.
	s.appended("a", esdb.NoStream{}, 2, first...)
	s.appended("a", esdb.Revision(2), 3, more[:1]...)
	s.refused(wrong, "a", esdb.Revision(2), append(slices.Clone(more), other...)...)
	s.refused(wrong, "a", esdb.Revision(1), more...)
	s.reads("a", forwards, 100, 0, 1, 2, 3, 4)

	// At any revision the node remembers what it took, from the first event.
	s.appended("a", esdb.Any{}, 3, more[:1]...)
	s.refused(wrong, "a", esdb.Any{}, more[0], other[0])
	s.appended("a", esdb.Any{}, 6, other[0], more[0])
	twice := events(1)[0]
	s.appended("a", esdb.StreamExists{}, 8, twice, twice)
	s.appended("a", esdb.Any{}, 8)
	if n := len(s.all("a")); n != 9 {
		t.Errorf("%d events", n)
	}
}

func (s *server) all(stream string) []uuid.UUID {
	s.Helper()
	ids, _, err := s.ids(stream, forwards, 0)
	if err != nil {
		s.Fatal(err)
	}
	return ids
}

// TestForgets: what a node remembers for appends at any revision is bounded, and gone when
// it starts again; at an exact revision the disk says it.
func TestForgets(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, teststore.Config{Dir: dir})
	first := events(2)
	s.appended("a", esdb.NoStream{}, 1, first...)
	if err := s.node.Close(); err != nil {
		t.Fatal(err)
	}
	s = serve(t, teststore.Config{Dir: dir})
	s.appended("a", esdb.NoStream{}, 1, first...)
	s.appended("a", esdb.Any{}, 3, first...)
	s.appended("b", esdb.Any{}, 9_999, events(10_000)...)
	s.appended("a", esdb.Any{}, 5, first...)
}

func TestOneWins(t *testing.T) {
	s := serve(t, teststore.Config{})
	for round := range 20 {
		stream := fmt.Sprint("s", round)
		var won, lost int
		var mu sync.Mutex
		var racing sync.WaitGroup
		for range 2 {
			racing.Go(func() {
				_, err := s.append(stream, esdb.NoStream{}, events(1)...)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else {
					lost++
				}
			})
		}
		racing.Wait()
		if won != 1 || lost != 1 {
			t.Fatalf("%d won and %d lost", won, lost)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		like string
		data int
		ok   bool
	}{{"23.10", 1 << 20, true}, {"23.10", 1<<20 + 1, false}, {"24.10", 1<<20 - 8, true}, {"24.10", 1<<20 - 7, false}} {
		s := serve(t, teststore.Config{Like: c.like})
		e := events(1)
		e[0].Data, e[0].Metadata = make([]byte, c.data-100), make([]byte, 100)
		if _, err := s.append("a", esdb.NoStream{}, e...); (err == nil) != c.ok {
			t.Errorf("%d bytes on %s: %v", c.data, c.like, err)
		}
	}
	s := serve(t, teststore.Config{})
	s.appended("small", esdb.NoStream{}, 29_999, events(30_000)...)
	if ids := s.all("small"); len(ids) != 30_000 {
		t.Errorf("%d events", len(ids))
	}
}

// TestRefusals looks at what the client hides.
func TestRefusals(t *testing.T) {
	s := serve(t, teststore.Config{})
	conn, err := grpc.NewClient(s.node.Addr(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw := streams.NewStreamsClient(conn)
	id := &shared.UUID{Value: &shared.UUID_String_{String_: uuid.NewString()}}
	for _, c := range []struct {
		name, stream string
		event        *streams.AppendReq_ProposedMessage
		code         codes.Code
		exception    string
	}{
		{"no type", "a", &streams.AppendReq_ProposedMessage{Id: id, Metadata: map[string]string{"content-type": "x"}}, codes.InvalidArgument, "missing-required-metadata-property"},
		{"no content type", "a", &streams.AppendReq_ProposedMessage{Id: id, Metadata: map[string]string{"type": "x"}}, codes.InvalidArgument, "missing-required-metadata-property"},
		{"an empty type", "a", &streams.AppendReq_ProposedMessage{Id: id, Metadata: map[string]string{"type": "", "content-type": "x"}}, codes.Unknown, ""},
		{"no id", "a", &streams.AppendReq_ProposedMessage{Metadata: map[string]string{"type": "x", "content-type": "x"}}, codes.Unknown, ""},
		{"an empty name", "", &streams.AppendReq_ProposedMessage{Id: id, Metadata: map[string]string{"type": "x", "content-type": "x"}}, codes.Unknown, ""},
		{"too much", "a", &streams.AppendReq_ProposedMessage{Id: id, Metadata: map[string]string{"type": "x", "content-type": "x"}, Data: make([]byte, 1<<20+1)}, codes.InvalidArgument, "maximum-append-size-exceeded"},
		{"a huge message", "a", &streams.AppendReq_ProposedMessage{Id: id, Metadata: map[string]string{"type": "x", "content-type": "x"}, Data: make([]byte, 16<<20)}, codes.ResourceExhausted, ""},
	} {
		var trailer metadata.MD
		call, err := raw.Append(t.Context(), grpc.Trailer(&trailer))
		if err == nil {
			err = call.Send(&streams.AppendReq{Content: &streams.AppendReq_Options_{Options: &streams.AppendReq_Options{
				StreamIdentifier:       &shared.StreamIdentifier{StreamName: []byte(c.stream)},
				ExpectedStreamRevision: &streams.AppendReq_Options_NoStream{NoStream: &shared.Empty{}},
			}}})
		}
		if err == nil {
			err = call.Send(&streams.AppendReq{Content: &streams.AppendReq_ProposedMessage_{ProposedMessage: c.event}})
		}
		if err == nil || errors.Is(err, io.EOF) {
			_, err = call.CloseAndRecv()
		}
		exception := ""
		if said := trailer.Get("exception"); len(said) > 0 {
			exception = said[0]
		}
		if status.Code(err) != c.code || exception != c.exception {
			t.Errorf("%s: %v, exception %q", c.name, err, exception)
		}
	}
	if _, _, err := s.ids("a", forwards, 1); err == nil {
		t.Error("something of a refused append was written")
	}
}

func TestReading(t *testing.T) {
	s := serve(t, teststore.Config{})
	s.appended("a", esdb.NoStream{}, 9, events(10)...)
	s.reads("a", forwards, 2, 0, 1)
	s.reads("a", forwards, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	s.reads("a", esdb.ReadStreamOptions{From: esdb.Revision(10)}, 5)
	s.reads("a", esdb.ReadStreamOptions{From: esdb.End{}, Direction: esdb.Backwards}, 1, 9)
	s.reads("a", esdb.ReadStreamOptions{From: esdb.Revision(3), Direction: esdb.Backwards}, 0, 3, 2, 1, 0)
	notFound := func() {
		t.Helper()
		_, _, err := s.ids("a", forwards, 1)
		if got, ok := esdb.FromError(err); ok || got.Code() != esdb.ErrorCodeResourceNotFound {
			t.Errorf("got %v", err)
		}
	}

	// What was cut off is missing without a word, until the cut is taken back; a scavenge
	// is for good.
	before := uint64(4)
	cut := func(before *uint64) {
		t.Helper()
		meta := esdb.StreamMetadata{}
		if before != nil {
			meta.SetTruncateBefore(*before)
		}
		if _, err := s.SetStreamMetadata(t.Context(), "a", esdb.AppendToStreamOptions{}, meta); err != nil {
			t.Fatal(err)
		}
	}
	cut(&before)
	s.reads("a", esdb.ReadStreamOptions{From: esdb.Revision(1)}, 2, 4, 5)
	cut(nil)
	s.reads("a", forwards, 1, 0)
	beyond := uint64(12)
	cut(&beyond)
	s.reads("a", forwards, 0)
	s.appended("a", esdb.Revision(9), 10, events(1)...)
	s.reads("a", forwards, 0)
	cut(nil)
	s.reads("a", forwards, 1, 0)

	// Deleted softly it isn't there; the next append goes on at the next revision.
	if _, err := s.DeleteStream(t.Context(), "a", esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	notFound()
	s.appended("a", esdb.NoStream{}, 11, events(1)...)
	s.reads("a", forwards, 0, 11)
	if _, err := s.TombstoneStream(t.Context(), "a", esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.ids("a", forwards, 1)
	if got, ok := esdb.FromError(err); ok || got.Code() != esdb.ErrorCodeStreamDeleted {
		t.Errorf("a tombstone: %v", err)
	}
	s.refused(esdb.ErrorCodeStreamDeleted, "a", esdb.Any{}, events(1)...)
}

// follower reads a subscription.
type follower struct {
	*testing.T
	sub *esdb.Subscription
}

func (s *server) follow(stream string, from esdb.StreamPosition) follower {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 20*time.Second)
	s.Cleanup(cancel)
	sub, err := s.SubscribeToStream(ctx, stream, esdb.SubscribeToStreamOptions{From: from})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = sub.Close() })
	return follower{s.T, sub}
}

// gets wants these revisions next, and then to be caught up.
func (f follower) gets(caughtUp bool, revisions ...uint64) {
	f.Helper()
	for _, want := range revisions {
		if e := f.sub.Recv(); e.EventAppeared == nil || e.EventAppeared.Event.EventNumber != want {
			f.Fatalf("got %+v, want revision %d", e, want)
		}
	}
	if caughtUp {
		if e := f.sub.Recv(); e.CaughtUp == nil {
			f.Fatalf("got %+v, want to be caught up", e)
		}
	}
}

func TestFollowing(t *testing.T) {
	for _, like := range []string{"23.10", "24.10"} {
		t.Run(like, func(t *testing.T) {
			s := serve(t, teststore.Config{Like: like})
			absent := s.follow("b", esdb.Start{})
			s.appended("a", esdb.NoStream{}, 2, events(3)...)
			f := s.follow("a", esdb.Revision(0))
			f.gets(true, 1, 2)
			beyond := s.follow("a", esdb.Revision(7))
			beyond.gets(true)
			s.appended("a", esdb.Revision(2), 3, events(1)...)
			f.gets(false, 3)
			// Softly deleted it says nothing, and goes on.
			if _, err := s.DeleteStream(t.Context(), "a", esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
				t.Fatal(err)
			}
			s.appended("a", esdb.NoStream{}, 4, events(1)...)
			f.gets(false, 4)
			if like == "24.10" {
				absent.gets(true)
			}
			s.appended("b", esdb.NoStream{}, 0, events(1)...)
			absent.gets(like != "24.10", 0)
			if _, err := s.TombstoneStream(t.Context(), "a", esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
				t.Fatal(err)
			}
			if e := f.sub.Recv(); e.SubscriptionDropped == nil {
				t.Errorf("after a tombstone: %+v", e)
			}
		})
	}
}

func TestScavenge(t *testing.T) {
	node := teststore.Start(t, teststore.Config{})
	s := &server{T: t, Client: client(t, node.URL())}
	s.appended("a", esdb.NoStream{}, 9, events(10)...)
	cut := func(n uint64) {
		t.Helper()
		meta := esdb.StreamMetadata{}
		meta.SetTruncateBefore(n)
		if _, err := s.SetStreamMetadata(t.Context(), "a", esdb.AppendToStreamOptions{}, meta); err != nil {
			t.Fatal(err)
		}
	}
	cut(5)
	node.Do("scavenge", 1)
	cut(0)
	s.reads("a", forwards, 0, 5, 6, 7, 8, 9)
	s.appended("a", esdb.Revision(9), 10, events(1)...)
}

// TestKilled: what was acknowledged is there after a kill, once and in order.
func TestKilled(t *testing.T) {
	node := teststore.Start(t, teststore.Config{})
	var acknowledged []uuid.UUID
	for round := range 3 {
		s := &server{T: t, Client: client(t, node.URL())}
		stop := make(chan struct{})
		go func() {
			<-stop
			node.Do("kill", 1)
		}()
		for n := 0; ; n++ {
			if n == 20*(round+1) {
				close(stop)
			}
			batch := events(3)
			var at esdb.ExpectedRevision = esdb.NoStream{}
			if len(acknowledged) > 0 {
				at = esdb.Revision(uint64(len(acknowledged) - 1))
			}
			if _, err := s.append("a", at, batch...); err != nil {
				node.Do("start", 1)
				// Its outcome isn't known: the same again settles it.
				s = &server{T: t, Client: client(t, node.URL())}
				s.appended("a", at, uint64(len(acknowledged)+2), batch...)
				acknowledged = append(acknowledged, batch[0].EventID, batch[1].EventID, batch[2].EventID)
				break
			}
			acknowledged = append(acknowledged, batch[0].EventID, batch[1].EventID, batch[2].EventID)
		}
	}
	s := &server{T: t, Client: client(t, node.URL())}
	if got := s.all("a"); !slices.Equal(got, acknowledged) {
		t.Errorf("%d events, %d were acknowledged", len(got), len(acknowledged))
	}
}

func TestFull(t *testing.T) {
	node := teststore.Start(t, teststore.Config{})
	s := &server{T: t, Client: client(t, node.URL())}
	s.appended("a", esdb.NoStream{}, 0, events(1)...)
	node.Do("fill", 1)
	s.refused(esdb.ErrorAborted, "a", esdb.Revision(0), events(1)...)
	node.Do("kill", 1)
	node.Do("start", 1)
	s = &server{T: t, Client: client(t, node.URL())}
	s.appended("a", esdb.Revision(0), 1, events(1)...)
}

func TestFrozen(t *testing.T) {
	node := teststore.Start(t, teststore.Config{})
	s := &server{T: t, Client: client(t, node.URL())}
	batch := events(1)
	s.appended("a", esdb.NoStream{}, 0, events(1)...)
	node.Do("freeze", 1)
	soon := 200 * time.Millisecond
	_, err := s.AppendToStream(t.Context(), "a", esdb.AppendToStreamOptions{ExpectedRevision: esdb.Revision(0), Deadline: &soon}, batch...)
	if got, ok := esdb.FromError(err); ok || got.Code() != esdb.ErrorCodeDeadlineExceeded {
		t.Errorf("frozen: %v", err)
	}
	node.Do("thaw", 1)
	s.appended("a", esdb.Revision(0), 1, batch...)
}

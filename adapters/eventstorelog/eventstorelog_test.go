package eventstorelog_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/eventstorelog/teststore"
	"chalie/adapters/pebblelog"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
)

func TestMain(m *testing.M) {
	teststore.Main()
	os.Exit(m.Run())
}

// reach is a cluster that nobody kills.
func reach(t testing.TB) string {
	t.Helper()
	if elsewhere != "" {
		return elsewhere
	}
	node, err := teststore.Serve(teststore.Config{Dir: t.TempDir()}, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := node.Close(); err != nil {
			t.Error(err)
		}
	})
	return "esdb://" + node.Addr() + "?tls=false"
}

// connect is a client of the library, until the test ends.
func connect(t testing.TB, url string) *esdb.Client {
	t.Helper()
	cfg, err := esdb.ParseConnectionString(url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Logger = esdb.NoopLogging()
	client, err := esdb.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// freshStream is a name that no earlier run has used.
func freshStream() string { return "chalie-test-" + uuid.NewString() }

// member is a program that keeps its log in a cluster.
type member struct {
	testing.TB
	*pebblelog.Log
	node *eventstorelog.Node
	dir  string
	ids  *ulids.Mint
}

type system struct{}

func (system) Now() time.Time { return time.Now() }

// join opens a copy and a node, and doesn't wait for it to lead.
func join(t testing.TB, url, stream, dir string, clock domain.Clock, changes ...func(*eventstorelog.Config)) *member {
	t.Helper()
	ids := ulids.New(clock)
	cfg := eventstorelog.Config{URL: url, Stream: stream, Host: filepath.Base(dir), IDs: ids, Clock: clock, CallFor: time.Second}
	for _, change := range changes {
		change(&cfg)
	}
	node, err := eventstorelog.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	m := &member{TB: t, node: node, dir: dir, ids: ids}
	m.open(clock)
	t.Cleanup(func() {
		_ = m.Close()
		node.Close()
	})
	return m
}

func (m *member) open(clock domain.Clock) {
	m.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: m.dir, Clock: clock, Upstream: m.node, Of: "elsewhere", Patience: 2 * time.Second})
	if err != nil {
		m.Fatal(err)
	}
	m.Log = log
}

// lead waits until the member writes.
func (m *member) lead() *member {
	m.Helper()
	ctx, cancel := context.WithTimeout(m.Context(), 30*time.Second)
	defer cancel()
	if err := m.node.Lead(ctx, m.Log); err != nil {
		m.Fatalf("leading: %v", err)
	}
	return m
}

func (m *member) entry() domain.Entry { return domaintest.NewEntry(m.ids, "a") }

// add appends an entry and wants it to be there.
func (m *member) add() domain.ID {
	m.Helper()
	e := m.entry()
	if _, err := m.Append(m.Context(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
		m.Fatalf("appending: %v", err)
	}
	return e.Envelope.ID
}

// has wants the log to hold these envelopes in this order, whatever else it holds.
func (m *member) has(ids ...domain.ID) {
	m.Helper()
	var got []domain.ID
	for from := domain.Position(1); ; {
		page, err := m.Select(m.Context(), domain.Selector{Topic: "a"}, from, 1000)
		if err != nil {
			m.Fatal(err)
		}
		for _, rec := range page {
			got = append(got, rec.Envelope.ID)
		}
		if len(page) < 1000 {
			break
		}
		from = page[len(page)-1].Position + 1
	}
	if fmt.Sprint(got) != fmt.Sprint(ids) {
		m.Errorf("the log has %d records, want %d, or in another order", len(got), len(ids))
	}
}

func TestConformance(t *testing.T) {
	url := reach(t)
	domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
		// Renewals look at the copy, which is another after each reopening.
		often := func(cfg *eventstorelog.Config) { cfg.RenewEvery = 10 * time.Millisecond }
		m := join(t, url, freshStream(), t.TempDir(), clock, often).lead()
		return domaintest.Subject{Log: m.Log, Reopen: func(t *testing.T, log domain.Log) domain.Log {
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
			m.open(clock)
			return m.lead().Log
		}}
	})
}

// TestAnotherCopy: a node with an empty folder has every byte once it leads, and clocks an
// hour apart change nothing.
func TestAnotherCopy(t *testing.T) {
	url, stream := reach(t), freshStream()
	first := join(t, url, stream, t.TempDir(), system{}).lead()
	var ids []domain.ID
	for range 300 {
		ids = append(ids, first.add())
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	first.node.Close()
	second := join(t, url, stream, t.TempDir(), domaintest.NewClockAt(time.Now().Add(-time.Hour))).lead()
	second.has(ids...)
	ids = append(ids, second.add())
	second.has(ids...)
	taken, err := second.Select(t.Context(), domain.Selector{Topic: domain.TopicSystem}, 1, 10)
	if err != nil || len(taken) != 2 {
		t.Errorf("%d takeovers are recorded: %v", len(taken), err)
	}
}

// TestLost: who is overtaken notices without being asked to write, says so, and can't write.
func TestLost(t *testing.T) {
	url, stream := reach(t), freshStream()
	first := join(t, url, stream, filepath.Join(t.TempDir(), "first"), system{}).lead()
	ids := []domain.ID{first.add()}
	overtake(t, url, stream)
	<-first.node.Lost()
	if err := first.node.Err(); domain.CodeOf(err) != domain.CodeWriterLost || !strings.Contains(err.Error(), "usurper") {
		t.Errorf("it says %v", err)
	}
	if _, err := first.Append(t.Context(), domain.Batch{Entries: []domain.Entry{first.entry()}}); domain.CodeOf(err) != domain.CodeWriterLost {
		t.Errorf("it appended: %v", err)
	}
	second := join(t, url, stream, filepath.Join(t.TempDir(), "second"), system{}).lead()
	second.has(ids...)
}

// overtake takes the lease away at once, as a node with another idea of time would.
func overtake(t testing.TB, url, stream string) {
	t.Helper()
	client := connect(t, url)
	if _, err := client.AppendToStream(t.Context(), stream+"-lease", esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}}, esdb.EventData{
		EventType: "lease.held", ContentType: esdb.ContentTypeJson,
		Data: fmt.Appendf(nil, `{"node":%q,"host":"usurper","epoch":7}`, ulids.New(system{}).NewID()),
	}); err != nil {
		t.Fatal(err)
	}
}

// TestFenced: whoever takes over fences who wrote before at its next append, also when
// that one still believes that it holds the lease.
func TestFenced(t *testing.T) {
	url, stream := reach(t), freshStream()
	first := join(t, url, stream, filepath.Join(t.TempDir(), "first"), system{}, func(cfg *eventstorelog.Config) { cfg.RenewEvery = time.Hour }).lead()
	ids := []domain.ID{first.add()}
	second := join(t, url, stream, filepath.Join(t.TempDir(), "second"), system{})
	second.lead()
	if _, err := first.Append(t.Context(), domain.Batch{Entries: []domain.Entry{first.entry()}}); domain.CodeOf(err) != domain.CodeWriterLost {
		t.Errorf("who was overtaken appended: %v", err)
	}
	select {
	case <-first.node.Lost():
	default:
		t.Error("it doesn't know that it is lost")
	}
	second.has(append(ids, second.add())...)
}

// TestServerKilled: nothing acknowledged is lost or doubled, and the writer goes on.
func TestServerKilled(t *testing.T) {
	server, stream := own(t, 1), freshStream()
	m := join(t, server.url, stream, t.TempDir(), system{}).lead()
	ids := []domain.ID{m.add(), m.add()}
	server.all("kill")
	e := m.entry()
	batch := domain.Batch{Entries: []domain.Entry{e}}
	if _, err := m.Append(t.Context(), batch); domain.CodeOf(err) != domain.CodeOutcomeUnknown {
		t.Errorf("while it is away: %v", err)
	}
	if _, err := m.Append(t.Context(), domain.Batch{Entries: []domain.Entry{m.entry()}}); domain.CodeOf(err) != domain.CodeClusterAway {
		t.Errorf("and the next: %v", err)
	}
	m.has(ids...) // reads go on
	if h := m.node.Health(); !h.Leading || h.Away == nil {
		t.Errorf("health %+v", h)
	}
	tail := m.Tail()
	server.all("start")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := m.Wait(ctx, tail); err != nil {
		t.Fatal(err)
	}
	if receipt, err := m.Append(t.Context(), batch); err != nil || !receipt.Duplicate {
		t.Errorf("again: %+v, %v", receipt, err)
	}
	ids = append(ids, e.Envelope.ID, m.add())
	m.has(ids...)
	// And so says a copy made anew.
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m.node.Close()
	join(t, server.url, stream, t.TempDir(), system{}).lead().has(ids...)
}

// TestServerFrozen: no call hangs past its context.
func TestServerFrozen(t *testing.T) {
	server, stream := own(t, 1), freshStream()
	m := join(t, server.url, stream, t.TempDir(), system{}).lead()
	id := m.add()
	server.all("freeze")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	e := m.entry()
	if _, err := m.Append(ctx, domain.Batch{Entries: []domain.Entry{e}}); domain.CodeOf(err) != domain.CodeOutcomeUnknown {
		t.Errorf("frozen: %v", err)
	}
	server.all("thaw")
	for {
		_, err := m.Append(t.Context(), domain.Batch{Entries: []domain.Entry{e}})
		if err == nil {
			break
		}
		if !domain.IsRetriable(err) {
			t.Fatal(err)
		}
	}
	m.has(id, e.Envelope.ID)
}

// TestServerFull: a cluster without space takes nothing after a while, says why, and goes on.
func TestServerFull(t *testing.T) {
	server, stream := own(t, 1), freshStream()
	m := join(t, server.url, stream, t.TempDir(), system{}).lead()
	id := m.add()
	server.all("fill")
	ids := []domain.ID{id}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var err error
	for err == nil { // a page that was begun still takes some
		e := m.entry()
		ids = append(ids, e.Envelope.ID) // the last one's outcome is unknown, and settled by repeating it
		_, err = m.Append(ctx, domain.Batch{Entries: []domain.Entry{e}})
	}
	if domain.CodeOf(err) != domain.CodeOutcomeUnknown || ctx.Err() != nil {
		t.Errorf("full: %v", err)
	}
	if says := m.node.Away(); says == nil || strings.Contains(says.Error(), "ErrorCode") {
		t.Errorf("it says %v", says)
	}
	tail := m.Tail()
	server.all("kill")
	server.all("start")
	if _, err := m.Wait(ctx, tail); err != nil {
		t.Fatal(err)
	}
	m.has(ids...)
}

// TestSilences: what the cluster does without a word is said aloud, and nothing goes on
// over it.
func TestSilences(t *testing.T) {
	url := reach(t)
	client := connect(t, url)
	// written makes a stream of a few records, and closes what wrote it.
	written := func(t *testing.T, dir string) string {
		stream := freshStream()
		m := join(t, url, stream, dir, system{}).lead()
		for range 5 {
			m.add()
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		m.node.Close()
		return stream
	}
	refused := func(t *testing.T, stream, dir string, code domain.Code) {
		t.Helper()
		m := join(t, url, stream, dir, system{})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := m.node.Lead(ctx, m.Log); domain.CodeOf(err) != code {
			t.Errorf("got %v, want %s", err, code)
		}
	}
	t.Run("cut off", func(t *testing.T) {
		stream := written(t, t.TempDir())
		meta := esdb.StreamMetadata{}
		meta.SetTruncateBefore(3)
		if _, err := client.SetStreamMetadata(t.Context(), stream, esdb.AppendToStreamOptions{}, meta); err != nil {
			t.Fatal(err)
		}
		refused(t, stream, t.TempDir(), eventstorelog.CodeStreamCut)
	})
	t.Run("shorter", func(t *testing.T) {
		dir := t.TempDir()
		written(t, dir)
		refused(t, freshStream(), dir, eventstorelog.CodeStreamShort)
	})
	t.Run("another", func(t *testing.T) {
		dir := t.TempDir()
		written(t, dir)
		refused(t, written(t, t.TempDir()), dir, pebblelog.CodeForked)
	})
	t.Run("deleted", func(t *testing.T) {
		dir := t.TempDir()
		stream := written(t, dir)
		if _, err := client.DeleteStream(t.Context(), stream, esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
			t.Fatal(err)
		}
		refused(t, stream, dir, eventstorelog.CodeStreamShort)
	})
	t.Run("deleted for good", func(t *testing.T) {
		for _, of := range []string{"", "-lease"} {
			dir := t.TempDir()
			stream := written(t, dir)
			if _, err := client.TombstoneStream(t.Context(), stream+of, esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
				t.Fatal(err)
			}
			refused(t, stream, dir, eventstorelog.CodeStreamDeleted)
		}
	})
	t.Run("deleted under a writer", func(t *testing.T) {
		stream := freshStream()
		m := join(t, url, stream, t.TempDir(), system{}, func(cfg *eventstorelog.Config) { cfg.RenewEvery = 5 * time.Millisecond }).lead()
		ids := []domain.ID{m.add()}
		if _, err := client.DeleteStream(t.Context(), stream, esdb.DeleteStreamOptions{ExpectedRevision: esdb.Any{}}); err != nil {
			t.Fatal(err)
		}
		// The numbers go on, so nothing is lost here; but no copy can be made any more.
		m.has(append(ids, m.add())...)
		domaintest.Until(t, "it says so", func() bool { return m.node.Health().Cut })
	})
}

func TestBadURL(t *testing.T) {
	for _, url := range []string{"", "http://localhost", "esdb://", "esdb://a:b:c"} {
		_, err := eventstorelog.New(eventstorelog.Config{URL: url, Stream: "a", IDs: ulids.New(system{}), Clock: system{}})
		if domain.CodeOf(err) != eventstorelog.CodeBadURL {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// Both of the product's names are read, and what is unsafe about a connection string is said.
func TestConnectionStrings(t *testing.T) {
	var logged bytes.Buffer
	for url, warned := range map[string]bool{
		"kurrentdb://one":                         false,
		"kurrentdb+discover://cluster.example":    false,
		"esdb+discover://one:2113":                false,
		"kurrentdb://one:2113,two:2113?tls=false": false,
		"kurrentdb://me:secret@one?tls=true":      false,
		"esdb://me:secret@one:2113?tls=false":     true,
		"kurrentdb://me:secret@one,two?tls=false": true,
	} {
		logged.Reset()
		node, err := eventstorelog.New(eventstorelog.Config{URL: url, Stream: "a", IDs: ulids.New(system{}), Clock: system{}, Logger: slog.New(slog.NewTextHandler(&logged, nil))})
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		node.Close()
		says := logged.String()
		if strings.Contains(says, "tls=true") != warned || strings.Contains(says, "secret") {
			t.Errorf("%s is warned about with %q", url, says)
		}
	}
	// What can't be read isn't repeated: it may be in a file that only its owner reads.
	for url, wants := range map[string]string{
		"esdb://me:sec%ret@one?tls=true": "%25", "esdb://me:sec#ret@one?tls=true": "%23", "esdb://me:sec/ret@one": "%2F", "esdb://me:sec ret@one": "%20",
		"esdb://me:secret@one:x": "host", "me:secret@one": "esdb://", "esdb://me/secret@one": "%2F", "esdb://me:secret@one?tls=perhaps": "'tls'",
	} {
		_, err := eventstorelog.New(eventstorelog.Config{URL: url, Stream: "a", IDs: ulids.New(system{}), Clock: system{}})
		if says := fmt.Sprint(err); domain.CodeOf(err) != eventstorelog.CodeBadURL || !strings.Contains(says, wants) || strings.Contains(says, "sec") || strings.Contains(says, "ret") {
			t.Errorf("%s is refused with %q", url, says)
		}
	}
	for _, same := range []struct {
		one, other string
		are        bool
	}{
		{"esdb://one:2113,two", "kurrentdb://me:secret@two,one?tls=true", true},
		{"esdb://one", "esdb://one:2113", true},
		{"esdb://one", "esdb://two", false},
		{"esdb://one", "http://one", false},
	} {
		if got := eventstorelog.SameCluster(same.one, same.other); got != same.are {
			t.Errorf("%s and %s are the same: %v", same.one, same.other, got)
		}
	}
}

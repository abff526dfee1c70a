package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/argon2"
	"chalie/adapters/eventstorelog"
	"chalie/adapters/eventstorelog/teststore"
	"chalie/adapters/pebblelog"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// aCluster is a node of a cluster in this process, which may be away.
type aCluster struct {
	t    *testing.T
	cfg  teststore.Config
	addr string
	node *teststore.Server // nil while it is away
}

func startCluster(t *testing.T) *aCluster {
	t.Helper()
	c := &aCluster{t: t, cfg: teststore.Config{Dir: t.TempDir()}, addr: "127.0.0.1:0"}
	c.back()
	t.Cleanup(func() {
		if c.node != nil {
			c.away()
		}
	})
	return c
}

func (c *aCluster) back() {
	c.t.Helper()
	var err error
	if c.node, err = teststore.Serve(c.cfg, c.addr); err != nil {
		c.t.Fatal(err)
	}
	c.addr = c.node.Addr()
}

func (c *aCluster) away() {
	c.t.Helper()
	if err := c.node.Close(); err != nil {
		c.t.Fatal(err)
	}
	c.node = nil
}

// keeps is how a data directory's log is found on it.
func (c *aCluster) keeps() Cluster {
	return Cluster{URL: "esdb://" + c.addr + "?tls=false", Stream: defaultStream}
}

// machine is a `chalie serve` in this process on a data directory.
type machine struct {
	t     *testing.T
	data  string
	api   *apiclient.Client
	logs  *domaintest.Buffer
	end   context.CancelFunc
	ended chan error
}

// serveOn starts it, with --log when that isn't empty.
func serveOn(t *testing.T, data string, log Cluster) *machine {
	t.Helper()
	m := &machine{t: t, data: data, logs: &domaintest.Buffer{}, ended: make(chan error, 1)}
	ctx, end := context.WithCancel(context.Background())
	m.end = end
	t.Cleanup(end)
	c := &cli{Console: &term.Console{Out: io.Discard, Err: io.Discard, Width: term.DefaultWidth, Zone: time.UTC}, program: "chalie", data: data}
	cfg := Config{Addr: "127.0.0.1:0", Data: data, Cluster: log, IdleAfter: time.Hour, AuditAt: "off", Announced: true,
		Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}, Logger: slog.New(slog.NewTextHandler(m.logs, nil))}
	go func() { m.ended <- c.serve(ctx, cfg, log.URL != "") }()
	m.api = apiclient.New(overSocket(t, data), unixsocket.BaseURL)
	return m
}

// ready waits until it serves.
func (m *machine) ready() *machine {
	m.t.Helper()
	client := unixsocket.Client(m.data)
	defer client.CloseIdleConnections()
	for deadline := time.Now().Add(patience); ; {
		resp, err := client.Get(unixsocket.BaseURL + "/ready")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return m
			}
		}
		select {
		case err := <-m.ended:
			m.t.Fatalf("it has ended: %v\n%s", err, m.logs)
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			m.t.Fatalf("it isn't ready: %v\n%s", err, m.logs)
		}
	}
}

func (m *machine) stop() {
	m.t.Helper()
	m.end()
	if err := <-m.ended; err != nil {
		m.t.Fatalf("it ended with %v\n%s", err, m.logs)
	}
}

// ids are those of all records; false when they can't be read.
func (m *machine) ids() (out []domain.ID, ok bool) {
	m.t.Helper()
	for from := domain.Position(1); ; {
		page, err := m.api.Log(m.t.Context(), apiclient.LogQuery{From: from, Limit: 1000})
		if err != nil {
			return nil, false
		}
		for _, object := range page.Records {
			rec, err := object.Value()
			if err != nil {
				m.t.Fatal(err)
			}
			out = append(out, rec.Envelope.ID)
		}
		if page.Next == from || len(page.Records) == 0 {
			return out, true
		}
		from = page.Next
	}
}

// has waits until these are the first records, while the copy may be made anew.
func (m *machine) has(want []domain.ID) {
	m.t.Helper()
	var got []domain.ID
	domaintest.Until(m.t, "all records are there", func() bool {
		m.ready()
		var ok bool
		got, ok = m.ids()
		return ok && len(got) >= len(want)
	})
	if !slices.Equal(got[:len(want)], want) {
		m.t.Error("it has other records")
	}
}

func (m *machine) hear(n int) {
	m.t.Helper()
	client := unixsocket.Client(m.data)
	defer client.CloseIdleConnections()
	for i := range n {
		body := fmt.Sprintf(`{"signal_type":"news","source":"street","content":"Heavy rain until %d","activation_energy":0.1}`, i)
		resp, err := client.Post(unixsocket.BaseURL+"/api/signals", "application/json", strings.NewReader(body))
		if err != nil {
			m.t.Fatal(err)
		}
		if _ = resp.Body.Close(); resp.StatusCode != http.StatusAccepted {
			m.t.Fatalf("a signal is answered %d", resp.StatusCode)
		}
	}
}

// copyOn makes a machine's data directory as it is when it was stopped, with what was
// folded at an earlier stop beside it, and returns the records of the log.
func copyOn(t *testing.T, on *aCluster) (data, older string, ids []domain.ID) {
	t.Helper()
	data, older = filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "older")
	for part := range 3 { // each start moves what was written before to a table
		m := serveOn(t, data, on.keeps()).ready()
		m.hear(40)
		ids, _ = m.ids()
		m.stop()
		if part == 0 {
			if err := os.CopyFS(older, os.DirFS(foldedFolder(data))); err != nil {
				t.Fatal(err)
			}
		}
	}
	removeFrom(t, data, reserveFile) // which makes copies of it large
	return data, older, ids
}

func flipIn(t *testing.T, dir, pattern string, at float64) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) == 0 {
			continue
		}
		text[int(at*float64(len(text)))] ^= 0x10
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// removeFrom removes what a folder has of some patterns, or the folder.
func removeFrom(t *testing.T, dir string, patterns ...string) {
	t.Helper()
	if len(patterns) == 0 {
		dir, patterns = filepath.Dir(dir), []string{filepath.Base(dir)}
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		for _, name := range found {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// left is what is left of a copy.
type left int

const (
	nothing   left = iota // it is made anew
	setAside              // likewise, and what there was is kept
	beginning             // it goes on from there, as after a loss of power
	either                // one of the last two, by what was hit
)

// lostCopies are what a disk or a person leaves of a copy.
var lostCopies = []struct {
	name string
	lose func(t *testing.T, log string)
	left left
}{
	{"gone", func(t *testing.T, log string) { removeFrom(t, log) }, nothing},
	{"empty", func(t *testing.T, log string) { removeFrom(t, log, "*") }, nothing},
	{"LOCK alone", func(t *testing.T, log string) {
		removeFrom(t, log, "*.sst", "*.log", "MANIFEST-*", "OPTIONS-*", "marker.*", "MARK")
	}, nothing},
	{"a file", func(t *testing.T, log string) {
		removeFrom(t, log)
		if err := os.WriteFile(log, []byte("log"), 0o600); err != nil {
			t.Fatal(err)
		}
	}, setAside},
	{"without its tables", func(t *testing.T, log string) { removeFrom(t, log, "*.sst") }, setAside},
	{"without its write-ahead log", func(t *testing.T, log string) { removeFrom(t, log, "*.log") }, setAside},
	{"without its manifest", func(t *testing.T, log string) { removeFrom(t, log, "MANIFEST-*") }, setAside},
	{"without its markers", func(t *testing.T, log string) { removeFrom(t, log, "marker.*") }, setAside},
	{"a flipped byte in tables", func(t *testing.T, log string) { flipIn(t, log, "*.sst", 0.4) }, setAside},
	{"a flipped byte in the write-ahead log", func(t *testing.T, log string) { flipIn(t, log, "*.log", 0.5) }, either},
	{"a flipped byte in the manifest", func(t *testing.T, log string) { flipIn(t, log, "MANIFEST-*", 0.5) }, setAside},
	{"a flipped byte in the mark", func(t *testing.T, log string) { flipIn(t, log, "MARK", 0.0005) }, beginning},
}

// keptFolds are what is folded beside it.
var keptFolds = []struct {
	name string
	keep func(t *testing.T, folded, older string)
}{
	{"newer folds", func(*testing.T, string, string) {}},
	{"older folds", func(t *testing.T, folded, older string) {
		removeFrom(t, folded)
		if err := os.CopyFS(folded, os.DirFS(older)); err != nil {
			t.Fatal(err)
		}
	}},
	{"no folds", func(t *testing.T, folded, _ string) { removeFrom(t, folded) }},
}

// staysCopy wants a copy whose file CLUSTER is gone to be taken for no log of this machine
// alone, and what keeps it to be asked for.
func staysCopy(t *testing.T, data string) {
	t.Helper()
	before, _ := os.Stat(logFolder(data))
	refused := func(what string, err error) {
		t.Helper()
		if says := words(err); domain.CodeOf(err) != pebblelog.CodeIsCopy || !strings.Contains(says, "chalie serve --log ") || !strings.Contains(says, "--log-stream ") {
			t.Errorf("%s without CLUSTER: %v", what, err)
		}
	}
	refused("served", <-serveOn(t, data, Cluster{}).ended)
	_, err := repairLog(t.Context(), data, term.NoMeter())
	refused("repaired", err)
	if _, err := importFile(t.Context(), data, strings.NewReader(`{}`), false, term.NoMeter()); err == nil {
		t.Error("a log is imported where a copy should be")
	} else if before == nil {
		refused("imported", err)
	}
	if after, _ := os.Stat(logFolder(data)); (before == nil) != (after == nil) || len(damagedCopies(data)) > 0 {
		t.Error("something was made or moved aside")
	}
}

// A machine of a cluster that loses its copy stays one: whatever is left of the copy and of
// what was folded, with CLUSTER or with --log, while the cluster is away and not, it makes the
// copy anew by itself, says so, and has every record. Nothing is to be repaired.
func TestCopyIsMadeAnew(t *testing.T) {
	t.Parallel()
	on := startCluster(t)
	whole, older, ids := copyOn(t, on)
	rounds := domaintest.Rounds(t, domaintest.AttackRounds, 1)
	for i, lost := range lostCopies {
		for j, folds := range keptFolds {
			if rounds == 1 && i > 0 && (i+j)%len(keptFolds) > 0 {
				continue // each is tried with one of them
			}
			t.Run(lost.name+", "+folds.name, func(t *testing.T) {
				data := filepath.Join(t.TempDir(), "data")
				if err := os.CopyFS(data, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				lost.lose(t, logFolder(data))
				folds.keep(t, foldedFolder(data), older)
				if _, err := repairLog(t.Context(), data, term.NoMeter()); domain.CodeOf(err) != pebblelog.CodeIsCopy || !strings.Contains(err.Error(), "chalie serve") {
					t.Errorf("repaired: %v", err)
				}
				named := Cluster{}
				if (i+j)%2 == 0 {
					named = on.keeps()
					marks := []string{clusterFile, eventstorelog.KeyFile, eventstorelog.StateFile}
					removeFrom(t, data, marks[:1+(i/2)%2]...) // any of the others shows what it is
					staysCopy(t, data)
				}
				m := serveOn(t, data, named)
				m.has(ids)
				m.stop()
				if saved, err := savedCluster(data); err != nil || saved != on.keeps() {
					t.Errorf("its log is kept in %+v, %v", saved, err)
				}
				aside, what := damagedCopies(data), lost.left
				if what == either {
					what = [...]left{beginning, setAside}[min(len(aside), 1)]
				}
				if (what == setAside) != (len(aside) == 1) || len(aside) > 1 {
					t.Errorf("moved aside: %q", aside)
				}
				said := m.logs.String()
				for _, says := range []string{"made from the cluster", "the copy of the log is made"} {
					if n := strings.Count(said, says); (what != beginning) != (n == 1) || n > 1 {
						t.Errorf("it says %q %d times:\n%s", says, n, said)
					}
				}
			})
		}
	}
}

// While the cluster is away, a machine without a copy waits, says so, and goes on by itself.
func TestCopyIsMadeAnewLater(t *testing.T) {
	t.Parallel()
	on := startCluster(t)
	data, _, ids := copyOn(t, on)
	on.away()
	removeFrom(t, logFolder(data), "MANIFEST-*")
	m := serveOn(t, data, Cluster{})
	client := unixsocket.Client(data)
	defer client.CloseIdleConnections()
	domaintest.Until(t, "it waits", func() bool {
		resp, err := client.Get(unixsocket.BaseURL + "/ready")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return err == nil && strings.Contains(string(body), "waits for the cluster that keeps its log")
	})
	on.back()
	m.has(ids)
	m.stop()
}

// What was folded is known to have been there: a cluster that has less is refused, with a
// copy and without, and nothing is changed.
func TestFoldsBeyondTheCluster(t *testing.T) {
	t.Parallel()
	on := startCluster(t)
	data, _, _ := copyOn(t, on)
	on.away()
	on.cfg.Dir = t.TempDir()
	on.back() // as from a backup of nothing
	for _, lost := range []func(){
		func() {},
		func() { removeFrom(t, logFolder(data)) },
	} {
		lost()
		folded := storesOf(data, slog.New(slog.DiscardHandler), machineMemory(), 0).FoldedThrough(today())
		m := serveOn(t, data, Cluster{})
		err := <-m.ended
		if domain.CodeOf(err) != eventstorelog.CodeStreamShort || !strings.Contains(err.Error(), "look at the cluster first") {
			t.Errorf("it ended with %v", err)
		}
		if now := storesOf(data, slog.New(slog.DiscardHandler), machineMemory(), 0).FoldedThrough(today()); folded == 0 || now != folded {
			t.Errorf("what was folded through %d is folded through %d", folded, now)
		}
		if saved, err := savedCluster(data); err != nil || saved.URL == "" {
			t.Errorf("its log is kept in %+v, %v", saved, err)
		}
	}
}

// Nothing but the end of a move makes a machine of a cluster one for itself: not a log with
// records of its own, another stream, or a file CLUSTER that can't be read.
func TestCopyStaysOne(t *testing.T) {
	t.Parallel()
	on := startCluster(t)
	data, _, ids := copyOn(t, on)
	ends := func(named Cluster, code domain.Code, says string) {
		t.Helper()
		m := serveOn(t, data, named)
		if err := <-m.ended; domain.CodeOf(err) != code || !strings.Contains(words(err), says) {
			t.Errorf("it ended with %v, want %s, %q", err, code, says)
		}
	}
	ends(Cluster{URL: on.keeps().URL, Stream: "another"}, pebblelog.CodeIsCopy, "is a copy of the stream chalie")

	// A log of its own, as a repair by an older version made it.
	removeFrom(t, logFolder(data))
	if err := os.Rename(filepath.Join(data, clusterFile), filepath.Join(data, "aside")); err != nil {
		t.Fatal(err)
	}
	removeFrom(t, foldedFolder(data))
	removeFrom(t, data, "CLUSTER-*")
	serveOn(t, data, Cluster{}).ready().stop()
	if err := os.Rename(filepath.Join(data, "aside"), filepath.Join(data, clusterFile)); err != nil {
		t.Fatal(err)
	}
	ends(Cluster{}, pebblelog.CodeIsNoCopy, "move that folder away")
	ends(on.keeps(), pebblelog.CodeIsNoCopy, "move that folder away")
	if _, err := os.Stat(filepath.Join(data, clusterFile)); err != nil {
		t.Error(err)
	}
	if _, err := importFile(t.Context(), data, strings.NewReader(`{}`), false, term.NoMeter()); err == nil {
		t.Error("a log is imported where a copy should be")
	}

	removeFrom(t, logFolder(data))
	for _, damaged := range []string{"", "{", "{}", `{"url":"esdb://one"}`} {
		if err := os.WriteFile(filepath.Join(data, clusterFile), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		ends(Cluster{}, domain.CodeDiskFailed, "give --log and --log-stream")
	}
	m := serveOn(t, data, on.keeps())
	m.has(ids)
	m.stop()
	if saved, err := savedCluster(data); err != nil || saved != on.keeps() {
		t.Errorf("its log is kept in %+v, %v", saved, err)
	}
}

// What was brought back from a cluster is a log of this machine alone, whatever the move
// left: it is served and repaired like any other. One that was brought back before this was
// noted is noted when it is served whole.
func TestBroughtBackIsNoCopy(t *testing.T) {
	t.Parallel()
	on := startCluster(t)
	data, _, ids := copyOn(t, on)
	if _, err := (move{data: data, cluster: on.keeps(), meter: term.NoMeter()}).run(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	removeFrom(t, data, leftFile)
	m := serveOn(t, data, Cluster{})
	m.has(ids)
	m.stop()
	if clusterMark(data) == "" || !hasFile(data, leftFile) {
		t.Error("it isn't noted that the log is here alone")
	}

	flipIn(t, logFolder(data), "MARK", 0.0005)
	flipIn(t, logFolder(data), "MANIFEST-*", 0.5)
	noted := filepath.Join(data, leftFile)
	if err := os.Rename(noted, noted+"-aside"); err != nil {
		t.Fatal(err)
	}
	if _, err := repairLog(t.Context(), data, term.NoMeter()); domain.CodeOf(err) != pebblelog.CodeIsCopy || !strings.Contains(err.Error(), "make an empty file "+leftFile) {
		t.Errorf("repaired without the note: %v", err)
	}
	if err := os.WriteFile(noted, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := repairLog(t.Context(), data, term.NoMeter()); err != nil {
		t.Errorf("repaired: %v", err)
	}
	m = serveOn(t, data, Cluster{})
	m.has(ids)
	m.stop()
	if err := on.keeps().save(data); err != nil || hasFile(data, leftFile) {
		t.Errorf("moved there again it is still noted, %v", err)
	}
}

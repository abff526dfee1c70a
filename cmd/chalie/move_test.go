package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/eventstorelog"
	"chalie/adapters/eventstorelog/teststore"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// TestMoveThereAndBack: a Chalie that goes on being told things goes to a cluster and comes
// back with all it acknowledged, and positions stay.
func TestMoveThereAndBack(t *testing.T) {
	t.Parallel()
	node, data := teststore.Start(t, teststore.Config{}), filepath.Join(t.TempDir(), "data")
	v := begun(t, data, alone(data))
	v.ready()
	token := v.issueToken()
	v.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")
	picture := picturePNG(t)
	var uploaded struct {
		ID string `json:"image_id"`
	}
	if err := json.Unmarshal([]byte(v.wants(http.StatusCreated, "POST", "socket:/chat/image", picture, "Content-Type: image/png")), &uploaded); err != nil {
		t.Fatal(err)
	}
	if says := v.fails(2, "move"); !strings.Contains(says, "--to or --from") {
		t.Errorf("without a cluster: %s", says)
	}
	if says := v.fails(1, "move", "--from", node.URL()); !strings.Contains(says, "on this machine already") {
		t.Errorf("brought back from nowhere: %s", says)
	}
	if says := v.fails(2, "move", "--to", node.URL(), "--log-stream", "$streams"); !strings.Contains(says, "can't be the name of a stream") {
		t.Errorf("moved to a stream of the cluster's own: %s", says)
	}
	told := v.movesUnder(token, "there", "--to", node.URL())
	if says := v.fails(1, "move", "--to", node.URL(), "--log-stream", "another"); !strings.Contains(says, "kept by a cluster already") {
		t.Errorf("moved from one stream to another: %s", says)
	}
	if says := v.chalie("move", "--to", strings.Replace(node.URL(), "esdb://", "kurrentdb://", 1)); !strings.Contains(says, "done already") {
		t.Errorf("moved there again it says %q", says)
	}
	if says := v.chalie("set", "keep_signals", "30d", "--preview"); !strings.Contains(says, "Nothing can go: the log in") || !strings.Contains(says, "chalie move --from") {
		t.Errorf("of a time to keep on a cluster it says %q", says)
	}
	told = append(told, v.movesUnder(token, "back", "--from", node.URL())...)
	if says := v.chalie("move", "--from", node.URL()); !strings.Contains(says, "done already") {
		t.Errorf("brought back again it says %q", says)
	}
	told = append(told, v.movesUnder(token, "there again", "--to", node.URL())...)
	v.heard(told)
	v.wants(http.StatusOK, "GET", "socket:/chat/image/"+uploaded.ID, "")
	if says := v.chalie("replay", "--all"); !strings.Contains(says, "All is decided as it was") {
		t.Errorf("the replay says %q", says)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Mkdir(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("chalie", "move", "--from", node.URL(), "--data", elsewhere).CombinedOutput(); err == nil || !strings.Contains(string(out), "writes the stream") {
		t.Errorf("brought from under a running Chalie: %v %s", err, out)
	}
	before := v.records()
	v.stop()

	// It is found again without being named, at rest it comes back, and nobody else takes it.
	v = begun(t, data, alone(data))
	v.ready()
	if health := v.wants(http.StatusOK, "GET", "/health", ""); !strings.Contains(health, "writes the log, since takeover") {
		t.Errorf("health says %s", health)
	}
	v.stop()
	if says := v.chalie("move", "--to", node.URL()); !strings.Contains(says, "done already") {
		t.Errorf("moved there again, at rest, it says %q", says)
	}
	if says := v.chalie("move", "--from", node.URL()); !strings.Contains(says, "are here, each as it was") {
		t.Errorf("it says %q", says)
	}
	if says := v.chalie("move", "--from", node.URL()); !strings.Contains(says, "done already") {
		t.Errorf("brought back again it says %q", says)
	}
	if says := v.fails(1, "move", "--from", node.URL(), "--log-stream", "another"); !strings.Contains(says, "kept on this machine alone") {
		t.Errorf("brought back from another stream: %s", says)
	}
	if out, err := exec.Command("chalie", "serve", "--addr", "127.0.0.1:0", "--data", elsewhere, "--log", node.URL()).CombinedOutput(); err == nil || !strings.Contains(string(out), "was moved from the stream") {
		t.Errorf("another took over what was moved away: %v %s", err, out)
	}
	v = begun(t, data, alone(data))
	v.ready()
	v.startsWith(before)
	v.stop()
	if says := v.fails(1, "serve", "--addr", "127.0.0.1:0", "--log", node.URL()); !strings.Contains(says, "chalie move --to") {
		t.Errorf("started on a cluster without a move: %s", says)
	}
}

// A second move while one is under way follows that one, and no other.
func TestMoveToTwoPlaces(t *testing.T) {
	t.Parallel()
	clock := sysclock.Clock{}
	goal := Cluster{URL: "esdb://127.0.0.1:9?tls=false", Stream: "one"}
	m := newMoving(&App{cfg: Config{Data: t.TempDir(), Clock: clock, IDs: ulids.New(clock)}}, api.Move{State: api.MoveCopying})
	m.goal = goal
	for req, code := range map[api.MoveRequest]domain.Code{
		{To: goal.URL, Stream: goal.Stream}:                       codeMoving,
		{To: goal.URL, Stream: "two"}:                             "another_move",
		{To: "esdb://127.0.0.2:9?tls=false", Stream: goal.Stream}: "another_move",
	} {
		if err := m.Start(req); domain.CodeOf(err) != code {
			t.Errorf("%+v is answered %v, want %s", req, err, code)
		}
	}
}

// TestMoveOfWhatIsLeft: a log from which records went, or are about to, isn't moved to a cluster, and nothing
// is begun that a start would go on with. Nobody is asked: no cluster is there.
func TestMoveOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	for _, deleted := range []bool{true, false} {
		data := hearing(t, 50)
		retires(t, data, domain.Runs{{From: 5, Through: 40}}, deleted)
		before := exportOf(t, data)
		nowhere := Cluster{URL: "esdb://127.0.0.1:9?tls=false", Stream: "one"}
		_, err := move{data: data, cluster: nowhere, meter: term.NoMeter()}.run(t.Context(), false)
		if domain.CodeOf(err) != pebblelog.CodeSpansRetired || !strings.Contains(err.Error(), "from position 5 on") || !strings.Contains(err.Error(), "chalie backup") {
			t.Errorf("deleted (%t): %v", deleted, err)
		}
		if by, _, _ := underWay(data); by != "" {
			t.Errorf("deleted (%t): the move %s is under way", deleted, by)
		}
		if !bytes.Equal(exportOf(t, data), before) {
			t.Errorf("deleted (%t): the log is another", deleted)
		}
	}
	// So does one that runs.
	data := hearing(t, 50)
	retires(t, data, domain.Runs{{From: 5, Through: 40}}, true)
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	m := newMoving(&App{cfg: Config{Data: data, Clock: sysclock.Clock{}, IDs: ulids.New(sysclock.Clock{})}, log: log, stopping: t.Context()}, api.Move{})
	if err := m.Start(api.MoveRequest{To: "esdb://127.0.0.1:9?tls=false", Stream: "one"}); domain.CodeOf(err) != pebblelog.CodeSpansRetired || m.Status().State != api.MoveNone {
		t.Errorf("running: %v, %+v", err, m.Status())
	}
}

// A move that is broken off goes on to its stream; to another one it is another move, and
// the first stream is named as left.
func TestMoveElsewhereAfterAll(t *testing.T) {
	t.Parallel()
	data, ids := t.TempDir(), ulids.New(sysclock.Clock{})
	first, left, err := moveOf(data, "one", false, ids)
	if err != nil || left != "" {
		t.Fatalf("%q %q, %v", first, left, err)
	}
	if again, left, err := moveOf(data, "one", false, ids); again != first || left != "" || err != nil {
		t.Errorf("the same again is %q, left %q, %v", again, left, err)
	}
	if other, left, err := moveOf(data, "two", false, ids); other == first || left != "one" || err != nil {
		t.Errorf("another is %q, left %q, %v", other, left, err)
	}
}

// movesUnder moves the log while signals come in, and returns those that were acknowledged.
func (v *victim) movesUnder(token, where string, args ...string) (told []string) {
	v.t.Helper()
	before := v.records()
	ctx, cancel := context.WithCancel(v.t.Context())
	var telling sync.WaitGroup
	telling.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			content := fmt.Sprintf("on the way %s, number %d", where, n)
			body := fmt.Sprintf(`{"signal_type":"news","content":%q,"source":"street","activation_energy":0.1}`, content)
			if status, _, err := v.ask("POST", "/api/signals", body, "Authorization: Bearer "+token); err == nil && status == http.StatusAccepted {
				told = append(told, content)
			}
		}
	})
	says := v.chalie(append([]string{"move"}, args...)...)
	v.ready()
	cancel()
	telling.Wait()
	if !strings.Contains(says, "each as it") {
		v.t.Errorf("%s: it says %q", where, says)
	}
	if len(told) == 0 {
		v.t.Errorf("%s: nothing was acknowledged meanwhile", where)
	}
	v.startsWith(before)
	return told
}

// heard wants the log to hold these signals, each once.
func (v *victim) heard(told []string) {
	v.t.Helper()
	count := map[string]int{}
	for _, rec := range v.records() {
		var said struct{ Content string }
		if rec.Envelope.Type == domain.SignalReceivedType && json.Unmarshal(rec.Envelope.Payload.Bytes, &said) == nil {
			count[said.Content]++
		}
	}
	for _, content := range told {
		if count[content] != 1 {
			v.t.Errorf("%q stands there %d times", content, count[content])
		}
	}
}

// alone is a `chalie serve` whose log is on this machine.
func alone(data string) *exec.Cmd {
	cmd := exec.Command("chalie", append(serving(data), "--idle-after", "1h")...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// startsWith wants the log to begin with these records.
func (v *victim) startsWith(before []domain.Record) {
	v.t.Helper()
	after := v.records()
	if len(after) < len(before) || !slices.EqualFunc(before, after[:len(before)], func(a, b domain.Record) bool {
		return a.Position == b.Position && a.Envelope.ID == b.Envelope.ID && a.RecordedAt == b.RecordedAt
	}) {
		v.t.Errorf("%d records became %d, or others", len(before), len(after))
	}
}

// TestMoveBrokenOff: a move that ends at any step goes on when it is run again, and until
// its end the log can be written where it was.
func TestMoveBrokenOff(t *testing.T) {
	t.Parallel()
	node, data := teststore.Start(t, teststore.Config{}), filepath.Join(t.TempDir(), "data")
	if err := os.MkdirAll(imageFolder(data), 0o700); err != nil {
		t.Fatal(err)
	}
	clock := sysclock.Clock{}
	ids := ulids.New(clock)
	var told []domain.ID
	write := func() {
		t.Helper()
		log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var batch domain.Batch
			for range 1000 {
				id := ids.NewID()
				entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "street"), id, id.Millis(), "http",
					domain.SignalReceived{SignalType: "news", Source: "street", Content: "Heavy rain until five", ActivationEnergy: 0.1})
				if err != nil {
					t.Fatal(err)
				}
				batch.Entries, told = append(batch.Entries, entry), append(told, id)
			}
			if _, err := log.Append(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken off")
	at := func(dir, step string) move {
		return move{data: dir, cluster: Cluster{URL: node.URL(), Stream: "moving"}, meter: term.NoMeter(), stopAt: func(now string) error {
			if now == step {
				return broken
			}
			return nil
		}}
	}
	// holds wants a log that nobody has open to hold what was told, once and in order.
	holds := func(dir string) {
		t.Helper()
		log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(dir), Clock: clock, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		var got []domain.ID
		for _, rec := range recordsOf(t, log) {
			if rec.Topic == domain.TopicSignals {
				got = append(got, rec.Envelope.ID)
			}
		}
		if !slices.Equal(got, told) {
			t.Errorf("the log has %d of what was told, want %d, or in another order", len(got), len(told))
		}
	}
	write()
	for _, step := range []string{"compare", "switch"} {
		if _, err := at(data, step).run(t.Context(), false); !errors.Is(err, broken) {
			t.Fatalf("%s: %v", step, err)
		}
		write() // it goes on where it was
		// Nobody takes over what isn't all there yet, or not the cluster's.
		early := exec.Command("chalie", append(serving(filepath.Join(t.TempDir(), "early")), "--log", node.URL(), "--log-stream", "moving")...) //nolint:gosec // it is this program
		if out, err := early.CombinedOutput(); err == nil || !strings.Contains(string(out), "is being moved to the stream moving") {
			t.Errorf("after %s another took over: %v\n%s", step, err, out)
		}
	}
	// Its end is one step. What comes after it is done by the same move again, or a start.
	if _, err := at(data, "stamp").run(t.Context(), false); !errors.Is(err, broken) {
		t.Fatalf("stamp: %v", err)
	}
	if saved, err := savedCluster(data); err != nil || saved.Stream != "moving" {
		t.Fatalf("it is kept in %+v, %v", saved, err)
	}
	done, err := at(data, "").run(t.Context(), false)
	if err != nil || int(done.Records) != len(told) {
		t.Fatalf("moved %+v, %v", done, err)
	}
	holds(data)

	// Another machine has a copy, too.
	other := filepath.Join(t.TempDir(), "other")
	key, err := os.ReadFile(filepath.Join(data, eventstorelog.KeyFile))
	if err == nil {
		err = errors.Join(os.MkdirAll(imageFolder(other), 0o700), os.WriteFile(filepath.Join(other, eventstorelog.KeyFile), key, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := at(other, "part").run(t.Context(), true); !errors.Is(err, broken) {
		t.Fatalf("the other: %v", err)
	}
	holds(other)
	for _, step := range []string{"compare", "part", "switch", "forget"} {
		if _, err := at(data, step).run(t.Context(), true); !errors.Is(err, broken) {
			t.Fatalf("%s: %v", step, err)
		}
		if step == "forget" {
			break // it is this machine's again, once CLUSTER is gone
		}
		if _, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock}); domain.CodeOf(err) != pebblelog.CodeIsCopy {
			t.Errorf("after %s it can be written: %v", step, err)
		}
	}
	// The stream is closed by a move to one machine, which alone ends it.
	if _, err := at(other, "").run(t.Context(), true); domain.CodeOf(err) != eventstorelog.CodeStreamClosed {
		t.Errorf("the other came first: %v", err)
	}
	// A start ends it, too.
	v := begun(t, data, alone(data))
	v.ready()
	if health := v.wants(http.StatusOK, "GET", "/health", ""); strings.Contains(health, `"cluster"`) {
		t.Errorf("it is still on the cluster: %s", health)
	}
	v.stop()
	holds(data)
	write()
	holds(data)

	// A log that isn't the stream's isn't added to it.
	foreign := filepath.Join(t.TempDir(), "foreign")
	data, told = foreign, nil
	write()
	if _, err := at(foreign, "").run(t.Context(), false); domain.CodeOf(err) != eventstorelog.CodeStreamOther && domain.CodeOf(err) != eventstorelog.CodeStreamShort {
		t.Errorf("a foreign log was moved there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := at(foreign, "").run(ctx, false); err == nil {
		t.Error("an interrupted move succeeded")
	}
}

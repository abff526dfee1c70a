package main

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/domain/domaintest"
)

// TestCrashServe kills the whole program at a random moment under load, again
// and again over one data directory. Whatever was answered before the kill must
// be in the log exactly once, and the folds must go on as if nothing had been.
//
// A kill keeps the page cache: what the disk was told to keep is the log's own
// crash tests' to prove.
func TestCrashServe(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t)
	var data, token string
	var known *ledger
	for round := range crashRounds(t) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		if round%5 == 0 { // a fresh folder now and then keeps the rounds short
			data, token, known = filepath.Join(t.TempDir(), "data"), "", newLedger()
		}
		v := startVictim(t, data)
		v.ready()
		if token == "" {
			token = v.issueToken()
		}
		load(v, token, known, round, rng)
		v.end()

		if rng.IntN(2) == 0 { // once more, while it recovers
			startVictim(t, data).end()
		}
		v = startVictim(t, data)
		v.ready()
		repeat(v, token, known)
		known.check(v)
		if rng.IntN(2) == 0 {
			v.stop() // saves the folds: the next ones go on from here
		}
		v.end()
		if t.Failed() {
			t.Fatalf("in round %d of seed %d", round, seed)
		}
	}
}

// crashRounds is how often the program crashes: as often as asked for, up to 50, or 5.
func crashRounds(t *testing.T) int {
	return min(domaintest.Rounds(t, domaintest.CrashRounds, 5), 50)
}

// victim is a `chalie serve` in a process of its own, to be killed.
type victim struct {
	t       *testing.T
	cmd     *exec.Cmd
	api     *apiclient.Client // over the socket
	data    string
	address string
	setup   string // the set-up link; "" when there is an account
	said    domaintest.Buffer
	shot    sync.Once
	drained chan struct{} // closed when its output has ended
}

// startVictim starts the program, with flags that go before the usual ones. It
// listens, and may still be folding.
func startVictim(t *testing.T, data string, flags ...string) *victim {
	t.Helper()
	return startVictimBy(t, data, exec.Command("chalie", slices.Concat(serving(data), keptBy(t, data), flags)...))
}

// serving is what the program is started with.
func serving(data string) []string {
	return []string{"serve", "--signal-rate", "0", "--addr", "127.0.0.1:0", "--data", data, "--json"}
}

// startVictimBy starts the program by a command that becomes it.
func startVictimBy(t *testing.T, data string, cmd *exec.Cmd) *victim {
	t.Helper()
	t.Cleanup(func() { identical(t, data) })
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // or it lingers under the race detector
	return begun(t, data, cmd)
}

// begun starts a command that serves a data directory, and ends it with the test.
func begun(t *testing.T, data string, cmd *exec.Cmd) *victim {
	t.Helper()
	v := &victim{t: t, data: data, cmd: cmd, drained: make(chan struct{})}
	v.cmd.Stderr = &v.said
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.end)
	lines := bufio.NewReader(out)
	line, err := lines.ReadBytes('\n')
	go func() {
		defer close(v.drained)
		_, _ = io.Copy(io.Discard, lines)
	}()
	var w welcomed
	if err == nil {
		err = json.Unmarshal(line, &w)
	}
	if err != nil {
		v.end()
		t.Fatalf("the program did not start: %v\n%s", err, v.said.String())
	}
	v.address, v.setup = w.Address, w.SetupLink
	v.api = apiclient.New(overSocket(t, data), unixsocket.BaseURL)
	return v
}

// ready waits until the folds have caught up.
func (v *victim) ready() {
	v.t.Helper()
	if err := waitReady(v.address); err != nil {
		v.end()
		v.t.Fatalf("%v\n%s", err, v.said.String())
	}
}

// kill is kill -9. It may be called by anyone, and again.
func (v *victim) kill() { v.shot.Do(func() { _ = v.cmd.Process.Kill() }) }

// stop ends the program in order.
func (v *victim) stop() {
	v.t.Helper()
	if err := v.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		v.t.Fatal(err)
	}
	<-v.drained
	if err := v.cmd.Wait(); err != nil {
		v.t.Errorf("stopped with %v\n%s", err, v.said.String())
	}
}

// end kills, and waits until it is dead.
func (v *victim) end() {
	v.kill()
	<-v.drained
	_ = v.cmd.Wait() // how it ended is known, and it may have been waited for
	if v.api != nil {
		v.api.Close()
	}
}

func (v *victim) issueToken() string {
	v.t.Helper()
	issued, err := v.api.IssueToken(v.t.Context(), "sender", nil)
	if err != nil {
		v.t.Fatal(err)
	}
	token, err := issued.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	return token.Token
}

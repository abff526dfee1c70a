package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/eventstorelog/teststore"
	"chalie/domain/domaintest"
)

// TestCrashMove kills the program while its log moves to a cluster, and back. Whatever it
// acknowledged is there when it is started again, without being told where its log is, and
// the move goes on.
func TestCrashMove(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // it is to be repeated
	node, data := teststore.Start(t, teststore.Config{}), filepath.Join(t.TempDir(), "data")
	var told []string
	token := ""
	for round := range min(crashRounds(t), 20) {
		way := []string{"--to", "--from"}[round%2]
		v := begun(t, data, alone(data))
		v.ready()
		if token == "" {
			token = v.issueToken()
		}
		ctx, cancel := context.WithCancel(t.Context())
		var busy sync.WaitGroup
		busy.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				content := fmt.Sprintf("round %d, number %d", round, n)
				body := fmt.Sprintf(`{"signal_type":"news","content":%q,"source":"street","activation_energy":0.1}`, content)
				if status, _, err := v.ask("POST", "/api/signals", body, "Authorization: Bearer "+token); err == nil && status == http.StatusAccepted {
					told = append(told, content)
				}
			}
		})
		moving := exec.CommandContext(t.Context(), "chalie", "move", way, node.URL(), "--data", data) //nolint:gosec // it is this program
		if err := moving.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(rng.IntN(1500)) * time.Millisecond)
		v.kill()
		cancel()
		busy.Wait()
		v.end()
		_ = moving.Process.Kill()
		_ = moving.Wait() // it was killed

		v = begun(t, data, alone(data))
		v.ready()
		v.heard(told)
		health := v.wants(http.StatusOK, "GET", "/health", "")
		if moved := strings.Contains(health, "writes the log") == (way == "--to"); !moved {
			v.chalie("move", way, node.URL())
			v.ready()
			v.heard(told)
		}
		v.stop()
		if t.Failed() {
			t.Fatalf("in round %d of seed %d", round, seed)
		}
	}
}

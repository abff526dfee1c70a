package main

import (
	"flag"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"chalie/adapters/eventstorelog/teststore"
	"chalie/adapters/models"
)

func TestMain(m *testing.M) {
	teststore.Main() // where this process is to be a node of a cluster
	if filepath.Base(os.Args[0]) != "chalie" {
		// What is chosen on this machine isn't the tests' to use.
		_ = os.Unsetenv(models.ModelVariable)
		// Most of a walk through the pages is waiting for the other side.
		if testing.Init(); flag.Set("test.parallel", "4") != nil {
			panic("go test has no -parallel")
		}
	}
	testscript.Main(tests{m}, map[string]func(){"chalie": main, stubbornChalie: mainStubborn, reckoningServer: mainReckoning})
}

// TestScripts runs whole sessions with the real binary. What a script may say
// beside testscript's own commands stands in the files named after the nouns.
func TestScripts(t *testing.T) {
	t.Parallel()
	hearHangUps(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TZ", "UTC")
			// Under the race detector every process would linger for a second.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			// A socket whose path is too long stands in the temporary directory:
			// the scripts' programs and this one must agree on it.
			env.Setenv("TMPDIR", os.TempDir())
			env.Values[serverKey{}] = &server{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": cmdServe, "signal": cmdSignal, "ends": cmdEnds, "hang": cmdHang, "closed": cmdClosed, "up": cmdUp,
			"http": cmdHTTP, "signals": cmdSignals, "program": cmdProgram, "pair": cmdPair,
			"model": cmdModel, "nowhere": cmdNowhere,
			"exits": cmdExits, "capture": cmdCapture, "snapshot": cmdSnapshot, "fits": cmdFits, "damage": cmdDamage,
			"future": cmdFuture, "tear": cmdTear, "flip": cmdFlip,
		},
	})
}

// hearHangUps makes the programs that a test starts take SIGHUP as they do in a
// terminal, also where the tests run detached from one: what a process ignores
// its children ignore, too.
func hearHangUps(t *testing.T) {
	t.Helper()
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
}

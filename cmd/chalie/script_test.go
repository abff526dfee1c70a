package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"chalie": main})
}

// TestScripts runs whole sessions with the real binary. What a script may say
// beside testscript's own commands stands in the files named after the nouns.
func TestScripts(t *testing.T) {
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
			"exits": cmdExits, "capture": cmdCapture, "snapshot": cmdSnapshot, "fits": cmdFits, "damage": cmdDamage,
		},
	})
}

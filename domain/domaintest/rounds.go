package domaintest

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// The environment variables by which long runs are asked for, each a number of rounds.
const (
	CrashRounds  = "CHALIE_CRASH_ROUNDS"  // of kills and power losses
	AttackRounds = "CHALIE_ATTACK_ROUNDS" // of damages, hostile scenes and strangers
	FaultRounds  = "CHALIE_FAULT_ROUNDS"  // of histories over a network that fails
)

// Rounds is how often something is tried that should be tried very often: as often as
// the variable says, or few times when it isn't set.
func Rounds(t testing.TB, variable string, few int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q: give a number of rounds", variable, text)
	}
	return n
}

// Seed is what a test of random rounds begins with. The test prints it, and CHALIE_SEED takes it
// back: with the same number of rounds the same ones are run.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("CHALIE_SEED"); text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("CHALIE_SEED is %q: give the number that a test printed", text)
		}
		seed = given
	}
	t.Logf("seed %d: run it again with CHALIE_SEED=%d", seed, seed)
	return seed
}

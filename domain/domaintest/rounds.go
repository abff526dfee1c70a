package domaintest

import (
	"os"
	"strconv"
	"testing"
)

// The environment variables by which long runs are asked for, each a number of rounds.
const (
	CrashRounds  = "CHALIE_CRASH_ROUNDS"  // of kills and power losses
	AttackRounds = "CHALIE_ATTACK_ROUNDS" // of damages, hostile scenes and strangers
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

package commands_test

import (
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestReadsMind(t *testing.T) {
	for _, r := range commands.Readings() {
		program := commands.TokenCaller(domain.Token{Name: "p", Signals: []string{r.Right}})
		if r.Right == "" {
			program.Signals = nil
		}
		if program.ReadsMind() != r.Mind {
			t.Errorf("a program with %q reads: %t", r.Right, program.ReadsMind())
		}
		program.Issued = false
		if program.ReadsMind() {
			t.Errorf("what wasn't given %q by its person reads", r.Right)
		}
	}
	if !commands.OperatorCaller("api").ReadsMind() || !commands.ConsoleCaller().ReadsMind() {
		t.Error("the person doesn't read")
	}
}

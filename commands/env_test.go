package commands_test

import (
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// nobody is a peer that is never asked.
type nobody struct{ commands.Peer }

func TestWhatIsMissingIsNamed(t *testing.T) {
	type config struct {
		commands.Env
		Peer    commands.Peer
		Look    func()
		Spare   reasoning.Model `optional:"yes"`
		Names   []string
		private *int
	}
	whole := config{Env: commandstest.NewBench(t).Env(), Peer: nobody{}, Look: func() {}, private: new(int)}
	if err := commands.Complete("build", whole); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(*config)
		want   string
	}{
		{func(c *config) { c.Clock = nil }, "Clock is missing"},
		{func(c *config) { c.Logger = nil }, "Logger is missing"},
		{func(c *config) { c.Peer = nil }, "Peer is missing"},
		{func(c *config) { c.Log, c.Look = nil, nil }, "Log, Look are missing"},
	} {
		cfg := whole
		c.change(&cfg)
		err := commands.Complete("build", cfg)
		if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

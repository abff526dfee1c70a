package mcpclient

import (
	"cmp"
	"log/slog"
	"os"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// What a zero field of Config means.
const (
	DefaultStartWithin     = time.Minute
	DefaultAskWithin       = 5 * time.Second
	DefaultCallWithin      = 15 * time.Second
	DefaultMaxMessageBytes = 4 << 20
	DefaultMaxResultBytes  = 448 << 10
	DefaultMessages        = 1000

	firstPause, longestPause = time.Second, time.Minute
	// healthyAfter is how long a session has to last for the pauses to begin anew.
	healthyAfter = time.Minute
	// endsWithin is the time a child has to end by itself when it is told to.
	endsWithin = 2 * time.Second
	// toldEvery bounds how often a server's word that its tools have changed is followed.
	toldEvery = time.Minute
)

// Group is a control group that a child starts in.
type Group interface {
	FD() int       // of its folder
	Kill() error   // ends all that is in it
	Remove() error // once it is empty
}

// Config is what a Client needs. Book, Dir and Logger are required.
type Config struct {
	Book   commands.View[domain.Registry]
	Dir    string // holds the children's folders, and the rights to start them
	Logger *slog.Logger

	// Guard is the command that runs Guard, to which the server's is appended; nil starts
	// no commands.
	Guard []string
	// Groups makes a control group with bounds; nil, and an error, leave them to the guard.
	Groups func(name string, memory int64, processes int) (Group, error)
	// Environ reads a variable; nil is the process's environment.
	Environ func(name string) (string, bool)
	// Changed is told of a server whose tools have changed, at most once a minute for each;
	// nil for nobody.
	Changed func(domain.ID)

	StartWithin time.Duration // of a start with the first questions
	AskWithin   time.Duration // of a question that isn't a call
	CallWithin  time.Duration // of a call without progress; commands.LongestCall with it

	MaxMessageBytes int
	MaxResultBytes  int
	Messages        int // that a server may send in a second, with as many in reserve five times
}

func (c Config) withDefaults() (Config, error) {
	if err := commands.Complete("configure MCP servers", struct {
		Book   commands.View[domain.Registry]
		Logger *slog.Logger
	}{c.Book, c.Logger}); err != nil {
		return c, err
	}
	if c.Dir == "" {
		return c, domain.Invalid("configure MCP servers", "Dir", "Dir is missing: give the folder that the servers' own folders are made in")
	}
	if c.Environ == nil {
		c.Environ = os.LookupEnv
	}
	if c.Changed == nil {
		c.Changed = func(domain.ID) {}
	}
	c.StartWithin = cmp.Or(c.StartWithin, DefaultStartWithin)
	c.AskWithin = cmp.Or(c.AskWithin, DefaultAskWithin)
	c.CallWithin = cmp.Or(c.CallWithin, DefaultCallWithin)
	c.MaxMessageBytes = cmp.Or(c.MaxMessageBytes, DefaultMaxMessageBytes)
	c.MaxResultBytes = cmp.Or(c.MaxResultBytes, DefaultMaxResultBytes)
	c.Messages = cmp.Or(c.Messages, DefaultMessages)
	return c, nil
}

package main

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chalie/adapters/hostzone"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

// programName is how a person would start this program again: advice that
// can't be copied and pasted is no advice.
func programName(arg0 string) string {
	path := filepath.ToSlash(arg0)
	switch {
	case strings.Contains(path, "/go-build"):
		return "go run ./cmd/chalie"
	case strings.Contains(path, "/") && !isOnPath(arg0):
		return quoted(arg0)
	default:
		return filepath.Base(arg0)
	}
}

// isOnPath reports whether the last part of an absolute path is enough for a shell
// to find it.
func isOnPath(arg0 string) bool {
	found, err := exec.LookPath(filepath.Base(arg0))
	return err == nil && filepath.IsAbs(arg0) && filepath.Clean(found) == filepath.Clean(arg0)
}

// cli is what every command knows: the terminal, how the program was started, and the
// flags that all have.
type cli struct {
	*term.Console
	program string // how the person started this program, for advice
	data    string // the data directory
	json    bool   // write JSON
}

// processCLI is that of this process.
func processCLI() *cli {
	return &cli{Console: term.Process(hostzone.Location(time.Local)), program: programName(os.Args[0])}
}

// over is the same for another data directory.
func (c *cli) over(data string) *cli { return &cli{Console: c.Console, program: c.program, data: data} }

// again is a command line of this program, with the data directory when it is
// not the usual one.
func (c *cli) again(args string) string {
	line := c.program + " " + args
	if filepath.Clean(c.data) != filepath.Clean(defaultData) {
		line += " --data " + quoted(c.data)
	}
	return line
}

// advice has the commands that a text names as they are to be typed here.
func (c *cli) advice(text string) string {
	return domain.Advice(text, c.again)
}

// logger writes what a program that runs has to say, to the terminal it was started in.
// An error is its one line: what libraries keep beside it, such as where in their code it
// came up, is of no use there.
func (c *cli) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch v := a.Value.Any().(type) {
		case error:
			a.Value = slog.StringValue(c.advice(v.Error()))
		case string:
			a.Value = slog.StringValue(c.advice(v))
		}
		return a
	}}))
}

// quoted is an argument as a shell takes it.
func quoted(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:=@%,"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// oneLine makes a text from anywhere fit for one line of a terminal.
func oneLine(s string) string { return narrate.OneLine(s) }

// who is the accountable identity, and through whom it spoke.
func who(e domain.Envelope) string {
	principal, source := oneLine(string(e.Principal)), oneLine(string(e.Source))
	if principal == source {
		return principal
	}
	return principal + " via " + source
}

// spelt is a stored name in words.
func spelt(name string) string { return narrate.Spelt(name) }

// span writes how long something took or is ago, in its largest units.
func span(d time.Duration) string { return narrate.Span(d) }

// ago writes an age.
func ago(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return span(d) + " ago"
}

// counted writes a number with its noun.
func counted[N int | uint64 | domain.Position](n N, one, many string) string {
	return narrate.Counted(n, one, many)
}

// grouped writes a number with its thousands apart.
func grouped(n uint64) string { return narrate.Grouped(n) }

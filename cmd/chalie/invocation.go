package main

import (
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"

	"chalie/domain"
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

// again is a command line of this program, with the data directory when it is
// not the usual one.
func again(c *console, o *options, args string) string {
	line := c.program + " " + args
	if filepath.Clean(o.data) != filepath.Clean(defaultData) {
		line += " --data " + quoted(o.data)
	}
	return line
}

// advice has the commands that a text names as they are to be typed here.
func advice(c *console, o *options, text string) string {
	return domain.Advice(text, func(args string) string { return again(c, o, args) })
}

// logger writes what a program that runs has to say, to the terminal it was started in.
// An error is its one line: what libraries keep beside it, such as where in their code it
// came up, is of no use there.
func logger(c *console, o *options, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch v := a.Value.Any().(type) {
		case error:
			a.Value = slog.StringValue(advice(c, o, v.Error()))
		case string:
			a.Value = slog.StringValue(advice(c, o, v))
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

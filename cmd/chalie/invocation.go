package main

import (
	"os/exec"
	"path/filepath"
	"strings"
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

// quoted is an argument as a shell takes it.
func quoted(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:=@%,"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

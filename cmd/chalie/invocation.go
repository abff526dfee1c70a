package main

import (
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
	case strings.Contains(path, "/") && !filepath.IsAbs(arg0):
		return arg0
	default:
		return "chalie"
	}
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

// Command chalie is one person's cognitive router: `chalie serve` runs it, the
// other subcommands read what it knows.
//
// This package wires the parts together and nothing else. main reads the
// process (arguments, environment, terminal) into a console and hands it to
// run, which tests call the same way. App is the running program, for serve and
// for end-to-end tests. Every reading subcommand is a question to the operator
// API: the running program answers it over its Unix socket, or, when none runs,
// the same handler over the data directory opened read-only. See connect.
//
// # Exit codes
//
//	0  done
//	1  it failed, or damage was found
//	2  the command was not understood
//	3  a tool was called, and nobody knows what came of it
//	130  ended by a second Ctrl-C, or by one while it waited for an answer
//
// # Tests
//
// testdata/script holds whole sessions with the real binary; story_test.go runs
// an App in this process with a clock of its own.
package main

import (
	"os"
)

func main() { os.Exit(run(processCLI(), os.Args[1:])) }

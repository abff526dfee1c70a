// Command chalie is one person's cognitive router: `chalie serve` runs it, the
// other subcommands read what it knows.
//
// This package wires the parts together and is the command line. main reads the
// process (arguments, environment, terminal) into a cli and hands it to run, which
// tests call the same way. App is the running program, for serve and for end-to-end
// tests.
//
// A noun of the command line is one file with its verbs, and root.go lists them all.
// Every reading subcommand is a question to the operator API: the running program
// answers it over its Unix socket, or, when none runs, the same handler over the data
// directory opened read-only. connect.go has the ways to ask, show and showAll write
// what was answered as JSON or in words, and a noun adds only its question and its
// words. What a terminal needs is in internal/term, and the demo in internal/demo.
//
// # Exit codes
//
//	0  done
//	1  it failed, or damage was found
//	2  the command was not understood
//	3  a tool was called, and nobody knows what came of it
//	4  the log holds what this build can't read
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

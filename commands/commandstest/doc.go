// Package commandstest is what tests of commands work on: a Bench over a log in memory with
// failures on order, a Workshop where tools are asked for, a Counter where they wait for the
// person, and a Stage where a model answers. Only tests import it.
package commandstest

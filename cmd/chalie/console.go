package main

import (
	"encoding/json"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"
)

// console is what a command may know of the process around it.
type console struct {
	in       io.Reader
	out, err io.Writer
	program  string // how the person started this program, for advice
	width    int    // columns of out
	uncut    bool   // tables are as wide as they want: what reads out has no lines to keep to
	live     bool   // out is a terminal: lines may be drawn over
	liveErr  bool   // err is one
	colour   bool
	zone     *time.Location // of every time that is shown or has no zone of its own
}

// defaultWidth serves where nobody said how wide the output may be.
const defaultWidth = 120

// Output narrower or wider than these is hard to read.
const (
	minWidth  = 60
	narrow    = 100 // below it times have no year, and titles are short
	narrowest = 80  // below it tables leave out what they can
	maxWidth  = 200
)

func processConsole() *console {
	c := &console{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, program: programName(os.Args[0]),
		width: defaultWidth, zone: personsZone(time.Local),
		live: term.IsTerminal(int(os.Stdout.Fd())), liveErr: term.IsTerminal(int(os.Stderr.Fd())),
	}
	c.uncut = !c.live
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		c.width, c.uncut = columns, false
	}
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && columns > 0 {
		c.width = columns
	}
	c.width = max(minWidth, min(maxWidth, c.width))
	// The convention of no-color.org: set to anything but nothing.
	c.colour = c.live && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return c
}

// json writes one value as one line. Of what came as text it is that text, but
// that nothing in it is unseen.
func (c *console) json(value any) error {
	enc := json.NewEncoder(&escaping{out: c.out})
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}

package term

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"

	"chalie/replay/narrate"
)

// Console is a terminal, or what stands in its place.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Width    int  // columns of Out
	Uncut    bool // tables are as wide as they want: what reads Out has no lines to keep to
	Live     bool // Out is a terminal: lines may be drawn over
	LiveErr  bool // Err is one
	Colour   bool
	Zone     *time.Location // of every time that is shown or has no zone of its own
}

// DefaultWidth serves where nobody said how wide the output may be.
const DefaultWidth = 120

// Output narrower or wider than these is hard to read.
const (
	minWidth  = 60
	narrow    = 100 // below it times have no year, and titles are short
	narrowest = 80  // below it times have no seconds
	maxWidth  = 200
)

// Process is the console of this process, for a person in a zone.
func Process(zone *time.Location) *Console {
	c := &Console{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Width: DefaultWidth, Zone: zone,
		Live: term.IsTerminal(int(os.Stdout.Fd())), LiveErr: term.IsTerminal(int(os.Stderr.Fd())),
	}
	c.Uncut = !c.Live
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		c.Width, c.Uncut = columns, false
	}
	if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && columns > 0 {
		c.Width = columns
	}
	c.Width = max(minWidth, min(maxWidth, c.Width))
	// The convention of no-color.org: set to anything but nothing.
	c.Colour = c.Live && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return c
}

// JSON writes one value as one line. Of what came as text it is that text, but
// that nothing in it is unseen.
func (c *Console) JSON(value any) error {
	enc := json.NewEncoder(Escaping(c.Out))
	enc.SetEscapeHTML(false)
	return enc.Encode(value)
}

// Complain writes one line to standard error. When that is gone there is nobody
// left to tell.
func (c *Console) Complain(text string) {
	_, _ = fmt.Fprintf(c.Err, "chalie: %s\n", narrate.OneLine(text))
}

// Printf writes to standard output, as fmt.Fprintf does.
func (c *Console) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(c.Out, format, args...)
	return err
}

// Println writes a line to standard output, as fmt.Fprintln does.
func (c *Console) Println(line ...any) error {
	_, err := fmt.Fprintln(c.Out, line...)
	return err
}

// Fitting is the longer of two words where there is room for it.
func (c *Console) Fitting(long, short string) string {
	if c.Width < narrow {
		return short
	}
	return long
}

// Narrow reports whether there is room for the shortest only.
func (c *Console) Narrow() bool { return c.Width < narrowest }

// Style is how a text stands out on a terminal that has colours.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "1"
	Faint  Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
)

// Paint writes a text in a style, if the terminal has any.
func (c *Console) Paint(s Style, text string) string {
	if !c.Colour || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

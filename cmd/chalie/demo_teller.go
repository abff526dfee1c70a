package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"chalie/cmd/chalie/internal/term"
)

// teller writes the demo's steps: lines that a person can follow, or JSON.
type teller struct {
	console *cli
	kept    bool
	pause   pausing
	hurried bool // the pauses are none

	act      string
	step     int
	drawn    bool   // the last step had something drawn under it
	password string // of the account, for who keeps it

	remove atomic.Pointer[func() error] // of the data, once there is some
}

// told is a step as --json writes it.
type told struct {
	Step   int    `json:"step"`
	Act    string `json:"act"`
	Who    string `json:"who"`
	Text   string `json:"text"`
	Detail any    `json:"detail,omitempty"` // what the API answered, or sent
}

// How the lines of a step stand, and how long they are there before the next.
const (
	whoWidth  = 12
	textWidth = 100 // longer lines are hard to follow
	perStep   = 300 * time.Millisecond
	perWord   = 85 * time.Millisecond
	perRow    = 200 * time.Millisecond // of a table
)

// begin opens an act.
func (t *teller) begin(act string) error {
	t.act, t.drawn = act, false
	if t.console.json {
		return nil
	}
	_, err := fmt.Fprintf(t.console.Out, "\n%s\n", t.console.Paint(term.Bold, act))
	return err
}

// say tells a step.
func (t *teller) say(ctx context.Context, who, text string, detail any) error {
	return t.show(ctx, who, text, detail, nil)
}

// show tells a step with something drawn under it; detail is that for --json.
func (t *teller) show(ctx context.Context, who, text string, detail any, draw func(*cli) error) error {
	t.step++
	if t.console.json {
		if err := t.console.JSON(told{t.step, t.act, who, text, detail}); err != nil {
			return err
		}
		return t.pause(ctx, 0)
	}
	if err := t.write(who, text); err != nil {
		return err
	}
	reading := perStep + time.Duration(len(strings.Fields(text)))*perWord
	if draw != nil {
		rows, err := t.draw(draw)
		if err != nil {
			return err
		}
		reading += time.Duration(rows) * perRow
	}
	return t.pause(ctx, reading)
}

// write puts who before the text, and the text's lines under each other.
func (t *teller) write(who, text string) error {
	c := t.console
	if t.drawn {
		t.drawn = false
		if _, err := fmt.Fprintln(c.Out); err != nil {
			return err
		}
	}
	for i, line := range term.Wrap(oneLine(text), min(c.Width, textWidth)-whoWidth-2) {
		first := ""
		if i == 0 {
			first = who
		}
		padding := strings.Repeat(" ", max(1, whoWidth-term.Columns(first)))
		if _, err := fmt.Fprintf(c.Out, "  %s%s%s\n", c.Paint(term.Green, first), padding, line); err != nil {
			return err
		}
	}
	return nil
}

// draw sets what is drawn in from the margin, and returns how many lines it has.
func (t *teller) draw(draw func(*cli) error) (rows int, err error) {
	var drawn bytes.Buffer
	narrower := *t.console.Console
	narrower.Out, narrower.Width = &drawn, t.console.Width-4
	if err := draw(&cli{Console: &narrower}); err != nil {
		return 0, err
	}
	var text strings.Builder
	text.WriteByte('\n')
	for line := range strings.Lines(drawn.String()) {
		rows++
		if strings.TrimSpace(line) != "" {
			text.WriteString("    ")
		}
		text.WriteString(line)
	}
	t.drawn = true
	_, err = io.WriteString(t.console.Out, text.String())
	return rows, err
}

// whatStays is where the data that is kept is, how to get in, and what it lacks.
func (t *teller) whatStays(what string) string {
	text := fmt.Sprintf("%s stands in %s.", what, t.console.data)
	if t.password != "" {
		text += fmt.Sprintf(" The account is %s, with the password %s.", demoName, t.password)
	}
	return text + " The restaurant, the hospital and the exchange ran only for the demo: their interfaces are offline now, and their streams wait."
}

// brokenOff says what stays of a demo that was not told to its end, on standard
// error: its output may be gone.
func (t *teller) brokenOff() error {
	if t.kept {
		t.console.Complain(t.whatStays("What was done until now"))
	}
	return nil
}

// farewell says how to look at more.
func (t *teller) farewell() error {
	c := t.console
	text := "All of it is removed. To keep one and look at more, or to begin your own:"
	next := []string{c.program + " demo --keep demo-data", c.program + " serve"}
	var detail any
	if t.kept {
		text = t.whatStays("All of it") + " To look more, and to go on with it:"
		next = []string{c.again("log"), c.again("trace list"), c.again("world"), c.again("serve")}
		detail = map[string]string{"data": c.data, "username": demoName, "password": t.password}
	}
	if c.json {
		t.step++
		return c.JSON(told{t.step, "The end", "Demo", text + " " + strings.Join(next, "; "), detail})
	}
	_, err := fmt.Fprintf(c.Out, "\n%s\n\n  %s\n", strings.Join(term.Wrap(oneLine(text), min(c.Width, textWidth)), "\n"), strings.Join(next, "\n  "))
	return err
}

package demo

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/replay/narrate"
)

// told is what a step has to say.
type told struct {
	text   string
	detail any                       // what the API answered, or sent
	draw   func(*term.Console) error // what stands under the text
}

// line is a step as JSON.
type line struct {
	Step   int    `json:"step"`
	Act    string `json:"act"`
	Who    string `json:"who"`
	Text   string `json:"text"`
	Detail any    `json:"detail,omitempty"`
}

// How the lines of a step stand, and how long they are there before the next.
const (
	whoWidth  = 12
	textWidth = 100 // longer lines are hard to follow
	perStep   = 300 * time.Millisecond
	perWord   = 85 * time.Millisecond
	perRow    = 200 * time.Millisecond // of what is drawn
)

// teller writes the steps: lines that a person can follow, or JSON.
type teller struct {
	*Demo
	console  term.Console
	password string // of the account, for who keeps it

	act   string
	step  int
	drawn bool // the last step had something drawn under it
}

func (d *Demo) teller() *teller {
	t := &teller{Demo: d, console: *d.Console}
	t.console.Out, t.console.Uncut = audience{d.Console.Out}, false // a story has lines
	return t
}

// pause leaves time to read.
func (t *teller) pause(ctx context.Context, d time.Duration) error {
	if t.Pause != nil {
		return t.Pause(ctx, d)
	}
	if !t.Hurried {
		commands.Sleep(ctx, d)
	}
	return ctx.Err()
}

// begin opens an act.
func (t *teller) begin(act string) error {
	t.act, t.drawn = act, false
	if t.JSON {
		return nil
	}
	return t.console.Printf("\n%s\n", t.console.Paint(term.Bold, act))
}

// show tells a step, and leaves time to read it.
func (t *teller) show(ctx context.Context, who string, what told) error {
	if t.JSON {
		if err := t.json(who, what.text, what.detail); err != nil {
			return err
		}
		return t.pause(ctx, 0)
	}
	if t.drawn {
		if err := t.console.Println(); err != nil {
			return err
		}
	}
	t.drawn = what.draw != nil
	for i, line := range term.Wrap(narrate.OneLine(what.text), min(t.console.Width, textWidth)-whoWidth-2) {
		if i > 0 {
			who = ""
		}
		if err := t.console.Printf("  %s%s%s\n", t.console.Paint(term.Green, who), strings.Repeat(" ", max(1, whoWidth-term.Columns(who))), line); err != nil {
			return err
		}
	}
	reading := perStep + time.Duration(len(strings.Fields(what.text)))*perWord
	if what.draw != nil {
		rows, err := t.draw(what.draw)
		if err != nil {
			return err
		}
		reading += time.Duration(rows) * perRow
	}
	return t.pause(ctx, reading)
}

func (t *teller) json(who, text string, detail any) error {
	t.step++
	return t.console.JSON(line{t.step, t.act, who, text, detail})
}

// draw sets what is drawn in from the margin, and returns how many lines it has.
func (t *teller) draw(draw func(*term.Console) error) (rows int, err error) {
	var drawn bytes.Buffer
	narrower := t.console
	narrower.Out, narrower.Width = &drawn, t.console.Width-4
	if err := draw(&narrower); err != nil {
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
	return rows, t.console.Printf("%s", text.String())
}

// sentences are drawn below a step, no wider than a step is.
func sentences(all ...string) func(*term.Console) error {
	return func(c *term.Console) error {
		narrower := *c
		narrower.Width = min(c.Width, textWidth-4)
		return narrower.Sentences(all)
	}
}

// whatStays is where the data that is kept is, how to get in, and what it lacks.
func (t *teller) whatStays(what string) string {
	text := fmt.Sprintf("%s stands in %s.", what, t.data)
	if t.password != "" {
		text += fmt.Sprintf(" The account is %s, with the password %s.", accountName, t.password)
	}
	return text + " The restaurant, the hospital and the exchange ran only for the demo: their interfaces are offline now, and their streams wait."
}

// farewell says how to look at more.
func (t *teller) farewell() error {
	text := "All of it is removed. To keep one and look at more, or to begin your own:"
	next := []string{t.Command("", "demo --keep demo-data"), t.Command("", "serve")}
	var detail any
	if t.Keep != "" {
		text = t.whatStays("All of it") + " To look more, and to go on with it:"
		next = nil
		for _, args := range []string{"log", "trace list", "world", "serve"} {
			next = append(next, t.Command(t.data, args))
		}
		detail = map[string]string{"data": t.data, "username": accountName, "password": t.password}
	}
	if t.JSON {
		t.act = "The end"
		return t.json("Demo", text+" "+strings.Join(next, "; "), detail)
	}
	return t.console.Printf("\n%s\n\n  %s\n", strings.Join(term.Wrap(narrate.OneLine(text), min(t.console.Width, textWidth)), "\n"), strings.Join(next, "\n  "))
}

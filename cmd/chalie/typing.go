package main

import (
	"slices"
	"strings"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// typing shows an answer on a terminal while it is made. Its lines are those that the whole
// answer has in the end, so that nothing is shown twice: the last one is drawn over until it
// is whole.
type typing struct {
	*cli
	step  int    // of the part that came last
	text  string // of the answer so far
	lines []string
	drawn string // the last line, which may grow
}

// begun reports whether something of the answer stands on the terminal.
func (t *typing) begun() bool { return len(t.lines) > 0 || t.drawn != "" }

// part shows what was added to an answer, or that all of it doesn't count.
func (t *typing) part(p domain.ModelStreamed) error {
	if !t.Live || t.json {
		return nil
	}
	if p.Withdrawn != "" {
		return t.takeBack(p.Withdrawn)
	}
	if p.Step != t.step {
		if err := t.leave(); err != nil {
			return err
		}
	}
	t.step = p.Step
	for _, e := range p.Events {
		if e.Type == domain.StreamText {
			t.text += e.Delta
		}
	}
	return t.draw(t.Lines(domain.TextBlock(t.text, domain.FormatMarkdown)), false)
}

// draw shows lines of which the first are there already. whole says that the last is, too.
func (t *typing) draw(all []string, whole bool) error {
	grown := all[min(len(t.lines), len(all)):]
	for i, line := range grown {
		if i < len(grown)-1 || whole {
			t.lines, t.drawn = append(t.lines, line), ""
			line += "\n"
		} else {
			t.drawn = line
		}
		if err := t.Printf("\r\x1b[K%s", line); err != nil {
			return err
		}
	}
	return nil
}

// leave ends the lines: what comes next begins its own.
func (t *typing) leave() error {
	var err error
	if t.drawn != "" {
		err = t.Println()
	}
	t.text, t.lines, t.drawn = "", nil, ""
	return err
}

// takeBack says that what was shown doesn't count.
func (t *typing) takeBack(why string) error {
	if !t.begun() {
		return nil
	}
	if err := t.leave(); err != nil {
		return err
	}
	return t.Printf("%s\n\n", t.Paint(term.Faint, "That doesn't count: "+oneLine(why)+"."))
}

// end shows the answer, or of one that was shown as it was made what is missing: a warning
// that stands above it comes below it then.
func (t *typing) end(blocks []domain.Block) error {
	if !t.begun() {
		return t.Blocks(blocks)
	}
	at := slices.IndexFunc(blocks, t.shows)
	if at < 0 { // it is another answer than the one that was being made
		if err := t.leave(); err != nil {
			return err
		}
		if err := t.Println(); err != nil {
			return err
		}
		return t.Blocks(blocks)
	}
	if err := t.draw(t.Lines(blocks[at]), true); err != nil {
		return err
	}
	rest := slices.Delete(slices.Clone(blocks), at, at+1)
	if len(rest) == 0 {
		return nil
	}
	if err := t.Println(); err != nil {
		return err
	}
	return t.Blocks(rest)
}

// shows reports whether what was shown is the beginning of a block.
func (t *typing) shows(b domain.Block) bool {
	all, n := t.Lines(b), len(t.lines)
	return n <= len(all) && slices.Equal(all[:n], t.lines) && (t.drawn == "" || n < len(all) && strings.HasPrefix(all[n], t.drawn))
}

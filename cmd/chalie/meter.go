package main

import (
	"fmt"
	"io"
	"strings"

	"chalie/domain"
)

// meter draws how far long work is: a bar on a terminal, on standard error so
// that the result can be piped, and nothing elsewhere.
type meter struct{ out io.Writer }

// meterWidth is how many columns a full bar takes.
const meterWidth = 30

func (c *console) meter() meter {
	if !c.liveErr {
		return meter{io.Discard}
	}
	return meter{c.err}
}

// draw shows done of total positions, at a rate in records a second, 0 when
// that is not known.
func (m meter) draw(done, total domain.Position, rate int64) {
	full := 0
	if total > 0 {
		full = int(min(meterWidth, uint64(done)*meterWidth/uint64(total)))
	}
	pace := ""
	if rate > 0 && total > done {
		pace = fmt.Sprintf(", %s/s, %s s left", grouped(uint64(rate)), grouped(uint64(total-done)/uint64(rate)+1))
	}
	// A meter that can't be drawn is no reason to end the work.
	_, _ = fmt.Fprintf(m.out, "\r\x1b[K%s%s %s of %s%s", strings.Repeat("█", full), strings.Repeat("░", meterWidth-full),
		grouped(uint64(done)), grouped(uint64(total)), pace)
}

// clear takes the meter away.
func (m meter) clear() { _, _ = fmt.Fprint(m.out, "\r\x1b[K") }

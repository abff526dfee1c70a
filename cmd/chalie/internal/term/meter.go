package term

import (
	"fmt"
	"io"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Meter draws how far long work is: a bar on a terminal, on standard error so
// that the result can be piped, and nothing elsewhere.
type Meter struct {
	out  io.Writer
	what string // is done, before the bar
}

// NoMeter draws nothing.
func NoMeter() Meter { return Meter{out: io.Discard} }

// Of is a meter that names what is done: copying.
func (m Meter) Of(what string) Meter {
	m.what = what + " "
	return m
}

// meterWidth is how many columns a full bar takes.
const meterWidth = 30

// Meter is one on standard error.
func (c *Console) Meter() Meter {
	if !c.LiveErr {
		return NoMeter()
	}
	return Meter{out: c.Err}
}

// Draw shows done of total positions, at a rate in records a second, 0 when
// that is not known.
func (m Meter) Draw(done, total domain.Position, rate int64) {
	full := 0
	if total > 0 {
		full = int(min(meterWidth, uint64(done)*meterWidth/uint64(total)))
	}
	pace := ""
	if rate > 0 && total > done {
		pace = fmt.Sprintf(", %s/s, %s s left", narrate.Grouped(uint64(rate)), narrate.Grouped(uint64(total-done)/uint64(rate)+1))
	}
	// A meter that can't be drawn is no reason to end the work.
	_, _ = fmt.Fprintf(m.out, "\r\x1b[K%s%s%s %s of %s%s", m.what, strings.Repeat("█", full), strings.Repeat("░", meterWidth-full),
		narrate.Grouped(uint64(done)), narrate.Grouped(uint64(total)), pace)
}

// drawEvery is how often a meter moves.
const drawEvery = 200 * time.Millisecond

// Pace draws how far work is that begins now, with its rate, and no more often than
// people can see.
func (m Meter) Pace() func(done, total domain.Position) {
	began, drawn := time.Now(), time.Now()
	return func(done, total domain.Position) {
		if now := time.Now(); now.Sub(drawn) >= drawEvery {
			drawn = now
			m.Draw(done, total, int64(float64(done)/now.Sub(began).Seconds()))
		}
	}
}

// Clear takes the meter away.
func (m Meter) Clear() { _, _ = fmt.Fprint(m.out, "\r\x1b[K") }

package streams

import "time"

// pace spreads signals over time, so that a flood leaves the machine's other
// work some room. A second in which little came is not made up for later.
type pace struct {
	perSecond int       // negative for no limit
	until     time.Time // what was taken so far fills the time until then
}

// take notes signals that begin to be taken in, and tells until when the next
// ones have to wait.
func (p *pace) take(n int, now time.Time) time.Time {
	if p.perSecond < 0 {
		return now
	}
	if p.until.Before(now) {
		p.until = now
	}
	p.until = p.until.Add(time.Duration(n) * time.Second / time.Duration(p.perSecond))
	return p.until
}

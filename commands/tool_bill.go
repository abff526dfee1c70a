package commands

import "chalie/domain"

// endRoom is reserved for a call's steps and its end before anything is recorded, so
// that what came of it can always be told: an end without an answer takes less.
const endRoom = 8 << 10

// bill is what of its caller's Volume an invocation has. A nil bill has no bound.
type bill struct {
	tools    *Tools
	who      domain.Principal
	reserved int
}

// bill opens one for a caller. It has to be closed.
func (t *Tools) bill(c Caller) *bill {
	if t.cfg.Volume == nil {
		return nil
	}
	return &bill{tools: t, who: c.Principal}
}

// reserve takes so many bytes more, or refuses them.
func (b *bill) reserve(bytes int) error {
	if b == nil || bytes == 0 {
		return nil
	}
	err := b.tools.cfg.Volume.bytes.reserveBytes("invoke tool", b.who, bytes, b.tools.cfg.Now())
	if err == nil {
		b.reserved += bytes
	}
	return err
}

// spend counts what was recorded.
func (b *bill) spend(bytes int) {
	if b == nil {
		return
	}
	from, now := min(bytes, b.reserved), b.tools.cfg.Now()
	b.reserved -= from
	b.tools.cfg.Volume.bytes.settle(b.who, from, now)
	b.tools.cfg.Volume.bytes.overdraw(b.who, bytes-from, now)
}

// close gives back what wasn't spent.
func (b *bill) close() {
	if b == nil {
		return
	}
	b.tools.cfg.Volume.bytes.release(b.who, b.reserved)
	b.reserved = 0
}

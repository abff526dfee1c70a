package wsapi

import "chalie/domain"

// load returns the bytes to write next, in whole frames; none when nothing is due. The
// lock is held. The bytes are valid until the next load into b.
func (c *client) load(b *burst) []byte {
	if c.said && !c.ended {
		c.hangUp()
	}
	if c.ended {
		return nil
	}
	buf := b.buf[:0]
	if c.pong != nil {
		buf, c.pong = append(buf, c.pong...), nil
	}
	if c.pinging {
		buf, c.pinging = append(buf, c.hub.pings...), false
	}
	if c.closing {
		buf = c.loadNotes(buf)
		buf, c.said = append(buf, c.farewell...), true
		b.buf = buf
		return buf
	}
	if one := c.loadOne(buf); one != nil {
		return one
	}
	buf, caughtUp := c.loadFrames(buf)
	if caughtUp {
		buf = c.loadNotes(buf)
	}
	b.buf = buf
	return buf
}

// loadOne returns the frame that is due when nothing else is, which is nearly always so.
// Its bytes are the ring's own.
func (c *client) loadOne(buf []byte) []byte {
	r := c.hub.ring.Load()
	if c.opening || r == nil || c.crossing != nil || len(buf) > 0 || len(c.notes) > 0 || c.cursor < r.dropped {
		return nil
	}
	due := r.after(c.cursor)
	if len(due) != 1 {
		return nil
	}
	c.sent(due[0].seq)
	return due[0].wire
}

// loadFrames appends frames that are due, and reports whether these were all.
func (c *client) loadFrames(buf []byte) (out []byte, caughtUp bool) {
	r := c.hub.ring.Load()
	if r == nil {
		return buf, !c.resumed
	}
	if c.opening {
		return buf, true
	}
	if c.crossing != nil {
		buf, c.crossing = append(buf, textFrame(c.crossing)...), nil
	}
	if c.cursor < r.dropped {
		buf = append(buf, textFrame(c.hub.cfg.Speaks.Gap(c.cursor+1, r.dropped))...)
		c.sent(r.dropped)
	}
	c.resumed = false
	for _, f := range r.after(c.cursor) {
		if len(buf) >= burstBytes && f.seq.Position() != c.cursor.Position() {
			return buf, false
		}
		buf = append(buf, f.wire...)
		c.sent(f.seq)
	}
	return buf, true
}

// loadNotes appends the refusals, and what is sent to this client alone. They come after all
// frames that are due; otherwise a client that resumes from a refusal's number would miss some.
func (c *client) loadNotes(buf []byte) []byte {
	for _, n := range c.notes {
		if n.text == nil {
			n.text = c.hub.cfg.Speaks.Refusal(c.aside(), n.refusal, false)
		}
		buf = append(buf, textFrame(n.text)...)
	}
	c.notes = nil
	c.wake()
	return buf
}

func (c *client) sent(seq domain.Seq) { c.cursor, c.shown = seq, seq }

// aside is the number of a frame for this client only, which comes from no record: one in
// the upper half of the range of the record sent last. It is greater than all numbers
// sent and less than all to come, so a client that resumes from it misses nothing. When
// the range is used up, or frames of this record are still to come, it repeats the number
// sent last. The lock is held.
func (c *client) aside() domain.Seq {
	room := c.cursor.Position()
	if c.unfinished() {
		c.shown = max(c.shown, c.cursor)
		return c.shown
	}
	c.shown = min(max(c.shown+1, domain.SeqOf(room, asideFrom)), domain.EndOf(room))
	return c.shown
}

// unfinished reports whether the record sent last may have more frames.
func (c *client) unfinished() bool {
	if c.cursor >= domain.SeqOf(c.cursor.Position(), asideFrom) {
		return false
	}
	r := c.hub.ring.Load()
	if r == nil || c.cursor < r.dropped || c.cursor > r.last() {
		return true
	}
	next := r.after(c.cursor)
	return len(next) > 0 && next[0].seq.Position() == c.cursor.Position()
}

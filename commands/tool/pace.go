package tool

import "chalie/domain"

// aMoment is how long a call takes, in milliseconds, before people wonder what goes on.
const aMoment = 1000

// IsSlow reports whether a tool is known to take a moment: its last call of this process did. Of one
// that wasn't called yet nothing is known.
func (t *Tools) IsSlow(o domain.Offer) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.slow[o.CapabilityID()]
}

// pace notes how long a call took, in milliseconds.
func (t *Tools) pace(o domain.Offer, took int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if took < aMoment {
		delete(t.slow, o.CapabilityID())
		return
	}
	const most = 10_000 // slow ones at once, of programs that come and go
	if len(t.slow) == most {
		clear(t.slow)
	}
	t.slow[o.CapabilityID()] = true
}

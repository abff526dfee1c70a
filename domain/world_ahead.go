package domain

import "time"

// turnWithin bounds how far ahead Turns looks: what stays that long in mind stays.
const turnWithin = 10 * 365 * 24 * time.Hour

// Ahead is what a candidate weighs at a later moment, and whether it has expired by
// then, when nothing else happens than what is planned: a reminder is told when it is
// due, and a task is left as it is.
func (r WorldRules) Ahead(c Candidate, at Millis) (PPM, bool) {
	if c.Kind == ItemReminder && c.Phase == PhasePending && at >= c.Moment {
		c.Phase = PhaseDone
	}
	return r.Salience(c, at)
}

// Turns is the first moment after now at which a candidate falls out of mind by
// itself, or, when it is out, comes into it; false when neither is to be expected.
// That others may matter more doesn't count.
func (r WorldRules) Turns(c Candidate, now Millis) (Millis, bool) {
	in := func(at Millis) bool {
		salience, expired := r.Ahead(c, at)
		return !expired && salience >= r.Threshold
	}
	was, end := in(now), now.Add(turnWithin)
	if !was { // then only what is planned for later comes to mind
		end = max(now, c.Moment)
	}
	if in(end) == was {
		return 0, false
	}
	for end-now > 1 { // it turns between the two
		if middle := now + (end-now)/2; in(middle) == was {
			now = middle
		} else {
			end = middle
		}
	}
	return end, true
}

package relate

// rivals takes from the pairs of one signal what fits another commitment better.
// A signal mostly bears on one thing: of two commitments that name a street, one
// of them with the baker it is about, it bears on that one.
func rivals(pairs []pair) {
	for i := range pairs {
		p := &pairs[i]
		if p.Score < Unsure {
			continue
		}
		for j := range pairs {
			if pairs[j].beats(p) {
				p.add(ByRival, "", -p.Score*rivalTakes/100)
				p.settle()
				break
			}
		}
	}
}

// beats tells whether p fits its signal better than other does: it shares all that
// the other shares, and more of it, or it is ahead with things of its own.
func (p *pair) beats(other *pair) bool {
	lead := rivalLeads
	if len(other.telling) == 0 {
		lead = weakLeads
	}
	hasMore, leads := p.tied >= other.tied+rivalHas, p.fit >= other.fit+lead
	return (hasMore || leads) && !subset(p.shared, other.shared) &&
		(hasMore && subset(other.shared, p.shared) || leads && subset(other.telling, p.shared))
}

// subset tells whether all of a is in b; both are in order.
func subset(a, b []int32) bool {
	for _, one := range a {
		for len(b) > 0 && b[0] < one {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != one {
			return false
		}
	}
	return true
}

package domain

import "cmp"

// compare orders commitments by when they are due, those without a time last.
func (c Commitment) compare(o Commitment) int {
	return cmp.Or(-cmp.Compare(min(c.Due, 1), min(o.Due, 1)), cmp.Compare(c.Due, o.Due), cmp.Compare(c.Position, o.Position))
}

// Candidates are the commitments that compete for the reasoning context at a
// moment: all that are open, and those that were told or done lately. What was
// dropped or cancelled is out at once. What was told or done at a moment that lies
// ahead has been since the setbacks say. The order is no matter.
func (c *Commitments) Candidates(rules WorldRules, setbacks *Setbacks, now Millis) []Candidate {
	out := make([]Candidate, 0, len(c.Open)+len(c.Ended))
	for _, one := range c.Open {
		out = append(out, one.candidate(rules, setbacks, now))
	}
	for _, one := range c.Ended {
		if one.Standing != StandingDropped {
			out = append(out, one.candidate(rules, setbacks, now))
		}
	}
	return out
}

func (c Commitment) candidate(rules WorldRules, setbacks *Setbacks, now Millis) Candidate {
	out := Candidate{Kind: c.Kind, EnvelopeID: c.ID, TextID: c.TextID, Position: c.Position, RecordedAt: c.RecordedAt, Phase: PhaseOpen}
	if c.TextID == c.ID {
		out.TextID = ID{}
	}
	switch {
	case c.Ended != 0:
		out.Phase, out.Moment = PhaseDone, setbacks.Since(c.EndedBy, c.Ended, now)
		return out
	case c.Due == 0:
		return out
	}
	out.Phase, out.Moment = PhasePending, c.Due
	if !c.Recurs || c.Told == 0 {
		return out
	}
	// One that comes back is in mind for the nearer of the time it was told and the
	// time it will be.
	told := out
	told.Phase, told.Moment = PhaseDone, setbacks.Since(c.ToldBy, c.Told, now)
	before, _ := rules.Salience(out, now)
	if after, expired := rules.Salience(told, now); !expired && after > before {
		return told
	}
	return out
}

package replay

import (
	"cmp"
	"slices"

	"chalie/domain"
)

// closest is one decision of each gate, those with the least in the way first.
func (s *silent) closest() []Considered {
	at := map[domain.Gate]int{}
	var out []Considered
	for _, c := range s.out.Considered {
		if c.Gate == domain.Gate("") || c.Gate == domain.GateErased {
			continue
		}
		i, known := at[c.Gate]
		switch {
		case !known:
			at[c.Gate] = len(out)
			out = append(out, c)
		case !nearer(out[i], c):
			out[i] = c
		}
	}
	slices.SortStableFunc(out, func(a, b Considered) int { return cmp.Compare(ease(a.Gate), ease(b.Gate)) })
	return out
}

// nearer reports whether a decision came closer to letting something through than a
// later one with the same gate.
func nearer(a, later Considered) bool {
	switch a.Gate {
	case domain.GateCooldown, domain.GateAlreadyTold:
		return a.Numbers["told_ago_ms"] > later.Numbers["told_ago_ms"]
	case domain.GateNotInFive:
		return a.Numbers["last_in"]-a.Numbers["salience"] < later.Numbers["last_in"]-later.Numbers["salience"]
	case domain.GateUnrelated:
		return a.near.known && a.near.score > later.near.score
	}
	return false
}

// neverHelped is what would have let something be considered that never was.
func (s *silent) neverHelped() []Remedy {
	const coming = "it may still come"
	switch s.out.Never {
	case NeverRan:
		return []Remedy{{Kind: ChangeTime, Words: "Chalie had been running", NotTried: "what it would have thought then is in no log"}}
	case NeverLooked:
		return []Remedy{{Kind: ChangeTime, Words: "something had made Chalie think after it", NotTried: coming}}
	case NeverUnderWay:
		return []Remedy{{Kind: ChangeTime, Words: "nobody had to be answered first", NotTried: coming}}
	case NeverTaken:
		return []Remedy{{Kind: ChangeTime, Words: "less had waited to be thought about", NotTried: "what it would have thought then is in no log"}}
	case NeverInTime:
		return []Remedy{{Kind: ChangeTime, Words: "Chalie had thought before so much newer came", NotTried: "what it would have thought then is in no log"}}
	case NeverAsked:
		return []Remedy{{Kind: ChangeAsk, Words: "you had asked for it", NotTried: "nobody asked that"}}
	}
	return nil
}

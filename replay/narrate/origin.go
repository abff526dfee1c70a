package narrate

import (
	"slices"
	"strings"

	"chalie/domain"
)

// Origin says what a replay does with the records of a type.
type Origin string

// The origins.
const (
	// OriginGiven came from outside, or nobody's code decided it: it is taken as
	// recorded.
	OriginGiven Origin = "given"
	// OriginDecided was decided by Chalie's code: today's code decides it again.
	OriginDecided Origin = "decided"
	// OriginSkill was decided where a skill is its source, and is given otherwise.
	OriginSkill Origin = "skill"
)

// origin is where the records of a type come from, and why it is taken for that.
type origin struct {
	Origin Origin
	Why    string
}

// Where most types come from.
var (
	arrived   = origin{OriginGiven, "it arrived from outside"}
	byPerson  = origin{OriginGiven, "the person, or somebody with their token, did it"}
	byService = origin{OriginGiven, "a service noticed it, by its own clock"}
	byProcess = origin{OriginGiven, "it says how the process was, not what it decided"}
	step      = origin{OriginDecided, "it is a step of an episode"}
	callStep  = origin{OriginDecided, "it is a step of an invocation"}
	bySkill   = origin{OriginSkill, "a skill decided it together with its end; from anywhere else it is given"}
)

// but is an origin with what is given of it nevertheless.
func (o origin) but(what string) origin {
	o.Why += "; " + what
	return o
}

// OriginOf is what a replay does with the records of a type, and why; "" for a type
// that it doesn't know.
func OriginOf(t domain.EventType) (o Origin, why string) {
	known := entries[t]
	return known.Origin, known.Why
}

// Why a field isn't compared.
const (
	measured   = "it was measured"
	ofToken    = "it is the hash of a token, which is derived from a key beside the log"
	ofSecret   = "a secret that was taken out isn't there any more to be found again"
	namesBuild = "it names the code, which is told with the divergence"
)

// everywhere are the fields of all types that a replay doesn't compare.
var everywhere = map[string]string{"payload.marks.redacted": ofSecret}

// WhyUncompared is why a replay doesn't compare a field of a type, with the path as in
// a divergence; "" for one that it does.
func WhyUncompared(t domain.EventType, path string) string {
	plain := withoutIndexes(path)
	if why := everywhere[plain]; why != "" {
		return why
	}
	return entries[t].Measured[plain]
}

// AddedLater reports whether the first version of a type didn't have a field: what wasn't
// asked then has no answer that could differ.
func AddedLater(t domain.EventType, path string) bool {
	return slices.Contains(entries[t].Since, path)
}

// withoutIndexes is a path without the numbers of list entries.
func withoutIndexes(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	var out strings.Builder
	for rest := path; rest != ""; {
		before, after, found := strings.Cut(rest, "[")
		out.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "]")
	}
	return out.String()
}

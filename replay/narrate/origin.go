package narrate

import (
	"slices"
	"strings"

	"chalie/domain"
)

// Origin says how a replay treats the records of a type.
type Origin string

// The origins.
const (
	// OriginGiven came from outside, or isn't a decision: it is taken as recorded.
	OriginGiven Origin = "given"
	// OriginDecided was decided by Chalie's code: today's code decides again.
	OriginDecided Origin = "decided"
	// OriginSkill was decided if a skill is its source, and is given otherwise.
	OriginSkill Origin = "skill"
)

// origin is the Origin of a type, and the reason for it.
type origin struct {
	Origin Origin
	Why    string
}

// The usual origins.
var (
	arrived   = origin{OriginGiven, "it arrived from outside"}
	byPerson  = origin{OriginGiven, "the person, or somebody with their token, did it"}
	byService = origin{OriginGiven, "a service noticed it, by its own clock"}
	byProcess = origin{OriginGiven, "it says how the process was, not what it decided"}
	step      = origin{OriginDecided, "it is a step of an episode"}
	callStep  = origin{OriginDecided, "it is a step of an invocation"}
	bySkill   = origin{OriginSkill, "a skill decided it together with its end; from anywhere else it is given"}

	byPersonOrSkill = origin{OriginSkill, "the person did it, and then it is given; a skill that takes a change back, or a call that they said yes to, decides it"}
)

// but is an origin with an exception.
func (o origin) but(what string) origin {
	o.Why += "; " + what
	return o
}

// OriginOf is how a replay treats the records of a type, and why; "" for an unknown type.
func OriginOf(t domain.EventType) (o Origin, why string) {
	one, _ := known(t)
	return one.Origin, one.Why
}

// Reasons for not comparing a field.
const (
	measured   = "it was measured"
	ofToken    = "it is the hash of a token, which is derived from a key beside the log"
	ofSecret   = "a secret that was taken out isn't there any more to be found again"
	ofWords    = "it names the words of a build, and the words are compared"
	forPeople  = "it says for people what is compared beside it"
	namesBuild = "it names the code, which is told with the divergence"
)

// everywhere are the fields of all types that a replay doesn't compare.
var everywhere = map[string]string{"payload.marks.redacted": ofSecret}

// WhyUncompared is the reason why a replay doesn't compare a field of a type, with the
// path as in a divergence; "" for a compared field.
func WhyUncompared(t domain.EventType, path string) string {
	plain := WithoutIndexes(path)
	if why := everywhere[plain]; why != "" {
		return why
	}
	one, _ := known(t)
	return one.Measured[plain]
}

// AddedLater reports whether a field was added after the first version of its type: an
// older record has no value to compare.
func AddedLater(t domain.EventType, path string) bool {
	one, _ := known(t)
	return path == "payload.read" && domain.TakesRead(t) || slices.Contains(one.Since, WithoutIndexes(path))
}

// skillsAdded are the skills that builds of older logs didn't have to offer.
var skillsAdded = []string{"appointment", "heard", "undo", "remove", "values", "more", "notice"}

// SkillAddedLater reports whether a skill came after the first version: an older record of
// what a model was offered doesn't name it.
func SkillAddedLater(name string) bool { return slices.Contains(skillsAdded, name) }

// WithoutIndexes is a path without the numbers of list entries.
func WithoutIndexes(path string) string {
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

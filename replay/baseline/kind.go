package baseline

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Kind says what differs, such as "tool.completed words of remind". Acceptances store it, so that
// the same difference has the same kind in every build.
type Kind string

// Difference is where a decision differs from the recorded one.
type Difference struct {
	Recorded, Replayed domain.Envelope // the zero value where there is none
	Field              string          // a path as payload.blocks[0].content; FieldType or FieldNext when they can't be compared
	Skill              string          // the skill that answered or changed something; "" for none
}

// The fields of a difference that is none in a field: there is another envelope, or one more or less.
const (
	FieldType = "type"
	FieldNext = "next"
)

// KindOf is the kind of a difference. deed says that something would be done that wasn't, or
// not, or otherwise: a call, a change, a question before one.
func KindOf(d Difference) (kind Kind, deed bool) {
	was, is := d.Recorded.Type, d.Replayed.Type
	if d.Field == FieldType || d.Field == FieldNext {
		return cut("step " + named(string(was)) + " -> " + named(string(is))), isDeed(was) || isDeed(is)
	}
	member, rest, _ := strings.Cut(narrate.WithoutIndexes(strings.TrimPrefix(d.Field, "payload.")), ".")
	about := member
	switch {
	case was == domain.ModelRepliedType && member == "tool_calls":
		about, deed = d.call(), true
	case parts[was][member] != "":
		about = parts[was][member]
	case rest != "" && !slices.Contains(open, member):
		about, _, _ = strings.Cut(rest, ".")
		about = member + "." + about
	}
	deed = deed || isDeed(was) || was == domain.PolicyDecidedType && about == verdict
	if d.Skill != "" {
		about += " of " + d.Skill
	}
	return cut(string(was) + " " + about), deed
}

// parts are what members of a payload are a part of, where several are one thing, by type.
var parts = map[domain.EventType]map[string]string{
	domain.ModelRepliedType:       {"blocks": "words", "topic": "manner", "mode": "manner", "confidence": "manner", "urgent": "manner"},
	domain.ToolCompletedType:      {"text": "words", "blocks": "words", "error": "words"},
	domain.ReasoningConcludedType: {"blocks": "words", "topic": "words"},
	domain.PolicyDecidedType:      {"verdict": verdict, "allowed": verdict, "obligations": verdict, "reason_codes": "reasons", "rests_on": "reasons"},
}

const verdict = "verdict"

// open are the members whose own members are anything, or one thing.
var open = []string{"data", "params", "findings", "silent"}

// isDeed reports whether an envelope of a type says that something is done, or asked for.
func isDeed(t domain.EventType) bool {
	switch t {
	case domain.ToolInvokedType, domain.ToolDispatchedType, domain.ApprovalProposedType:
		return true
	}
	origin, _ := narrate.OriginOf(t)
	return origin == narrate.OriginSkill
}

// call names the tool of the call that differs, and, when it is another, that of today.
func (d Difference) call() string {
	_, at, _ := strings.Cut(d.Field, "[")
	at, _, _ = strings.Cut(at, "]")
	tool := func(e domain.Envelope) string { return gjson.GetBytes(e.Payload.Bytes, "tool_calls."+at+".tool").Str }
	was, is := tool(d.Recorded), tool(d.Replayed)
	if was == is {
		return "call of " + named(was)
	}
	return "call of " + named(was) + " -> " + named(is)
}

func named(name string) string {
	if name == "" {
		return "nothing"
	}
	return name
}

// cut bounds a name: tools of interfaces have any.
func cut(name string) Kind {
	return Kind(strings.ToValidUTF8(name[:min(len(name), domain.MaxKindBytes)], ""))
}

package domain

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// reservedNames are those of actors, channels and parts of Chalie: what else were named so
// would be read as one of them. A word that is added here takes a name from nobody: what has
// it already goes on.
func reservedNames() []string {
	return append(Channels(), ActorOperator, ActorReasoning, ActorKind(actorInterface), ActorKind(actorProgram), ActorKind(streamPrefix),
		string(PrincipalCore), strings.ToLower(OwnName), "console", "voice", "bridge", "policy", "skills", "tools", "cli", "brain", "form", "system",
		"unknown", "me", "you")
}

// isAPrincipal reports whether a name begins as what tells an interface, a program or a stream from
// everything else.
func isAPrincipal(name string) bool {
	return slices.ContainsFunc([]string{actorInterface, actorProgram, streamPrefix, interfacePrefix}, func(prefix string) bool {
		return strings.HasPrefix(strings.ToLower(name), prefix)
	})
}

// CheckNaming refuses a name that is read as something else: as an id, as an actor or a
// channel, or otherwise than it is written. The validation error names the field.
func CheckNaming(op, field, name string) error {
	wrong := func(why string) error {
		return Invalid(op, field, fmt.Sprintf("%s %+q %s: choose another", field, clip(name, MaxNameBytes), why))
	}
	bare := strings.TrimSpace(name)
	switch {
	case isAnID(bare):
		return wrong("could be taken for an id")
	case isAPrincipal(bare):
		return wrong("begins as Chalie's own names for programs and interfaces do")
	case slices.Contains(reservedNames(), strings.ToLower(bare)):
		return wrong("is reserved, because Chalie calls something of its own so")
	case turnsWriting(name):
		return wrong("has characters that turn the direction of writing around, so it would be read otherwise than it is written")
	}
	return nil
}

// isAnID reports whether a text is read as an id in any of its spellings, those of nothing but
// zeros included.
func isAnID(text string) bool {
	if _, err := ParseID(text); err == nil {
		return true
	}
	return (len(text) == 32 || len(text) == 36 || len(text) == 26) && strings.Trim(text, "0-") == ""
}

// turnsWriting reports whether a text has a character that changes the direction of writing.
func turnsWriting(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) })
}

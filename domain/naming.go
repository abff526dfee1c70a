package domain

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// forChalie is what the names of Chalie and of its person look like, which no other name is, with signs
// in it either.
var forChalie = sync.OnceValue(func() []look {
	return []look{lookOf(OwnName), lookOf(strings.ToUpper(OwnName)), lookOf("you"), lookOf(ActorOperator)}
})

// reserved is what the names of actors, channels and parts of Chalie look like: what else were named so
// would be read as one of them. A word that is added here takes a name from nobody: what has
// it already goes on.
var reserved = sync.OnceValue(func() (looks []look) {
	for _, name := range append(Channels(), ActorOperator, ActorReasoning, ActorKind(actorInterface), ActorKind(actorProgram), ActorKind(streamPrefix),
		string(PrincipalCore), "console", "voice", "bridge", "policy", "skills", "tools", "cli", "brain", "form", "system", "unknown", "me", "person") {
		looks = append(looks, lookOf(name))
	}
	return looks
})

// isAPrincipal reports whether a name begins as what tells an interface, a program or a stream from
// everything else.
func isAPrincipal(name string) bool {
	return slices.ContainsFunc([]string{actorInterface, actorProgram, streamPrefix, interfacePrefix}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// CheckNaming refuses a name that is read as something else: as an id, as an actor or a
// channel, as one of the names that others have, or otherwise than it is written. It goes by
// what a person sees, however that is written. Every name that a caller gives is judged here;
// what has such a name from an earlier build goes on. The validation error names the field.
func CheckNaming(op, field, name string, others ...string) error {
	wrong := func(why, instead string) error {
		return Invalid(op, field, fmt.Sprintf("%s %+q %s: %s", field, clip(name, MaxNameBytes), why, instead))
	}
	if err := checkSeen(op, field, name); err != nil {
		return err
	}
	const another = "choose another"
	plain, seen := typed(name, false), lookOf(name)
	switch {
	case isAnID(strings.TrimSpace(name)), isAnID(plain):
		return wrong("could be taken for an id", "choose another, such as one with a word before the id")
	case isAPrincipal(plain):
		return wrong("begins as Chalie's own names for programs and interfaces do", another)
	case slices.ContainsFunc(forChalie(), seen.passesFor), slices.ContainsFunc(reserved(), seen.like):
		return wrong("is reserved, because Chalie calls itself, its person or something of its own so, or looks like what is", another)
	}
	for _, other := range others {
		if seen.like(lookOf(other)) {
			return wrong("is a name by which another is known, or looks like one", "choose one that people can tell apart from it")
		}
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

package domain

import "strings"

// Who wants something done, as the policy knows them. Beside these there are
// interfaces and programs with a token, each by a name with a prefix.
const (
	ActorOperator  = "operator"  // the person
	ActorReasoning = "reasoning" // Chalie, unprompted
)

const (
	actorInterface = "interface:"
	actorProgram   = "program:"
)

// InterfaceActor is an interface: what it says made Chalie do it, or its own page
// asks for it.
func InterfaceActor(id ID) string { return actorInterface + id.UUID() }

// ProgramActor is a program with a token.
func ProgramActor(name string) string { return actorProgram + name }

// Through what something was asked for, where it wasn't a request whose source
// says so.
const (
	ChannelChat       = "chat"       // an answer to what the person said
	ChannelMessage    = "message"    // an answer to what an interface said
	ChannelAction     = "action"     // a button that the person pressed
	ChannelBackground = "background" // nobody asked
	ChannelGateway    = "gateway"    // an interface's page, to that interface
	ChannelToken      = "token"      // a request with a token
	ChannelNested     = "nested"     // an interface, for what it was asked to do
)

// ActorOf is the actor with a principal of its own: the person, an interface, or else a
// program.
func ActorOf(who Principal) string {
	if who == PrincipalOperator {
		return ActorOperator
	}
	if id, err := ParseID(string(who)); err == nil {
		return InterfaceActor(id)
	}
	return ProgramActor(string(who))
}

// ActingFor says on whose behalf, and through what, an episode does what it
// does, by the envelope that opened it.
func ActingFor(opening Envelope) (actor, channel string) {
	person := opening.Principal == PrincipalOperator
	switch {
	case opening.Type == MessageReceivedType && person:
		return ActorOperator, ChannelChat
	case opening.Type == ActionReceivedType && person:
		return ActorOperator, ChannelAction
	case opening.Type == MessageReceivedType || opening.Type == ActionReceivedType:
		return ActorOf(opening.Principal), ChannelMessage
	}
	return ActorReasoning, ChannelBackground
}

// ActorKind is an actor without the part that names which one.
func ActorKind(actor string) string {
	kind, _, _ := strings.Cut(actor, ":")
	return kind
}

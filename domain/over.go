package domain

import "maps"

// OverRule is the version of the rule by which what is over leaves the mind, and of what is in it.
// A log goes by the rule of the build that was writing, so that what was decided stays what it was.
type OverRule string

// The rules.
const (
	OverFades    OverRule = ""       // it fades from when it was told or done, and is out after FiredFor
	OverIsOut    OverRule = "over/2" // it is out once it is done, or was told and seen; told and not seen it fades
	OverMessages OverRule = "over/3" // likewise; messages of programs are in mind, and out once seen
)

// OverToday is the rule by which this build writes.
const OverToday = OverMessages

// IsOut reports whether a plan is out at once when it is over.
func (r OverRule) IsOut() bool { return r == OverIsOut || r == OverMessages }

// HasMessages reports whether messages of programs come to mind.
func (r OverRule) HasMessages() bool { return r == OverMessages }

// ToldSeen says that the person has seen what they were told unasked: a client of theirs had it
// while they could see it. It belongs to the trace of what was told.
type ToldSeen struct {
	Of ID `json:"of"` // the plan that was told, or the message of a program
}

// SeenKey is carried by what says that an exchange was seen, which is said once.
func SeenKey(exchange TraceID) Key { return "seen/" + Key(exchange.String()) }

// Glance is the fold of what the person has seen of what they were told. The zero value has none.
type Glance struct {
	Over   OverRule        `json:"over,omitempty"`   // of the build that writes
	Spoke  Position        `json:"spoke,omitempty"`  // the last thing that the person said or pressed
	Before Position        `json:"before,omitempty"` // what they had said or pressed before the last that opened an episode
	Seen   map[ID]Position `json:"seen,omitempty"`   // what a client of theirs showed, and when that was
}

// evolve folds one record. What was seen of what isn't known any more is forgotten.
func (g *Glance) evolve(rec Record, known func(ID) bool) error {
	e := rec.Envelope
	switch e.Type {
	case SystemStartedType:
		started, err := Decode[SystemStarted](e)
		if err != nil {
			return unlessErased(err)
		}
		g.Over = started.Over
	case MessageReceivedType, ActionReceivedType, SteerReceivedType:
		if e.Principal != PrincipalOperator {
			return nil
		}
		if e.Type != SteerReceivedType { // which belongs to the episode that is under way
			g.Before = g.Spoke
		}
		g.Spoke = rec.Position
	case ToldSeenType:
		seen, err := Decode[ToldSeen](e)
		if err != nil {
			return unlessErased(err)
		}
		if g.Seen == nil {
			g.Seen = map[ID]Position{}
		}
		g.Seen[seen.Of] = rec.Position
		maps.DeleteFunc(g.Seen, func(id ID, _ Position) bool { return !known(id) })
	}
	return nil
}

// saw reports whether what was told of a plan at a position was seen: a client showed it, or
// the person spoke after it.
func (g *Glance) saw(plan ID, told Position) bool { return max(g.Spoke, g.Seen[plan]) > told }

// knew reports whether a message was seen before what the person said last: what answers them
// next still has it in mind.
func (g *Glance) knew(message ID, came Position) bool {
	return max(g.Before, g.Seen[message]) > came
}

// clone is a copy that shares nothing with the original.
func (g *Glance) clone() Glance {
	out := *g
	out.Seen = maps.Clone(g.Seen)
	return out
}

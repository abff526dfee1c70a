package domain

import "strconv"

// ReasoningStarted opens the thinking of an episode and fixes what it rests on,
// so that a replay finds the same ground: the moment, the world state by
// reference with its scores, what was said before, and the rules.
type ReasoningStarted struct {
	AsOf   Millis    `json:"as_of"`
	World  WorldSeen `json:"world"`
	Recent []ID      `json:"recent"` // the messages of the exchanges in working memory, oldest first
	Model  string    `json:"model"`
	Rules  string    `json:"rules"` // hash of the rules and parameters it is scored by
	Build  string    `json:"build"` // version of the program
}

// OpensReasoning reports whether something of this type is to be reasoned about:
// its episode then ends with a reasoning.concluded.
func OpensReasoning(t EventType) bool { return t == "message.received" || t == "action.received" }

// WorldSeen is a world state by reference.
type WorldSeen struct {
	Position Position   `json:"position"` // folded through
	Items    []SeenItem `json:"items"`    // in the reasoning context, in order
	LeftOut  []SeenItem `json:"left_out"` // each with its gate
}

// SeenItem is one item of a world state as it was scored then.
type SeenItem struct {
	EnvelopeID ID       `json:"envelope_id"`
	Kind       ItemKind `json:"kind"`
	Salience   PPM      `json:"salience"`
	Bonus      PPM      `json:"bonus,omitempty"`
	Gate       Gate     `json:"gate,omitempty"`
}

// SeenIn is an assembly by reference.
func SeenIn(a Assembly, through Position) WorldSeen {
	return WorldSeen{Position: through, Items: seen(a.Items), LeftOut: seen(a.LeftOut)}
}

func seen(items []Item) []SeenItem {
	out := make([]SeenItem, len(items))
	for i, it := range items {
		out[i] = SeenItem{EnvelopeID: it.EnvelopeID, Kind: it.Kind, Salience: it.Salience, Bonus: it.Bonus, Gate: it.Gate}
	}
	return out
}

// ModelCalled is recorded before the model is asked. What it is asked follows
// from the episode so far: the opening, reasoning.started, and the steers.
type ModelCalled struct {
	Model  string `json:"model"`
	Steers []ID   `json:"steers"` // taken up by this call and those before, oldest first
}

// ModelReplied is what the model said. It is never asked again for it.
type ModelReplied struct {
	Model      string     `json:"model"`
	Blocks     []Block    `json:"blocks"`
	Topic      string     `json:"topic"`
	Mode       Mode       `json:"mode"`
	Confidence PPM        `json:"confidence"`
	Urgent     bool       `json:"urgent"` // it can't wait
	Used       []Evidence `json:"used"`   // what the reply rests on, with the model's weights
	Usage      Usage      `json:"usage"`
}

// Mode is how Chalie answers.
type Mode string

// The modes.
const (
	ModeRespond Mode = "RESPOND"
	ModeAct     Mode = "ACT"
)

// Usage is what a call to a model took, in tokens; 0 for a model that has none.
type Usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

// ReasoningConcluded ends an episode. What was said stays in the reply it names;
// a failure stands in the envelope's errors.
type ReasoningConcluded struct {
	Outcome    Outcome    `json:"outcome"`
	Shown      Showing    `json:"shown"`    // how the person gets to see it; "" when they don't
	Reply      ID         `json:"reply_id"` // the model.replied that is shown; none when nothing is
	DurationMS int64      `json:"duration_ms"`
	Evidence   []Evidence `json:"evidence"`
	// Rejected was considered and kept back, each with its gate. What never came
	// into the context stands in reasoning.started.
	Rejected []SeenItem `json:"rejected"`
}

// Outcome is what came of an episode.
type Outcome string

// The outcomes.
const (
	OutcomeResponded Outcome = "responded" // answered who asked
	OutcomeSurfaced  Outcome = "surfaced"  // told the person of its own accord
	OutcomeHeld      Outcome = "held"      // kept to itself
	OutcomeYielded   Outcome = "yielded"   // made room for the person
	OutcomeCancelled Outcome = "cancelled"
	OutcomeFailed    Outcome = "failed"
)

// Showing is how an outcome reaches the person.
type Showing string

// The showings.
const (
	ShownNot          Showing = ""
	ShownMessage      Showing = "message"
	ShownNotification Showing = "notification"
	ShownEscalation   Showing = "escalation" // it can't wait
)

// StepKey marks the n-th reasoning step of an episode, from 1. It is appended on
// the condition that no such step is there, so each happens once.
func StepKey(trace TraceID, n int) Key {
	return "step/" + Key(trace.String()) + "/" + Key(strconv.Itoa(n))
}

// ConcludedKey marks the end of an episode. A steer is appended on the condition
// that it isn't there.
func ConcludedKey(trace TraceID) Key { return "concluded/" + Key(trace.String()) }

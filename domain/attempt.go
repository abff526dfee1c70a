package domain

// AttemptBound is what an attempt at a step ran into. Names are stored.
type AttemptBound string

// The bounds. That Chalie was stopped, or killed, is none of them.
const (
	BoundDeadline AttemptBound = "deadline" // reading and deciding took too long
	BoundMemory   AttemptBound = "memory"   // it took too much memory
	BoundPanic    AttemptBound = "panic"    // it broke off
)

// Words are the bound to follow "it".
func (b AttemptBound) Words() string {
	switch b {
	case BoundDeadline:
		return "took too long"
	case BoundMemory:
		return "took too much memory"
	case BoundPanic:
		return "broke off"
	}
	return "ran into the bound " + string(b)
}

// AttemptFailed says that an attempt at the next step of an episode ran into its bound. The step
// before it, or the opening, is the record of when the attempt began; this one is that of the
// attempt which follows. After MaxAttempts there is none.
type AttemptFailed struct {
	Bound  AttemptBound `json:"bound"`
	Move   Move         `json:"move"` // that was to be made
	TookMS int64        `json:"took_ms"`
}

// MaxAttempts is how often the reading of one episode may run into its bound.
const MaxAttempts = 3

// ReasoningGivenUp ends an episode whose reading ran into its bound MaxAttempts times. The
// reasoning.concluded beneath it tells the person; nothing of it is ever taken up again.
type ReasoningGivenUp struct {
	Attempts []ID `json:"attempts"` // every attempt.failed
}

package domain

// Words are words that a model was shown and that are not the person's own, by
// reference: the envelope that has them, and whose they are.
type Words struct {
	EnvelopeID ID        `json:"envelope_id"`
	Kind       WordsKind `json:"kind"`
	// Of is whose they are: the UUID of an interface, the name of a program, or what
	// else is accountable for them.
	Of string `json:"of"`
}

// WordsKind is how words came before a model.
type WordsKind string

// The kinds.
const (
	WordsOfSignal  WordsKind = "signal"  // a signal's
	WordsOfMessage WordsKind = "message" // of a program
	WordsOfTool    WordsKind = "tool"    // names and descriptions of what an interface offers
	WordsOfAnswer  WordsKind = "answer"  // of a tool
	WordsOfReply   WordsKind = "reply"   // Chalie's own, resting on others'
	WordsOfPlan    WordsKind = "plan"    // a plan or a memory that others' words led to
	WordsOfImage   WordsKind = "image"   // what can be read in it
	WordsOfContext WordsKind = "context" // surroundings that a program told
)

// InterfaceWords is the Words.Of of an interface.
func InterfaceWords(id ID) string { return id.UUID() }

// ForeignTo are those of the words that count for a call to a tool of a source:
// what a source says of its own tools doesn't, unless the call carries private
// words to it. The source of what Chalie itself can do is "".
func ForeignTo(shown []Words, source string, carries bool) []Words {
	out := []Words{}
	for _, w := range shown {
		if w.Kind == WordsOfTool && w.Of == source && !carries {
			continue
		}
		out = append(out, w)
	}
	return out
}

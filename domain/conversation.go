package domain

// WorkingMemory is the number of finished exchanges that a prompt has.
const WorkingMemory = 4

// Exchange is one turn of the conversation, by reference: the person's words and
// Chalie's, or Chalie's unprompted ones.
type Exchange struct {
	ID         ID // of the episode's trace
	Position   Position
	RecordedAt Millis
	Prompt     ID // the person's message.received; none when they pressed a button, or when Chalie spoke unprompted
	Action     ID // the person's action.received; none for anything else
	Conclusion ID // reasoning.concluded; none while it is under way
	Reply      ID // model.replied; none when nothing was said
	Outcome    Outcome

	InWorkingMemory bool // reasoning would look back on it now
}

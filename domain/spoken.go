package domain

import "encoding/json"

// Spoken says of words of Chalie's own, which stand beside it, what they say and which words they are: the
// values, the language, and the version of its catalogue. It is of the words as they were said: a catalogue
// may change, and they don't.
type Spoken struct {
	// Said are the parts of an answer, as package speech has them, in the order of the words; none where
	// they are recorded elsewhere: with the end of the call whose answer is told.
	Said      []json.RawMessage `json:"said,omitempty"`
	Language  string            `json:"language"`  // its tag: en, de, fr, es
	Catalogue string            `json:"catalogue"` // the version of the language's words
}

package dialogue

import (
	"encoding/json"
	"strings"
)

// Piece is what came of an answer just now: something of its text, or of one of its calls.
type Piece struct {
	Back string // why all that was told is taken back: it is told anew; "" of all others

	Text string // what was added to the text

	Call   int             // the number of the call that it is of, from 1, as in Answer.Calls; 0 of text
	ID     string          // of a call, in its first piece
	Tool   string          // likewise
	Params string          // what was added to its parameters
	Ended  bool            // it is the last of its call
	Whole  json.RawMessage // all parameters, in the last piece: those of the Answer
}

// Tell is told the pieces of an answer as they come, and doesn't hold them up. nil for nobody
// who listens.
type Tell func(Piece)

// Text tells of text.
func (t Tell) Text(text string) {
	if t != nil && text != "" {
		t(Piece{Text: text})
	}
}

// Begin tells that a call begins.
func (t Tell) Begin(call int, id, tool string) {
	if t != nil {
		t(Piece{Call: call, ID: id, Tool: tool})
	}
}

// Params tells of parameters of a call.
func (t Tell) Params(call int, params string) {
	if t != nil && params != "" {
		t(Piece{Call: call, Params: params})
	}
}

// End tells that a call is whole.
func (t Tell) End(call int, whole json.RawMessage) {
	if t != nil {
		t(Piece{Call: call, Ended: true, Whole: whole})
	}
}

// Back takes back all that was told.
func (t Tell) Back(why string) {
	if t != nil {
		t(Piece{Back: why})
	}
}

// Stops ends a text before any of some sequences, for an API that doesn't do that itself.
type Stops struct {
	Sequences []string
	held      string // may become one of them
}

// Add is what of a text, of which more was added, comes before all sequences; hit says that
// one is there.
func (s *Stops) Add(text string) (out string, hit bool) {
	s.held += text
	end := -1
	for _, sequence := range s.Sequences {
		if i := strings.Index(s.held, sequence); i >= 0 && (end < 0 || i < end) {
			end = i
		}
	}
	if end >= 0 {
		return s.held[:end], true
	}
	keep := 0
	for _, sequence := range s.Sequences {
		for n := min(len(sequence)-1, len(s.held)); n > keep; n-- {
			if strings.HasSuffix(s.held, sequence[:n]) {
				keep = n
			}
		}
	}
	out, s.held = s.held[:len(s.held)-keep], s.held[len(s.held)-keep:]
	return out, false
}

// Rest is what is left of the text at its end.
func (s *Stops) Rest() string { return s.held }

package domain

import "strings"

// A conclusion's key says how the person got to see it, so that it is still
// known once the payload is erased: what was sent is numbered by it.
const (
	shownPrefix  = "shown/"
	shownNothing = shownPrefix + "nothing"
	shownFailure = shownPrefix + "failure" // the caller was told that it failed
)

// ShownKey is carried by the envelope of the conclusion, beside ConcludedKey.
func (c ReasoningConcluded) ShownKey() Key {
	switch {
	case c.Shown != ShownNot:
		return shownPrefix + Key(c.Shown)
	case c.Outcome == OutcomeFailed:
		return shownFailure
	}
	return shownNothing
}

// ConclusionOf reads a reasoning.concluded. Of an erased one it returns what the
// header still tells: how it was shown, and whether it failed unseen. The error
// is CodeUndecodable.
func ConclusionOf(e Envelope) (ReasoningConcluded, error) {
	c, err := Decode[ReasoningConcluded](e)
	if CodeOf(err) == CodeErased {
		return erasedConclusion(e), nil
	}
	return c, err
}

func erasedConclusion(e Envelope) ReasoningConcluded {
	for _, key := range e.Keys {
		switch key {
		case shownNothing:
			return ReasoningConcluded{}
		case shownFailure:
			return ReasoningConcluded{Outcome: OutcomeFailed}
		}
		if shown, ok := strings.CutPrefix(string(key), shownPrefix); ok {
			return ReasoningConcluded{Shown: Showing(shown)}
		}
	}
	// Without the key it is what most conclusions are.
	if e.Principal == PrincipalOperator {
		return ReasoningConcluded{Shown: ShownMessage}
	}
	return ReasoningConcluded{Shown: ShownNotification}
}

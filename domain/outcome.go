package domain

import (
	"strings"
)

// Outcome is the result of an episode. Names are stored.
type Outcome string

// The outcomes.
const (
	OutcomeResponded Outcome = "responded" // answered the caller
	OutcomeSurfaced  Outcome = "surfaced"  // told the person unprompted
	OutcomeHeld      Outcome = "held"      // kept to itself
	OutcomeYielded   Outcome = "yielded"   // made room for the person
	OutcomeCancelled Outcome = "cancelled"
	OutcomeFailed    Outcome = "failed"
)

// The outcomes of a trace that came to no conclusion. They are told, and not stored.
const (
	EndingNone    Outcome = "none"    // it never began, or asked for nothing
	EndingOpen    Outcome = "open"    // it was under way when the log ended
	EndingWaits   Outcome = "waits"   // for the person's approval
	EndingUnknown Outcome = "unknown" // a model would have been asked something else
	EndingDone    Outcome = "done"    // an invocation was answered
)

// outcomes has of each what it means: what Chalie did, as a label in a picture; in a word or
// two; as a sentence without its full stop, behind which goes what was said; and to stand
// behind "come to".
var outcomes = map[Outcome]struct{ label, brief, sentence, noun string }{
	OutcomeResponded: {"answered", "answered", "Chalie answered", "an answer"},
	OutcomeSurfaced:  {"told you", "told you", "Chalie told you", "telling you"},
	OutcomeHeld:      {"kept it back", "kept to itself", "Chalie thought, and told you nothing", "keeping it to itself"},
	OutcomeYielded:   {"gave it up to make room for you", "made room", "Chalie gave up this thought to make room for you", "giving up to make room"},
	OutcomeCancelled: {"was cancelled", "stopped", "You stopped Chalie before it was done", "being stopped"},
	OutcomeFailed:    {"failed", "failed", "It failed", "a failure"},
	EndingNone:       {"did nothing", "nothing", "Nothing came of it", "nothing"},
	EndingOpen:       {"goes on", "going on", "It is still going on", "no end so far"},
	EndingWaits:      {"waits for approval", "waits", "It waits for your approval", "waiting for your approval"},
	EndingUnknown:    {"isn't known", "not known", "It can't be told", "what can't be told"},
	EndingDone:       {"was done", "done", "It was done", "an answer"},
}

// EndingOf is how a trace ended: whether it is open or failed, or else the outcome of its
// reasoning, "" without one.
func EndingOf(open, failed bool, concluded Outcome) Outcome {
	switch {
	case open:
		return EndingOpen
	case failed:
		return OutcomeFailed
	case concluded == "":
		return EndingDone
	}
	return concluded
}

// Outcomes are all that this version knows, in no order.
func Outcomes() []Outcome {
	out := make([]Outcome, 0, len(outcomes))
	for outcome := range outcomes {
		out = append(out, outcome)
	}
	return out
}

// Label says what Chalie did in an episode.
func (o Outcome) Label(shown Showing) string {
	known, ok := outcomes[o]
	switch {
	case !ok:
		return "ended: " + string(o)
	case shown == ShownEscalation:
		return known.label + " at once"
	}
	return known.label
}

// Brief is the outcome in a word or two. One of a newer version is spelt out.
func (o Outcome) Brief() string {
	if known, ok := outcomes[o]; ok {
		return known.brief
	}
	return Spelt(string(o))
}

// Sentence is the outcome as a sentence, without a full stop: the words said may follow.
func (o Outcome) Sentence() string {
	if known, ok := outcomes[o]; ok {
		return known.sentence
	}
	return "It ended as " + Spelt(string(o))
}

// Noun is the outcome to follow "come to".
func (o Outcome) Noun() string {
	if known, ok := outcomes[o]; ok {
		return known.noun
	}
	return Spelt(string(o))
}

// VerificationOutcome is the verdict on an answer. Names are stored.
type VerificationOutcome string

// The outcomes of a verification.
const (
	VerifiedSuccess VerificationOutcome = "success"
	VerifiedPartial VerificationOutcome = "partial"
	VerifiedFailure VerificationOutcome = "failure"
	VerifiedNot     VerificationOutcome = "unverified" // there is no verdict; the envelope's errors say why
)

// Label is what the look over an answer brought, as what Chalie did.
func (o VerificationOutcome) Label() string {
	switch o {
	case VerifiedSuccess:
		return "looked the answer over and found it good"
	case VerifiedPartial:
		return "looked the answer over and found it half right"
	case VerifiedFailure:
		return "looked the answer over and found it wrong"
	case VerifiedNot:
		return "could not have the answer looked over"
	}
	return "looked the answer over"
}

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

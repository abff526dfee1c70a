package domain

import "slices"

// Asking is whether the person is asked before a tool does what they want done, as they
// chose for it. It counts where nothing but their own words was read: see [FootingTable].
type Asking string

// The settings. AskAsSaid holds unless the person chooses.
const (
	AskAlways Asking = "always"  // each time
	AskAsSaid Asking = "as_said" // not for what they say, unless the tool wants approval or may move money
	AskNever  Asking = "never"   // not then either
)

// Askings are the settings, the most careful first.
func Askings() []Asking { return []Asking{AskAlways, AskAsSaid, AskNever} }

// Known reports whether it is one of the settings.
func (a Asking) Known() bool { return slices.Contains(Askings(), a) }

// Words is the setting as the person reads it.
func (a Asking) Words() string {
	switch a {
	case AskAlways:
		return "always ask"
	case AskAsSaid:
		return "as I say it"
	case AskNever:
		return "don't ask"
	}
	return Spelt(string(a))
}

// Asks is the setting as it comes out: what a tool wants asked for itself is always asked,
// unless the person said otherwise.
func (m Manifest) Asks() Asking {
	if m.Ask == AskAsSaid && (m.RequiresApproval || m.MovesMoney) {
		return AskAlways
	}
	return m.Ask
}

// AskedInWords is what the policy answers when the person's own sentence asks for a tool.
func AskedInWords(r Regime, m Manifest) PolicyDecided {
	return r.Decide(Invoking{Actor: ActorOperator, Channel: ChannelChat, Manifest: m, Footing: &Footing{OwnReading: true}})
}

// WhenSaid is a decision on what the person's own sentence asks for, as a rule for the
// next one, with its ground: "Asked each time: it may move money".
func (d PolicyDecided) WhenSaid() string {
	has := func(code string) bool { return slices.Contains(d.ReasonCodes, code) }
	switch {
	case d.Verdict == VerdictDenied:
		return "Never done: " + d.Denial("it")
	case d.Allowed && has(ReasonAskNever):
		return "Done when you say it: " + ReasonWords(ReasonAskNever)
	case d.Allowed && !d.SideEffects:
		return "Done when you say it: it only looks"
	case d.Allowed:
		return "Done when you say it"
	}
	for _, ground := range []struct{ code, words string }{
		{ReasonAskAlways, "you chose that"},
		{ReasonLapsed, "it has changed since you trusted it"},
		{ReasonMovesMoney, "it may move money"},
		{ReasonAsksFirst, "it wants your approval"},
		{AutonomyReason(AutonomySupervised), "it is trusted no further"},
	} {
		if has(ground.code) {
			return "Asked each time: " + ground.words
		}
	}
	return "Asked each time: " + ReasonWords(d.ReasonCodes[0])
}

// FromNowOn is the member of a button's payload that makes its press a yes for the future,
// too: the tool is then done without a question.
const FromNowOn = "chalie_from_now_on"

package web

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// Kind is what a trace began with, in a word.
func (e episode) Kind() string {
	group, rest, _ := strings.Cut(string(e.Root.Type), ".")
	switch group {
	case "signal", "message", "action", "image", "pairing", "interface", "policy", "token", "service", "projection":
		return capital(group)
	case "steer":
		return "Redirection"
	case "cancel":
		return "Stop"
	case "spine":
		return "Own thought"
	case "timer":
		return "Timer"
	case "tool":
		return "Tool call"
	case "context":
		return "Surroundings"
	case "stream":
		return "Broadcast"
	case "operator", "session":
		return "Account"
	case "system", "log":
		return "Program"
	case "capability", "approval":
		return "Policy"
	}
	return capital(strings.TrimSpace(plainWords(group + " " + rest)))
}

// leads are what a trace began with, in words that its own go behind. A %s is who
// began it.
var leads = map[domain.EventType]string{
	domain.MessageReceivedType:    "%s said:",
	domain.SignalReceivedType:     "%s signalled:",
	domain.ActionReceivedType:     "%s asked for:",
	domain.SteerReceivedType:      "%s redirected it:",
	domain.CancelReceivedType:     "%s stopped it",
	domain.ImageUploadedType:      "%s sent an image:",
	domain.ContextUpdatedType:     "Your surroundings changed:",
	domain.ToolInvokedType:        "%s used a tool:",
	domain.SpineSignalEmittedType: "Chalie noticed:", domain.TimerDueType: "It was time:",
	domain.OperatorRegisteredType:   "The account was made:",
	domain.OperatorLoggedInType:     "You logged in",
	domain.PasswordChangedType:      "You changed your password:",
	domain.OperatorLoggedOutType:    "You logged out",
	domain.SessionUsedElsewhereType: "The cookie of your session was used elsewhere:",
	domain.SessionElsewhereSeenType: "You saw where your session was used",
	domain.OperatorLoginRefusedType: "Somebody was not let in:",
	domain.TokenIssuedType:          "You made a token:",
	domain.TokenRevokedType:         "You revoked a token:",
	domain.PolicyChangedType:        "You changed the policy:",
	domain.CapabilityChangedType:    "You changed what a tool may do:",
	domain.PairingKeyIssuedType:     "You asked for a pairing key,",
	domain.PairingKeyUsedType:       "A pairing key was used:",
	domain.PairingRefusedType:       "Pairing was refused:",
	domain.InterfacePairedType:      "You paired an interface:",
	domain.InterfaceRegisteredType:  "An interface made itself known:",
	domain.ScopesApprovedType:       "You approved:",
	domain.CapabilitiesChangedType:  "An interface told its tools:",
	domain.InterfaceWentOfflineType: "Out of reach:",
	domain.InterfaceCameOnlineType:  "Within reach:",
	domain.InterfaceRemovedType:     "You removed an interface:",
	domain.InterfaceExpiredType:     "An interface was forgotten:",
	domain.StreamAddedType:          "You listened to a broadcast:", domain.StreamRemovedType: "You stopped listening:",
	domain.SystemStartedType:     "Chalie started:",
	domain.SystemStoppedType:     "Chalie stopped:",
	domain.RecordLostType:        "A record was lost:",
	domain.ServiceDiedType:       "A service died:",
	domain.ServiceRecoveredType:  "A service recovered:",
	domain.ProjectionRebuiltType: "What is known was folded again:", domain.ProjectionDivergedType: "What is known was found to differ:",
}

// Lead is the beginning of what came in, in words.
func (e episode) Lead() string {
	lead, ok := leads[e.Root.Type]
	if !ok {
		return capital(plainWords(string(e.Root.Type))) + ":"
	}
	lead = strings.Replace(lead, "%s", e.Who, 1)
	if e.CameIn == "" {
		lead = strings.TrimRight(lead, ":,")
	}
	return capital(lead)
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Standing is how it stands, in a word or two.
func (e episode) Standing() string {
	switch {
	case e.Outcome == "open":
		return "going on"
	case e.Outcome == "failed", e.Concluded == domain.OutcomeFailed:
		return "failed"
	}
	switch e.Concluded {
	case domain.OutcomeResponded:
		return "answered"
	case domain.OutcomeSurfaced:
		return "told you"
	case domain.OutcomeHeld:
		return "kept to itself"
	case domain.OutcomeYielded:
		return "made room"
	case domain.OutcomeCancelled:
		return "stopped"
	}
	return "done"
}

// Look is the class of the badge that says so.
func (e episode) Look() string {
	switch e.Standing() {
	case "going on":
		return "info"
	case "failed":
		return "error"
	case "stopped", "made room":
		return "warning"
	case "answered", "told you":
		return "success"
	}
	return "plain-badge"
}

// Came is what came of it, in a sentence; its quote is a text of the log, and may be
// empty.
func (e episode) Came() (said struct{ Says, Quote string }) {
	said.Quote = e.CameTo
	switch e.Standing() {
	case "going on":
		said.Says, said.Quote = "It is still going on.", ""
	case "failed":
		said.Says = "It failed:"
	case "answered":
		said.Says = "Chalie answered:"
	case "told you":
		said.Says = "Chalie told you:"
	case "kept to itself":
		said.Says, said.Quote = "Chalie thought about it, and kept it to itself.", ""
	case "made room":
		said.Says, said.Quote = "It made room for your message.", ""
	case "stopped":
		said.Says, said.Quote = "You stopped it.", ""
	default:
		said.Says = e.cameOf()
	}
	if said.Quote == "" {
		said.Says = strings.Replace(said.Says, ":", ".", 1)
	}
	return said
}

// cameOf is what came of a trace without reasoning.
func (e episode) cameOf() string {
	switch {
	case e.CameTo != "":
		return "In the end:"
	case e.Root.Type == domain.SignalReceivedType:
		return "Chalie heard it, and keeps it in mind while it matters."
	case e.Root.Type == domain.ContextUpdatedType:
		return "Chalie takes it into account."
	}
	return "" // it was recorded, and that is all
}

// Cost is what models took for it; "" for nothing.
func (e episode) Cost() string {
	switch {
	case e.CostMicros > 0 && e.CostMicros < 10_000:
		return fmt.Sprintf("%.2f ¢", float64(e.CostMicros)/10_000)
	case e.CostMicros > 0:
		return fmt.Sprintf("$%.2f", float64(e.CostMicros)/1_000_000)
	case e.Tokens > 0:
		return grouped(e.Tokens) + " tokens"
	}
	return ""
}

// Steps is how many envelopes it has.
func (e episode) Steps() string {
	if e.Envelopes == 1 {
		return "1 step"
	}
	return grouped(e.Envelopes) + " steps"
}

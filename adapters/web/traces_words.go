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
	"message.received": "%s said:", "signal.received": "%s signalled:", "action.received": "%s asked for:", "steer.received": "%s redirected it:",
	"cancel.received": "%s stopped it", "image.uploaded": "%s sent an image:", "context.updated": "Your surroundings changed:", "tool.invoked": "%s used a tool:",
	"spine.signal_emitted": "Chalie noticed:", "timer.due": "It was time:",
	"operator.registered": "The account was made:", "operator.logged_in": "You logged in", "operator.password_changed": "You changed your password:", "operator.logged_out": "You logged out", "session.used_elsewhere": "The cookie of your session was used elsewhere:", "session.elsewhere_seen": "You saw where your session was used", "operator.login_refused": "Somebody was not let in:",
	"token.issued": "You made a token:", "token.revoked": "You revoked a token:", "policy.changed": "You changed the policy:", "capability.changed": "You changed what a tool may do:",
	"pairing.key_issued": "You asked for a pairing key,", "pairing.key_used": "A pairing key was used:", "pairing.refused": "Pairing was refused:",
	"interface.paired": "You paired an interface:", "interface.registered": "An interface made itself known:", "interface.scopes_approved": "You approved:",
	"interface.capabilities_changed": "An interface told its tools:", "interface.went_offline": "Out of reach:", "interface.came_online": "Within reach:", "interface.removed": "You removed an interface:", "interface.expired": "An interface was forgotten:",
	"stream.added": "You listened to a broadcast:", "stream.removed": "You stopped listening:",
	"system.started": "Chalie started:", "system.stopped": "Chalie stopped:", "record.lost": "A record was lost:", "service.died": "A service died:", "service.recovered": "A service recovered:",
	"projection.rebuilt": "What is known was folded again:", "projection.diverged": "What is known was found to differ:",
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
	case e.Root.Type == "signal.received":
		return "Chalie heard it, and keeps it in mind while it matters."
	case e.Root.Type == "context.updated":
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

package replay

import (
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/wording"
)

// toolLabel tells a step of an invocation.
func toolLabel(e domain.Envelope, name string) string {
	switch e.Type {
	case "tool.invoked":
		return words(e, func(p domain.ToolInvoked) string {
			return "asked for " + toolOf(p, name) + withValues(p)
		})
	case "policy.decided":
		return words(e, func(p domain.PolicyDecided) string { return "the policy " + wording.Decision(p, "it") })
	case "tool.dispatched":
		return "the call left"
	case "tool.completed":
		return words(e, completedLabel)
	case "tool.failed":
		return words(e, func(p domain.ToolFailed) string { return "the call failed: " + reason(p.Reason, p.Detail) })
	case "tool.outcome_unknown":
		return words(e, func(p domain.ToolOutcomeUnknown) string {
			return "nobody knows what came of the call: " + reason(p.Reason, p.Detail)
		})
	}
	return ""
}

// toolOf names a tool, and whose it is when that is known.
func toolOf(p domain.ToolInvoked, name string) string {
	if name == "" || name == ownName {
		return "the tool " + shortened(p.Tool, maxName)
	}
	return "the tool " + shortened(p.Tool, maxName) + " of " + name
}

// withValues is what a tool was given, to stand behind its name.
func withValues(p domain.ToolInvoked) string {
	if values := wording.Values(p.Params); values != "" {
		return " with " + shortened(values, maxLabel)
	}
	return ""
}

func completedLabel(p domain.ToolCompleted) string {
	switch {
	case p.Error != nil:
		return "the tool says it failed: " + *p.Error
	case answerOf(p) != "":
		return "the tool answered: " + answerOf(p)
	}
	return "the tool answered"
}

// answerOf is what a tool answered, as text: the values of its data when that is all there is.
func answerOf(p domain.ToolCompleted) string {
	if p.Text != nil && strings.TrimSpace(*p.Text) != "" {
		return *p.Text
	}
	if text := domain.PlainText(p.Blocks); text != "" {
		return text
	}
	return wording.Answer(p.Data)
}

func reason(code domain.Code, detail string) string {
	if detail != "" {
		return detail
	}
	return wording.Spelt(string(code))
}

// senderLabel tells how a sender came to be known, and what became of it.
func senderLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case "pairing.key_issued":
		return "you made a pairing key"
	case "pairing.key_used":
		return words(e, func(p domain.PairingKeyUsed) string { return p.Name + " used a pairing key" })
	case "pairing.refused":
		return words(e, func(p domain.PairingRefused) string { return "a pairing was refused: " + p.Detail })
	case "interface.paired":
		return words(e, func(p domain.InterfacePaired) string { return "the interface " + p.Name + " was paired" })
	case "interface.registered":
		return words(e, func(p domain.InterfaceRegistered) string { return "the interface " + p.Name + " registered by itself" })
	case "interface.scopes_approved":
		return "you decided what an interface may do"
	case "interface.capabilities_changed":
		return "an interface changed what it offers"
	case "interface.went_offline":
		return words(e, func(p domain.InterfaceWentOffline) string { return "an interface stopped answering: " + p.Reason })
	case "interface.came_online":
		return "an interface answers again"
	case "interface.removed":
		return "you removed an interface"
	case "interface.expired":
		return words(e, func(p domain.InterfaceExpired) string { return "an interface was forgotten: " + p.Reason })
	case "stream.added":
		return words(e, func(p domain.StreamAdded) string { return "you had Chalie listen to " + p.Source })
	case "stream.removed":
		return "you had Chalie stop listening to a stream"
	case "token.issued":
		return words(e, func(p domain.TokenIssued) string { return "you gave a token to " + p.Name })
	case "token.revoked":
		return words(e, func(p domain.TokenRevoked) string { return "you revoked the token of " + p.Name })
	}
	return ""
}

// houseLabel tells what concerns Chalie itself.
func houseLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case "operator.registered":
		return "you made your account"
	case "operator.password_changed":
		return "you changed your password"
	case "operator.logged_in":
		return "you logged in"
	case "session.extended":
		return "your session was extended"
	case "session.used_elsewhere":
		return "the cookie of your session was used elsewhere"
	case "session.elsewhere_seen":
		return "you saw that your session was used elsewhere"
	case "operator.login_refused":
		return "a login was refused"
	case "operator.logged_out":
		return "you logged out"
	case "request.answered":
		return words(e, func(p domain.RequestAnswered) string { return fmt.Sprintf("answered %s with %d", p.Route, p.Status) })
	case "policy.changed":
		return "you changed the policy"
	case "capability.changed":
		return words(e, func(p domain.CapabilityChanged) string {
			return "you said what the policy is to know of " + p.CapabilityID
		})
	case "projection.rebuilt":
		return words(e, func(p domain.ProjectionRebuilt) string {
			if p.RolledBack {
				return p.Name + " was put back to the state kept before"
			}
			return p.Name + " was built again from the log"
		})
	case "projection.diverged":
		return words(e, func(p domain.ProjectionDiverged) string {
			return p.Name + " was found to know something else than the log says"
		})
	case "service.died":
		return words(e, func(p domain.ServiceDied) string { return with(p.Service+" stopped working", p.Reason) })
	case "service.recovered":
		return words(e, func(p domain.ServiceRecovered) string { return p.Service + " works again" })
	case domain.LostType:
		return "a record of the log was lost"
	case "system.started":
		return words(e, func(p domain.SystemStarted) string { return "Chalie started, version " + p.Version })
	case "system.stopped":
		return words(e, func(p domain.SystemStopped) string { return "Chalie stopped: " + p.Reason })
	}
	return ""
}

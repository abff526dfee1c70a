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
	case domain.ToolInvokedType:
		return words(e, func(p domain.ToolInvoked) string {
			return "asked for " + toolOf(p, name) + withValues(p)
		})
	case domain.PolicyDecidedType:
		return words(e, func(p domain.PolicyDecided) string { return "the policy " + wording.Decision(p, "it") })
	case domain.ToolDispatchedType:
		return "the call left"
	case domain.ToolCompletedType:
		return words(e, completedLabel)
	case domain.ToolFailedType:
		return words(e, func(p domain.ToolFailed) string { return "the call failed: " + reason(p.Reason, p.Detail) })
	case domain.ToolOutcomeUnknownType:
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
	case domain.PairingKeyIssuedType:
		return "you made a pairing key"
	case domain.PairingKeyUsedType:
		return words(e, func(p domain.PairingKeyUsed) string { return p.Name + " used a pairing key" })
	case domain.PairingRefusedType:
		return words(e, func(p domain.PairingRefused) string { return "a pairing was refused: " + p.Detail })
	case domain.InterfacePairedType:
		return words(e, func(p domain.InterfacePaired) string { return "the interface " + p.Name + " was paired" })
	case domain.InterfaceRegisteredType:
		return words(e, func(p domain.InterfaceRegistered) string { return "the interface " + p.Name + " registered by itself" })
	case domain.ScopesApprovedType:
		return "you decided what an interface may do"
	case domain.CapabilitiesChangedType:
		return "an interface changed what it offers"
	case domain.InterfaceWentOfflineType:
		return words(e, func(p domain.InterfaceWentOffline) string { return "an interface stopped answering: " + p.Reason })
	case domain.InterfaceCameOnlineType:
		return "an interface answers again"
	case domain.InterfaceRemovedType:
		return "you removed an interface"
	case domain.InterfaceExpiredType:
		return words(e, func(p domain.InterfaceExpired) string { return "an interface was forgotten: " + p.Reason })
	case domain.StreamAddedType:
		return words(e, func(p domain.StreamAdded) string { return "you had Chalie listen to " + p.Source })
	case domain.StreamRemovedType:
		return "you had Chalie stop listening to a stream"
	case domain.TokenIssuedType:
		return words(e, func(p domain.TokenIssued) string { return "you gave a token to " + p.Name })
	case domain.TokenRevokedType:
		return words(e, func(p domain.TokenRevoked) string { return "you revoked the token of " + p.Name })
	}
	return ""
}

// houseLabel tells what concerns Chalie itself.
func houseLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case domain.OperatorRegisteredType:
		return "you made your account"
	case domain.PasswordChangedType:
		return "you changed your password"
	case domain.OperatorLoggedInType:
		return "you logged in"
	case domain.SessionExtendedType:
		return "your session was extended"
	case domain.SessionUsedElsewhereType:
		return "the cookie of your session was used elsewhere"
	case domain.SessionElsewhereSeenType:
		return "you saw that your session was used elsewhere"
	case domain.OperatorLoginRefusedType:
		return "a login was refused"
	case domain.OperatorLoggedOutType:
		return "you logged out"
	case domain.RequestAnsweredType:
		return words(e, func(p domain.RequestAnswered) string { return fmt.Sprintf("answered %s with %d", p.Route, p.Status) })
	case domain.PolicyChangedType:
		return "you changed the policy"
	case domain.CapabilityChangedType:
		return words(e, func(p domain.CapabilityChanged) string {
			return "you said what the policy is to know of " + p.CapabilityID
		})
	case domain.ProjectionRebuiltType:
		return words(e, func(p domain.ProjectionRebuilt) string {
			if p.RolledBack {
				return p.Name + " was put back to the state kept before"
			}
			return p.Name + " was built again from the log"
		})
	case domain.ProjectionDivergedType:
		return words(e, func(p domain.ProjectionDiverged) string {
			return p.Name + " was found to know something else than the log says"
		})
	case domain.ServiceDiedType:
		return words(e, func(p domain.ServiceDied) string { return with(p.Service+" stopped working", p.Reason) })
	case domain.ServiceRecoveredType:
		return words(e, func(p domain.ServiceRecovered) string { return p.Service + " works again" })
	case domain.RecordLostType:
		return "a record of the log was lost"
	case domain.SystemStartedType:
		return words(e, func(p domain.SystemStarted) string { return "Chalie started, version " + p.Version })
	case domain.SystemStoppedType:
		return words(e, func(p domain.SystemStopped) string { return "Chalie stopped: " + p.Reason })
	}
	return ""
}

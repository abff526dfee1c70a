package gist

import (
	"encoding/json"
	"fmt"
	"strings"

	"chalie/domain"
)

// Of is an envelope's content in a few words. Types without a line of their
// own show their payload as it is.
func Of(e domain.Envelope) string {
	text := payloadGist(e)
	if len(e.Errors) > 0 {
		if text != "" && !strings.HasPrefix(text, "(") {
			text = "(" + text + ")"
		}
		text = e.Errors[0].Message + " " + text
	}
	return Line(text)
}

func payloadGist(e domain.Envelope) string {
	switch e.Payload.Encoding {
	case domain.EncodingErased:
		return "(erased)"
	case domain.EncodingSealed:
		return "(sealed)"
	}
	switch e.Type {
	case domain.SignalReceivedType:
		return say(e, func(p domain.SignalReceived) string {
			if p.Source != "" && p.Source != string(e.Source) && p.Source != string(e.Principal) {
				return fmt.Sprintf("%s from %s: %s", p.SignalType, p.Source, p.Content)
			}
			return p.SignalType + ": " + p.Content
		})
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.SteerReceivedType, domain.ImageUploadedType,
		domain.MessageQueuedType, domain.CancelReceivedType:
		return saidGist(e)
	case domain.ReasoningStartedType, domain.ModelCalledType, domain.ModelRepliedType, domain.ModelFailedType,
		domain.CallRejectedType, domain.AnswerVerifiedType,
		domain.ReasoningYieldedType, domain.ReasoningResumedType, domain.ReasoningConcludedType:
		return thoughtGist(e)
	case domain.SpineSignalEmittedType, domain.SpineSignalDroppedType:
		return spineGist(e)
	case domain.ProjectionRebuiltType:
		return rebuiltGist(e)
	case domain.ProjectionDivergedType:
		return divergedGist(e)
	case domain.ServiceDiedType, domain.ServiceRecoveredType:
		return lifeGist(e)
	case domain.TimerDueType, domain.ReminderSetType, domain.ReminderChangedType, domain.ReminderDoneType, domain.ReminderCancelledType,
		domain.TaskCreatedType, domain.TaskChangedType, domain.TaskProgressedType, domain.TaskCompletedType, domain.TaskDroppedType,
		domain.ListCreatedType, domain.ListItemAddedType, domain.ListItemRemovedType, domain.ListRemovedType, domain.MemoryRememberedType, domain.MemoryForgottenType:
		return planGist(e)
	case domain.ToolInvokedType, domain.PolicyDecidedType, domain.ToolDispatchedType, domain.ToolCompletedType,
		domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		return toolGist(e)
	case domain.ApprovalProposedType, domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType, domain.AttemptRefusedType:
		return approvalGist(e)
	case domain.PolicyChangedType, domain.CapabilityChangedType:
		return policyGist(e)
	case domain.ToolVerifiedType, domain.StateTakenType:
		return checkGist(e)
	case domain.PairingKeyIssuedType, domain.PairingKeyUsedType, domain.PairingRefusedType, domain.InterfacePairedType, domain.InterfaceRegisteredType,
		domain.ScopesApprovedType, domain.CapabilitiesChangedType, domain.InterfaceWentOfflineType, domain.InterfaceCameOnlineType,
		domain.InterfaceRemovedType, domain.InterfaceExpiredType, domain.ContextUpdatedType:
		return interfaceGist(e)
	case domain.OperatorRegisteredType, domain.PasswordChangedType, domain.OperatorLoggedInType,
		domain.OperatorLoginRefusedType, domain.SessionUsedElsewhereType, domain.TokenIssuedType, domain.TokenRevokedType:
		return accountGist(e)
	case domain.StreamAddedType:
		return say(e, func(p domain.StreamAdded) string { return fmt.Sprintf("%s at %s", p.Source, WithoutQuery(p.URL)) })
	case domain.StreamRemovedType:
		return say(e, func(p domain.StreamRemoved) string { return "stream " + p.StreamID.UUID() + " is heard no more" })
	case domain.RequestAnsweredType:
		return say(e, func(p domain.RequestAnswered) string { return fmt.Sprintf("%s → %d", p.Route, p.Status) })
	case domain.RecordLostType:
		return say(e, lostGist)
	case domain.SystemStartedType:
		return say(e, func(p domain.SystemStarted) string {
			return fmt.Sprintf("version %s, log at %s", p.Version, Grouped(uint64(p.Tail)))
		})
	case domain.SystemStoppedType:
		return say(e, func(p domain.SystemStopped) string { return p.Reason })
	}
	return raw(e)
}

// lostGist tells what became of the record whose place another took.
func lostGist(p domain.RecordLost) string {
	switch {
	case p.Reason == domain.LostToAnother:
		return "lost: the export that was imported lacked this record"
	case p.Copy != "":
		return "lost to damage; what was left is kept in " + p.Copy
	}
	return "lost to damage"
}

// say tells a payload by its fields; one that this version can't read is shown
// as it is.
func say[P any](e domain.Envelope, tell func(P) string) string {
	p, err := domain.Decode[P](e)
	if err != nil {
		return raw(e)
	}
	return tell(p)
}

func raw(e domain.Envelope) string {
	if e.Payload.Encoding != domain.EncodingJSON {
		return fmt.Sprintf("(%s)", Counted(len(e.Payload.Bytes), "byte", "bytes"))
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(e.Payload.Bytes, &fields) == nil && len(fields) == 0 {
		return ""
	}
	return strings.TrimSpace(string(e.Payload.Bytes))
}

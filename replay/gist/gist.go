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
	case "signal.received":
		return say(e, func(p domain.SignalReceived) string {
			if p.Source != "" && p.Source != string(e.Source) && p.Source != string(e.Principal) {
				return fmt.Sprintf("%s from %s: %s", p.SignalType, p.Source, p.Content)
			}
			return p.SignalType + ": " + p.Content
		})
	case "message.received", "action.received", "steer.received", "image.uploaded", "message.queued", "cancel.received":
		return saidGist(e)
	case "reasoning.started", "model.called", "model.replied", "model.failed", "call.rejected", "answer.verified",
		"reasoning.yielded", "reasoning.resumed", "reasoning.concluded":
		return thoughtGist(e)
	case "spine.signal_emitted", "spine.signal_dropped":
		return spineGist(e)
	case "projection.rebuilt":
		return rebuiltGist(e)
	case "projection.diverged":
		return divergedGist(e)
	case "service.died", "service.recovered":
		return lifeGist(e)
	case "timer.due", "reminder.set", "reminder.changed", "reminder.done", "reminder.cancelled",
		"task.created", "task.changed", "task.progressed", "task.completed", "task.dropped",
		"list.created", "list.item_added", "list.item_removed", "list.removed", "memory.remembered", "memory.forgotten":
		return planGist(e)
	case "tool.invoked", "policy.decided", "tool.dispatched", "tool.completed", "tool.failed", "tool.outcome_unknown":
		return toolGist(e)
	case "approval.proposed", "approval.granted", "approval.refused", "approval.expired", "approval.attempt_refused":
		return approvalGist(e)
	case "policy.changed", "capability.changed":
		return policyGist(e)
	case "tool.verified", "tool.state_taken":
		return checkGist(e)
	case "pairing.key_issued", "pairing.key_used", "pairing.refused", "interface.paired", "interface.registered",
		"interface.scopes_approved", "interface.capabilities_changed", "interface.went_offline", "interface.came_online",
		"interface.removed", "interface.expired", "context.updated":
		return interfaceGist(e)
	case "operator.registered", "operator.password_changed", "operator.logged_in", "operator.login_refused", "session.used_elsewhere", "token.issued", "token.revoked":
		return accountGist(e)
	case "stream.added":
		return say(e, func(p domain.StreamAdded) string { return fmt.Sprintf("%s at %s", p.Source, WithoutQuery(p.URL)) })
	case "stream.removed":
		return say(e, func(p domain.StreamRemoved) string { return "stream " + p.StreamID.UUID() + " is heard no more" })
	case "request.answered":
		return say(e, func(p domain.RequestAnswered) string { return fmt.Sprintf("%s → %d", p.Route, p.Status) })
	case domain.LostType:
		return say(e, lostGist)
	case "system.started":
		return say(e, func(p domain.SystemStarted) string {
			return fmt.Sprintf("version %s, log at %s", p.Version, Grouped(uint64(p.Tail)))
		})
	case "system.stopped":
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

package httpapi

import (
	"strings"

	"chalie/domain"
)

// What the gateway refuses says what the interface's author or the person is to
// do next, as a whole command where one helps.

func unknownInterface(cause error) error {
	return &domain.Error{Op: "speak through gateway", Category: domain.NotFound, Code: "no_interface", Message: "Unknown interface", Err: cause}
}

// nothingApproved refuses one that may send nothing at all.
func nothingApproved(i domain.Interface) error {
	message := i.Name + " may send nothing yet: approve what it asks for with: " + approveCommand(i)
	switch {
	case i.Origin == domain.OriginPaired:
		message = byToken(i, "/api/signals and /api/messages")
	case i.Scopes.Empty():
		message = i.Name + " may send nothing, because it asks for nothing: register again with scopes that name what you send"
	}
	return &domain.Error{Op: "speak through gateway", Category: domain.Policy, Code: "nothing_approved", Message: message}
}

// undecided refuses a call of its own page, of one the person hasn't decided about.
func undecided(i domain.Interface) error {
	return &domain.Error{Op: "speak through gateway", Category: domain.Policy, Code: "nothing_approved",
		Message: i.Name + " waits for your decision, and can't be asked to do anything before: decide with: " + approveCommand(i)}
}

// notApproved refuses one key of field. An approval is no help where it wasn't
// asked for.
func notApproved(i domain.Interface, asked map[string]string, field, key string) error {
	message := field + " " + clip(key) + " is not approved for " + i.Name + ": "
	_, known := asked[key]
	switch {
	case i.Origin == domain.OriginPaired:
		message += byToken(i, sendingPath(field))
	case known:
		message += "approve what it asks for with: " + approveCommand(i)
	default:
		message += "it doesn't ask for it: register again with scopes that name it"
	}
	return scopeRefusal(field, message)
}

// noMessages refuses a message without a topic of one that may send none.
func noMessages(i domain.Interface) error {
	message := "sending messages is not approved for " + i.Name + ": "
	switch {
	case i.Origin == domain.OriginPaired:
		message += byToken(i, sendingPath("topic"))
	case len(i.Scopes.Messages) > 0:
		message += "approve what it asks for with: " + approveCommand(i)
	default:
		message += "it doesn't ask for it: register again with a topic in scopes.messages"
	}
	return scopeRefusal("topic", message)
}

func scopeRefusal(field, message string) error {
	return &domain.Error{Op: "speak through gateway", Category: domain.Policy, Code: "scope_not_approved", Field: field, Message: message}
}

func byToken(i domain.Interface, paths string) string {
	return i.Name + " is paired: it sends with its token, as Authorization: Bearer …, to " + paths
}

// sendingPath is where a token sends what has that field.
func sendingPath(field string) string {
	if field == "topic" {
		return "/api/messages"
	}
	return "/api/signals"
}

// approveCommand can be entered into a shell as it is. A name is its program's
// own choice, so one that a shell could take for more gives way to the id.
func approveCommand(i domain.Interface) string {
	const command = "chalie interfaces approve "
	special := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune(" ._-", r)
	}
	if strings.HasPrefix(i.Name, "-") || strings.ContainsFunc(i.Name, special) {
		return command + i.ID.UUID()
	}
	if strings.Contains(i.Name, " ") {
		return command + "'" + i.Name + "'"
	}
	return command + i.Name
}

package gist

import (
	"strings"

	"chalie/domain"
)

// accountGist tells who was let in.
func accountGist(e domain.Envelope) string {
	switch e.Type {
	case domain.OperatorRegisteredType:
		return say(e, func(p domain.OperatorRegistered) string { return "account " + p.Username })
	case domain.PasswordChangedType:
		return say(e, func(p domain.PasswordChanged) string {
			if p.SessionHash == "" {
				return "every session ended"
			}
			return "every other session ended"
		})
	case domain.OperatorLoggedInType:
		return say(e, func(p domain.OperatorLoggedIn) string { return visitor(p.From, p.Relayed, p.UserAgent) })
	case domain.SessionUsedElsewhereType:
		return say(e, func(p domain.SessionUsedElsewhere) string {
			return "its cookie alone " + visitor(p.From, p.Relayed, p.UserAgent)
		})
	case domain.OperatorLoginRefusedType:
		return say(e, func(p domain.OperatorLoginRefused) string {
			return Counted(p.Count, "refused login", "refused logins")
		})
	case domain.TokenIssuedType:
		return say(e, func(p domain.TokenIssued) string { return p.Name + " may send " + Permitted(p.Signals) })
	}
	return say(e, func(p domain.TokenRevoked) string { return p.Name })
}

// visitor is where somebody came from, and with what.
func visitor(from string, relayed bool, userAgent string) string {
	var parts []string
	if from := CameFrom(from, relayed); from != "" {
		parts = append(parts, from)
	}
	if userAgent != "" {
		parts = append(parts, "with "+Client(userAgent))
	}
	return strings.Join(parts, ", ")
}

// CameFrom is where a login came from, as of domain.Visitor; "" when nobody knows.
func CameFrom(from string, relayed bool) string {
	switch {
	case from == "":
		return ""
	case !relayed:
		return "from " + from
	case from == domain.ThisMachine:
		return "through a proxy on " + from
	}
	return "through a proxy at " + from
}

package domain

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Bounds of what an interface says of itself.
const (
	MaxInterfaceNameBytes = 128
	MaxHostBytes          = 253
	MaxInterfaceTextBytes = 4 << 10 // version, description, author, each
)

// CheckInterface judges what an interface says of itself.
func CheckInterface(name, host string, port int, texts ...string) error {
	const op = "check interface"
	switch {
	case isBlank(name):
		return Invalid(op, "name", "name is required: say what the interface is called")
	case len(name) > MaxInterfaceNameBytes || hasControl(name) || !utf8.ValidString(name):
		return Invalid(op, "name", fmt.Sprintf("name must be printable and have at most %d bytes", MaxInterfaceNameBytes))
	case isBlank(host) || len(host) > MaxHostBytes || hasControl(host) || !utf8.ValidString(host):
		return Invalid(op, "host", "host is required: a host name or an IP address without scheme and port")
	case port < 1 || port > 65535:
		return Invalid(op, "port", fmt.Sprintf("port is %d: give 1 to 65535", port))
	}
	for _, t := range texts {
		if len(t) > MaxInterfaceTextBytes || !utf8.ValidString(t) {
			return Invalid(op, "", fmt.Sprintf("version, description and author have at most %d bytes of UTF-8 each", MaxInterfaceTextBytes))
		}
	}
	return nil
}

// IssuePairingKey lets one interface pair until the key expires.
func (r *Registry) IssuePairingKey(hash SecretHash, now Millis) PairingKeyIssued {
	return PairingKeyIssued{KeyHash: hash.String(), ExpiresAt: now.Add(PairingKeyLifetime)}
}

// Codes of what can be wrong with a pairing key.
const (
	CodeWrongKey   Code = "wrong_key"
	CodeExpiredKey Code = "expired_key"
	CodeUsedKey    Code = "used_key"
)

// UsePairingKey burns a key for an attempt to pair. The position is that of its
// issue: the event is appended on the condition that nothing came under its key
// since. Errors are validation errors with one of the codes above.
func (r *Registry) UsePairingKey(hash SecretHash, name, host string, port int, now Millis) (PairingKeyUsed, Position, error) {
	refused := func(code Code, message string) error {
		return &Error{Op: "pair", Category: Validation, Code: code, Field: "pairing_key", Message: message}
	}
	k, ok := r.Keys[hash]
	if _, burnt := r.Burnt[hash]; burnt {
		return PairingKeyUsed{}, 0, refused(CodeUsedKey, "this pairing key was used already: every key is good for one attempt; generate a new one")
	}
	if !ok {
		return PairingKeyUsed{}, 0, refused(CodeWrongKey, "this pairing key is not known: generate one, and enter it as it is shown")
	}
	if now >= k.ExpiresAt {
		return PairingKeyUsed{}, 0, refused(CodeExpiredKey, "this pairing key has expired: a key is good for ten minutes; generate a new one")
	}
	return PairingKeyUsed{KeyHash: hash.String(), Name: name, Host: host, Port: port}, k.Position, nil
}

// Register decides what a daemon's registration changes; false when everything
// is known already. fresh is the id of one that was never seen. At a place where
// an interface was before the id stays that one's, so that it survives a restart
// of either side.
func (r *Registry) Register(in InterfaceRegistered, fresh ID) (e InterfaceRegistered, isNew, changed bool) {
	known := r.Endpoints[EndpointKey(in.Host, in.Port)].InterfaceID
	old := r.Interfaces[known]
	switch {
	case known.IsZero() || old != nil && old.Origin == OriginPaired:
		in.InterfaceID = fresh
	default:
		in.InterfaceID = known
	}
	if old == nil || old.Origin == OriginPaired {
		return in, true, true
	}
	same := old.Name == in.Name && old.Version == in.Version && old.Description == in.Description &&
		old.Author == in.Author && old.Scopes.Equal(in.Scopes)
	return in, false, !same
}

// Approve decides what the person allows; false when that was allowed already.
// Keys that weren't asked for are a validation error.
func (r *Registry) Approve(id ID, approved Approval) (ScopesApproved, bool, error) {
	i := r.Interfaces[id]
	if i == nil {
		return ScopesApproved{}, false, NoInterface(id)
	}
	if !approved.Within(i.Scopes).Equal(approved) {
		return ScopesApproved{}, false, Invalid("approve scopes", "approved_scopes",
			"approved_scopes holds a key that the interface didn't ask for: approve only what stands in requested_scopes")
	}
	return ScopesApproved{InterfaceID: id, Approved: approved}, !i.Decided || !i.Approved.Equal(approved), nil
}

// Refresh decides whether an interface offers something else than was known.
func (r *Registry) Refresh(id ID, version string, tools []Tool, meta json.RawMessage) (CapabilitiesChanged, bool, error) {
	i := r.Interfaces[id]
	if i == nil {
		return CapabilitiesChanged{}, false, NoInterface(id)
	}
	was, err := marshal(i.Tools)
	if err != nil {
		return CapabilitiesChanged{}, false, err
	}
	is, err := marshal(tools)
	if err != nil {
		return CapabilitiesChanged{}, false, err
	}
	changed := i.Version != version || !sameJSON(was, is) || !sameJSON(i.Meta, meta)
	return CapabilitiesChanged{InterfaceID: id, Version: version, Tools: tools, Meta: orNull(meta)}, changed, nil
}

// GoOffline is recorded once for each time; false when it is known.
func (r *Registry) GoOffline(id ID, failures int, reason string) (InterfaceWentOffline, bool) {
	i := r.Interfaces[id]
	if i == nil || i.Offline {
		return InterfaceWentOffline{}, false
	}
	return InterfaceWentOffline{InterfaceID: id, Failures: failures, Reason: reason}, true
}

// ComeOnline is recorded once for each time; false when it is known.
func (r *Registry) ComeOnline(id ID) (InterfaceCameOnline, bool) {
	i := r.Interfaces[id]
	if i == nil || !i.Offline {
		return InterfaceCameOnline{}, false
	}
	return InterfaceCameOnline{InterfaceID: id}, true
}

// Remove ends an interface, or returns a not-found error.
func (r *Registry) Remove(id ID) (InterfaceRemoved, error) {
	if r.Interfaces[id] == nil {
		return InterfaceRemoved{}, NoInterface(id)
	}
	return InterfaceRemoved{InterfaceID: id}, nil
}

// NoInterface says that there is none of that id.
func NoInterface(id ID) error {
	return &Error{Op: "find interface", Category: NotFound, Code: "no_interface",
		Message: fmt.Sprintf("there is no interface %s: list the interfaces to see which there are", id.UUID())}
}

package domain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of what an interface says of itself.
const (
	MaxInterfaceNameBytes = 128
	MaxHostBytes          = 253
	MaxInterfaceTextBytes = 4 << 10 // version, description, author, each
)

// OwnName is the interface that Chalie's own tools are listed under. No other may have
// a name like it.
const OwnName = "Chalie"

// CheckInterface judges what an interface says of itself.
func CheckInterface(name, host string, port int, texts ...string) error {
	const op = "check interface"
	switch {
	case isBlank(name):
		return Invalid(op, "name", "name is required: say what the interface is called")
	case len(name) > MaxInterfaceNameBytes || hasControl(name) || !utf8.ValidString(name):
		return Invalid(op, "name", fmt.Sprintf("name must be printable and have at most %d bytes", MaxInterfaceNameBytes))
	case strings.EqualFold(strings.TrimSpace(name), OwnName):
		return Invalid(op, "name", "the name "+OwnName+" is taken by what Chalie itself can do: choose another")
	case !isHost(host):
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

// isHost reports whether a text can stand as a host in a URL: a name, an IPv4
// address, or an IPv6 address without brackets.
func isHost(host string) bool {
	for _, r := range host {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune(".-_:", r) {
			return false
		}
	}
	return host != "" && len(host) <= MaxHostBytes
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

// UsePairingKey burns a key for an attempt to pair. With it comes the key's issue:
// the event is appended on the condition that nothing came under its key since.
// Errors are validation errors with one of the codes above.
func (r *Registry) UsePairingKey(hash SecretHash, name, host string, port int, now Millis) (PairingKeyUsed, PairingKey, error) {
	if _, burnt := r.Burnt[hash]; burnt {
		return PairingKeyUsed{}, PairingKey{}, NoPairingKey(CodeUsedKey)
	}
	k, ok := r.Keys[hash]
	switch {
	case !ok:
		return PairingKeyUsed{}, PairingKey{}, NoPairingKey(CodeWrongKey)
	case now.Sub(r.Setbacks.Since(k.Position, k.ExpiresAt.Add(-PairingKeyLifetime), now)) >= PairingKeyLifetime:
		return PairingKeyUsed{}, PairingKey{}, NoPairingKey(CodeExpiredKey)
	}
	return PairingKeyUsed{KeyHash: hash.String(), Name: name, Host: host, Port: port}, k, nil
}

// NoPairingKey says what is wrong with a pairing key.
func NoPairingKey(code Code) error {
	message := "this pairing key is not known: generate one, and enter it as it is shown"
	switch code {
	case CodeUsedKey:
		message = "this pairing key was used already: every key is good for one attempt, so generate a new one"
	case CodeExpiredKey:
		message = "this pairing key has expired: a key is good for ten minutes, so generate a new one"
	}
	return &Error{Op: "pair", Category: Validation, Code: code, Field: "pairing_key", Message: message}
}

// DeclareSignals is every signal type that a pairing interface names, in its
// request or in the scopes it asks for: sorted, each once. None means that it may
// send any.
func DeclareSignals(named []string, asked Scopes) ([]string, error) {
	return checkTokenSignals(slices.AppendSeq(slices.Clone(named), maps.Keys(asked.Signals)))
}

// Register decides what a daemon's registration changes. fresh is the id of one
// that isn't known at its place. One that is keeps its id, so that the id survives
// a restart of either side, until the person removes it: the id is what lets the
// daemon in, so after a removal it gets another, and is judged anew.
//
// isNew reports that it got the fresh id; changed that there is something to
// record. A place where a paired interface listens is a conflict: registering needs
// no credentials, and must not end what the person paired.
func (r *Registry) Register(in InterfaceRegistered, fresh ID) (e InterfaceRegistered, isNew, changed bool, err error) {
	old, ok := r.At(in.Host, in.Port)
	if !ok {
		if err := r.hasRoom(); err != nil {
			return InterfaceRegistered{}, false, false, err
		}
		if err := r.hasRoomForPending(); err != nil {
			return InterfaceRegistered{}, false, false, err
		}
		in.InterfaceID = fresh
		return in, true, true, nil
	}
	if old.Origin == OriginPaired {
		return InterfaceRegistered{}, false, false, &Error{Op: "register interface", Category: Conflict, Code: "place_taken", Field: "port",
			Message: fmt.Sprintf("%s is paired and listens at port %d: remove it first, or listen at another port", old.Name, in.Port)}
	}
	in.InterfaceID = old.ID
	same := old.Name == in.Name && old.Version == in.Version && old.Description == in.Description &&
		old.Author == in.Author && old.Scopes.Equal(in.Scopes)
	return in, false, !same, nil
}

// MaxInterfaces bounds how many interfaces are known at once: a program of this
// machine may register as many as it has ports.
const MaxInterfaces = 2000

func (r *Registry) hasRoom() error {
	if len(r.Interfaces) < MaxInterfaces {
		return nil
	}
	return &Error{Op: "add interface", Category: Conflict, Code: "too_many_interfaces",
		Message: fmt.Sprintf("Chalie knows %d interfaces, which is the bound: remove one first", MaxInterfaces)}
}

// MaxPending bounds how many interfaces wait for the person at a time: a
// program that registers has shown nothing but where it is.
const MaxPending = 20

// How long an interface waits for the person. One that is gone needs no
// decision; one that registers again waits anew.
const (
	PendingLifetime        = 7 * 24 * time.Hour
	PendingLifetimeOffline = 10 * time.Minute
)

// CodeTooManyPending says that too many interfaces wait for the person already.
const CodeTooManyPending Code = "too_many_pending"

func (r *Registry) hasRoomForPending() error {
	waiting := 0
	for _, i := range r.Interfaces {
		if i.Status() == StatusPending {
			waiting++
		}
	}
	if waiting < MaxPending {
		return nil
	}
	return &Error{Op: "register interface", Category: Conflict, Code: CodeTooManyPending, Retriable: true, RetryAfter: time.Minute,
		Message: fmt.Sprintf("%d interfaces wait for the operator's approval already, which is the bound: approve or remove some of them, or pair this one with a key. One that doesn't answer any more is forgotten after %d minutes",
			waiting, int(PendingLifetimeOffline.Minutes()))}
}

// Expire decides which interfaces have waited too long for the person, in the order
// they became known.
func (r *Registry) Expire(now Millis) (out []InterfaceExpired) {
	for _, i := range r.Listed() {
		if i.Status() != StatusPending {
			continue
		}
		switch waited := now.Sub(r.Setbacks.Since(i.AskedBy, i.Asked, now)); {
		case waited >= PendingLifetime:
			out = append(out, InterfaceExpired{i.ID, "nobody decided about it within a week"})
		case i.Offline && waited >= PendingLifetimeOffline:
			out = append(out, InterfaceExpired{i.ID, "it waited for a decision and stopped answering"})
		}
	}
	return out
}

// Bounds of a registration, far below those of an interface that was paired with a key.
const (
	MaxRegistrationBytes = 16 << 10
	MaxRegisteredScopes  = 64 // in all categories together
)

// Check judges what comes without any credential.
func (e InterfaceRegistered) Check() error {
	const op = "check registration"
	if err := CheckInterface(e.Name, e.Host, e.Port, e.Version, e.Description, e.Author); err != nil {
		return err
	}
	if err := e.Scopes.Check(); err != nil {
		return err
	}
	size := len(e.Name) + len(e.Version) + len(e.Description) + len(e.Author)
	keys := 0
	for _, c := range []map[string]string{e.Scopes.Context, e.Scopes.Signals, e.Scopes.Messages} {
		keys += len(c)
		for key, why := range c {
			size += len(key) + len(why)
		}
	}
	switch {
	case keys > MaxRegisteredScopes:
		return Invalid(op, "scopes", fmt.Sprintf("scopes has %d keys, the bound for one that registers is %d: ask for less, or pair with a key", keys, MaxRegisteredScopes))
	case size > MaxRegistrationBytes:
		return Invalid(op, "", fmt.Sprintf("what is registered takes %d bytes, the bound is %d: say it in fewer words, or pair with a key", size, MaxRegistrationBytes))
	}
	return nil
}

// Approve decides what the person allows; false when that was allowed already, by them or
// by the token that it was paired with.
// Keys that weren't asked for are a validation error.
func (r *Registry) Approve(id ID, approved Approval) (ScopesApproved, bool, error) {
	i := r.Interfaces[id]
	if i == nil {
		return ScopesApproved{}, false, NoInterface(id)
	}
	approved = NewApproval(approved.Context, approved.Signals, approved.Messages)
	if !approved.Within(i.Scopes).Equal(approved) {
		return ScopesApproved{}, false, Invalid("approve scopes", "approved_scopes",
			"approved_scopes holds a key that the interface didn't ask for: approve only what stands in requested_scopes")
	}
	return ScopesApproved{InterfaceID: id, Approved: approved}, !i.Decided || !i.beyondToken(i.Approved).Equal(i.beyondToken(approved)), nil
}

// beyondToken is what of an approval the interface's token doesn't let it do anyway.
func (i *Interface) beyondToken(a Approval) Approval {
	permitted := func(key string) bool { return slices.Contains(i.Signals, key) }
	a.Signals = slices.DeleteFunc(slices.Clone(a.Signals), permitted)
	return a
}

// Refresh decides whether an interface offers something else than was known. The
// version of one that registers is what it says when it does; "" leaves any as it
// was.
func (r *Registry) Refresh(id ID, version string, tools []Tool, meta json.RawMessage) (CapabilitiesChanged, bool, error) {
	i := r.Interfaces[id]
	if i == nil {
		return CapabilitiesChanged{}, false, NoInterface(id)
	}
	if version == "" || i.Origin == OriginRegistered {
		version = i.Version
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

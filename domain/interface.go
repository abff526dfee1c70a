package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// PairingKeyLifetime bounds the use of a pairing key.
const PairingKeyLifetime = 10 * time.Minute

// PairingKeyIssued lets one interface pair, once, until it expires. The key is
// known by its hash only.
type PairingKeyIssued struct {
	KeyHash   string `json:"key_hash"` // SHA-256, hex
	ExpiresAt Millis `json:"expires_at"`
}

// PairingKeyUsed burns a pairing key, whether the attempt then succeeds or not.
type PairingKeyUsed struct {
	KeyHash string `json:"key_hash"`
	Name    string `json:"name"`
	Host    string `json:"host"`
	Port    int    `json:"port"`
}

// PairingRefused says why attempts to pair came to nothing. What strangers try
// without a key is recorded at once, and then as one count a minute.
type PairingRefused struct {
	Reason string `json:"reason"` // wrong_key, expired_key, unreachable, bad_shape …
	Detail string `json:"detail"` // for people
	Count  int    `json:"count"`
	Since  Millis `json:"since"`
}

// InterfacePaired makes an interface known, with everything it needs to be used:
// it is whole, or it isn't there. Its id is the interface_id.
type InterfacePaired struct {
	Name        string          `json:"name"`
	Host        string          `json:"host"`
	Port        int             `json:"port"`
	Version     string          `json:"version"`
	Description string          `json:"description"`
	Author      string          `json:"author"`
	TokenHash   string          `json:"token_hash"` // of its bearer token, SHA-256, hex
	Signals     []string        `json:"signals"`    // types it may send, sorted; none means any
	Tools       []Tool          `json:"tools"`
	Scopes      Scopes          `json:"scopes"` // what its /meta asks for
	Meta        json.RawMessage `json:"meta"`   // its /meta as it came; null without one
}

// InterfaceRegistered makes known a daemon that came by itself, or changes what
// is known of it. It is identified by where it listens.
type InterfaceRegistered struct {
	InterfaceID ID     `json:"interface_id"`
	Name        string `json:"name"`
	Host        string `json:"host"`
	Port        int    `json:"port"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Author      string `json:"author"`
	Scopes      Scopes `json:"scopes"`
}

// ScopesApproved are the scopes that the person allows an interface, in place of those
// allowed before.
type ScopesApproved struct {
	InterfaceID ID       `json:"interface_id"`
	Approved    Approval `json:"approved"`
}

// CapabilitiesChanged has the tools that an interface now offers.
type CapabilitiesChanged struct {
	InterfaceID ID              `json:"interface_id"`
	Version     string          `json:"version"`
	Tools       []Tool          `json:"tools"`
	Meta        json.RawMessage `json:"meta"`
}

// InterfaceWentOffline takes an interface's tools out of sight.
type InterfaceWentOffline struct {
	InterfaceID ID     `json:"interface_id"`
	Failures    int    `json:"failures"` // checks in a row
	Reason      string `json:"reason"`   // of the last
}

// InterfaceCameOnline brings them back.
type InterfaceCameOnline struct {
	InterfaceID ID `json:"interface_id"`
}

// InterfaceRemoved ends an interface, its tools and its token at once.
type InterfaceRemoved struct {
	InterfaceID ID `json:"interface_id"`
}

// InterfaceExpired ends an interface that registered and that the person never decided
// about. One that registers again afterwards is a stranger.
type InterfaceExpired struct {
	InterfaceID ID     `json:"interface_id"`
	Reason      string `json:"reason"` // for people
}

// InterfaceKey marks everything that concerns one interface.
func InterfaceKey(id ID) Key { return interfacePrefix + Key(id.String()) }

const interfacePrefix = "interface/"

// samePlace is one spelling for a host that has several: this machine's name, and
// letters of either case.
func samePlace(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.") {
		return "127.0.0.1"
	}
	return host
}

// EndpointKey marks whatever makes known what listens at a host and port. It is a
// pseudonym: keys are in the log in clear, and a host's name can be a person's.
func EndpointKey(host string, port int) Key {
	sum := sha256.Sum256([]byte(samePlace(host) + ":" + strconv.Itoa(port)))
	return "endpoint/" + Key(hex.EncodeToString(sum[:]))
}

// pairingPrefix begins the keys of all envelopes about one pairing key.
const pairingPrefix = "pairing/"

// PairingKeyKey marks the issue and the use of one pairing key.
func PairingKeyKey(hash SecretHash) Key { return pairingPrefix + Key(hash.String()) }

// Keys go onto the event's envelope.
func (e PairingKeyIssued) Keys() []Key { return []Key{pairingPrefix + Key(e.KeyHash)} }

// Keys go onto the event's envelope.
func (e PairingKeyUsed) Keys() []Key { return []Key{pairingPrefix + Key(e.KeyHash)} }

// Keys go onto the event's envelope.
func (PairingRefused) Keys() []Key { return nil }

// Keys go onto the event's envelope, beside the InterfaceKey of its own
// id, which the event doesn't know.
func (e InterfacePaired) Keys() []Key { return []Key{EndpointKey(e.Host, e.Port), interfacesKey} }

// Keys go onto the event's envelope.
func (e InterfaceRegistered) Keys() []Key {
	return []Key{InterfaceKey(e.InterfaceID), EndpointKey(e.Host, e.Port), interfacesKey}
}

// interfacesKey makes the names of interfaces something to decide about: none that
// registers may look like another.
const interfacesKey Key = "interfaces"

// Keys go onto the event's envelope.
func (e ScopesApproved) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

// Keys go onto the event's envelope.
func (e CapabilitiesChanged) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

// Keys go onto the event's envelope.
func (e InterfaceWentOffline) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

// Keys go onto the event's envelope.
func (e InterfaceCameOnline) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

// Keys go onto the event's envelope.
func (e InterfaceRemoved) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

// Keys go onto the event's envelope.
func (e InterfaceExpired) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID)} }

package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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
// it is whole, or it isn't there. Its id is the interface_id. One without a host is a program
// that asks for its calls on Chalie's socket, and its name is its place.
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
func (e InterfacePaired) Keys() []Key { return []Key{placeKey(e.Name, e.Host, e.Port), interfacesKey} }

// placeKey is EndpointKey, also of a program that listens nowhere: its place is its name.
func placeKey(name, host string, port int) Key {
	if host == "" {
		return EndpointKey("program/"+name, port)
	}
	return EndpointKey(host, port)
}

// Keys go onto the event's envelope.
func (e InterfaceRegistered) Keys() []Key {
	return []Key{InterfaceKey(e.InterfaceID), EndpointKey(e.Host, e.Port), interfacesKey}
}

// interfacesKey makes the names of interfaces something to decide about: none that
// registers may look like another.
const interfacesKey Key = "interfaces"

// Keys go onto the event's envelope.
func (e ScopesApproved) Keys() []Key { return []Key{InterfaceKey(e.InterfaceID), RightsAskedKey} }

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

// Manifest is what the policy knows of a capability.
type Manifest struct {
	CapabilityID     string   `json:"capability_id"`
	Version          string   `json:"version"`
	SideEffects      bool     `json:"side_effects" doc:"It may change something."`
	RequiresApproval bool     `json:"requires_approval" doc:"Whoever asks, unless the person does it with their own hand."`
	Autonomy         Autonomy `json:"autonomy" doc:"The most it is trusted with."`
	Unasked          bool     `json:"unasked" doc:"The person marked it as safe to use when they didn't ask; no tool says so itself."`
	Ask              Asking   `json:"ask" enum:"always|as_said|never" doc:"Whether the person is asked before what they say themselves is done, as they chose."`
	MovesMoney       bool     `json:"moves_money" doc:"It may change something, and what it says of itself, its parameters included, speaks of paying, buying, ordering or transferring."`
	Lapsed           bool     `json:"lapsed" doc:"The tool has changed since the person said what it is to be taken for, so that counts only as far as they are asked more."`
}

// CapabilityChanged is what the person says of a capability, in place of what it
// says of itself and of what they said before. What they don't say is null.
type CapabilityChanged struct {
	CapabilityID     string    `json:"capability_id"`
	SideEffects      *bool     `json:"side_effects"`
	RequiresApproval *bool     `json:"requires_approval"`
	Autonomy         *Autonomy `json:"autonomy"`
	// Unasked marks it as safe to use when nobody asked: for what a program's message
	// or a background cycle leads to. It counts only while the tool changes nothing.
	Unasked *bool `json:"unasked,omitempty"`
	// Ask is whether the person is asked before what they say themselves is done.
	Ask *Asking `json:"ask,omitempty"`
}

// DefaultManifest is a tool's own manifest. A tool that says nothing may change
// something, waits for nobody, and is trusted as far as the policy goes.
func DefaultManifest(o Offer) Manifest {
	m := Manifest{
		CapabilityID: o.CapabilityID(), Version: o.Interface.Version,
		SideEffects: true, RequiresApproval: o.Tool.RequiresApproval, Autonomy: AutonomyFull, Ask: AskAsSaid,
	}
	if o.Tool.SideEffects != nil {
		m.SideEffects = *o.Tool.SideEffects
	}
	if o.Tool.Autonomy.Known() {
		m.Autonomy = o.Tool.Autonomy
	}
	return m
}

// said is the manifest with what the person says.
func (m Manifest) said(c CapabilityChanged) Manifest {
	if c.SideEffects != nil {
		m.SideEffects = *c.SideEffects
	}
	if c.RequiresApproval != nil {
		m.RequiresApproval = *c.RequiresApproval
	}
	if c.Autonomy != nil {
		m.Autonomy = *c.Autonomy
	}
	if c.Unasked != nil {
		m.Unasked = *c.Unasked
	}
	if c.Ask != nil {
		m.Ask = *c.Ask
	}
	return m
}

// careful is what of a statement has a tool asked about more than by itself.
func (c CapabilityChanged) careful(own Manifest) CapabilityChanged {
	drop := func(loosens bool, what **bool) {
		if loosens {
			*what = nil
		}
	}
	drop(c.SideEffects != nil && !*c.SideEffects, &c.SideEffects)
	drop(c.RequiresApproval != nil && !*c.RequiresApproval, &c.RequiresApproval)
	drop(c.Unasked != nil && *c.Unasked, &c.Unasked)
	if c.Autonomy != nil && c.Autonomy.rank() >= own.Autonomy.rank() {
		c.Autonomy = nil
	}
	if c.Ask != nil && *c.Ask != AskAlways {
		c.Ask = nil
	}
	return c
}

// Check returns a validation error about the first thing that is wrong.
func (c CapabilityChanged) Check() error {
	const op = "check manifest"
	switch {
	case c.CapabilityID == "" || len(c.CapabilityID) > MaxKeyBytes:
		return Invalid(op, "capability_id", "the capability has no id")
	case c.Autonomy != nil && !c.Autonomy.Known():
		return Invalid(op, "autonomy", "autonomy is none of readonly, supervised, full")
	case c.Ask != nil && !c.Ask.Known():
		return Invalid(op, "ask", "ask is none of always, as_said, never")
	}
	return nil
}

// IsEmpty reports whether it says nothing: the capability then is what it says of
// itself.
func (c CapabilityChanged) IsEmpty() bool {
	return c.SideEffects == nil && c.RequiresApproval == nil && c.Autonomy == nil && c.Unasked == nil && c.Ask == nil
}

// Asks is the setting that it comes to.
func (c CapabilityChanged) Asks() Asking {
	if c.Ask == nil {
		return AskAsSaid
	}
	return *c.Ask
}

// MaxScopes bounds the keys of one category of scopes.
const MaxScopes = 256

// Scopes are what an interface asks to be allowed: in each category the keys it
// wants, with its own words on why. A category may be missing.
type Scopes struct {
	Context  map[string]string `json:"context,omitempty"`  // fields of the person's context it reads
	Signals  map[string]string `json:"signals,omitempty"`  // types it sends
	Messages map[string]string `json:"messages,omitempty"` // topics it speaks about
}

// Approval is what the person allowed of it, sorted, each key once. Nothing is
// allowed that isn't here.
type Approval struct {
	Context  []string `json:"context"`
	Signals  []string `json:"signals"`
	Messages []string `json:"messages"`
}

// Context fields that can be allowed.
const (
	ContextLocation  = "location"
	ContextTimezone  = "timezone" // local_time comes with it
	ContextDevice    = "device"
	ContextEnergy    = "energy"
	ContextAttention = "attention"
)

// Check returns a validation error about a key that is out of bounds.
func (s Scopes) Check() error {
	for _, c := range []struct {
		name string
		keys map[string]string
	}{{"context", s.Context}, {"signals", s.Signals}, {"messages", s.Messages}} {
		if len(c.keys) > MaxScopes {
			return Invalid("check scopes", "scopes", fmt.Sprintf("scopes.%s has %d keys, the bound is %d", c.name, len(c.keys), MaxScopes))
		}
		for key, why := range c.keys {
			if key == "" || len(key) > MaxSignalTypeBytes || hasControl(key) || !utf8.ValidString(key) || len(why) > 4*MaxTopicHintBytes || !utf8.ValidString(why) {
				return Invalid("check scopes", "scopes", fmt.Sprintf("scopes.%s holds a key or description that is empty, too long or unprintable: a key has at most %d bytes, a description %d",
					c.name, MaxSignalTypeBytes, 4*MaxTopicHintBytes))
			}
		}
	}
	return nil
}

// Equal reports whether the same is asked for in the same words.
func (s Scopes) Equal(o Scopes) bool {
	return maps.Equal(s.Context, o.Context) && maps.Equal(s.Signals, o.Signals) && maps.Equal(s.Messages, o.Messages)
}

// Without is what is asked for beyond an approval. A category of which nothing is
// left is missing.
func (s Scopes) Without(a Approval) Scopes {
	return Scopes{Context: without(s.Context, a.Context), Signals: without(s.Signals, a.Signals), Messages: without(s.Messages, a.Messages)}
}

// Empty reports whether nothing is asked for.
func (s Scopes) Empty() bool {
	return len(s.Context) == 0 && len(s.Signals) == 0 && len(s.Messages) == 0
}

// NewApproval sorts what was allowed and leaves out doubles.
func NewApproval(context, signals, messages []string) Approval {
	return Approval{Context: sortedSet(context), Signals: sortedSet(signals), Messages: sortedSet(messages)}
}

// Within is what of the approval is also asked for.
func (a Approval) Within(s Scopes) Approval {
	return Approval{Context: within(a.Context, s.Context), Signals: within(a.Signals, s.Signals), Messages: within(a.Messages, s.Messages)}
}

// Empty reports whether nothing is allowed.
func (a Approval) Empty() bool {
	return len(a.Context) == 0 && len(a.Signals) == 0 && len(a.Messages) == 0
}

// Equal reports whether the same is allowed.
func (a Approval) Equal(o Approval) bool {
	return slices.Equal(a.Context, o.Context) && slices.Equal(a.Signals, o.Signals) && slices.Equal(a.Messages, o.Messages)
}

func without(asked map[string]string, allowed []string) map[string]string {
	var out map[string]string
	for key, why := range asked {
		if slices.Contains(allowed, key) {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[key] = why
	}
	return out
}

func within(keys []string, asked map[string]string) []string {
	out := []string{}
	for _, k := range keys {
		if _, ok := asked[k]; ok {
			out = append(out, k)
		}
	}
	return out
}

func sortedSet(keys []string) []string {
	out := slices.Clone(keys)
	slices.Sort(out)
	out = slices.Compact(out)
	if out == nil {
		out = []string{}
	}
	return out
}

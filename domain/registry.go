package domain

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Origin is the way in which an interface came in.
type Origin string

// The origins.
const (
	OriginPaired     Origin = "paired"     // with a key, and has a token
	OriginRegistered Origin = "registered" // by itself, and is known by where it listens
)

// InterfaceStatus is the state of an interface.
type InterfaceStatus string

// The statuses.
const (
	StatusPending InterfaceStatus = "pending" // registered, and nothing was approved yet
	StatusOnline  InterfaceStatus = "online"
	StatusOffline InterfaceStatus = "offline" // its tools are out of sight
)

// Interface is one program that Chalie speaks with.
type Interface struct {
	ID          ID              `json:"id"`
	Origin      Origin          `json:"origin"`
	Name        string          `json:"name"`
	Host        string          `json:"host"`
	Port        int             `json:"port"`
	Version     string          `json:"version"`
	Description string          `json:"description"`
	Author      string          `json:"author"`
	Since       Millis          `json:"since"` // recorded_at of its first pairing or registration
	TokenHash   *SecretHash     `json:"token_hash"`
	Signals     []string        `json:"signals"` // paired: types its token permits, none means any
	Scopes      Scopes          `json:"scopes"`
	Approved    Approval        `json:"approved"`
	Asked       Millis          `json:"asked"`    // registered: what the clock showed when it last began to wait for the person
	AskedBy     Position        `json:"asked_by"` // the record of that
	Decided     bool            `json:"decided"`  // the person has approved something, or nothing, since it last asked anew
	Tools       []Tool          `json:"tools"`
	Meta        json.RawMessage `json:"meta"`
	Offline     bool            `json:"offline"`
	OfflineWhy  string          `json:"offline_why"`
}

// Unapproved is what the interface asks for and isn't allowed, with its own words
// on why: what was refused, and what it asks for since. Of a paired one only
// context can be approved: what it may send and say comes with its token.
func (i Interface) Unapproved() Scopes {
	out := i.Scopes.Without(i.Approved)
	if i.Origin == OriginPaired {
		out.Signals, out.Messages = nil, nil
	}
	return out
}

// Status is the interface's state.
func (i Interface) Status() InterfaceStatus {
	switch {
	case i.Origin == OriginRegistered && !i.Decided:
		return StatusPending
	case i.Offline:
		return StatusOffline
	}
	return StatusOnline
}

// Principal is accountable for what the interface sends unprompted.
func (i Interface) Principal() Principal { return Principal(i.ID.UUID()) }

// Source is the emitter that envelopes of what it sends carry: its name in
// letters that a header of the log may hold, behind a prefix that tells it from
// Chalie's own parts.
func (i Interface) Source() Source { return sourceNamed("interface", i.Name) }

// sourceNamed is a prefix and a name in letters that a header of the log may hold.
func sourceNamed(prefix, name string) Source {
	var slug []byte
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			slug = append(slug, byte(r))
		case r != '\'' && len(slug) > 0 && slug[len(slug)-1] != '-':
			slug = append(slug, '-')
		}
		if len(slug) == maxSlugBytes {
			break
		}
	}
	if name := strings.TrimSuffix(string(slug), "-"); name != "" {
		return Source(prefix + "/" + name)
	}
	return Source(prefix)
}

const maxSlugBytes = 48

// PairingKey is one that was issued.
type PairingKey struct {
	Issued    ID       `json:"issued"`   // the envelope of its issue
	Position  Position `json:"position"` // of that
	ExpiresAt Millis   `json:"expires_at"`
}

// Stream is a broadcast that Chalie listens to.
type Stream struct {
	ID     ID     `json:"id"`
	URL    string `json:"url"`
	Source string `json:"source"`
	Since  Millis `json:"since"`
}

// Registry is the fold of topic interfaces: the interfaces, their tools and scopes. The
// zero Registry has none.
type Registry struct {
	Through    Position                  `json:"through"` // the last record of the topic folded
	Interfaces map[ID]*Interface         `json:"interfaces"`
	Tokens     map[SecretHash]ID         `json:"tokens"` // of the paired ones
	Keys       map[SecretHash]PairingKey `json:"keys"`   // not used yet, expired ones for a while included
	Burnt      map[SecretHash]PairingKey `json:"burnt"`  // used ones, for as long
	Streams    map[ID]Stream             `json:"streams"`
	Setbacks   Setbacks                  `json:"setbacks"`
	// Lost are interfaces of which a registration was erased. What happened to them
	// until they register again isn't known, so then they begin offline.
	Lost map[ID]bool `json:"lost,omitempty"`
}

// At is the interface that listens at a host and port.
func (r *Registry) At(host string, port int) (*Interface, bool) {
	for _, i := range r.Interfaces {
		if samePlace(i.Host) == samePlace(host) && i.Port == port {
			return i, true
		}
	}
	return nil, false
}

// Token is the interface whose bearer token has that hash.
func (r *Registry) Token(hash SecretHash) (*Interface, bool) {
	i, ok := r.Interfaces[r.Tokens[hash]]
	return i, ok
}

// Listed is every interface, in the order they became known.
func (r *Registry) Listed() []*Interface {
	out := make([]*Interface, 0, len(r.Interfaces))
	for _, i := range r.Interfaces {
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b *Interface) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), slices.Compare(a.ID[:], b.ID[:]))
	})
	return out
}

// ListedStreams is every broadcast that is listened to, in the order they were added.
func (r *Registry) ListedStreams() []Stream {
	return slices.SortedFunc(maps.Values(r.Streams), func(a, b Stream) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), slices.Compare(a.ID[:], b.ID[:]))
	})
}

// Offer is a tool that can be invoked now.
type Offer struct {
	Name      string // by which it is invoked; its own, or qualified
	Tool      Tool
	Interface *Interface
}

// Offers are the tools of the interfaces that are online, by name. A tool is
// invoked by its own name; where two interfaces offer one name, each by
// interface name, dot, tool name; and where those are the same, too, by interface id,
// dot, tool name. The qualified names always work.
func (r *Registry) Offers() []Offer { return r.OffersBeside(nil) }

// OffersBeside are the offers together with what Chalie itself can do, if that
// isn't nil. Its own tools keep their plain names: an interface's tool of the same
// name goes by a qualified one.
func (r *Registry) OffersBeside(own *Interface) []Offer {
	var out []Offer
	count := map[string]int{}
	for _, i := range append(ownFirst(own), r.Listed()...) {
		if i.Status() != StatusOnline {
			continue
		}
		for _, t := range i.Tools {
			count[t.Name]++
			count[i.Name+"."+t.Name]++
			out = append(out, Offer{Tool: t, Interface: i})
		}
	}
	for n := range out {
		o := &out[n]
		switch qualified := o.Interface.Name + "." + o.Tool.Name; {
		case count[o.Tool.Name] == 1 || o.IsOwn():
			o.Name = o.Tool.Name
		case count[qualified] == 1:
			o.Name = qualified
		default:
			o.Name = o.Interface.ID.UUID() + "." + o.Tool.Name
		}
	}
	slices.SortStableFunc(out, func(a, b Offer) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func ownFirst(own *Interface) []*Interface {
	if own == nil {
		return nil
	}
	return []*Interface{own}
}

// IsOwn reports whether it is Chalie itself that can do it.
func (o Offer) IsOwn() bool { return o.Interface.ID.IsZero() }

// Offer finds a tool that can be invoked now by any of its names; false when
// there is none, or when a name alone doesn't say whose.
func (r *Registry) Offer(name string) (Offer, bool) { return offerIn(r.Offers(), name) }

func offerIn(offers []Offer, name string) (Offer, bool) {
	var found []Offer
	for _, o := range offers {
		if o.Name == name || o.Tool.Name != name && o.GoesBy(name) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return Offer{}, false
	}
	return found[0], true
}

package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Origin is the way in which an interface came in.
type Origin string

// The origins.
const (
	OriginPaired     Origin = "paired"     // with a key, and has a token
	OriginRegistered Origin = "registered" // by itself, and is known by where it listens
	OriginMCP        Origin = "mcp"        // a server of the Model Context Protocol, added by the person
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
	Host        string          `json:"host"` // "" of a program that asks for its calls on Chalie's socket
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
	Decided     bool            `json:"decided"`  // the person has approved something, or nothing, since it last asked anew; or there is nothing to decide
	Tools       []Tool          `json:"tools"`
	Meta        json.RawMessage `json:"meta"`
	Offline     bool            `json:"offline"`
	OfflineWhy  string          `json:"offline_why"`
	// Became has of each tool that could be invoked the record by which it became what it is.
	// It is never changed, but replaced: copies share it.
	Became map[string]Became `json:"became,omitempty"`

	// Of a server of the Model Context Protocol.
	Server  *MCPServer `json:"server,omitempty"`
	Pins    []ToolPin  `json:"pins,omitempty"`    // of the tools that the person accepted
	Waiting []Tool     `json:"waiting,omitempty"` // offered and not accepted as they are: they can't be invoked
}

// Became is when a tool became what it is.
type Became struct {
	At Position `json:"at"`
	Is string   `json:"is"` // see Tool.Whole
}

// mostBecame bounds how many tools of an interface are remembered that it offered once.
const mostBecame = 2 * MaxTools

// became notes which tools are others since a record.
func (i *Interface) became(at Position) {
	next := make(map[string]Became, len(i.Tools))
	maps.Copy(next, i.Became)
	for _, t := range i.Tools {
		if is := t.Whole(); next[t.Name].Is != is {
			next[t.Name] = Became{at, is}
		}
	}
	if len(next) > mostBecame {
		offered := map[string]bool{}
		for _, t := range i.Tools {
			offered[t.Name] = true
		}
		gone := slices.DeleteFunc(slices.Collect(maps.Keys(next)), func(name string) bool { return offered[name] })
		slices.SortFunc(gone, func(a, b string) int { return cmp.Or(cmp.Compare(next[a].At, next[b].At), cmp.Compare(a, b)) })
		for _, name := range gone[:len(next)-mostBecame] {
			delete(next, name)
		}
	}
	i.Became = next
}

// Requested is what the interface asks for. What a right lets it do is said in Chalie's words, with its
// own on why behind them; one that no interface is given isn't asked about.
func (i Interface) Requested() Scopes {
	out := i.Scopes
	out.Signals = maps.Clone(out.Signals)
	for _, r := range rights() {
		why, asked := out.Signals[r.name]
		switch {
		case !asked:
		case !r.ofInterfaces:
			delete(out.Signals, r.name)
		default:
			out.Signals[r.name] = r.says(why)
		}
	}
	return out
}

// Unapproved is what the interface asks for and isn't allowed, with its own words
// on why: what was refused, and what it asks for since. Of a paired one only
// context and rights can be approved: what else it may send and say comes with its token.
func (i Interface) Unapproved() Scopes {
	out := i.Requested().Without(i.Approved)
	if i.Origin == OriginPaired {
		out.Messages = nil
		out.Signals = maps.Clone(out.Signals)
		maps.DeleteFunc(out.Signals, func(key, _ string) bool { return i.permits(key) })
		if len(out.Signals) == 0 {
			out.Signals = nil
		}
	}
	return out
}

// AskedRights are the rights that a paired interface declared for itself, until the person decides
// about it once; a registered one waits as a whole.
func (i Interface) AskedRights() []string {
	if i.Origin != OriginPaired || i.Decided {
		return nil
	}
	asked := RightsOfInterfaces(slices.Collect(maps.Keys(i.Scopes.Signals)))
	return slices.DeleteFunc(asked, func(right string) bool { return slices.Contains(i.Approved.Signals, right) })
}

// permits reports whether a paired interface's token lets it send a type, whatever the person
// approved.
func (i Interface) permits(signalType string) bool {
	_, isRight := RightInWords(signalType)
	return !isRight && (len(i.Signals) == 0 || slices.Contains(i.Signals, signalType))
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

// Calls reports whether the interface is a program that asks for its calls on Chalie's socket,
// because it listens nowhere.
func (i Interface) Calls() bool { return i.Host == "" && i.Server == nil && !i.ID.IsZero() }

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
func (r *Registry) At(host string, port int) (*Interface, bool) { return r.at("", host, port) }

// at is the interface at a place: a host and port, or the name of a program that listens
// nowhere.
func (r *Registry) at(name, host string, port int) (*Interface, bool) {
	for _, i := range r.Interfaces {
		if i.Server == nil && samePlace(i.Host) == samePlace(host) && i.Port == port && (host != "" || i.Name == name) {
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

// Evolve folds one record. Of other topics it folds only setbacks of the clock, by which
// pairing keys and pending interfaces expire.
//
// An erased payload never widens what is allowed. Of an interface whose pairing or
// latest registration is erased nothing is known until it comes again, and what
// listened at its place before has ended all the same; one whose approval is erased
// has nothing approved, and is to be judged again. The use of a key, an end, and
// the way offline and back are told by type and key alone, and hold. All others
// change nothing.
//
// The error is CodeUndecodable, and then nothing has changed.
func (r *Registry) Evolve(rec Record) error {
	if rec.Topic == TopicInterfaces {
		err := r.evolve(rec)
		if CodeOf(err) == CodeErased {
			r.evolveErased(rec)
			err = nil
		}
		if err != nil {
			return err
		}
		r.Through = rec.Position
	}
	r.Setbacks.Evolve(&rec)
	return nil
}

func (r *Registry) evolve(rec Record) error {
	switch rec.Envelope.Type {
	case PairingKeyIssuedType:
		return fold(rec, r.keyIssued)
	case PairingKeyUsedType:
		return fold(rec, r.keyUsed)
	case InterfacePairedType:
		return fold(rec, r.paired)
	case InterfaceRegisteredType:
		return fold(rec, r.registered)
	case ScopesApprovedType:
		return fold(rec, r.approved)
	case CapabilitiesChangedType:
		return fold(rec, r.changed)
	case InterfaceWentOfflineType:
		return fold(rec, r.wentOffline)
	case InterfaceCameOnlineType:
		return fold(rec, r.cameOnline)
	case InterfaceRemovedType:
		return fold(rec, r.removed)
	case InterfaceExpiredType:
		return fold(rec, r.expired)
	case MCPServerAddedType:
		return fold(rec, r.mcpAdded)
	case MCPToolsAcceptedType:
		return fold(rec, r.mcpAccepted)
	case StreamAddedType:
		return fold(rec, r.streamAdded)
	case StreamRemovedType:
		return fold(rec, r.streamRemoved)
	}
	return nil
}

func (r *Registry) keyIssued(rec Record, p PairingKeyIssued) error {
	hash, err := ParseSecretHash(p.KeyHash)
	if err != nil {
		return undecodable(rec.Envelope, "its key hash can't be read", err)
	}
	// Expired keys leave here, by the writer's clock, so the fold stays small. For as
	// long again they are remembered, to tell their users what happened.
	for _, keys := range []map[SecretHash]PairingKey{r.Keys, r.Burnt} {
		for h, k := range keys {
			if k.ExpiresAt.Add(PairingKeyLifetime) <= rec.Clock() {
				delete(keys, h)
			}
		}
	}
	if r.Keys == nil {
		r.Keys = map[SecretHash]PairingKey{}
	}
	r.Keys[hash] = PairingKey{Issued: rec.Envelope.ID, Position: rec.Position, ExpiresAt: p.ExpiresAt}
	return nil
}

func (r *Registry) keyUsed(rec Record, p PairingKeyUsed) error {
	hash, err := ParseSecretHash(p.KeyHash)
	if err != nil {
		return undecodable(rec.Envelope, "its key hash can't be read", err)
	}
	r.burn(hash)
	return nil
}

func (r *Registry) burn(hash SecretHash) {
	k, ok := r.Keys[hash]
	if !ok {
		return
	}
	if r.Burnt == nil {
		r.Burnt = map[SecretHash]PairingKey{}
	}
	r.Burnt[hash] = k
	delete(r.Keys, hash)
}

func (r *Registry) paired(rec Record, p InterfacePaired) error {
	hash, err := ParseSecretHash(p.TokenHash)
	if err != nil {
		return undecodable(rec.Envelope, "its token hash can't be read", err)
	}
	next := &Interface{
		ID: rec.Envelope.ID, Origin: OriginPaired, Name: p.Name, Host: p.Host, Port: p.Port, Version: p.Version,
		Description: p.Description, Author: p.Author, Since: rec.RecordedAt, TokenHash: &hash, Signals: p.Signals,
		Scopes: p.Scopes.askedFor(p.Signals), Approved: NewApproval(nil, nil, nil), Tools: p.Tools, Meta: p.Meta,
	}
	next.Decided = len(next.AskedRights()) == 0
	next.became(rec.Position)
	r.put(next)
	return nil
}

// put makes an interface known, in place of any other at the same place.
func (r *Registry) put(i *Interface) {
	if old, ok := r.at(i.Name, i.Host, i.Port); ok && old.ID != i.ID && i.Server == nil {
		r.end(old.ID)
	}
	if r.Interfaces == nil {
		r.Interfaces, r.Tokens = map[ID]*Interface{}, map[SecretHash]ID{}
	}
	r.Interfaces[i.ID] = i
	if i.TokenHash != nil {
		r.Tokens[*i.TokenHash] = i.ID
	}
}

// end forgets an interface and its token.
func (r *Registry) end(id ID) {
	if i := r.Interfaces[id]; i != nil && i.TokenHash != nil {
		delete(r.Tokens, *i.TokenHash)
	}
	delete(r.Interfaces, id)
}

// registered keeps what was approved of the same interface, unless it now has
// another name: then it may be another program, and is to be judged anew.
func (r *Registry) registered(rec Record, p InterfaceRegistered) error {
	next := &Interface{
		ID: p.InterfaceID, Origin: OriginRegistered, Name: p.Name, Host: p.Host, Port: p.Port, Version: p.Version,
		Description: p.Description, Author: p.Author, Since: rec.RecordedAt, Asked: rec.Clock(), AskedBy: rec.Position,
		Scopes: p.Scopes, Approved: NewApproval(nil, nil, nil),
	}
	if r.Lost[p.InterfaceID] {
		delete(r.Lost, p.InterfaceID)
		next.Offline = true // whether it was is lost, too; the next check will tell
	}
	if old := r.Interfaces[p.InterfaceID]; old != nil {
		next.Since = old.Since
		if old.Name == p.Name {
			next.Approved, next.Decided = old.Approved.Within(p.Scopes), old.Decided
			next.Asked, next.AskedBy = old.Asked, old.AskedBy
			next.Tools, next.Meta, next.Became = old.Tools, old.Meta, old.Became
			next.Offline, next.OfflineWhy = old.Offline, old.OfflineWhy
		}
	}
	r.put(next)
	return nil
}

// approved takes an approval for an answer about the rights that a paired interface declared, too, where the
// person was asked. An earlier build asked about context alone: what it recorded as given stays, and says nothing of
// the rights that it leaves out.
func (r *Registry) approved(rec Record, p ScopesApproved) error {
	return r.change(p.InterfaceID, func(i *Interface) {
		i.Approved = p.Approved.Within(i.Scopes)
		i.Decided = i.Decided || i.Origin != OriginPaired || slices.Contains(rec.Envelope.Keys, RightsAskedKey)
	})
}

func (r *Registry) changed(rec Record, p CapabilitiesChanged) error {
	return r.change(p.InterfaceID, func(i *Interface) {
		if i.Version, i.Tools, i.Meta = p.Version, p.Tools, p.Meta; i.Server != nil {
			i.offer(p.Tools)
		}
		i.became(rec.Position)
	})
}

func (r *Registry) wentOffline(_ Record, p InterfaceWentOffline) error {
	return r.change(p.InterfaceID, func(i *Interface) { i.Offline, i.OfflineWhy = true, p.Reason })
}

func (r *Registry) cameOnline(_ Record, p InterfaceCameOnline) error {
	return r.change(p.InterfaceID, func(i *Interface) { i.Offline, i.OfflineWhy = false, "" })
}

func (r *Registry) removed(_ Record, p InterfaceRemoved) error {
	r.end(p.InterfaceID)
	delete(r.Lost, p.InterfaceID)
	return nil
}

func (r *Registry) expired(rec Record, p InterfaceExpired) error {
	return r.removed(rec, InterfaceRemoved{InterfaceID: p.InterfaceID})
}

// change makes a changed copy: queries may still hold the one before. What
// concerns an interface that is gone changes nothing.
func (r *Registry) change(id ID, do func(*Interface)) error {
	old := r.Interfaces[id]
	if old == nil {
		return nil
	}
	next := *old
	do(&next)
	r.Interfaces[id] = &next
	return nil
}

func (r *Registry) streamAdded(rec Record, p StreamAdded) error {
	if r.Streams == nil {
		r.Streams = map[ID]Stream{}
	}
	r.Streams[rec.Envelope.ID] = Stream{ID: rec.Envelope.ID, URL: p.URL, Source: p.Source, Since: rec.RecordedAt}
	return nil
}

func (r *Registry) streamRemoved(_ Record, p StreamRemoved) error {
	delete(r.Streams, p.StreamID)
	return nil
}

func (r *Registry) evolveErased(rec Record) {
	for _, key := range rec.Envelope.Keys {
		if text, ok := strings.CutPrefix(string(key), interfacePrefix); ok {
			r.lose(text, rec.Envelope.Type)
		}
		if digits, ok := strings.CutPrefix(string(key), pairingPrefix); ok && rec.Envelope.Type == PairingKeyUsedType {
			if hash, err := ParseSecretHash(digits); err == nil {
				r.burn(hash)
			}
		}
		for _, i := range r.Interfaces {
			switch key {
			case InterfaceKey(i.ID):
				r.evolveErasedOf(i.ID, rec.Envelope.Type)
			case placeKey(i.Name, i.Host, i.Port):
				if rec.Envelope.Type == InterfacePairedType && i.Server == nil {
					r.end(i.ID)
				}
			}
		}
		for id := range r.Streams {
			if key == streamKey(id) && rec.Envelope.Type == StreamRemovedType {
				delete(r.Streams, id)
			}
		}
	}
}

// lose remembers which interface, by its id's text, lost a registration.
func (r *Registry) lose(text string, t EventType) {
	id, err := ParseID(text)
	switch {
	case err != nil:
	case t == InterfaceRegisteredType:
		if r.Lost == nil {
			r.Lost = map[ID]bool{}
		}
		r.Lost[id] = true
	case t == InterfaceRemovedType, t == InterfaceExpiredType:
		delete(r.Lost, id)
	}
}

func (r *Registry) evolveErasedOf(id ID, t EventType) {
	do := func(*Interface) {}
	switch t {
	case ScopesApprovedType:
		do = func(i *Interface) { i.Approved, i.Decided = NewApproval(nil, nil, nil), i.Origin == OriginPaired }
	case InterfaceWentOfflineType:
		do = func(i *Interface) { i.Offline, i.OfflineWhy = true, "" }
	case InterfaceCameOnlineType:
		do = func(i *Interface) { i.Offline, i.OfflineWhy = false, "" }
	case InterfaceRegisteredType, InterfaceRemovedType, InterfaceExpiredType:
		r.end(id)
	}
	// An interface that just ended is not there to be changed.
	_ = r.change(id, do)
}

// sameJSON reports whether two texts are the same but for spaces.
func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(orNull(a), &x) != nil || json.Unmarshal(orNull(b), &y) != nil {
		return false
	}
	p, errP := json.Marshal(x)
	q, errQ := json.Marshal(y)
	return errP == nil && errQ == nil && bytes.Equal(p, q)
}

func orNull(text json.RawMessage) json.RawMessage {
	if len(text) == 0 {
		return json.RawMessage("null")
	}
	return text
}

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
	if err := CheckProgram(name); err != nil {
		return err
	}
	switch {
	case !isHost(host):
		return Invalid(op, "host", "host is required: a host name or an IP address without scheme and port")
	case port < 1 || port > 65535:
		return Invalid(op, "port", fmt.Sprintf("port is %d: give 1 to 65535", port))
	}
	return CheckProgram(name, texts...)
}

// CheckProgram judges what a program that listens nowhere says of itself.
func CheckProgram(name string, texts ...string) error {
	const op = "check interface"
	switch {
	case isBlank(name):
		return Invalid(op, "name", "name is required: say what the interface is called")
	case len(name) > MaxInterfaceNameBytes || hasControl(name) || !utf8.ValidString(name):
		return Invalid(op, "name", fmt.Sprintf("name must be printable and have at most %d bytes", MaxInterfaceNameBytes))
	case strings.EqualFold(strings.TrimSpace(name), OwnName):
		return Invalid(op, "name", "the name "+OwnName+" is taken by what Chalie itself can do: choose another")
	}
	for _, t := range texts {
		if len(t) > MaxInterfaceTextBytes || !utf8.ValidString(t) {
			return Invalid(op, "", fmt.Sprintf("version, description and author have at most %d bytes of UTF-8 each", MaxInterfaceTextBytes))
		}
		if hasControl(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(t)) {
			return Invalid(op, "", "version, description or author has control characters: use those that can be read")
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
	if !approved.Within(i.Requested()).Equal(approved) {
		return ScopesApproved{}, false, Invalid("approve scopes", "approved_scopes",
			"approved_scopes holds a key that the interface didn't ask for: approve only what stands in requested_scopes")
	}
	return ScopesApproved{InterfaceID: id, Approved: approved}, !i.Decided || !i.beyondToken(i.Approved).Equal(i.beyondToken(approved)), nil
}

// beyondToken is what of an approval the interface's token doesn't let it do anyway.
func (i *Interface) beyondToken(a Approval) Approval {
	permitted := func(key string) bool { return slices.Contains(i.Signals, key) && i.permits(key) }
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
	known := i.Tools
	if i.Server != nil {
		known, tools = i.offered(), byName(tools)
	}
	was, err := marshal(known)
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

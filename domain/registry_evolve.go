package domain

import (
	"bytes"
	"encoding/json"
	"strings"
)

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
	r.put(&Interface{
		ID: rec.Envelope.ID, Origin: OriginPaired, Name: p.Name, Host: p.Host, Port: p.Port, Version: p.Version,
		Description: p.Description, Author: p.Author, Since: rec.RecordedAt, TokenHash: &hash, Signals: p.Signals,
		Scopes: p.Scopes, Approved: NewApproval(nil, nil, nil), Decided: true, Tools: p.Tools, Meta: p.Meta,
	})
	return nil
}

// put makes an interface known, in place of any other at the same place.
func (r *Registry) put(i *Interface) {
	if old, ok := r.At(i.Host, i.Port); ok && old.ID != i.ID {
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
			next.Tools, next.Meta = old.Tools, old.Meta
			next.Offline, next.OfflineWhy = old.Offline, old.OfflineWhy
		}
	}
	r.put(next)
	return nil
}

func (r *Registry) approved(_ Record, p ScopesApproved) error {
	return r.change(p.InterfaceID, func(i *Interface) { i.Approved, i.Decided = p.Approved.Within(i.Scopes), true })
}

func (r *Registry) changed(_ Record, p CapabilitiesChanged) error {
	return r.change(p.InterfaceID, func(i *Interface) { i.Version, i.Tools, i.Meta = p.Version, p.Tools, p.Meta })
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
			case EndpointKey(i.Host, i.Port):
				if rec.Envelope.Type == InterfacePairedType {
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

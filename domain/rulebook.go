package domain

import (
	"crypto/sha256"
	"encoding/hex"
)

// PolicyChanged puts a policy in force, whole, in place of the one before.
type PolicyChanged struct {
	Policy PolicyRules `json:"policy"`
}

// PolicyKey marks every change of the policy and of manifests.
const PolicyKey Key = "policy"

// Keys go onto the event's envelope.
func (PolicyChanged) Keys() []Key { return []Key{PolicyKey} }

// Keys go onto the event's envelope.
func (CapabilityChanged) Keys() []Key { return []Key{PolicyKey} }

// Rulebook is the fold of the policy in force: its rules, and what the person says
// of capabilities. The zero Rulebook is the default policy.
type Rulebook struct {
	Set       *PolicyRules                 `json:"set"` // nil for the default
	Manifests map[string]CapabilityChanged `json:"manifests"`
	Through   Position                     `json:"through"` // the last change
}

var _ Regime = (*Rulebook)(nil)

// Evolve folds a change. Other records pass it by. The error is CodeUndecodable.
// An erased change changes nothing: the rules are no personal matter.
func (b *Rulebook) Evolve(rec Record) error {
	env := rec.Envelope
	switch env.Type {
	case PolicyChangedType:
		p, err := Decode[PolicyChanged](env)
		if err == nil {
			b.Set = &p.Policy
		} else if CodeOf(err) != CodeErased {
			return err
		}
	case CapabilityChangedType:
		c, err := Decode[CapabilityChanged](env)
		switch {
		case CodeOf(err) == CodeErased:
		case err != nil:
			return err
		case c.IsEmpty():
			delete(b.Manifests, c.CapabilityID)
		default:
			if b.Manifests == nil {
				b.Manifests = map[string]CapabilityChanged{}
			}
			b.Manifests[c.CapabilityID] = c
		}
	default:
		return nil
	}
	b.Through = rec.Position
	return nil
}

// Rules are the rules in force.
func (b *Rulebook) Rules() PolicyRules {
	if b.Set == nil {
		return DefaultPolicy()
	}
	return *b.Set
}

// ID is the regime's: a hash of the policy in force and of what the person says of
// capabilities. The same rules have the same id, on every machine.
func (b *Rulebook) ID() string {
	text, err := marshal(struct {
		Policy    PolicyRules                  `json:"policy"`
		Manifests map[string]CapabilityChanged `json:"manifests"` // written in the order of their names
	}{b.Rules(), b.Manifests})
	if err != nil {
		return "sha256:unknown" // texts, numbers and lists of them: it can't fail
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Decide is the policy's answer.
func (b *Rulebook) Decide(in Invoking) PolicyDecided { return b.Rules().Decide(in, b.ID()) }

// Manifest is a tool's own, with what the person says of it.
func (b *Rulebook) Manifest(o Offer) Manifest {
	m := DefaultManifest(o)
	if said, ok := b.Manifests[m.CapabilityID]; ok {
		m = m.said(said)
	}
	return m
}

// ApprovalWithin is how long a proposal waits.
func (b *Rulebook) ApprovalWithin() Millis { return b.Rules().ApprovalWithin() }

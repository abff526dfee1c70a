// Package policy is the projection of the policy in force: its rules, and what
// the person says of capabilities.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// asked. Decisions rest on it, so a command that changes the policy waits until it
// has applied the change.
package policy

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the changes of the policy.
type Projection struct {
	*projections.InMemory[domain.Rulebook]
}

var (
	_ projections.Committer = (*Projection)(nil)
	_ domain.Regime         = (*Projection)(nil)
)

// New has the default policy.
func New() *Projection {
	return &Projection{projections.NewInMemory("policy", 2, concerns, evolve)}
}

func concerns(rec *domain.Record) bool { return rec.Topic == domain.TopicPolicy }

func evolve(b *domain.Rulebook, rec domain.Record) error { return b.Evolve(rec) }

// Decide is the answer of the policy in force.
func (p *Projection) Decide(in domain.Invoking) (out domain.PolicyDecided) {
	p.Read(func(b *domain.Rulebook) { out = b.Decide(in) })
	return out
}

// Manifest is the manifest of a tool under the policy in force.
func (p *Projection) Manifest(o domain.Offer) (out domain.Manifest) {
	p.Read(func(b *domain.Rulebook) { out = b.Manifest(o) })
	return out
}

// ApprovalWithin is how long a proposal waits by the policy in force.
func (p *Projection) ApprovalWithin() (out domain.Millis) {
	p.Read(func(b *domain.Rulebook) { out = b.ApprovalWithin() })
	return out
}

// Package small has the projections whose state is small: one value of package domain,
// which also has the fold, kept in memory and saved as one text. What is here is which
// records each is folded from.
//
// A change of what one stores, or of how it folds, raises its version.
package small

import (
	"chalie/domain"
	"chalie/projections"
)

var (
	// Accounts are the operator, the open sessions and the active tokens. Secrets are
	// known by their hashes only.
	Accounts = Of("accounts", 5, orBehind(domain.TopicAccounts), (*domain.Accounts).Evolve)

	// Invocations are those of tools that have not ended: few at any time, and after a
	// crash those that somebody has to end.
	Invocations = Of("invocations", 2, OnTopic(domain.TopicTools), unfailing((*domain.Invocations).Evolve))

	// Memory is what the person wants Chalie to know, by reference.
	Memory = Of("memory", 1, OnTopic(domain.TopicMemory), unfailing((*domain.Memories).Evolve))

	// Notes are the files that the person and programs write, by reference.
	Notes = Of("notes", 3, isNote, (*domain.Notes).Evolve)

	// Plans are reminders, appointments, tasks and lists, by reference. One that has ended is
	// remembered for a while only.
	Plans = Of("plans", 3, isPlan, (*domain.Plans).Evolve)

	// Registry is who Chalie speaks with: the interfaces and what they offer and may do,
	// the pairing keys that were issued, and the broadcasts that are listened to. Keys
	// and tokens are known by their hashes only.
	Registry = Of("registry", 7, orBehind(domain.TopicInterfaces), (*domain.Registry).Evolve)

	// Settings are the parameters of decisions that the person set, with their changes.
	Settings = Of("settings", 1, OfType(domain.SettingsChangedType), (*domain.SettingsBook).Evolve)

	// Surroundings are where and how the person is: the latest of each field that a
	// client of theirs reported. They keep the content, not a reference, because what
	// counts is put together from several records; what is erased leaves them with the
	// next fold from the start.
	Surroundings = Of("surroundings", 1, OfType(domain.ContextUpdatedType), (*domain.ContextUpdated).Evolve)

	// Unwanted is what the person doesn't want to be told unasked, by reference.
	Unwanted = Of("unwanted", 1, isUnwanted, (*domain.Unwanted).Evolve)

	rulebook = Of("policy", 5, domain.IsRule, (*domain.Rulebook).Evolve)
)

// Policy is the policy in force, and decides by it: a command that changes it waits
// until it has applied the change.
type Policy struct {
	*projections.InMemory[domain.Rulebook]
}

var _ domain.Regime = (*Policy)(nil)

// World is an empty world state: what Chalie has overheard, what is planned, and what of
// it matters at a moment. It has references and numbers, never texts; scores are computed
// when it is read, for the moment asked about.
func World() *projections.InMemory[domain.World] {
	return projections.NewInMemoryFrom(domain.NewWorld, "world", 8, nil, (*domain.World).Evolve)
}

// NewPolicy has the default policy.
func NewPolicy() *Policy { return &Policy{rulebook()} }

// Decide is the answer of the policy in force.
func (p *Policy) Decide(in domain.Invoking) (out domain.PolicyDecided) {
	p.Read(func(b *domain.Rulebook) { out = b.Decide(in) })
	return out
}

// Manifest is the manifest of a tool under the policy in force.
func (p *Policy) Manifest(o domain.Offer) (out domain.Manifest) {
	p.Read(func(b *domain.Rulebook) { out = b.Manifest(o) })
	return out
}

// SaidOf is what of the person's statement on a tool counts, and the last change of any rule.
func (p *Policy) SaidOf(o domain.Offer) (said domain.CapabilityChanged, through domain.Position) {
	p.Read(func(b *domain.Rulebook) { said, through = b.SaidOf(o) })
	return said, through
}

// Named is what rules may call an actor beside its id.
func (p *Policy) Named(actor string) (out string) {
	p.Read(func(b *domain.Rulebook) { out = b.Named(actor) })
	return out
}

// ApprovalWithin is how long a proposal waits by the policy in force.
func (p *Policy) ApprovalWithin() (out domain.Millis) {
	p.Read(func(b *domain.Rulebook) { out = b.ApprovalWithin() })
	return out
}

// Of makes empty projections of the records that are wanted.
func Of[S any](name string, version int, wants func(*domain.Record) bool, evolve func(*S, domain.Record) error) func() *projections.InMemory[S] {
	return func() *projections.InMemory[S] { return projections.NewInMemory(name, version, wants, evolve) }
}

// unfailing is a fold that reads no payload, and so never fails.
func unfailing[S any](evolve func(*S, domain.Record)) func(*S, domain.Record) error {
	return func(s *S, rec domain.Record) error {
		evolve(s, rec)
		return nil
	}
}

// OnTopic are the records of a topic.
func OnTopic(topic domain.Topic) func(*domain.Record) bool {
	return func(rec *domain.Record) bool { return rec.Topic == topic }
}

// OfType are the records of an event type.
func OfType(t domain.EventType) func(*domain.Record) bool {
	return func(rec *domain.Record) bool { return rec.Envelope.Type == t }
}

// orBehind are the records of a topic, and those by which one knows that the clock was
// put back: what ages by it has to know that.
func orBehind(topic domain.Topic) func(*domain.Record) bool {
	return func(rec *domain.Record) bool { return rec.Topic == topic || domain.IsBehind(rec) }
}

func isNote(rec *domain.Record) bool { return domain.IsNote(rec.Envelope.Type) }

func isPlan(rec *domain.Record) bool {
	return rec.Topic == domain.TopicCommitments || rec.Envelope.Type == domain.TimerDueType
}

func isUnwanted(rec *domain.Record) bool {
	switch rec.Envelope.Type {
	case domain.NoticeDismissedType, domain.NoticeSilencedType, domain.NoticeRestoredType:
		return true
	}
	return false
}

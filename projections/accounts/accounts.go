// Package accounts is the projection of the accounts: the operator, the open
// sessions, the active tokens. Secrets are known by their hashes only.
//
// The fold is package domain's; this package keeps it, saves it and lets it be
// read.
package accounts

import (
	"chalie/domain"
	"chalie/projections"
)

// Projection folds the accounts. It is saved whole: one person's accounts are few.
type Projection struct {
	*projections.InMemory[domain.Accounts]
}

var _ projections.Committer = (*Projection)(nil)

// New knows nobody.
func New() *Projection {
	return &Projection{projections.NewInMemory("accounts", 4, isAccount, (*domain.Accounts).Evolve)}
}

func isAccount(rec *domain.Record) bool {
	return rec.Topic == domain.TopicAccounts || domain.IsBehind(rec)
}

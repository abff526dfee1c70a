package main

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// A part of a log may begin after the account was made: a changed password is none.
func TestHasAccount(t *testing.T) {
	clock := domaintest.NewClock()
	log, ids := memlog.New(clock), domaintest.NewIDs(clock, 1)
	has := func(want bool) {
		t.Helper()
		if got, err := hasAccount(t.Context(), log); err != nil || got != want {
			t.Errorf("there is an account: %v, %v", got, err)
		}
	}
	has(false)
	for range 65 {
		accountEvent(t, log, ids, domain.PasswordChanged{PasswordHash: "hash", Via: "socket"})
	}
	has(false)
	accountEvent(t, log, ids, domain.OperatorRegistered{Username: "ada", PasswordHash: "hash", Via: "socket"})
	has(true)
}

func accountEvent[P interface{ Keys() []domain.Key }](t *testing.T, log domain.Appender, ids domain.IDs, payload P) {
	t.Helper()
	id := ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api", payload)
	entry.Envelope.Keys = payload.Keys()
	if err == nil {
		_, err = log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

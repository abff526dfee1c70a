package account_test

import (
	"testing"
	"time"

	"chalie/commands/account"
	"chalie/commands/commandstest"
	"chalie/domain"
)

// TestSessionOpen asks for days whether a session is open: asking keeps nothing
// alive and records nothing.
func TestSessionOpen(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	login, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	session := domain.HashSecret(login.Secret)
	for range 30 {
		if !a.SessionOpen(session) {
			t.Fatal("the session isn't open")
		}
		b.Clock.Advance(24 * time.Hour)
	}
	if a.SessionOpen(session) {
		t.Error("the session is open after 30 days without use")
	}
	if a.SessionOpen(domain.HashSecret("")) || a.SessionOpen(domain.HashSecret("forged")) {
		t.Error("a session that never was is open")
	}
	b.Count(domain.TopicAll, 2)

	login, err = a.LogIn(t.Context(), "ada", password, account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	session = domain.HashSecret(login.Secret)
	if err := a.LogOut(t.Context(), login.Secret); err != nil {
		t.Fatal(err)
	}
	if a.SessionOpen(session) {
		t.Error("the session is open after logging out")
	}
}

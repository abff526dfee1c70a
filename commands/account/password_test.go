package account_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"chalie/commands/account"
	"chalie/commands/commandstest"
	"chalie/domain"
)

const another = "battery staple"

func TestChangePassword(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, passwords := b.Accounts()
	_, err := a.ChangePassword(t.Context(), "", "", another)
	commandstest.Refused(t, err, domain.Policy, "wrong_password")
	_, err = a.SetPassword(t.Context(), another)
	commandstest.Refused(t, err, domain.NotFound, "no_account")
	own, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := a.LogIn(t.Context(), "ada", password, account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	tail := b.Log.Tail()
	for name, present := range map[string]string{"wrong": "wrong horse", "none": "", "endless": strings.Repeat("x", 5000), "the new one": another, "its hash": "hash of " + password} {
		before := len(passwords.Verified)
		_, err := a.ChangePassword(t.Context(), own.Secret, present, another)
		commandstest.Refused(t, err, domain.Policy, "wrong_password")
		if len(passwords.Verified) != before+1 {
			t.Errorf("%s: %d hashes were verified, want the work of one", name, len(passwords.Verified)-before)
		}
	}
	for _, bad := range []string{"", "1234567", strings.Repeat("x", 1025)} {
		_, err := a.ChangePassword(t.Context(), own.Secret, password, bad)
		commandstest.Refused(t, err, domain.Validation, "invalid")
		_, err = a.SetPassword(t.Context(), bad)
		commandstest.Refused(t, err, domain.Validation, "invalid")
	}
	for _, rec := range b.Records(domain.TopicAccounts) {
		if rec.Position > tail && rec.Envelope.Type != "operator.login_refused" {
			t.Errorf("a refusal recorded %s", rec.Envelope.Type)
		}
	}

	ended, err := a.ChangePassword(t.Context(), own.Secret, password, another)
	if err != nil || ended != 1 {
		t.Fatalf("%d ended, %v", ended, err)
	}
	lets := func(secret string, want bool) {
		t.Helper()
		if _, ok := a.Session(t.Context(), secret); ok != want {
			t.Errorf("the session is open: %v", ok)
		}
	}
	lets(own.Secret, true)
	lets(other.Secret, false)
	_, err = a.LogIn(t.Context(), "ada", password, account.Door{})
	commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
	newer, err := a.LogIn(t.Context(), "ada", another, account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.ChangePassword(t.Context(), own.Secret, password, another)
	commandstest.Refused(t, err, domain.Policy, "wrong_password")

	// Who owns the machine needs none, and is in no session.
	if ended, err := a.SetPassword(t.Context(), "a third one"); err != nil || ended != 2 {
		t.Fatalf("%d ended, %v", ended, err)
	}
	lets(own.Secret, false)
	lets(newer.Secret, false)
	for _, rec := range b.Records(domain.TopicAccounts) {
		text := string(rec.Envelope.Payload.Bytes)
		for _, secret := range []string{own.Secret, other.Secret, newer.Secret} {
			if strings.Contains(text, secret) {
				t.Errorf("a secret is in the log: %s", text)
			}
		}
	}
}

// Whoever comes in with a password is out when it is changed, also when it was verified
// just before.
func TestPasswordChangesUnderRace(t *testing.T) {
	b := commandstest.NewBench(t)
	first, _, _ := b.Accounts()
	own, err := first.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	late, known, _ := b.Accounts()
	known.Hold(true) // its fold doesn't hear of the change
	if _, err := first.SetPassword(t.Context(), another); err != nil {
		t.Fatal(err)
	}
	_, err = late.LogIn(t.Context(), "ada", password, account.Door{})
	commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
	_, err = late.ChangePassword(t.Context(), own.Secret, password, "a third one")
	commandstest.Refused(t, err, domain.Conflict, "password_changed")
	if _, err := first.LogIn(t.Context(), "ada", another, account.Door{}); err != nil {
		t.Errorf("the new password is refused: %v", err)
	}

	var wg sync.WaitGroup
	var mu sync.Mutex
	changed := 0
	for range 6 {
		a, known, _ := b.Accounts()
		known.Hold(true)
		wg.Go(func() {
			_, err := a.ChangePassword(context.Background(), "", another, "a fourth one")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				changed++
			case domain.CodeOf(err) != "password_changed" && domain.CodeOf(err) != "wrong_password":
				t.Errorf("the error is %v", err)
			}
		})
	}
	wg.Wait()
	if changed != 1 {
		t.Errorf("it was changed %d times from one password", changed)
	}
}

// What is tried first isn't taken, neither for a new account nor afterwards.
func TestCommonPasswords(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	for _, common := range []string{"password", "12345678", "QwertyUiop", "aaaaaaaa", "memememe"} {
		_, err := a.Register(t.Context(), "ada", common, "socket", account.Door{})
		commandstest.Refused(t, err, domain.Validation, domain.CodeOf(domain.Invalid("", "", "")))
	}
	login, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.ChangePassword(t.Context(), login.Secret, password, "password123")
	commandstest.Refused(t, err, domain.Validation, domain.CodeOf(domain.Invalid("", "", "")))
	_, err = a.SetPassword(t.Context(), "iloveyou")
	commandstest.Refused(t, err, domain.Validation, domain.CodeOf(domain.Invalid("", "", "")))
}

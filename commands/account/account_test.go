package account_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/account"
	"chalie/commands/commandstest"
	"chalie/domain"
	"chalie/domain/domaintest"
)

const password = "correct horse"

func TestRegister(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	login, err := a.Register(t.Context(), "ada", password, "setup_link", account.Door{Visitor: domain.Visitor{UserAgent: "browser"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Session(t.Context(), login.Secret); !ok || !a.HasOperator() {
		t.Error("the new account is not logged in")
	}
	if left := login.ExpiresAt.Sub(domain.MillisOf(b.Clock.Now())); left != 30*24*time.Hour {
		t.Errorf("the session lasts %v", left)
	}
	records := b.Records(domain.TopicAccounts)
	if len(records) != 2 || records[1].Envelope.Parent != records[0].Envelope.ID || records[0].Envelope.Principal != domain.PrincipalOperator {
		t.Fatalf("the records are %+v", records)
	}
	for _, rec := range records {
		if text := string(rec.Envelope.Payload.Bytes); strings.Contains(text, login.Secret) {
			t.Errorf("a secret is in the log: %s", text)
		}
	}
	_, err = a.Register(t.Context(), "eve", password, "setup_link", account.Door{Visitor: domain.Visitor{UserAgent: "browser"}})
	commandstest.Refused(t, err, domain.Conflict, "account_exists")
	_, err = a.Register(t.Context(), "", "", "setup_link", account.Door{Visitor: domain.Visitor{UserAgent: "browser"}})
	commandstest.Refused(t, err, domain.Conflict, "account_exists")
	b.Count(domain.TopicAll, 2)
}

func TestRegisterRefuses(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	_, err := a.Register(t.Context(), "ada", "1234567", "socket", account.Door{})
	commandstest.Refused(t, err, domain.Validation, "invalid")
	_, err = a.Register(t.Context(), "ada", strings.Repeat("x", 1025), "socket", account.Door{})
	commandstest.Refused(t, err, domain.Validation, "invalid")
	b.Count(domain.TopicAll, 0)
}

func TestRegisterOnceUnderRace(t *testing.T) {
	b := commandstest.NewBench(t)
	// Each has its own fold, and none has seen the others' account yet.
	var wg sync.WaitGroup
	var mu sync.Mutex
	made, conflicts := 0, 0
	for range 8 {
		a, known, _ := b.Accounts()
		known.Hold(true)
		wg.Go(func() {
			_, err := a.Register(context.Background(), "ada", password, "socket", account.Door{})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				made++
			case domain.CodeOf(err) == "account_exists":
				conflicts++
			default:
				t.Errorf("the error is %v", err)
			}
		})
	}
	wg.Wait()
	if made != 1 || conflicts != 7 {
		t.Errorf("%d made it, %d were refused", made, conflicts)
	}
	b.Count(domain.TopicAccounts, 2)
}

func TestLogInAndOut(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, passwords := b.Accounts()
	_, err := a.LogIn(t.Context(), "ada", password, account.Door{})
	commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
	first, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.LogIn(t.Context(), "ada", password, account.Door{Visitor: domain.Visitor{UserAgent: strings.Repeat("browser ", 100)}})
	if err != nil || second.Secret == first.Secret {
		t.Fatalf("logged in as %+v, %v", second, err)
	}
	for name, try := range map[string][2]string{
		"wrong password":  {"ada", "wrong horse"},
		"wrong name":      {"eve", password},
		"name's case":     {"Ada", password},
		"empty name":      {"", password},
		"endless":         {"ada", strings.Repeat("x", 5000)},
		"empty, both":     {"", ""},
		"password's hash": {"ada", "hash of " + password},
	} {
		before := len(passwords.Verified)
		_, err := a.LogIn(t.Context(), try[0], try[1], account.Door{})
		commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
		if err.Error() != "log in: Invalid credentials" {
			t.Errorf("%s: the error tells more: %v", name, err)
		}
		if len(passwords.Verified) != before+1 {
			t.Errorf("%s: %d hashes were verified, want the work of one", name, len(passwords.Verified)-before)
		}
	}
	if err := a.LogOut(t.Context(), first.Secret); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Session(t.Context(), first.Secret); ok {
		t.Error("the session outlived logging out")
	}
	if _, ok := a.Session(t.Context(), second.Secret); !ok {
		t.Error("logging out ended another session")
	}
	tail := b.Log.Tail()
	for _, secret := range []string{first.Secret, "", "forged"} {
		if err := a.LogOut(t.Context(), secret); err != nil {
			t.Errorf("logging out again: %v", err)
		}
	}
	if b.Log.Tail() != tail {
		t.Error("logging out without a session was recorded")
	}
}

// A space that a keyboard put after the name is no part of it, and an account whose name
// has spaces from before can be used.
func TestLogInWithSpacesAround(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	if _, err := a.Register(t.Context(), "   ", password, "socket", account.Door{}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a name of spaces: %v", err)
	}
	if _, err := a.Register(t.Context(), " Ann ", password, "socket", account.Door{}); err != nil {
		t.Fatal(err)
	}
	if known := a.Operator(); known.Username != "Ann" {
		t.Errorf("the account is %q's", known.Username)
	}
	for _, name := range []string{"Ann", " Ann ", "Ann\t"} {
		if _, err := a.LogIn(t.Context(), name, password, account.Door{}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", "  ", "A nn", "ann"} {
		_, err := a.LogIn(t.Context(), name, password, account.Door{})
		commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
	}
	for old, names := range map[string][]string{" Ann ": {"Ann", " Ann "}, "   ": {"   "}} {
		b := commandstest.NewBench(t)
		a, _, _ := b.Accounts()
		made := domain.OperatorRegistered{Username: old, PasswordHash: "hash of " + password, Via: "socket"}
		id := b.IDs.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(b.Clock.Now()), "api", made)
		if err != nil {
			t.Fatal(err)
		}
		entry.Envelope.Keys = made.Keys()
		if _, err := b.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if _, err := a.LogIn(t.Context(), name, password, account.Door{}); err != nil {
				t.Errorf("%q can't log in to the account of %q: %v", name, old, err)
			}
		}
		_, err = a.LogIn(t.Context(), "Eve", password, account.Door{})
		commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
	}
}

func TestSessionSlides(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	login, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	// Used every hour for 40 days, it stays, and the log grows by one a day.
	for range 40 * 24 {
		b.Clock.Advance(time.Hour)
		if _, ok := a.Session(t.Context(), login.Secret); !ok {
			t.Fatalf("lost at %v", b.Clock.Now())
		}
	}
	b.Count(domain.TopicAccounts, 2+40)
	b.Clock.Advance(30*24*time.Hour - time.Millisecond)
	// In all it has 90 days.
	left := 20*24*time.Hour + time.Millisecond
	if extended, ok := a.Session(t.Context(), login.Secret); !ok || extended.Sub(domain.MillisOf(b.Clock.Now())) != left {
		t.Errorf("just before its end: %v, extended to %v", ok, extended)
	}
	b.Clock.Advance(left - time.Millisecond)
	if _, ok := a.Session(t.Context(), login.Secret); !ok {
		t.Error("it ended before its 90 days")
	}
	b.Clock.Advance(time.Millisecond)
	if _, ok := a.Session(t.Context(), login.Secret); ok {
		t.Error("it outlived its 90 days")
	}
	for _, secret := range []string{"", "forged", login.Secret + "x"} {
		if _, ok := a.Session(t.Context(), secret); ok {
			t.Errorf("%q is a session", secret)
		}
	}
}

func TestSessionIsExtendedOnce(t *testing.T) {
	b := commandstest.NewBench(t)
	a, known, _ := b.Accounts()
	login, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(48 * time.Hour)
	known.Hold(true) // as if the projection were behind
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 10 {
				if _, ok := a.Session(context.Background(), login.Secret); !ok {
					t.Error("a valid session was refused")
				}
			}
		})
	}
	wg.Wait()
	b.Count(domain.TopicAccounts, 3)
}

func TestSessionSurvivesAFullDisk(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	login, err := a.Register(t.Context(), "ada", password, "socket", account.Door{})
	if err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(48 * time.Hour)
	b.Door.Set(func(domain.Batch) error {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "full"}
	}, nil)
	if extended, ok := a.Session(t.Context(), login.Secret); !ok || extended != 0 {
		t.Errorf("the session is %v, extended %v", ok, extended)
	}
}

func TestTokens(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	issued, err := a.IssueToken(t.Context(), commandstest.Ada, "station", []string{"wind", "rain"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(issued.Text, "chalie_") || len(issued.Text) != len("chalie_")+43 {
		t.Errorf("the token is %q", issued.Text)
	}
	caller, ok := a.Token(issued.Text)
	if !ok || caller.Name != "station" || caller.Source != "station" || caller.Principal != domain.ProgramPrincipal(b.Records(domain.TopicAccounts)[0].Envelope.ID) || caller.Operator ||
		!slices.Equal(caller.Signals, []string{"rain", "wind"}) {
		t.Errorf("it lets in %+v, %v", caller, ok)
	}
	for _, forged := range []string{"", "chalie_", issued.Text + "x", strings.ToUpper(issued.Text), strings.TrimPrefix(issued.Text, "chalie_"), domain.HashSecret(issued.Text).String()} {
		if _, ok := a.Token(forged); ok {
			t.Errorf("%q is a token", forged)
		}
	}
	_, err = a.IssueToken(t.Context(), commandstest.Ada, "station", nil)
	commandstest.Refused(t, err, domain.Conflict, "token_exists")
	_, err = a.IssueToken(t.Context(), commandstest.Ada, "operator", nil)
	commandstest.Refused(t, err, domain.Validation, "invalid")
	if _, err := a.IssueToken(t.Context(), commandstest.Ada, "another", nil); err != nil {
		t.Fatal(err)
	}
	if tokens := a.Tokens(); len(tokens) != 2 || tokens[0].Name != "another" || tokens[1].Name != "station" {
		t.Errorf("the tokens are %+v", tokens)
	}
	if err := a.RevokeToken(t.Context(), commandstest.Ada, "station"); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Token(issued.Text); ok {
		t.Error("a revoked token lets in")
	}
	commandstest.Refused(t, a.RevokeToken(t.Context(), commandstest.Ada, "station"), domain.NotFound, "no_token")
	renewed, err := a.IssueToken(t.Context(), commandstest.Ada, "station", nil)
	if err != nil || renewed.Text == issued.Text {
		t.Errorf("issued anew: %v", err)
	}
	if _, ok := a.Token(issued.Text); ok {
		t.Error("the old token lets in again")
	}
	for _, rec := range b.Records(domain.TopicAccounts) {
		if strings.Contains(string(rec.Envelope.Payload.Bytes), "chalie_") {
			t.Errorf("a token is in the log: %s", rec.Envelope.Payload.Bytes)
		}
	}
}

// A program that nobody gave a name doesn't come in beside what was decided about the one that
// is, or was, known by what it calls itself.
func TestUnnamedPrograms(t *testing.T) {
	b := commandstest.NewBench(t)
	a, _, _ := b.Accounts()
	for _, name := range []string{"editor", "badtool"} {
		if _, err := a.Admit(t.Context(), commandstest.Ada, name, commands.ScopeMCP); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.RevokeToken(t.Context(), commandstest.Ada, "badtool"); err != nil {
		t.Fatal(err)
	}
	for _, calls := range []string{"editor", "badtool"} {
		err := a.CheckUnnamed(t.Context(), calls)
		commandstest.Refused(t, err, domain.Policy, "not_admitted")
		if !strings.Contains(err.Error(), "--name "+calls) {
			t.Errorf("%s is told %v", calls, err)
		}
	}
	if err := a.CheckUnnamed(t.Context(), "another"); err != nil {
		t.Error(err)
	}
	_, err := a.Admit(t.Context(), commandstest.Ada, "badtool", commands.ScopeMCP)
	commandstest.Refused(t, err, domain.Policy, "not_admitted")
}

func TestTokenNameIsUniqueUnderRace(t *testing.T) {
	b := commandstest.NewBench(t)
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := 0
	// None begins before all have folded the log: a fold made later would know
	// the name already.
	everyone := make([]*account.Accounts, 8)
	for i := range everyone {
		a, known, _ := b.Accounts()
		known.Hold(true)
		everyone[i] = a
	}
	for _, a := range everyone {
		wg.Go(func() {
			_, err := a.IssueToken(context.Background(), commandstest.Ada, "station", nil)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			} else {
				commandstest.Refused(t, err, domain.Conflict, "token_changed")
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("%d tokens of one name", made)
	}
}

// TestRefusedLoginsAreCounted runs in a bubble, where the commands' clock and
// their ticker are one time.
func TestRefusedLoginsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := commandstest.NewBench(t)
		known := &commandstest.Book{Log: b.Log}
		a, err := account.New(account.Config{
			Env: commands.Env{Log: b.Door, Reader: b.Log, Tail: b.Log, Clock: commandstest.BubbleClock{}, IDs: domaintest.NewIDs(commandstest.BubbleClock{}, 1), Logger: slog.New(slog.DiscardHandler)}, Book: known, Applied: known, Passwords: &commandstest.Plainly{},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- a.Run(ctx) }()
		refuse := func(n int) {
			for range n {
				_, err := a.LogIn(ctx, "eve", "guess", account.Door{})
				commandstest.Refused(t, err, "", domain.CodeUnauthenticated)
			}
		}
		counts := func(want ...int) {
			t.Helper()
			var got []int
			for _, rec := range b.Records(domain.TopicAccounts) {
				e, err := domain.Decode[domain.OperatorLoginRefused](rec.Envelope)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e.Count)
			}
			if !slices.Equal(got, want) {
				t.Errorf("the log counts %v, want %v", got, want)
			}
		}
		domaintest.Pass(time.Second)
		refuse(1)
		counts(1)
		refuse(500)
		counts(1)
		domaintest.Pass(2 * time.Minute)
		synctest.Wait()
		counts(1, 500)
		domaintest.Pass(10 * time.Minute)
		synctest.Wait()
		counts(1, 500)
		refuse(3)
		counts(1, 500, 1)

		// A count that can't be recorded is kept.
		b.Door.Set(func(domain.Batch) error {
			return &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "full"}
		}, nil)
		domaintest.Pass(5 * time.Minute)
		synctest.Wait()
		b.Door.Set(nil, nil)
		counts(1, 500, 1)
		refuse(4)
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Run returned %v", err)
		}
		total := 0
		for _, rec := range b.Records(domain.TopicAccounts) {
			e, err := domain.Decode[domain.OperatorLoginRefused](rec.Envelope)
			if err != nil {
				t.Fatal(err)
			}
			total += e.Count
		}
		if total != 508 {
			t.Errorf("the log counts %d refusals, there were 508", total)
		}
	})
}

func TestAccountsConfig(t *testing.T) {
	if _, err := account.New(account.Config{}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("the error is %v", err)
	}
}

func TestSecrets(t *testing.T) {
	a, b := commands.NewSecret(), commands.NewSecret()
	if a == b || len(a) != 43 || !commands.SameSecret(a, a) || commands.SameSecret(a, b) || commands.SameSecret("", "") {
		t.Errorf("secrets %q and %q", a, b)
	}
}

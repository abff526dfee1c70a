package domain_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

var (
	morning = domain.MillisOf(time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC))
	secretA = domain.HashSecret("a")
	secretB = domain.HashSecret("b")
)

// happened is an account event and when it was recorded.
type happened struct {
	at    domain.Millis
	event any
}

// accountRules fold events the way a log's records reach the fold.
func accountRules(t *testing.T) domaintest.Rules[*domain.Accounts, happened] {
	ids := domaintest.NewIDs(domaintest.NewClock(), 7)
	var pos domain.Position
	return domaintest.Rules[*domain.Accounts, happened]{
		Evolve: func(a *domain.Accounts, h happened) *domain.Accounts {
			next := cloneAccounts(t, a)
			pos++
			if err := next.Evolve(recordOf(t, ids, pos, h)); err != nil {
				t.Fatalf("fold %T: %v", h.event, err)
			}
			return next
		},
	}
}

func recordOf(t *testing.T, ids *domaintest.IDs, pos domain.Position, h happened) domain.Record {
	t.Helper()
	lin := domain.Begin(ids.NewTrace(), domain.PrincipalOperator)
	var entry domain.Entry
	var err error
	switch e := h.event.(type) {
	case domain.OperatorRegistered:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.PasswordChanged:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.OperatorLoggedIn:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.SessionUsedElsewhere:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.SessionElsewhereSeen:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.SessionExtended:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.OperatorLoggedOut:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.OperatorLoginRefused:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.TokenIssued:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	case domain.TokenRevoked:
		entry, err = domain.New(lin, ids.NewID(), h.at, "api", e)
	default:
		t.Fatalf("%T is no account event", e)
	}
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = h.event.(interface{ Keys() []domain.Key }).Keys()
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: h.at, Envelope: entry.Envelope}
}

// cloneAccounts goes through the stored form, which must hold everything.
func cloneAccounts(t *testing.T, a *domain.Accounts) *domain.Accounts {
	t.Helper()
	out := &domain.Accounts{}
	if a == nil {
		return out
	}
	text, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func orEmpty(a *domain.Accounts) *domain.Accounts {
	if a == nil {
		return &domain.Accounts{}
	}
	return a
}

func TestDecideRegister(t *testing.T) {
	rules := accountRules(t)
	made := happened{morning, domain.OperatorRegistered{Username: "ada", PasswordHash: "hash", Via: "socket"}}
	register := func(a *domain.Accounts) ([]happened, error) {
		e, err := orEmpty(a).Register("ada", "hash", "socket")
		if err != nil {
			return nil, err
		}
		return []happened{{morning, e}}, nil
	}
	rules.Given().When(t, register).ThenOnly(made)
	rules.Given(made).When(t, register).ThenRefused(domain.Conflict, "account_exists")
}

func TestDecideSession(t *testing.T) {
	rules := accountRules(t)
	opened := happened{morning, (&domain.Accounts{}).LogIn(secretA, domain.SecretHash{}, domain.Visitor{UserAgent: "browser", From: "192.168.1.7", Relayed: true}, morning)}
	after := func(d time.Duration) domain.Millis { return morning.Add(d) }
	const day = 24 * time.Hour
	extend := func(hash domain.SecretHash, at domain.Millis) func(*domain.Accounts) ([]happened, error) {
		return func(a *domain.Accounts) ([]happened, error) {
			if e, ok := orEmpty(a).Extend(hash, at); ok {
				return []happened{{at, e}}, nil
			}
			return nil, nil
		}
	}
	extended := func(at domain.Millis) happened {
		return happened{at, domain.SessionExtended{SessionHash: secretA.String(), ExpiresAt: at.Add(30 * day)}}
	}
	rules.Given(opened).When(t, extend(secretA, after(day-time.Millisecond))).Then()
	rules.Given(opened).When(t, extend(secretA, after(day))).Then(extended(after(day)))
	rules.Given(opened).When(t, extend(secretA, after(30*day-1*time.Millisecond))).Then(extended(after(30*day - time.Millisecond)))
	rules.Given(opened).When(t, extend(secretA, after(30*day))).Then()
	rules.Given(opened, extended(after(20*day))).When(t, extend(secretA, after(45*day))).Then(extended(after(45 * day)))
	rules.Given(opened).When(t, extend(secretB, after(2*day))).Then()
	rules.Given().When(t, extend(secretA, after(2*day))).Then()

	logOut := func(a *domain.Accounts) ([]happened, error) {
		if e, ok := orEmpty(a).LogOut(secretA); ok {
			return []happened{{morning, e}}, nil
		}
		return nil, nil
	}
	ended := happened{morning, domain.OperatorLoggedOut{SessionHash: secretA.String()}}
	rules.Given(opened).When(t, logOut).Then(ended)
	rules.Given().When(t, logOut).Then()
	// An extension that lost the race against logging out revives nothing.
	rules.Given(opened, ended, extended(after(day))).When(t, extend(secretA, after(3*day))).Then()
}

func TestDecidePassword(t *testing.T) {
	rules := accountRules(t)
	made := happened{morning, domain.OperatorRegistered{Username: "ada", PasswordHash: "hash", Via: "socket"}}
	login := func(hash domain.SecretHash) happened {
		return happened{morning, (&domain.Accounts{}).LogIn(hash, domain.SecretHash{}, domain.Visitor{}, morning)}
	}
	change := func(via string, spared domain.SecretHash) func(*domain.Accounts) ([]happened, error) {
		return func(a *domain.Accounts) ([]happened, error) {
			e, err := orEmpty(a).ChangePassword("new hash", via, spared)
			if err != nil {
				return nil, err
			}
			return []happened{{morning, e}}, nil
		}
	}
	within := happened{morning, domain.PasswordChanged{PasswordHash: "new hash", Via: "session", SessionHash: secretA.String()}}
	without := happened{morning, domain.PasswordChanged{PasswordHash: "new hash", Via: "socket"}}
	issued := happened{morning, domain.TokenIssued{Name: "weather", TokenHash: secretB.String(), Signals: []string{}}}

	rules.Given().When(t, change("socket", domain.SecretHash{})).ThenRefused(domain.NotFound, "no_account")
	rules.Given(made).When(t, change("session", secretA)).ThenOnly(within)
	rules.Given(made, within).When(t, change("socket", domain.SecretHash{})).ThenOnly(without)

	for _, c := range []struct {
		name  string
		given []happened
		hash  string
		open  []domain.SecretHash
	}{
		{"the one it was changed in goes on", []happened{made, login(secretA), login(secretB), within}, "new hash", []domain.SecretHash{secretA}},
		{"from the machine all end", []happened{made, login(secretA), login(secretB), without}, "new hash", nil},
		{"one that comes after stays", []happened{made, login(secretA), without, login(secretB)}, "new hash", []domain.SecretHash{secretB}},
		{"one that had ended isn't revived", []happened{made, login(secretA), {morning, domain.OperatorLoggedOut{SessionHash: secretA.String()}}, within}, "new hash", nil},
		{"one that ended with it isn't extended", []happened{made, login(secretB), within, {morning, domain.SessionExtended{SessionHash: secretB.String(), ExpiresAt: morning + 9}}}, "new hash", nil},
		{"tokens stay", []happened{made, issued, without}, "new hash", nil},
	} {
		rules.Given(c.given...).When(t, func(a *domain.Accounts) ([]happened, error) {
			var open []domain.SecretHash
			for _, s := range a.SessionsAt(morning) {
				open = append(open, s.Hash)
			}
			if a.Operator.PasswordHash != c.hash || a.Operator.Username != "ada" || !reflect.DeepEqual(open, c.open) {
				t.Errorf("%s: it knows %+v, and open are %v", c.name, a.Operator, open)
			}
			if _, ok := a.TokenNamed("weather"); ok != (c.name == "tokens stay") {
				t.Errorf("%s: the token is there: %v", c.name, ok)
			}
			return nil, nil
		}).Then()
	}
	// In a part of a log that begins after the account was made there is none.
	rules.Given(login(secretA), without).When(t, func(a *domain.Accounts) ([]happened, error) {
		if a.Operator != nil || len(a.Sessions) != 0 {
			t.Errorf("it knows %+v", a)
		}
		return nil, nil
	}).Then()
}

// Version 1 of a login didn't say where it came from, and nothing is made up.
func TestOldLogin(t *testing.T) {
	ids := domaintest.NewIDs(domaintest.NewClock(), 7)
	rec := recordOf(t, ids, 4, happened{morning, domain.OperatorLoggedIn{}})
	rec.Envelope.Version = 1
	rec.Envelope.Payload = domain.JSONPayload([]byte(`{"session_hash":"` + secretA.String() + `","user_agent":"browser","expires_at":9}`))
	got, err := domain.Decode[domain.OperatorLoggedIn](rec.Envelope)
	if want := (domain.OperatorLoggedIn{SessionHash: secretA.String(), UserAgent: "browser", ExpiresAt: 9}); err != nil || got != want {
		t.Errorf("it is read as %+v, %v", got, err)
	}
	var a domain.Accounts
	if err := a.Evolve(rec); err != nil || a.Sessions[secretA].ExpiresAt != 9 {
		t.Errorf("it opens %+v, %v", a.Sessions, err)
	}
}

func TestDecideToken(t *testing.T) {
	rules := accountRules(t)
	issue := func(name string, signals ...string) func(*domain.Accounts) ([]happened, error) {
		return func(a *domain.Accounts) ([]happened, error) {
			e, err := orEmpty(a).IssueToken(name, secretA, signals)
			if err != nil {
				return nil, err
			}
			return []happened{{morning, e}}, nil
		}
	}
	revoke := func(a *domain.Accounts) ([]happened, error) {
		e, err := orEmpty(a).RevokeToken("weather")
		if err != nil {
			return nil, err
		}
		return []happened{{morning, e}}, nil
	}
	issued := func(signals ...string) happened {
		return happened{morning, domain.TokenIssued{Name: "weather", TokenHash: secretA.String(), Signals: append([]string{}, signals...)}}
	}
	revoked := happened{morning, domain.TokenRevoked{Name: "weather"}}

	rules.Given().When(t, issue("weather")).ThenOnly(issued())
	rules.Given().When(t, issue("weather", "wind", "rain", "wind")).ThenOnly(issued("rain", "wind"))
	rules.Given(issued()).When(t, issue("weather")).ThenRefused(domain.Conflict, "token_exists")
	rules.Given(issued(), revoked).When(t, issue("weather")).ThenOnly(issued())
	rules.Given(issued()).When(t, revoke).ThenOnly(revoked)
	rules.Given(issued(), revoked).When(t, revoke).ThenRefused(domain.NotFound, "no_token")
	rules.Given().When(t, revoke).ThenRefused(domain.NotFound, "no_token")
	for _, bad := range [][]string{{""}, {"a\nb"}, {strings.Repeat("x", 129)}, {"\xff"}, make([]string, 257)} {
		rules.Given().When(t, issue("weather", bad...)).ThenRefused(domain.Validation, "invalid")
	}
	rules.Given().When(t, issue("weather", "a.b-c_d:e/1", "gr\u00f6\u00dfe")).ThenOnly(issued("a.b-c_d:e/1", "gr\u00f6\u00dfe"))
	for _, bad := range []string{"a b", "%%", " rain", "_rain", "rain;", "wind,gust"} {
		_, err := (&domain.Accounts{}).IssueToken("weather", secretA, []string{"rain", bad})
		if e, ok := errors.AsType[*domain.Error](err); !ok || e.Field != "signals" || !strings.Contains(e.Message, strconv.Quote(bad)) {
			t.Errorf("of %q the error is %v", bad, err)
		}
	}
}

func TestTokenNames(t *testing.T) {
	for name, good := range map[string]bool{
		"weather": true, "a": true, "0": true, "a.b-c_d": true, strings.Repeat("x", 64): true,
		"": false, "operator": false, "core": false, "Weather": false, "-a": false, ".a": false, "a b": false,
		"a/b": false, "wetter\u00e4": false, strings.Repeat("x", 65): false, "a\x00": false,
	} {
		if err := domain.CheckTokenName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestCredentials(t *testing.T) {
	for _, c := range []struct{ name, username, password, field string }{
		{"good", "ada", "plum tart", ""},
		{"eight characters, not bytes", "ada", "\u00e4\u00f6\u00fc\u00e5\u00e4\u00f6\u00f8\u00e6", ""},
		{"seven characters of two bytes", "ada", "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", "password"},
		{"no name", "", "plum tart", "username"},
		{"a name of spaces", "   ", "plum tart", "username"},
		{"a name of a space that doesn't break", "\u00a0", "plum tart", "username"},
		{"a name of no width", "\u200b", "plum tart", "username"},
		{"a name of two words", "Ada L.", "plum tart", ""},
		{"long name", strings.Repeat("a", 65), "plum tart", "username"},
		{"a name with a line break", "a\nb", "plum tart", "username"},
		{"a name that is not UTF-8", "a\xff", "plum tart", "username"},
		{"short password", "ada", "1234567", "password"},
		{"longest password", "ada", strings.Repeat("plum", 256), ""},
		{"too long a password", "ada", strings.Repeat("p", 1025), "password"},
		{"the name", "Adelaide", " adelaide", "password"},
	} {
		err := domain.CheckCredentials(c.username, c.password)
		field := ""
		if e, ok := errors.AsType[*domain.Error](err); ok {
			field = e.Field
		}
		if field != c.field {
			t.Errorf("%s: the error is %v, want one about %q", c.name, err, c.field)
		}
	}
}

func TestAccountsForgetExpiredSessions(t *testing.T) {
	rules := accountRules(t)
	login := func(hash domain.SecretHash, at domain.Millis) happened {
		return happened{at, (&domain.Accounts{}).LogIn(hash, domain.SecretHash{}, domain.Visitor{}, at)}
	}
	rules.Given(login(secretA, morning), login(secretB, morning.Add(30*24*time.Hour))).
		When(t, func(a *domain.Accounts) ([]happened, error) {
			if _, ok := a.Sessions[secretA]; ok || len(a.Sessions) != 1 {
				t.Errorf("the sessions are %v", a.Sessions)
			}
			return nil, nil
		}).Then()
}

func TestAccountsErased(t *testing.T) {
	ids := domaintest.NewIDs(domaintest.NewClock(), 7)
	erased := func(event any) domain.Record {
		rec := recordOf(t, ids, 9, happened{morning, event})
		rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
		return rec
	}
	known := func() *domain.Accounts {
		return &domain.Accounts{
			Operator: &domain.Operator{Username: "ada", PasswordHash: "hash"},
			Sessions: map[domain.SecretHash]domain.Session{secretA: {ExpiresAt: morning + 1}},
			Tokens:   map[domain.SecretHash]domain.Token{secretB: {Name: "weather"}},
		}
	}
	for _, c := range []struct {
		name  string
		event any
		want  func(*domain.Accounts)
	}{
		{"registered", domain.OperatorRegistered{Username: "eve"}, func(a *domain.Accounts) { a.Operator = &domain.Operator{RegisteredAt: morning} }},
		{"password changed", domain.PasswordChanged{SessionHash: secretA.String()}, func(a *domain.Accounts) { a.Operator.PasswordHash = "" }},
		{"password set", domain.PasswordChanged{}, func(a *domain.Accounts) {
			a.Operator.PasswordHash = ""
			clear(a.Sessions)
		}},
		{"logged in", domain.OperatorLoggedIn{SessionHash: secretB.String()}, func(*domain.Accounts) {}},
		{"extended", domain.SessionExtended{SessionHash: secretA.String(), ExpiresAt: morning + 9}, func(*domain.Accounts) {}},
		{"logged out", domain.OperatorLoggedOut{SessionHash: secretA.String()}, func(a *domain.Accounts) { delete(a.Sessions, secretA) }},
		{"issued", domain.TokenIssued{Name: "other", TokenHash: secretA.String()}, func(*domain.Accounts) {}},
		{"revoked", domain.TokenRevoked{Name: "weather"}, func(a *domain.Accounts) { delete(a.Tokens, secretB) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, want := known(), known()
			if err := got.Evolve(erased(c.event)); err != nil {
				t.Fatal(err)
			}
			c.want(want)
			want.Through = 9
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the fold is\n%+v\nwant\n%+v", got, want)
			}
		})
	}
}

func TestAccountsUndecodable(t *testing.T) {
	ids := domaintest.NewIDs(domaintest.NewClock(), 7)
	for _, payload := range []string{`{"session_hash":"short"}`, `{"session_hash":7}`, `[]`} {
		a := &domain.Accounts{Through: 3}
		rec := recordOf(t, ids, 4, happened{morning, domain.OperatorLoggedIn{SessionHash: secretA.String()}})
		rec.Envelope.Payload = domain.JSONPayload([]byte(payload))
		if err := a.Evolve(rec); domain.CodeOf(err) != domain.CodeUndecodable {
			t.Errorf("%s: the error is %v", payload, err)
		}
		if !reflect.DeepEqual(a, &domain.Accounts{Through: 3}) {
			t.Errorf("%s: the fold changed to %+v", payload, a)
		}
	}
}

func TestSecretHash(t *testing.T) {
	parsed, err := domain.ParseSecretHash(secretA.String())
	if err != nil || !parsed.Equal(secretA) || parsed.Equal(secretB) {
		t.Errorf("parsed %v, %v", parsed, err)
	}
	for _, bad := range []string{"", "zz", strings.Repeat("g", 64), secretA.String() + "00"} {
		if _, err := domain.ParseSecretHash(bad); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%q: the error is %v", bad, err)
		}
	}
}

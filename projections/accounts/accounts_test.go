package accounts_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/accounts"
)

// story is a log in which people and programs came and went.
func story(t *testing.T) (*memlog.Log, *domaintest.Clock) {
	t.Helper()
	clock := domaintest.NewClock()
	log, ids := memlog.New(clock), domaintest.NewIDs(clock, 1)
	var known domain.Accounts
	registered, err := known.Register("ada", "hash", "socket")
	if err != nil {
		t.Fatal(err)
	}
	add(t, log, clock, ids, registered)
	now := func() domain.Millis { return domain.MillisOf(clock.Now()) }
	add(t, log, clock, ids, known.LogIn(domain.HashSecret("first"), domain.SecretHash{}, domain.Visitor{UserAgent: "browser"}, now()))
	add(t, log, clock, ids, known.LogIn(domain.HashSecret("second"), domain.SecretHash{}, domain.Visitor{UserAgent: "app"}, now()))
	add(t, log, clock, ids, domain.SignalReceived{SignalType: "a", Content: "b", Source: "c"})
	for _, name := range []string{"station", "other"} {
		issued, err := known.IssueToken(name, domain.HashSecret(name), []string{"b", "a"})
		if err != nil {
			t.Fatal(err)
		}
		add(t, log, clock, ids, issued)
	}
	clock.Advance(48 * time.Hour)
	add(t, log, clock, ids, domain.SessionExtended{SessionHash: domain.HashSecret("second").String(), ExpiresAt: now().Add(domain.SessionLifetime)})
	add(t, log, clock, ids, domain.OperatorLoggedOut{SessionHash: domain.HashSecret("first").String()})
	add(t, log, clock, ids, domain.OperatorLoginRefused{Count: 3, Since: now()})
	add(t, log, clock, ids, domain.TokenRevoked{Name: "other"})
	add(t, log, clock, ids, known.LogIn(domain.HashSecret("third"), domain.SecretHash{}, domain.Visitor{UserAgent: "phone", From: "192.168.1.7"}, now()))
	add(t, log, clock, ids, domain.PasswordChanged{PasswordHash: "new hash", Via: "session", SessionHash: domain.HashSecret("second").String()})
	return log, clock
}

func add[P any](t *testing.T, log *memlog.Log, clock domain.Clock, ids *domaintest.IDs, payload P) {
	t.Helper()
	entry, err := domain.New(domain.Begin(ids.NewTrace(), domain.PrincipalOperator), ids.NewID(), domain.MillisOf(clock.Now()), "api", payload)
	if err == nil {
		_, err = log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func records(t *testing.T, log *memlog.Log) []domain.Record {
	t.Helper()
	out, err := log.Select(t.Context(), domain.Selector{}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// state is a copy of what the projection knows.
func state(t *testing.T, p *accounts.Projection) (out domain.Accounts) {
	t.Helper()
	p.Read(func(a *domain.Accounts) {
		text, err := json.Marshal(a)
		if err == nil {
			err = json.Unmarshal(text, &out)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	return out
}

func TestKnows(t *testing.T) {
	log, clock := story(t)
	p := accounts.New()
	for _, rec := range records(t, log) {
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	got := state(t, p)
	began := domain.MillisOf(domaintest.NewClock().Now())
	want := domain.Accounts{
		Through:  12,
		Operator: &domain.Operator{Username: "ada", PasswordHash: "new hash", RegisteredAt: began},
		Sessions: map[domain.SecretHash]domain.Session{
			domain.HashSecret("second"): {OpenedAt: began, ExpiresAt: domain.MillisOf(clock.Now()).Add(domain.SessionLifetime), Position: 7, Client: domain.Visitor{UserAgent: "app"}.Client()},
		},
		Tokens: map[domain.SecretHash]domain.Token{
			domain.HashSecret("station"): {Name: "station", Signals: []string{"a", "b"}, IssuedAt: began},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it knows\n%+v\nwant\n%+v", got, want)
	}
}

// TestGoesOnFromEverySave breaks off and goes on at every record.
func TestGoesOnFromEverySave(t *testing.T) {
	log, _ := story(t)
	all := records(t, log)
	whole := accounts.New()
	for _, rec := range all {
		if err := whole.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	for cut := range len(all) + 1 {
		store := projections.NewMemStore()
		first := accounts.New()
		fold(t, first, store, all[:cut])
		second := accounts.New()
		fold(t, second, store, all[cut:])
		if got, want := state(t, second), state(t, whole); !reflect.DeepEqual(got, want) {
			t.Errorf("broken off after %d: it knows\n%+v\nwant\n%+v", cut, got, want)
		}
	}
}

// fold loads, applies and saves as a runner does.
func fold(t *testing.T, p *accounts.Projection, store projections.Store, recs []domain.Record) {
	t.Helper()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	pos, err := store.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
		pos = rec.Position
	}
	if err := store.Update(pos, p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
}

type writes struct{ n int }

func (w *writes) Set(_, _ []byte) error { w.n++; return nil }
func (w *writes) Delete([]byte) error   { return nil }

// TestSavesOnlyChanges holds that signals don't make the accounts be written
// again and again, and that a refused save is made up for.
func TestSavesOnlyChanges(t *testing.T) {
	log, _ := story(t)
	all := records(t, log)
	p := accounts.New()
	var w writes
	save := func(want int, kept bool) {
		t.Helper()
		w.n = 0
		if err := p.Save(&w); err != nil || w.n != want {
			t.Errorf("%d writes, %v; want %d", w.n, err, want)
		}
		if kept {
			p.Saved()
		}
	}
	apply := func(rec domain.Record) {
		t.Helper()
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	apply(all[0])
	save(1, false)
	save(1, true)
	save(0, true)
	apply(all[3]) // a signal
	save(0, true)
	apply(all[4])
	save(1, true)
}

func TestUndecodableChangesNothing(t *testing.T) {
	log, _ := story(t)
	all := records(t, log)
	p := accounts.New()
	if err := p.Apply(all[0]); err != nil {
		t.Fatal(err)
	}
	before := state(t, p)
	bad := all[1]
	bad.Envelope.Payload = domain.JSONPayload([]byte(`7`))
	if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("the error is %v", err)
	}
	if after := state(t, p); !reflect.DeepEqual(before, after) {
		t.Errorf("it now knows %+v", after)
	}
}

func TestDamagedState(t *testing.T) {
	store := projections.NewMemStore()
	if err := store.Update(1, func(b projections.Batch) error { return b.Set([]byte("state"), []byte("{")) }); err != nil {
		t.Fatal(err)
	}
	if err := accounts.New().Load(store); err == nil {
		t.Error("damaged state was loaded")
	}
}

func TestInARunner(t *testing.T) {
	log, clock := story(t)
	p := accounts.New()
	runner, err := projections.NewRunner(p, log, projections.NewMemStore(), clock, projections.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	if err := runner.WaitFor(ctx, log.Tail()); err != nil {
		t.Fatal(err)
	}
	if got := state(t, p); got.Operator == nil || len(got.Tokens) != 1 {
		t.Errorf("it knows %+v", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

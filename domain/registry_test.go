package domain_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// known is a log of interface events, folded as it grows.
type known struct {
	t       rapid.TB
	now     domain.Millis
	ids     *domaintest.IDs
	records []domain.Record
	fold    *domain.Registry
	issued  map[domain.SecretHash]bool
}

func newKnown(t rapid.TB) *known {
	return &known{t: t, now: morning, ids: domaintest.NewIDs(domaintest.NewClock(), 9), fold: &domain.Registry{}, issued: map[domain.SecretHash]bool{}}
}

// tellOf records one event and returns its envelope's id.
func tellOf[P interface{ Keys() []domain.Key }](k *known, p P) domain.ID {
	k.t.Helper()
	id := k.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, k.now, "api", p)
	if err != nil {
		k.t.Fatal(err)
	}
	entry.Envelope.Keys = p.Keys()
	if _, ok := any(p).(domain.InterfacePaired); ok {
		entry.Envelope.Keys = append(entry.Envelope.Keys, domain.InterfaceKey(id))
	}
	rec := domain.Record{Position: domain.Position(len(k.records) + 1), Topic: entry.Topic, RecordedAt: k.now, Envelope: entry.Envelope}
	k.records = append(k.records, rec)
	if err := k.fold.Evolve(rec); err != nil {
		k.t.Fatal(err)
	}
	return id
}

// erasing folds the log with one payload gone.
func (k *known) erasing(n int) *domain.Registry {
	records := slices.Clone(k.records)
	records[n].Envelope = erased(records[n].Envelope)
	return foldRegistry(k.t, records)
}

func foldRegistry(t rapid.TB, records []domain.Record) *domain.Registry {
	t.Helper()
	out := &domain.Registry{}
	for _, rec := range records {
		if err := out.Evolve(rec); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func pairing(name string, port int, token string) domain.InterfacePaired {
	return domain.InterfacePaired{
		Name: name, Host: "127.0.0.1", Port: port, Version: "1", TokenHash: domain.HashSecret(token).String(),
		Signals: []string{}, Tools: []domain.Tool{{Name: "book"}}, Scopes: domain.Scopes{Signals: map[string]string{"ward": "news"}},
	}
}

func coming(id domain.ID, name string, port int, signals ...string) domain.InterfaceRegistered {
	asked := map[string]string{}
	for _, s := range signals {
		asked[s] = "because"
	}
	return domain.InterfaceRegistered{InterfaceID: id, Name: name, Host: "127.0.0.1", Port: port, Version: "1", Scopes: domain.Scopes{Signals: asked}}
}

func allow(id domain.ID, signals ...string) domain.ScopesApproved {
	return domain.ScopesApproved{InterfaceID: id, Approved: domain.NewApproval(nil, signals, nil)}
}

func TestRegistryKnowsThePaired(t *testing.T) {
	k := newKnown(t)
	id := tellOf(k, pairing("Hospital", 9000, "one"))
	got, ok := k.fold.Token(domain.HashSecret("one"))
	if !ok || got.ID != id || got.Status() != domain.StatusOnline || got.Since != morning || got.Principal() != domain.Principal(id.UUID()) {
		t.Fatalf("the token lets in %+v, %v", got, ok)
	}
	held := *got
	tellOf(k, domain.CapabilitiesChanged{InterfaceID: id, Version: "2", Tools: []domain.Tool{{Name: "cancel"}}})
	if got.Tools[0].Name != "book" || !reflect.DeepEqual(*got, held) {
		t.Error("an interface that was read before changed under its reader")
	}
	if now := k.fold.Interfaces[id]; now.Version != "2" || now.Tools[0].Name != "cancel" {
		t.Errorf("it is known as %+v", now)
	}
	// Another at the same place takes it over, and the old token ends.
	second := tellOf(k, pairing("Hospital", 9000, "two"))
	if _, ok := k.fold.Token(domain.HashSecret("one")); ok || len(k.fold.Interfaces) != 1 || len(k.fold.Tokens) != 1 {
		t.Errorf("the one before is still known: %+v", k.fold)
	}
	tellOf(k, domain.InterfaceRemoved{InterfaceID: id})
	if _, ok := k.fold.Token(domain.HashSecret("two")); !ok {
		t.Error("removing the one before removed the one after")
	}
	tellOf(k, domain.InterfaceRemoved{InterfaceID: second})
	if _, ok := k.fold.Token(domain.HashSecret("two")); ok || len(k.fold.Interfaces) != 0 || len(k.fold.Tokens) != 0 {
		t.Errorf("a removed one is still known: %+v", k.fold)
	}
	if _, ok := k.fold.Token(domain.HashSecret("")); ok {
		t.Error("no token lets somebody in")
	}
	// What concerns one that is gone is no trouble.
	tellOf(k, domain.InterfaceWentOffline{InterfaceID: second, Failures: 3})
	tellOf(k, domain.CapabilitiesChanged{InterfaceID: second})
	if len(k.fold.Interfaces) != 0 {
		t.Errorf("it came back: %+v", k.fold.Interfaces)
	}
}

func TestRegistryKnowsTheRegistered(t *testing.T) {
	k := newKnown(t)
	id := k.ids.NewID()
	stands := func(status domain.InterfaceStatus, approved ...string) {
		t.Helper()
		i := k.fold.Interfaces[id]
		if i == nil || i.Status() != status || !slices.Equal(i.Approved.Signals, approved) || i.Since != morning {
			t.Errorf("it stands as %+v, want %s with %v approved", i, status, approved)
		}
	}
	tellOf(k, coming(id, "Weather", 4001, "wind"))
	stands(domain.StatusPending)
	tellOf(k, allow(id, "wind"))
	stands(domain.StatusOnline, "wind")
	tellOf(k, domain.CapabilitiesChanged{InterfaceID: id, Version: "1", Tools: []domain.Tool{{Name: "book"}}})
	k.now = k.now.Add(time.Hour)
	tellOf(k, coming(id, "Weather", 4001, "wind", "rain"))
	stands(domain.StatusOnline, "wind")
	if len(k.fold.Interfaces[id].Tools) != 1 {
		t.Error("coming again took its tools away")
	}
	tellOf(k, domain.InterfaceWentOffline{InterfaceID: id, Failures: 3, Reason: "silence"})
	stands(domain.StatusOffline, "wind")
	tellOf(k, domain.InterfaceCameOnline{InterfaceID: id})
	stands(domain.StatusOnline, "wind")
	// Without asking for it any more it may not do it, and asking again is anew.
	tellOf(k, coming(id, "Weather", 4001, "rain"))
	stands(domain.StatusOnline)
	tellOf(k, coming(id, "Weather", 4001, "wind", "rain"))
	stands(domain.StatusOnline)
	tellOf(k, allow(id, "wind", "rain"))
	stands(domain.StatusOnline, "rain", "wind")
	tellOf(k, coming(id, "Impostor", 4001, "wind", "rain"))
	stands(domain.StatusPending)
	if len(k.fold.Interfaces[id].Tools) != 0 {
		t.Error("the one before's tools are offered under another name")
	}
}

func TestRegistryForgetsOldKeys(t *testing.T) {
	k := newKnown(t)
	issue := func(text string) {
		tellOf(k, k.fold.IssuePairingKey(domain.HashSecret(text), k.now))
	}
	issue("used")
	tellOf(k, domain.PairingKeyUsed{KeyHash: domain.HashSecret("used").String()})
	issue("left")
	k.now = k.now.Add(2*domain.PairingKeyLifetime - time.Millisecond)
	issue("later")
	if len(k.fold.Keys) != 2 || len(k.fold.Burnt) != 1 {
		t.Errorf("expired keys left too soon: %+v", k.fold)
	}
	k.now = k.now.Add(time.Millisecond)
	issue("last")
	if len(k.fold.Keys) != 2 || len(k.fold.Burnt) != 0 {
		t.Errorf("expired keys stay: %+v", k.fold)
	}
}

func TestRegistryOfUnreadable(t *testing.T) {
	k := newKnown(t)
	tellOf(k, pairing("Hospital", 9000, "one"))
	before, err := json.Marshal(k.fold)
	if err != nil {
		t.Fatal(err)
	}
	hash := domain.HashSecret("x").String()
	for _, payload := range []string{`7`, `{"key_hash":"` + hash[1:] + `"}`, `{"token_hash":"z"}`} {
		for _, of := range []domain.EventType{"pairing.key_issued", "pairing.key_used", "interface.paired"} {
			rec := k.records[0]
			rec.Position++
			rec.Envelope.Type, rec.Envelope.Payload = of, domain.JSONPayload([]byte(payload))
			if err := k.fold.Evolve(rec); domain.CodeOf(err) != domain.CodeUndecodable {
				t.Errorf("%s of %s: %v", of, payload, err)
			}
		}
	}
	rec := k.records[0]
	rec.Topic, rec.Position = domain.TopicSignals, 9
	if err := k.fold.Evolve(rec); err != nil {
		t.Error(err)
	}
	after, err := json.Marshal(k.fold)
	if err != nil || !bytes.Equal(after, before) {
		t.Errorf("it became %s, %v", after, err)
	}
}

func TestRegistryOfErased(t *testing.T) {
	k := newKnown(t)
	key := domain.HashSecret("key")
	tellOf(k, k.fold.IssuePairingKey(key, k.now))
	tellOf(k, domain.PairingKeyUsed{KeyHash: key.String()})
	old := tellOf(k, pairing("Hospital", 9000, "one"))
	tellOf(k, pairing("Hospital", 9000, "two"))
	weather := k.ids.NewID()
	tellOf(k, coming(weather, "Weather", 4001, "wind"))
	tellOf(k, allow(weather, "wind"))
	tellOf(k, domain.InterfaceWentOffline{InterfaceID: weather, Failures: 3, Reason: "silence"})

	if r := k.erasing(0); len(r.Keys)+len(r.Burnt) != 0 {
		t.Errorf("an erased key is known: %+v", r)
	}
	if r := k.erasing(1); len(r.Keys) != 0 || len(r.Burnt) != 1 {
		t.Errorf("an erased use of a key leaves it good: %+v", r)
	}
	if r := k.erasing(3); len(r.Tokens) != 0 || r.Interfaces[old] != nil {
		t.Errorf("erasing who took its place brings one back: %+v", r)
	}
	if r := k.erasing(4); r.Interfaces[weather] != nil {
		t.Errorf("an erased registration makes known: %+v", r)
	}
	if i := k.erasing(5).Interfaces[weather]; i.Decided || !i.Approved.Empty() || i.Status() != domain.StatusPending {
		t.Errorf("with its approval erased it stands as %+v", i)
	}
	if i := k.erasing(6).Interfaces[weather]; !i.Offline || i.OfflineWhy != "" {
		t.Errorf("it is back online: %+v", i)
	}
	tellOf(k, domain.InterfaceCameOnline{InterfaceID: weather})
	if i := k.erasing(7).Interfaces[weather]; i.Offline {
		t.Errorf("it stays offline: %+v", i)
	}
	tellOf(k, domain.InterfaceRemoved{InterfaceID: weather})
	if r := k.erasing(8); r.Interfaces[weather] != nil {
		t.Errorf("an erased removal brings it back: %+v", r)
	}
}

func TestInterfaceSource(t *testing.T) {
	for name, want := range map[string]domain.Source{
		"Luigi's Restaurant": "interface/luigis-restaurant",
		"api":                "interface/api",
		"  a -- B!  ":        "interface/a-b",
		"天気":                 "interface",
		"Gas/2 0123456789 0123456789 0123456789 0123456789": "interface/gas-2-0123456789-0123456789-0123456789-012345678",
	} {
		if got := (domain.Interface{Name: name}).Source(); got != want {
			t.Errorf("%q speaks as %q, want %q", name, got, want)
		}
	}
}

func TestEndpointKey(t *testing.T) {
	a, b := domain.EndpointKey("adas-laptop.local", 8080), domain.EndpointKey("adas-laptop.local", 8081)
	if a == b || len(a) > domain.MaxKeyBytes || a != domain.EndpointKey("adas-laptop.local", 8080) {
		t.Errorf("the keys are %s and %s", a, b)
	}
}

// What registers again after its registration was erased may have gone offline in
// between, which had nowhere to be noted.
func TestRegistryBeginsOfflineWhatItLost(t *testing.T) {
	k := newKnown(t)
	id := k.ids.NewID()
	tellOf(k, coming(id, "Weather", 4001))
	tellOf(k, domain.InterfaceWentOffline{InterfaceID: id, Failures: 3, Reason: "silence"})
	tellOf(k, coming(id, "Weather", 4001, "wind"))
	tellOf(k, allow(id, "wind"))
	if i := k.erasing(0).Interfaces[id]; i == nil || i.Status() != domain.StatusOffline {
		t.Errorf("it stands as %+v", i)
	}
	tellOf(k, domain.InterfaceCameOnline{InterfaceID: id})
	if r := k.erasing(0); r.Interfaces[id].Status() != domain.StatusOnline || len(r.Lost) != 0 {
		t.Errorf("it came online, and stands as %+v", r.Interfaces[id])
	}
}

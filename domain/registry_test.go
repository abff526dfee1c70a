package domain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
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

// as is an event with an envelope of that id, and when it was recorded.
type as struct {
	id    domain.ID
	at    domain.Millis
	event any
}

// hospitalID and weatherID are of interfaces that the histories speak of.
var (
	hospitalID = domain.ID{15: 1}
	weatherID  = domain.ID{15: 2}
)

// registryRules fold events, bare or within as, the way a log's records reach the
// fold.
func registryRules(t *testing.T) domaintest.Rules[*domain.Registry, any] {
	ids := domaintest.NewIDs(domaintest.NewClock(), 7)
	var pos domain.Position
	return domaintest.Rules[*domain.Registry, any]{
		Initial: &domain.Registry{},
		Evolve: func(r *domain.Registry, event any) *domain.Registry {
			told, ok := event.(as)
			if !ok {
				told = as{id: ids.NewID(), at: morning, event: event}
			}
			next := &domain.Registry{}
			text, err := json.Marshal(r)
			if err == nil {
				err = json.Unmarshal(text, next)
			}
			if err != nil {
				t.Fatal(err)
			}
			pos++
			if err := next.Evolve(registryRecord(t, pos, told)); err != nil {
				t.Fatalf("fold %T: %v", told.event, err)
			}
			return next
		},
	}
}

func registryRecord(t *testing.T, pos domain.Position, told as) domain.Record {
	t.Helper()
	lin := domain.Begin(domain.TraceID{ID: told.id}, domain.PrincipalOperator)
	entry, err := registryEntry(lin, told)
	if err != nil {
		t.Fatal(err)
	}
	if approved, ok := told.event.(domain.ScopesApproved); ok {
		entry.Envelope.Keys = approved.Keys()
	}
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: told.at, Envelope: entry.Envelope}
}

func registryEntry(lin domain.Lineage, told as) (domain.Entry, error) {
	switch e := told.event.(type) {
	case domain.PairingKeyIssued:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.PairingKeyUsed:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.InterfacePaired:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.InterfaceRegistered:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.ScopesApproved:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.CapabilitiesChanged:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.InterfaceWentOffline:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.InterfaceCameOnline:
		return domain.New(lin, told.id, told.at, "api", e)
	case domain.InterfaceRemoved:
		return domain.New(lin, told.id, told.at, "api", e)
	}
	return domain.Entry{}, fmt.Errorf("%T is no event of the registry", told.event)
}

// one is the events of a decision that makes one, or none.
func one(event any, needed bool, err error) ([]any, error) {
	if err != nil || !needed {
		return nil, err
	}
	return []any{event}, nil
}

var (
	hospital = as{hospitalID, morning, pairing("Hospital", 9000, "one")}
	weather  = coming(weatherID, "Weather", 4001, "wind", "rain")
)

func TestDecidePairingKey(t *testing.T) {
	rules := registryRules(t)
	expires := morning.Add(10 * time.Minute)
	issued := domain.PairingKeyIssued{KeyHash: secretA.String(), ExpiresAt: expires}
	used := domain.PairingKeyUsed{KeyHash: secretA.String(), Name: "Hospital", Host: "127.0.0.1", Port: 9000}
	rules.Given().When(t, func(r *domain.Registry) ([]any, error) {
		return []any{r.IssuePairingKey(secretA, morning)}, nil
	}).ThenOnly(issued)

	use := func(hash domain.SecretHash, now domain.Millis) func(*domain.Registry) ([]any, error) {
		return func(r *domain.Registry) ([]any, error) {
			e, key, err := r.UsePairingKey(hash, "Hospital", "127.0.0.1", 9000, now)
			if err == nil && (key.Position == 0 || key.Issued.IsZero() || key.ExpiresAt != expires) {
				t.Errorf("the key is %+v", key)
			}
			return one(e, err == nil, err)
		}
	}
	rules.Given(issued).When(t, use(secretA, morning)).ThenOnly(used)
	rules.Given(issued).When(t, use(secretA, expires-1)).ThenOnly(used)
	rules.Given(issued).When(t, use(secretA, expires)).ThenRefused(domain.Validation, domain.CodeExpiredKey)
	rules.Given(issued).When(t, use(secretB, morning)).ThenRefused(domain.Validation, domain.CodeWrongKey)
	rules.Given().When(t, use(secretA, morning)).ThenRefused(domain.Validation, domain.CodeWrongKey)
	rules.Given(issued, used).When(t, use(secretA, morning)).ThenRefused(domain.Validation, domain.CodeUsedKey)
	rules.Given(issued, used).When(t, use(secretA, expires)).ThenRefused(domain.Validation, domain.CodeUsedKey)
}

func TestDecideRegistration(t *testing.T) {
	rules := registryRules(t)
	fresh := domain.ID{15: 9}
	register := func(in domain.InterfaceRegistered, wantNew bool) func(*domain.Registry) ([]any, error) {
		return func(r *domain.Registry) ([]any, error) {
			in.InterfaceID = domain.ID{}
			_, before := r.At(in.Host, in.Port)
			e, isNew, changed, err := r.Register(in, fresh)
			if err == nil && isNew != (wantNew && !before) {
				t.Errorf("%+v is new: %v", e, isNew)
			}
			return one(e, changed, err)
		}
	}
	another := func(change func(*domain.InterfaceRegistered)) domain.InterfaceRegistered {
		e := weather
		change(&e)
		return e
	}
	first := another(func(e *domain.InterfaceRegistered) { e.InterfaceID = fresh })
	rules.Given().When(t, register(weather, true)).Then(first)
	rules.Given(hospital).When(t, register(weather, true)).Then(first)
	rules.Given(weather).When(t, register(weather, false)).Then()
	for what, changed := range map[string]domain.InterfaceRegistered{
		"name":        another(func(e *domain.InterfaceRegistered) { e.Name = "Other" }),
		"version":     another(func(e *domain.InterfaceRegistered) { e.Version = "2" }),
		"description": another(func(e *domain.InterfaceRegistered) { e.Description = "wet" }),
		"author":      another(func(e *domain.InterfaceRegistered) { e.Author = "somebody" }),
		"scopes":      coming(weatherID, "Weather", 4001, "wind"),
		"a reason": another(func(e *domain.InterfaceRegistered) {
			e.Scopes.Signals = map[string]string{"wind": "x", "rain": "because"}
		}),
	} {
		t.Run(what, func(t *testing.T) { rules.Given(weather).When(t, register(changed, false)).Then(changed) })
	}
	// Removed, it comes back as a stranger.
	rules.Given(weather, domain.InterfaceRemoved{InterfaceID: weatherID}).When(t, register(weather, true)).Then(first)
	taken := another(func(e *domain.InterfaceRegistered) { e.Port = 9000 })
	rules.Given(hospital).When(t, register(taken, true)).ThenRefused(domain.Conflict, "place_taken")
}

func TestDecideApproval(t *testing.T) {
	rules := registryRules(t)
	approve := func(id domain.ID, a domain.Approval) func(*domain.Registry) ([]any, error) {
		return func(r *domain.Registry) ([]any, error) { return one(r.Approve(id, a)) }
	}
	rules.Given(weather).When(t, approve(weatherID, domain.Approval{Signals: []string{"wind", "rain", "wind"}})).Then(allow(weatherID, "rain", "wind"))
	rules.Given(weather).When(t, approve(weatherID, domain.Approval{})).Then(allow(weatherID))
	rules.Given(weather, allow(weatherID, "wind")).When(t, approve(weatherID, domain.Approval{})).Then(allow(weatherID))
	rules.Given(weather, allow(weatherID, "wind")).When(t, approve(weatherID, domain.NewApproval(nil, []string{"wind"}, nil))).Then()
	rules.Given(weather).When(t, approve(weatherID, domain.NewApproval(nil, []string{"snow"}, nil))).ThenRefused(domain.Validation, "invalid")
	rules.Given(weather).When(t, approve(weatherID, domain.NewApproval([]string{"wind"}, nil, nil))).ThenRefused(domain.Validation, "invalid")
	rules.Given(weather).When(t, approve(hospitalID, domain.Approval{})).ThenRefused(domain.NotFound, "no_interface")
	rules.Given(hospital).When(t, approve(hospitalID, domain.NewApproval(nil, []string{"ward"}, nil))).Then(allow(hospitalID, "ward"))
	// What it declared for itself beyond signals waits for the person, and an approval of it is news.
	bold := pairing("Hospital", 9000, "one")
	bold.Signals = []string{"console", "context_update", "mcp", "voice", "ward"}
	declared := as{hospitalID, morning, bold}
	rules.Given(declared).When(t, approve(hospitalID, domain.NewApproval(nil, []string{"voice"}, nil))).Then(allow(hospitalID, "voice"))
	rules.Given(declared, allow(hospitalID, "voice")).When(t, approve(hospitalID, domain.NewApproval(nil, []string{"voice"}, nil))).Then()
	// So is that they refuse it, once.
	rules.Given(declared).When(t, approve(hospitalID, domain.Approval{})).Then(allow(hospitalID))
	rules.Given(declared, allow(hospitalID)).When(t, approve(hospitalID, domain.Approval{})).Then()
	for _, never := range []string{"mcp", "console"} {
		rules.Given(declared).When(t, approve(hospitalID, domain.NewApproval(nil, []string{never}, nil))).ThenRefused(domain.Validation, "invalid")
	}
	// What its token lets it send is no news.
	ward := pairing("Hospital", 9000, "one")
	ward.Signals = []string{"ward"}
	named := as{hospitalID, morning, ward}
	rules.Given(named).When(t, approve(hospitalID, domain.NewApproval(nil, []string{"ward"}, nil))).Then()
	rules.Given(named).When(t, approve(hospitalID, domain.Approval{})).Then()
	// Under another name it is asked for again, even when nothing else changed.
	other := coming(weatherID, "Other", 4001, "wind", "rain")
	rules.Given(weather, allow(weatherID), other).When(t, approve(weatherID, domain.Approval{})).Then(allow(weatherID))
}

func TestDecideRefresh(t *testing.T) {
	rules := registryRules(t)
	book, null := []domain.Tool{{Name: "book"}}, json.RawMessage("null")
	refresh := func(id domain.ID, version string, tools []domain.Tool, meta string) func(*domain.Registry) ([]any, error) {
		return func(r *domain.Registry) ([]any, error) {
			return one(r.Refresh(id, version, tools, json.RawMessage(meta)))
		}
	}
	offers := func(id domain.ID, version string, tools []domain.Tool, meta json.RawMessage) domain.CapabilitiesChanged {
		return domain.CapabilitiesChanged{InterfaceID: id, Version: version, Tools: tools, Meta: meta}
	}
	described := []domain.Tool{{Name: "book", Returns: json.RawMessage(`{"a": 1}`)}}
	spaced := []domain.Tool{{Name: "book", Returns: json.RawMessage(`{ "a":1 }`)}}
	rules.Given(hospital).When(t, refresh(hospitalID, "1", book, "")).Then()
	rules.Given(hospital).When(t, refresh(hospitalID, "1", book, "null")).Then()
	rules.Given(hospital).When(t, refresh(hospitalID, "", book, "")).Then()
	rules.Given(hospital).When(t, refresh(hospitalID, "2", book, "")).Then(offers(hospitalID, "2", book, null))
	rules.Given(hospital).When(t, refresh(hospitalID, "1", []domain.Tool{}, "")).Then(offers(hospitalID, "1", []domain.Tool{}, null))
	rules.Given(hospital).When(t, refresh(hospitalID, "1", described, "")).Then(offers(hospitalID, "1", described, null))
	rules.Given(hospital, offers(hospitalID, "1", described, null)).When(t, refresh(hospitalID, "1", spaced, "")).Then()
	rules.Given(hospital).When(t, refresh(hospitalID, "1", book, `{"a":1}`)).Then(offers(hospitalID, "1", book, json.RawMessage(`{"a":1}`)))
	// A registered one's version is what it registered with.
	rules.Given(weather).When(t, refresh(weatherID, "77", book, "")).Then(offers(weatherID, "1", book, null))
	rules.Given(weather, offers(weatherID, "1", book, null)).When(t, refresh(weatherID, "77", book, "")).Then()
	rules.Given(weather).When(t, refresh(hospitalID, "1", book, "")).ThenRefused(domain.NotFound, "no_interface")
}

func TestDecideHealthAndEnd(t *testing.T) {
	rules := registryRules(t)
	off := domain.InterfaceWentOffline{InterfaceID: hospitalID, Failures: 3, Reason: "silence"}
	on, gone := domain.InterfaceCameOnline{InterfaceID: hospitalID}, domain.InterfaceRemoved{InterfaceID: hospitalID}
	goOffline := func(r *domain.Registry) ([]any, error) {
		e, ok := r.GoOffline(hospitalID, 3, "silence")
		return one(e, ok, nil)
	}
	comeOnline := func(r *domain.Registry) ([]any, error) {
		e, ok := r.ComeOnline(hospitalID)
		return one(e, ok, nil)
	}
	remove := func(r *domain.Registry) ([]any, error) {
		e, err := r.Remove(hospitalID)
		return one(e, err == nil, err)
	}
	rules.Given(hospital).When(t, goOffline).Then(off)
	rules.Given(hospital, off).When(t, comeOnline).Then(on)
	rules.Given(hospital, off, on).When(t, goOffline).Then(off)
	rules.Given(hospital).When(t, comeOnline).Then()
	rules.Given().When(t, goOffline).Then()
	rules.Given().When(t, comeOnline).Then()
	rules.Given(hospital).When(t, remove).ThenOnly(gone)
	rules.Given(hospital, gone).When(t, remove).ThenRefused(domain.NotFound, "no_interface")
}

func TestCheckInterface(t *testing.T) {
	for _, c := range []struct {
		name, host string
		port       int
		texts      []string
		field      string
	}{
		{"", "h", 1, nil, "name"}, {" ", "h", 1, nil, "name"}, {"a\x00", "h", 1, nil, "name"}, {"\xff", "h", 1, nil, "name"},
		{strings.Repeat("a", 129), "h", 1, nil, "name"},
		{"a", "", 1, nil, "host"}, {"a", "http://h", 1, nil, "host"}, {"a", "h:1/x", 1, nil, "host"}, {"a", "u@h", 1, nil, "host"},
		{"a", "h h", 1, nil, "host"}, {"a", "[::1]", 1, nil, "host"}, {"a", strings.Repeat("h", 254), 1, nil, "host"}, {"a", "hö", 1, nil, "host"},
		{"a", "h", 0, nil, "port"}, {"a", "h", 65536, nil, "port"}, {"a", "h", -1, nil, "port"},
		{" chalie ", "h", 1, nil, "name"},
	} {
		wantField(t, domain.CheckInterface(c.name, c.host, c.port, c.texts...), c.field)
	}
	if err := domain.CheckInterface("a", "h", 1, "fine", strings.Repeat("x", 4097)); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("an endless text: %v", err)
	}
	for _, host := range []string{"localhost", "127.0.0.1", "::1", "fe80::1", "my_host.example-1.com", strings.Repeat("h", 253)} {
		if err := domain.CheckInterface(strings.Repeat("a", 128), host, 65535, strings.Repeat("x", 4096)); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestDeclareSignals(t *testing.T) {
	asked := domain.Scopes{Signals: map[string]string{"wind": "", "rain": ""}}
	got, err := domain.DeclareSignals([]string{"snow", "rain"}, asked)
	if err != nil || !slices.Equal(got, []string{"rain", "snow", "wind"}) {
		t.Errorf("it declares %v, %v", got, err)
	}
	if got, err := domain.DeclareSignals(nil, domain.Scopes{}); err != nil || got == nil || len(got) != 0 {
		t.Errorf("it declares %#v, %v", got, err)
	}
	for _, bad := range [][]string{{""}, {"a\n"}, {strings.Repeat("x", 129)}, make([]string, 300)} {
		if _, err := domain.DeclareSignals(bad, asked); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

func TestScopesCheck(t *testing.T) {
	many := map[string]string{}
	for n := range domain.MaxScopes + 1 {
		many[fmt.Sprint(n)] = ""
	}
	few := maps.Clone(many)
	delete(few, "0")
	if err := (domain.Scopes{Context: few, Signals: few, Messages: map[string]string{"a": strings.Repeat("x", 1024)}}).Check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []map[string]string{many, {"": "x"}, {"a\x01": ""}, {"\xff": ""}, {"a": "\xff"}, {strings.Repeat("x", 129): ""}, {"a": strings.Repeat("x", 1025)}} {
		for _, s := range []domain.Scopes{{Context: bad}, {Signals: bad}, {Messages: bad}} {
			wantField(t, s.Check(), "scopes")
		}
	}
}

func TestOnePlaceHasOneInterface(t *testing.T) {
	for _, host := range []string{"localhost", "LOCALHOST", "127.0.0.1", "127.0.1.1", "::1", "localhost."} {
		if domain.EndpointKey(host, 9) != domain.EndpointKey("127.0.0.1", 9) {
			t.Errorf("%s is another place", host)
		}
	}
	if domain.EndpointKey("Lamp.example", 9) != domain.EndpointKey("lamp.example", 9) || domain.EndpointKey("lamp.example", 9) == domain.EndpointKey("lamp.example", 8) {
		t.Error("letters make another place, or ports don't")
	}
}

func TestRegistryHasBounds(t *testing.T) {
	full := &domain.Registry{Interfaces: map[domain.ID]*domain.Interface{}}
	for i := range domain.MaxInterfaces {
		id := domain.ID{0: byte(i >> 8), 1: byte(i), 15: 1}
		full.Interfaces[id] = &domain.Interface{ID: id, Host: "127.0.0.1", Port: i + 1, Origin: domain.OriginRegistered}
	}
	_, _, _, err := full.Register(domain.InterfaceRegistered{Name: "one more", Host: "127.0.0.1", Port: 60_000}, domain.ID{9})
	if domain.CodeOf(err) != "too_many_interfaces" {
		t.Errorf("one more: %v", err)
	}
	if _, _, _, err := full.Register(domain.InterfaceRegistered{Name: "known", Host: "127.0.0.1", Port: 7}, domain.ID{9}); err != nil {
		t.Errorf("a known one: %v", err)
	}
}

// What an earlier build recorded as approved answers no question about rights: it asked about context alone. A
// right that it recorded as given stays given.
func TestRightsAskedOfWhatWasApprovedBefore(t *testing.T) {
	for _, c := range []struct {
		given, asks []string
		asked       bool
	}{
		{nil, []string{"voice", "context_update"}, false},
		{[]string{"voice"}, []string{"context_update"}, false},
		{[]string{"context_update", "voice"}, nil, false},
		{nil, nil, true},
		{[]string{"voice"}, nil, true},
	} {
		k := newKnown(t)
		bold := pairing("Hospital", 9000, "one")
		bold.Signals = []string{"context_update", "voice", "ward"}
		id := tellOf(k, bold)
		tellOf(k, allow(id, c.given...))
		if last := &k.records[len(k.records)-1].Envelope; !c.asked {
			last.Keys = slices.DeleteFunc(last.Keys, func(key domain.Key) bool { return key == domain.RightsAskedKey })
		}
		now := foldRegistry(t, k.records).Interfaces[id]
		if !slices.Equal(now.AskedRights(), c.asks) || !slices.Equal(now.Approved.Signals, c.given) && len(c.given) > 0 {
			t.Errorf("given %v, asked %v: it asks for %v and has %v", c.given, c.asked, now.AskedRights(), now.Approved.Signals)
		}
	}
}

// A right is asked for in Chalie's words, whatever the program says of it, and one that no
// interface is given isn't asked for.
func TestRightsAreAskedForInWords(t *testing.T) {
	i := domain.Interface{Origin: domain.OriginRegistered, Scopes: domain.Scopes{Signals: map[string]string{
		domain.RightContext: "so that the lamp can be switched", domain.RightVoice: "", domain.RightConsole: "x", domain.RightMCP: "x", "rain": "it rains",
	}}}
	want := map[string]string{
		domain.RightContext: "It may say where and how you are. It says: so that the lamp can be switched",
		domain.RightVoice:   "It may have Chalie hear and speak for it.", "rain": "it rains",
	}
	if got := i.Requested().Signals; !maps.Equal(got, want) {
		t.Errorf("it asks for %q", got)
	}
	if got := i.Unapproved().Signals; !maps.Equal(got, want) {
		t.Errorf("not allowed yet: %q", got)
	}
	if len(i.Scopes.Signals) != 5 {
		t.Errorf("what it declared was changed: %q", i.Scopes.Signals)
	}
}

package domain_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

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

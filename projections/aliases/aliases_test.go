package aliases_test

import (
	"fmt"
	"testing"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/aliases"
)

func command(t *testing.T, n byte, c domain.CommandReceived) domain.Record {
	t.Helper()
	id := domain.ID{n}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 0, "cli", c)
	if err != nil {
		t.Fatal(err)
	}
	return domain.Record{Position: domain.Position(n), Envelope: entry.Envelope}
}

// The first thing that a sender calls so keeps the name, in memory and read back, in any spelling. What another
// sender calls so is another thing.
func TestAliases(t *testing.T) {
	const mine, other domain.Principal = "operator", "program:0199aa00-0000-7000-8000-000000000001"
	const foreign, trace = "6f1c1d4e9c1f4c8b8f0f6d2f2f3f4f5a", "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
	store := projections.NewMemStore()
	p := aliases.New()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	for n, c := range []domain.CommandReceived{
		{Sender: mine, EnvelopeID: foreign, TraceID: trace, InvocationID: "my call", Invocation: domain.ID{9}},
		{Sender: mine, EnvelopeID: "ffffffffffffffffffffffffffffffff", TraceID: trace},
		{},
		{Sender: other, EnvelopeID: foreign, TraceID: "22222222222222222222222222222222"},
	} {
		rec := command(t, byte(n+1), c)
		if err := projections.Apply(p, &rec); err != nil {
			t.Fatal(err)
		}
	}
	erased := command(t, 7, domain.CommandReceived{EnvelopeID: "11111111111111111111111111111111"})
	erased.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if err := p.Apply(erased); err != nil {
		t.Fatal(err)
	}
	check := func(p *aliases.Projection) {
		t.Helper()
		for _, c := range []struct {
			space  aliases.Space
			sender domain.Principal
			name   string
			want   domain.ID
		}{
			{aliases.Envelopes, mine, foreign, domain.ID{1}},
			{aliases.Envelopes, mine, "6F1C1D4E-9C1F-4C8B-8F0F-6D2F2F3F4F5A", domain.ID{1}},
			{aliases.Traces, mine, trace, domain.ID{1}},
			{aliases.Invocations, mine, "my call", domain.ID{9}},
			{aliases.Envelopes, mine, trace, domain.ID{}},
			{aliases.Envelopes, mine, "11111111111111111111111111111111", domain.ID{}},
			// What another calls so is another thing, and what it calls otherwise is unknown to this one.
			{aliases.Envelopes, other, foreign, domain.ID{4}},
			{aliases.Traces, mine, "22222222222222222222222222222222", domain.ID{}},
			{aliases.Traces, other, "22222222222222222222222222222222", domain.ID{4}},
			{aliases.Invocations, other, "my call", domain.ID{}},
		} {
			got, found, err := p.Find(c.space, c.sender, c.name)
			if err != nil || got != c.want || found != !c.want.IsZero() {
				t.Errorf("%c %s is %v, %v, %v; want %v", c.space, c.name, got, found, err, c.want)
			}
		}
	}
	check(p)
	for name, want := range map[string]domain.ID{foreign: {1}, "22222222222222222222222222222222": {4}, "33333333333333333333333333333333": {}} {
		space := aliases.Envelopes
		if name != foreign {
			space = aliases.Traces
		}
		if got, _, err := p.Meant(space, name); err != nil || got != want {
			t.Errorf("by %s the person means %v, %v, not %v", name, got, err, want)
		}
	}
	if err := store.Update(7, p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
	check(p)
	again := aliases.New()
	if err := again.Load(store); err != nil {
		t.Fatal(err)
	}
	check(again)
}

func BenchmarkFind(b *testing.B) {
	p := aliases.New()
	for n := range 10_000 {
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: domain.ID{1, byte(n >> 8), byte(n)}}, "x"), domain.ID{1, byte(n >> 8), byte(n)}, 0, "cli", domain.CommandReceived{Sender: "x", EnvelopeID: fmt.Sprintf("%032x", n+1)})
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Apply(domain.Record{Position: domain.Position(n + 1), Envelope: entry.Envelope}); err != nil {
			b.Fatal(err)
		}
	}
	for n := 0; b.Loop(); n++ {
		if _, found, err := p.Envelope("x", fmt.Sprintf("%032x", n%10_000+1)); !found || err != nil {
			b.Fatal(found, err)
		}
	}
}

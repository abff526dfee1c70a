package surroundings_test

import (
	"reflect"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/surroundings"
)

func updated(t *testing.T, pos domain.Position, payload domain.ContextUpdated) domain.Record {
	t.Helper()
	ids := domaintest.NewIDs(domaintest.NewClock(), uint16(pos))
	id := ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api", payload)
	if err != nil {
		t.Fatal(err)
	}
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: 1, Envelope: entry.Envelope}
}

// Each field is the latest that anybody said of it, over a restart too.
func TestSurroundings(t *testing.T) {
	malta, tokyo, focused := "Europe/Malta", "Asia/Tokyo", domain.AttentionFocused
	half := domain.One / 2
	store := projections.NewMemStore()
	p := surroundings.New()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	erased := updated(t, 4, domain.ContextUpdated{Timezone: &malta})
	erased.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	other := updated(t, 5, domain.ContextUpdated{})
	other.Envelope.Type = "signal.received"
	for _, rec := range []domain.Record{
		updated(t, 1, domain.ContextUpdated{Timezone: &malta, Attention: &focused}),
		updated(t, 2, domain.ContextUpdated{Timezone: &tokyo}),
		updated(t, 3, domain.ContextUpdated{Energy: &half, Location: &domain.Location{Lat: 35.9, Lon: 14.5, Name: "Sliema"}}),
		erased, other,
	} {
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	want := domain.ContextUpdated{Timezone: &tokyo, Attention: &focused, Energy: &half, Location: &domain.Location{Lat: 35.9, Lon: 14.5, Name: "Sliema"}}
	if got := p.Now(); !reflect.DeepEqual(got, want) {
		t.Errorf("known is %+v, want %+v", got, want)
	}
	if err := store.Update(5, p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
	again := surroundings.New()
	if err := again.Load(store); err != nil {
		t.Fatal(err)
	}
	if got := again.Now(); !reflect.DeepEqual(got, want) {
		t.Errorf("after a restart known is %+v, want %+v", got, want)
	}
}

func TestUndecodableContextChangesNothing(t *testing.T) {
	p := surroundings.New()
	bad := updated(t, 1, domain.ContextUpdated{})
	bad.Envelope.Payload = domain.JSONPayload([]byte(`{"timezone":7}`))
	if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("the error is %v", err)
	}
	if got := p.Now(); !reflect.DeepEqual(got, domain.ContextUpdated{}) {
		t.Errorf("known is %+v", got)
	}
}

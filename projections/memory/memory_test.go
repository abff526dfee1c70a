package memory_test

import (
	"slices"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/memory"
)

// What is remembered is the same after a restart at any record.
func TestMemory(t *testing.T) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	var all []domain.Record
	add := func(entry domain.Entry, err error, keys []domain.Key) domain.ID {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		entry.Envelope.Keys = keys
		all = append(all, domain.Record{Position: domain.Position(len(all) + 1), Topic: entry.Topic, Envelope: entry.Envelope})
		return entry.Envelope.ID
	}
	remember := func(m domain.MemoryRemembered) domain.ID {
		t.Helper()
		e, err := domain.New(domain.Begin(ids.NewTrace(), domain.PrincipalOperator), ids.NewID(), 1, "test", m)
		return add(e, err, m.Keys())
	}
	first := remember(domain.MemoryRemembered{Text: "the dentist is Dr Borg"})
	second := remember(domain.MemoryRemembered{Text: "Anna is allergic"})
	third := remember(domain.MemoryRemembered{Text: "the dentist is Dr Vella", Replaces: first})
	gone := domain.MemoryForgotten{MemoryID: second}
	e, err := domain.New(domain.Begin(ids.NewTrace(), domain.PrincipalOperator), ids.NewID(), 1, "test", gone)
	add(e, err, gone.Keys())
	other, err := domain.New(domain.Begin(ids.NewTrace(), domain.PrincipalOperator), ids.NewID(), 1, "test", domain.TaskCreated{Text: "x"})
	add(other, err, nil)

	for cut := range len(all) + 1 {
		store := projections.NewMemStore()
		var got domain.Memories
		for _, part := range [][]domain.Record{all[:cut], all[cut:]} {
			p := memory.New()
			if err := p.Load(store); err != nil {
				t.Fatal(err)
			}
			for _, rec := range part {
				if err := p.Apply(rec); err != nil {
					t.Fatal(err)
				}
			}
			if err := store.Update(domain.Position(len(part)), p.Save); err != nil {
				t.Fatal(err)
			}
			p.Saved()
			p.Read(func(m *domain.Memories) { got = *m })
		}
		if !slices.Equal(got.All, []domain.ID{third}) || got.Through != 4 {
			t.Errorf("broken off after %d: remembered are %+v, want only %s", cut, got, third)
		}
	}
}

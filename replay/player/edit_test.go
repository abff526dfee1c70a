package player_test

import (
	"context"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/replay"
	"chalie/replay/player"
)

// stillborn is a runtime on which nothing is decided.
type stillborn struct{ applied []domain.Record }

func (s *stillborn) Apply(rec domain.Record) error { s.applied = append(s.applied, rec); return nil }

func (*stillborn) Begin(context.Context, domain.Position) (player.Beginning, error) {
	return player.Beginning{}, nil
}

func (*stillborn) Hold(domain.TraceID) {}

func (*stillborn) Run(context.Context, player.Act) error { return nil }

// comes is the payload of an input as it comes into a branch.
func comes(t *testing.T, log replay.Log, edits ...player.Edit) (string, error) {
	t.Helper()
	var s stillborn
	_, err := player.WhatIf(t.Context(), log, func(player.Environment) (player.Runtime, error) { return &s, nil }, player.Change{Edits: edits}, player.Scope{}, nil)
	if err != nil {
		return "", err
	}
	return string(s.applied[len(s.applied)-1].Envelope.Payload.Bytes), nil
}

func TestEditFields(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	id := snowed(t, log, clock)
	for edit, want := range map[string]string{
		"content=2":                    `"content":"2"`,
		"content=rain, and \"more\"":   `"content":"rain, and \"more\""`,
		"topic=weather":                `"topic":"weather"`,
		"topic=null":                   `"topic":null`,
		"activation_energy=0.25":       `"activation_energy":0.25`,
		"metadata.rooms[0].name=attic": `"rooms":[{"name":"attic"},{"name":"hall"}]`,
		"metadata.rooms[2]=7":          `{"name":"hall"},7]`,
		"metadata.level=3":             `"level":3`,
	} {
		e, err := player.ParseEdit(id, edit)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := comes(t, log, e); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %s, %v", edit, got, err)
		}
	}
	for edit, want := range map[string]string{
		"colour=red":               "has no field \"colour\": it has signal_type, content",
		"activation_energy=2":      "give a number from 0 to 1",
		"activation_energy=much":   "it is stored as activation_energy:number",
		"content=":                 "content is required",
		"metadata.rooms[9].name=x": "there is no element 9: the list has 2",
		"content.a=x":              "what it would be in is no object",
		"recorded_at=yesterday":    `"yesterday" is no time: write it as 2026-01-01T12:00:00Z`,
		"[0]=1":                    "is no field",
		"metadata..x=1":            "is no field",
	} {
		e, err := player.ParseEdit(id, edit)
		if err == nil {
			_, err = comes(t, log, e)
		}
		if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", edit, err, want)
		}
	}
	if _, err := player.ParseEdit(id, "content"); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("no value: %v", err)
	}
}

func snowed(t *testing.T, log domain.Appender, clock *domaintest.Clock) domain.ID {
	t.Helper()
	id := domaintest.NewIDs(clock, 1).NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, 1, "test", domain.SignalReceived{
		SignalType: "news", Content: "snow", Source: "station", Metadata: []byte(`{"rooms":[{"name":"den"},{"name":"hall"}]}`)})
	if err == nil {
		_, err = log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// What Chalie's own code made can't be changed, and what isn't there neither.
func TestChangesThatCannotBe(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	id := snowed(t, log, clock)
	made := domaintest.NewIDs(clock, 2).NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), made, 1, "reasoning", domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
	if err == nil {
		_, err = log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	start := func(player.Environment) (player.Runtime, error) { return &stillborn{}, nil }
	for name, c := range map[string]struct {
		change player.Change
		scope  player.Scope
		want   domain.Category
	}{
		"a decision":       {change: player.Change{Without: []domain.ID{made}}, want: domain.Validation},
		"nothing known":    {change: player.Change{Without: []domain.ID{{9}}}, want: domain.NotFound},
		"an unknown trace": {scope: player.Scope{Trace: domain.TraceID{ID: domain.ID{9}}}, want: domain.NotFound},
		"a bad policy":     {change: player.Change{Policy: &domain.PolicyRules{}}, want: domain.Validation},
	} {
		if _, err := player.WhatIf(t.Context(), log, start, c.change, c.scope, nil); domain.CategoryOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := player.WhatIf(ended, log, start, player.Change{}, player.Scope{}, nil); err == nil {
		t.Error("it goes on after its context has ended")
	}
}

package domain_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"chalie/domain"
)

// setting is the record of a change.
func setting(t *testing.T, pos domain.Position, c domain.SettingsChanged) domain.Record {
	t.Helper()
	return planRecord(t, pos, domain.Millis(pos), c)
}

func TestSettings(t *testing.T) {
	var b domain.SettingsBook
	first := setting(t, 1, domain.SettingsChanged{Name: "surfaces", From: "0.5", To: "0.37"})
	second := setting(t, 2, domain.SettingsChanged{Name: "surfaces", From: "0.37", To: "0.4"})
	steps := []struct {
		what   string
		rec    domain.Record
		value  domain.PPM
		undoes domain.Position // what would be taken back next; 0 for nothing
	}{
		{"set", first, 370_000, 1},
		{"set again", second, 400_000, 2},
		{"another one", setting(t, 3, domain.SettingsChanged{Name: "cooldown", From: "30m", To: "1h"}), 400_000, 2},
		{"taken back", setting(t, 4, domain.SettingsChanged{Name: "surfaces", From: "0.4", To: "0.37", Undoes: second.Envelope.ID}), 370_000, 1},
		{"taken back once more", setting(t, 5, domain.SettingsChanged{Name: "surfaces", From: "0.37", To: "0.5", Default: true, Undoes: first.Envelope.ID}), 500_000, 0},
		{"a value that no program takes", setting(t, 6, domain.SettingsChanged{Name: "surfaces", From: "0.5", To: "7"}), 500_000, 6},
		{"a name of another program", setting(t, 7, domain.SettingsChanged{Name: "patience", From: "1", To: "2"}), 500_000, 6},
		{"something else", planRecord(t, 8, 8, domain.TaskCreated{Text: "a"}), 500_000, 6},
	}
	for _, s := range steps {
		if err := b.Evolve(s.rec); err != nil {
			t.Fatal(err)
		}
		if got := b.Params().World.Surfaces; got != s.value {
			t.Errorf("%s: surfaces is %s, want %s", s.what, got, s.value)
		}
		if undo, _ := b.Undoable("surfaces"); undo.Position != s.undoes {
			t.Errorf("%s: %d would be taken back, want %d", s.what, undo.Position, s.undoes)
		}
	}
	if b.Params().Notices.Cooldown != time.Hour || b.Through != 7 || !b.Changes[0].WasDefault || b.Changes[1].WasDefault {
		t.Errorf("it holds %+v", b)
	}
}

// What is known of changes is bounded; what is set isn't lost by that.
func TestSettingsRememberSomeChanges(t *testing.T) {
	var b domain.SettingsBook
	if err := b.Evolve(setting(t, 1, domain.SettingsChanged{Name: "memory", From: "4", To: "9"})); err != nil {
		t.Fatal(err)
	}
	for pos := domain.Position(2); pos < 1000; pos++ {
		if err := b.Evolve(setting(t, pos, domain.SettingsChanged{Name: "capacity", To: strconv.Itoa(int(pos))})); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.Changes) != 200 || b.Changes[199].Position != 999 || b.Params().Memory != 9 || b.Params().World.Capacity != 999 {
		t.Errorf("%d changes are remembered, the last of %d; memory is %d", len(b.Changes), b.Changes[len(b.Changes)-1].Position, b.Params().Memory)
	}
}

// The world goes by the settings of its position, after it was stored as well.
func TestWorldGoesBySettings(t *testing.T) {
	w := domain.NewWorld()
	pos := domain.Position(0)
	take := func(payload any) {
		t.Helper()
		pos++
		var rec domain.Record
		switch p := payload.(type) {
		case domain.SignalReceived:
			rec = planRecord(t, pos, domain.Millis(pos), p)
		case domain.SettingsChanged:
			rec = planRecord(t, pos, domain.Millis(pos), p)
		}
		if err := w.Evolve(rec); err != nil {
			t.Fatal(err)
		}
		stored, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		again := domain.NewWorld()
		if err := json.Unmarshal(stored, &again); err != nil || !reflect.DeepEqual(again, w) {
			t.Fatalf("stored at %d it is\n%+v, want\n%+v, %v", pos, again, w, err)
		}
	}
	held := func() (out []domain.Position) {
		for _, s := range slices.Concat(w.Dropped, w.Signals) {
			out = append(out, s.Position)
		}
		return append(out, domain.Position(len(w.Dropped)))
	}
	for range 5 {
		take(domain.SignalReceived{ActivationEnergy: 0.5})
	}
	take(domain.SettingsChanged{Name: "capacity", From: "100", To: "2"})
	if got := held(); !reflect.DeepEqual(got, []domain.Position{2, 3, 4, 5, 2}) {
		t.Errorf("with room for two it holds %v", got)
	}
	take(domain.SettingsChanged{Name: "half_life", From: "6h", To: "1h"})
	take(domain.SettingsChanged{Name: "capacity", From: "2", To: "100", Default: true})
	take(domain.SignalReceived{ActivationEnergy: 0.5})
	if got := held(); !reflect.DeepEqual(got, []domain.Position{2, 3, 4, 5, 9, 2}) {
		t.Errorf("with room again it holds %v", got)
	}
	if w.Rules.SignalHalfLife != time.Hour || w.Rules.Capacity != 100 {
		t.Errorf("it goes by %+v", w.Rules)
	}
}

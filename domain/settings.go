package domain

import (
	"maps"
	"slices"
)

// SettingsChanged sets a parameter that decisions are made by, from here on.
type SettingsChanged struct {
	Name    string `json:"name"` // as Param's
	From    string `json:"from"`
	To      string `json:"to"`
	Default bool   `json:"default"` // To is what the program came with, and goes with the program
	Undoes  ID     `json:"undoes"`  // the change that is taken back; none of any other
}

// SettingsKey marks every change of a setting.
const SettingsKey Key = "settings"

// Keys go onto the event's envelope.
func (SettingsChanged) Keys() []Key { return []Key{SettingsKey} }

// Settings are the parameters that were set, by name. The zero Settings has none.
type Settings struct {
	Values map[string]string `json:"values,omitempty"` // never changed, but replaced: copies share it
}

// Params are the parameters in force: the program's own where none was set. A value that
// this program no longer takes counts as not set.
func (s Settings) Params() Params {
	p := DefaultParams()
	for name, value := range s.Values {
		_ = p.Set(name, value) // an error changes nothing
	}
	return p
}

// Evolve folds a change; other records pass it by. An erased change changes nothing. The
// error is CodeUndecodable.
func (s *Settings) Evolve(rec Record) error {
	_, _, err := s.evolve(rec)
	return err
}

// evolve returns what was folded; false when nothing was.
func (s *Settings) evolve(rec Record) (SettingsChanged, bool, error) {
	if rec.Envelope.Type != SettingsChangedType {
		return SettingsChanged{}, false, nil
	}
	c, err := Decode[SettingsChanged](rec.Envelope)
	if CodeOf(err) == CodeErased {
		return c, false, nil
	}
	if err != nil {
		return c, false, err
	}
	values := maps.Clone(s.Values)
	if c.Default {
		delete(values, c.Name)
	} else {
		if values == nil {
			values = map[string]string{}
		}
		values[c.Name] = c.To
	}
	s.Values = values
	return c, true, nil
}

// SettingChange is a change of a setting, as it is remembered.
type SettingChange struct {
	SettingsChanged
	EnvelopeID ID        `json:"envelope_id"`
	Position   Position  `json:"position"`
	At         Millis    `json:"at"`
	By         Principal `json:"by"`
	Via        Source    `json:"via"`
	WasDefault bool      `json:"was_default"` // From was what the program came with
	Undone     bool      `json:"undone"`      // a later change took it back
}

// mostSettingChanges bounds the changes that are remembered; the log has the others.
const mostSettingChanges = 200

// SettingsBook is the fold of the settings with their changes.
type SettingsBook struct {
	Settings
	Changes []SettingChange `json:"changes"` // the oldest first
	Through Position        `json:"through"` // the last change
}

// Evolve folds a change; as Settings' Evolve.
func (b *SettingsBook) Evolve(rec Record) error {
	before := b.Values
	c, some, err := b.evolve(rec)
	if err != nil || !some {
		return err
	}
	_, was := before[c.Name]
	env := rec.Envelope
	for i := range b.Changes {
		b.Changes[i].Undone = b.Changes[i].Undone || b.Changes[i].EnvelopeID == c.Undoes
	}
	b.Changes = append(b.Changes, SettingChange{
		SettingsChanged: c, EnvelopeID: env.ID, Position: rec.Position, At: rec.RecordedAt, By: env.Principal, Via: env.Source, WasDefault: !was,
	})
	b.Changes = b.Changes[max(0, len(b.Changes)-mostSettingChanges):]
	b.Through = rec.Position
	return nil
}

// Last is the latest change of a setting, whatever it was; false when none is remembered.
func (b *SettingsBook) Last(name string) (SettingChange, bool) {
	return b.latest(func(c SettingChange) bool { return c.Name == name })
}

// Undoable is the change of a setting that is taken back next; false when there is none.
// What took a change back isn't taken back itself: the one before is.
func (b *SettingsBook) Undoable(name string) (SettingChange, bool) {
	return b.latest(func(c SettingChange) bool { return c.Name == name && c.Undoes.IsZero() && !c.Undone })
}

// Back takes back the change of a setting that is taken back next: what it then has is what it had before
// that. False when there is none, and of what is no setting any more.
func (b *SettingsBook) Back(name string) (SettingsChanged, bool) {
	last, some := b.Undoable(name)
	now, err := b.Params().Of(name)
	own, missing := DefaultParams().Of(name)
	if !some || err != nil || missing != nil {
		return SettingsChanged{}, false
	}
	back := SettingsChanged{Name: name, From: now.Value, To: last.From, Default: last.WasDefault, Undoes: last.EnvelopeID}
	if back.Default {
		back.To = own.Value
	}
	return back, true
}

func (b *SettingsBook) latest(is func(SettingChange) bool) (SettingChange, bool) {
	for _, c := range slices.Backward(b.Changes) {
		if is(c) {
			return c, true
		}
	}
	return SettingChange{}, false
}

// Package setting changes the parameters that decisions are made by, and lets through again what
// the person didn't want to be told. A change is in force
// for every decision that begins after it, is recorded with what was before, and can be
// taken back. It also records which differences of replays the person accepts.
package setting

import (
	"context"
	"fmt"
	"slices"

	"chalie/commands"
	"chalie/domain"
)

// Config has the dependencies. All are required.
type Config struct {
	commands.Env
	Book     commands.View[domain.SettingsBook]
	Unwanted commands.View[domain.Unwanted]
	Applied  commands.Barrier // of both
}

// Settings changes settings. It is safe for concurrent use.
type Settings struct{ cfg Config }

// New checks the configuration.
func New(cfg Config) (*Settings, error) {
	if err := commands.Complete("configure settings", cfg); err != nil {
		return nil, err
	}
	return &Settings{cfg}, nil
}

// Default is the value that leaves a setting to the program.
const Default = "default"

// CodeSettingChanged is the code of a change that another one came before.
const CodeSettingChanged domain.Code = "setting_changed"

// Change sets a parameter, to a value or to Default. The next decision goes by it when
// this returns; nothing is recorded when it had the value already. Errors: policy for
// anybody but the person, those of Params.Set, conflict with CodeSettingChanged when
// another change came in between, and what domain.Appender returns.
func (s *Settings) Change(ctx context.Context, c commands.Caller, name, value string) error {
	if err := c.OnlyOperator("change a setting"); err != nil {
		return err
	}
	known := s.known()
	own, err := domain.DefaultParams().Of(name)
	if err != nil {
		return err
	}
	wanted := domain.DefaultParams()
	if value != Default {
		if err := wanted.Set(name, value); err != nil {
			return err
		}
	}
	now, err := known.params.Of(name)
	if err != nil {
		return err
	}
	to, err := wanted.Of(name)
	if err != nil || to.Value == now.Value {
		return err
	}
	return s.record(ctx, c, known, domain.SettingsChanged{Name: name, From: now.Value, To: to.Value, Default: to.Value == own.Value})
}

// Undo takes back a change of a setting: the latest that wasn't taken back, which has to
// be the one given, if one is. What the setting then has is what it had before that change.
// Errors: as Change's, not found when there is nothing to take back, and conflict with
// CodeSettingChanged when that is another change.
func (s *Settings) Undo(ctx context.Context, c commands.Caller, name string, change domain.ID) error {
	if err := c.OnlyOperator("take back a setting"); err != nil {
		return err
	}
	known := s.known()
	now, err := known.params.Of(name)
	if err != nil {
		return err
	}
	var back domain.SettingsChanged
	var some bool
	s.cfg.Book.Read(func(b *domain.SettingsBook) { back, some = b.Back(name) })
	switch {
	case !some:
		return &domain.Error{Op: "take back a setting", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("no change of %s is left to take back: it is %s", name, now.Value)}
	case !change.IsZero() && change != back.Undoes:
		return changedMeanwhile(name)
	}
	return s.record(ctx, c, known, back)
}

// Restore has a kind of signals of a sender told again, by the id of the notice.silenced that
// keeps it back. Errors: policy for anybody but the person, not found when nothing is kept back
// by that, and what domain.Appender returns.
func (s *Settings) Restore(ctx context.Context, c commands.Caller, id domain.ID) error {
	const op = "tell again"
	if err := c.OnlyOperator(op); err != nil {
		return err
	}
	var there bool
	var through domain.Position
	s.cfg.Unwanted.Read(func(u *domain.Unwanted) {
		through = u.Through
		there = slices.ContainsFunc(u.Silenced, func(one domain.Silence) bool { return one.ID == id })
	})
	if !there {
		return &domain.Error{Op: op, Category: domain.NotFound, Code: "not_found", Message: "nothing is kept back by " + id.String() + ": look at what is"}
	}
	restored := domain.NoticeRestored{OfID: id}
	entry, err := commands.EntryOf(s.cfg.Env, s.cfg.Begin(c.Principal), c.Source, restored)
	if err != nil {
		return err
	}
	receipt, err := s.cfg.Log.Append(ctx, domain.Batch{
		Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: domain.UnwantedKey, After: through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return changedMeanwhile("what you aren't told")
	}
	if err != nil {
		return err
	}
	return s.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}

// Accept accepts kinds of differences that a replay found: it tells of them no more. Errors: policy for anybody but the person, validation, and what
// domain.Appender returns.
func (s *Settings) Accept(ctx context.Context, c commands.Caller, accepted domain.DifferencesAccepted) (domain.ID, error) {
	if err := c.OnlyOperator("accept differences"); err != nil {
		return domain.ID{}, err
	}
	if err := accepted.Validate(); err != nil {
		return domain.ID{}, err
	}
	entry, err := commands.EntryOf(s.cfg.Env, s.cfg.Begin(c.Principal), c.Source, accepted)
	if err != nil {
		return domain.ID{}, err
	}
	_, err = s.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return entry.Envelope.ID, err
}

// state is what a change is made of.
type state struct {
	params  domain.Params
	through domain.Position
}

func (s *Settings) known() (out state) {
	s.cfg.Book.Read(func(b *domain.SettingsBook) { out = state{b.Params(), b.Through} })
	return out
}

func (s *Settings) record(ctx context.Context, c commands.Caller, known state, changed domain.SettingsChanged) error {
	entry, err := commands.EntryOf(s.cfg.Env, s.cfg.Begin(c.Principal), c.Source, changed)
	if err != nil {
		return err
	}
	receipt, err := s.cfg.Log.Append(ctx, domain.Batch{
		Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: domain.SettingsKey, After: known.through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return changedMeanwhile(changed.Name)
	}
	if err != nil {
		return err
	}
	return s.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}

func changedMeanwhile(name string) error {
	return &domain.Error{Op: "change a setting", Category: domain.Conflict, Code: CodeSettingChanged,
		Message: name + " was not changed, because the settings were changed meanwhile: look at what they are now, and change it again"}
}

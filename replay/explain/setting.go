package explain

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/replay"
)

// Bounds of linking decisions to the settings they were made by.
const (
	settingsRead = 1000 // changes of settings; beyond them none is named
	groundsRead  = 2500 // records of reasoning that are read after a change
)

// settings are the changes of settings in their order, read once; none when there are too
// many to fold.
func (w *walk) settings(ctx context.Context) ([]domain.Record, error) {
	if w.linked.settings == nil {
		var err error
		if w.linked.settings, err = settingsIn(ctx, w.log); err != nil {
			return nil, err
		}
	}
	return w.linked.settings, nil
}

// settingsIn are the changes of settings in a log, never nil.
func settingsIn(ctx context.Context, log replay.Log) ([]domain.Record, error) {
	found := []domain.Record{}
	read, err := domain.Look(ctx, log, domain.Selector{Key: domain.SettingsKey}, 1, settingsRead, func(rec domain.Record) { found = append(found, rec) })
	if read == settingsRead {
		found = []domain.Record{}
	}
	return found, err
}

// settingsBy is the fold of changes through a position.
func settingsBy(changes []domain.Record, through domain.Position) (book domain.SettingsBook, err error) {
	for _, rec := range changes {
		if rec.Position > through {
			break
		}
		if err := book.Evolve(rec); err != nil {
			return book, err
		}
	}
	return book, nil
}

// groundRead is the position through which the ground of an episode had read the log.
func groundRead(started domain.Record) domain.Position {
	if read := domain.ReadOf(started.Envelope); read > 0 {
		return read
	}
	return started.Position - 1
}

// isGround reports whether an envelope has the ground of an episode.
func isGround(e domain.Envelope) bool {
	return e.Type == domain.ReasoningStartedType || domain.IsSilent(e)
}

// followSet goes from the ground of an episode to the settings that it was laid by, as far
// as they were set and bear on what such an episode decides.
func (w *walk) followSet(ctx context.Context, rec domain.Record) error {
	if !isGround(rec.Envelope) {
		return nil
	}
	changes, err := w.settings(ctx)
	if err != nil || len(changes) == 0 {
		return err
	}
	book, err := settingsBy(changes, groundRead(rec))
	if err != nil {
		return err
	}
	for _, p := range domain.DefaultParams().Listed() {
		last, some := book.Last(p.Name)
		if _, set := book.Values[p.Name]; !set || !some || !settingBears(p.Name, rec.Envelope) {
			continue
		}
		i := slices.IndexFunc(changes, func(c domain.Record) bool { return c.Envelope.ID == last.EnvelopeID })
		w.followTo(rec, changes[i], RoleSetting)
	}
	return nil
}

// settingBears reports whether a setting bears on what an episode decides. The bounds of an
// answer don't: one that reaches them says so itself.
func settingBears(name string, started domain.Envelope) bool {
	switch name {
	case "model_calls", "tool_calls", "time", "cost", "directed", "forms", "backup_every", "keep_signals", "keep_reasoning":
		return false
	case "cooldown", "repeated":
		return domain.IsSilent(started) || slices.Contains(started.Keys, domain.UnaskedKey)
	}
	return true
}

// noteSet notes the episodes whose ground was laid by a change of a setting, until the next
// change of it.
func (w *walk) noteSet(ctx context.Context, rec domain.Record) error {
	set, ok := decoded[domain.SettingsChanged](rec.Envelope)
	if !ok || rec.Envelope.Type != domain.SettingsChangedType || set.Default || w.linked.halts == haltsLooked {
		return nil
	}
	w.linked.halts++
	changes, err := w.settings(ctx)
	if err != nil {
		return err
	}
	until := ^domain.Position(0)
	for _, c := range slices.Backward(changes) {
		if next, ok := decoded[domain.SettingsChanged](c.Envelope); ok && next.Name == set.Name && c.Position > rec.Position {
			until = c.Position
		}
	}
	found := 0
	for _, topic := range []domain.Topic{domain.TopicReasoning, domain.TopicSpine} {
		err := w.lookOn(ctx, topic, rec, groundsRead, func(r domain.Record) {
			if !isGround(r.Envelope) || found == MaxNodes || !settingBears(set.Name, r.Envelope) {
				return
			}
			if read := groundRead(r); read >= rec.Position && read < until {
				found++
				w.expect(r, cause{id: rec.Envelope.ID, role: RoleSetting})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settingsThen are the settings that the ground of an episode was laid by.
func (s *inquiry) settingsThen(ctx context.Context, started domain.Record) (domain.Settings, error) {
	if s.changes == nil {
		var err error
		if s.changes, err = settingsIn(ctx, s.log); err != nil {
			return domain.Settings{}, err
		}
	}
	book, err := settingsBy(s.changes, groundRead(started))
	return book.Settings, err
}

// params are the parameters that a decision was made by.
func (c *Decision) params() domain.Params { return c.set.Params() }

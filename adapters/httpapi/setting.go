package httpapi

import (
	"context"
	"net/http"
	"slices"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/setting"
	"chalie/domain"
)

// Settings changes settings. Its methods are those of *setting.Settings, which says their
// errors.
type Settings interface {
	Change(ctx context.Context, c commands.Caller, name, value string) error
	Undo(ctx context.Context, c commands.Caller, name string, change domain.ID) error
	Restore(ctx context.Context, c commands.Caller, id domain.ID) error
	Accept(ctx context.Context, c commands.Caller, accepted domain.DifferencesAccepted) (domain.ID, error)
}

var _ Settings = (*setting.Settings)(nil)

func settingHandlers() handlers {
	return handlers{"retention": (*exchange).retention, "settings": (*exchange).settings, "changeSetting": (*exchange).changeSetting, "undoSetting": (*exchange).undoSetting, "restoreSilenced": (*exchange).restoreSilenced}
}

// settings is GET /api/settings?at=.
func (x *exchange) settings() error {
	book := viewOf[domain.SettingsBook](x)
	then, err := x.asOf(x.query())
	if err != nil {
		return err
	}
	if then == nil {
		x.catchUp()
	} else if book, err = x.api.cfg.Past.Settings(x.r.Context(), then.Position); err != nil {
		return err
	}
	body := api.Settings{AsOf: then, Changes: []api.SettingChange{}, Silenced: []api.Silenced{}}
	if then == nil {
		if body.Silenced, err = x.silenced(); err != nil {
			return err
		}
	}
	book.Read(func(b *domain.SettingsBook) {
		body.Settings = settingsIn(b)
		for _, c := range slices.Backward(b.Changes) {
			body.Changes = append(body.Changes, changeOf(c))
		}
	})
	return x.answer(http.StatusOK, body)
}

// changeSetting is PUT /api/settings/:name.
func (x *exchange) changeSetting() error {
	if x.api.cfg.Settings == nil {
		return notRunning("change a setting")
	}
	var in api.SettingValue
	if err := x.read(&in); err != nil {
		return err
	}
	name := x.params.ByName("name")
	if err := x.api.cfg.Settings.Change(x.r.Context(), x.caller, name, in.Value); err != nil {
		return err
	}
	return x.answerSetting(name)
}

// undoSetting is POST /api/settings/:name/undo.
func (x *exchange) undoSetting() error {
	if x.api.cfg.Settings == nil {
		return notRunning("take back a setting")
	}
	var in api.SettingUndo
	if err := x.read(&in); err != nil {
		return err
	}
	var change domain.ID
	if in.Change != "" {
		var err error
		if change, err = domain.ParseID(in.Change); err != nil {
			return err
		}
	}
	name := x.params.ByName("name")
	if err := x.api.cfg.Settings.Undo(x.r.Context(), x.caller, name, change); err != nil {
		return err
	}
	return x.answerSetting(name)
}

// restoreSilenced is DELETE /api/silenced/:id.
func (x *exchange) restoreSilenced() error {
	if x.api.cfg.Settings == nil {
		return notRunning("tell again of what isn't told")
	}
	id, err := domain.ParseID(x.params.ByName("id"))
	if err != nil {
		return err
	}
	if err := x.api.cfg.Settings.Restore(x.r.Context(), x.caller, id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}

// silenced is what the person doesn't want to be told. What was erased keeps nothing back.
func (x *exchange) silenced() ([]api.Silenced, error) {
	out := []api.Silenced{}
	view := viewOf[domain.Unwanted](x)
	if view == nil {
		return out, nil
	}
	var all []domain.Silence
	view.Read(func(u *domain.Unwanted) { all = slices.Clone(u.Silenced) })
	for _, one := range all {
		rec, err := x.api.cfg.Log.Find(x.r.Context(), one.ID)
		if err != nil {
			return nil, err
		}
		of, err := domain.Decode[domain.NoticeSilenced](rec.Envelope)
		if domain.CodeOf(err) == domain.CodeErased {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, api.Silenced{EnvelopeID: one.ID, SignalType: of.SignalType, Source: of.Source, At: one.At})
	}
	return out, nil
}

// answerSetting answers with a setting as it is now.
func (x *exchange) answerSetting(name string) error {
	x.catchUp()
	var body api.Setting
	viewOf[domain.SettingsBook](x).Read(func(b *domain.SettingsBook) {
		all := settingsIn(b)
		body = all[slices.IndexFunc(all, func(s api.Setting) bool { return s.Name == name })]
	})
	return x.answer(http.StatusOK, body)
}

// settingsIn are all settings.
func settingsIn(b *domain.SettingsBook) []api.Setting {
	defaults := domain.DefaultParams()
	own := defaults.Listed()
	params := b.Params()
	out := make([]api.Setting, len(own))
	for i, p := range params.Listed() {
		out[i] = api.Setting{Name: p.Name, Value: p.Value, Default: own[i].Value, IsDefault: p.Value == own[i].Value,
			Unit: p.Unit, Least: p.Least, Most: p.Most, Bounds: p.Bounds, Meaning: p.Meaning}
		if last, ok := b.Last(p.Name); ok {
			out[i].Changed = new(changeOf(last))
		}
		if undo, ok := b.Undoable(p.Name); ok {
			out[i].Undo = new(changeOf(undo))
		}
	}
	return out
}

func changeOf(c domain.SettingChange) api.SettingChange {
	return api.SettingChange{EnvelopeID: c.EnvelopeID, Position: c.Position, At: c.At, By: c.By, Via: c.Via,
		Name: c.Name, From: c.From, To: c.To, Default: c.Default, Undoes: c.Undoes, Undone: c.Undone}
}

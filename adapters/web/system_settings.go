package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// shownSetting is a parameter of decisions with what the page fills in.
type shownSetting struct {
	api.Setting
	Wanted string // a value that the page's address suggests, which is not set yet; "" for none
}

// Filled is the value of the setting's field.
func (s shownSetting) Filled() string {
	if s.Wanted != "" {
		return s.Wanted
	}
	return s.Value
}

// settingChange is a change of a setting.
type settingChange struct{ api.SettingChange }

// What tells it.
func (c settingChange) What() string {
	return narrate.Setting(domain.SettingsChanged{Name: c.Name, From: c.From, To: c.To, Default: c.Default, Undoes: c.Undoes})
}

type settingsPage struct {
	Settings []shownSetting
	Changes  []settingChange
	Silenced []api.Silenced
	Goes     *api.Retention // what would go by the times to keep, with those that are suggested; nil without any
}

// kept reports whether a setting is a time to keep, and is set or suggested.
func (s shownSetting) kept() bool {
	return strings.HasPrefix(s.Name, "keep_") && (!s.IsDefault || s.Wanted != "")
}

// settings is GET /system/settings?NAME=VALUE, which fills in a value without setting it.
func (v *visit) settings() error {
	var known api.Settings
	if err := v.ask("/api/settings", nil, &known); err != nil {
		return err
	}
	page := settingsPage{Silenced: known.Silenced}
	asked, goes := v.r.URL.Query(), url.Values{}
	for _, s := range known.Settings {
		one := shownSetting{Setting: s}
		if wanted := asked.Get(s.Name); wanted != s.Value {
			one.Wanted = wanted
		}
		page.Settings = append(page.Settings, one)
		if one.kept() {
			goes.Set(one.Name, one.Filled())
		}
	}
	if len(goes) > 0 {
		page.Goes = &api.Retention{}
		if err := v.ask("/api/retention", goes, page.Goes); err != nil {
			refused, ok := errors.AsType[*refusal](err)
			if !ok || refused.status != http.StatusBadRequest {
				return err
			}
			page.Goes = nil // what the address suggests can't be set
		}
	}
	for _, c := range known.Changes {
		page.Changes = append(page.Changes, settingChange{c})
	}
	return v.systemPage("system_settings", "Settings", []string{"act.js"}, page)
}

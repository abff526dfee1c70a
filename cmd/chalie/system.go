package main

import (
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

// system tells what the running program is, and what room it has.
func (a *App) system() httpapi.SystemView {
	room := a.log.Usage()
	audited := a.auditor.Audited()
	if checked := a.rebuilds.Checked(); checked.After(audited) {
		audited = checked
	}
	out := httpapi.SystemView{
		Revision: thisBuild().Revision, Since: a.began,
		LogBytes: room.LogBytes, FreeBytes: room.FreeBytes, DiskBytes: room.DiskBytes, KeptFreeBytes: room.KeptFree, Copies: damagedCopies(a.cfg.Data),
		Audited: momentOf(audited), NextAudit: momentOf(a.auditor.Next()),
	}
	for _, m := range a.thinkers.models {
		out.Models = append(out.Models, httpapi.ModelView{Name: m.Name(), SeesImages: m.SeesImages()})
	}
	return out
}

// momentOf is a time as it is told; 0 for none.
func momentOf(t time.Time) domain.Millis {
	if t.IsZero() {
		return 0
	}
	return domain.MillisOf(t)
}

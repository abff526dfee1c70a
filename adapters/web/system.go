package web

import (
	"fmt"
	"net/http"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// systemPage shows a page of the system.
func (v *visit) systemPage(name, title string, scripts []string, page any) error {
	return v.show(http.StatusOK, name, frame{Title: title, Here: "/system", Scripts: scripts, Page: page})
}

// wantsPart reports whether only a part of a page is asked for.
func (v *visit) wantsPart(name string) bool { return v.r.URL.Query().Get("part") == name }

// overview is the state of Chalie, as of GET /api/system.
type overview struct {
	api.System

	Folds   []fold `json:"-"`
	Waiting int    `json:"-"` // approvals
	Away    []away `json:"-"` // interfaces and broadcasts that are offline
	Command string `json:"-"` // that starts this program, with {} for what it is to do
}

// away is an interface or a broadcast that is offline.
type away struct{ Kind, Name string }

// away requests the interfaces and broadcasts that are offline.
func (v *visit) away() ([]away, error) {
	var out []away
	var interfaces []api.Interface
	if err := v.ask("/api/interfaces", nil, &interfaces); err != nil {
		return nil, err
	}
	for _, i := range interfaces {
		if i.Status == domain.StatusOffline {
			out = append(out, away{"interface", i.Name})
		}
	}
	var broadcasts api.Streams
	if err := v.ask("/api/streams", nil, &broadcasts); err != nil {
		return nil, err
	}
	for _, s := range broadcasts.Streams {
		if s.State != "live" {
			out = append(out, away{"stream", s.Source})
		}
	}
	return out, nil
}

// system is GET /system. With part=state it is only what changes.
func (v *visit) system() error {
	var page overview
	if err := v.ask("/api/system", nil, &page); err != nil {
		return err
	}
	if err := v.ask("/api/projections", nil, &page.Folds); err != nil {
		return err
	}
	var pending api.Proposals
	if err := v.ask("/api/approvals", nil, &pending); err != nil {
		return err
	}
	page.Waiting = len(pending.Approvals)
	var err error
	if page.Away, err = v.away(); err != nil {
		return err
	}
	if v.wantsPart("state") {
		return v.part("system", "state", page)
	}
	return v.systemPage("system", "System", []string{"system.js"}, page)
}

// Up is how long it runs.
func (o overview) Up() string { return narrate.Duration(o.Now.Sub(o.Since)) }

// Ailing are the services that aren't well, by name. An engine of voice that isn't installed
// is missed by nobody who doesn't speak.
func (o overview) Ailing() []string {
	var out []string
	for _, name := range sortedKeys(o.Services) {
		if !o.Services[name].Ready && !strings.HasPrefix(name, "voice.") {
			out = append(out, name)
		}
	}
	return out
}

// Behind are the projections that haven't applied all of the log, for longer than a
// glance takes.
func (o overview) Behind() []fold {
	var out []fold
	for _, f := range o.Folds {
		if f.LagSeconds > 2 && f.State != "stopped" {
			out = append(out, f)
		}
	}
	return out
}

// Rebuilding are the projections that are folded again.
func (o overview) Rebuilding() []string {
	var out []string
	for _, f := range o.Folds {
		if f.Running() {
			out = append(out, f.Name)
		}
	}
	return out
}

// Diverged are the projections that were found not to be what the log says.
func (o overview) Diverged() []string {
	var out []string
	for _, f := range o.Folds {
		if f.Diverged != nil {
			out = append(out, f.Name)
		}
	}
	return out
}

// DiskLow says that appends will soon be refused: less is free than twice the bound.
func (o overview) DiskLow() bool { return o.DiskBytes > 0 && o.FreeBytes < 2*o.KeptFree }

// partName is what people call a part, from its own name.
func partName(name string) string {
	if projection, ok := strings.CutPrefix(name, "projection."); ok {
		return "Projection " + projection
	}
	return strings.ToUpper(name[:1]) + strings.NewReplacer("_", " ", "-", " ").Replace(name[1:])
}

// sizeOf is a number of bytes in the unit that fits.
func sizeOf(bytes uint64) string {
	size, unit := float64(bytes), "bytes"
	for _, next := range []string{"KB", "MB", "GB", "TB"} {
		if size < 1000 {
			break
		}
		size, unit = size/1000, next
	}
	if unit == "bytes" || size >= 100 {
		return fmt.Sprintf("%.0f %s", size, unit)
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}

// grouped is a number with its thousands apart.
func grouped(n uint64) string { return narrate.Grouped(n) }

// wholeOf is a number that templates have in one of several types.
func wholeOf(n any) uint64 {
	switch n := n.(type) {
	case uint64:
		return n
	case domain.Position:
		return uint64(n)
	case int:
		return uint64(max(0, n))
	}
	return 0
}

// verify is GET /system/verify. The page's module has the log walked.
func (v *visit) verify() error {
	var page overview
	if err := v.ask("/api/system", nil, &page); err != nil {
		return err
	}
	var program settingUp
	if err := v.ask("/auth/setup", nil, &program); err != nil {
		return err
	}
	page.Command = program.Command
	return v.systemPage("system_verify", "Verify", []string{"system_verify.js"}, page)
}

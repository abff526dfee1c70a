package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// fold is a projection, as GET /api/projections has it.
type fold struct {
	api.Projection
	Rebuild *refold `json:"rebuild"`
}

// refold is the latest rebuild of a projection.
type refold struct {
	api.Rebuild
	Difference *difference `json:"difference"`
}

type difference struct{ api.Difference }

type projectionsPage struct {
	Folds     []fold
	Audited   domain.Millis
	NextAudit domain.Millis
}

// Busy reports whether any is being rebuilt.
func (p projectionsPage) Busy() bool { return p.Running() > 0 }

// Running is the number being rebuilt.
func (p projectionsPage) Running() (n int) {
	for _, f := range p.Folds {
		if f.Running() {
			n++
		}
	}
	return n
}

// Doing tells their progress together.
func (p projectionsPage) Doing() string {
	var done, all uint64
	for _, f := range p.Folds {
		if f.Running() {
			done, all = done+uint64(min(f.Rebuild.Position, f.Rebuild.Tail)), all+uint64(f.Rebuild.Tail)
		}
	}
	if n := p.Running(); n > 1 {
		return fmt.Sprintf("%d are folded again, %d %% is done.", n, 100*done/max(1, all))
	}
	return fmt.Sprintf("One is folded again, %d %% is done.", 100*done/max(1, all))
}

// projections is GET /system/projections. With part=folds it is only what changes.
func (v *visit) projections() error {
	var page projectionsPage
	if err := v.ask("/api/projections", nil, &page.Folds); err != nil {
		return err
	}
	var system overview
	if err := v.ask("/api/system", nil, &system); err != nil {
		return err
	}
	page.Audited, page.NextAudit = system.Audited, system.NextAudit
	if v.wantsPart("folds") {
		return v.part("system_projections", "folds", page)
	}
	return v.systemPage("system_projections", "Projections", []string{"system_projections.js"}, page)
}

// Serving is the edition that answers.
func (f fold) Serving() api.Edition { return api.Edition{Version: f.Version, Generation: f.Generation} }

// Running reports whether it is being rebuilt.
func (f fold) Running() bool { return f.Rebuild != nil && f.Rebuild.State == "running" }

// Stands is its state in a word, for the mark beside its name.
func (f fold) Stands() string {
	switch {
	case f.State == "stopped":
		return "offline"
	case f.Diverged != nil || f.State == "starting" || f.LagSeconds > 2:
		return "pending"
	}
	return "online"
}

// Standing is its state in a sentence.
func (f fold) Standing() string {
	switch {
	case f.State == "stopped":
		return "has stopped"
	case f.State == "starting":
		return "is starting, " + counted(f.Lag, "record", "records") + " behind"
	case f.LagSeconds > 2:
		return fmt.Sprintf("is %s and %s behind", counted(f.Lag, "record", "records"), narrate.Duration(time.Duration(f.LagSeconds*float64(time.Second))))
	case f.Diverged != nil:
		return "is not what the log says"
	}
	return "is up to date"
}

// To is the edition that is made.
func (r refold) To() api.Edition { return api.Edition{Version: r.Version, Generation: r.Generation} }

// Doing tells the present step.
func (r refold) Doing() string {
	switch r.Phase {
	case "comparing":
		return "Comparing it with what serves"
	case "switching":
		return "Putting it in the place of what serves"
	}
	if r.Kind == "rollback" {
		return "Taking up what it missed"
	}
	return "Folding the log again"
}

// Left is the time left in words, as far as it is known.
func (r refold) Left() string {
	if r.Phase != "folding" || r.Rate == 0 {
		return ""
	}
	return "about " + narrate.Duration(time.Duration(r.SecondsLeft*float64(time.Second))) + " left"
}

// Took is how long it went on.
func (r refold) Took() time.Duration { return r.EndedAt.Sub(r.StartedAt) }

// Came tells its result.
func (r refold) Came() string {
	switch {
	case r.State == "cancelled":
		return "was cancelled. Nothing is left of it, and nothing changed."
	case r.State == "failed":
		return "failed, and nothing changed: what served goes on serving."
	case r.Kind == "check":
		return "is done: nothing was changed."
	case r.Kind == "rollback":
		return fmt.Sprintf("is done: version %s serves again.", r.To())
	}
	return fmt.Sprintf("is done: version %s serves now.", r.To())
}

// Named is what it is called.
func (r refold) Named() string {
	switch r.Kind {
	case "check":
		return "The check"
	case "rollback":
		return "Going back"
	case "upgrade":
		return "The rebuild for this program's newer version"
	}
	return "The rebuild"
}

// Told tells the differences, in sentences.
func (d difference) Told() string {
	if d.Count == 0 {
		return fmt.Sprintf("%s compared: all the same.", wereCompared(d.Compared))
	}
	var found []string
	for _, one := range []struct {
		n    uint64
		what string
	}{{d.Changed, "different"}, {d.Missing, "only in what served"}, {d.Added, "only in what the log gives now"}} {
		if one.n > 0 {
			found = append(found, counted(one.n, "is ", "are ")+one.what)
		}
	}
	return fmt.Sprintf("%s compared: %s.", wereCompared(d.Compared), strings.Join(found, ", "))
}

func wereCompared(n uint64) string {
	return counted(n, "thing was", "things were")
}

// counted is a number with what it counts.
func counted(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + many
}

// valueOf writes a JSON value for a person; an absent one has a word of its own.
func valueOf(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return "not there"
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// More reports whether there are others than the first.
func (d difference) More() bool { return d.Count > uint64(len(d.First)) }

package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections"
	"chalie/replay/baseline"
)

// system is the state of the running program and its disk.
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

// beginning is the record of this build's start.
func (a *App) beginning() domain.SystemStarted {
	b := thisBuild()
	return domain.SystemStarted{
		Version: b.Version, Revision: b.Revision, Projections: a.folds.Versions(),
		CatalogueHash: domain.Events().Hash(), Tail: a.log.Tail(), Over: domain.OverToday, Amendments: baseline.Latest(),
	}
}

// reason is the recorded reason for the stop.
func reason(ctx context.Context, failure error) string {
	switch {
	case failure != nil:
		return words(failure)
	case context.Cause(ctx) != nil:
		return context.Cause(ctx).Error()
	}
	return "asked to"
}

// momentOf converts a time; 0 for none.
func momentOf(t time.Time) domain.Millis {
	if t.IsZero() {
		return 0
	}
	return domain.MillisOf(t)
}

// health tells how the program is. It is ready once every projection has
// applied what was in the log when it started, and until it stops.
func (a *App) health(ctx context.Context) httpapi.Health {
	tail, refusing := a.log.Tail(), a.log.Refusing()
	durable := api.Service{Ready: refusing == nil, Detail: fmt.Sprintf("durable through position %d", tail)}
	if refusing != nil {
		durable.Detail += ", and takes nothing more: " + words(refusing)
	}
	h := httpapi.Health{Services: map[string]api.Service{"log": durable}}
	if a.node != nil {
		h.Services["cluster"] = clusterHealth(a.node.Health(), a.beside)
	}
	var waiting []string
	behind := false
	h.Services[socketService] = api.Service{Ready: true, Detail: counted(a.hub.Clients(), "client", "clients")}
	h.Services[domain.ServiceConsole] = api.Service{Ready: true, Detail: a.console.detail()}
	if a.bridge != nil {
		h.Services[domain.ServiceBridge] = bridgeHealth(a.bridge.Status())
	}
	h.Services[reasoning.Group] = answeringHealth(a.loop.State())
	a.outside.health(h.Services)
	engineHealth(a.voices, h.Services)
	if a.exporter != nil {
		h.Services[domain.ServiceTelemetry] = exporting(a.exporter.Status(), a.log.Tail())
	}
	if trouble := a.retainer.Trouble(); trouble != nil {
		h.Services[retentionService] = api.Service{Detail: words(trouble)}
	}
	a.spine.health(h.Services)
	h.Lost = a.lost(ctx)
	diverged := a.auditor.Diverged(ctx)
	for _, s := range a.folds.Group.Status(ctx) {
		service, ready := describe(s, a.started)
		if p, found := diverged[s.Name]; found {
			// A diverged projection still answers, so the program is ready.
			service = api.Service{Detail: service.Detail + "; " + divergedWords(p)}
		}
		h.Services["projection."+s.Name] = service
		switch {
		case ready:
		case s.State != projections.StateStopped && s.Err == nil:
			behind = true
		default:
			waiting = append(waiting, "projection "+s.Name+" "+service.Detail)
		}
	}
	if behind {
		waiting = append(waiting, "what the log held is folded first: "+a.folding.pace.inWords(a.folded()))
	}
	switch {
	case a.stopping.Err() != nil:
		h.Reason = "Chalie is shutting down"
	case refusing != nil:
		h.Reason = "the log takes nothing more: " + words(refusing)
	case len(waiting) > 0:
		h.Reason = strings.Join(waiting, "; ")
	default:
		h.Ready = true
	}
	started := api.Service{Ready: len(waiting) == 0, Detail: fmt.Sprintf("the log ended at position %s at the start", grouped(uint64(a.started)))}
	h.Resources = map[string]api.Resource{"log_tail": {Service: durable, Position: tail}, "started_through": {Service: started, Position: a.started}}
	return h
}

// lost is the number of records of type record.lost.
func (a *App) lost(ctx context.Context) (lost uint64) {
	counts, err := a.log.Counts(ctx)
	if err != nil {
		return 0 // the log is closed
	}
	for of, n := range counts {
		if of.Type == domain.RecordLostType {
			lost += n
		}
	}
	return lost
}

// tellLost logs at the start how many records are lost.
func (a *App) tellLost(ctx context.Context) {
	lost := a.lost(ctx)
	if lost == 0 {
		return
	}
	says := "a record of the log is lost since a repair or an import; `chalie verify` names it"
	if lost > 1 {
		says = "records of the log are lost since a repair or an import; `chalie verify` names them"
	}
	told := []any{"records", lost}
	if copies := damagedCopies(a.cfg.Data); len(copies) > 0 {
		told = append(told, "kept", strings.Join(copies, ", "))
	}
	a.cfg.Logger.Warn(says, told...)
}

// socketService is the name of the service that sends frames to clients.
const socketService = "sockets"

// describe is a projection's state, and whether it has folded the log through the start's
// tail and goes on.
func describe(s projections.Status, through domain.Position) (api.Service, bool) {
	detail := fmt.Sprintf("is at position %d", s.Position)
	if s.Lag > 0 {
		detail += fmt.Sprintf(", %d records and %.1f s behind", s.Lag, s.LagTime.Seconds())
	}
	if s.Err != nil {
		detail += ": " + words(s.Err)
	}
	ready := s.State != projections.StateStopped && s.Position >= through
	return api.Service{Ready: ready, Detail: detail}, ready
}

// answeringHealth says whether messages are answered.
func answeringHealth(s reasoning.LoopState) api.Service {
	switch {
	case s.Ended:
		return api.Service{Detail: "has ended: messages are kept, and answered after the next start"}
	case s.Stuck != nil:
		return api.Service{Detail: "is stuck and tries again: " + words(s.Stuck)}
	case s.Missed > 0:
		return api.Service{Ready: true, Detail: fmt.Sprintf("answers messages; passed over %d that can't be answered, the last %s: %s", s.Missed, s.Last, words(s.Why))}
	}
	return api.Service{Ready: true, Detail: "answers messages"}
}

// build is the version of this program.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // "" when unknown
	Modified bool   `json:"modified"` // the source differed from the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild reads what the Go command wrote into the program.
func thisBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	text := "chalie " + b.Version
	if b.Revision != "" {
		text += " " + b.Revision[:min(12, len(b.Revision))]
		if b.Modified {
			text += " (modified)"
		}
	}
	return fmt.Sprintf("%s, %s, %s", text, b.Go, b.Platform)
}

func versionCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show which version this is", Example: "  chalie version --json", Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.JSON(thisBuild())
			}
			return c.Println(thisBuild())
		},
	}
}

package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

func startupHandlers() handlers {
	return handlers{"visionCapable": (*exchange).visionCapable, "voiceHealth": (*exchange).voiceHealth, "tasks": (*exchange).tasks, "scheduler": (*exchange).scheduler}
}

// visionCapable is GET /chat/vision-capable.
func (x *exchange) visionCapable() error {
	return x.answer(http.StatusOK, api.Available{Available: x.api.cfg.Vision})
}

// voiceHealth is GET /voice/health: there is no voice.
func (x *exchange) voiceHealth() error {
	return x.answer(http.StatusOK, api.Voice{Status: "unavailable"})
}

// tasks is GET /system/observability/tasks: those that are open.
func (x *exchange) tasks() error {
	out := []api.Task{}
	open, _, _ := planned(x.api.cfg.Plans)
	for _, c := range open {
		if c.Kind != domain.ItemTask {
			continue
		}
		text, err := x.planText(c.TextID)
		if err != nil {
			return err
		}
		out = append(out, api.Task{
			ID: api.UUID{ID: c.ID}, Goal: text, Status: c.Standing, Progress: c.Percent, Deadline: api.TimestampOf(c.Due), CreatedAt: api.TimestampOf(c.RecordedAt),
		})
	}
	return x.answer(http.StatusOK, api.Tasks{Tasks: out})
}

// dueStatus is a reminder's standing in the web chat's words.
var dueStatus = map[domain.Standing]string{
	domain.StandingOpen: "pending", domain.StandingTold: "fired", domain.StandingDone: "done", domain.StandingDropped: "cancelled",
}

// scheduler is GET /scheduler?status=. Without a status it has those that ended
// lately, too.
func (x *exchange) scheduler() error {
	wanted := x.r.URL.Query().Get("status")
	out := []api.Scheduled{}
	open, ended, _ := planned(x.api.cfg.Plans)
	for _, c := range append(open, ended...) {
		if c.Kind != domain.ItemReminder || wanted != "" && dueStatus[c.Standing] != wanted {
			continue
		}
		p, err := x.planBody(c, domain.MillisOf(x.api.cfg.Clock.Now()))
		if err != nil {
			return err
		}
		out = append(out, api.Scheduled{ID: p.ID, ItemType: c.Kind, Message: p.Text, DueAt: p.Due, Recurrence: p.Recurrence, Status: dueStatus[c.Standing]})
	}
	return x.answer(http.StatusOK, api.Schedule{Items: out})
}

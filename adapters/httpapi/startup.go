package httpapi

import (
	"net/http"

	"chalie/domain"
)

// visionCapable is GET /chat/vision-capable.
func (x *exchange) visionCapable() error {
	return x.answer(http.StatusOK, struct {
		Available bool `json:"available"`
	}{x.api.cfg.Vision})
}

// voiceHealth is GET /voice/health: there is no voice.
func (x *exchange) voiceHealth() error {
	return x.answer(http.StatusOK, struct {
		Status string `json:"status"`
	}{"unavailable"})
}

// taskBody is a task as the web chat shows it.
type taskBody struct {
	ID        string          `json:"id"`
	Goal      string          `json:"goal"`
	Status    domain.Standing `json:"status"`
	Progress  int             `json:"progress"` // percent
	Deadline  *string         `json:"deadline"`
	CreatedAt *string         `json:"created_at"`
}

// tasks is GET /system/observability/tasks: those that are open.
func (x *exchange) tasks() error {
	out := []taskBody{}
	open, _, _ := planned(x.api.cfg.Plans)
	for _, c := range open {
		if c.Kind != domain.ItemTask {
			continue
		}
		text, err := x.planText(c.TextID)
		if err != nil {
			return err
		}
		out = append(out, taskBody{c.ID.UUID(), text, c.Standing, c.Percent, timestamp(c.Due), timestamp(c.RecordedAt)})
	}
	return x.answer(http.StatusOK, struct {
		PersistentTasks []taskBody `json:"persistent_tasks"`
	}{out})
}

// dueBody is a reminder as the web chat shows it.
type dueBody struct {
	ID         string  `json:"id"`
	ItemType   string  `json:"item_type"`
	Message    string  `json:"message"`
	DueAt      *string `json:"due_at"`
	Recurrence *string `json:"recurrence"` // in words; null for once
	Status     string  `json:"status"`     // pending, fired, done or cancelled
}

// dueStatus is a reminder's standing in the web chat's words.
var dueStatus = map[domain.Standing]string{
	domain.StandingOpen: "pending", domain.StandingTold: "fired", domain.StandingDone: "done", domain.StandingDropped: "cancelled",
}

// scheduler is GET /scheduler?status=. Without a status it has those that ended
// lately, too.
func (x *exchange) scheduler() error {
	wanted := x.r.URL.Query().Get("status")
	out := []dueBody{}
	open, ended, _ := planned(x.api.cfg.Plans)
	for _, c := range append(open, ended...) {
		if c.Kind != domain.ItemReminder || wanted != "" && dueStatus[c.Standing] != wanted {
			continue
		}
		p, err := x.planBody(c, domain.MillisOf(x.api.cfg.Clock.Now()))
		if err != nil {
			return err
		}
		out = append(out, dueBody{p.ID, string(c.Kind), p.Text, p.Due, p.Recurrence, dueStatus[c.Standing]})
	}
	return x.answer(http.StatusOK, struct {
		Items []dueBody `json:"items"`
	}{out})
}

package httpapi

import "net/http"

// visionCapable is GET /chat/vision-capable.
func (x *exchange) visionCapable() error {
	return x.answer(http.StatusOK, struct {
		Available bool `json:"available"`
	}{x.api.cfg.Vision})
}

// The rest is what a chat asks for when it starts and what there is none of: no
// voice, no tasks, no reminders. An answer in its shape, and empty, is then the
// truth.

// voiceHealth is GET /voice/health.
func (x *exchange) voiceHealth() error {
	return x.answer(http.StatusOK, struct {
		Status string `json:"status"`
	}{"unavailable"})
}

// tasks is GET /system/observability/tasks.
func (x *exchange) tasks() error {
	return x.answer(http.StatusOK, struct {
		PersistentTasks []struct{} `json:"persistent_tasks"`
	}{[]struct{}{}})
}

// scheduler is GET /scheduler?status=.
func (x *exchange) scheduler() error {
	return x.answer(http.StatusOK, struct {
		Items []struct{} `json:"items"`
	}{[]struct{}{}})
}

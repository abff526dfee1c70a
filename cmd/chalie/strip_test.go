package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// strip is what a web chat shows above the conversation: the tasks that are under way and
// the reminders that are to come. It knows nothing of Chalie but its routes, and has the
// session's cookie alone.
type strip struct {
	v      *victim
	cookie string

	tasks     []stripTask
	reminders []stripReminder
}

type stripTask struct {
	ID       string `json:"id"`
	Goal     string `json:"goal"`
	Status   string `json:"status"`
	Progress *struct {
		Coverage *float64 `json:"coverage_estimate"`
	} `json:"progress"`
}

type stripReminder struct {
	ID      string `json:"id"`
	Message string `json:"message"`
	Status  string `json:"status"`
	DueAt   string `json:"due_at"`
}

// loads asks for both lists, and leaves out what such a chat doesn't show.
func (s *strip) loads() {
	s.v.t.Helper()
	var tasks struct {
		All []stripTask `json:"persistent_tasks"`
	}
	var schedule struct {
		Items                []stripReminder `json:"items"`
		Total, Limit, Offset *int
	}
	for path, into := range map[string]any{"/system/observability/tasks": &tasks, "/scheduler?status=pending": &schedule} {
		if err := json.Unmarshal([]byte(s.v.wants(http.StatusOK, http.MethodGet, path, "", "Cookie: "+s.cookie)), into); err != nil {
			s.v.t.Fatalf("%s: %v", path, err)
		}
	}
	if schedule.Total == nil || schedule.Limit == nil || schedule.Offset == nil {
		s.v.t.Errorf("the reminders come without how many there are: %+v", schedule)
	}
	s.tasks, s.reminders = nil, nil
	for _, task := range tasks.All {
		switch task.Status {
		case "accepted", "in_progress", "paused":
			s.tasks = append(s.tasks, task)
		}
	}
	for _, r := range schedule.Items {
		if _, err := time.Parse(time.RFC3339, r.DueAt); r.Status == "pending" && err == nil {
			s.reminders = append(s.reminders, r)
		}
	}
}

// shows is what stands there, each by its words.
func (s *strip) shows() string {
	s.loads()
	var out []string
	for _, task := range s.tasks {
		out = append(out, task.Goal)
	}
	for _, r := range s.reminders {
		out = append(out, r.Message)
	}
	return strings.Join(out, ", ")
}

// dismisses presses the ×.
func (s *strip) dismisses(status int, path, id string) string {
	s.v.t.Helper()
	return s.v.wants(status, http.MethodDelete, path+id, "", "Cookie: "+s.cookie)
}

// TestStripOfTasksAndReminders lists what is planned as a web chat does, takes each away,
// and finds that recorded, explained and taken back like anything else.
func TestStripOfTasksAndReminders(t *testing.T) {
	t.Parallel()
	const tasks, reminders = "/system/observability/tasks/", "/scheduler/"
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	s := &strip{v: v, cookie: register(t, v.setup)}
	if got := s.shows(); got != "" {
		t.Errorf("at first it shows %q", got)
	}
	v.chalie("say", "add a task: tax return")
	v.chalie("tool", "invoke", "task", "action=progress", "which=tax return", "percent=40")
	v.chalie("say", "add a task: paint the fence")
	v.chalie("say", "remind me to call Bob tomorrow at 8pm")
	v.chalie("say", "remind me every "+time.Now().AddDate(0, 0, 3).Weekday().String()+" at 9 to water the plants") // after Bob, whatever day it is
	if got := s.shows(); got != "tax return, paint the fence, call Bob, water the plants" {
		t.Fatalf("it shows %q", got)
	}
	if p := s.tasks[0].Progress; s.tasks[0].Status != "in_progress" || p == nil || p.Coverage == nil || *p.Coverage != 0.4 {
		t.Errorf("what was begun is %+v, %+v", s.tasks[0], p)
	}
	if s.tasks[1].Status != "accepted" {
		t.Errorf("what wasn't is %+v", s.tasks[1])
	}
	for _, id := range []string{s.tasks[0].ID, s.reminders[0].ID} {
		if strings.Trim(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != "" || len(id) != 26 {
			t.Errorf("%q can't stand in a page as it is", id)
		}
	}

	task, call, water := s.tasks[0].ID, s.reminders[0].ID, s.reminders[1].ID
	if got := s.dismisses(http.StatusOK, reminders, call); got != `{"status":"cancelled","id":"`+call+`"}` {
		t.Errorf("a dismissed reminder is answered %s", got)
	}
	if got := s.dismisses(http.StatusOK, tasks, task); got != `{"status":"cancelled"}` {
		t.Errorf("a dismissed task is answered %s", got)
	}
	s.dismisses(http.StatusOK, reminders, water) // one that comes back, with all its times
	if got := s.shows(); got != "paint the fence" {
		t.Errorf("then it shows %q", got)
	}
	s.dismisses(http.StatusNotFound, reminders, call)
	s.dismisses(http.StatusNotFound, reminders, s.tasks[0].ID) // a task is no reminder
	s.dismisses(http.StatusNotFound, reminders, "7")
	s.dismisses(http.StatusBadRequest, tasks, task)
	s.dismisses(http.StatusBadRequest, tasks, call)
	v.wants(http.StatusUnauthorized, http.MethodDelete, tasks+s.tasks[0].ID, "")

	// It stands in the log as something that the person did, and is explained as that.
	for event, words := range map[string]string{"reminder.cancelled": "call Bob", "task.dropped": "tax return"} {
		rec := v.awaits(domain.EventType(event), 1)[0]
		if rec.Envelope.Principal != "operator" {
			t.Errorf("%s is laid to %s", event, rec.Envelope.Principal)
		}
		if got := v.chalie("why", rec.Envelope.ID.String()); !strings.Contains(got, words) || !strings.Contains(got, "You ") {
			t.Errorf("why %s:\n%s", event, got)
		}
	}
	if said := v.chalie("tool", "invoke", "undo"); !strings.Contains(said, "water the plants") {
		t.Errorf("undo says %s", said)
	}
	if got := s.shows(); got != "paint the fence, water the plants" {
		t.Errorf("with the last one back it shows %q", got)
	}

	// What the policy forbids isn't done, and stays there.
	v.wants(http.StatusOK, http.MethodPut, "socket:/api/policy",
		`{"autonomy":"full","max_depth":4,"approval_minutes":15,"rules":[{"name":"none","capabilities":["chalie/task"],"verdict":"denied"},{"name":"all","verdict":"allowed","confirmed":true}]}`)
	if got := s.dismisses(http.StatusForbidden, tasks, s.tasks[0].ID); !strings.Contains(got, "none") {
		t.Errorf("what is forbidden is answered %s", got)
	}
	if got := s.shows(); !strings.Contains(got, "paint the fence") {
		t.Errorf("after that it shows %q", got)
	}
	v.stop()
}

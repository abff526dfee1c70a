package api

import "chalie/domain"

// Available says whether a feature is available.
type Available struct {
	Available bool `json:"available"`
}

// Voice is the availability of speech.
type Voice struct {
	Status string `json:"status" enum:"ok|unavailable"`
}

// Tasks are the open tasks, as the web chat shows them.
type Tasks struct {
	Tasks []Task `json:"persistent_tasks"`
}

// Task is a task as the web chat shows it.
type Task struct {
	ID        domain.ID    `json:"id"`
	Goal      string       `json:"goal"`
	Status    string       `json:"status" enum:"accepted|in_progress"`
	Progress  TaskProgress `json:"progress"`
	Deadline  *Timestamp   `json:"deadline"`
	CreatedAt *Timestamp   `json:"created_at"`
}

// TaskProgress is how far a task has come.
type TaskProgress struct {
	CoverageEstimate float64 `json:"coverage_estimate" doc:"From 0 to 1."`
}

// Schedule is the reminders, as the web chat shows them.
type Schedule struct {
	Items  []Scheduled `json:"items"`
	Total  int         `json:"total" doc:"How many there are beside the limit."`
	Limit  uint64      `json:"limit"`
	Offset uint64      `json:"offset"`
}

// Scheduled is a reminder as the web chat shows it. Those of its fields that Chalie has
// nothing for are null.
type Scheduled struct {
	ID          domain.ID       `json:"id"`
	ItemType    domain.ItemKind `json:"item_type" enum:"reminder"`
	Message     string          `json:"message"`
	DueAt       *Timestamp      `json:"due_at"`
	Recurrence  *string         `json:"recurrence" doc:"In words; null for once."`
	Status      string          `json:"status" enum:"pending|fired|done|cancelled"`
	WindowStart *Timestamp      `json:"window_start" doc:"Null."`
	WindowEnd   *Timestamp      `json:"window_end" doc:"Null."`
	Topic       *string         `json:"topic" doc:"Null."`
	CreatedAt   *Timestamp      `json:"created_at"`
	LastFiredAt *Timestamp      `json:"last_fired_at"`
	GroupID     *string         `json:"group_id" doc:"Null."`
	IsPrompt    bool            `json:"is_prompt" doc:"False."`
}

// Dismissed says that a task or reminder is no longer there.
type Dismissed struct {
	Status string     `json:"status" enum:"cancelled"`
	ID     *domain.ID `json:"id,omitempty" doc:"Of a reminder."`
}

func startupRoutes() []Route {
	return []Route{
		{Name: "visionCapable", Method: get, Path: "/chat/vision-capable", Who: Browsers, Summary: "Whether the model sees images", Answers: ok(Available{})},
		{Name: "voiceHealth", Method: get, Path: "/voice/health", Who: Browsers, Summary: "Whether engines are there that hear and speak", Answers: ok(Voice{})},
		{Name: "tasks", Method: get, Path: "/system/observability/tasks", Who: Browsers, Summary: "The tasks that are open", Answers: ok(Tasks{})},
		{Name: "scheduler", Method: get, Path: "/scheduler", Who: Browsers, Summary: "The reminders",
			Query: []Param{
				text("status", "Only those; with none, or all, also what ended lately."),
				count("limit", 100, 1, 500, "How many."), count("offset", 0, 0, 1<<31-1, "How many are passed over."),
			}, Answers: ok(Schedule{})},
		{Name: "cancelReminder", Method: remove, Path: "/scheduler/{id}", Who: Browsers, Summary: "Cancel a reminder", ID: "The reminder's.",
			Detail: "As the skill reminder does, with all times of one that comes back. 404 when it isn't pending.", Answers: ok(Dismissed{}), Refuses: []int{404, 409}},
		{Name: "dropTask", Method: remove, Path: "/system/observability/tasks/{id}", Who: Browsers, Summary: "Drop a task", ID: "The task's.",
			Detail: "As the skill task does. 400 when it isn't open.", Answers: ok(Dismissed{}), Refuses: []int{400, 409}},
	}
}

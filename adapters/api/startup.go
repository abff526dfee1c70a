package api

import "chalie/domain"

// Available says whether a feature is available.
type Available struct {
	Available bool `json:"available"`
}

// Voice is the availability of speech.
type Voice struct {
	Status string `json:"status" enum:"unavailable"`
}

// Tasks are the open tasks, as the web chat shows them.
type Tasks struct {
	Tasks []Task `json:"persistent_tasks"`
}

// Task is a task as the web chat shows it.
type Task struct {
	ID        UUID            `json:"id"`
	Goal      string          `json:"goal"`
	Status    domain.Standing `json:"status"`
	Progress  int             `json:"progress" doc:"Percent."`
	Deadline  *Timestamp      `json:"deadline"`
	CreatedAt *Timestamp      `json:"created_at"`
}

// Schedule is the reminders, as the web chat shows them.
type Schedule struct {
	Items []Scheduled `json:"items"`
}

// Scheduled is a reminder as the web chat shows it.
type Scheduled struct {
	ID         UUID            `json:"id"`
	ItemType   domain.ItemKind `json:"item_type" enum:"reminder"`
	Message    string          `json:"message"`
	DueAt      *Timestamp      `json:"due_at"`
	Recurrence *string         `json:"recurrence" doc:"In words; null for once."`
	Status     string          `json:"status" enum:"pending|fired|done|cancelled"`
}

func startupRoutes() []Route {
	return []Route{
		{Name: "visionCapable", Method: get, Path: "/chat/vision-capable", Who: Browsers, Summary: "Whether the model sees images", Answers: ok(Available{})},
		{Name: "voiceHealth", Method: get, Path: "/voice/health", Who: Browsers, Summary: "That there is no voice yet", Answers: ok(Voice{})},
		{Name: "tasks", Method: get, Path: "/system/observability/tasks", Who: Browsers, Summary: "The tasks that are open", Answers: ok(Tasks{})},
		{Name: "scheduler", Method: get, Path: "/scheduler", Who: Browsers, Summary: "The reminders",
			Query: []Param{text("status", "Only those; with none also what ended lately.")}, Answers: ok(Schedule{})},
	}
}

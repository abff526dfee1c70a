package api

import "chalie/domain"

// Plans are the person's reminders, appointments, tasks and lists.
type Plans struct {
	AsOf         *AsOf      `json:"as_of,omitempty" doc:"When at was asked."`
	Reminders    []Plan     `json:"reminders" doc:"The next first."`
	Appointments []Plan     `json:"appointments" doc:"The next first."`
	Tasks        []Plan     `json:"tasks" doc:"Those with a deadline first, the nearest before the others."`
	Others       []Plan     `json:"others,omitempty" doc:"Of any other kind, the next first."`
	Lists        []PlanList `json:"lists"`
	Ended        []Plan     `json:"ended" doc:"Told, over, done or dropped lately, the latest first."`
}

// Plan is a reminder, an appointment or a task.
type Plan struct {
	ID         UUID            `json:"id"`
	Kind       domain.ItemKind `json:"kind" enum:"reminder|appointment|task"`
	Text       string          `json:"text"`
	Standing   domain.Standing `json:"standing"`
	Due        *Timestamp      `json:"due" doc:"Of an appointment its start, of a task the deadline."`
	Overdue    bool            `json:"overdue"`
	Recurrence *string         `json:"recurrence" doc:"In words; null for once."`
	Zone       string          `json:"zone" doc:"In which its times are meant."`
	Percent    int             `json:"percent" doc:"Of a task."`
	SetAt      *Timestamp      `json:"set_at"`
	ToldAt     *Timestamp      `json:"told_at"`
	EndedAt    *Timestamp      `json:"ended_at"`
	Ends       *Timestamp      `json:"ends" doc:"Of an appointment."`
	AllDay     bool            `json:"all_day" doc:"Of an appointment."`
	Place      string          `json:"place" doc:"Of an appointment."`
	People     []string        `json:"people" doc:"Of an appointment: who else takes part."`
	TellAt     *Timestamp      `json:"tell_at" doc:"When an appointment is still to be told before; null otherwise."`
}

// PlanList is a list with its items.
type PlanList struct {
	ID    UUID       `json:"id"`
	Name  string     `json:"name"`
	Items []PlanItem `json:"items"`
}

// PlanItem is an item of a list.
type PlanItem struct {
	ID   UUID   `json:"id"`
	Text string `json:"text"`
}

func planRoutes() []Route {
	return []Route{
		{Name: "plans", Method: get, Path: "/api/plans", Who: Operator, Summary: "What is planned", Query: []Param{at()}, Answers: ok(Plans{})},
	}
}

package demo

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Hospital is a portal that speaks for one patient's clinics: it lets the world
// overhear what goes on in its wings, tells the patient what concerns them, and
// has their appointments in its care.
type Hospital struct {
	*program
	appointments entries[appointment]
}

// appointment is one that the patient has.
type appointment struct {
	ID     string    `json:"appointment_id"`
	Clinic string    `json:"clinic"`
	Doctor string    `json:"doctor"`
	At     time.Time `json:"at"`
}

// NewHospital takes an address. Run it, or close it.
func NewHospital(cfg Config) (*Hospital, error) {
	now := time.Now()
	if cfg.Now != nil {
		now = cfg.Now()
	}
	at := func(days, hour, minute int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days, hour, minute, 0, 0, now.Location())
	}
	h := &Hospital{appointments: entries[appointment]{id: func(v appointment) string { return v.ID }, list: []appointment{
		{"apt_2041", "Cardiology", "Dr. Okafor", at(1, 14, 0)},
		{"apt_2077", "Dentistry", "Dr. Lind", at(9, 9, 30)},
	}}}
	var err error
	h.program, err = newProgram(cfg, about{
		Name: "Hilltop", Description: "Appointments, results and news of the hospital",
		Scopes: scopes{
			Signals:  map[string]string{"visitor_notice": "which wings may be visited"},
			Messages: map[string]string{"health": "appointments and results"},
		},
	}, h.offers(), false, h.shows)
	return h, err
}

func (h *Hospital) offers() []tool {
	id := parameter{"appointment_id", "string", true, "the number of the appointment"}
	return []tool{
		{
			Name: "cancel_appointment", Description: "Cancels an appointment",
			Documentation: "It is gone at once; a new one has to be asked for at the desk.",
			Parameters:    []parameter{id, {"reason", "string", false, "what to tell the clinic"}},
			Returns:       map[string]any{"type": "object", "description": "the appointment that is no more"},
			run:           takes(h.cancel),
		},
		{
			Name: "list_appointments", Description: "Lists the appointments, the next one first",
			Parameters: []parameter{{"limit", "integer", false, "at most so many; 1 or more"}, {"clinic", "string", false, "only of this clinic"}},
			run:        takes(h.list),
		},
		{
			Name: "move_appointment", Description: "Moves an appointment within a day",
			Parameters: []parameter{id, {"hours", "number", true, "how much later, from -12 to 12"}, {"confirm", "boolean", true, "true to do it, false to only ask"}},
			run:        takes(h.move),
		},
	}
}

func (h *Hospital) cancel(p appointment) result {
	gone, ok := h.appointments.remove(p.ID)
	if !ok {
		return failed("there is no appointment %s", p.ID)
	}
	return result{Text: fmt.Sprintf("Your appointment with %s is cancelled.", gone.Doctor), Data: gone}
}

func (h *Hospital) list(p struct {
	Limit  *int   `json:"limit"`
	Clinic string `json:"clinic"`
}) result {
	if p.Limit != nil && *p.Limit < 1 {
		return failed("limit is %d: give 1 or more", *p.Limit)
	}
	out := []appointment{}
	for _, v := range h.appointments.all() {
		if (p.Clinic == "" || v.Clinic == p.Clinic) && (p.Limit == nil || len(out) < *p.Limit) {
			out = append(out, v)
		}
	}
	return result{Data: map[string]any{"appointments": out}}
}

func (h *Hospital) move(p struct {
	ID      string  `json:"appointment_id"`
	Hours   float64 `json:"hours"`
	Confirm bool    `json:"confirm"`
}) result {
	if p.Hours < -12 || p.Hours > 12 {
		return failed("hours is %v: give -12 to 12", p.Hours)
	}
	by := time.Duration(p.Hours * float64(time.Hour)).Round(time.Minute)
	if !p.Confirm {
		return result{Text: "It could be moved by " + by.String() + "; nothing was changed."}
	}
	_, after, ok := h.moved(p.ID, by)
	if !ok {
		return failed("there is no appointment %s", p.ID)
	}
	return result{Text: fmt.Sprintf("%s sees you at %s.", after.Doctor, clock(after.At)), Data: after}
}

// moved returns it as it was and as it is.
func (h *Hospital) moved(id string, by time.Duration) (before, after appointment, ok bool) {
	list := &h.appointments.list
	ok = h.appointments.change(id, func(at int) {
		before = (*list)[at]
		after = before
		after.At = before.At.Add(by)
		(*list)[at] = after
		slices.SortStableFunc(*list, func(x, y appointment) int { return x.At.Compare(y.At) })
	})
	return before, after, ok
}

// CloseWing lets Chalie overhear that a wing takes no visitors, and returns the
// words.
func (h *Hospital) CloseWing(ctx context.Context, wing string) (string, error) {
	s := Signal{
		Type: "visitor_notice", Content: "No visitors in wing " + wing + " for now: an emergency is being dealt with",
		Source: h.Name(), Topic: "health", Energy: 0.35, Metadata: map[string]any{"wing": wing},
	}
	_, err := h.Signal(ctx, s)
	return s.Content, err
}

// Postpone moves an appointment and tells the patient; it returns the message's
// id and words.
func (h *Hospital) Postpone(ctx context.Context, id string, by time.Duration) (message, words string, err error) {
	before, after, ok := h.moved(id, by)
	if !ok {
		return "", "", fmt.Errorf("there is no appointment %s", id)
	}
	words = fmt.Sprintf("Your appointment with %s is at %s tomorrow, not at %s", after.Doctor, clock(after.At), clock(before.At))
	message, err = h.Message(ctx, Message{Text: words, Topic: "health", Metadata: map[string]any{
		"appointment_id": id, "original_time": before.At.Format(time.RFC3339), "new_time": after.At.Format(time.RFC3339),
		"clinic": after.Clinic, "doctor": after.Doctor,
	}})
	return message, words, err
}

// Alarm tells the patient what can't wait; it returns the message's id and words.
func (h *Hospital) Alarm(ctx context.Context) (message, words string, err error) {
	words = "Your blood test needs a doctor today: please ring the ward"
	message, err = h.Message(ctx, Message{Text: words, Topic: "health", Metadata: map[string]any{"severity": "critical"}})
	return message, words, err
}

func (h *Hospital) shows() []block {
	rows := [][]string{}
	for _, a := range h.appointments.all() {
		rows = append(rows, []string{a.ID, a.Clinic, a.Doctor, a.At.Format(time.DateTime)})
	}
	return []block{header(h.Name()), table([]string{"Appointment", "Clinic", "Doctor", "When"}, rows)}
}

func clock(t time.Time) string { return t.Format("15:04") }

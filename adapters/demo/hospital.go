package demo

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Hospital is a portal that speaks for one patient's clinics: it lets the world
// overhear what goes on in its wings, tells the patient what concerns them, and has
// their appointments in its care.
type Hospital struct {
	*program
	appointments []appointment // the next one first
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
	h := &Hospital{appointments: []appointment{
		{"apt_2041", "Cardiology", "Dr. Okafor", at(1, 14, 0)}, {"apt_2077", "Dentistry", "Dr. Lind", at(9, 9, 30)},
	}}
	var err error
	h.program, err = newProgram(cfg, "hospital.json", map[string]tool{
		"cancel_appointment": takes(h.cancel), "list_appointments": takes(h.list), "move_appointment": takes(h.move),
	}, nil, func() (rows [][]string) {
		for _, a := range h.appointments {
			rows = append(rows, []string{a.ID, a.Clinic, a.Doctor, a.At.Format(time.DateTime)})
		}
		return rows
	})
	return h, err
}

// named is where an appointment is in the list; -1 when there is none.
func (h *Hospital) named(id string) int {
	return slices.IndexFunc(h.appointments, func(a appointment) bool { return a.ID == id })
}

func (h *Hospital) cancel(p appointment) result {
	i := h.named(p.ID)
	if i < 0 {
		return failed("there is no appointment %s", p.ID)
	}
	gone := h.appointments[i]
	h.appointments = slices.Delete(h.appointments, i, i+1)
	return result{Text: fmt.Sprintf("Your appointment with %s is cancelled.", gone.Doctor), Data: gone}
}

func (h *Hospital) list(p struct {
	Limit  *int   `json:"limit"`
	Clinic string `json:"clinic"`
}) result {
	if p.Limit != nil && *p.Limit < 1 {
		return failed("limit is %d: give 1 or more", *p.Limit)
	}
	out := slices.DeleteFunc(slices.Clone(h.appointments), func(a appointment) bool { return p.Clinic != "" && a.Clinic != p.Clinic })
	if p.Limit != nil {
		out = out[:min(*p.Limit, len(out))]
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

// moved returns an appointment as it was and as it is.
func (h *Hospital) moved(id string, by time.Duration) (before, after appointment, ok bool) {
	i := h.named(id)
	if i < 0 {
		return before, after, false
	}
	before = h.appointments[i]
	after = before
	after.At = before.At.Add(by)
	h.appointments[i] = after
	slices.SortStableFunc(h.appointments, func(x, y appointment) int { return x.At.Compare(y.At) })
	return before, after, true
}

// CloseWing lets Chalie overhear that a wing takes no visitors, and returns the words.
func (h *Hospital) CloseWing(ctx context.Context, wing string) (string, error) {
	s := Signal{
		Type: "visitor_notice", Content: "No visitors in wing " + wing + " for now: an emergency is being dealt with",
		Source: h.Name(), Topic: "health", Energy: 0.35, Metadata: map[string]any{"wing": wing},
	}
	_, err := h.Signal(ctx, s)
	return s.Content, err
}

// Postpone moves an appointment and tells the patient; it returns the message's id and
// words.
func (h *Hospital) Postpone(ctx context.Context, id string, by time.Duration) (message, words string, err error) {
	h.mu.Lock()
	before, after, ok := h.moved(id, by)
	h.mu.Unlock()
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

func clock(t time.Time) string { return t.Format("15:04") }

package demo

import (
	"context"
	"fmt"
	"time"
)

// Hospital is a portal that speaks for one patient's clinics: it lets the world
// overhear what goes on in its wings, tells the patient what concerns them, and
// has their appointments in its care.
type Hospital struct {
	*program
	appointments *appointments
}

// NewHospital takes an address. Run it, or close it.
func NewHospital(cfg Config) (*Hospital, error) {
	cfg = cfg.withDefaults("Hilltop")
	h := &Hospital{appointments: newAppointments(cfg.Now())}
	var err error
	h.program, err = newProgram(cfg, about{
		Description: "Appointments, results and news of the hospital",
		Scopes: scopes{
			Signals:  map[string]string{"visitor_notice": "which wings may be visited"},
			Messages: map[string]string{"health": "appointments and results"},
		},
	}, h.appointments.tools(), false, h.shows)
	if err != nil {
		return nil, err
	}
	return h, nil
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
	before, after, err := h.appointments.move(id, by)
	if err != nil {
		return "", "", err
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

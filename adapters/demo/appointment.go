package demo

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// appointment is one that the patient has.
type appointment struct {
	ID     string    `json:"appointment_id"`
	Clinic string    `json:"clinic"`
	Doctor string    `json:"doctor"`
	At     time.Time `json:"at"`
}

// appointments are all of them, by time.
type appointments struct {
	mu   sync.Mutex
	list []appointment
}

// newAppointments are those of the days after now.
func newAppointments(now time.Time) *appointments {
	at := func(days, hour, minute int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days, hour, minute, 0, 0, now.Location())
	}
	return &appointments{list: []appointment{
		{"apt_2041", "Cardiology", "Dr. Okafor", at(1, 14, 0)},
		{"apt_2077", "Dentistry", "Dr. Lind", at(9, 9, 30)},
	}}
}

func (a *appointments) tools() []tool {
	id := parameter{"appointment_id", "string", true, "the number of the appointment"}
	return []tool{
		{
			Name: "cancel_appointment", Description: "Cancels an appointment",
			Documentation: "It is gone at once; a new one has to be asked for at the desk.",
			Parameters:    []parameter{id, {"reason", "string", false, "what to tell the clinic"}},
			Returns:       map[string]any{"type": "object", "description": "the appointment that is no more"},
			run:           takes(a.cancel),
		},
		{
			Name: "list_appointments", Description: "Lists the appointments, the next one first",
			Parameters: []parameter{{"limit", "integer", false, "at most so many; 1 or more"}, {"clinic", "string", false, "only of this clinic"}},
			run:        takes(a.page),
		},
		{
			Name: "move_appointment", Description: "Moves an appointment within a day",
			Parameters: []parameter{id, {"hours", "number", true, "how much later, from -12 to 12"}, {"confirm", "boolean", true, "true to do it, false to only ask"}},
			run:        takes(a.ask),
		},
	}
}

// find is where it stands; -1 when there is none. The caller holds the lock.
func (a *appointments) find(id string) int {
	return slices.IndexFunc(a.list, func(v appointment) bool { return v.ID == id })
}

func (a *appointments) cancel(p struct {
	ID     string `json:"appointment_id"`
	Reason string `json:"reason"`
}) result {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.find(p.ID)
	if n < 0 {
		return failed("there is no appointment %s", p.ID)
	}
	gone := a.list[n]
	a.list = slices.Delete(a.list, n, n+1)
	return result{Text: fmt.Sprintf("Your appointment with %s is cancelled.", gone.Doctor), Data: gone}
}

func (a *appointments) page(p struct {
	Limit  *int   `json:"limit"`
	Clinic string `json:"clinic"`
}) result {
	if p.Limit != nil && *p.Limit < 1 {
		return failed("limit is %d: give 1 or more", *p.Limit)
	}
	out := []appointment{}
	for _, v := range a.all() {
		if (p.Clinic == "" || v.Clinic == p.Clinic) && (p.Limit == nil || len(out) < *p.Limit) {
			out = append(out, v)
		}
	}
	return result{Data: map[string]any{"appointments": out}}
}

func (a *appointments) ask(p struct {
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
	_, after, err := a.move(p.ID, by)
	if err != nil {
		return failed("%v", err)
	}
	return result{Text: fmt.Sprintf("%s sees you at %s.", after.Doctor, clock(after.At)), Data: after}
}

// move returns it as it was and as it is.
func (a *appointments) move(id string, by time.Duration) (before, after appointment, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.find(id)
	if n < 0 {
		return before, after, fmt.Errorf("there is no appointment %s", id)
	}
	before = a.list[n]
	after = before
	after.At = before.At.Add(by)
	a.list[n] = after
	slices.SortStableFunc(a.list, func(x, y appointment) int { return x.At.Compare(y.At) })
	return before, after, nil
}

func (a *appointments) all() []appointment {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list)
}

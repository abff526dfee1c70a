package demo

import (
	"slices"
	"sync"
)

// Restaurant broadcasts what its guests may want to know, and keeps their
// reservations.
type Restaurant struct {
	*program

	mu           sync.Mutex
	reservations []reservation
}

type reservation struct {
	ID     string `json:"reservation_id"`
	When   string `json:"when"`
	People int    `json:"people"`
}

// NewRestaurant takes an address. Run it, or close it.
func NewRestaurant(cfg Config) (*Restaurant, error) {
	r := &Restaurant{reservations: []reservation{{"res_801", "tonight", 2}}}
	tools := []tool{
		{
			Name: "cancel_reservation", Description: "Gives a table back",
			Documentation: "A reservation can be cancelled until the table is taken. The number was given when it was made.",
			Parameters:    []parameter{{"reservation_id", "string", true, "the number of the reservation"}},
			Asks:          true, // the table may be gone to others at once
			run:           takes(r.cancel),
		},
		{Name: "list_reservations", Description: "Lists what is reserved", Parameters: []parameter{}, SideEffects: new(false), run: takes(r.list)},
	}
	var err error
	r.program, err = newProgram(cfg.withDefaults("Luigi's"), about{
		Description: "Tells when the restaurant is open, and keeps reservations",
		Scopes:      scopes{Signals: map[string]string{"opening_hours": "when the kitchen opens and closes"}},
	}, tools, true, r.shows)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// CloseTonight tells all who listen that there is no dinner, and returns the
// words.
func (r *Restaurant) CloseTonight() (string, error) {
	s := r.ClosedTonight()
	return s.Content, r.stream.say(s)
}

// ClosedTonight is the news that there is no dinner.
func (r *Restaurant) ClosedTonight() Signal {
	return Signal{
		Type: "opening_hours", Content: r.Name() + " has no dinner tonight: the oven broke", Source: r.Name(), Topic: "dinner",
		Energy: 0.41, Metadata: map[string]any{"open": false},
	}
}

func (r *Restaurant) cancel(p struct {
	ID string `json:"reservation_id"`
}) result {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := slices.IndexFunc(r.reservations, func(v reservation) bool { return v.ID == p.ID })
	if n < 0 {
		return failed("there is no reservation %s", p.ID)
	}
	gone := r.reservations[n]
	r.reservations = slices.Delete(r.reservations, n, n+1)
	return result{Text: "The table for " + gone.When + " is given back.", Data: gone}
}

func (r *Restaurant) list(struct{}) result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return result{Data: map[string]any{"reservations": slices.Clone(r.reservations)}}
}

func (r *Restaurant) shows() []block {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := [][]string{}
	for _, v := range r.reservations {
		rows = append(rows, []string{v.ID, v.When})
	}
	return []block{header(r.Name()), table([]string{"Reservation", "When"}, rows)}
}

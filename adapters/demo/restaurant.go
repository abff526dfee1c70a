package demo

import "slices"

// Restaurant broadcasts what its guests may want to know, and keeps their
// reservations.
type Restaurant struct {
	*program
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
	var err error
	r.program, err = newProgram(cfg, "restaurant.json", map[string]tool{
		"cancel_reservation": takes(func(p reservation) result {
			i := slices.IndexFunc(r.reservations, func(v reservation) bool { return v.ID == p.ID })
			if i < 0 {
				return failed("there is no reservation %s", p.ID)
			}
			gone := r.reservations[i]
			r.reservations = slices.Delete(r.reservations, i, i+1)
			return result{Text: "The table for " + gone.When + " is given back.", Data: gone}
		}),
		"list_reservations": takes(func(struct{}) result {
			return result{Data: map[string]any{"reservations": slices.Clone(r.reservations)}}
		}),
	}, newBroadcast(), func() (rows [][]string) {
		for _, v := range r.reservations {
			rows = append(rows, []string{v.ID, v.When})
		}
		return rows
	})
	return r, err
}

// CloseTonight tells all who listen that there is no dinner, and returns the words.
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

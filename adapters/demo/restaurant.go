package demo

// Restaurant broadcasts what its guests may want to know, and keeps their
// reservations.
type Restaurant struct {
	*program
	reservations entries[reservation]
}

type reservation struct {
	ID     string `json:"reservation_id"`
	When   string `json:"when"`
	People int    `json:"people"`
}

// NewRestaurant takes an address. Run it, or close it.
func NewRestaurant(cfg Config) (*Restaurant, error) {
	r := &Restaurant{reservations: entries[reservation]{
		id: func(v reservation) string { return v.ID }, list: []reservation{{"res_801", "tonight", 2}},
	}}
	tools := []tool{
		{
			Name: "cancel_reservation", Description: "Gives a table back",
			Documentation: "A reservation can be cancelled until the table is taken. The number was given when it was made.",
			Parameters:    []parameter{{"reservation_id", "string", true, "the number of the reservation"}},
			Asks:          true, // the table may be gone to others at once
			run: takes(func(p reservation) result {
				gone, ok := r.reservations.remove(p.ID)
				if !ok {
					return failed("there is no reservation %s", p.ID)
				}
				return result{Text: "The table for " + gone.When + " is given back.", Data: gone}
			}),
		},
		{
			Name: "list_reservations", Description: "Lists what is reserved", Parameters: []parameter{}, SideEffects: new(false),
			run: takes(func(struct{}) result { return result{Data: map[string]any{"reservations": r.reservations.all()}} }),
		},
	}
	var err error
	r.program, err = newProgram(cfg, about{
		Name: "Luigi's", Description: "Tells when the restaurant is open, and keeps reservations",
		Scopes: scopes{Signals: map[string]string{"opening_hours": "when the kitchen opens and closes"}},
	}, tools, true, r.shows)
	return r, err
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

func (r *Restaurant) shows() []block {
	rows := [][]string{}
	for _, v := range r.reservations.all() {
		rows = append(rows, []string{v.ID, v.When})
	}
	return []block{header(r.Name()), table([]string{"Reservation", "When"}, rows)}
}

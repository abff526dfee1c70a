package domain

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// AppointmentSet puts an appointment into the calendar: something that takes place at a
// time, and that the person is told of before. Its id is the appointment's.
type AppointmentSet struct {
	Text       string      `json:"text"`
	Start      Millis      `json:"start"` // of the first time; of one that lasts all day the beginning of that day
	End        Millis      `json:"end"`   // the first moment after it
	AllDay     bool        `json:"all_day"`
	Zone       string      `json:"zone"`       // IANA name of where its times are read
	Recurrence *Recurrence `json:"recurrence"` // of its start; null for once
	Place      string      `json:"place"`      // may be empty
	People     []string    `json:"people"`     // who else takes part
	Before     *Millis     `json:"before"`     // how long before its start it is told, negative for after; null when it isn't
	Tell       Millis      `json:"tell"`       // when it is told the first time; 0 when it isn't
}

// Bounds of an appointment.
const (
	MaxPeople     = 50
	MaxPlaceBytes = 1 << 10
)

// Check returns a validation error that names the field.
func (a AppointmentSet) Check() error {
	const op = "set appointment"
	if err := checkPlanText(op, "what", a.Text); err != nil {
		return err
	}
	return a.appointment().check(op)
}

// AppointmentChanged gives an appointment another time, place, people or words. A text
// that is null stays; all else is always whole. One that has passed is ahead again.
type AppointmentChanged struct {
	AppointmentID ID          `json:"appointment_id"`
	Text          *string     `json:"text"`
	Start         Millis      `json:"start"`
	End           Millis      `json:"end"`
	AllDay        bool        `json:"all_day"`
	Zone          string      `json:"zone"`
	Recurrence    *Recurrence `json:"recurrence"`
	Place         string      `json:"place"`
	People        []string    `json:"people"`
	Before        *Millis     `json:"before"`
	Tell          Millis      `json:"tell"`
}

// Check returns a validation error that names the field.
func (a AppointmentChanged) Check() error {
	const op = "change appointment"
	if a.Text != nil {
		if err := checkPlanText(op, "what", *a.Text); err != nil {
			return err
		}
	}
	return a.appointment().check(op)
}

// AppointmentPassed says that an appointment is over. One that comes back waits for its
// next time from then on.
type AppointmentPassed struct {
	AppointmentID ID     `json:"appointment_id"`
	Start         Millis `json:"start"`     // of what is over
	Next          Millis `json:"next"`      // its next start; 0 when it doesn't come back
	NextEnd       Millis `json:"next_end"`  // likewise
	NextTell      Millis `json:"next_tell"` // likewise, and when it isn't told
}

// AppointmentCancelled says that an appointment doesn't take place.
type AppointmentCancelled struct {
	AppointmentID ID `json:"appointment_id"`
}

// Keys go onto the event's envelope.
func (a AppointmentChanged) Keys() []Key { return []Key{PlanKey(a.AppointmentID)} }

// Keys go onto the event's envelope.
func (a AppointmentPassed) Keys() []Key { return []Key{PlanKey(a.AppointmentID)} }

// Keys go onto the event's envelope.
func (a AppointmentCancelled) Keys() []Key { return []Key{PlanKey(a.AppointmentID)} }

// Appointment is when and where something planned takes place, and with whom, as it was said.
// The fields are those of AppointmentSet. What is only due at a time has no more than a start,
// a zone, and how it comes back.
type Appointment struct {
	Start      Millis
	End        Millis
	AllDay     bool
	Zone       string
	Recurrence *Recurrence
	Place      string
	People     []string
	Before     *Millis
	Tell       Millis
}

// Timing is when it takes place.
func (a Appointment) Timing() Timing { return Timing{a.Start, a.Zone, a.Recurrence} }

// Says implements PlanSaying.
func (a AppointmentSet) Says(p *Plan) bool {
	p.Text, p.Time = a.Text, a.appointment()
	return true
}

// Says implements PlanSaying.
func (a AppointmentChanged) Says(p *Plan) bool {
	p.Time = a.appointment()
	return p.saidAs(a.Text)
}

// Says implements PlanSaying: its next time, if it comes back.
func (a AppointmentPassed) Says(p *Plan) bool {
	if a.Next != 0 {
		p.Time.Start, p.Time.End, p.Time.Tell = a.Next, a.NextEnd, a.NextTell
	}
	return false
}

func (a AppointmentSet) appointment() Appointment {
	return Appointment{a.Start, a.End, a.AllDay, a.Zone, a.Recurrence, a.Place, a.People, a.Before, a.Tell}
}

func (a AppointmentChanged) appointment() Appointment {
	return Appointment{a.Start, a.End, a.AllDay, a.Zone, a.Recurrence, a.Place, a.People, a.Before, a.Tell}
}

// Set is the event that makes such an appointment.
func (a Appointment) Set(text string) AppointmentSet {
	return AppointmentSet{text, a.Start, a.End, a.AllDay, a.Zone, a.Recurrence, a.Place, a.named(), a.Before, a.Tell}
}

// Changed is the event that makes an appointment such a one; a text that is nil stays.
func (a Appointment) Changed(id ID, text *string) AppointmentChanged {
	return AppointmentChanged{id, text, a.Start, a.End, a.AllDay, a.Zone, a.Recurrence, a.Place, a.named(), a.Before, a.Tell}
}

// named are the people, never null.
func (a Appointment) named() []string { return append([]string{}, a.People...) }

func (a Appointment) check(op string) error {
	switch {
	case a.End <= a.Start:
		return Invalid(op, "until", "it ends before it begins: give an end after its start, or how long it takes")
	case len(a.Place) > MaxPlaceBytes || !utf8.ValidString(a.Place):
		return Invalid(op, "place", fmt.Sprintf("place is no UTF-8 text of at most %d bytes", MaxPlaceBytes))
	case len(a.People) > MaxPeople:
		return Invalid(op, "with", fmt.Sprintf("there are %d people: give at most %d", len(a.People), MaxPeople))
	}
	bad := slices.ContainsFunc(a.People, func(name string) bool {
		return isBlank(name) || len(name) > MaxPlaceBytes || !utf8.ValidString(name)
	})
	if bad {
		return Invalid(op, "with", fmt.Sprintf("a name in it has not 1 to %d bytes of UTF-8", MaxPlaceBytes))
	}
	return nil
}

// PlaceAndPeople is where an appointment takes place and with whom, to follow its text: ", at
// the office, with Joe". Those whom the text names already aren't named again.
func (a Appointment) PlaceAndPeople(text string) string {
	var out string
	if a.Place != "" {
		out = ", " + atPlace(a.Place)
	}
	if others := a.OthersThan(text); len(others) > 0 {
		out += ", with " + Listed(others)
	}
	return out
}

// OthersThan are the people of an appointment without those whom its text names.
func (a Appointment) OthersThan(text string) []string {
	text = strings.ToLower(text)
	return slices.DeleteFunc(slices.Clone(a.People), func(name string) bool { return strings.Contains(text, strings.ToLower(name)) })
}

// atPlace is a place behind a word that leads to it.
func atPlace(place string) string {
	first, _, _ := strings.Cut(strings.ToLower(place), " ")
	switch first {
	case "at", "in", "on", "near", "behind", "opposite", "outside", "by", "over", "via", "online", "here", "home":
		return place
	}
	return "at " + place
}

// Listed are words with commas and an "and" between them.
func Listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

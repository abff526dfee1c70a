package when_test

import (
	"strings"
	"testing"
	"time"

	"chalie/domain/language/when"
)

func TestLocals(t *testing.T) {
	at := time.Date(2027, time.March, 1, 13, 30, 0, 0, time.UTC)
	for place, want := range map[string]string{
		"London": "London 13:30", "new york": "New York 08:30", "Lagos, Nigeria": "Lagos 14:30", "Hyderabad": "Hyderabad 19:00", "San Jose": "San José (Costa Rica) 07:30, San Jose (United States) 05:30", "Florida": "Florida 08:30",
		"hyderabad india": "Hyderabad 19:00", "Ajmer": "Ajmer 19:00", "Milwaukee": "Milwaukee 07:30", "the East Coast": "the East Coast 08:30", "mountain time zone": "Mountain time 06:30",
		"Eastern Standard Time": "Eastern time 08:30", "EST": "Eastern time 08:30", "IST": "India 19:00", "England": "England 13:30", "India": "India 19:00", "Missouri": "Missouri 07:30", "Colorado": "Colorado 06:30",
		"Munich": "Munich 14:30", "Okinawa": "Okinawa 22:30", "Brisbane": "Brisbane 23:30", "Portland, Maine": "Maine 08:30", "portland": "Portland 05:30", "springfield": "Springfield (Illinois) 07:30, Springfield (Massachusetts) 08:30",
		"Tennessee": "Chicago 07:30, New York 08:30", "Washington": "Washington, D.C. 08:30, Washington State 05:30", "Washington state": "Washington State 05:30", "Kansas City": "Kansas City 07:30", "São Paulo": "São Paulo 10:30", "sao paulo": "São Paulo 10:30",
		"St. Louis": "St. Louis 07:30", "saint louis": "St. Louis 07:30", "Georgia": "Georgia, the country 17:30, Georgia, the state 08:30", "Ulaanbaatar": "Ulaanbaatar 21:30", "Spain": "Spain 14:30", "Moon": "", "": "", "Tokyo time": "Tokyo 22:30",
	} {
		var got []string
		for _, l := range when.Locals(place) {
			got = append(got, l.Place+" "+at.In(l.Zone).Format("15:04"))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", place, strings.Join(got, ", "), want)
		}
	}
}

// Every zone of the table is one that can be loaded.
func TestLocalsOfEachCountry(t *testing.T) {
	for _, country := range []string{"United States", "Australia", "Canada", "Brazil", "Russia", "Mexico", "Indonesia"} {
		if all := when.Locals(country); len(all) < 3 {
			t.Errorf("%s has %d zones", country, len(all))
		}
	}
}

func BenchmarkLocals(b *testing.B) {
	for b.Loop() {
		when.Locals("Portland, Maine")
	}
}

// A time is read in the zone of a place, whose name is a word when it is written small.
func TestParseAtAPlace(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for said, want := range map[string]string{
		"call Ravi at 5pm Hyderabad time": "11:30", "call Ravi at 5pm Bengaluru time": "11:30", "call Ann at 5pm Milwaukee time": "23:00", "at 6pm bath time": "17:00", "call Jo at 6pm Valencia time": "17:00",
	} {
		got, err := when.Parse(said, at(t, now, z), z)
		if clock := got.At.Time().Format("15:04"); err != nil || clock != want {
			t.Errorf("%q is at %s in UTC, %v, want %s", said, clock, err, want)
		}
		if unread := len(got.Unread(said)) > 0; unread != strings.Contains(said, "Valencia") {
			t.Errorf("%q leaves %q unread", said, got.Unread(said))
		}
	}
}

package relate_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
)

// now is Friday, 20 November 2026, 17:00 UTC.
var now = domain.Millis(time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC).UnixMilli())

func in(d time.Duration) domain.Millis { return now + domain.Millis(d.Milliseconds()) }

func heard(text, source, topic string) relate.Terms {
	return relate.Read(relate.Text{ID: domain.ID{1}, Kind: relate.Signal, Text: text, Source: source, Topic: topic, At: now}, time.UTC)
}

func planned(text string, due domain.Millis) relate.Terms {
	return relate.Read(relate.Text{ID: domain.ID{2}, Kind: relate.Reminder, Text: text, At: now, Due: due}, time.UTC)
}

func TestScenes(t *testing.T) {
	tests := []struct {
		name          string
		planned       string
		due           domain.Millis
		heard         string
		source, topic string
		surfaces      bool
	}{
		{"a name", "dinner reservation at Luigi's", in(2 * time.Hour), "Luigi's is closed tonight", "city-news", "restaurants", true},
		{"a curly apostrophe", "dinner reservation at Luigi's", in(2 * time.Hour), "Luigi’s is closed tonight", "", "", true},
		{"no apostrophe", "dinner reservation at Luigi's", in(2 * time.Hour), "luigis is closed tonight", "", "", true},
		{"another day", "dinner reservation at Luigi's", in(26 * time.Hour), "Luigi's is closed tonight", "", "", false},
		{"weather", "dinner reservation at Luigi's", in(2 * time.Hour), "Heavy rain expected tonight", "weather", "weather", false},
		{"shares", "dinner reservation at Luigi's", in(2 * time.Hour), "ACME shares fall 12 percent", "stocks", "market", false},
		{"a game", "dinner reservation at Luigi's", in(2 * time.Hour), "The final starts at 19:00 tonight", "sports", "football", false},
		{"a dinner elsewhere", "dinner reservation at Luigi's", in(2 * time.Hour), "Dinner reservation at Brasserie Nord confirmed for tonight", "", "", false},
		{"a time alone", "call the bank", in(2 * time.Hour), "The concert begins tonight", "", "", false},
		{"a flight", "fly to Oslo with LH454", in(3 * time.Hour), "LH 454 delayed by 50 minutes", "airport", "", true},
		{"another flight", "check in for LH454", in(3 * time.Hour), "LH455 delayed by 50 minutes", "airport", "", false},
		{"two people of one first name", "lunch with Marco Bellini", in(3 * time.Hour), "Marco Rossi won the stage", "", "", false},
		{"a whole name", "lunch with Marco Bellini", in(3 * time.Hour), "Marco Bellini is ill", "", "", true},
		{"two rare words", "pay for the kayak mooring", 0, "Kayak moorings are sold out from Monday", "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rel := relate.Between(heard(tt.heard, tt.source, tt.topic), planned(tt.planned, tt.due))
			if rel.Surfaces() != tt.surfaces {
				t.Errorf("score %v, surfaces %v, want %v; evidence %v", rel.Score, rel.Surfaces(), tt.surfaces, rel.Evidence)
			}
			if (rel.Needs() == "") != tt.surfaces {
				t.Errorf("needs %q, surfaces %v", rel.Needs(), tt.surfaces)
			}
		})
	}
}

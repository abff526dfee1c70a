package reckon_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/domain"
	"chalie/domain/language/reckon"
)

// What a question of each kind costs, and what a sentence costs that is none.
func BenchmarkRead(b *testing.B) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		b.Fatal(err)
	}
	now := domain.MillisOf(time.Date(2027, time.March, 1, 8, 30, 0, 0, zone))
	for name, said := range map[string]string{"sum": "what is 15% of 80", "zone": "if it's 4pm in Missouri what time is it in London", "day": "how many days until Christmas",
		"other": "remind me to call Anna about the garden on the first Friday of next month at a quarter past nine"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				reckon.Read(said, now, zone)
			}
		})
	}
}

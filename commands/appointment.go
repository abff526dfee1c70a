package commands

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

// PlaceAndPeople is where an appointment takes place and with whom, to follow its text: ", at
// the office, with Joe". Those whom the text names already aren't named again.
func PlaceAndPeople(a domain.Appointment, text string) string {
	var out string
	if a.Place != "" {
		out = ", " + atPlace(a.Place)
	}
	words := PlainWords(strings.ToLower(text))
	var others []string
	for _, name := range a.People {
		if !HasAll(words, PlainWords(strings.ToLower(name))) {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		out += ", with " + Listed(others)
	}
	return out
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

// Lasting is a span in words: "30 minutes", "2 hours and 15 minutes", "1 day".
func Lasting(d time.Duration) string {
	minutes := max(1, int(d.Round(time.Minute)/time.Minute))
	const day = 24 * 60
	switch hours := minutes / 60; {
	case minutes%day == 0:
		return several(minutes/day, "day")
	case minutes < 2*60 && minutes != 60:
		return several(minutes, "minute")
	case minutes%60 == 0:
		return several(hours, "hour")
	default:
		return several(hours, "hour") + " and " + several(minutes%60, "minute")
	}
}

func several(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

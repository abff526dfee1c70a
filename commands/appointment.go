package commands

import (
	"strings"

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

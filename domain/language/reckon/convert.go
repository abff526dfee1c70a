package reckon

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain/language/when"
)

const (
	hourWord = `(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
	wallTime = `(?:noon|midday|midnight|(?:(?:half|quarter|a quarter|ten|five|twenty|\d{1,2}) (?:past|to) )?(?:\d{1,2}[:.]\d{2}|\d{1,2} \d{2}|\d{1,2}|` + hourWord + `(?: (?:thirty|fifteen|forty five))?)(?: ?(?:am|pm|oclock))*(?: in the (?:morning|afternoon|evening)| at night)?)`
	sun      = `(?:sunrise|sunset|dawn|dusk|sunup|sundown)`
)

func whereIs(place string) string {
	if place == "here" {
		return place
	}
	return in(place)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// dotted is a time without its colon: 5.30, 5 30.
var dotted = matching(`^(\d{1,2})[. ](\d{2})`)

// onWall reads a time of day.
func (a asker) onWall(text string) (time.Time, bool) {
	text = dotted.replaced(text, "$1:$2")
	if text == "midnight" {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), true
	}
	for _, said := range []string{text, "at " + text} {
		if from, _, ok := when.Named(said, a.now, a.at.Location()); ok {
			return from.Time().In(a.at.Location()), true
		}
	}
	return time.Time{}, false
}

// ahead tells us from the United States.
var ahead = matching(`\b(?:ahead|behind)\b`)

// distances says how far the places of one side are from those of the other.
func distances(from, to []when.Local, at time.Time) string {
	var sentences []string
	for _, t := range to {
		var parts []string
		for _, f := range from {
			seconds := offset(t.Zone, at) - offset(f.Zone, at)
			part := "on the same time as " + f.Place
			switch {
			case seconds == 0 && t.Place == "here":
				part = "the same time as in " + f.Place
			case seconds > 0:
				part = hours(seconds) + " ahead of " + f.Place
			case seconds < 0:
				part = hours(-seconds) + " behind " + f.Place
			}
			parts = append(parts, part)
		}
		subject := t.Place + " is "
		if t.Place == "here" {
			subject = "Here it is "
		}
		sentences = append(sentences, capital(subject)+listed(parts)+".")
	}
	return strings.Join(sentences, " ")
}

func hours(seconds int) string {
	h, m := seconds/3600, seconds%3600/60
	text := fmt.Sprintf("%d hours", h)
	if h == 1 {
		text = "1 hour"
	}
	if m > 0 {
		text += fmt.Sprintf(" and %d minutes", m)
	}
	return text
}

package reckon

import (
	"strings"
	"time"

	"chalie/domain/language/speech"
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
func distances(from, to []when.Local, at time.Time) speech.Message {
	const most = 2 // more would stand in one another too deep
	if len(to) > most {
		words := make([]string, len(to))
		for i := range to {
			words[i] = speech.English().Say(distances(from, to[i:i+1], at), speech.Voice{})
		}
		return speech.InWords(strings.Join(words, " "))
	}
	out := speech.Message{ID: "apart", Args: speech.Args{}}
	side(out.Args, capital(to[0].Place))
	var than speech.List
	for _, f := range from {
		seconds := offset(to[0].Zone, at) - offset(f.Zone, at)
		args := speech.Args{"way": speech.Kind("same")}
		switch {
		case seconds == 0 && to[0].Place == "here":
			args["way"] = speech.Kind("as_in")
		case seconds > 0:
			args["way"], args["lengths"] = speech.Kind("ahead"), twoUnits(seconds/60, 60, "hour", "minute")
		case seconds < 0:
			args["way"], args["lengths"] = speech.Kind("behind"), twoUnits(-seconds/60, 60, "hour", "minute")
		}
		side(args, f.Place)
		than = append(than, speech.Message{ID: "apart.than", Args: args})
	}
	out.Args["than"] = than
	if len(to) > 1 {
		out.Args["more"] = distances(from, to[1:], at)
	}
	return out
}

// side names a place that is compared, or here.
func side(args speech.Args, place string) {
	args["side"] = speech.Kind("here")
	if !strings.EqualFold(place, "here") {
		args["side"], args["place"] = speech.Kind("named"), speech.Text{Words: place}
	}
}

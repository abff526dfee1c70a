package narrate

import (
	"strings"
	"unicode"
)

// Client is what a program that speaks HTTP is, as far as can be told from what it
// calls itself: Firefox on Linux.
func Client(userAgent string) string {
	program, system := firstOf(userAgent, programs), firstOf(userAgent, systems)
	switch {
	case program == "":
		return firstWord(userAgent)
	case system == "":
		return program
	}
	return program + " on " + system
}

// firstWord is what programs that are no browsers begin with: their name.
func firstWord(client string) string {
	words := strings.FieldsFunc(client, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
	})
	if len(words) == 0 || len(words[0]) > 40 {
		return "another client"
	}
	return words[0]
}

// sign is how a name shows in what a client calls itself.
type sign struct{ mark, name string }

// Browsers name each other, so the order counts.
var programs = []sign{
	{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
	{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"HeadlessChrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
}

var systems = []sign{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
	{"Mac OS X", "macOS"}, {"Linux", "Linux"},
}

func firstOf(text string, signs []sign) string {
	for _, s := range signs {
		if strings.Contains(text, s.mark) {
			return s.name
		}
	}
	return ""
}

package narrate

import (
	"strings"
	"unicode"
)

// Client names a program by its User-Agent: Firefox on Linux.
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

// firstWord is the name of a program that is no browser.
func firstWord(client string) string {
	words := strings.FieldsFunc(client, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
	})
	if len(words) == 0 || len(words[0]) > 40 {
		return "another client"
	}
	return words[0]
}

// sign is the mark of a name in a User-Agent.
type sign struct{ mark, name string }

// The order matters, because browsers include each other's names.
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

package timing

import (
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// Unread are the words beside a time that may be a part of it.
func Unread(at when.Time, said string) string {
	left := at.Unread(said)
	if loose := at.Loose(said); len(left) == 0 && loose != "" {
		return loose
	}
	return strings.Join(left, " … ")
}

// Asked is what a text asks to be reminded of, and when.
type Asked struct {
	At     when.Time
	What   string // what it says besides, without the asking
	Unread string // words beside the time that may be a part of it
}

// AskedIn reads it.
func AskedIn(text string, now domain.Millis, zone *time.Location) (Asked, error) {
	at, err := when.Parse(text, now, zone)
	if err != nil {
		return Asked{}, err
	}
	return Asked{at, AsAsked(at.Rest(text)), Unread(at, text)}, nil
}

// ByEvery reports whether words ask to be reminded by all times of another plan.
func ByEvery(said string) bool {
	words := strings.Fields(strings.ToLower(said))
	for i, w := range words {
		if (w == "every" || w == "each") && i > 0 && (words[i-1] == "before" || words[i-1] == "after") {
			return true
		}
	}
	return false
}

// AsAsked is what a sentence asks to be reminded of, without the asking.
func AsAsked(text string) string {
	for {
		text = strings.TrimLeft(strings.TrimSpace(text), " :,;-")
		rest, found := withoutAsking(text)
		if !found {
			return Unquoted(text)
		}
		text = rest
	}
}

// Unquoted is a text without the quotation marks that stand around all of it.
func Unquoted(text string) string {
	for _, marks := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		inner, ok := strings.CutPrefix(text, marks[0])
		if inner, ends := strings.CutSuffix(inner, marks[1]); ok && ends && !strings.Contains(inner, marks[0]) {
			return inner
		}
	}
	return text
}

// askings are the words with which somebody asks for a reminder.
var askings = []string{
	"please", "can you", "could you", "would you", "chalie", "remind me to", "remind me that", "remind me about", "remind me of",
	"remind me", "reminder to", "reminder for", "reminder about", "set a reminder to", "set a reminder for", "set a reminder about",
	"set a reminder", "reminder", "don't let me forget to", "don't let me forget", "to", "of", "about", "that",
}

func withoutAsking(text string) (rest string, found bool) {
	lower := strings.ToLower(text)
	for _, asking := range askings {
		if len(lower) != len(text) { // some letters change their length
			return text, false
		}
		after, ok := strings.CutPrefix(lower, asking)
		if ok && (after == "" || strings.ContainsAny(after[:1], " :,;-")) {
			return text[len(asking):], true
		}
	}
	return text, false
}

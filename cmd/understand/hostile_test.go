package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// What nobody can mean gets a clear answer, in one line, and sets nothing.
func TestHostileSentences(t *testing.T) {
	fixed, err := newHouse()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixed.furnish(t.Context()); err != nil {
		t.Fatal(err)
	}
	const longest = 400 // bytes of an answer
	for name, sentence := range map[string]string{
		"ten thousand letters":      strings.Repeat("a", 10_000),
		"ten thousand words":        strings.Repeat("remind ", 10_000),
		"a reminder of a long word": "remind me tomorrow at 8 to " + strings.Repeat("x", 10_000),
		"five hundred reminders":    strings.Repeat("remind me to call Anna at 8 and ", 500) + "go",
		"five hundred times":        "remind me at " + strings.Repeat("8, ", 500) + "9 to rest",
		"emoji":                     "🎉🎂🎈 ⏰ 7️⃣",
		"flags and joiners":         "\U0001F469\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466\U0001F1F2\U0001F1F9\u200d \u200d",
		"mixed scripts":             "напомни me завтра at 八 להתקשר",
		"a request in two scripts":  "🎉🎉 remind me 明天 at 9 до дома",
		"an appointment in two":     "put dinner завтра in my calendar on Friday at 8",
		"turned writing":            "\u202eremind me\u202c 8 ta",
		"the year 9999":             "remind me on 1 January 9999 at 9 to wake the bears",
		"a year with zeros":         "remind me on 1 January 00002027 to rest",
		"a hundred thousand years":  "remind me in 100000 years to rest",
		"half a month":              "remind me every 0 minutes to rest",
		"nulls":                     "\x00\x00 remind me\x00",
		"broken letters":            "remind me \xff\xfe at 8",
		"marks alone":               "?!?!?!... -- ''",
		"quotes":                    `"""""“““`,
		"tomorrow's tomorrow":       "remind me " + strings.Repeat("the day after ", 60) + "tomorrow to rest",
		"nested parentheses":        strings.Repeat("(", 2000) + "remind me" + strings.Repeat(")", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			h, err := fixed.branch(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := h.say(t.Context(), sentence)
			if err != nil {
				t.Fatal(err)
			}
			changed, err := h.changes(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(changed) > 0 {
				t.Errorf("it sets %v", changed)
			}
			if got.text == "" || got.lines() != 1 || len(got.text) > longest || !utf8.ValidString(got.text) {
				t.Errorf("it answers in %d lines, %d bytes: %.500q", got.lines(), len(got.text), got.text)
			}
		})
	}
}

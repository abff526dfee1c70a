package main

import (
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                    "plain",
		"  two\n\n lines\t ":       "two lines",
		"red \x1b[31mtext\x1b[0m":  "red [31mtext[0m",
		"bell\a and back\b":        "bell and back",
		"turned \u202earound":      "turned around",
		"c1 \u009b31m control":     "c1 31m control",
		"broken \xff\xfe bytes":    "broken bytes",
		"Grüße, 世界 👋":              "Grüße, 世界 👋",
		"no\u00a0break\u2028space": "no break space",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestOneLineIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := oneLine(string(rapid.SliceOf(rapid.Byte()).Draw(t, "text")))
		if !utf8.ValidString(out) || oneLine(out) != out {
			t.Fatalf("%q", out)
		}
		for _, r := range out {
			if unicode.IsControl(r) || r != ' ' && unicode.IsSpace(r) {
				t.Fatalf("%q has %q", out, r)
			}
		}
	})
}

func TestSpan(t *testing.T) {
	for in, want := range map[time.Duration]string{
		0:                              "0 ms",
		999 * time.Millisecond:         "999 ms",
		time.Second:                    "1 s",
		59 * time.Second:               "59 s",
		90 * time.Second:               "1 min",
		time.Hour:                      "1 h",
		6*time.Hour + 5*time.Minute:    "6 h 05",
		20*time.Hour + 59*time.Minute:  "20 h",
		47*time.Hour + 59*time.Minute:  "47 h",
		72 * time.Hour:                 "3 days",
		365*24*time.Hour + time.Minute: "365 days",
	} {
		if got := span(in); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
	if got := ago(300 * time.Millisecond); got != "now" {
		t.Errorf("just now: %q", got)
	}
}

func TestGrouped(t *testing.T) {
	for in, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := grouped(in); got != want {
			t.Errorf("%d: %q, want %q", in, got, want)
		}
	}
}

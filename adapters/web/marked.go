package web

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chalie/domain"
)

// marked is a text in which a part differs from another text.
type marked struct{ Before, Differs, After string }

// markDifference finds what differs between two texts: the words behind their common beginning
// and before their common end.
func markDifference(a, b string) [2]marked {
	begin, most := 0, min(len(a), len(b))
	for begin < most && a[begin] == b[begin] {
		begin++
	}
	begin = wordBefore(a, begin)
	end := 0
	for end < most-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	end = len(a) - wordBehind(a, len(a)-end)
	part := func(s string) marked { return marked{s[:begin], s[begin : len(s)-end], s[len(s)-end:]} }
	return [2]marked{part(a), part(b)}
}

// maxWord bounds how far the end of a word is looked for, in bytes.
const maxWord = 40

// wordBefore is where the word begins that a place is in, or a character.
func wordBefore(s string, at int) int {
	from := at
	for at > 0 && from-at < maxWord && s[at-1] > ' ' {
		at--
	}
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// wordBehind is where the word ends that a place is in, or a character.
func wordBehind(s string, at int) int {
	from := at
	for at < len(s) && at-from < maxWord && s[at] > ' ' {
		at++
	}
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return at
}

// maxLegible bounds a value that is shown.
const maxLegible = 20_000

// legible is a recorded value as a person reads it: a text as it is, a score from 0 to
// 1, anything else as JSON in lines.
func legible(field string, raw json.RawMessage) string {
	var text string
	var out bytes.Buffer
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "nothing"
	case json.Unmarshal(raw, &text) == nil:
		if text == "" {
			return "an empty text"
		}
	case isScore(field):
		n, err := strconv.ParseInt(string(raw), 10, 64)
		// Energies are stored from 0 to 1, except in the first version of spine signals.
		if err == nil && !(isEnergy(field) && n <= 1) {
			return strconv.FormatFloat(float64(n)/float64(domain.One), 'f', -1, 64)
		}
		return string(raw)
	case json.Indent(&out, raw, "", "  ") == nil:
		text = out.String()
	default:
		text = string(raw)
	}
	if len(text) > maxLegible {
		return strings.ToValidUTF8(text[:maxLegible], "") + "…"
	}
	return text
}

// isScore reports whether a field is stored in millionths, or may be.
func isScore(field string) bool {
	return slices.Contains([]string{"salience", "bonus", "score", "weight", "confidence"}, leafOf(field)) || isEnergy(field)
}

func isEnergy(field string) bool { return leafOf(field) == "activation_energy" }

func leafOf(field string) string { return field[strings.LastIndexByte(field, '.')+1:] }

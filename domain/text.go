package domain

import "unicode/utf8"

// Cut shortens a text to at most bound bytes, without splitting a character.
func Cut(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	const mark = "…"
	end := bound - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

package guard

import "strings"

// Names reports whether a text, such as what stands over a field, names a secret:
// "Password:", "your API key", "access token of the bank".
func Names(text string) bool {
	words := strings.FieldsFunc(clip(text, maxCaption), func(r rune) bool { return strings.ContainsRune(" \t\r\n:;,.!?*()[]\"'“”/\u00a0", r) })
	for i, word := range words {
		if _, ok := nameOf(word); ok {
			return true
		}
		if i > 0 {
			if _, ok := nameOf(words[i-1] + " " + word); ok {
				return true
			}
		}
	}
	return false
}

// maxCaption bounds how much of a text is looked at: what names a field is short.
const maxCaption = 1 << 10

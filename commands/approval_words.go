package commands

import (
	"slices"
	"strings"
	"unicode"
)

// What is a plain yes, and a plain no, once courtesies and punctuation are gone.
// Nothing else is: a yes with a condition is for a model to understand.
func yeses() []string {
	return []string{"yes", "y", "yeah", "yep", "yup", "ok", "okay", "sure", "of course", "go ahead", "go for it", "do it", "do that",
		"approve", "approved", "confirm", "confirmed", "granted", "allow it", "👍", "✅"}
}

func noes() []string {
	return []string{"no", "n", "nope", "nah", "no way", "don't", "do not", "don't do it", "do not do it", "don't do that",
		"deny", "denied", "refuse", "refused", "reject", "rejected", "decline", "👎", "❌"}
}

// plainAnswer reads a yes or a no; plain is false when it is neither.
func plainAnswer(text string) (granted, plain bool) {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,!;:", r)
	})
	words = slices.DeleteFunc(words, func(w string) bool { return w == "please" || w == "thanks" })
	said := strings.ReplaceAll(strings.Join(words, " "), "\uFE0F", "")
	if rest, ok := strings.CutPrefix(said, "yes "); ok && slices.Contains(yeses(), rest) {
		said = rest
	}
	if rest, ok := strings.CutPrefix(said, "no "); ok && slices.Contains(noes(), rest) {
		said = rest
	}
	if slices.Contains(yeses(), said) {
		return true, true
	}
	return false, slices.Contains(noes(), said)
}

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

// maxAnswerWords bounds the words of a plain answer.
const maxAnswerWords = 8

// plainAnswer reads a yes or a no; plain is false when it is neither.
func plainAnswer(text string) (granted, plain bool) {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,!;:", r)
	})
	words = slices.DeleteFunc(words, func(w string) bool { return w == "please" || w == "thanks" })
	said := strings.Fields(strings.ReplaceAll(strings.Join(words, " "), "\uFE0F", ""))
	if len(said) > maxAnswerWords {
		return false, false
	}
	if made(said, yeses()) {
		return true, true
	}
	return false, made(said, noes())
}

// made reports whether words are made of nothing but answers, such as "sure, go
// ahead": one after the other, and at least one.
func made(words, answers []string) bool {
	for n := 1; n <= len(words); n++ {
		if slices.Contains(answers, strings.Join(words[:n], " ")) && (n == len(words) || made(words[n:], answers)) {
			return true
		}
	}
	return false
}

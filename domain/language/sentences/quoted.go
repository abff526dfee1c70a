package sentences

import "regexp"

// quoted finds what a sentence repeats of others.
var quoted = regexp.MustCompile(`"[^"]*"|“[^”]*”`)

// Requoted is a sentence with something else in place of each text that it repeats of others, with its quotation marks.
func Requoted(sentence string, instead func(string) string) string {
	return quoted.ReplaceAllStringFunc(sentence, instead)
}

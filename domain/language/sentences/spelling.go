package sentences

import (
	_ "embed" // of spelling.txt
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed spelling.txt
var spellingText string

// misspelt are words that are typed so often that they are read as what is meant.
var misspelt = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(spellingText) {
		meant, typed, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for w := range strings.FieldsSeq(typed) {
			if !strings.HasPrefix(line, "#") {
				out[w] = meant
			}
		}
	}
	return out
})

// spelt are words that are read in what has two of their letters exchanged, one left out or one too
// much. Shorter ones are too near to others.
var spelt = strings.Fields(`cancel delete remove alarm remind reminder appointment meeting calendar shopping grocery schedule tomorrow tonight morning
	afternoon evening monday tuesday wednesday thursday friday saturday sunday january february october november december christmas birthday dentist`)

// otherWords look like slips and are none.
var otherWords = WordsIn(`mourning remainder eventing alarmed removed deleted deletes removes removed reminded scheduled scheduler meting evenings mornings`)

// typedWords finds words, with the signs that belong to them.
var typedWords = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9']*`)

// wellSpelt is a text in which common words that were mistyped are spelt as they are. What is quoted
// or looks like a name stays as it is.
func wellSpelt(text string) string {
	if strings.ContainsAny(text, "\"“”`") {
		return text
	}
	var out strings.Builder
	from := 0
	for _, at := range typedWords.FindAllStringIndex(text, -1) {
		typed := text[at[0]:at[1]]
		meant := speltAs(strings.ToLower(typed))
		if meant == "" || at[0] > 0 && typed[0] >= 'A' && typed[0] <= 'Z' && !slices.Contains(spelt, meant) {
			continue
		}
		out.WriteString(text[from:at[0]])
		if typed[0] >= 'A' && typed[0] <= 'Z' {
			meant = strings.ToUpper(meant[:1]) + meant[1:]
		}
		out.WriteString(meant)
		from = at[1]
	}
	if from == 0 {
		return text
	}
	return out.String() + text[from:]
}

// speltAs is the word that was meant by one that was mistyped; "" for any other.
func speltAs(typed string) string {
	if meant, ok := misspelt()[typed]; ok {
		return meant
	}
	if len(typed) < 5 || otherWords[typed] || slices.Contains(spelt, typed) {
		return ""
	}
	for _, w := range spelt {
		plural := strings.TrimSuffix(typed, "s")
		switch {
		case typed == w+"s" || typed == w+"d" || typed == w+"r" || typed == w+"y" || typed == w+"'s":
			return ""
		case IsSlipOf(w, typed):
			return w
		case plural != typed && IsSlipOf(w, plural) && len(plural) >= 5:
			return w + "s"
		}
	}
	return ""
}

// IsSlipOf reports whether a word is another with two letters next to each other exchanged, or
// one left out or typed too much.
func IsSlipOf(word, typed string) bool {
	if typed == word || len(typed) < len(word)-1 || len(typed) > len(word)+1 || typed[0] != word[0] {
		return false
	}
	for i := 1; i < len(word); i++ {
		if typed == word[:i]+word[i+1:] || i+1 < len(word) && typed == word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:] || len(typed) > len(word) && typed[:i]+typed[i+1:] == word {
			return true
		}
	}
	return false
}

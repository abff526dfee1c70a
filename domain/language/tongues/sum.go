package tongues

import (
	"regexp"
	"slices"
	"strings"
)

// Sum is a sum in the words and signs of English: 20 percent of 80 for 20 Prozent von 80;
// false for what has other words. Numbers may be words, and have a comma before decimals.
func (t *Tongue) Sum(text string) (string, bool) {
	words := Words(thousands.ReplaceAllString(decimals.ReplaceAllString(text, "$1.$2"), "$1$2"))
	tb := t.tables()
	var out []string
	numbers, operators := 0, 0
	for i := 0; i < len(words); {
		w := words[i]
		value, n := longestOf(words[i:], tb.sums)
		if number, m := longestOf(words[i:], tb.numbers); m > 0 && m >= n {
			out, i, numbers = append(out, number), i+m, numbers+1
			continue
		}
		switch {
		case n > 0:
			out, i, operators = append(out, value), i+n, operators+1
			continue
		case w.isNumber():
			numbers++
		case strings.ContainsAny(w.Text, "+-*/×÷·:^%(),."):
			operators++
		case w.Text == "=", w.Text == "?", tb.is(w.Text, Article):
			i++
			continue
		default:
			return "", false
		}
		if i > 0 && words[i-1].End == w.Start && len(out) > 0 { // 3.5
			out[len(out)-1] += w.Text
		} else {
			out = append(out, w.Text)
		}
		i++
	}
	const most = 40
	return strings.ReplaceAll(strings.Join(out, " "), ":", "/"), numbers > 0 && operators > 0 && len(out) < most
}

var (
	decimals  = regexp.MustCompile(`(\d),(\d)`)
	thousands = regexp.MustCompile(`\b(\d{1,3})\.(\d{3})\b`)
)

// longestOf is what the most of the first words stand for, and how many those are.
func longestOf(words []Word, in map[string]string) (value string, n int) {
	const longest = 4
	text := ""
	for i := 0; i < min(longest, len(words)) && !words[i].IsMark(); i++ {
		text = strings.TrimSpace(text + " " + words[i].Text)
		if found := in[text]; found != "" {
			value, n = found, i+1
		}
	}
	return value, n
}

// City is a place by its English name.
func (t *Tongue) City(name string) string {
	for own, english := range t.tables().places {
		if folded(own) == folded(name) {
			return english
		}
	}
	return name
}

// Place is a city or a country of that English name.
func (t *Tongue) Place(english string) string {
	var own []string
	for word, name := range t.tables().places {
		if name == english {
			own = append(own, word)
		}
	}
	if len(own) == 0 {
		return english
	}
	return slices.Min(own)
}

// folded is a text in lower case without accents, with single spaces between its words.
func folded(text string) string {
	var out []string
	for _, w := range Words(text) {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

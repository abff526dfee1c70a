package relate

import "strings"

// longestAfterWord is how many digits a number has at most that says something only
// together with the word before it: gate 12, line 4, invoice 20117.
const longestAfterWord = 6

// mostGroups bounds how many groups a number is read from.
const mostGroups = 12

// A number is one that may be written in groups: 4 111 222, 0151/2345678. Its digits
// are what is compared, so that it is the same number in whatever groups it stands.
type number struct {
	digits string
	text   string // as it was written, with single spaces
	words  int    // that it takes; 0 when there is no number
}

// number reads the number that begins at i.
func (r *reader) number(i int) number {
	w := r.raw[i]
	if solid, ok := withoutPoints(w.folded); ok {
		return number{digits: solid, text: w.text, words: 1}
	}
	if !isNumber(w.folded) {
		return number{}
	}
	end := i + 1
	for end < len(r.raw) && end-i < mostGroups && isNumber(r.raw[end].folded) && r.raw[end].followed != '%' && joinsDigits(r.raw[end].gap) {
		end++
	}
	// A last group that isn't part of it may follow: 4 111 222 20 times.
	for ; end > i+1; end-- {
		if groups := r.groups(i, end); areOne(groups, r.before(i)) {
			return number{digits: strings.Join(groups, ""), text: strings.Join(r.texts(i, end), " "), words: end - i}
		}
	}
	return number{digits: w.folded, text: w.text, words: 1}
}

func (r *reader) groups(from, to int) []string {
	out := make([]string, 0, to-from)
	for _, w := range r.raw[from:to] {
		out = append(out, w.folded)
	}
	return out
}

func (r *reader) texts(from, to int) []string {
	out := make([]string, 0, to-from)
	for _, w := range r.raw[from:to] {
		out = append(out, w.text)
	}
	return out
}

// before is the word that a number follows; "" when there is none.
func (r *reader) before(i int) string {
	if i == 0 || r.raw[i].cut {
		return ""
	}
	return singular(r.raw[i-1].folded)
}

// joinsDigits knows what stands between the groups of one number.
func joinsDigits(gap string) bool {
	switch gap {
	case " ", "\u00a0", "\u2009", "\u202f", "-", "\u2011", "/", ".", "'", "’", ") ", ")", " (", " (0)", " / ", " - ":
		return true
	}
	return false
}

// areOne tells whether groups of digits are one number: thousands that are set apart,
// or a number so long, and in such groups, that nobody writes several that way side by
// side. A day, a month and a year aren't, nor is a year before an amount.
func areOne(groups []string, before string) bool {
	digits := 0
	longest, shortest := 0, len(groups[0])
	for _, g := range groups {
		digits += len(g)
		longest, shortest = max(longest, len(g)), min(shortest, len(g))
	}
	switch {
	case isDate(groups):
		return false
	case inThousands(groups):
		// Room 12 150 seats: rooms and the like are numbered without thousands.
		return len(groups) > 2 || digits >= 5 && (before == "" || !isPlaceCode(before+"1"))
	case shortest < 2 || digits < 7 || isYear(groups[0]), len(groups) == 2 && isYear(groups[1]) && groups[0][0] != '0':
		return false
	}
	return longest >= 5 || len(groups) > 2 || shortest >= 3
}

// inThousands knows 4 111 222.
func inThousands(groups []string) bool {
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return false
		}
	}
	return len(groups[0]) <= 3 && groups[0][0] != '0'
}

// isDate knows 20 11 2026 and 2026 11 20.
func isDate(groups []string) bool {
	if len(groups) != 3 {
		return false
	}
	day, year := 0, 0
	for _, g := range groups {
		switch {
		case len(g) <= 2:
			day++
		case isYear(g):
			year++
		}
	}
	return day == 2 && year == 1
}

func isYear(w string) bool {
	return len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
}

// withoutPoints makes 4.111.222 and 4,111,222 a number. One point may be a fraction's.
func withoutPoints(w string) (string, bool) {
	for _, point := range [...]string{".", ","} {
		if groups := strings.Split(w, point); len(groups) > 2 && areNumbers(groups) && inThousands(groups) {
			return strings.Join(groups, ""), true
		}
	}
	return "", false
}

func areNumbers(words []string) bool {
	for _, w := range words {
		if !isNumber(w) {
			return false
		}
	}
	return true
}

// account keeps an account's number, which begins with a country's two letters and two
// digits and goes on in groups of four, or in one piece. It returns how many words that
// took, 0 when there is none.
func (r *reader) account(i int) int {
	w := r.raw[i]
	if len(w.folded) < 4 || w.first != upperAll && w.first != upperFirst || !isCountry(w.folded[:4]) {
		return 0
	}
	const least, longest, group = 15, 34, 4
	key, end := w.folded, i+1
	if len(key) == group {
		for end < len(r.raw) && len(r.raw[end-1].folded) == group && isAccountPart(r.raw[end]) && len(key) < longest {
			key += r.raw[end].folded
			end++
		}
	}
	if len(key) < least || len(key) > longest || !isAlphanumeric(key) {
		return 0
	}
	r.addCode(key, strings.Join(r.texts(i, end), " "))
	return end - i
}

// isCountry knows DE89.
func isCountry(w string) bool {
	return 'a' <= w[0] && w[0] <= 'z' && 'a' <= w[1] && w[1] <= 'z' && isDigit(rune(w[2])) && isDigit(rune(w[3]))
}

func isAccountPart(w rawWord) bool {
	return len(w.folded) <= 4 && (w.gap == " " || w.gap == "\u00a0" || w.gap == "-") && w.first != lower && w.first != upperFirst && isAlphanumeric(w.folded)
}

func isAlphanumeric(w string) bool {
	for i := range len(w) {
		if c := w[i]; (c < 'a' || c > 'z') && !isDigit(rune(c)) {
			return false
		}
	}
	return w != ""
}

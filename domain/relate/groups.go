package relate

import "strings"

// Bounds of an id in groups.
const (
	mostHead  = 5  // letters that it begins with
	leastID   = 4  // digits that it has
	longestID = 14 // digits that it has at most
)

// grouped keeps an id of letters and digits that is written in groups: AB 12 34, AB-12 34
// and MSKU 714 220 9 are what AB1234 and MSKU7142209 are. It returns how many words that
// took, 0 when there is none.
func (r *reader) grouped(i int) int {
	w := r.raw[i]
	letters := strings.TrimRight(w.folded, "0123456789")
	digits := w.folded[len(letters):]
	if letters == "" || len(letters) > mostHead || hasDigit(letters) || !isAlphanumeric(letters) || len(digits) > 2 ||
		isNumbered(letters) || isFunction(letters) && len(letters) > 1 || isTime(letters) {
		return 0
	}
	if written := w.text[:len(letters)]; written != strings.ToUpper(written) && (r.informed || len(letters) > 3 || classOf(letters) != rare) {
		return 0
	}
	end := i + 1
	for end < len(r.raw) && isNumber(r.raw[end].folded) && len(r.raw[end].folded) <= longestAfterWord && joinsID(r.raw[end].gap) &&
		r.raw[end].followed != '%' {
		end++
	}
	if end < len(r.raw) && !r.raw[end].cut && isUnit(r.raw[end].folded) {
		end--
	}
	groups := r.raw[i+1 : max(i+1, end)]
	if !areOneID(letters, digits, groups) {
		return 0
	}
	for _, g := range groups {
		digits += g.folded
	}
	if len(digits) < leastID || len(digits) > longestID {
		return 0
	}
	r.addCode(letters+digits, strings.Join(r.texts(i, end), " "))
	return end - i
}

// areOneID tells whether groups of digits go on with what begins with letters and perhaps
// digits. A line or a flight before a number is none: A7 120, LH 454 20.
func areOneID(letters, digits string, groups []rawWord) bool {
	switch first := len(digits); {
	case len(groups) == 0:
		return false
	case first > 0 && len(groups) == 1:
		return len(letters) > 1 && len(groups[0].folded) > 2
	case first > 0:
		return len(letters) > 1
	case len(letters) == 1:
		return len(groups) > 2
	case len(groups) == 1:
		return len(letters) > 3
	}
	if len(groups) == 2 && isYear(groups[1].folded) {
		return false
	}
	return len(letters) > 3 || len(groups[0].folded) <= 2 || len(groups) > 2
}

// joinsID knows what stands between the groups of one id.
func joinsID(gap string) bool {
	switch gap {
	case " ", "\u00a0", "\u2009", "\u202f", "-", "\u2011", ".", "/":
		return true
	}
	return false
}

// isUnit knows what an amount is of.
func isUnit(w string) bool {
	switch w {
	case "min", "mins", "minute", "minutes", "hour", "hours", "h", "km", "m", "metre", "metres", "meters", "people", "passengers", "seats", "euros",
		"dollars", "pieces", "percent", "kg", "times", "am", "pm", "cars", "miles":
		return true
	}
	return false
}

// isMixed tells whether a word is an id in which letters follow digits, written in one
// piece or with hyphens: NBI-4471-C, 24-CV-1187. An amount with its unit isn't: 250ml.
func isMixed(w rawWord) bool {
	digits, letters, last := 0, 0, false
	for i := range len(w.folded) {
		switch c := w.folded[i]; {
		case isDigit(rune(c)):
			digits++
			last = false
		case 'a' <= c && c <= 'z':
			letters++
			last = true
		default:
			return false
		}
	}
	if digits < 3 || letters == 0 || len(w.folded) < 5 || w.text != strings.ToUpper(w.text) {
		return false
	}
	return !last || !isDigit(rune(w.folded[0])) || strings.Contains(w.text, "-")
}

// placeName keeps a part of a building that goes by a name: room Kauri, hall Mozart. The
// name stays one by itself.
func (r *reader) placeName(i int) {
	w := r.raw[i]
	if !r.informed || i+1 >= len(r.raw) || r.raw[i+1].cut || !isPartOfBuilding(singular(w.folded)) {
		return
	}
	if next := r.raw[i+1]; next.first == upperFirst && next.class == rare && !hasDigit(next.folded) && len(next.text) > 1 {
		r.addCode(singular(w.folded)+"="+stem(next.folded), w.text+" "+next.text)
	}
}

// isPartOfBuilding knows what is told apart by a name.
func isPartOfBuilding(w string) bool {
	switch w {
	case "room", "hall", "wing", "ward", "studio", "stage", "suite", "tower", "building", "block", "pavilion", "terminal", "gate", "entrance", "exit",
		"platform", "line", "floor", "deck", "court", "pitch", "lab", "auditorium", "bar":
		return true
	}
	return false
}

// ordinal keeps a floor by its order: the second floor is floor 2. It returns how many
// words that took, 0 when there is none.
func (r *reader) ordinal(i int) int {
	n := orderOf(r.raw[i].folded)
	if n == "" || i+1 >= len(r.raw) || r.raw[i+1].cut {
		return 0
	}
	switch kind := r.raw[i+1].folded; kind {
	case "floor", "level", "platform", "exit", "gate", "row", "storey", "deck":
		r.addCode(kind+n, r.raw[i].text+" "+r.raw[i+1].text)
		r.add(i+1, -1)
		return 2
	}
	return 0
}

func orderOf(w string) string {
	words := [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	for n, one := range words {
		if w == one {
			return [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}[n]
		}
	}
	if n := len(w); n > 2 && isNumber(w[:n-2]) {
		switch w[n-2:] {
		case "st", "nd", "rd", "th":
			return w[:n-2]
		}
	}
	return ""
}

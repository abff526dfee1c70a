package relate

import "strings"

// code keeps what names one thing by digits, from the word at i on, and returns
// how many words that took, 0 when there is no code. The key of a code is its
// letters and digits without what separates them, so LH 454, LH-454 and LH454
// are one. Its letters alone are its series: two codes of one series with
// different digits speak of different things.
func (r *reader) code(i int) int {
	w := r.raw[i]
	if w.class == empty && joinsNames(w.folded) || r.raw[i].followed == '%' || w.marked == '$' && w.first == noCase {
		return 0
	}
	if isNumbered(singular(w.folded)) && i+1 < len(r.raw) && !r.raw[i+1].cut && isLetterCode(r.raw[i+1]) {
		r.addCode(singular(w.folded)+"="+r.raw[i+1].folded, w.text+" "+r.raw[i+1].text)
		r.add(i, -1)
		return 2
	}
	if hasDigit(w.folded) {
		w.folded = withoutPlural(w.folded)
		if letters := strings.TrimRight(w.folded, "0123456789"); isSeries(w, letters) {
			r.addCode(w.folded, w.text)
			return 1
		}
		if isNumber(w.folded) && (w.marked == '#' || isLongNumber(w.folded)) {
			r.addCode(w.folded, w.text)
			return 1
		}
		return 0
	}
	if i+1 >= len(r.raw) || r.raw[i+1].cut || !startsNumber(r.raw[i+1].folded) || r.raw[i+1].followed == '%' {
		return 0
	}
	n := r.raw[i+1]
	isCarrier := w.first == upperAll && len(w.folded) <= 3 && w.class == rare && isNumber(n.folded)
	if !isCarrier && !isNumbered(w.folded) {
		return 0
	}
	r.addCode(singular(w.folded)+n.folded, w.text+" "+n.text)
	r.add(i, -1)
	return 2
}

func (r *reader) addCode(key, text string) {
	r.out.coded = true
	r.out.words = append(r.out.words, word{key: key, text: text, name: -1, class: code, shape: capital, field: r.field})
}

// isLetterCode knows the letter of a line D or a gate C.
func isLetterCode(w rawWord) bool {
	return len(w.text) == 1 && w.first != lower && w.first != noCase && w.text != "I" && w.text != "A"
}

// withoutPlural makes u14s u14.
func withoutPlural(w string) string {
	if n := len(w); n > 2 && w[n-1] == 's' && isDigit(rune(w[n-2])) {
		return w[:n-1]
	}
	return w
}

// isSeries tells whether a word with digits is a code like LH454, B12 or ICE603,
// and no time (7pm), amount (3kg) or ordinal (21st).
func isSeries(w rawWord, letters string) bool {
	if letters == "" || len(letters) == len(w.folded) || hasDigit(letters) || len(letters) > 6 {
		return false
	}
	return !strings.ContainsAny(letters, ".:,")
}

// isNumbered knows what is told apart by its number.
func isNumbered(w string) bool {
	switch w {
	case "line", "bus", "tram", "train", "metro", "subway", "flight", "route", "highway", "motorway", "road", "exit", "junction", "ferry",
		"room", "gate", "apt", "suite", "plot", "pitch", "mast", "hive", "stall", "section", "barn", "pen", "shed", "no", "year", "group",
		"platform", "terminal", "floor", "unit", "apartment", "flat", "hall", "table", "seat", "stand", "bay", "pier",
		"track", "zone", "district", "ward", "court", "channel", "chapter", "lot", "building", "block", "dock", "pump", "locker", "lane",
		"case", "order", "ticket", "invoice", "booking", "class", "grade", "studio", "stage", "screen", "theatre", "bed", "box":
		return true
	}
	return false
}

// isPlaceCode knows the numbers that every house has: a room 4, a table 12. One
// of them alone tells little.
func isPlaceCode(key string) bool {
	head := series(key)
	if !isNumbered(head) {
		return false
	}
	switch head {
	case "line", "bus", "tram", "train", "metro", "subway", "flight", "route", "highway", "motorway", "ferry", "junction",
		"order", "ticket", "invoice", "booking", "case":
		return false
	}
	return true
}

func startsNumber(w string) bool {
	return w != "" && '0' <= w[0] && w[0] <= '9' && len(w) <= 6 && !strings.ContainsAny(w, ":") &&
		!strings.HasSuffix(w, "am") && !strings.HasSuffix(w, "pm")
}

func isNumber(w string) bool {
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return w != ""
}

// isLongNumber tells an order's number from an amount or a year.
func isLongNumber(w string) bool {
	return len(w) >= 5 || len(w) == 4 && !strings.HasPrefix(w, "19") && !strings.HasPrefix(w, "20") && w[2:] != "00"
}

// series is the part of a code before its digits.
func series(key string) string {
	if head, _, ok := strings.Cut(key, "="); ok {
		return head
	}
	return strings.TrimRight(key, "0123456789")
}

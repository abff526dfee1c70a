package relate

import "strings"

// code keeps what names one thing by digits, from the word at i on, and returns
// how many words that took, 0 when there is no code. The key of a code is its
// letters and digits without what separates them, so LH 454, LH-454 and LH454
// are one. Its letters alone are its series: two codes of one series with
// different digits speak of different things.
func (r *reader) code(i int) int {
	w := r.raw[i]
	r.placeName(i)
	if w.class == empty && joinsNames(w.folded) || r.raw[i].followed == '%' || w.marked == '$' && w.first == noCase {
		return 0
	}
	if n := r.account(i); n > 0 {
		return n
	}
	if n := r.lettered(i); n > 0 {
		return n
	}
	if n := r.ordinal(i); n > 0 {
		return n
	}
	if n := r.grouped(i); n > 0 {
		return n
	}
	if hasDigit(w.folded) {
		if isMixed(w) {
			r.addCode(w.folded, w.text)
			return 1
		}
		w.folded = withoutPlural(w.folded)
		if letters := strings.TrimRight(w.folded, "0123456789"); isSeries(w, letters) {
			r.addCode(w.folded, w.text)
			return 1
		}
		if n := r.number(i); n.words > 0 && (w.marked == '#' || isLongNumber(n.digits)) {
			r.addCode(n.digits, n.text)
			return n.words
		}
		return 0
	}
	if i+1 >= len(r.raw) || r.raw[i+1].cut || !startsNumber(r.raw[i+1].folded) || r.raw[i+1].followed == '%' {
		return 0
	}
	n := r.number(i + 1)
	if n.words == 0 {
		n = number{digits: r.raw[i+1].folded, text: r.raw[i+1].text, words: 1}
	}
	if len(n.digits) > longestAfterWord {
		return 0 // so long a number tells by itself, with or without the word before it
	}
	isCarrier := w.first == upperAll && len(w.folded) <= 3 && w.class == rare && isNumber(n.digits)
	if !isCarrier && !isNumbered(w.folded) {
		return 0
	}
	r.addCode(singular(w.folded)+n.digits, w.text+" "+n.text)
	r.add(i, -1)
	return 1 + n.words
}

// lettered keeps what is told apart by a letter: line D, wing B, and what is
// capitalised before one, of whatever kind or language it is.
func (r *reader) lettered(i int) int {
	w := r.raw[i]
	if i+1 >= len(r.raw) || r.raw[i+1].cut || hasDigit(w.folded) || len(w.folded) < 3 {
		return 0
	}
	letter, kind := r.raw[i+1], singular(w.folded)
	if len(letter.text) != 1 || letter.first == noCase {
		return 0
	}
	known := isNumbered(kind)
	switch {
	case letter.first == lower && (!known || letter.text == "a" || letter.text == "i"):
		return 0
	case letter.text == "I", letter.text == "A" && (!known || !r.informed):
		return 0
	case !known && !r.isHeading(i):
		return 0
	}
	r.addCode(kind+"="+letter.folded, w.text+" "+letter.text)
	r.add(i, -1)
	return 2
}

// isHeading tells whether the word at i is written as a name that the letter behind it
// ends: in Malcolm X Boulevard it doesn't.
func (r *reader) isHeading(i int) bool {
	w := r.raw[i]
	if !r.informed || w.starts || w.owns || w.first != upperFirst || w.class == empty || w.class >= act {
		return false
	}
	return i+2 >= len(r.raw) || r.raw[i+2].cut || r.raw[i+2].first == lower || r.raw[i+2].first == noCase
}

func (r *reader) addCode(key, text string) {
	r.out.coded = true
	r.out.words = append(r.out.words, word{key: key, text: text, name: -1, class: code, shape: capital, field: r.field})
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

// isNumbered reports whether things of a word are told apart by a number.
func isNumbered(w string) bool {
	switch w {
	case "line", "bus", "tram", "train", "metro", "subway", "flight", "route", "highway", "motorway", "road", "exit", "junction", "ferry",
		"room", "gate", "apt", "suite", "plot", "pitch", "mast", "hive", "stall", "section", "barn", "pen", "shed", "no", "year", "group",
		"platform", "terminal", "floor", "unit", "apartment", "flat", "hall", "table", "seat", "stand", "bay", "pier",
		"wing", "tower", "entrance", "level", "deck", "sector", "area", "pavilion", "concourse", "annexe", "annex", "hangar", "quay", "berth",
		"cabin", "booth", "corridor", "staircase", "stairwell", "lift", "elevator", "carriage", "coach", "aisle", "row", "campus",
		"track", "zone", "district", "ward", "court", "channel", "chapter", "lot", "building", "block", "dock", "pump", "locker", "lane",
		"door", "counter", "classroom", "courtroom", "bench", "stop", "desk", "window", "shelter", "house",
		"case", "order", "ticket", "invoice", "booking", "class", "grade", "studio", "stage", "screen", "theatre", "bed", "box":
		return true
	}
	return false
}

// isPlaceCode knows the numbers that every house has, a room 4, a table 12, and what
// goes by a letter. One of them alone tells little.
func isPlaceCode(key string) bool {
	head := series(key)
	if !isNumbered(head) {
		return strings.Contains(key, "=")
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
	if at := strings.IndexAny(key, "0123456789"); at > 0 && isNumbered(key[:at]) {
		return key[:at] // unit 4C
	}
	return strings.TrimRight(key, "0123456789")
}

package relate

import "unicode"

// longestName is how many words a run of capitals may have and still be a name.
const longestName = 6

// nameFrom is how many words from i on make up one name, or 0.
func (r *reader) nameFrom(i int) int {
	if !r.informed && !r.asName {
		return 0
	}
	if !r.opensName(i) {
		return 0
	}
	end := i + 1
	for end < len(r.raw) && end-i < longestName {
		w := r.raw[end]
		if w.cut || r.raw[end-1].owns && w.first == lower {
			break
		}
		if r.inName(end) {
			end++
			continue
		}
		// Bank of Ireland, Café de la Paix: small words inside a name.
		skip := end
		for skip < len(r.raw) && skip-end < 2 && !r.raw[skip].cut && joinsNames(r.raw[skip].folded) {
			skip++
		}
		if skip == end || skip >= len(r.raw) || r.raw[skip].cut || !r.inName(skip) {
			break
		}
		end = skip + 1
	}
	return end - i
}

// opensName tells whether a name may begin at i. A sentence's first word opens
// one only when a capital follows and it is no word of every day's speech.
func (r *reader) opensName(i int) bool {
	w := r.raw[i]
	if !r.inName(i) {
		return false
	}
	if r.asName || !w.starts || w.first == upperAll || w.owns {
		return true
	}
	return w.class < act || buildsNames(w.folded) || r.kindFollows(i)
}

// kindFollows tells whether a capitalised kind stands right behind: Rose Street.
func (r *reader) kindFollows(i int) bool {
	return i+1 < len(r.raw) && !r.raw[i+1].cut && r.raw[i+1].class == generic && r.raw[i+1].first != lower
}

// inName tells whether the word at i can be part of a name.
func (r *reader) inName(i int) bool {
	w := r.raw[i]
	if hasDigit(w.folded) {
		return false
	}
	if w.class >= act && (w.first == lower || !buildsNames(w.folded) && (isFunction(w.folded) || isTime(w.folded) || !r.kindFollows(i))) {
		return false
	}
	return r.asName || w.first == upperFirst || w.first == upperAll
}

// joinsNames knows the small words inside names.
func joinsNames(w string) bool {
	switch w {
	case "of", "the", "de", "la", "le", "les", "du", "des", "del", "der", "den", "van", "von", "di", "da", "do", "dos", "al", "el", "and", "y", "e", "and's", "st":
		return true
	}
	return false
}

// buildsNames knows words that say nothing alone and much inside a name: New
// York, Old Mill, High Street.
func buildsNames(w string) bool {
	switch w {
	case "new", "old", "great", "high", "low", "long", "big", "little", "small", "free", "st", "saint",
		"summer", "winter", "spring", "autumn", "sunday", "sunset", "sunrise", "midnight",
		"hand", "iron", "seal", "stone", "watch", "fold", "head", "top", "three", "seven", "two", "four", "five",
		"open", "first", "second", "third", "double", "market", "community", "service", "works":
		return true
	}
	return false
}

func isUpperLetter(r rune) bool {
	return 'A' <= r && r <= 'Z' || r >= 0x80 && (unicode.IsUpper(r) || unicode.IsTitle(r))
}

func isLowerLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || r >= 0x80 && unicode.IsLower(r)
}

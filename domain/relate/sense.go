package relate

import "strings"

// senses finds the everyday words that stand as names: May beside a surname, behind "with",
// or signing a message, and no month. A name that is also a word meets its like only, and
// the word only the word.
func (r *reader) senses() {
	for i := range r.raw {
		w := &r.raw[i]
		w.isName = r.standsAsName(i)
		if w.isName {
			w.class = rare
		}
	}
}

func (r *reader) standsAsName(i int) bool {
	w := r.raw[i]
	switch {
	case isInitials(w.folded):
		return r.informed && w.first == upperAll || r.asName
	case !isGiven(w.folded) && !isSurname(w.folded):
		return false
	case r.asName:
		return true
	case i > 0 && isTitle(r.raw[i-1].folded) && w.first != noCase:
		return true
	case !isGiven(w.folded):
		// A surname is one beside another name only: fields are grown, and Rich Field lands.
		return r.informed && w.first == upperFirst && i > 0 && !w.cut && r.isGivenName(i-1) && !r.kindFollows(i)
	case r.signs(i):
		return true
	case !r.informed:
		return i > 0 && !w.cut && w.first == lower && meets(r.raw[i-1].folded)
	case w.first != upperFirst:
		return false
	case w.starts:
		return r.opensAsName(i)
	}
	return !r.kindFollows(i) && !(isTime(w.folded) || isMonthOf(w.folded)) || r.meetsAt(i)
}

// isGivenName tells whether the word at i is a first name: one that stands as one, or a
// capitalised word that is nothing else.
func (r *reader) isGivenName(i int) bool {
	w := r.raw[i]
	return w.first == upperFirst && (w.isName || w.class == rare || isGiven(w.folded))
}

// signs tells whether the word at i stands for itself at the end of a message, or before
// what somebody says: "… sorry! Storm", "June: running late", "May here".
func (r *reader) signs(i int) bool {
	w := r.raw[i]
	if !w.starts && !w.cut || w.first == noCase {
		return false
	}
	if i+1 == len(r.raw) {
		return i > 0
	}
	next := r.raw[i+1]
	return r.informed && w.first == upperFirst && (strings.HasPrefix(next.gap, ":") || next.folded == "here")
}

// opensAsName tells whether a capitalised word at a sentence's beginning is a name: another
// name stands beside it, or the sentence goes on about a person.
func (r *reader) opensAsName(i int) bool {
	if i+1 >= len(r.raw) {
		return false
	}
	next := r.raw[i+1]
	if next.cut {
		return false
	}
	if next.first == upperFirst && !headsName(r.raw[i].folded) && (isSurname(next.folded) || next.class == rare) && !r.kindFollows(i) {
		return true
	}
	if next.folded == "and" && i+2 < len(r.raw) && r.raw[i+2].first == upperFirst && (isGiven(r.raw[i+2].folded) || r.raw[i+2].folded == "i") {
		return true
	}
	if doesAsAPerson(next.folded) || i+2 < len(r.raw) && isOrWas(next.folded) && isAsAPerson(r.raw[i+2].folded) {
		return true
	}
	for _, w := range r.raw[i+1:] {
		switch w.folded {
		case "he", "she", "his", "her", "him", "hes", "shes":
			return true
		}
	}
	return false
}

// doesAsAPerson knows what people do, and neither months nor weather.
func doesAsAPerson(w string) bool {
	switch w {
	case "cancelled", "canceled", "cancels", "called", "calls", "says", "said", "asks", "asked", "wants", "wrote", "writes", "can't", "cant", "cannot", "won't", "wont":
		return true
	}
	return false
}

func isOrWas(w string) bool {
	switch w {
	case "is", "was", "has", "isn't", "isnt":
		return true
	}
	return false
}

// isAsAPerson knows what people are and have done, likewise.
func isAsAPerson(w string) bool {
	switch w {
	case "ill", "sick", "unwell", "late", "here", "free", "busy", "away", "unable", "asleep", "cancelled", "canceled", "called", "asked":
		return true
	}
	return false
}

// headsName knows what stands before a name of its own: storm Agnes is a storm.
func headsName(w string) bool {
	switch w {
	case "prince", "river", "storm", "ward":
		return true
	}
	return false
}

// meetsAt tells whether a word before the one at i, or before what it is joined to, says
// that somebody is met: a month and a season are names only then.
func (r *reader) meetsAt(i int) bool {
	if i+1 < len(r.raw) && !r.raw[i+1].cut && r.raw[i+1].first == upperFirst && r.raw[i+1].class == rare {
		return true // June Park
	}
	for j := i - 1; j >= 0 && j >= i-3 && !r.raw[j+1].cut; j-- {
		if meets(r.raw[j].folded) {
			return true
		}
		if r.raw[j].folded != "and" && r.raw[j].first != upperFirst {
			break
		}
	}
	return i+2 < len(r.raw) && r.raw[i+1].folded == "and" && r.raw[i+2].first == upperFirst && isGiven(r.raw[i+2].folded)
}

// meets knows the words before somebody who is met, called or asked.
func meets(w string) bool {
	switch w {
	case "with", "call", "meet", "ask", "tell", "ring", "phone", "email", "visit", "remind", "thank", "pay", "invite", "collect", "fetch", "and":
		return true
	}
	return false
}

// isTitle knows what stands before a name.
func isTitle(w string) bool {
	switch w {
	case "mr", "mrs", "ms", "miss", "mx", "dr", "doc", "prof", "professor", "sir", "uncle", "aunt", "auntie", "aunty", "granny", "grandma", "grandpa",
		"cousin", "captain", "herr", "frau", "senor", "senora", "monsieur", "madame":
		return true
	}
	return false
}

// isMonthOf knows the months that are also names.
func isMonthOf(w string) bool { return w == "may" || w == "april" || w == "june" || w == "august" }

// isInitials knows what is written in capitals and is a word in small letters: trains,
// airlines and the like.
func isInitials(w string) bool {
	switch w {
	case "ace", "ave", "dart", "ice", "lot", "mav", "tap", "ter", "via":
		return true
	}
	return false
}

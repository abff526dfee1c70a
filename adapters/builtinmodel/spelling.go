package builtinmodel

import (
	"regexp"
	"slices"
	"strings"
)

// misspelt are words that are typed so often that they are read as what is meant. None of them is
// a word of its own.
var misspelt = map[string]string{
	"waht": "what", "wat": "what", "wht": "what", "whats": "what's", "whens": "when's", "wheres": "where's", "whos": "who's", "hows": "how's",
	"teh": "the", "hte": "the", "tmrw": "tomorrow", "tmr": "tomorrow", "tmw": "tomorrow", "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow", "2moro": "tomorrow", "2morrow": "tomorrow",
	"tonite": "tonight", "nite": "night", "2nite": "tonight", "evry": "every", "haf": "half", "tiem": "time", "yeer": "year", "lits": "list", "metting": "meeting", "meting": "meeting", "wensday": "wednesday", "wendsday": "wednesday", "wednsday": "wednesday", "thrusday": "thursday", "thurday": "thursday", "saterday": "saturday", "tusday": "tuesday",
	"xmas": "christmas", "alrm": "alarm", "alrms": "alarms", "alram": "alarm", "shoping": "shopping", "grocry": "grocery", "grocrey": "grocery", "docter": "doctor", "docters": "doctor's", "calender": "calendar", "calander": "calendar", "shedule": "schedule", "schedual": "schedule", "anythng": "anything", "reminde": "remind", "appoinment": "appointment", "apointment": "appointment", "im": "i'm", "ive": "i've", "dont": "don't", "cant": "can't", "wont": "won't", "doesnt": "doesn't", "isnt": "isn't", "didnt": "didn't", "oclock": "o'clock", "birthay": "birthday", "delte": "delete", "remvoe": "remove", "cancle": "cancel", "canel": "cancel", "cancell": "cancel",
}

// spelt are words that are read in what has two of their letters exchanged, one left out or one too
// much. Shorter ones are too near to others.
var spelt = strings.Fields(`cancel delete remove alarm remind reminder appointment meeting calendar shopping grocery schedule tomorrow tonight morning
	afternoon evening monday tuesday wednesday thursday friday saturday sunday january february october november december christmas birthday dentist`)

// otherWords look like slips and are none.
var otherWords = wordsIn(`mourning remainder eventing alarmed removed deleted deletes removes removed reminded scheduled scheduler meting evenings mornings`)

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
	if meant, ok := misspelt[typed]; ok {
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
		case isSlipOf(w, typed):
			return w
		case plural != typed && isSlipOf(w, plural) && len(plural) >= 5:
			return w + "s"
		}
	}
	return ""
}

package reckon

import (
	"strings"
)

// plainly is a question in small letters and single spaces, without courtesies, the names
// that assistants are called by and the marks at its end. Short forms are written out; a
// comma stands by itself.
func plainly(question string) string {
	s := strings.ToLower(strings.Join(strings.Fields(question), " "))
	s = strings.NewReplacer("’", "'", "‘", "'", "“", "", "”", "", `"`, "", "u.s.a.", "usa", "u.s.a", "usa", "u.s.", "us", "u.s", "us", "a.m.", "am", "p.m.", "pm", "a.m", "am", "p.m", "pm", "?", " ").Replace(s)
	s = letters.replaced(s, "$1$2$3")
	s = label.replaced(s, "$1 ")
	s = sentenceEnd.replaced(s, " , ")
	s = joined.replaced(s+" ", "$1 , ")
	words := strings.Fields(s)
	for i, w := range words {
		if long, ok := shortForms[w]; ok {
			words[i] = long
		}
		if right, ok := meant[w]; ok {
			words[i] = right
		}
	}
	s = strings.Trim(strings.Join(words, " "), " ,.!;")
	for {
		short := strings.TrimLeft(before.without(s), " ,")
		short = strings.TrimRight(behind.without(short), " ,")
		if short == s {
			return s
		}
		s = short
	}
}

var (
	// A full stop between digits is a part of the number.
	sentenceEnd = matching(`[.!;…]+(?:\s|$)`)
	letters     = matching(`\b([a-z])\.? ([a-z])\.? ([a-z])\.(?:\s|$)`) // g. m. t.
	label       = matching(`([a-z]): `)
	joined      = matching(`([^\s,]),\s`)
	before      = matching(`^(?:please|pls|plz|kindly|hey|hi|hello|ok|okay|so|well|uh|um|oh|and|then|also|just|now|actually|quick|quickly|question|chalie|olly|pda|alexa|siri|cortana|google|assistant|computer|sir|good morning|` +
		`(?:can|could|would|will) you(?: please| kindly| also| quickly| just)?|(?:can|could|may) i (?:please )?(?:know|get|have|see|ask)|` +
		`(?:i )?(?:want|need|would like|wish)(?: you)?(?: to)?(?: know| see| find out| figure out| learn| get| have)?|i am (?:curious|wondering|not sure)|i wonder|i forgot|i do not know|(?:how|what) about|do you (?:happen to )?know|would you mind|any idea|any chance you know|` +
		`(?:tell|show|give|let|inform|help) (?:me|us)(?: with| know| find| see| out)?|(?:tell|say|report|display|show|check|find|get|provide|state|announce|see|look up|read|know|fetch|print|query|work out|figure out|calculate|compute|write|express)(?: me| us| out)?|` +
		`to know|if you know)(?: |$)[, ]*`)
	behind = matching(`(?:^| )(?:please|pls|plz|thanks|thank you|chalie|olly|pda|alexa|siri|cortana|for me|if you can|by the way|again|exactly)$`)
)

// shortForms are written out.
var shortForms = map[string]string{
	"what's": "what is", "whats": "what is", "wat's": "what is", "when's": "when is", "how's": "how is", "where's": "where is", "which's": "which is", "it's": "it is", "its": "it is", "that's": "that is", "there's": "there is",
	"i'm": "i am", "we're": "we are", "i'd": "i would", "isn't": "is not", "doesn't": "does not", "don't": "do not", "u": "you", "what're": "what are", "who's": "who is", "whos": "who is", "hows": "how is", "time's": "time is", "hrs": "hours", "hr": "hour", "mins": "minutes", "today's": "todays", "tomorrow's": "tomorrows", "yesterday's": "yesterdays",
	"timezone": "time zone", "timezones": "time zones", "o'clock": "oclock", "til": "until", "till": "until", "thr": "the",
	"teh": "the", "untill": "until", "fourty": "forty", "devided": "divided", "farenheit": "fahrenheit", "substract": "subtract", "mulitply": "multiply", //nolint:misspell // that is what they are
}

// meant are words by which such a question is told, by how they are often mistyped.
var meant = map[string]string{
	"waht": "what", "wat": "what", "whta": "what", "wht": "what", "wich": "which", "tme": "time", "tim": "time", "tiem": "time", "timr": "time", "itme": "time", "hwo": "how", "hpw": "how", //nolint:misspell // that is what they are
	"diffrence": "difference", "differance": "difference", "diference": "difference", "difrence": "difference", "zne": "zone", "zoen": "zone", "covert": "convert", "conver": "convert", "eastren": "eastern", "estern": "eastern", "pacfic": "pacific", "pasific": "pacific", "centeral": "central", "mountian": "mountain", //nolint:misspell // that is what they are
}

// mine are words of questions about what the person has, which aren't worked out.
var mine = matching(`\b(?:my|our|mine|ours|i have|i had|do i|am i|remind|reminds|reminder|reminders|alarm|alarms|appointment|appointments|meeting|meetings|event|events|birthday|birthdays|schedule|scheduled|calendar|task|tasks|list|note|plan|plans|planned|wake|timer)\b`)

// hereWords are the ways to say where the person is.
const hereWords = `(?:(?:my|our|this|the current|current|your|the local|local) (?:own |current |present |local )?(?:location|area|city|town|place|zone|time zone|region|country|state)|(?:my|our) (?:own |current |present |local )?(?:clock|time|watch)|where i am(?: now| right now| currently)?|(?:the )?(?:time zone|zone|city|place) (?:i am|we are)(?: currently| now)? in|here|locally|us here|around here|my end|home)`

var here = matching(`\b` + hereWords + `\b`)

package reckon

import (
	"strings"
	"time"
)

var (
	// dayAsked asks which day it is of which a date is told.
	dayAsked = matching(`\b(?:what|which) (?:\w+ )?(?:day|days|date|weekday|week day)\b|\b(?:what|which) is the (?:day|weekday)\b`)
	// occasions are what such a date may be that of, and words that say so.
	occasions = matching(`^(?:birthday|birthdays|anniversary|anniversaries|wedding|wedding day|born|birth|fall|falls|falling|fell|land|lands|happen|happens|day|days|week|weekday|year|i|me|my|our|his|her|their|she|he|they|we|you|your|be|was|were|did|is|will|going|got|married|friend's|mum's|mom's|dad's|sister's|brother's|wife's|husband's|son's|daughter's|come|comes|occur|occurs|turn)$`)
	monthly   = matching(`\b` + shortMonths + `\b|/`)
	yearSaid  = matching(`\b(?:1[89]|20)\d\d\b`)
	yearAfter = matching(`\bnext year\b`)
)

// dateNamed answers which day of the week a date is that is told with what it is that of, in
// any order: "my birthday is on 12 June, what day is that this year".
func (a asker) dateNamed() (Answer, bool) {
	if !dayAsked.in(a.said) || notAsked.in(a.said) {
		return none()
	}
	said := strings.ReplaceAll(strings.ReplaceAll(a.plain(), " this year", ""), " next year", "")
	there := a
	there.said = said
	q := there.taken()
	at, one := q.only(daySlot)
	if !one || q.has(clockSlot) || q.has(laterSlot) || q.has(placeSlot) || !monthly.in(q[at].text) {
		return none()
	}
	for _, s := range q {
		if s.kind == unreadSlot && !occasions.in(s.text) {
			return none()
		}
	}
	name := strings.TrimPrefix(strings.TrimPrefix(q[at].text, "on "), "for ")
	born := q.isOf("born") || yearSaid.in(name)
	day, end, ok := a.named(name, born && dayPast.in(said))
	switch {
	case !ok || end.Sub(day) > 25*time.Hour:
		return none()
	case yearSaid.in(name):
	case yearAfter.in(a.said):
		day = time.Date(a.at.Year()+1, day.Month(), day.Day(), 0, 0, 0, 0, day.Location())
	case strings.Contains(a.said, "this year"):
		day = time.Date(a.at.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location())
	}
	return onDay(day)
}

// isOf reports whether a word is among those of a question, read or not.
func (q slots) isOf(word string) bool {
	for _, s := range q {
		if s.text == word {
			return true
		}
	}
	return false
}

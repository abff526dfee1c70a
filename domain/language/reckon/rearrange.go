package reckon

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language/when"
)

// rearranging are ways to put a question in another order, or in other words, than those that are
// read, with what is read instead.
var rearranging = []struct {
	said pattern
	read string
}{
	{matching(`^(in .+?|.+? from now|.+? ago|.+? later) (?:, )?((?:what|which) (?:time|date|day|weekday|day of the week) (?:will|was|is|would) (?:it|that)(?: be)?)$`), "$2 $1"},
	{matching(`^(?:do you have|have you got|you got|got|does anyone have) the (?:current )?time (in|for|at) `), "what is the time $1 "},
	{matching(`^what would be `), "what is "},
	{matching(`\bwhat time do we have(?: here)?$`), "what time is it here"},
	{matching(`\b(?:my|our|his|her|their)(?: \w+)? (?:birthday|bday|anniversary|wedding)(?: is)?(?: ,)?(?: on)? (` + monthDay + `)\b`), "$1"},
	{matching(`^how is (long|far|many|much) `), "how $1 "},
	{matching(`\b(?:the )?(month|year|week|day|` + monthNames + `) (?:is over|is done|is out|is up|ends?|finishes|runs out)$`), "the end of $1"},
	{matching(`^(.+?) (?:is|are|lies) (how many ` + unitsOfTime + `|how far|how long) (?:away|from now|from today|off|out)$`), "$2 until $1"},
	{matching(`^(.+?) has (how many ` + unitsOfTime + `)(?: in it)?$`), "$2 are in $1"},
	{matching(`^what is ((?:a|an|one|two|three|four|five|six|ten|\d+) (?:days?|weeks?|months?|years?) (?:from|after|before|past) .+)$`), "what day is $1"},
	{matching(`^what (is|was|will be) (yesterday|(?:the )?day (?:after tomorrow|before yesterday))$`), "what day $1 $2"},
}

// rearranged is a question in the order and the words in which it is read.
func (a asker) rearranged() string {
	s := a.said
	for _, r := range rearranging {
		s = r.said.replaced(s, r.read)
	}
	if m := hundredHours.parts(s); m != nil {
		if n, ok := amountOf(m[1]); ok {
			s = strings.Replace(s, m[0], fmt.Sprintf("%02d00 hours", n), 1)
		}
	}
	return s
}

// hundredHours is a full hour as soldiers say it: thirteen hundred hours.
var hundredHours = matching(`\b(\d{1,2}|[a-z]+(?: (?:one|two|three|four))?) hundred hours\b`)

var (
	military = matching(`^(?:(?:what|when) (?:time )?is )?(?:convert )?(\d{2})(\d{2})(?: ?(?:hours|hrs|h))?(?: military(?: time)?)? (?:in|to|into|as) (?:normal|regular|standard|civilian|ordinary|12 hour|twelve hour|plain|am pm|am or pm)(?: clock)?(?: time| format)?$|^(?:what (?:time )?is )(\d{2})(\d{2}) ?(?:hours|hrs)$`)
	savings  = matching(`^(?:are we|is it|am i|are they|is this|are you)(?: (?:still|now|currently|on|in|observing|at|using))* (daylight savings?(?: time)?|dst|summer time|winter time|standard time|normal time)(?: (?:time|now|here|right now|yet|currently|at the moment|today))*$`)
	born     = matching(`^(?:how old|what age) (?:will|would|is|are|am) (?:someone|somebody|a person|anyone|one|i|he|she|people|a man|a woman)(?: be)?(?: (?:who|that|if)(?: (?:is|was|were|i was|he was|she was|they were))?)? born in (1[89]\d\d|20\d\d)(?: be| now| today)*(?: (?:in|this year)(?: (\d{4}))?)?$`)
	timeThen = matching(`^what (?:time|will the time) (?:will|was|is|would) (?:it |that )?(?:be )?(in .+|.+ from now|.+ ago)$`)
)

// clocks answers what else is asked of clocks: a time as soldiers say it, whether it is summer time,
// what time it will be in a while, and how old somebody is of whom the year is known.
func (a asker) clocks() (Answer, bool) {
	s := a.plain()
	if m := military.parts(s); m != nil {
		hour, _ := strconv.Atoi(m[1] + m[3])
		minute, _ := strconv.Atoi(m[2] + m[4])
		if hour < 24 && minute < 60 {
			at := time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC)
			return bothForms(at, "15:04", "3:04 pm")
		}
	}
	if m := savings.parts(s); m != nil {
		summer := m[1][0] == 'd' || strings.HasPrefix(m[1], "su")
		word, kept := "No", "standard time"
		if a.at.IsDST() == summer {
			word = "Yes"
		}
		if a.at.IsDST() {
			kept = "daylight saving time"
		}
		return told("%s: it is %s here, %s.", word, kept, zoneName(a.at.Location(), a.at))
	}
	if m := born.parts(s); m != nil {
		year, _ := strconv.Atoi(m[1])
		of := a.at.Year()
		if n, err := strconv.Atoi(m[2]); err == nil {
			of = n
		}
		if of > year {
			return told("%d in %d, and %d before the birthday.", of-year, of, of-year-1)
		}
	}
	if m := timeThen.parts(s); m != nil && !mine.in(s) {
		then, err := when.ParsePast(m[1], a.now, a.at.Location())
		if !strings.HasSuffix(m[1], " ago") {
			var at when.Time
			if at, err = when.Parse(m[1], a.now, a.at.Location()); at.Recurrence != nil || at.Rest(m[1]) != "" {
				return none()
			}
			then = at.At
		}
		if err == nil {
			return told("%s.", then.Time().In(a.at.Location()).Format(longFormat))
		}
	}
	return none()
}

var nthOfMonth = matching(`^(?:the )?(first|second|third|fourth|fifth|last) (` + weekday + `) (?:of |in )?(?:this|the|the current) month$`)

// nthInMonth is a day of the week of this month: the last Friday this month.
func (a asker) nthInMonth(name string) (from time.Time, ok bool) {
	m := nthOfMonth.parts(name)
	if m == nil {
		return from, false
	}
	first := midnight(a.at).AddDate(0, 0, 1-a.at.Day())
	var all []time.Time
	for d := first; d.Month() == first.Month(); d = d.AddDate(0, 0, 1) {
		if strings.EqualFold(d.Weekday().String(), m[2]) {
			all = append(all, d)
		}
	}
	n := len(all)
	if m[1] != "last" {
		n = secondWord[m[1]]
	}
	if n > len(all) {
		return from, false
	}
	return all[n-1], true
}

var openHour = matching(`^(?:the )?(?:(\d{1,2})(?::(\d{2}))?|(` + hourWord + `))(?: oclock)?$`)

// comingHour is the next moment at which a clock of twelve hours shows what was said: of "5 o'clock"
// in the morning it is 17:00.
func (a asker) comingHour(name string) (time.Time, bool) {
	m := openHour.parts(name)
	if m == nil {
		return time.Time{}, false
	}
	hour, ok := amountOf(m[1] + m[3])
	minute, _ := strconv.Atoi(m[2])
	if !ok || hour < 1 || hour > 12 || minute > 59 || strings.HasPrefix(m[1], "0") {
		return time.Time{}, false
	}
	for n := range 3 {
		at := time.Date(a.at.Year(), a.at.Month(), a.at.Day(), hour%12+12*n, minute, 0, 0, a.at.Location())
		if at.After(a.at) {
			return at, true
		}
	}
	return time.Time{}, false
}

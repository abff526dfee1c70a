package tongues

import (
	"fmt"
	"strconv"
	"strings"
)

// clock is a time of day as it was said.
type clock struct {
	hour, minute int
	loose        bool // it doesn't say which half of the day
	minutes      bool // they are told, though they may be none: 10:00 is read otherwise than 10
}

// clockOf counts what a rule says: $1+$2 is an hour and minutes, $1-30 half an hour before
// one, and a number without $ stands for itself.
func clockOf(sum string, values []string) clock {
	c := clock{}
	sign, minutes := 1, 0
	for i, term := range strings.Fields(strings.NewReplacer("+", " + ", "-", " - ").Replace(sum)) {
		switch term {
		case "+":
			sign = 1
			continue
		case "-":
			sign = -1
			continue
		}
		number := term
		if place, ok := strings.CutPrefix(term, "$"); ok {
			at, _ := strconv.Atoi(place)
			number = values[at-1]
		}
		n, _ := strconv.Atoi(number) // "" is no minutes
		if i == 0 {
			c.hour, c.loose = n, number != term && n >= 1 && n <= 12 && number[0] != '0'
		} else {
			minutes += sign * n
			c.minutes = c.minutes || number != ""
		}
	}
	all := c.hour*60 + minutes
	if minutes < 0 && c.hour == 1 {
		all += 12 * 60 // a quarter to one
	}
	if all < 0 {
		all += 24 * 60
	}
	c.hour, c.minute = all/60, all%60
	return c
}

// String is the time as domain/language/when reads it: 8:30 where either half of the day can be
// meant, 08:30 and 20:30 where not.
func (c clock) String() string {
	switch {
	case !c.loose:
		return fmt.Sprintf("%02d:%02d", c.hour, c.minute)
	case c.minute == 0 && !c.minutes:
		return strconv.Itoa(c.hour)
	}
	return fmt.Sprintf("%d:%02d", c.hour, c.minute)
}

// in is the time in a part of the day.
func (c clock) in(part string) clock {
	late := false
	switch part {
	case "morning":
	case "noon":
		late = c.hour < 5
	case "afternoon", "evening":
		late = c.hour < 12
		if part == "evening" && c.hour == 12 {
			c.hour = 24
		}
	case "night":
		late = c.hour >= 6 && c.hour < 12
		if c.hour == 12 && c.minute == 0 {
			c.hour = 24
		} else if c.hour == 12 {
			c.hour = 0
		}
	}
	if late {
		c.hour += 12
	}
	c.loose = false
	return c
}

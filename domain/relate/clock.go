package relate

import (
	"strconv"
	"time"

	"chalie/domain"
)

// mostClocks is how many times of day are kept of one text.
const mostClocks = 4

// readClocks keeps the times of day that a text names, and that of its due time,
// in minutes.
func (t *Terms) readClocks(words []rawWord, due domain.Millis, zone *time.Location) {
	if due != 0 {
		at := time.UnixMilli(int64(due)).In(zone)
		t.clocks = append(t.clocks, uint16(at.Hour()*60+at.Minute()))
	}
	for i := range words {
		if m, ok := clockAt(words, i); ok && len(t.clocks) < mostClocks {
			t.clocks = append(t.clocks, m)
		}
	}
}

// clockAt reads a time of day at a word: 19:40, 7.15, 3pm, 3 pm, noon. It is in
// minutes. A bare 7.15 or 3 o'clock is taken as it is written.
func clockAt(words []rawWord, i int) (uint16, bool) {
	w := words[i].folded
	switch w {
	case "noon", "midday":
		return 12 * 60, true
	case "midnight":
		return 0, true
	}
	if w == "" || w[0] < '0' || w[0] > '9' {
		return 0, false
	}
	digits, half := w, ""
	if n := len(w); n > 2 && (w[n-2:] == "am" || w[n-2:] == "pm") {
		digits, half = w[:n-2], w[n-2:]
	} else if i+1 < len(words) && !words[i+1].cut && (words[i+1].folded == "am" || words[i+1].folded == "pm") {
		half = words[i+1].folded
	}
	at := 0
	for at < len(digits) && isDigit(rune(digits[at])) {
		at++
	}
	hour, err := strconv.Atoi(digits[:at])
	if err != nil || hour > 24 || at > 2 {
		return 0, false
	}
	minute := 0
	switch {
	case at == len(digits) && half != "":
	case len(digits) == at+3 && (digits[at] == ':' || digits[at] == '.') && isNumber(digits[at+1:]):
		minute, _ = strconv.Atoi(digits[at+1:])
	default:
		return 0, false
	}
	if minute > 59 {
		return 0, false
	}
	if half == "pm" && hour < 12 {
		hour += 12
	}
	return uint16(hour%24*60 + minute), true
}

// dueMinute is the minute of the day at which a text is due, which is the first of its
// times.
func (t *Terms) dueMinute() int { return int(t.clocks[0]) }

// namesClock tells whether a time of day is named by both.
func namesClock(said, planned *Terms) bool {
	for _, a := range said.clocks {
		for _, b := range planned.clocks {
			if a == b || a < 12*60 && a+12*60 == b {
				return true
			}
		}
	}
	return false
}

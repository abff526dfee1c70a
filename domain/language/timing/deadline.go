package timing

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// Deadline is what is to be done and until when. A deadline within what is taken
// out of it only where none is given beside it, and only where it says one.
func Deadline(what, said string, now domain.Millis, zone *time.Location) (string, domain.Millis, error) {
	if strings.TrimSpace(said) != "" {
		at, err := Until(when.Look(strings.TrimSpace(said), now, zone), zone)
		return what, at.At, err
	}
	at, err := when.Parse(what, now, zone)
	switch domain.CodeOf(err) {
	case "":
	case when.CodePassed:
		return what, 0, err
	default: // it says no deadline, and needs none
		return what, 0, nil
	}
	if rest := at.Rest(what); rest != "" && at.Recurrence == nil {
		return rest, at.At, nil
	}
	return what, 0, nil
}

// atDawn are the ends of a deadline that is said by an hour alone at which nothing is due in the morning.
var atDawn = []string{" 6", " 7", " six", " seven"}

// Until reads a deadline. Before the end of something is by its end, and six or seven
// o'clock alone are in the evening: nothing is due at dawn.
func Until(said *when.Text, zone *time.Location) (when.Time, error) {
	const before = "before the end"
	if text := said.String(); len(text) > len(before) && strings.EqualFold(text[:len(before)], before) {
		said = said.Saying("by" + text[len("before"):])
	}
	at, err := said.Parse()
	if err != nil {
		return at, err
	}
	if at.Recurrence != nil {
		return at, domain.Invalid("understand time", "deadline", fmt.Sprintf("%q comes again and again, and a task has one deadline: "+
			"give one time, or set a reminder for what comes back", said))
	}
	lower := strings.ToLower(said.String())
	for _, end := range atDawn {
		if hour := at.At.Time().In(zone).Hour(); hour != 6 && hour != 7 || !strings.HasSuffix(lower, end) {
			continue
		}
		if late, err := said.InHalf(when.Evening).Parse(); err == nil && late.At.Sub(at.At) == 12*time.Hour {
			return late, nil
		}
	}
	return at, nil
}

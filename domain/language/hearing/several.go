package hearing

import (
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// each is an intent, or one for each of the times that it says: "at 7, 7:40 and 8:30 tonight".
func (l Listener) each(in tools.Intent) []tools.Intent {
	text, handed := in.Params["text"].(string)
	if in.Tool != tools.SkillRemind || !in.Ask.IsZero() || !handed {
		return []tools.Intent{in}
	}
	what, times := l.Several(text)
	if len(times) < 2 || what == "" {
		return []tools.Intent{in}
	}
	out := make([]tools.Intent, len(times))
	for i, at := range times {
		out[i] = l.SaidOf(what, at, text)
		both := what + " " + plans.ClockOf(at)
		if t := l.Timing(both); t.Said && t.When != at && !t.Left {
			out[i] = l.Handed(both) // what it is for tells which half of the day is meant
		}
	}
	return out
}

// severalCommands hears a reminder for each of two times: "remind me at 7 to feed the fish and at 9 to lock
// the door".
func (l Listener) severalCommands(s sentences.Said) []tools.Intent {
	if !s.Begins("remind", "me") {
		return nil
	}
	for i := 3; i+3 < len(s.Words); i++ {
		if !s.Is(i, "and") && !s.Words[i-1].Stop {
			continue
		}
		rest := s.From(i)
		for rest.Is(0, "and", "then", "also") {
			rest = rest.From(1)
		}
		for n := 1; n < min(len(rest.Words)-1, plans.MaxTimeWords); n++ {
			if !rest.Is(n, "to", "that", "about") || !l.IsOnlyTime(rest.Part(0, n)) {
				continue
			}
			first, second := l.Reminded(s.UpTo(i).From(2).All()), l.Reminded(rest.All())
			if first.Ask.IsZero() && second.Ask.IsZero() && first.Params["what"] != nil && second.Params["what"] != nil {
				return []tools.Intent{first, second}
			}
		}
	}
	return nil
}

// remindsTwice hears two reminders that are asked for one after the other, of which the second may lack its time:
// remind me to call Jo at 10, and remind me to pay the rent.
func (l Listener) remindsTwice(s sentences.Said) []tools.Intent {
	if !s.Begins("remind", "me") || s.Question {
		return nil
	}
	for i := 4; i+3 < len(s.Words); i++ {
		if !s.Is(i, "and") && !s.Words[i-1].Stop {
			continue
		}
		rest := s.From(i)
		for rest.Is(0, "and", "then", "also", "please") && len(rest.Words) > 1 {
			rest = rest.From(1)
		}
		if !rest.Begins("remind", "me") {
			continue
		}
		first, second := l.Reminded(s.UpTo(i).From(2).All()), l.Reminded(rest.From(2).All())
		if first.Ask.IsZero() && isReminderOf(first) && isReminderOf(second) {
			return []tools.Intent{first, second}
		}
	}
	return nil
}

// isReminderOf reports whether a reminder says what it is about, and lacks its time at most.
func isReminderOf(in tools.Intent) bool {
	what, _ := in.Params["what"].(string)
	return what != "" && in.Tool == tools.SkillRemind && (in.Ask.IsZero() || in.Missing == in.Moment)
}

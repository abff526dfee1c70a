package turns

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language/hearing"
	"chalie/domain/language/lists"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// How long an appointment is, is said by one of these, behind what it is said of.
var (
	lasting = []string{"takes", "lasts", "needs", "is", "was", "will take", "will last", "will be", "will need", "should take", "should last", "should be", "must last", "only takes", "only lasts", "is only", "is just", "takes only",
		"has to last", "has to be", "can take", "can last", "would take", "is going to take", "is going to last", "is going to be", "runs for", "runs", "goes on", "goes on for", "goes"}
	ending  = []string{"ends", "finishes", "stops", "is over", "is done", "is finished", "will end", "will finish", "will stop", "will be over", "should end", "should finish", "should be over", "has to end", "must end", "only ends", "only finishes"}
	goingOn = []string{"goes on", "goes", "runs", "lasts", "takes", "is", "can go on", "can run", "can last", "will go on", "will last", "will take", "will run", "should last", "should go on", "must last", "only lasts", "only goes", "only runs"}
	made    = []string{"make", "let", "have", "keep", "set", "extend", "shorten", "lengthen", "prolong", "stretch"}
	roughly = []string{"about", "around", "roughly", "only", "just", "exactly", "at least", "at most", "probably", "maybe", "approximately", "more like", "by", "for", "to", "last", "take", "run", "run for", "be", "go on", "go on for", "last for", "take about", "take only"}
	bounds  = []string{"until", "till", "til", "to"}
	ats     = []string{"at", "by", "around", "about"}
	enough  = []string{"should do", "will do", "is enough", "is plenty", "would do", "should be enough", "will be enough", "max", "tops", "at most", "long", "in all", "altogether"}
)

// besideLength are words that a sentence about a length may begin or end with, and that say nothing of it.
var besideLength = []string{"sorry", "please", "though", "actually", "now", "instead", "then", "thanks", "ok", "okay", "oh", "well", "no", "nope", "wait", "and", "but", "hm", "so", "yes", "after", "all"}

// sized is what a text says of how long something is or when it ends.
type sized struct {
	of    sentences.Said // what it is said of; no words for what was last spoken of
	until string         // as the skill takes it
	plain bool           // a length, and nothing that only an appointment has
}

// lasts hears how long an appointment takes or until when: of the one that was last spoken of, or of one that
// is named. It takes 45 minutes, make it two hours, ten minutes more, no, it goes on until 15:30.
func (l Talk) lasts(text string) []tools.Intent {
	size, ok := l.sizedIn(text)
	if !ok || l.AsksOpen() {
		return nil
	}
	if len(size.of.Words) > 0 && !isIt(size.of) {
		return l.lastsNamed(size)
	}
	open := openOf(l.Spoken())
	switch kept := appointmentsOf(open); {
	case len(kept) == 1:
		return []tools.Intent{resized(kept[0], size.until)}
	case len(kept) > 1:
		ask := tools.Intent{Tool: tools.SkillAppointment, Ask: l.which(kept)}
		return []tools.Intent{ask}
	case len(open) == 1 && size.plain && !l.isSoon(open[0]):
		return []tools.Intent{{Tool: open[0].Tool, Ask: tools.Says("spoken.no_length", "what", open[0].Text)}}
	}
	return nil
}

// lastsNamed is that of an appointment that is named.
func (l Talk) lastsNamed(size sized) []tools.Intent {
	which := size.of
	for len(which.Words) > 1 && which.Is(0, "the", "my", "our", "that", "this") {
		which = which.From(1)
	}
	var all []hearing.Mentioned
	for _, turn := range l.Turns() {
		for _, m := range openOf(l.MentionedIn(turn.Done)) {
			all = append(without(all, m), m)
		}
	}
	all = appointmentsOf(all)
	if at, found := l.worded(all, which); found == 1 && !l.hasEnded(all[at]) {
		return []tools.Intent{resized(all[at], size.until)}
	}
	if which.Is(len(which.Words)-1, "one") {
		if chosen, _ := l.pointedAt(size.of, "move"); len(chosen) == 1 && chosen[0].Tool == tools.SkillAppointment {
			return []tools.Intent{resized(chosen[0], size.until)}
		}
		return nil
	}
	const most = 5
	if len(which.Words) > most || l.PlanTool(which) != tools.SkillAppointment || !l.IsKnown(which) {
		return nil
	}
	return []tools.Intent{{Tool: tools.SkillAppointment, Params: map[string]any{"action": "move", "which": which.All(), "until": size.until}, Subject: "which"}}
}

// resized is an appointment that was spoken of, with another end.
func resized(m hearing.Mentioned, until string) tools.Intent {
	in := m.To("move", "")
	delete(in.Params, in.Moment)
	return in.With("until", until)
}

// isSoon reports whether something was set by a length, so that another length is another time of it: a timer.
func (l Talk) isSoon(m hearing.Mentioned) bool {
	const longest = 3 * time.Hour
	return m.Tool == tools.SkillReminder && m.Start.Sub(l.P.AsOf) < longest
}

// openOf are the plans that haven't ended.
func openOf(all []hearing.Mentioned) (out []hearing.Mentioned) {
	for _, m := range all {
		if !m.Ended && m.ID != "" {
			out = append(out, m)
		}
	}
	return out
}

// appointmentsOf are the appointments among plans.
func appointmentsOf(all []hearing.Mentioned) (out []hearing.Mentioned) {
	for _, m := range all {
		if m.Tool == tools.SkillAppointment {
			out = append(out, m)
		}
	}
	return out
}

// without are plans without one.
func without(all []hearing.Mentioned, m hearing.Mentioned) (out []hearing.Mentioned) {
	for _, o := range all {
		if o.ID != m.ID {
			out = append(out, o)
		}
	}
	return out
}

// isIt reports whether words point at what was last spoken of.
func isIt(s sentences.Said) bool {
	_, it := s.Any("it", "that", "this", "they", "that|this one", "the whole? thing", "all of it")
	return it
}

// sizedIn reads a sentence about a length.
func (l Talk) sizedIn(text string) (sized, bool) {
	s, ok := sentences.Read(text)
	if !ok || s.Question || len(s.Words) > sentences.MaxAnswerWords+4 {
		return sized{}, false
	}
	s = s.WithoutIdle()
	for len(s.Words) > 1 && s.Is(0, besideLength...) {
		s = s.From(1)
	}
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, besideLength...) {
		s = s.UpTo(len(s.Words) - 1)
	}
	if n := lists.Starts(s, made); n > 0 {
		return l.madeSo(s.From(n))
	}
	if until, ok := l.notSo(s); ok {
		return sized{until: until, plain: true}, true
	}
	for i := range s.Words {
		rest := s.From(i)
		for ends, verbs := range map[bool][]string{true: ending, false: goingOn} {
			if n := lists.Starts(rest, verbs); n > 0 && n < len(rest.Words) && i > 0 {
				if until, ok := l.endIn(rest.From(n), ends); ok {
					return sized{of: s.UpTo(i), until: until}, true
				}
			}
		}
		if n := lists.Starts(rest, lasting); n > 0 && n < len(rest.Words) && i > 0 {
			if until, _, ok := l.lengthIn(rest.From(n)); ok {
				return sized{of: s.UpTo(i), until: until}, true
			}
		}
	}
	if until, more, ok := l.lengthIn(s); ok && more { // ten minutes more
		return sized{until: until, plain: true}, true
	}
	for i := 1; i < len(s.Words); i++ { // and the solicitor ten minutes more
		if until, more, ok := l.lengthIn(s.From(i)); ok && more && !s.Words[i-1].Stop {
			return sized{of: s.UpTo(i), until: until}, true
		}
	}
	return sized{}, false
}

// madeSo reads how long something is to be made, behind the word for it.
func (l Talk) madeSo(s sentences.Said) (sized, bool) {
	for i := 1; i < len(s.Words); i++ {
		of, rest := s.UpTo(i), s.From(i)
		if n := lists.Starts(rest, roughly); n > 0 && rest.Is(0, "last", "run", "go", "take") {
			if until, ok := l.endIn(rest.From(n), false); ok {
				return sized{of: of, until: until}, true
			}
		}
		until, more, ok := l.lengthIn(rest)
		if ok && (isIt(of) || more) {
			return sized{of: of, until: until, plain: true}, true
		}
	}
	return sized{}, false
}

// lengthIn is a length, or how much longer or shorter, as the skill takes it; more of one that says so by more
// than its number.
func (l Talk) lengthIn(s sentences.Said) (until string, more, ok bool) {
	for n := lists.Starts(s, roughly); n > 0 && n < len(s.Words); n = lists.Starts(s, roughly) {
		s = s.From(n)
	}
	for n := s.Ends(enough); n > 0 && n < len(s.Words); n = s.Ends(enough) {
		s, more = s.UpTo(len(s.Words)-n), true
	}
	by := ""
	switch last := len(s.Words) - 1; {
	case last > 0 && s.Is(last, "longer", "more", "extra"):
		s, by, more = s.UpTo(last), " longer", true
	case last > 0 && s.Is(last, "shorter", "less"):
		s, by, more = s.UpTo(last), " shorter", true
	}
	if by == "" && len(s.Words) == 3 && s.Is(1, "more", "extra") { // ten more minutes
		return s.Part(0, 1) + " " + s.Part(2, 3) + " longer", true, l.IsLength(s.Part(0, 1) + " " + s.Part(2, 3))
	}
	if len(s.Words) == 0 || s.Is(len(s.Words)-1, "before", "earlier", "later", "beforehand", "ahead", "after") || s.Is(0, "for") {
		return "", false, false
	}
	if length := s.All(); l.IsLength(length) {
		return length + by, more, true
	}
	return "", false, false
}

// endIn is when something ends, as the skill takes it: a time, or how much earlier or later. ends says that the
// word before says that it ends, so that a time needs no "until".
func (l Talk) endIn(s sentences.Said, ends bool) (string, bool) {
	n := 0
	for len(s.Words) > 1 {
		bound, at := lists.Starts(s, bounds), lists.Starts(s, ats)
		if next := max(bound, at); next == 0 || next == len(s.Words) || bound == 0 && n == 0 && !ends {
			break
		}
		s, n = s.From(max(bound, at)), n+1
	}
	if last := len(s.Words) - 1; last > 0 && s.Is(last, "later", "earlier") && ends {
		if length := s.Part(0, last); l.IsLength(length) {
			return length + map[bool]string{true: " longer", false: " shorter"}[s.Is(last, "later")], true
		}
	}
	if n == 0 && !ends || l.IsLength(s.All()) {
		return "", false
	}
	for _, clock := range []string{s.All(), "at " + s.All()} {
		if l.IsOnlyTime(clock) && !l.Recurs(clock) && l.Clocks(clock) {
			return clock, true
		}
	}
	return "", false
}

// notSoLong finds a length that is corrected by its number alone: not 50, 30.
var notSoLong = regexp.MustCompile(`(?i)^(?:not )?(\d+)(?:,| but) (?:rather )?(\d+)$`)

// notSo is how many minutes an appointment takes that took so many: not 50, 30.
func (l Talk) notSo(s sentences.Said) (string, bool) {
	parts := notSoLong.FindStringSubmatch(strings.TrimRight(s.Text, "."))
	kept := appointmentsOf(openOf(l.Spoken()))
	if parts == nil || len(kept) != 1 {
		return "", false
	}
	was, err := strconv.Atoi(parts[1])
	if err != nil || kept[0].End.Sub(kept[0].Start) != time.Duration(was)*time.Minute {
		return "", false
	}
	return parts[2] + " minutes", true
}

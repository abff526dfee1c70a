package turns

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language/hearing"
	"chalie/domain/language/lists"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Wish is what the person wants, with all that was added meanwhile.
type Wish struct {
	Wanted  []tools.Intent
	Stopped bool   // they want nothing any more
	Unclear string // what was added last, when it changes nothing that is understood
}

// Wish hears the message, and what was added to it, oldest first: the last word
// counts. A message that only answers a question goes with what was asked before.
func (l Talk) Wish() Wish {
	before := l.before()
	if only := cmp.Or(l.withoutAside(l.P.Asked.Text), l.withoutWhy(l.P.Asked.Text)); only != "" {
		l.P.Asked.Text = only
	}
	said := cmp.Or(l.TakenBack(l.P.Asked.Text), l.InEnglish(l.P.Asked.Text, before))
	if a, ok := tongues.AnswerIn(l.P.Asked.Text); ok && a.No() && !a.Prefers() && (a.Both() || a.All()) {
		said = l.P.Asked.Text // a no behind both is a no in any language
	}
	out, decided := l.takesUnasked(l.P.Asked.Text)
	if !decided {
		out, decided = l.decided(said)
	}
	tools.AsAnswer.As(out.Wanted)
	if !decided {
		out, said, decided = l.pointsBack(said)
	}
	if referred := l.refers(said); !decided && len(referred) > 0 {
		if changed := l.follows(said); len(changed) > 0 { // it knows what was just set
			referred = changed
		}
		if len(l.Spoken()) == 0 && referred[0].Ask.Args["how"] == speech.Value(speech.Kind("two")) {
			if both := l.BothTools(said); both != nil {
				referred = both // nothing else was spoken of
			}
		}
		out, decided = Wish{Wanted: tools.AsSpoken.As(referred)}, true
	}
	if in, ok := l.GoesOnList(said); ok && !decided {
		out, decided = Wish{Wanted: tools.AsSpoken.As([]tools.Intent{in})}, true
	}
	if in, ok := l.refines(said); ok && !decided {
		out, decided = Wish{Wanted: tools.AsChange.As([]tools.Intent{in})}, true
	}
	if !decided {
		if out = (Wish{Wanted: l.Hears(hearing.BehindAnswer(said))}); len(out.Wanted) == 0 {
			out.Wanted = l.Hears(said)
		}
	}
	value := out.Wanted
	if tools.AreUnnamed(value) { // it may answer what was asked
		out.Wanted = nil
	}
	if len(out.Wanted) == 0 && !decided {
		out.Wanted = tools.AsAnswer.As(l.chosenNow(said))
	}
	if len(out.Wanted) == 0 && !decided {
		out.Wanted = tools.AsAnswer.As(l.answers(said))
	}
	if len(out.Wanted) == 0 {
		out.Wanted = value
	}
	if len(out.Wanted) == 0 && !decided {
		out.Wanted = tools.AsChange.As(l.follows(said))
	}
	if len(out.Wanted) == 0 && !decided {
		out.Wanted = tools.AsAgain.As(l.asksAgain(said))
	}
	if len(out.Wanted) == 0 && !decided {
		out.Wanted = l.asksBehind(said)
	}
	if len(out.Wanted) == 0 && !decided {
		out.Wanted = tools.AsOffered.As(l.Offers(said))
	}
	if len(out.Wanted) == 0 && !decided {
		out.Stopped = l.isRefused()
	}
	out.Wanted = l.UnderCondition(l.P.Asked.Text, out.Wanted)
	for _, text := range l.P.Steers {
		out.amend(l, l.InEnglish(text, l.P.Asked.Text))
	}
	return out
}

// pointsBack hears what only means something of what was last spoken of: a day, a length, a part of a plan. said is
// the text with the days and plans that it points at.
func (l Talk) pointsBack(text string) (out Wish, said string, decided bool) {
	said, question := l.meant(text)
	if !question.IsZero() {
		return Wish{Wanted: tools.AsSpoken.As([]tools.Intent{{Tool: tools.SkillRemind, Ask: question}})}, text, true
	}
	if sized := l.lasts(said); len(sized) > 0 {
		return Wish{Wanted: tools.AsChange.As(sized)}, said, true
	}
	if part := l.asksPart(said); len(part) > 0 {
		return Wish{Wanted: tools.AsSpoken.As(part)}, said, true
	}
	return Wish{}, said, false
}

// answers is what was asked for before, when the message is the answer to the
// question that was the reply.
func (l Talk) answers(text string) []tools.Intent {
	if len(l.P.Recent) == 0 {
		return nil
	}
	before, open := l.lacking(len(l.P.Recent)-1, maxAsked)
	if !open {
		return nil
	}
	c, ok := correctionIn(text)
	if not, refuses := refusal(text); !ok || c.s.Question || refuses && l.IsOnlyTime(l.Linked(not.All())) {
		return nil
	}
	if taken := tools.Picked(before.Among, c.s); len(taken) > 0 {
		return taken
	}
	if full, ok := l.filledIn(before, c); ok {
		return []tools.Intent{full}
	}
	return nil
}

// maxAsked bounds how many questions in a row one request is asked back.
const maxAsked = 4

// lacking is the request that the reply of a turn asks something of: what was said then, or what was
// asked for before with the answer that was given then.
func (l Talk) lacking(n, most int) (tools.Intent, bool) {
	turn := l.P.Recent[n]
	if heard := l.Hears(turn.Prompt); len(heard) > 0 {
		at := len(heard) - 1 // of two the second may lack something
		return heard[at], heard[at].Missing != "" && turn.Tells(heard[at].Ask) && !slices.ContainsFunc(heard[:at], func(in tools.Intent) bool { return !in.Ask.IsZero() })
	}
	if n == 0 || most < 2 {
		return tools.Intent{}, false
	}
	before, open := l.lacking(n-1, most-1)
	c, ok := correctionIn(turn.Prompt)
	if !open || !ok || c.s.Question {
		return tools.Intent{}, false
	}
	full, ok := l.filledIn(before, c)
	return full, ok && full.Missing != "" && turn.Tells(full.Ask)
}

// correction is what was added, without the words that only say that it changes
// something.
type correction struct {
	s        sentences.Said
	replaces bool // "no, the bread"
	adds     bool // "and the bread"
}

func correctionIn(text string) (correction, bool) {
	s, ok := sentences.Read(text)
	if !ok {
		return correction{}, false
	}
	c := correction{s: s}
	for len(c.s.Words) > 0 {
		switch {
		case c.s.Is(0, "no", "nope", "actually", "rather", "sorry", "wait", "instead", "correction", "better", "not", "oops"):
			c.s, c.replaces = c.s.From(1), true
		case c.s.Begins("make", "it"), c.s.Begins("make", "that"), c.s.Begins("i", "mean"), c.s.Begins("i", "meant"), c.s.Begins("i", "said"), c.s.Begins("repeat", "it"), c.s.Begins("repeat", "that"):
			c.s, c.replaces = c.s.From(2), true
		case c.s.Begins("move", "it", "to"), c.s.Begins("move", "that", "to"), c.s.Begins("change", "it", "to"), c.s.Begins("change", "that", "to"), c.s.Begins("push", "it", "to"):
			c.s, c.replaces = c.s.From(3), true
		case c.s.Courtesy() > 1:
			c.s = c.s.From(c.s.Courtesy())
			c.s.Question = false
		case c.s.Begins("that", "is", "wrong"):
			c.s, c.replaces = c.s.From(3), true
		case c.s.Begins("change", "the", "time", "to"), c.s.Begins("move", "it", "back", "to"), c.s.Begins("push", "it", "back", "to"):
			c.s, c.replaces = c.s.From(4), true
		case c.s.Is(0, "and", "also", "plus"):
			c.s, c.adds = c.s.From(1), true
		case c.s.Is(0, "oh", "ok", "okay", "please", "yes", "chalie", "hm", "well"):
			c.s = c.s.From(1)
		case c.s.Is(len(c.s.Words)-1, "instead", "rather", "please", "actually"):
			c.s, c.replaces = c.s.UpTo(len(c.s.Words)-1), true
		case c.s.Is(len(c.s.Words)-1, "too", "also"):
			c.s, c.adds = c.s.UpTo(len(c.s.Words)-1), true
		default:
			return c, true
		}
	}
	return c, true
}

// amend takes up one text that was added.
func (w *Wish) amend(l Talk, text string) {
	w.Unclear = ""
	c, ok := correctionIn(text)
	if not, refuses := refusal(text); !ok || refuses && l.IsOnlyTime(l.Linked(not.All())) {
		w.Unclear = text // when it isn't to be says nothing of when it is
		return
	}
	if _, stop := c.s.Any("never mind", "nevermind", "forget it|that|about? it|that?", "leave it|that", "stop", "stop it|that", "cancel", "cancel it|that|this", "do not", "do not do it|that", "scrap that|it"); stop || len(c.s.Words) == 0 && c.replaces {
		w.Wanted, w.Stopped = nil, true
		return
	}
	w.Stopped = false
	if changed, ok := l.changed(w.Wanted, c); ok {
		w.Wanted = changed
		return
	}
	if anew := l.Hears(c.s.All()); len(anew) > 0 {
		if c.adds && len(w.Wanted) == 1 && len(anew) == 1 {
			anew = append(w.Wanted[:1:1], anew...)
		}
		w.Wanted = anew
		return
	}
	w.Unclear = text
}

// changed is what is wanted with a correction; false when it changes nothing of
// it.
func (l Talk) changed(wanted []tools.Intent, c correction) ([]tools.Intent, bool) {
	out := append([]tools.Intent(nil), wanted...)
	if l.IsOnlyTime(c.s.All()) {
		at := -1
		for i, in := range out {
			if in.Moment != "" {
				if at >= 0 {
					return nil, false // of two times, which?
				}
				at = i
			}
		}
		if at < 0 {
			return nil, false
		}
		out[at] = l.movedTo(out[at], c.s.All())
		return out, true
	}
	if len(out) != 1 || len(c.s.Words) == 0 {
		return nil, false
	}
	if full, ok := l.filledIn(out[0], c); ok {
		return []tools.Intent{full}, true
	}
	in := out[0]
	old, given := in.Params[in.Subject].(string)
	if !given || in.Subject == "" || len(l.Hears(c.s.All())) > 0 {
		return nil, false
	}
	text := c.s.All()
	switch {
	case c.adds && in.Tool == tools.SkillList:
		text = old + ", " + lists.ItemsOf(c.s)
	case !c.replaces:
		return nil, false
	case in.Tool == tools.SkillList:
		text = lists.ItemsOf(c.s)
	}
	return []tools.Intent{in.With(in.Subject, text)}, true
}

// filledIn is an intent with what it lacked.
func (l Talk) filledIn(in tools.Intent, c correction) (tools.Intent, bool) {
	text := c.s.All()
	switch {
	case in.Missing == "" || len(c.s.Words) == 0 || len(c.s.Words) > sentences.MaxAnswerWords:
		return tools.Intent{}, false
	case in.Missing == in.Moment:
		if c.s.Is(0, "to", "for", "until") && !l.IsOnlyTime(text) && len(c.s.Words) > 1 {
			text = c.s.From(1).All()
		}
		if text = l.asTime(text); !l.IsOnlyTime(text) {
			return tools.Intent{}, false
		}
		return l.movedTo(in, text), true
	case tools.IsSkill(in.Tool):
		if len(l.Hears(text)) > 0 {
			return tools.Intent{}, false
		}
		if in.Missing == "text" {
			return l.Reminded(text), true
		}
		if in.Tool == tools.SkillList {
			text = lists.ItemsOf(c.s)
		}
		in = in.With(in.Missing, text)
		in.Missing, in.Ask = "", speech.Message{}
		return in, true
	}
	if heard := l.Hears(text); len(heard) > 0 && !tools.AreUnnamed(heard) || onlyPoints.MatchString(text) {
		return tools.Intent{}, false
	}
	if c.s.Is(0, strings.ToLower(in.Missing)) && c.s.Words[0].Colon && len(c.s.Words) > 1 {
		c.s = c.s.From(1)
		text = c.s.All()
	}
	// A tool's parameter is looked for in what was said in all.
	for _, answer := range []string{withoutLead(c.s).All(), text} {
		if again := l.Hears(in.Whole + ", " + in.Missing + ": " + answer); len(again) == 1 && again[0].Tool == in.Tool && (again[0].Missing != in.Missing || !again[0].Ask.Is(in.Ask) && again[0].Ask.ID == "tool.unread" && again[0].Ask.Args["said"] == sentences.Named(answer)) {
			return again[0], true
		}
	}
	return tools.Intent{}, false
}

// onlyPoints finds an answer that picks from what was shown: where nothing was, it says nothing,
// and least of all is it a value.
var onlyPoints = regexp.MustCompile(`(?i)^(?:(?:the |that |this )?(?:first|second|third|fourth|fifth|last|other|next|\d+(?:st|nd|rd|th))(?: one| two)?|(?:that|this|the other|either|neither|any) one|the (?:one|ones|same)|it|that|this|them|both|both of (?:them|these|those)|the two(?: of them)?|neither|either|any|all(?: of (?:them|it))?)$`)

// withoutLead is an answer without the word that leads to it: to Eve.
func withoutLead(s sentences.Said) sentences.Said {
	if len(s.Words) > 1 && s.Is(0, "to", "for", "from", "with", "at", "in", "on", "it", "of") {
		return s.From(1)
	}
	return s
}

// movedTo is an intent for another time. The day of the one before stays when only
// a time of day is said, and the time of day when only a day is.
func (l Talk) movedTo(in tools.Intent, at string) tools.Intent {
	if before, ok := in.Params[in.Moment].(string); ok {
		at = l.combined(before, at, false)
	}
	in = in.With(in.Moment, at)
	if in.Missing == in.Moment {
		in.Missing, in.Ask = "", speech.Message{}
	}
	return in
}

// isLate reports whether a time of day as it is told is after noon.
func isLate(clock string) bool {
	hour, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(clock), "at "), ":")
	n, err := strconv.Atoi(hour)
	return err == nil && n >= 12
}

// shifted is a time so much later or earlier: "an hour later", "push it back 30 minutes".
func (l Talk) shifted(before string, s sentences.Said) (string, bool) {
	zone := l.P.Zone
	if zone == nil {
		zone = time.UTC
	}
	c, later := s.Any("*much later", "push|move|delay|postpone it|that back? by? *much")
	if !later {
		var earlier bool
		if c, earlier = s.Any("*much earlier|sooner", "bring|move it|that forward|up by? *much"); !earlier {
			return "", false
		}
	}
	due, err := l.Parse(before)
	if err != nil || due.Recurrence != nil {
		return "", false
	}
	moved, err := when.Parse("in "+c.Get("much"), due.At, zone)
	if err != nil || moved.Rest("in "+c.Get("much")) != "" || moved.Recurrence != nil {
		return "", false
	}
	at := moved.At
	if !later {
		at = due.At.Add(-moved.At.Sub(due.At))
	}
	return at.Time().In(zone).Format("2006-01-02 15:04"), true
}

// combined is a time with what a correction names of it: its day or its time of day. A
// number alone, of what is due within the hour, are minutes. Of a time that was told it is
// known which half of the day it is in; of one that was only said, by its own words alone.
func (l Talk) combined(before, at string, told bool) string {
	day, clock := before, ""
	if i := strings.LastIndex(" "+before, " at "); i >= 0 {
		day, clock = strings.TrimSpace(before[:max(i-1, 0)]), before[i:]
	}
	if n, err := strconv.Atoi(at); err == nil && n > 0 {
		if minutes, ok := l.inMinutes(before, at); told && ok {
			return minutes
		}
		if first, _, _ := strings.Cut(before, " "); !told && strings.EqualFold(first, "in") && l.IsOnlyTime("in "+at) {
			return first + " " + at
		}
	}
	var both string
	switch namesDay, namesClock := l.Parts(at); {
	case namesClock && !namesDay && day != "":
		// 8:30 for what was to come at 20:00 is in the evening, too.
		if late := day + " at " + strings.TrimPrefix(strings.ToLower(at), "at ") + " pm"; told && isLate(clock) && !isLate(at) && !strings.ContainsAny(at, "mM") && l.IsOnlyTime(late) {
			return late
		}
		both = day + " " + at
		if !l.IsOnlyTime(both) {
			both = day + " at " + at
		}
	case namesDay && !namesClock && clock != "":
		both = at + " " + clock
	}
	if both != "" && l.IsOnlyTime(both) {
		return both
	}
	return at
}

package hearing

import (
	"cmp"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// wish is what the person wants, with all that was added meanwhile.
type wish struct {
	wanted  []intent
	stopped bool   // they want nothing any more
	unclear string // what was added last, when it changes nothing that is understood
}

// wish hears the message, and what was added to it, oldest first: the last word
// counts. A message that only answers a question goes with what was asked before.
func (l listener) wish() wish {
	before := l.before()
	if only := cmp.Or(l.withoutAside(l.p.Asked.Text), l.withoutWhy(l.p.Asked.Text)); only != "" {
		l.p.Asked.Text = only
	}
	said := cmp.Or(l.takenBack(l.p.Asked.Text), l.inEnglish(l.p.Asked.Text, before))
	if a, ok := tongues.AnswerIn(l.p.Asked.Text); ok && a.No() && !a.Prefers() && (a.Both() || a.All()) {
		said = l.p.Asked.Text // a no behind both is a no in any language
	}
	out, decided := l.takesUnasked(l.p.Asked.Text)
	if !decided {
		out, decided = l.decided(said)
	}
	asAnswer.as(out.wanted)
	if referred := l.refers(said); !decided && len(referred) > 0 {
		if changed := l.follows(said); len(changed) > 0 { // it knows what was just set
			referred = changed
		}
		if len(l.spoken()) == 0 && strings.HasPrefix(referred[0].ask, whichTwo) {
			if both := l.bothTools(said); both != nil {
				referred = both // nothing else was spoken of
			}
		}
		out, decided = wish{wanted: asSpoken.as(referred)}, true
	}
	if in, ok := l.goesOnList(said); ok && !decided {
		out, decided = wish{wanted: asSpoken.as([]intent{in})}, true
	}
	if in, ok := l.refines(said); ok && !decided {
		out, decided = wish{wanted: asChange.as([]intent{in})}, true
	}
	if !decided {
		if out = (wish{wanted: l.hears(behindAnswer(said))}); len(out.wanted) == 0 {
			out.wanted = l.hears(said)
		}
	}
	value := out.wanted
	if areUnnamed(value) { // it may answer what was asked
		out.wanted = nil
	}
	if len(out.wanted) == 0 && !decided {
		out.wanted = asAnswer.as(l.chosenNow(said))
	}
	if len(out.wanted) == 0 && !decided {
		out.wanted = asAnswer.as(l.answers(said))
	}
	if len(out.wanted) == 0 {
		out.wanted = value
	}
	if len(out.wanted) == 0 && !decided {
		out.wanted = asChange.as(l.follows(said))
	}
	if len(out.wanted) == 0 && !decided {
		out.wanted = asAgain.as(l.asksAgain(said))
	}
	if len(out.wanted) == 0 && !decided {
		out.wanted = l.asksBehind(said)
	}
	if len(out.wanted) == 0 && !decided {
		out.wanted = asOffered.as(l.offers(said))
	}
	if len(out.wanted) == 0 && !decided {
		out.stopped = l.isRefused()
	}
	for _, text := range l.p.Steers {
		out.amend(l, l.inEnglish(text, l.p.Asked.Text))
	}
	return out
}

// behindAnswer is what stands behind a yes or no at the beginning of a text, which may be a
// request of its own; "" for nothing. "No alarm tomorrow" is one without a comma.
func behindAnswer(text string) string {
	s, ok := read(text)
	if !ok || !s.is(0, "yes", "yeah", "yep", "yup", "sure", "no", "nope", "nah") {
		return ""
	}
	n := 1
	for n < len(s.words) && s.is(n, "please", "thanks", "and", "but") {
		n++
	}
	if n+1 >= len(s.words) || s.is(0, "no", "nope", "nah") && !strings.ContainsAny(s.text[s.words[0].start:s.words[n].start], ",.!;:") {
		return ""
	}
	return s.text[s.words[n].start:]
}

// answers is what was asked for before, when the message is the answer to the
// question that was the reply.
func (l listener) answers(text string) []intent {
	if len(l.p.Recent) == 0 {
		return nil
	}
	before, open := l.lacking(len(l.p.Recent)-1, maxAsked)
	if !open {
		return nil
	}
	c, ok := correctionIn(text)
	if not, refuses := refusal(text); !ok || c.s.question || refuses && l.isOnlyTime(l.linked(not.all())) {
		return nil
	}
	if taken := picked(before.among, c.s); len(taken) > 0 {
		return taken
	}
	if full, ok := l.filledIn(before, c); ok {
		return []intent{full}
	}
	return nil
}

// maxAsked bounds how many questions in a row one request is asked back.
const maxAsked = 4

// lacking is the request that the reply of a turn asks something of: what was said then, or what was
// asked for before with the answer that was given then.
func (l listener) lacking(n, most int) (intent, bool) {
	turn := l.p.Recent[n]
	if heard := l.hears(turn.Prompt); len(heard) > 0 {
		return heard[0], len(heard) == 1 && heard[0].missing != "" && strings.Contains(turn.Reply, heard[0].ask)
	}
	if n == 0 || most < 2 {
		return intent{}, false
	}
	before, open := l.lacking(n-1, most-1)
	c, ok := correctionIn(turn.Prompt)
	if !open || !ok || c.s.question {
		return intent{}, false
	}
	full, ok := l.filledIn(before, c)
	return full, ok && full.missing != "" && strings.Contains(turn.Reply, full.ask)
}

// correction is what was added, without the words that only say that it changes
// something.
type correction struct {
	s        said
	replaces bool // "no, the bread"
	adds     bool // "and the bread"
}

func correctionIn(text string) (correction, bool) {
	s, ok := read(text)
	if !ok {
		return correction{}, false
	}
	c := correction{s: s}
	for len(c.s.words) > 0 {
		switch {
		case c.s.is(0, "no", "nope", "actually", "rather", "sorry", "wait", "instead", "correction", "better", "not", "oops"):
			c.s, c.replaces = c.s.from(1), true
		case c.s.begins("make", "it"), c.s.begins("make", "that"), c.s.begins("i", "mean"), c.s.begins("i", "meant"), c.s.begins("i", "said"), c.s.begins("repeat", "it"), c.s.begins("repeat", "that"):
			c.s, c.replaces = c.s.from(2), true
		case c.s.begins("move", "it", "to"), c.s.begins("move", "that", "to"), c.s.begins("change", "it", "to"), c.s.begins("change", "that", "to"), c.s.begins("push", "it", "to"):
			c.s, c.replaces = c.s.from(3), true
		case c.s.courtesy() > 1:
			c.s = c.s.from(c.s.courtesy())
			c.s.question = false
		case c.s.begins("that", "is", "wrong"):
			c.s, c.replaces = c.s.from(3), true
		case c.s.begins("change", "the", "time", "to"), c.s.begins("move", "it", "back", "to"), c.s.begins("push", "it", "back", "to"):
			c.s, c.replaces = c.s.from(4), true
		case c.s.is(0, "and", "also", "plus"):
			c.s, c.adds = c.s.from(1), true
		case c.s.is(0, "oh", "ok", "okay", "please", "yes", "chalie", "hm", "well"):
			c.s = c.s.from(1)
		case c.s.is(len(c.s.words)-1, "instead", "rather", "please", "actually"):
			c.s, c.replaces = c.s.upTo(len(c.s.words)-1), true
		case c.s.is(len(c.s.words)-1, "too", "also"):
			c.s, c.adds = c.s.upTo(len(c.s.words)-1), true
		default:
			return c, true
		}
	}
	return c, true
}

// amend takes up one text that was added.
func (w *wish) amend(l listener, text string) {
	w.unclear = ""
	c, ok := correctionIn(text)
	if not, refuses := refusal(text); !ok || refuses && l.isOnlyTime(l.linked(not.all())) {
		w.unclear = text // when it isn't to be says nothing of when it is
		return
	}
	if _, stop := c.s.any("never mind", "nevermind", "forget it|that|about? it|that?", "leave it|that", "stop", "stop it|that", "cancel", "cancel it|that|this", "do not", "do not do it|that", "scrap that|it"); stop || len(c.s.words) == 0 && c.replaces {
		w.wanted, w.stopped = nil, true
		return
	}
	w.stopped = false
	if changed, ok := l.changed(w.wanted, c); ok {
		w.wanted = changed
		return
	}
	if anew := l.hears(c.s.all()); len(anew) > 0 {
		if c.adds && len(w.wanted) == 1 && len(anew) == 1 {
			anew = append(w.wanted[:1:1], anew...)
		}
		w.wanted = anew
		return
	}
	w.unclear = text
}

// changed is what is wanted with a correction; false when it changes nothing of
// it.
func (l listener) changed(wanted []intent, c correction) ([]intent, bool) {
	out := append([]intent(nil), wanted...)
	if l.isOnlyTime(c.s.all()) {
		at := -1
		for i, in := range out {
			if in.moment != "" {
				if at >= 0 {
					return nil, false // of two times, which?
				}
				at = i
			}
		}
		if at < 0 {
			return nil, false
		}
		out[at] = l.movedTo(out[at], c.s.all())
		return out, true
	}
	if len(out) != 1 || len(c.s.words) == 0 {
		return nil, false
	}
	if full, ok := l.filledIn(out[0], c); ok {
		return []intent{full}, true
	}
	in := out[0]
	old, given := in.params[in.subject].(string)
	if !given || in.subject == "" || len(l.hears(c.s.all())) > 0 {
		return nil, false
	}
	text := c.s.all()
	switch {
	case c.adds && in.tool == skillList:
		text = old + ", " + itemsOf(c.s)
	case !c.replaces:
		return nil, false
	case in.tool == skillList:
		text = itemsOf(c.s)
	}
	return []intent{in.with(in.subject, text)}, true
}

// with is an intent with another value.
func (in intent) with(param string, value any) intent {
	params := make(map[string]any, len(in.params)+1)
	maps.Copy(params, in.params)
	params[param] = value
	in.params = params
	return in
}

// filledIn is an intent with what it lacked.
func (l listener) filledIn(in intent, c correction) (intent, bool) {
	text := c.s.all()
	switch {
	case in.missing == "" || len(c.s.words) == 0 || len(c.s.words) > maxAnswerWords:
		return intent{}, false
	case in.missing == in.moment:
		if c.s.is(0, "to", "for", "until") && !l.isOnlyTime(text) && len(c.s.words) > 1 {
			text = c.s.from(1).all()
		}
		if text = l.asTime(text); !l.isOnlyTime(text) {
			return intent{}, false
		}
		return l.movedTo(in, text), true
	case isSkill(in.tool):
		if len(l.hears(text)) > 0 {
			return intent{}, false
		}
		if in.missing == "text" {
			return l.reminded(text), true
		}
		if in.tool == skillList {
			text = itemsOf(c.s)
		}
		in = in.with(in.missing, text)
		in.missing, in.ask = "", ""
		return in, true
	}
	if heard := l.hears(text); len(heard) > 0 && !areUnnamed(heard) || onlyPoints.MatchString(text) {
		return intent{}, false
	}
	if c.s.is(0, strings.ToLower(in.missing)) && c.s.words[0].colon && len(c.s.words) > 1 {
		c.s = c.s.from(1)
		text = c.s.all()
	}
	// A tool's parameter is looked for in what was said in all.
	for _, answer := range []string{withoutLead(c.s).all(), text} {
		if again := l.hears(in.whole + ", " + in.missing + ": " + answer); len(again) == 1 && again[0].tool == in.tool && (again[0].missing != in.missing || again[0].ask != in.ask && strings.Contains(again[0].ask, mention(answer))) {
			return again[0], true
		}
	}
	return intent{}, false
}

// onlyPoints finds an answer that picks from what was shown: where nothing was, it says nothing,
// and least of all is it a value.
var onlyPoints = regexp.MustCompile(`(?i)^(?:(?:the |that |this )?(?:first|second|third|fourth|fifth|last|other|next|\d+(?:st|nd|rd|th))(?: one| two)?|(?:that|this|the other|either|neither|any) one|the (?:one|ones|same)|it|that|this|them|both|both of (?:them|these|those)|the two(?: of them)?|neither|either|any|all(?: of (?:them|it))?)$`)

// withoutLead is an answer without the word that leads to it: to Eve.
func withoutLead(s said) said {
	if len(s.words) > 1 && s.is(0, "to", "for", "from", "with", "at", "in", "on", "it", "of") {
		return s.from(1)
	}
	return s
}

// maxAnswerWords bounds what can be the answer to a question for one thing.
const maxAnswerWords = 12

// movedTo is an intent for another time. The day of the one before stays when only
// a time of day is said, and the time of day when only a day is.
func (l listener) movedTo(in intent, at string) intent {
	if before, ok := in.params[in.moment].(string); ok {
		at = l.combined(before, at, false)
	}
	in = in.with(in.moment, at)
	if in.missing == in.moment {
		in.missing, in.ask = "", ""
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
func (l listener) shifted(before string, s said) (string, bool) {
	zone := l.p.Zone
	if zone == nil {
		zone = time.UTC
	}
	c, later := s.any("*much later", "push|move|delay|postpone it|that back? by? *much")
	if !later {
		var earlier bool
		if c, earlier = s.any("*much earlier|sooner", "bring|move it|that forward|up by? *much"); !earlier {
			return "", false
		}
	}
	due, err := l.parse(before)
	if err != nil || due.Recurrence != nil {
		return "", false
	}
	moved, err := when.Parse("in "+c.get("much"), due.At, zone)
	if err != nil || moved.Rest("in "+c.get("much")) != "" || moved.Recurrence != nil {
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
func (l listener) combined(before, at string, told bool) string {
	day, clock := before, ""
	if i := strings.LastIndex(" "+before, " at "); i >= 0 {
		day, clock = strings.TrimSpace(before[:max(i-1, 0)]), before[i:]
	}
	if n, err := strconv.Atoi(at); err == nil && n > 0 {
		if minutes, ok := l.inMinutes(before, at); told && ok {
			return minutes
		}
		if first, _, _ := strings.Cut(before, " "); !told && strings.EqualFold(first, "in") && l.isOnlyTime("in "+at) {
			return first + " " + at
		}
	}
	var both string
	switch namesDay, namesClock := l.parts(at); {
	case namesClock && !namesDay && day != "":
		// 8:30 for what was to come at 20:00 is in the evening, too.
		if late := day + " at " + strings.TrimPrefix(strings.ToLower(at), "at ") + " pm"; told && isLate(clock) && !isLate(at) && !strings.ContainsAny(at, "mM") && l.isOnlyTime(late) {
			return late
		}
		both = day + " " + at
		if !l.isOnlyTime(both) {
			both = day + " at " + at
		}
	case namesDay && !namesClock && clock != "":
		both = at + " " + clock
	}
	if both != "" && l.isOnlyTime(both) {
		return both
	}
	return at
}

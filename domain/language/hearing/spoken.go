package hearing

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// mentioned is a plan that was spoken of.
type mentioned struct {
	tool   string // the skill that keeps it
	id     string // "" where only its words are known
	text   string
	due    string // when it is, in words; "" for none
	around string // where it is and with whom
	start  domain.Millis
	end    domain.Millis
	recurs bool
	once   bool // of one that comes back this time was spoken of
	ended  bool
}

// which is how a skill finds it.
func (m mentioned) which() string { return cmp.Or(m.id, m.text) }

// spokenData is what the data of a skill's answer says of a plan.
type spokenData struct {
	ReminderID    string        `json:"reminder_id"`
	AppointmentID string        `json:"appointment_id"`
	TaskID        string        `json:"task_id"`
	Text          string        `json:"text"`
	Around        string        `json:"around"`
	Due           domain.Millis `json:"due"`
	Start         domain.Millis `json:"start"`
	Deadline      domain.Millis `json:"deadline"`
	End           domain.Millis `json:"end"`
	Recurs        bool          `json:"recurs"`
	Once          bool          `json:"once"`
	Ended         bool          `json:"ended"`
}

// mentionedBy is the plan that the data of an answer names; false for none.
func (l listener) mentionedBy(d spokenData) (mentioned, bool) {
	m := mentioned{text: d.Text, around: d.Around, start: cmp.Or(d.Due, d.Start, d.Deadline), end: d.End, recurs: d.Recurs, once: d.Once, ended: d.Ended}
	for _, kind := range []struct{ tool, id string }{{skillReminder, d.ReminderID}, {skillAppointment, d.AppointmentID}, {skillTask, d.TaskID}} {
		if kind.id != "" {
			m.tool, m.id = kind.tool, kind.id
		}
	}
	if m.start != 0 {
		m.due = when.Say(m.start, l.p.AsOf, l.zone())
	}
	return m, m.id != ""
}

// mentionedIn are the plans that calls of skills told of, each once, as it was told last.
func (l listener) mentionedIn(calls []language.Done) (out []mentioned) {
	for _, d := range calls {
		if !d.Own {
			continue
		}
		var told struct {
			spokenData
			Plans []spokenData `json:"plans"`
		}
		if len(d.Data) == 0 || json.Unmarshal(d.Data, &told) != nil {
			continue
		}
		for _, one := range append([]spokenData{told.spokenData}, told.Plans...) {
			m, ok := l.mentionedBy(one)
			if !ok {
				continue
			}
			out = append(slices.DeleteFunc(out, func(o mentioned) bool { return o.id == m.id && o.start == m.start }), m)
		}
	}
	return out
}

// turns are what was said before, with the buttons that were pressed since as turns of their own.
func (l listener) turns() []language.Turn {
	n := len(l.p.Recent)
	if n == 0 || len(l.p.Recent[n-1].Pressed) == 0 {
		return l.p.Recent
	}
	out := slices.Clone(l.p.Recent)
	for _, d := range l.p.Recent[n-1].Pressed {
		out = append(out, language.Turn{Reply: d.Text, Done: []language.Done{d}, RecordedAt: l.p.AsOf})
	}
	return out
}

// last is the turn that what is said now follows; false at the beginning.
func (l listener) last() (language.Turn, bool) {
	all := l.turns()
	if len(all) == 0 {
		return language.Turn{}, false
	}
	return all[len(all)-1], true
}

// spoken are the plans that the latest turn that told of any told of. One that wasn't understood, or
// only was small talk, lies between without a change; one that did something else doesn't.
func (l listener) spoken() []mentioned {
	all := l.turns()
	for i, turn := range slices.Backward(all) {
		if told := l.mentionedIn(turn.Done); len(told) > 0 {
			return told
		}
		if len(turn.Done) == 0 && i == len(all)-1 {
			if told := mentions(turn.Reply); len(told) > 0 {
				return told
			}
		}
		if slices.ContainsFunc(turn.Done, func(d language.Done) bool { return d.Error == "" && d.Outcome != domain.CallRejectedType }) {
			return nil
		}
	}
	return nil
}

// lately are the plans that each of the last turns told of alone, oldest first: what was set one
// after the other, of one kind or of any ("").
func (l listener) lately(tool string) (out []mentioned) {
	for _, turn := range slices.Backward(l.turns()) {
		told := l.mentionedIn(turn.Done)
		if len(told) > 1 || len(told) == 1 && told[0].ended || len(told) == 0 && len(turn.Done) > 0 && tool == "" {
			break
		}
		if len(told) == 1 && (tool == "" || told[0].tool == tool) && !slices.ContainsFunc(out, func(o mentioned) bool { return o.id == told[0].id }) {
			out = append(told, out...)
		}
	}
	return out
}

// questioning is the turn whose question may be open: the last one, or one before when what was said
// since wasn't understood, or only had the question asked again.
func (l listener) questioning() (language.Turn, bool) {
	all := l.turns()
	for i := len(all) - 2; i >= 0 && i >= len(all)-1-maxReopened; i-- {
		since := all[i+1]
		if len(since.Done) > 0 || l.left(since.Prompt) {
			break
		}
		if question := questionIn(all[i].Done); len(offeredIn(all[i].Done)) > 0 && (staysOpen(since.Reply) || since.Reply == question) {
			return all[i], true
		}
		if !staysOpen(since.Reply) && !strings.HasSuffix(since.Reply, "?") && !strings.HasSuffix(since.Reply, "? Say yes.") {
			break
		}
	}
	return l.last()
}

// maxReopened bounds how many turns lie behind a question that is still open.
const maxReopened = 3

// questionIn is the question that calls of skills asked; "" for none.
func questionIn(calls []language.Done) string {
	for _, d := range calls {
		if d.Own && strings.Contains(d.Error, "?") {
			return d.Error
		}
	}
	return ""
}

// staysOpen reports whether a reply leaves the question before it open: it says that an answer wasn't
// understood, or asks closer.
func staysOpen(reply string) bool {
	return isUnclear(reply) || slices.ContainsFunc([]string{whichOne, moreThanTwo, onceOrGood}, func(begins string) bool { return strings.HasPrefix(reply, begins) })
}

// isUnclear reports whether a reply says that something wasn't understood, in whichever language.
func isUnclear(reply string) bool {
	says := []string{notSure, cantAnswer}
	for _, t := range tongues.All() {
		says = append(says, t.Says(tongues.Unsure), t.Says(tongues.NoAnswer))
	}
	return slices.ContainsFunc(says, func(begins string) bool { return strings.HasPrefix(reply, begins) })
}

// left reports whether a text was the no to a question.
func (l listener) left(text string) bool {
	s, ok := read(text)
	return ok && drops(s)
}

// button is an answer that a question offers.
type button struct {
	label  string
	tool   string
	params map[string]any
}

// offeredIn are the buttons of the questions that calls of skills asked.
func offeredIn(calls []language.Done) (out []button) {
	for _, d := range calls {
		if !d.Own || d.Error == "" {
			continue
		}
		for _, block := range d.Blocks {
			if block["type"] != "actions" {
				continue
			}
			raw, err := json.Marshal(block)
			var row struct {
				Buttons []struct {
					Label   string         `json:"label"`
					Payload map[string]any `json:"payload"`
				} `json:"buttons"`
			}
			if err != nil || json.Unmarshal(raw, &row) != nil {
				continue
			}
			for _, b := range row.Buttons {
				tool, _ := b.Payload["skill"].(string)
				delete(b.Payload, "skill")
				out = append(out, button{b.Label, tool, b.Payload})
			}
		}
	}
	return out
}

// pressed is the intent of a button.
func (b button) pressed() intent { return intent{tool: b.tool, params: b.params} }

// chooses reports whether a button names one of several things, rather than says yes or no.
func (b button) chooses() bool {
	return b.params["confirmed"] != true && b.params["declined"] != true && b.params["again"] != true && b.params["replace"] != true && b.params["keep"] != true
}

// asksOpen reports whether the last turn ended with a question.
func (l listener) asksOpen() bool {
	turn, ok := l.questioning()
	if !ok {
		return false
	}
	if len(offeredIn(turn.Done)) > 0 {
		return true
	}
	if questionIn(turn.Done) != "" {
		return true
	}
	if len(turn.Done) > 0 || turn.Prompt == "" {
		return false
	}
	for _, begins := range []string{whichOne, whichTwo, allOfWhat, severalKinds} {
		if strings.HasPrefix(turn.Reply, begins) {
			return true
		}
	}
	before := l.hears(turn.Prompt)
	return slices.ContainsFunc(before, func(in intent) bool {
		_, stands := lineOf(turn.Reply, in.ask, "")
		return in.ask != "" && stands
	})
}

// drops hears that an open question is left: "never mind", "undo", "neither".
func drops(s said) bool {
	_, ok := s.any("undo it|that?", "never mind that|it?", "nevermind", "no? forget it|that|about? it|that?", "cancel", "cancel that", "stop", "neither", "neither of them|those|these|the? two?", "none", "none of them|those|these|it?", "no|not neither|none|any of? them?",
		"nothing", "no? nothing", "leave it|them|that|everything as|alone? it|they? is|are?", "do not bother?", "forget i asked", "skip|drop the question", "not one|any of them", "no one")
	return ok || isNo(s)
}

// answered hears the answer to a question that the last turn's skills asked, by the buttons that it
// offered: yes, no, one of several by its words, its time or its place, both, or all.
func (l listener) answered(s said) (out []intent, no, ok bool) {
	turn, has := l.questioning()
	if !has || s.question || len(s.words) == 0 || len(s.words) > maxAnswerWords {
		return nil, false, false
	}
	if !l.asksOpen() {
		return nil, false, false
	}
	if drops(s) {
		return nil, true, true
	}
	buttons := offeredIn(turn.Done)
	var yes, choice []button
	for _, b := range buttons {
		switch {
		case b.params["declined"] == true:
		case !b.chooses():
			yes = append(yes, b)
		default:
			choice = append(choice, b)
		}
	}
	if len(choice) == 1 && len(yes) == 0 && isYes(s) {
		return []intent{choice[0].pressed()}, false, true
	}
	if len(choice) > 0 && len(yes) == 0 {
		out, ok = l.chosenOf(choice, turn, s)
		return l.surely(out, turn), false, ok
	}
	label := ""
	for _, b := range buttons { // also what stands on it may be said
		if said := strings.EqualFold(b.label, s.all()) || b.isSaid(s, len(choice) > 0); said && (label == "" || label == b.label) {
			label = b.label
			out = append(out, b.pressed())
		}
	}
	if len(out) == 0 && len(choice) > 0 && isYes(s) {
		return []intent{{tool: buttons[0].tool, ask: onceOrGood + " Say skip, or for good."}}, false, true
	}
	return l.surely(out[:min(len(out), maxCalls)], turn), false, len(out) > 0
}

// surely is what an answer asks for, unless something that wasn't understood stands between it and
// the question, and it would destroy something: then that is asked again.
func (l listener) surely(wanted []intent, turn language.Turn) []intent {
	last, _ := l.last()
	if !isUnclear(last.Reply) || len(last.Done) > 0 || !slices.ContainsFunc(wanted, func(in intent) bool { return in.params["confirmed"] == true }) {
		return wanted
	}
	again := wanted[0]
	again.ask, again.offer = cmp.Or(questionIn(turn.Done), turn.Reply), len(wanted) == 1
	return []intent{again}
}

// isSaid reports whether an answer is the one that stands on a button.
func (b button) isSaid(s said, spares bool) bool {
	switch {
	case b.params["again"] == true:
		return saysAgain(s)
	case b.params["keep"] == true:
		return saysKeep(s)
	case b.params["replace"] == true:
		return saysReplace(s)
	case b.params["confirmed"] == true && spares:
		return saysForGood(s)
	case b.params["confirmed"] == true:
		return saysDo(s)
	case b.params["action"] == "skip":
		return saysOnce(s)
	}
	return false
}

// chosenOf are the choices that an answer takes.
func (l listener) chosenOf(choice []button, turn language.Turn, s said) ([]intent, bool) {
	for s.is(0, "no", "yes", "ok", "okay", "oh", "please", "i", "mean", "meant", "just", "only", "well", "sure") && len(s.words) > 1 {
		s = s.from(1)
	}
	for len(s.words) > 1 && s.is(len(s.words)-1, "please", "thanks") {
		s = s.upTo(len(s.words) - 1)
	}
	told := l.mentionedIn(turn.Done)
	things := make([]mentioned, len(choice))
	for i, b := range choice {
		things[i] = mentioned{tool: b.tool, text: b.label}
		for _, m := range told {
			if m.id == b.params["which"] {
				things[i] = m
			}
		}
	}
	said, answers := tongues.AnswerIn(l.p.Asked.Text)
	answers = answers && !said.No()
	if _, both := s.any("both", "both of? them|those|these?", "the two of? them?", "them both", "both reminders|alarms|appointments|meetings|events|tasks|lists|memories"); both || answers && said.Both() {
		if len(choice) != 2 {
			return []intent{{tool: choice[0].tool, ask: moreThanTwo + " say which two, or all of them."}}, true
		}
		return together(choice), true
	}
	if _, all := s.any("all", "all of? them|those|these?", "everything", "every one", "each", "each of them", "all three|four|five|six|seven|eight of? them?", "them all", "every one of them"); all || answers && said.All() {
		if strings.Contains(turn.Reply, " more?") || len(choice) < 2 {
			return nil, false
		}
		return together(choice), true
	}
	if c, but := s.any("all|everything of? them? but|except|besides|save for? *which"); but {
		at, one := l.pointsAt(things, c.sentence("which"))
		if !one {
			return nil, false
		}
		return together(slices.Delete(slices.Clone(choice), at, at+1)), true
	}
	for n := 2; n < len(choice); n++ { // the first two
		number := phrase(counted[n-1] + "|" + strconv.Itoa(n))
		if _, first := s.any("the? first "+number+" of? them|those|these?", "the? first "+number); first {
			return together(choice[:n]), true
		}
		if _, last := s.any("the? last "+number+" of? them|those|these?", "the? last "+number); last {
			return together(choice[len(choice)-n:]), true
		}
	}
	var out []button
	parts := [][2]int{{0, len(s.words)}}
	for i := range s.words {
		if s.is(i, "and") && i > 0 && i+1 < len(s.words) {
			parts = [][2]int{{0, i}, {i + 1, len(s.words)}}
		}
	}
	if at, one := l.pointsAt(things, s); one {
		return []intent{choice[at].pressed()}, true
	}
	if near := l.alike(things, s); len(near) > 1 && len(near) < len(things) {
		return []intent{{tool: choice[0].tool, ask: whichOne + inLine(near) + "?"}}, true
	}
	for _, p := range parts { // the first and the third
		at, one := l.pointsAt(things, s.from(p[0]).upTo(p[1]-p[0]))
		if !one || len(parts) == 1 {
			return nil, false
		}
		out = append(out, choice[at])
	}
	return together(out), true
}

// together are several choices of a question: one call where the skill takes several ids.
func together(all []button) []intent {
	ids := make([]string, 0, len(all))
	param := "which"
	if all[0].tool == skillForget {
		param = "what"
	}
	for _, b := range all {
		id, ok := b.params[param].(string)
		if !ok || !isID(id) || b.tool != all[0].tool {
			ids = nil
			break
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 || len(all) == 1 {
		out := make([]intent, 0, len(all))
		for _, b := range all {
			out = append(out, b.pressed())
		}
		return out
	}
	in := all[0].pressed().with(param, strings.Join(ids, " and "))
	if action := in.params["action"]; action == "cancel" || action == "drop" || action == "done" || action == "complete" {
		in = in.with("confirmed", true)
	}
	return []intent{in}
}

// pointsAt is the place of the only thing that words point at among several: by its place, its
// words, its day or its time.
func (l listener) pointsAt(things []mentioned, s said) (int, bool) {
	bare := s
	for bare.is(0, "the", "that", "this", "my") && len(bare.words) > 1 {
		bare = bare.from(1)
	}
	for len(bare.words) > 1 && bare.is(len(bare.words)-1, "one", "reminder", "alarm", "appointment", "meeting", "event", "task", "plan", "list") {
		bare = bare.upTo(len(bare.words) - 1)
	}
	if bare.is(0, "one") && len(bare.words) > 1 {
		bare = bare.from(1)
	}
	for i, words := range ordinals {
		if _, ok := bare.any(phrase(words), phrase("number|no|option "+words), phrase("number|no|option "+counted[i])); ok {
			return i, i < len(things)
		}
	}
	if _, ok := bare.any("last"); ok {
		return len(things) - 1, len(things) > 0
	}
	if _, ok := bare.any("next|earliest|soonest|nearest"); ok && len(things) > 0 && !slices.ContainsFunc(things, func(m mentioned) bool { return m.start == 0 }) {
		first := slices.MinFunc(things, func(a, b mentioned) int { return cmp.Compare(a.start, b.start) })
		return slices.Index(things, first), true
	}
	for i, m := range things {
		if strings.EqualFold(m.text, bare.all()) && !slices.ContainsFunc(things[i+1:], func(o mentioned) bool { return strings.EqualFold(o.text, m.text) }) {
			return i, true
		}
	}
	for bare.is(0, "about", "for", "with", "of", "in", "at", "from", "named", "called") && len(bare.words) > 1 {
		bare = bare.from(1)
	}
	at, found := l.timed(things, bare)
	if found != 1 {
		at, found = l.worded(things, bare)
	}
	return at, found == 1
}

// counted are the words for the number of one among several, by its place.
var counted = []string{"one", "two", "three", "four", "five", "six", "seven", "eight"}

// alike are the things that words point at when they point at several.
func (l listener) alike(things []mentioned, s said) (out []mentioned) {
	for _, m := range things {
		if _, one := l.pointsAt([]mentioned{m}, s); one {
			out = append(out, m)
		}
	}
	return out
}

// inLine are plans as a question names them.
func inLine(all []mentioned) string {
	names := make([]string, 0, maxChosen)
	for _, m := range all[:min(len(all), maxChosen)] {
		names = append(names, strings.TrimSpace(mention(m.text)+" "+m.due))
	}
	return strings.Join(names, ", ")
}

// maxChosen bounds the plans that a question of the model names.
const maxChosen = 8

// How questions of the model for one, two or all of several begin.
const (
	moreThanTwo  = "There are more than two:"
	onceOrGood   = "Only this once, or for good?"
	severalKinds = "These are of several kinds: "
	allOfWhat    = "All of what?"
	whichOne     = "Which one do you mean: "
	whichTwo     = "Which two do you mean? "
)

// ordinals are the words for the place of one among several.
var ordinals = []string{"first|1st|1", "second|2nd|2", "third|3rd|3", "fourth|4th|4", "fifth|5th|5", "sixth|6th|6", "seventh|7th|7", "eighth|8th|8"}

// timed is the only thing that lies in a period that words are; found is how many do.
func (l listener) timed(things []mentioned, s said) (at, found int) {
	text := strings.TrimSuffix(strings.TrimSuffix(s.all(), "'s"), "’s")
	w, rest, err := l.narrow(text)
	if err != nil || strings.TrimSpace(rest) != "" {
		return -1, 0
	}
	best := when.Outside
	for i, m := range things {
		if m.start == 0 {
			continue
		}
		switch fit := w.Fits(m.start, m.end, l.zone()); {
		case fit == when.Outside || fit < best:
		case fit > best:
			best, at, found = fit, i, 1
		default:
			found++
		}
	}
	return at, found
}

// worded is the only thing that has words in its text or time; found is how many have.
func (l listener) worded(things []mentioned, s said) (at, found int) {
	for i, m := range things {
		in, readable := read(m.text + " " + m.due + " " + m.around)
		if readable && !slices.ContainsFunc(s.words, func(w word) bool { return !emptyWords[w.lower] && !hasStart(in, w.lower) }) && slices.ContainsFunc(s.words, func(w word) bool { return !emptyWords[w.lower] }) {
			at, found = i, found+1
		}
	}
	return at, found
}

// leaving is the answer to a no.
func (l listener) leaving() string {
	turn, ok := l.questioning()
	switch {
	case !ok || len(l.p.Steers) > 0:
		return "All right: nothing was done."
	case slices.ContainsFunc(turn.Done, l.hasChanged):
		return "All right: nothing else was done."
	}
	if _, short := tongues.AnswerIn(turn.Prompt); short || turn.Prompt == "" {
		return "Then I leave it."
	}
	return "Then I leave it: " + mention(cut(oneLine(turn.Prompt), maxLeftBytes)) + "."
}

// maxLeftBytes bounds what is named of what isn't done.
const maxLeftBytes = 80

// forPeriod is a period behind what lies in it; "" for none.
func forPeriod(during string) string {
	if during == "" {
		return ""
	}
	return " for " + strings.TrimPrefix(during, "on ")
}

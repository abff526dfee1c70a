package turns

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Talk hears what is said in turn: what it is depends on what was said and done before.
type Talk struct{ hearing.Listener }

// NewTalk is one for a prompt.
func NewTalk(p language.Prompt) Talk { return Talk{hearing.NewListener(p)} }

// lately are the plans that each of the last turns told of alone, oldest first: what was set one
// after the other, of one kind or of any ("").
func (l Talk) lately(tool string) (out []hearing.Mentioned) {
	for _, turn := range slices.Backward(l.Turns()) {
		told := l.MentionedIn(turn.Done)
		if len(told) > 1 || len(told) == 1 && told[0].Ended || len(told) == 0 && len(turn.Done) > 0 && tool == "" {
			break
		}
		if len(told) == 1 && (tool == "" || told[0].Tool == tool) && !slices.ContainsFunc(out, func(o hearing.Mentioned) bool { return o.ID == told[0].ID }) {
			out = append(told, out...)
		}
	}
	return out
}

// Questioning is the turn whose question may be open: the last one, or one before when what was said
// since wasn't understood, or only had the question asked again.
func (l Talk) Questioning() (language.Turn, bool) {
	all := l.Turns()
	for i := len(all) - 2; i >= 0 && i >= len(all)-1-maxReopened; i-- {
		since := all[i+1]
		if len(since.Done) > 0 || l.left(since.Prompt) {
			break
		}
		if len(offeredIn(all[i].Done)) > 0 && (staysOpen(since) || slices.ContainsFunc(questionsIn(all[i].Done), since.Tells)) {
			return all[i], true
		}
		if !staysOpen(since) && !since.Asks() {
			break
		}
	}
	return l.Last()
}

// maxReopened bounds how many turns lie behind a question that is still open.
const maxReopened = 3

// questionsIn is the question that a call of a skill asked, with what was said beside it; nothing for none.
func questionsIn(calls []language.Done) []speech.Message {
	for _, d := range calls {
		var says []speech.Message
		for _, p := range d.Said {
			if p.As == speech.Asked {
				says = append(says, p.Says...)
			}
		}
		if len(d.Said) == 0 && d.Error != "" {
			says = []speech.Message{speech.InWords(d.Error)}
		}
		if d.Own && slices.ContainsFunc(says, speech.Message.Asks) {
			return says
		}
	}
	return nil
}

// staysOpen reports whether a reply leaves the question before it open: it says that an answer wasn't
// understood, or asks closer.
func staysOpen(turn language.Turn) bool {
	return language.IsUnclear(turn.Said) || asksWhich(turn, "one") || asksWhich(turn, "more") || turn.Says("spoken.once_or_good")
}

// left reports whether a text was the no to a question.
func (l Talk) left(text string) bool {
	s, ok := sentences.Read(text)
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
func (b button) pressed() tools.Intent { return tools.Intent{Tool: b.tool, Params: b.params} }

// chooses reports whether a button names one of several things, rather than says yes or no.
func (b button) chooses() bool {
	return b.params["confirmed"] != true && b.params["declined"] != true && b.params["again"] != true && b.params["replace"] != true && b.params["keep"] != true
}

// AsksOpen reports whether the last turn ended with a question.
func (l Talk) AsksOpen() bool {
	turn, ok := l.Questioning()
	if !ok {
		return false
	}
	if len(offeredIn(turn.Done)) > 0 {
		return true
	}
	if len(questionsIn(turn.Done)) > 0 {
		return true
	}
	if len(turn.Done) > 0 || turn.Prompt == "" {
		return false
	}
	if asksWhich(turn, "") && !asksWhich(turn, "more") {
		return true
	}
	return slices.ContainsFunc(l.Hears(turn.Prompt), func(in tools.Intent) bool { return turn.Tells(in.Ask) })
}

// drops hears that an open question is left: "never mind", "undo", "neither".
func drops(s sentences.Said) bool {
	_, ok := s.Any("undo it|that?", "never mind that|it?", "nevermind", "no? forget it|that|about? it|that?", "cancel", "cancel that", "stop", "neither", "neither of them|those|these|the? two?", "none", "none of them|those|these|it?", "no|not neither|none|any of? them?",
		"nothing", "no? nothing", "leave it|them|that|everything as|alone? it|they? is|are?", "do not bother?", "forget i asked", "skip|drop the question", "not one|any of them", "no one")
	return ok || isNo(s)
}

// answered hears the answer to a question that the last turn's skills asked, by the buttons that it
// offered: yes, no, one of several by its words, its time or its place, both, or all.
func (l Talk) answered(s sentences.Said) (out []tools.Intent, no, ok bool) {
	turn, has := l.Questioning()
	if !has || s.Question || len(s.Words) == 0 || len(s.Words) > sentences.MaxAnswerWords {
		return nil, false, false
	}
	if !l.AsksOpen() {
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
		return []tools.Intent{choice[0].pressed()}, false, true
	}
	if len(choice) > 0 && len(yes) == 0 {
		out, ok = l.chosenOf(choice, turn, s)
		return l.surely(out, turn), false, ok
	}
	label := ""
	for _, b := range buttons { // also what stands on it may be said
		if said := strings.EqualFold(b.label, s.All()) || b.isSaid(s, len(choice) > 0); said && (label == "" || label == b.label) {
			label = b.label
			out = append(out, b.pressed())
		}
	}
	if len(out) == 0 && len(choice) > 0 && isYes(s) {
		return []tools.Intent{{Tool: buttons[0].tool, Ask: say("spoken.once_or_good", nil)}}, false, true
	}
	return l.surely(out[:min(len(out), tools.MaxCalls)], turn), false, len(out) > 0
}

// surely is what an answer asks for, unless something that wasn't understood stands between it and
// the question, and it would destroy something: then that is asked again.
func (l Talk) surely(wanted []tools.Intent, turn language.Turn) []tools.Intent {
	last, _ := l.Last()
	if !language.IsUnclear(last.Said) || len(last.Done) > 0 || !slices.ContainsFunc(wanted, func(in tools.Intent) bool { return in.Params["confirmed"] == true }) {
		return wanted
	}
	again, asked := wanted[0], questionsIn(turn.Done)
	if len(asked) == 0 {
		asked = []speech.Message{speech.InWords(turn.Reply)}
	}
	again.Ask, again.Behind, again.Offer = asked[0], asked[1:], len(wanted) == 1
	return []tools.Intent{again}
}

// isSaid reports whether an answer is the one that stands on a button.
func (b button) isSaid(s sentences.Said, spares bool) bool {
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
func (l Talk) chosenOf(choice []button, turn language.Turn, s sentences.Said) ([]tools.Intent, bool) {
	for s.Is(0, "no", "yes", "ok", "okay", "oh", "please", "i", "mean", "meant", "just", "only", "well", "sure") && len(s.Words) > 1 {
		s = s.From(1)
	}
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, "please", "thanks") {
		s = s.UpTo(len(s.Words) - 1)
	}
	told := l.MentionedIn(turn.Done)
	things := make([]hearing.Mentioned, len(choice))
	for i, b := range choice {
		things[i] = hearing.Mentioned{Tool: b.tool, Text: b.label}
		for _, m := range told {
			if m.ID == b.params["which"] {
				things[i] = m
			}
		}
	}
	said, answers := tongues.AnswerIn(l.P.Asked.Text)
	answers = answers && !said.No()
	if _, both := s.Any("both", "both of? them|those|these?", "the two of? them?", "them both", "both reminders|alarms|appointments|meetings|events|tasks|lists|memories"); both || answers && said.Both() {
		if len(choice) != 2 {
			return []tools.Intent{{Tool: choice[0].tool, Ask: say("spoken.which", args{"how": speech.Kind("more")})}}, true
		}
		return together(choice), true
	}
	if _, all := s.Any("all", "all of? them|those|these?", "everything", "every one", "each", "each of them", "all three|four|five|six|seven|eight of? them?", "them all", "every one of them"); all || answers && said.All() {
		if namesMore(turn) || len(choice) < 2 {
			return nil, false
		}
		return together(choice), true
	}
	if c, but := s.Any("all|everything of? them? but|except|besides|save for? *which"); but {
		at, one := l.pointsAt(things, c.Sentence("which"))
		if !one {
			return nil, false
		}
		return together(slices.Delete(slices.Clone(choice), at, at+1)), true
	}
	for n := 2; n < len(choice); n++ { // the first two
		number := sentences.Phrase(counted[n-1] + "|" + strconv.Itoa(n))
		if _, first := s.Any("the? first "+number+" of? them|those|these?", "the? first "+number); first {
			return together(choice[:n]), true
		}
		if _, last := s.Any("the? last "+number+" of? them|those|these?", "the? last "+number); last {
			return together(choice[len(choice)-n:]), true
		}
	}
	var out []button
	parts := [][2]int{{0, len(s.Words)}}
	for i := range s.Words {
		if s.Is(i, "and") && i > 0 && i+1 < len(s.Words) {
			parts = [][2]int{{0, i}, {i + 1, len(s.Words)}}
		}
	}
	if at, one := l.pointsAt(things, s); one {
		return []tools.Intent{choice[at].pressed()}, true
	}
	if near := l.alike(things, s); len(near) > 1 && len(near) < len(things) {
		return []tools.Intent{{Tool: choice[0].tool, Ask: l.which(near)}}, true
	}
	for _, p := range parts { // the first and the third
		at, one := l.pointsAt(things, s.From(p[0]).UpTo(p[1]-p[0]))
		if !one || len(parts) == 1 {
			return nil, false
		}
		out = append(out, choice[at])
	}
	return together(out), true
}

// together are several choices of a question: one call where the skill takes several ids.
func together(all []button) []tools.Intent {
	ids := make([]string, 0, len(all))
	param := "which"
	if all[0].tool == tools.SkillForget {
		param = "what"
	}
	for _, b := range all {
		id, ok := b.params[param].(string)
		if !ok || !plans.IsID(id) || b.tool != all[0].tool {
			ids = nil
			break
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 || len(all) == 1 {
		out := make([]tools.Intent, 0, len(all))
		for _, b := range all {
			out = append(out, b.pressed())
		}
		return out
	}
	in := all[0].pressed().With(param, strings.Join(ids, " and "))
	if action := in.Params["action"]; action == "cancel" || action == "drop" || action == "done" || action == "complete" {
		in = in.With("confirmed", true)
	}
	return []tools.Intent{in}
}

// pointsAt is the place of the only thing that words point at among several: by its place, its
// words, its day or its time.
func (l Talk) pointsAt(things []hearing.Mentioned, s sentences.Said) (int, bool) {
	bare := s
	for bare.Is(0, "the", "that", "this", "my") && len(bare.Words) > 1 {
		bare = bare.From(1)
	}
	for len(bare.Words) > 1 && bare.Is(len(bare.Words)-1, "one", "reminder", "alarm", "appointment", "meeting", "event", "task", "plan", "list") {
		bare = bare.UpTo(len(bare.Words) - 1)
	}
	if bare.Is(0, "one") && len(bare.Words) > 1 {
		bare = bare.From(1)
	}
	for i, words := range ordinals {
		if _, ok := bare.Any(sentences.Phrase(words), sentences.Phrase("number|no|option "+words), sentences.Phrase("number|no|option "+counted[i])); ok {
			return i, i < len(things)
		}
	}
	if _, ok := bare.Any("last"); ok {
		return len(things) - 1, len(things) > 0
	}
	if _, ok := bare.Any("next|earliest|soonest|nearest"); ok && len(things) > 0 && !slices.ContainsFunc(things, func(m hearing.Mentioned) bool { return m.Start == 0 }) {
		first := slices.MinFunc(things, func(a, b hearing.Mentioned) int { return cmp.Compare(a.Start, b.Start) })
		return slices.Index(things, first), true
	}
	for i, m := range things {
		if strings.EqualFold(m.Text, bare.All()) && !slices.ContainsFunc(things[i+1:], func(o hearing.Mentioned) bool { return strings.EqualFold(o.Text, m.Text) }) {
			return i, true
		}
	}
	for bare.Is(0, "about", "for", "with", "of", "in", "at", "from", "named", "called") && len(bare.Words) > 1 {
		bare = bare.From(1)
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
func (l Talk) alike(things []hearing.Mentioned, s sentences.Said) (out []hearing.Mentioned) {
	for _, m := range things {
		if _, one := l.pointsAt([]hearing.Mentioned{m}, s); one {
			out = append(out, m)
		}
	}
	return out
}

// maxChosen bounds the plans that a question of the model names.
const maxChosen = 8

// ordinals are the words for the place of one among several.
var ordinals = []string{"first|1st|1", "second|2nd|2", "third|3rd|3", "fourth|4th|4", "fifth|5th|5", "sixth|6th|6", "seventh|7th|7", "eighth|8th|8"}

// timed is the only thing that lies in a period that words are; found is how many do.
func (l Talk) timed(things []hearing.Mentioned, s sentences.Said) (at, found int) {
	text := strings.TrimSuffix(strings.TrimSuffix(s.All(), "'s"), "’s")
	w, rest, err := l.Narrow(text)
	if err != nil || strings.TrimSpace(rest) != "" {
		return -1, 0
	}
	best := when.Outside
	for i, m := range things {
		if m.Start == 0 {
			continue
		}
		switch fit := w.Fits(m.Start, m.End, l.Zone()); {
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
func (l Talk) worded(things []hearing.Mentioned, s sentences.Said) (at, found int) {
	for i, m := range things {
		in, readable := sentences.Read(m.Text + " " + m.Due + " " + m.Around)
		if readable && !slices.ContainsFunc(s.Words, func(w sentences.Word) bool { return !sentences.EmptyWords[w.Lower] && !hasStart(in, w.Lower) }) && slices.ContainsFunc(s.Words, func(w sentences.Word) bool { return !sentences.EmptyWords[w.Lower] }) {
			at, found = i, found+1
		}
	}
	return at, found
}

// Leaving is the answer to a no.
func (l Talk) Leaving() speech.Message {
	turn, ok := l.Questioning()
	switch {
	case !ok || len(l.P.Steers) > 0:
		return say("nothing_done", nil)
	case slices.ContainsFunc(turn.Done, l.HasChanged):
		return say("nothing_else_done", nil)
	}
	if _, short := tongues.AnswerIn(turn.Prompt); short || turn.Prompt == "" {
		return say("left", nil)
	}
	return say("left", args{"what": speech.Text{Words: sentences.Cut(sentences.OneLine(turn.Prompt), maxLeftBytes)}})
}

// maxLeftBytes bounds what is named of what isn't done.
const maxLeftBytes = 80

// Under is one that stops reading when ctx ends: what it hears then isn't all that was said.
func (l Talk) Under(ctx context.Context) Talk {
	l.Ended = func() bool { return ctx.Err() != nil }
	return l
}

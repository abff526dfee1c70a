package cards

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Bounds of a card.
const (
	maxPlanBytes = 60 // of a plan in a headline
	maxGistBytes = 80
)

// card is what a finding is shown as: a headline, a sentence that says why, and buttons.
func (b bearing) card(p language.Prompt) (headline string, blocks []domain.Block) {
	lead, readable := b.lead()
	if !readable {
		headline = "Something about " + sentences.Mention(sentences.Cut(sentences.OneLine(b.on.Label), maxPlanBytes)) + " that I don't repeat"
		blocks = []domain.Block{sentences.Plain(b.unrepeated(lead.Signal, p.AsOf)), sentences.LeadsTo("/traces/"+lead.Signal.EnvelopeID.String(), "See it as it came")}
		return headline, append(blocks, domain.ActionsBlock(b.buttons(p, lead, news{})...))
	}
	n, plainly := b.news(lead, p)
	return b.headline(lead, n, plainly), []domain.Block{sentences.Plain(b.reason(lead, p.AsOf)), domain.ActionsBlock(b.buttons(p, lead, n)...)}
}

// lead is the signal that a card is about: the strongest of those whose words may be repeated.
func (b bearing) lead() (language.Related, bool) {
	for _, r := range b.heard {
		if len(r.Signal.Flags) == 0 {
			return r, true
		}
	}
	return b.heard[0], false
}

// news is what a signal plainly says of the plan; false when it says nothing so, or of another day.
func (b bearing) news(r language.Related, p language.Prompt) (news, bool) {
	n, ok := newsIn(r.Signal.Label)
	if !ok || b.isOtherDay(n, r, p) {
		return news{}, false
	}
	return n, true
}

// isOtherDay reports whether news names one day, on which the plan isn't.
func (b bearing) isOtherDay(n news, r language.Related, p language.Prompt) bool {
	text := n.subject
	if n.to == "" {
		text += " " + n.says
	}
	if day, _ := when.Parts(text, saidAt(r, p.AsOf), p.Zone); !day || b.on.Moment == 0 || strings.Contains(n.says, "until") || strings.Contains(n.says, "from") {
		return false
	}
	at, err := when.Parse(text, saidAt(r, p.AsOf), p.Zone)
	if err != nil || at.Recurrence != nil {
		return false
	}
	on := b.on.Moment
	if strings.Contains(strings.ToLower(text), "night") {
		on = on.Add(-intoTheNight)
	}
	named := dayIn(at.At, p.Zone)
	return named != dayIn(b.on.Moment, p.Zone) && named != dayIn(on, p.Zone)
}

// intoTheNight is how long a night lasts into the day after: what is closed tonight is closed at
// half past midnight, too.
const intoTheNight = 5 * time.Hour

// saidAt is when a signal was said.
func saidAt(r language.Related, now domain.Millis) domain.Millis {
	if r.Signal.RecordedAt == 0 {
		return now
	}
	return r.Signal.RecordedAt
}

func dayIn(at domain.Millis, zone *time.Location) string {
	return at.Time().In(zone).Format(time.DateOnly)
}

// headline is the news in one line. What nothing plainer can be said of has the plan's name and
// the gist in the signal's own words.
func (b bearing) headline(r language.Related, n news, plainly bool) string {
	name := sentences.Cut(sentences.OneLine(b.on.Label), maxPlanBytes)
	var noun string
	if b.on.Kind.IsPlan() {
		noun = eventOf(n.subject, b.on.Label)
	}
	gist := sentences.Cut(n.subject+" "+n.says, maxGistBytes)
	switch {
	case !plainly:
		gist = sentences.Mention(sentences.Cut(firstSentence(r.Signal.Label), maxGistBytes))
	case noun != "" && b.more:
		return "More on your " + noun + ": it " + n.says
	case noun != "":
		return "Your " + noun + " " + n.says
	}
	switch {
	case b.more:
		about := sentences.Mention(name)
		if noun = eventOf(r.Signal.Label, b.on.Label); noun != "" && b.on.Kind.IsPlan() {
			about = "your " + noun
		}
		return "More on " + about + ": " + gist
	case b.on.Kind == domain.ItemQuestion:
		return "You asked " + sentences.Mention(name) + ": " + gist
	case plainly:
		return upperFirst(gist) + ": " + name
	}
	return upperFirst(name) + ": " + gist
}

// firstSentence is how a text begins.
func firstSentence(text string) string {
	text = sentences.OneLine(text)
	for i, r := range text {
		if rest := text[i+utf8.RuneLen(r):]; (r == '.' || r == '!') && (rest == "" || rest[0] == ' ') && i > 0 {
			return text[:i]
		}
	}
	return text
}

func upperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// reason says in one sentence what a card rests on.
func (b bearing) reason(r language.Related, now domain.Millis) string {
	text := "I heard "
	if source := sentences.Cut(sentences.OneLine(r.Signal.Source), sentences.MaxNameBytes); source != "" {
		text = upperFirst(source) + " says "
	}
	text += sentences.Mention(strings.TrimRight(sentences.OneLine(r.Signal.Label), ". "))
	if more := len(b.heard) - 1; more > 0 {
		text += " (and " + sentences.Count(more, "more signal has", "more signals have") + " to do with it)"
	}
	return text + ", and " + b.planned(now) + "."
}

// planned says of the plan when it is due.
func (b bearing) planned(now domain.Millis) string {
	plan := sentences.KindWord(b.on.Kind) + " " + sentences.Mention(b.on.Label)
	switch left := b.on.Moment.Sub(now); {
	case b.on.Kind == domain.ItemQuestion:
		return "you asked " + sentences.Mention(b.on.Label) + " " + sentences.Ago(b.on.RecordedAt, now)
	case b.on.Kind == domain.ItemEntry:
		return sentences.Mention(b.on.Label) + " is on a list of yours"
	case b.on.Moment == 0:
		return "you have the " + plan
	case left < 0:
		return "your " + plan + " was due " + sentences.Span(-left) + " ago"
	default:
		return "your " + plan + " is due in " + sentences.Span(left)
	}
}

// unrepeated is that of a signal whose words try something with whoever reads them.
func (b bearing) unrepeated(signal language.ContextItem, now domain.Millis) string {
	return fmt.Sprintf("%s sent %s that has to do with it, whose words try something with whoever reads them, and %s.", upperFirst(SenderOf(signal)), signalKind(signal), b.planned(now))
}

// signalKind names a signal without its words.
func signalKind(signal language.ContextItem) string {
	if kind := sentences.Cut(sentences.OneLine(signal.SignalType), sentences.MaxNameBytes); kind != "" && len(guard.Threats(kind)) == 0 {
		return "a signal of the kind " + sentences.Mention(strings.ReplaceAll(kind, "_", " "))
	}
	return "a signal"
}

// buttons are what may follow from a card.
func (b bearing) buttons(p language.Prompt, lead language.Related, n news) []domain.Button {
	var out []domain.Button
	if move, ok := b.move(p, lead, n); ok {
		out = append(out, move)
	}
	if n.gone {
		if look, ok := b.alternative(p); ok {
			out = append(out, look)
		}
	}
	return append(out, Buttons(b.on.EnvelopeID, b.signals(), lead.Signal)...)
}

// signals are the ids of what was heard.
func (b bearing) signals() []domain.ID {
	ids := make([]domain.ID, 0, len(b.heard))
	for _, r := range b.heard[:min(len(b.heard), language.MaxEvidence-1)] {
		ids = append(ids, r.Signal.EnvelopeID)
	}
	return ids
}

// move is the button that moves the plan to its new time: to the moment that it says.
func (b bearing) move(p language.Prompt, lead language.Related, n news) (domain.Button, bool) {
	skill := map[domain.ItemKind]string{domain.ItemReminder: tools.SkillReminder, domain.ItemAppointment: tools.SkillAppointment, domain.ItemTask: tools.SkillTask}[b.on.Kind]
	at, ok := b.newTime(p, lead, n)
	if skill == "" || !ok {
		return domain.Button{}, false
	}
	moment := at.Time().In(p.Zone)
	params := map[string]any{"action": "move", "which": b.on.EnvelopeID.UUID(), "when": moment.Format("on 2 January 2006 at 15:04")}
	if skill == tools.SkillTask {
		params["action"], params["deadline"] = "move", params["when"]
		delete(params, "when")
	}
	return domain.Button{Label: "Move it to " + moment.Format("Monday 2 January at 15:04"), Skill: skill, Params: params}, true
}

// newTime is when the plan is to be by what a signal says: a day or a time of day alone leaves
// the other as it was planned. False where that isn't plain.
func (b bearing) newTime(p language.Prompt, lead language.Related, n news) (domain.Millis, bool) {
	if n.to == "" || b.on.Moment == 0 || b.on.Phase == domain.PhaseDone || len(lead.Signal.Flags) > 0 {
		return 0, false
	}
	now := saidAt(lead, p.AsOf)
	day, clock := when.Parts(n.to, now, p.Zone)
	at, err := when.Parse(n.to, now, p.Zone)
	if err != nil || at.Recurrence != nil || !day && !clock {
		return 0, false
	}
	was, is := b.on.Moment.Time().In(p.Zone), at.At.Time().In(p.Zone)
	if !day {
		is = time.Date(was.Year(), was.Month(), was.Day(), is.Hour(), is.Minute(), 0, 0, p.Zone)
	}
	if !clock {
		is = time.Date(is.Year(), is.Month(), is.Day(), was.Hour(), was.Minute(), 0, 0, p.Zone)
	}
	const half = 12 * time.Hour
	if bare := clock && !sentences.SaysHalf(n.to) && is.Hour() < 10 && was.Hour() >= 12 && !strings.Contains(n.to, "0"+is.Format("3")+":"); bare {
		is = is.Add(half) // 7:30, of a play in the evening
	}
	moved := domain.MillisOf(is)
	return moved, moved != b.on.Moment && moved > p.AsOf && !b.namesOtherTime(lead, was, p)
}

// wasAt finds the time that something had before: instead of 7pm, from 19:00 to 20:00.
var wasAt = regexp.MustCompile(`(?i)\b(?:instead of|not|from)(?: at)? (\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\.?)?)`)

// namesOtherTime reports whether a signal says that it was to be at another time than the plan
// is: what that moves to is another thing then.
func (b bearing) namesOtherTime(lead language.Related, was time.Time, p language.Prompt) bool {
	m := wasAt.FindStringSubmatch(sentences.OneLine(lead.Signal.Label))
	if m == nil {
		return false
	}
	at, err := when.Parse("at "+strings.TrimSpace(m[1]), saidAt(lead, p.AsOf), p.Zone)
	if err != nil {
		return false
	}
	before := at.At.Time().In(p.Zone)
	return before.Minute() != was.Minute() || before.Hour()%12 != was.Hour()%12
}

// alternative is the button that looks for another one, by a tool of an interface that finds
// such things: its words share what the plan is about. It is asked for the time of the plan, and
// for nothing that isn't known.
func (b bearing) alternative(p language.Prompt) (domain.Button, bool) {
	plan, ok := sentences.Read(b.on.Label)
	if !ok || len(p.Offerable) == 0 {
		return domain.Button{}, false
	}
	p.Tools = p.Offerable
	l := tools.NewChooser(p)
	l.Known.Read(p.Tools)
	about := tools.HeardIn(plan).Terms
	if slices.ContainsFunc(plan.Words, func(w sentences.Word) bool { return sentences.EatingOut[w.Lower] }) {
		about = append(about, tools.TermOf("table"), tools.TermOf("restaurant")) // that is what is looked for then
	}
	var best domain.Button
	most := 0
	for i := range l.Known.Tools {
		c := &l.Known.Tools[i]
		shared := 0
		for _, t := range about {
			if c.Terms[t] >= tools.InDescription && !slices.Contains(c.Whose, t) {
				shared++
			}
		}
		if shared <= most || !finds(c) {
			continue
		}
		if one, ok := b.lookBy(l, c); ok {
			best, most = one, shared
		}
	}
	return best, most > 0
}

// finds reports whether a tool looks for what is to be had, and not for what is there already.
func finds(c *tools.Candidate) bool {
	switch {
	case !c.Looks || len(c.Offered.Flags) > 0:
		return false
	case slices.Contains([]string{"find", "search", "look", "lookup", "browse", "explore"}, c.Verb):
		return true
	}
	return slices.Contains([]string{"list", "get", "show", "check"}, c.Verb) && tools.HasWordIn(c.Offered.Description, "available", "free", "open", "other", "alternative", "alternatives", "options", "connections", "departures")
}

// lookBy is the button of a tool; false when it needs something that isn't known.
func (b bearing) lookBy(l tools.Chooser, c *tools.Candidate) (domain.Button, bool) {
	var thing string
	for _, w := range tools.NameWords(c.Offered.Name) {
		if tools.Verbs[w] == 0 && !tools.IsFiller(w) {
			thing = w
		}
	}
	if thing == "" {
		return domain.Button{}, false
	}
	words := "find " + thing
	if b.on.Moment > l.P.AsOf {
		words += b.on.Moment.Time().In(l.P.Zone).Format(" on 2006-01-02 at 15:04")
	}
	asked, ok := sentences.Read(words)
	if !ok {
		return domain.Button{}, false
	}
	f := l.Fill(asked, c, tools.Heard{}, true, false)
	if len(f.Missing()) > 0 || f.HasUnread() || !tools.Takes(c.Offered, f.Params) {
		return domain.Button{}, false
	}
	return domain.Button{Label: tools.LookForAnother + strings.TrimSuffix(sentences.Cut(thing, maxSenderBytes), "s") + "?", Skill: c.Offered.Name, Params: f.Params}, true
}

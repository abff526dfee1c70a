package hearing

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Mentioned is a plan that was spoken of.
type Mentioned struct {
	Tool   string // the skill that keeps it
	ID     string // "" where only its words are known
	Text   string
	Due    string // when it is, in words; "" for none
	Around string // where it is and with whom
	Start  domain.Millis
	End    domain.Millis
	recurs bool
	Once   bool // of one that comes back this time was spoken of
	Ended  bool
}

// which is how a skill finds it.
func (m Mentioned) which() string { return cmp.Or(m.ID, m.Text) }

// To is what is to happen to a plan that was spoken of.
func (m Mentioned) To(action, moment string) tools.Intent {
	in := tools.Intent{Tool: m.Tool, Params: map[string]any{"action": action, "which": m.which()}, Subject: "which"}
	switch {
	case m.Tool == tools.SkillTask, m.Due == "":
	case m.ID == "":
		in.Params["during"] = m.Due
	case m.Once && (action == "cancel" || action == "skip" || action == "move"):
		in.Params["during"] = m.Due
	}
	switch {
	case action == "move":
		in.Moment = plans.MomentOf(m.Tool)
		in.Params[in.Moment] = moment
	case m.Tool == tools.SkillTask && action == "cancel":
		in.Params["action"] = "drop"
	case m.Tool == tools.SkillTask && action == "done":
		in.Params["action"] = "complete"
	case m.Tool == tools.SkillAppointment && action == "done":
		in.Params["action"] = "cancel"
	}
	return in
}

// Made is the one plan that the last reply tells of: it was set, moved or changed, or asked about.
type Made struct {
	Mentioned
	At    string // when it is, as it was told
	Again bool   // it comes back
	Asked bool   // the reply asks when it should be instead
	Gone  bool   // it was taken back: at another time it is set anew
	Alone bool   // it is one time of what otherwise stays as it is
}

// To is a change of the plan.
func (m Made) To(action string) tools.Intent {
	in := m.Mentioned.To(action, "")
	delete(in.Params, in.Moment)
	return in
}

// IsDay reports whether words are the day by which a plan comes back: the 3rd of every month, a date
// of every year.
func (m Made) IsDay(text string) bool {
	return strings.HasPrefix(m.At, "every year") && dateAlone.MatchString(text) || strings.HasPrefix(m.At, "every month") && OfSeries.MatchString(text)
}

// Spoken are the plans that the latest turn that told of any told of. One that wasn't understood, or
// only was small talk, lies between without a change; one that did something else doesn't.
func (l Listener) Spoken() []Mentioned {
	all := l.Turns()
	for i, turn := range slices.Backward(all) {
		if told := l.MentionedIn(turn.Done); len(told) > 0 {
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

// mentionedBy is the plan that the data of an answer names; false for none.
func (l Listener) mentionedBy(d spokenData) (Mentioned, bool) {
	m := Mentioned{Text: d.Text, Around: d.Around, Start: cmp.Or(d.Due, d.Start, d.Deadline), End: d.End, recurs: d.Recurs, Once: d.Once, Ended: d.Ended}
	for _, kind := range []struct{ tool, id string }{{tools.SkillReminder, d.ReminderID}, {tools.SkillAppointment, d.AppointmentID}, {tools.SkillTask, d.TaskID}} {
		if kind.id != "" {
			m.Tool, m.ID = kind.tool, kind.id
		}
	}
	if m.Start != 0 {
		m.Due = when.Say(m.Start, l.P.AsOf, l.Zone())
	}
	return m, m.ID != ""
}

// MentionedIn are the plans that calls of skills told of, each once, as it was told last.
func (l Listener) MentionedIn(calls []language.Done) (out []Mentioned) {
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
			out = append(slices.DeleteFunc(out, func(o Mentioned) bool { return o.ID == m.ID && o.Start == m.Start }), m)
		}
	}
	return out
}

// mentionedIn takes a line about a plan apart: its words, a comma, and when it is.
func mentionedIn(tool, item string) Mentioned {
	for _, sign := range []string{", today", ", tomorrow", ", on ", ", every ", ", due ", ", was due ", ", in "} {
		if at := strings.Index(item, sign); at > 0 {
			return Mentioned{Tool: tool, Text: item[:at], Due: dayOf(item[at+2:])}
		}
	}
	text, _, _ := strings.Cut(item, " (")
	return Mentioned{Tool: tool, Text: strings.TrimSuffix(text, ".")}
}

// mentions are the plans that a reply spoke of whose results aren't known, in their order. What others say is marked at
// the beginning of every line, and is none of them.
func mentions(reply string) []Mentioned {
	var out []Mentioned
	for line := range strings.Lines(reply) {
		line = strings.TrimSpace(line)
		for _, c := range confirmations {
			rest, ok := strings.CutPrefix(line, c.begins)
			if !ok {
				continue
			}
			if !c.timeFirst {
				out = append(out, mentionedIn(c.tool, rest))
			} else if due, text, ok := strings.Cut(rest, ": "); ok {
				due, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(due, "this once "), "once more "), ", first ")
				if end := standing.FindStringIndex(text); end != nil {
					text = text[:end[0]]
				}
				out = append(out, Mentioned{Tool: c.tool, Text: text, Due: dayOf(due)})
			}
		}
		if m, ok := MadeIn(line); ok && m.Asked {
			out = append(out, m.Mentioned)
		}
		for _, one := range Choices(line) {
			out = append(out, Mentioned{Tool: nounOf(line), Text: one.Text, Due: one.Due})
		}
	}
	return out
}

// MadeIn finds the one plan that a reply tells of.
func MadeIn(reply string) (Made, bool) {
	for tool, question := range InsteadAsked {
		about, ok := strings.CutPrefix(reply, question)
		if of := askedAbout.FindStringSubmatch(about); ok && of != nil {
			m := Made{Mentioned: Mentioned{Tool: tool, Text: of[1], Due: dayOf(of[2])}, At: of[2], Asked: true, Again: strings.HasPrefix(of[2], "every ")}
			return m, true
		}
	}
	var m Made
	if said, ok := strings.CutPrefix(reply, "I'll remind you "); ok {
		m.Tool = tools.SkillReminder
		said, m.Alone = strings.CutPrefix(said, "this once ")
		said = strings.TrimPrefix(said, "once more ")
		m.At, m.Text, _ = strings.Cut(said, ": ")
		if end := standing.FindStringIndex(m.Text); end != nil {
			m.Text = m.Text[:end[0]]
		}
	} else if told := appointmentTold.FindStringSubmatch(reply); told != nil {
		m.Tool, m.Text, m.Alone = tools.SkillAppointment, told[1], strings.HasPrefix(reply, "Moved this once: ")
		m.At = strings.TrimPrefix(reply[strings.Index(reply, told[1])+len(told[1]):], ", ")
	} else if said, ok := strings.CutPrefix(reply, "Task: "); ok {
		m.Tool, m.Text = tools.SkillTask, said
		if i := strings.LastIndex(said, ", due "); i >= 0 {
			m.Text, m.At = said[:i], said[i+len(", due "):]
		}
	}
	if m.Text == "" || strings.ContainsRune(reply, '\n') || strings.HasSuffix(m.Text, "…") {
		return Made{}, false
	}
	return m.timed(), true
}

// timed is a plan with when it is taken apart, as it was told.
func (m Made) timed() Made {
	m.At, _, m.Again = strings.Cut(m.At, ", first ")
	m.At, _, _ = strings.Cut(m.At, ", all day")
	m.Again = m.Again || strings.HasPrefix(m.At, "every ")
	m.At, _, _ = strings.Cut(m.At, " (")
	m.Due = dayOf(dated(m.At))
	if span := clocked.FindStringSubmatch(m.At); span != nil { // of an appointment
		m.At = span[1] + " at " + span[2]
		m.Due = dayOf(dated(span[1])) + " at " + span[2]
	}
	if m.Again {
		m.Due = "" // how it comes back tells nothing
	}
	return m
}

// ToldBy is the one plan that a turn tells of: by its values, where they are known, and else by its words.
func (l Listener) ToldBy(turn language.Turn) (Made, bool) {
	says, ok := turn.Values()
	if !ok {
		return MadeIn(turn.Reply)
	}
	if len(says) != 1 {
		return Made{}, false
	}
	return l.madeBy(says[0])
}

// madeBy is the plan that a message says was set or moved.
func (l Listener) madeBy(says speech.Message) (Made, bool) {
	what, _ := says.Args["what"].(speech.Text)
	m := Made{Mentioned: Mentioned{Tool: tools.SkillReminder, Text: what.Words}}
	switch says.ID {
	case "task.made":
		m.Tool = tools.SkillTask
		if until := says.Args["until"]; until != nil {
			m.At = l.inWords(until, "full")
		}
		return m.timed(), true
	case "alarm.new":
		alarm, _ := says.Args["alarm"].(speech.Kind)
		m.Text = strings.ReplaceAll(string(alarm), "_", " ")
	case "alarm.named":
		m.Text = "alarm: " + what.Words
	case "reminder.new", "reminder.once_more":
	case "reminder.this_once":
		m.Alone = true
	case "undo.done":
		return l.takenBack(says)
	default:
		return Made{}, false
	}
	m.At = l.inWords(says.Args["times"], "")
	return m.timed(), true
}

// takenBack is the only plan that a message says is as it was before, or removed.
func (l Listener) takenBack(says speech.Message) (Made, bool) {
	all, _ := says.Args["back"].(speech.List)
	if len(all) != 1 || says.Args["left"] != nil {
		return Made{}, false
	}
	back, _ := all[0].(speech.Message)
	if !slices.Contains([]speech.ID{"undone.removed", "undone.back", "undone.again"}, back.ID) {
		return Made{}, false
	}
	kind, _ := back.Args["kind"].(speech.Kind)
	what, _ := back.Args["what"].(speech.Text)
	tool := map[speech.Kind]string{"reminder": tools.SkillReminder, "appointment": tools.SkillAppointment, "task": tools.SkillTask}[kind]
	m := Made{Mentioned: Mentioned{Tool: tool, Text: what.Words}, Again: back.Args["again"] != nil, Gone: back.ID == "undone.removed"}
	for _, at := range []string{"at", "due", "span", "again"} {
		if v := back.Args[at]; v != nil {
			m.At = l.inWords(v, "")
		}
	}
	return m, tool != "" && (!m.Gone || tool == tools.SkillReminder)
}

// inWords is a value in the words in which times are read.
func (l Listener) inWords(v speech.Value, style string) string {
	return speech.English().Value(v, speech.Voice{Now: l.P.AsOf, Zone: l.Zone()}, style)
}

// Made is the plan that was told of last, when it was one: by its id, where that is known.
func (l Listener) Made() (Made, bool) {
	last, ok := l.Last()
	m, told := l.ToldBy(last)
	if !ok || told && m.Gone {
		return m, ok
	}
	spoken := l.Spoken()
	if told && m.Asked {
		for _, turn := range slices.Backward(l.Turns()) {
			if of := l.MentionedIn(turn.Done); len(of) == 1 && of[0].Text == m.Text && !of[0].Ended {
				m.Mentioned = of[0]
				break
			}
		}
		return m, true
	}
	if len(spoken) != 1 || spoken[0].Ended || spoken[0].ID == "" {
		return m, told && len(last.Done) == 0
	}
	plan := spoken[0]
	m = Made{At: plan.Due, Again: plan.recurs && !plan.Once}
	for _, turn := range slices.Backward(l.Turns()) {
		if as, ok := l.ToldBy(turn); ok && as.Text == plan.Text && as.Again == m.Again {
			m = as
			break
		}
	}
	m.Mentioned = plan
	return m, true
}

// dated is a time as it was told without today and tomorrow before its date: the reply may be of
// another day.
func dated(told string) string {
	if day, date, ok := strings.Cut(told, ", "); ok && (day == "today" || day == "tomorrow") {
		return "on " + date
	}
	return told
}

// dayOf is when a plan is, as it was told, so that the skill finds it by that: its day, and the
// time at which it begins. How one comes back tells nothing.
func dayOf(told string) string {
	told = strings.TrimPrefix(told, "due ")
	day, date, _ := strings.Cut(told, ",")
	if _, clock, ok := strings.Cut(date, " at "); ok && (day == "today" || day == "tomorrow") {
		day += " at " + clock // the date says the same again
	}
	day, _, _ = strings.Cut(day, " (")
	words := strings.Fields(strings.TrimSuffix(day, "."))
	if len(words) == 0 || words[0] == "every" || words[0] == "was" {
		return ""
	}
	for i, w := range words {
		if strings.ContainsRune(w, ':') && i > 0 {
			if words[i-1] != "at" {
				return strings.Join(words[:i], " ") + " at " + w
			}
			return strings.Join(words[:i+1], " ")
		}
	}
	return strings.Join(words, " ")
}

// Choices are what a question of Chalie's names: Which task is meant: "a", "b"?
func Choices(reply string) []Choice {
	_, question, asked := strings.Cut(reply, " is meant")
	if !asked || !strings.HasPrefix(reply, "Which ") {
		return nil
	}
	var out []Choice
	for {
		at := strings.IndexByte(question, '"')
		if at < 0 {
			return out
		}
		quotedText, err := strconv.QuotedPrefix(question[at:])
		if err != nil {
			return out
		}
		one := Choice{}
		if one.Text, err = strconv.Unquote(quotedText); err != nil {
			return out
		}
		question = question[at+len(quotedText):]
		if due, ok := strings.CutPrefix(question, " ("); ok {
			if due, rest, ok := strings.Cut(due, ")"); ok {
				one.Due, question = due, rest
			}
		}
		out = append(out, one)
	}
}

// nounOf is the skill of the plans that a question names: Which reminder is meant: …?
func nounOf(question string) string {
	switch {
	case strings.HasPrefix(question, "Which appointment"):
		return tools.SkillAppointment
	case strings.HasPrefix(question, "Which task"):
		return tools.SkillTask
	}
	return tools.SkillReminder
}

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

// confirmations are how answers begin that tell of one plan: the skill that keeps it, and
// whether the time stands first.
var confirmations = []struct {
	begins, tool string
	timeFirst    bool
}{
	{"I'll remind you ", tools.SkillReminder, true}, {"Appointment: ", tools.SkillAppointment, false}, {"Moved: ", tools.SkillAppointment, false}, {"Changed: ", tools.SkillAppointment, false},
	{"Moved this once: ", tools.SkillAppointment, false}, {"Task: ", tools.SkillTask, false},
}

// standing is what follows a reminder that was moved once.
var standing = regexp.MustCompile(`\. (?:Otherwise it|It) stays `)

// InsteadAsked are the questions for another time, of the plans of each skill.
var InsteadAsked = map[string]string{tools.SkillReminder: "When should I remind you instead: ", tools.SkillAppointment: "When should it be instead: ", tools.SkillTask: "By when should it be done instead: "}

// askedAbout is what such a question names.
var askedAbout = regexp.MustCompile(`^“([^”\n]+)”(?: \(([^)\n]+)\))?\?$`)

// appointmentTold finds what an appointment is in the reply that says that it was made.
var appointmentTold = regexp.MustCompile(`^(?:Appointment|Moved|Changed|Moved this once): ([^\n]+?), (?:every |today|tomorrow|on )`)

// clocked is when an appointment is, from when to when, as it is told.
var clocked = regexp.MustCompile(`^(.+?), (\d\d:\d\d) to \d`)

// dateAlone is a date without a year.
var dateAlone = regexp.MustCompile(`(?i)^(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)$`)

// OfSeries is a day by which something comes back: a day of the week or of the month.
var OfSeries = regexp.MustCompile(`(?i)^(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d{1,2}(?:st|nd|rd|th))(?: (?:at )?[\d:]+ ?(?:am|pm)?)?$`)

// Choice is one of the things that a question names.
type Choice struct{ Text, Due string }

// Named is the only one that has all words of an answer, or nothing but them.
func Named(all []Choice, answer sentences.Said) (at int, ok bool) {
	at, found := -1, 0
	for i, one := range all {
		words, readable := sentences.Read(one.Text + " " + one.Due)
		if !readable {
			continue
		}
		if strings.EqualFold(one.Text, answer.All()) && one.Due == "" {
			return i, true
		}
		has := true
		for _, w := range answer.Words {
			has = has && (sentences.HasAny(words, w.Lower) || w.Lower == "the" || w.Lower == "one")
		}
		if has {
			at, found = i, found+1
		}
	}
	return at, found == 1
}

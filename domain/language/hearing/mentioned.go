package hearing

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/plans"
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
	At    string       // when it is, as it was told
	As    speech.Value // the same as a value: a time, or how it comes back
	Again bool         // it comes back
	Asked bool         // the reply asks when it should be instead
	Gone  bool         // it was taken back: at another time it is set anew
	Alone bool         // it is one time of what otherwise stays as it is
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
			if m, asked := l.insteadAsked(turn); asked {
				return []Mentioned{m.Mentioned}
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

// ToldBy is the one plan that a turn tells of, or asks about.
func (l Listener) ToldBy(turn language.Turn) (Made, bool) {
	if m, asked := l.insteadAsked(turn); asked {
		return m, true
	}
	says, _ := turn.Values()
	var told Made
	for _, m := range says {
		made, plan := l.madeBy(m)
		if plan && told.Tool != "" {
			return Made{}, false
		} else if plan {
			told = made
		}
	}
	return told, told.Tool != ""
}

// insteadAsked is the plan of which a turn asks when it should be instead.
func (l Listener) insteadAsked(turn language.Turn) (Made, bool) {
	for _, p := range turn.Said {
		for _, says := range p.Says {
			if says.ID != "spoken.when_instead" {
				continue
			}
			kind, _ := says.Args["kind"].(speech.Kind)
			what, _ := says.Args["what"].(speech.Text)
			m := l.at(Made{Mentioned: Mentioned{Tool: string(kind), Text: what.Words}, Asked: true}, says, "")
			if at, timed := m.As.(speech.Time); timed {
				m.Start = at.At
			}
			m.Due = dayOf(m.At)
			return m, true
		}
	}
	return Made{}, false
}

// madeBy is the plan that a message says was set or moved.
func (l Listener) madeBy(says speech.Message) (Made, bool) {
	what, _ := says.Args["what"].(speech.Text)
	m := Made{Mentioned: Mentioned{Tool: tools.SkillReminder, Text: what.Words}}
	switch says.ID {
	case "task.made":
		m.Tool = tools.SkillTask
	case "alarm.new":
		alarm, _ := says.Args["alarm"].(speech.Kind)
		m.Text = strings.ReplaceAll(string(alarm), "_", " ")
	case "alarm.named":
		m.Text = "alarm: " + what.Words
	case "appointment.planned":
		m.Tool, m.Alone = tools.SkillAppointment, says.Args["how"] == speech.Kind("once")
	case "reminder.new", "reminder.once_more":
	case "reminder.this_once":
		m.Alone = true
	case "undo.done":
		return l.takenBack(says)
	default:
		return Made{}, false
	}
	if times, ok := says.Args["times"].(speech.Message); ok {
		says = times
	}
	return l.at(m, says, "full"), true
}

// at is a plan with when it is, as a message says it: how it comes back, or when it is due or begins.
func (l Listener) at(m Made, says speech.Message, style string) Made {
	m.As = says.Args["again"]
	if m.Again = m.As != nil; m.Again {
		style = ""
	}
	for _, name := range []string{"at", "until", "due", "span"} {
		switch v := says.Args[name].(type) {
		case speech.Time:
			m.As = cmp.Or(m.As, speech.Value(v))
		case speech.Span:
			begins := speech.Time{At: v.From}
			if v.AllDay {
				begins.Grain = speech.Day
			}
			m.As = cmp.Or(m.As, speech.Value(begins))
		}
	}
	if m.As == nil {
		return m
	}
	m.At = speech.English().Value(m.As, speech.Voice{Now: l.P.AsOf, Zone: l.Zone()}, style)
	if zone, there := says.Args["zone"].(speech.Text); there && m.Again {
		m.At += " in the zone " + zone.Words
	}
	return m
}

// takenBack is the only plan that a message says is as it was before, or removed.
func (l Listener) takenBack(says speech.Message) (Made, bool) {
	all, _ := says.Args["back"].(speech.List)
	if len(all) != 1 || says.Args["left"] != nil {
		return Made{}, false
	}
	back, _ := all[0].(speech.Message)
	how, _ := back.Args["how"].(speech.Kind)
	if again := back.ID == "undone.again" && back.Args["percent"] == nil; !again && (back.ID != "undone.is" || how != "removed" && how != "back") {
		return Made{}, false
	}
	kind, _ := back.Args["kind"].(speech.Kind)
	what, _ := back.Args["what"].(speech.Text)
	m := l.at(Made{Mentioned: Mentioned{Tool: string(kind), Text: what.Words}, Gone: how == "removed"}, back, "")
	return m, !m.Gone || m.Tool == tools.SkillReminder
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

// dateAlone is a date without a year.
var dateAlone = regexp.MustCompile(`(?i)^(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)$`)

// OfSeries is a day by which something comes back: a day of the week or of the month.
var OfSeries = regexp.MustCompile(`(?i)^(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d{1,2}(?:st|nd|rd|th))(?: (?:at )?[\d:]+ ?(?:am|pm)?)?$`)

package abroad

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/tools"
)

// dates hears what is asked of appointments and of time, and what takes back the last change.
func (tr translated) dates(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	switch k {
	case tongues.Appoint, tongues.AppointBare, tongues.AppointTold, tongues.AppointAsked, tongues.Enter, tongues.HaveTold, tongues.MeetTold, tongues.Title:
		return tr.appointed(k, c)
	case tongues.Shift:
		return tr.shifted(c)
	case tongues.CancelDate:
		in, ok := tr.date(c.Sentence("which"), tr.at, "cancel")
		in.Ask = tr.odd()
		return in, ok
	case tongues.Free:
		return tr.isFree(), true
	case tongues.PlanWhen:
		which := c.Sentence("which")
		return tr.planned(which), !slices.ContainsFunc(which.Words, func(w sentences.Word) bool { return tr.t.Is(w.Lower, tongues.Clausal) })
	case tongues.PlanDates:
		return tr.during(tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": "appointments"}, Ask: tr.odd()}), true
	case tongues.TakeBack:
		last, _ := tr.l.Last()
		return tools.Intent{Tool: tools.SkillUndo, Params: tr.l.UndoOf(last)}, true
	}
	return tools.Intent{}, false
}

// appointed is an appointment in another language: its words, who takes part and where, and
// its time. One that isn't asked for is offered, and one that is only named needs its time.
func (tr translated) appointed(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	what, question := tr.unarticled(c.Sentence("what")), c.Said.Question || tr.asks(c.Said)
	asks := k == tongues.AppointAsked || k == tongues.AppointTold && question
	switch orders := k == tongues.Appoint || k == tongues.Enter; {
	case question && !orders && !asks, !tr.isEvent(k, what, orders):
		return tools.Intent{}, false
	case asks:
		return tr.planned(what), true
	}
	length := tr.at.Length
	tr.at.Length = ""
	title, people, place := tr.titled(what)
	out := tools.Intent{Tool: tools.SkillAppointment, Params: map[string]any{"action": "add"}, Whole: tr.text, Subject: "what", Moment: "when", Weak: k != tongues.Appoint && k != tongues.Enter}
	for name, value := range map[string]string{"what": title, "with": people, "place": place, "when": tr.at.English, "until": length} {
		if value != "" {
			out.Params[name] = value
		}
	}
	odd, timed, alone := tr.odd(), tr.isTimed(what), tr.isSmall(title) && people+place == ""
	switch {
	case !odd.IsZero():
		out.Ask, out.Subject, out.Moment = odd, "", ""
	case alone && tr.at.Said:
		out.Missing, out.Ask = "what", tools.Says("ask.event", "lacks", speech.Kind("thing"), "said", tr.at.As)
	case alone:
		out.Missing, out.Ask = "what", tools.Says("ask.event", "lacks", speech.Kind("everything"))
	case !tr.at.Said && out.Weak && people == "":
		return tools.Intent{}, false
	case !tr.at.Said:
		out.Missing, out.Ask = "when", tools.Says("ask.event", "lacks", speech.Kind("time"), "said", title)
	case !timed:
		out.Missing, out.Ask = "when", tools.Says("ask.time", "lacks", speech.Kind("clock"), "said", tr.at.As)
	case out.Weak && k != tongues.AppointBare:
		out.Offer, out.Ask = true, IntoCalendar(strings.TrimRight(tr.text, ".! "))
	}
	if out.Missing == "what" {
		delete(out.Params, "what")
	}
	return out, true
}

// isEvent reports whether words that were said in such a way are an appointment: it begins
// with a word for one where nothing else says so, and is no clause. Who is only talking of
// one says nothing of what Chalie does.
func (tr translated) isEvent(k tongues.Kind, what sentences.Said, orders bool) bool {
	if len(what.Words) == 0 {
		return false
	}
	has := func(is func(sentences.Word) bool) bool { return slices.ContainsFunc(what.Words, is) }
	clause := has(func(w sentences.Word) bool { return !w.Quoted && tr.t.Is(w.Lower, tongues.Clausal) })
	request := has(func(w sentences.Word) bool { return tr.t.Asking(w.Lower) != "" })
	switch k {
	case tongues.Enter:
		return true
	case tongues.Title:
		return tr.isTitle(what) && !request
	case tongues.HaveTold:
		return tr.isTitle(what) && !tr.isState(what)
	case tongues.MeetTold:
		return !clause && !request
	}
	dines := tr.t == tongues.German && what.Is(0, "essen") && what.Is(1, "mit") // food alone is no appointment
	return (tr.t.IsEvent(what.Words[0].Lower) || dines) && !clause && (orders || !request)
}

var (
	// states are what one has without an appointment, and words that say what one has done, or has to.
	states = sentences.WordsIn(`zeit hunger durst angst lust frei gluck pech schmerzen kopfschmerzen fieber recht ruhe besuch vor zu dich ihn sie es mich
		faim soif peur besoin envie sommeil mal froid chaud raison tort honte hate temps fini vu pris fait mis eu dit perdu recu appris rendu lu bu cru du ete dormi a rate paye note
		hambre sed sueno miedo ganas frio calor tiempo prisa dolor razon suerte fiebre que libre`)
	// participles find what one has done with something, by how it is written. Of the French ones some nouns end alike.
	participles = regexp.MustCompile(`^(?:\p{Ll}*ge\p{Ll}+(?:t|en)|(?:ver|be|er|ent|zer)\p{Ll}+(?:t|en)|\p{Ll}+ier?t|\p{Ll}{4,}és?)$`)
	alikeInEnd  = sentences.WordsIn("karate marche comite")
)

// isState reports whether what somebody has is no appointment: a headache, something that was done.
func (tr translated) isState(what sentences.Said) bool {
	return slices.ContainsFunc(what.Words, func(w sentences.Word) bool {
		return !w.Quoted && (states[w.Lower] || !alikeInEnd[w.Lower] && tr.t != tongues.Spanish && participles.MatchString(what.Text[w.Start:w.End]))
	})
}

// isTimed reports whether the time of an appointment is all that is needed: it has a time of
// day, or lasts all day.
func (tr translated) isTimed(what sentences.Said) bool {
	_, clock := tr.l.Parts(tr.at.English)
	return clock || tr.at.Range || slices.ContainsFunc(what.Words, func(w sentences.Word) bool { return tr.t.Is(w.Lower, tongues.Feast) })
}

// isTitle reports whether words may be what an appointment is called, though none of them
// says that it is one: a few of them, with a day and a time of day.
func (tr translated) isTitle(what sentences.Said) bool {
	const most = 6
	day, clock := tr.l.Parts(tr.at.English)
	return day && clock && len(what.Words) <= most && !tr.t.Is(what.Words[0].Lower, tongues.Stating) && !slices.ContainsFunc(what.Words, func(w sentences.Word) bool {
		if w.Quoted || tr.t.Is(w.Lower, tongues.Person) || tr.t.Is(w.Lower, tongues.Stating) {
			return w.Quoted
		}
		return slices.ContainsFunc([]tongues.Role{tongues.Clausal, tongues.Negative, tongues.Vague, tongues.Instead, tongues.And, tongues.Condition}, func(r tongues.Role) bool { return tr.t.Is(w.Lower, r) })
	})
}

// asks reports whether a German sentence begins with its verb, and not with its time: it is a
// question then, even without its mark.
func (tr translated) asks(s sentences.Said) bool {
	whole, ok := foreign(tr.t, tr.text)
	return ok && tr.t == tongues.German && len(s.Words) > 1 && s.Is(1, "ich", "wir") && whole.Words[0].Lower == s.Words[0].Lower
}

// unarticled is a sentence without the articles that it begins with.
func (tr translated) unarticled(s sentences.Said) sentences.Said {
	for len(s.Words) > 0 && tr.t.Is(s.Words[0].Lower, tongues.Article) {
		s = s.From(1)
	}
	return s
}

// isSmall reports whether a title has no word that tells it from others.
func (tr translated) isSmall(title string) bool {
	return strings.Join(tr.names(title), "") == ""
}

// titled takes a title apart. A place belongs to it where it would be nothing but a word for
// an appointment without.
func (tr translated) titled(s sentences.Said) (title, people, place string) {
	end := len(s.Words)
	for i := 1; i < len(s.Words)-1; i++ {
		w := s.Words[i]
		switch {
		case w.Quoted:
		case tr.t.Is(w.Lower, tongues.With) && people == "":
			last := i + 1
			for last < len(s.Words) && (last == i+1 || !tr.endsNames(s.Words[last])) {
				last++
			}
			people = tr.people(s.From(i + 1).UpTo(last - i - 1))
		case tr.t.Is(w.Lower, tongues.Place) && (people != "" || !tr.isSmall(s.Part(0, i))), tr.t.Is(w.Lower, tongues.Beside) && people != "":
			return strings.TrimRight(s.Part(0, i), " ,"), people, tr.named(s.From(i + 1))
		}
	}
	return s.Part(0, end), people, ""
}

// endsNames reports whether a word is behind the names of people: before a place or a reason.
func (tr translated) endsNames(w sentences.Word) bool {
	return !w.Quoted && tr.t.Is(w.Lower, tongues.Small) && !tr.t.Is(w.Lower, tongues.And) && !tr.t.Is(w.Lower, tongues.Article)
}

// people are names with commas between them, without articles: a stop may belong to a title.
func (tr translated) people(s sentences.Said) string {
	var out []string
	from := 0
	for i, w := range s.Words {
		and := !w.Quoted && tr.t.Is(w.Lower, tongues.And)
		last := i == len(s.Words)-1
		if comma := w.Stop && s.Text[w.End] == ','; !and && !comma && !last {
			continue
		}
		to := i + 1
		if and {
			to = i
		}
		if name := tr.named(s.UpTo(to).From(from)); name != "" {
			out = append(out, name)
		}
		from = i + 1
	}
	return strings.Join(out, ", ")
}

// named is a name without the article before it; one with a capital belongs to it.
func (tr translated) named(s sentences.Said) string {
	for len(s.Words) > 1 && tr.t.Is(s.Text[s.Words[0].Start:s.Words[0].End], tongues.Article) {
		s = s.From(1)
	}
	return s.All()
}

// names are the words of a text by which a plan is found.
func (tr translated) names(text string) []string {
	var out []string
	for _, w := range tongues.Words(text) {
		if w.IsMark() {
			continue
		}
		if name := tr.t.Names(text[w.Start:w.End]); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// planned asks for plans of these words, at the time that was said.
func (tr translated) planned(which sentences.Said) tools.Intent {
	tr.at.Unread = slices.DeleteFunc(slices.Clone(tr.at.Unread), isHourWord)
	tr.at.Said = tr.at.English != "" || len(tr.at.Unread) > 0
	out := tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{}, Subject: "which", Ask: tr.odd()}
	if names := tr.names(which.All()); len(names) > 0 {
		out.Params["which"] = strings.Join(names, " ")
	} else {
		out.Params["kind"] = "appointments"
	}
	return tr.during(out)
}

// isHourWord reports whether a word only asks for the time of day: um wie viel Uhr.
func isHourWord(word string) bool {
	switch strings.ToLower(word) {
	case "uhr", "hora", "horas", "heure", "heures":
		return true
	}
	return false
}

// during is a question about plans with the period that was said.
func (tr translated) during(in tools.Intent) tools.Intent {
	if tr.at.English != "" {
		in.Params["during"] = strings.TrimPrefix(tr.at.English, "on ")
	}
	return in
}

// isFree asks whether there is time.
func (tr translated) isFree() tools.Intent {
	out := tr.during(tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"free": true}, Ask: tr.odd()})
	if out.Params["during"] == nil {
		out.Params["during"] = "today"
	}
	return out
}

// remindedBefore is a reminder so long before another plan, which the skill finds.
func (tr translated) remindedBefore(c sentences.Captured) (tools.Intent, bool) {
	much := tr.t.When(fmt.Sprintf(tr.t.Says(tongues.Lasting), c.Get("much")))
	plan := c.Get("plan")
	if much.Length == "" || much.Rest != "" || tr.t.When(plan).Said {
		return tools.Intent{}, false
	}
	params := map[string]any{"when": much.Length + " before " + strings.Join(tr.names(plan), " ")}
	if what := c.Get("what"); what != "" {
		params["what"] = what
	}
	return tools.Intent{Tool: tools.SkillRemind, Params: params, Whole: tr.text, Subject: "what", Moment: "when"}, true
}

// date is an appointment that is named to be changed: by its words, its time, or all of them.
func (tr translated) date(s sentences.Said, at tongues.Time, action string) (tools.Intent, bool) {
	s = tr.unarticled(s)
	out := tools.Intent{Tool: tools.SkillAppointment, Params: map[string]any{"action": action}, Subject: "which", Moment: "when"}
	if len(s.Words) > 0 && tr.t.Is(s.Words[0].Lower, tongues.Every) && action == "cancel" {
		out.Params["all"] = true
		s = tr.unarticled(s.From(1))
	}
	if all := out.Params["all"] != nil && len(s.Words) == 0; !all && (len(s.Words) == 0 || !tr.t.IsEvent(s.Words[0].Lower)) {
		return tools.Intent{}, false
	}
	if names := tr.names(s.All()); len(names) > 0 {
		out.Params["which"] = strings.Join(names, " ")
	}
	if at.English != "" {
		out.Params["during"] = strings.TrimPrefix(at.English, "on ")
	}
	return out, true
}

// isIt reports whether what a phrase names only points at what was spoken of.
func (tr translated) isIt(c sentences.Captured) bool {
	which := c.Sentence("which")
	return len(which.Words) == 1 && tr.t.Is(which.Words[0].Lower, tongues.It)
}

// skipped is a plan that is left out once, or at the time that was said.
func (tr translated) skipped(c sentences.Captured) (tools.Intent, bool) {
	which := tr.unarticled(c.Sentence("which"))
	if len(which.Words) == 0 || tr.isIt(c) {
		return tools.Intent{}, false
	}
	out := tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "skip", "which": strings.Join(tr.names(which.All()), " ")}, Subject: "which", Ask: tr.odd()}
	if tr.t.IsEvent(which.Words[0].Lower) {
		out.Tool = tools.SkillAppointment
	}
	return tr.during(out), true
}

// shifted is an appointment that is moved: what stands behind the last word that leads to a
// time is when to, and a time before it is when it was.
func (tr translated) shifted(c sentences.Captured) (tools.Intent, bool) {
	all := c.Sentence("all")
	for i := 1; i < len(all.Words)-1; i++ {
		if w := all.Words[i]; w.Quoted || !tr.t.Is(w.Lower, tongues.Unto) {
			continue
		}
		to := tr.t.When(all.Part(i+1, len(all.Words)))
		if to.English == "" || to.Rest != "" || len(to.Unread) > 0 || to.Range || !tr.l.IsReadable(to.English) {
			continue
		}
		was := tr.t.When(all.Part(0, i))
		if len(was.Unread) > 0 {
			return tools.Intent{Tool: tools.SkillAppointment, Ask: tools.Says("ask.time", "lacks", speech.Kind("words"), "said", strings.Join(was.Unread, " … "))}, true
		}
		which, ok := foreign(tr.t, was.Rest)
		if !ok {
			return tools.Intent{}, false
		}
		out, ok := tr.date(which, was, "move")
		if ok {
			out.Params["when"] = to.English
		}
		return out, ok
	}
	return tools.Intent{}, false
}

// shifting are verbs by which a plan is moved, and aheads those of them by which it is earlier than before.
var (
	shifting = sentences.WordsIn(`verschieb verschiebe verschieben leg verleg deplace deplacer decale decaler decalez repousse repousser repoussez recule reculer reporte reporter reportez retarde retarder
		avance avancer avancez mueve mover retrasa retrasar retrase aplaza aplazar pospon posponer pospone atrasa adelanta adelantar adelante`)
	aheads = sentences.WordsIn("avance avancer avancez adelanta adelantar adelante")
)

// byHow leads to by how much a plan is moved.
var byHow = sentences.WordsIn("um d de por")

// movedBy is a plan that is moved by so much: repousse le dîner d'une demi-heure, verschieb das Essen um eine Stunde.
func (tr translated) movedBy(of []sentences.Said) (tools.Intent, bool) {
	const longest = 6
	for _, s := range of {
		if !shifting[s.Words[0].Lower] {
			continue
		}
		for i := max(2, len(s.Words)-longest); i < len(s.Words); i++ {
			much := tr.t.When(fmt.Sprintf(tr.t.Says(tongues.Lasting), s.Part(i, len(s.Words))))
			if much.Length == "" || much.Rest != "" || len(much.Unread) > 0 {
				continue
			}
			head := i
			if byHow[s.Words[i-1].Lower] {
				head--
			} else if tr.t != tongues.Spanish {
				continue
			}
			for _, r := range tr.t.Requests() {
				if r.Kind != tongues.Move && r.Kind != tongues.MoveIt && r.Kind != tongues.Shift {
					continue
				}
				c, ok := fitting([]sentences.Said{s.UpTo(head)}, r)
				if !ok || tr.isIt(c) {
					continue
				}
				by := " later"
				if aheads[s.Words[0].Lower] {
					by = " earlier"
				}
				which := c.Sentence("which")
				if r.Kind == tongues.Shift {
					which = c.Sentence("all")
				}
				was := tr.t.When(which.All())
				named, ok := foreign(tr.t, was.Rest)
				if !ok || len(was.Unread) > 0 {
					return tools.Intent{}, false
				}
				if out, ok := tr.date(named, was, "move"); ok {
					return out.With("when", much.Length+by), true
				}
				if r.Kind == tongues.Shift {
					continue
				}
				out := tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "move", "when": much.Length + by}, Subject: "which", Moment: "when"}
				if name := tr.which(c); name != "" {
					out.Params["which"] = name
				}
				return out, true
			}
		}
	}
	return tools.Intent{}, false
}

// fact is what is to be remembered, as a sentence of its own.
func (tr translated) fact(what string) string {
	if tr.t != tongues.German {
		return what
	}
	s, ok := foreign(tr.t, what)
	last := len(s.Words) - 1
	if !ok || last < 2 || !tr.t.Is(s.Words[last].Lower, tongues.Clausal) {
		return what
	}
	end := tr.subject(s)
	if end == 0 || end >= last {
		return what
	}
	return s.Part(0, end) + " " + s.Part(last, last+1) + " " + s.Part(end, last)
}

// subject is how many words the subject of a German clause has that it begins with: up to its
// noun, which is the first word with a capital. 0 when that can't be told.
func (tr translated) subject(s sentences.Said) int {
	const most = 4
	for i, w := range s.Words[:min(most, len(s.Words))] {
		if first := s.Text[w.Start]; first >= 'A' && first <= 'Z' || first == 0xc3 && w.Lower[0] < 'z' && strings.ToLower(s.Text[w.Start:w.End]) != s.Text[w.Start:w.End] {
			return i + 1
		}
		if i == 0 && tr.t.Is(w.Lower, tongues.Vague) {
			return 1
		}
	}
	return 0
}

// IntoCalendar asks whether something that was told is to be kept as an appointment.
func IntoCalendar(told string) speech.Message {
	return speech.New("ask.keep", speech.Args{"as": speech.Kind("appointment"), "what": sentences.Named(told)})
}

package hearing

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain/language/tongues"
)

// dates hears what is asked of appointments and of time, and what takes back the last change.
func (tr translated) dates(k tongues.Kind, c captured) (intent, bool) {
	switch k {
	case tongues.Appoint, tongues.AppointBare, tongues.AppointTold, tongues.AppointAsked, tongues.Enter, tongues.MeetTold, tongues.Title:
		return tr.appointed(k, c)
	case tongues.Shift:
		return tr.shifted(c)
	case tongues.CancelDate:
		in, ok := tr.date(c.sentence("which"), tr.at, "cancel")
		in.ask = tr.odd()
		return in, ok
	case tongues.Free:
		return tr.isFree(), true
	case tongues.PlanWhen:
		which := c.sentence("which")
		return tr.planned(which), !slices.ContainsFunc(which.words, func(w word) bool { return tr.t.Is(w.lower, tongues.Clausal) })
	case tongues.PlanDates:
		return tr.during(intent{tool: skillPlans, params: map[string]any{"kind": "appointments"}, ask: tr.odd()}), true
	case tongues.TakeBack:
		last, _ := tr.l.last()
		return intent{tool: skillUndo, params: tr.l.undoOf(last)}, true
	}
	return intent{}, false
}

// appointed is an appointment in another language: its words, who takes part and where, and
// its time. One that isn't asked for is offered, and one that is only named needs its time.
func (tr translated) appointed(k tongues.Kind, c captured) (intent, bool) {
	what, question := tr.unarticled(c.sentence("what")), c.said.question || tr.asks(c.said)
	asks := k == tongues.AppointAsked || k == tongues.AppointTold && question
	switch orders := k == tongues.Appoint || k == tongues.Enter; {
	case question && !orders && !asks, !tr.isEvent(k, what, orders):
		return intent{}, false
	case asks:
		return tr.planned(what), true
	}
	length := tr.at.Length
	tr.at.Length = ""
	title, people, place := tr.titled(what)
	out := intent{tool: skillAppointment, params: map[string]any{"action": "add"}, whole: tr.text, subject: "what", moment: "when", weak: k != tongues.Appoint && k != tongues.Enter}
	for name, value := range map[string]string{"what": title, "with": people, "place": place, "when": tr.at.English, "until": length} {
		if value != "" {
			out.params[name] = value
		}
	}
	odd, timed, alone := tr.odd(), tr.isTimed(what), tr.isSmall(title) && people+place == ""
	switch {
	case odd != "":
		out.ask, out.subject, out.moment = odd, "", ""
	case alone && tr.at.Said:
		out.missing, out.ask = "what", "What is it, "+mention(tr.at.As)+"?"
	case alone:
		out.missing, out.ask = "what", "What is the appointment, and when? Say it such as: dentist tomorrow at 2pm."
	case !tr.at.Said && out.weak && people == "":
		return intent{}, false
	case !tr.at.Said:
		out.missing, out.ask = "when", "When is it: "+mention(title)+"? Say a time, such as: tomorrow at 2pm, Friday from 3 to 4."
	case !timed:
		out.missing, out.ask = "when", "At what time, "+mention(tr.at.As)+"?"
	case out.weak && k != tongues.AppointBare:
		out.offer, out.ask = true, intoCalendar(strings.TrimRight(tr.text, ".! "))
	}
	if out.missing == "what" {
		delete(out.params, "what")
	}
	return out, true
}

// isEvent reports whether words that were said in such a way are an appointment: it begins
// with a word for one where nothing else says so, and is no clause. Who is only talking of
// one says nothing of what Chalie does.
func (tr translated) isEvent(k tongues.Kind, what said, orders bool) bool {
	if len(what.words) == 0 {
		return false
	}
	has := func(is func(word) bool) bool { return slices.ContainsFunc(what.words, is) }
	clause := has(func(w word) bool { return !w.quoted && tr.t.Is(w.lower, tongues.Clausal) })
	request := has(func(w word) bool { return tr.t.Asking(w.lower) != "" })
	switch k {
	case tongues.Enter:
		return true
	case tongues.Title:
		return tr.isTitle(what) && !request
	case tongues.MeetTold:
		return !clause && !request
	}
	dines := tr.t == tongues.German && what.is(0, "essen") && what.is(1, "mit") // food alone is no appointment
	return (tr.t.IsEvent(what.words[0].lower) || dines) && !clause && (orders || !request)
}

// isTimed reports whether the time of an appointment is all that is needed: it has a time of
// day, or lasts all day.
func (tr translated) isTimed(what said) bool {
	_, clock := tr.l.parts(tr.at.English)
	return clock || tr.at.Range || slices.ContainsFunc(what.words, func(w word) bool { return tr.t.Is(w.lower, tongues.Feast) })
}

// isTitle reports whether words may be what an appointment is called, though none of them
// says that it is one: a few of them, with a day and a time of day.
func (tr translated) isTitle(what said) bool {
	const most = 6
	day, clock := tr.l.parts(tr.at.English)
	return day && clock && len(what.words) <= most && !tr.t.Is(what.words[0].lower, tongues.Stating) && !slices.ContainsFunc(what.words, func(w word) bool {
		if w.quoted || tr.t.Is(w.lower, tongues.Person) || tr.t.Is(w.lower, tongues.Stating) {
			return w.quoted
		}
		return slices.ContainsFunc([]tongues.Role{tongues.Clausal, tongues.Negative, tongues.Vague, tongues.Instead, tongues.And, tongues.Condition}, func(r tongues.Role) bool { return tr.t.Is(w.lower, r) })
	})
}

// asks reports whether a German sentence begins with its verb, and not with its time: it is a
// question then, even without its mark.
func (tr translated) asks(s said) bool {
	whole, ok := foreign(tr.t, tr.text)
	return ok && tr.t == tongues.German && len(s.words) > 1 && s.is(1, "ich", "wir") && whole.words[0].lower == s.words[0].lower
}

// unarticled is a sentence without the articles that it begins with.
func (tr translated) unarticled(s said) said {
	for len(s.words) > 0 && tr.t.Is(s.words[0].lower, tongues.Article) {
		s = s.from(1)
	}
	return s
}

// isSmall reports whether a title has no word that tells it from others.
func (tr translated) isSmall(title string) bool {
	return strings.Join(tr.names(title), "") == ""
}

// titled takes a title apart. A place belongs to it where it would be nothing but a word for
// an appointment without.
func (tr translated) titled(s said) (title, people, place string) {
	end := len(s.words)
	for i := 1; i < len(s.words)-1; i++ {
		w := s.words[i]
		switch {
		case w.quoted:
		case tr.t.Is(w.lower, tongues.With) && people == "":
			last := i + 1
			for last < len(s.words) && (last == i+1 || !tr.endsNames(s.words[last])) {
				last++
			}
			people = tr.people(s.from(i + 1).upTo(last - i - 1))
		case tr.t.Is(w.lower, tongues.Place) && (people != "" || !tr.isSmall(s.part(0, i))), tr.t.Is(w.lower, tongues.Beside) && people != "":
			return strings.TrimRight(s.part(0, i), " ,"), people, tr.named(s.from(i + 1))
		}
	}
	return s.part(0, end), people, ""
}

// endsNames reports whether a word is behind the names of people: before a place or a reason.
func (tr translated) endsNames(w word) bool {
	return !w.quoted && tr.t.Is(w.lower, tongues.Small) && !tr.t.Is(w.lower, tongues.And) && !tr.t.Is(w.lower, tongues.Article)
}

// people are names with commas between them, without articles: a stop may belong to a title.
func (tr translated) people(s said) string {
	var out []string
	from := 0
	for i, w := range s.words {
		and := !w.quoted && tr.t.Is(w.lower, tongues.And)
		last := i == len(s.words)-1
		if comma := w.stop && s.text[w.end] == ','; !and && !comma && !last {
			continue
		}
		to := i + 1
		if and {
			to = i
		}
		if name := tr.named(s.upTo(to).from(from)); name != "" {
			out = append(out, name)
		}
		from = i + 1
	}
	return strings.Join(out, ", ")
}

// named is a name without the article before it; one with a capital belongs to it.
func (tr translated) named(s said) string {
	for len(s.words) > 1 && tr.t.Is(s.text[s.words[0].start:s.words[0].end], tongues.Article) {
		s = s.from(1)
	}
	return s.all()
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
func (tr translated) planned(which said) intent {
	tr.at.Unread = slices.DeleteFunc(slices.Clone(tr.at.Unread), isHourWord)
	tr.at.Said = tr.at.English != "" || len(tr.at.Unread) > 0
	out := intent{tool: skillPlans, params: map[string]any{}, subject: "which", ask: tr.odd()}
	if names := tr.names(which.all()); len(names) > 0 {
		out.params["which"] = strings.Join(names, " ")
	} else {
		out.params["kind"] = "appointments"
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
func (tr translated) during(in intent) intent {
	if tr.at.English != "" {
		in.params["during"] = strings.TrimPrefix(tr.at.English, "on ")
	}
	return in
}

// isFree asks whether there is time.
func (tr translated) isFree() intent {
	out := tr.during(intent{tool: skillPlans, params: map[string]any{"free": true}, ask: tr.odd()})
	if out.params["during"] == nil {
		out.params["during"] = "today"
	}
	return out
}

// remindedBefore is a reminder so long before another plan, which the skill finds.
func (tr translated) remindedBefore(c captured) (intent, bool) {
	much := tr.t.When(fmt.Sprintf(tr.t.Says(tongues.Lasting), c.get("much")))
	plan := c.get("plan")
	if much.Length == "" || much.Rest != "" || tr.t.When(plan).Said {
		return intent{}, false
	}
	params := map[string]any{"when": much.Length + " before " + strings.Join(tr.names(plan), " ")}
	if what := c.get("what"); what != "" {
		params["what"] = what
	}
	return intent{tool: skillRemind, params: params, whole: tr.text, subject: "what", moment: "when"}, true
}

// date is an appointment that is named to be changed: by its words, its time, or all of them.
func (tr translated) date(s said, at tongues.Time, action string) (intent, bool) {
	s = tr.unarticled(s)
	out := intent{tool: skillAppointment, params: map[string]any{"action": action}, subject: "which", moment: "when"}
	if len(s.words) > 0 && tr.t.Is(s.words[0].lower, tongues.Every) && action == "cancel" {
		out.params["all"] = true
		s = tr.unarticled(s.from(1))
	}
	if all := out.params["all"] != nil && len(s.words) == 0; !all && (len(s.words) == 0 || !tr.t.IsEvent(s.words[0].lower)) {
		return intent{}, false
	}
	if names := tr.names(s.all()); len(names) > 0 {
		out.params["which"] = strings.Join(names, " ")
	}
	if at.English != "" {
		out.params["during"] = strings.TrimPrefix(at.English, "on ")
	}
	return out, true
}

// isIt reports whether what a phrase names only points at what was spoken of.
func (tr translated) isIt(c captured) bool {
	which := c.sentence("which")
	return len(which.words) == 1 && tr.t.Is(which.words[0].lower, tongues.It)
}

// skipped is a plan that is left out once, or at the time that was said.
func (tr translated) skipped(c captured) (intent, bool) {
	which := tr.unarticled(c.sentence("which"))
	if len(which.words) == 0 || tr.isIt(c) {
		return intent{}, false
	}
	out := intent{tool: skillReminder, params: map[string]any{"action": "skip", "which": strings.Join(tr.names(which.all()), " ")}, subject: "which", ask: tr.odd()}
	if tr.t.IsEvent(which.words[0].lower) {
		out.tool = skillAppointment
	}
	return tr.during(out), true
}

// shifted is an appointment that is moved: what stands behind the last word that leads to a
// time is when to, and a time before it is when it was.
func (tr translated) shifted(c captured) (intent, bool) {
	all := c.sentence("all")
	for i := 1; i < len(all.words)-1; i++ {
		if w := all.words[i]; w.quoted || !tr.t.Is(w.lower, tongues.Unto) {
			continue
		}
		to := tr.t.When(all.part(i+1, len(all.words)))
		if to.English == "" || to.Rest != "" || len(to.Unread) > 0 || to.Range || !tr.l.isReadable(to.English) {
			continue
		}
		was := tr.t.When(all.part(0, i))
		if len(was.Unread) > 0 {
			return intent{tool: skillAppointment, ask: tr.oddly(was.Unread)}, true
		}
		which, ok := foreign(tr.t, was.Rest)
		if !ok {
			return intent{}, false
		}
		out, ok := tr.date(which, was, "move")
		if ok {
			out.params["when"] = to.English
		}
		return out, ok
	}
	return intent{}, false
}

// shifting are verbs by which a plan is moved, and aheads those of them by which it is earlier than before.
var (
	shifting = wordsIn(`verschieb verschiebe verschieben leg verleg deplace deplacer decale decaler decalez repousse repousser repoussez recule reculer reporte reporter reportez retarde retarder
		avance avancer avancez mueve mover retrasa retrasar retrase aplaza aplazar pospon posponer pospone atrasa adelanta adelantar adelante`)
	aheads = wordsIn("avance avancer avancez adelanta adelantar adelante")
)

// byHow leads to by how much a plan is moved.
var byHow = wordsIn("um d de por")

// movedBy is a plan that is moved by so much: repousse le dîner d'une demi-heure, verschieb das Essen um eine Stunde.
func (tr translated) movedBy(of []said) (intent, bool) {
	const longest = 6
	for _, s := range of {
		if !shifting[s.words[0].lower] {
			continue
		}
		for i := max(2, len(s.words)-longest); i < len(s.words); i++ {
			much := tr.t.When(fmt.Sprintf(tr.t.Says(tongues.Lasting), s.part(i, len(s.words))))
			if much.Length == "" || much.Rest != "" || len(much.Unread) > 0 {
				continue
			}
			head := i
			if byHow[s.words[i-1].lower] {
				head--
			} else if tr.t != tongues.Spanish {
				continue
			}
			for _, r := range tr.t.Requests() {
				if r.Kind != tongues.Move && r.Kind != tongues.MoveIt && r.Kind != tongues.Shift {
					continue
				}
				c, ok := fitting([]said{s.upTo(head)}, r)
				if !ok || tr.isIt(c) {
					continue
				}
				by := " later"
				if aheads[s.words[0].lower] {
					by = " earlier"
				}
				which := c.sentence("which")
				if r.Kind == tongues.Shift {
					which = c.sentence("all")
				}
				was := tr.t.When(which.all())
				named, ok := foreign(tr.t, was.Rest)
				if !ok || len(was.Unread) > 0 {
					return intent{}, false
				}
				if out, ok := tr.date(named, was, "move"); ok {
					return out.with("when", much.Length+by), true
				}
				if r.Kind == tongues.Shift {
					continue
				}
				out := intent{tool: skillReminder, params: map[string]any{"action": "move", "when": much.Length + by}, subject: "which", moment: "when"}
				if name := tr.which(c); name != "" {
					out.params["which"] = name
				}
				return out, true
			}
		}
	}
	return intent{}, false
}

// fact is what is to be remembered, as a sentence of its own.
func (tr translated) fact(what string) string {
	if tr.t != tongues.German {
		return what
	}
	s, ok := foreign(tr.t, what)
	last := len(s.words) - 1
	if !ok || last < 2 || !tr.t.Is(s.words[last].lower, tongues.Clausal) {
		return what
	}
	end := tr.subject(s)
	if end == 0 || end >= last {
		return what
	}
	return s.part(0, end) + " " + s.part(last, last+1) + " " + s.part(end, last)
}

// subject is how many words the subject of a German clause has that it begins with: up to its
// noun, which is the first word with a capital. 0 when that can't be told.
func (tr translated) subject(s said) int {
	const most = 4
	for i, w := range s.words[:min(most, len(s.words))] {
		if first := s.text[w.start]; first >= 'A' && first <= 'Z' || first == 0xc3 && w.lower[0] < 'z' && strings.ToLower(s.text[w.start:w.end]) != s.text[w.start:w.end] {
			return i + 1
		}
		if i == 0 && tr.t.Is(w.lower, tongues.Vague) {
			return 1
		}
	}
	return 0
}

package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// unread is what was said for a parameter by its name and isn't one of its values. Nothing is called
// then: a call without it would be another than the one that was asked for.
type unread struct {
	Slot
	said string // "" where nothing follows the name
}

// explicit gives parameters what follows their names and a colon: "city: Valletta". What is said
// again counts only where what was said before couldn't be read.
func (f *Filling) explicit() {
	for _, p := range f.open(false, domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean, domain.TypeObject, domain.TypeArray, domain.TypeAny) {
		for from, ok := f.behind(p, true); ok; from, ok = f.behind(p, true) {
			end := f.endOf(p, from, true)
			_, twice := f.Params[p.Name]
			if !twice && f.give(p, from, end) {
				end = f.takeUnit(p, end)
				f.read(p)
				f.labels = append(f.labels, labelledValue{p, from, end})
				continue
			}
			end = f.endOfSaid(end)
			f.leaveUnread(p, f.S.Part(from, end))
			f.take(from, end)
		}
	}
	f.unknownLabels()
}

// labelledValue is where the value of a parameter stands that was said by its name.
type labelledValue struct {
	Slot
	from, to int
}

// endOfSaid is where it ends what is said in one go with the words before it.
func (f *Filling) endOfSaid(end int) int {
	for end < len(f.S.Words) && !f.used[end] && !f.S.Words[end-1].Stop && !f.isColon(end) {
		end++
	}
	return end
}

// isColon reports whether a colon follows a word; a dash doesn't name a parameter.
func (f *Filling) isColon(i int) bool {
	w := f.S.Words[i]
	return w.Colon && !w.Quoted && strings.HasPrefix(strings.TrimLeft(f.S.Text[w.End:], " "), ":")
}

// unknownLabels finds names before a colon that no value was taken behind: one without a value, and
// in a request for the tool by its very name one that is no parameter's.
func (f *Filling) unknownLabels() {
	exact, begun := Heard{}.isExactly(f.S, f.c.Offered.Name), false
	for i, w := range f.S.Words {
		if strings.EqualFold(w.Lower, f.c.Offered.Name) {
			begun = true
			continue
		}
		if f.used[i] || !f.isColon(i) {
			continue
		}
		if at := slices.IndexFunc(f.c.slots, func(p Slot) bool { return strings.EqualFold(p.Name, w.Lower) }); at >= 0 {
			p := f.c.slots[at]
			if _, given := f.Params[p.Name]; exact && f.isLabel(i) && !given {
				f.leaveUnread(p, "")
				f.take(i, i+1)
			}
			continue
		}
		isPart := slices.ContainsFunc(f.c.slots, func(p Slot) bool { return slices.Contains(NameWords(p.Name), w.Lower) })
		if exact && begun && !isPart && !f.isPreposition(i-1) && f.unknown == "" {
			f.unknown = f.S.Text[w.Start:w.End]
		}
	}
}

// leaveUnread keeps what can't be read for a parameter, which has no value then.
func (f *Filling) leaveUnread(p Slot, said string) {
	f.read(p)
	f.unread = append(f.unread, unread{p, said})
	delete(f.Params, p.Name)
	if f.moment == p.Name {
		f.moment = ""
	}
	if f.free == p.Name {
		f.free = ""
	}
}

// read forgets what couldn't be read for a parameter before.
func (f *Filling) read(p Slot) {
	f.unread = slices.DeleteFunc(f.unread, func(u unread) bool { return u.Name == p.Name })
}

// checkLabelled leaves a number or a switch unread that has more behind it than was made use of: one
// of "1 000" isn't what was said.
func (f *Filling) checkLabelled() {
	for _, v := range f.labels {
		if v.Type == domain.TypeString || v.Type == domain.TypeAny || f.S.Words[v.to-1].Stop {
			continue
		}
		end := v.to
		for i := v.to; i < len(f.S.Words) && !f.isColon(i) && !f.S.Words[i-1].Stop; i++ {
			if !f.isTaken(i) {
				end = i + 1
			}
		}
		if end > v.to {
			f.leaveUnread(v.Slot, f.S.Part(v.from, end))
			f.take(v.to, end)
		}
	}
}

// layouts are the formats of a schema that are written as times, with how they are.
var layouts = map[string]string{"date-time": time.RFC3339, "date": time.DateOnly, "time": "15:04:05Z07:00"}

// checkFormats writes what was said for a time as the format of its parameter wants it, where the
// device is, and leaves it unread where it is none.
func (f *Filling) checkFormats() {
	for _, p := range f.c.slots {
		text, isText := f.Params[p.Name].(string)
		if p.format == "" || !isText {
			continue
		}
		if at, ok := f.inFormat(p, text); ok {
			f.Params[p.Name] = at
		} else {
			f.leaveUnread(p, text)
		}
	}
}

// inFormat is a time in the format of a parameter; false where it has another day or time of day
// than that can hold, or none.
func (f *Filling) inFormat(p Slot, text string) (string, bool) {
	layout := layouts[p.format]
	if _, err := time.Parse(layout, text); err == nil {
		return text, true
	}
	if daily, err := f.l.Parse(text + " every day"); err == nil && p.format == "time" && f.isOnlyClock(text) {
		return daily.At.Time().In(f.l.Zone()).Format(layout), true // 9:30 isn't at night because it is noon now
	}
	day, clock := f.l.Parts(text)
	at, err := f.l.Parse(text)
	switch {
	case err == nil && (at.Recurrence != nil || at.To != 0 || !f.l.IsOnlyTime(text)), p.format == "time":
		return "", false
	case err == nil && p.format == "date-time" && at.Grain >= when.Day, err != nil && p.format == "date-time" && !clock:
		return "", false
	case p.format == "date" && (!day || clock || err == nil && at.Grain < when.Hour):
		return "", false
	}
	moment, ok := f.reckoned(p, text)
	return moment.Format(layout), ok
}

// isOnlyClock reports whether a text is a time of day and nothing else.
func (f *Filling) isOnlyClock(text string) bool {
	day, clock := f.l.Parts(text)
	return clock && !day && f.l.IsOnlyTime(text)
}

// HasUnread reports whether something was said by a name that isn't taken.
func (f *Filling) HasUnread() bool { return f.unknown != "" || len(f.unread) > 0 }

// asksUnread says what wasn't taken, and asks for what would do; missing is the parameter that an
// answer is for, "" for none.
func (f *Filling) asksUnread() (ask speech.Message, missing string) {
	if f.unknown != "" {
		out := args{"said": sentences.Named(f.unknown), "tool": f.c.called(), "takes": speech.Kind("none")}
		if len(f.c.slots) > 0 {
			names := make([]string, len(f.c.slots))
			for i, p := range f.c.slots {
				names[i] = p.Name
			}
			out["takes"], out["values"] = speech.Kind("one_of"), f.c.theirsAll(names)
		}
		return say("tool.no_parameter", out), ""
	}
	u := f.unread[0]
	switch name := f.c.theirs(u.Name); {
	case !u.isSayable():
		return say("tool.unsayable", args{"tool": f.c.called(), "name": name}), ""
	case u.said == "":
		return f.lacks([]Slot{u.Slot}), u.Name
	default:
		out := args{"said": sentences.Named(u.said), "name": name, "tool": f.c.called(), "takes": u.takes()}
		if u.closed {
			out["values"] = f.c.theirsAll(u.choices)
		}
		return say("tool.unread", out), u.Name
	}
}

// isSayable reports whether a value of a parameter can be said in words.
func (p Slot) isSayable() bool { return p.Type != domain.TypeObject && p.Type != domain.TypeArray }

// takes is what a parameter takes.
func (p Slot) takes() speech.Kind {
	switch {
	case p.closed:
		return "one_of"
	case p.items == domain.TypeInteger:
		return "whole_numbers"
	case p.items == domain.TypeNumber:
		return "numbers"
	case p.Type == domain.TypeInteger:
		return "whole"
	case p.Type == domain.TypeNumber:
		return "number"
	case p.Type == domain.TypeBoolean:
		return "switch"
	case p.format == "date-time":
		return "moment"
	case p.format == "date":
		return "day"
	case p.format == "time":
		return "clock"
	case p.isAddress():
		return "address"
	}
	return "value"
}

// scalar is a value of no type in particular: what JSON writes so, or else a text.
func scalar(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	switch value.(type) {
	case float64:
		return json.Number(text)
	case bool, nil:
		return value
	}
	return text
}

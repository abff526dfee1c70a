package skill

import (
	"encoding/json"
	"fmt"
	"slices"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
)

// args are the arguments of a message; those that are nil aren't given.
type args = map[string]speech.Value

// say is a message.
func say(id speech.ID, all ...args) speech.Message {
	m := speech.Message{ID: id}
	for _, given := range all {
		for name, v := range given {
			if v == nil {
				continue
			}
			if m.Args == nil {
				m.Args = speech.Args{}
			}
			m.Args[name] = v
		}
	}
	return m
}

// confirm is the answer to something that was done, with what it points at. What more is to be said is
// added with alsoSaid.
func confirm(m speech.Message, points map[string]any, entries ...domain.Entry) (tool.SkillDone, error) {
	return pointing(tool.SkillDone{Said: []speech.Said{{As: speech.Did, Says: []speech.Message{m}}}, Entries: entries}, points)
}

// confirmAll is confirm in several sentences.
func confirmAll(says []speech.Message, points map[string]any, entries ...domain.Entry) (tool.SkillDone, error) {
	return alsoSaid(says[1:]...)(confirm(says[0], points, entries...))
}

// tell is an answer that changes nothing, and is no refusal.
func tell(says ...speech.Message) (tool.SkillDone, error) {
	return tool.SkillDone{Said: []speech.Said{{As: speech.Told, Says: says}}}, nil
}

// ask is a refusal that says what is missing: the person or the model can do something about it. It may be
// given one of the answers.
func ask(m speech.Message, answers ...tool.Answer) (tool.SkillDone, error) {
	return askAll([]speech.Message{m}, answers...)
}

// askAll is ask in several sentences.
func askAll(says []speech.Message, answers ...tool.Answer) (tool.SkillDone, error) {
	return tool.SkillDone{Said: []speech.Said{{As: speech.Asked, Says: says}}, Answers: answers}, nil
}

// underHeading is a heading over entries.
func underHeading(heading speech.Message, entries []speech.Message) tool.SkillDone {
	return tool.SkillDone{Said: append(each(speech.Heading, heading), each(speech.Entry, entries...)...)}
}

// each are messages as parts of their own; those that are none are left out.
func each(as speech.Look, says ...speech.Message) (out []speech.Said) {
	for _, m := range says {
		if !m.IsZero() {
			out = append(out, speech.Said{As: as, Says: []speech.Message{m}})
		}
	}
	return out
}

// beyond says how many more there are than are told, if there are.
func beyond(how speech.Kind, n int) []speech.Message {
	if n <= 0 {
		return nil
	}
	return []speech.Message{say("more", args{"how": how, "n": speech.Count(n)})}
}

// alsoSaid adds sentences behind those of an answer.
func alsoSaid(more ...speech.Message) func(tool.SkillDone, error) (tool.SkillDone, error) {
	return func(done tool.SkillDone, err error) (tool.SkillDone, error) {
		if n := len(done.Said); err == nil && n > 0 {
			done.Said[n-1].Says = append(done.Said[n-1].Says, more...)
		}
		return done, err
	}
}

// refused is the error of a parameter that can't be as it was said.
func refused(field string, m speech.Message, call tool.SkillCall) error {
	return speech.Refuse("read parameters", "invalid", field, m, speech.Voice{Now: call.Now, Zone: call.Zone})
}

// pointing is an answer that points at something.
func pointing(done tool.SkillDone, points map[string]any) (tool.SkillDone, error) {
	if points == nil {
		return done, nil
	}
	raw, err := json.Marshal(points)
	if err != nil {
		return tool.SkillDone{}, fmt.Errorf("write what a skill answers: %w", err)
	}
	done.Result.Data = raw
	return done, nil
}

// worded is an answer with the words of what it says, where it says it as values, and with its links.
func worded(done tool.SkillDone, call tool.SkillCall, in *speech.Catalogue) (tool.SkillDone, error) {
	if len(done.Said) == 0 || done.Result.Text != nil {
		return done, nil
	}
	v := speech.Voice{Now: call.Now, Zone: call.Zone}
	asks := false
	for _, p := range done.Said {
		if err := p.Check(); err != nil {
			return tool.SkillDone{}, err
		}
		asks = asks || p.As == speech.Asked
	}
	text := in.Plain(done.Said, v)
	done.Result.Text, done.Result.Blocks = &text, in.Blocks(done.Said, done.Result.Blocks, v)
	if asks {
		done.Result.Error = &text
	}
	for i, a := range done.Answers {
		if a.Says.IsZero() {
			continue
		}
		label := speech.Said{As: speech.Label, Says: []speech.Message{a.Says}}
		if err := label.Check(); err != nil {
			return tool.SkillDone{}, err
		}
		done.Answers[i].Label, done.Said = in.Sentences(label, v), append(done.Said, label)
	}
	return done, nil
}

// inWords is an answer with its words.
func inWords(call tool.SkillCall, in *speech.Catalogue) func(tool.SkillDone, error) (tool.SkillDone, error) {
	return func(done tool.SkillDone, err error) (tool.SkillDone, error) {
		if err != nil {
			return done, err
		}
		return worded(done, call, in)
	}
}

// refuses reports whether an answer is a refusal or a question.
func refuses(done tool.SkillDone) bool {
	return done.Result.Error != nil || slices.ContainsFunc(done.Said, func(p speech.Said) bool { return p.As == speech.Asked })
}

// its are words of a plan or a memory, which may be others'.
func (p planned) its() speech.Text {
	in := p.TextID
	if in.IsZero() {
		in = p.ID
	}
	return speech.Text{Words: p.text, In: in}
}

// theirOwn are words of this call.
func theirOwn(words string) speech.Text { return speech.Text{Words: words} }

// moment is one; nil for none.
func moment(due domain.Millis, call tool.SkillCall) speech.Value {
	if due == 0 {
		return nil
	}
	return speech.Time{At: due, Zone: call.Zone.String()}
}

// periodSaid is a period as it was said; nil for none.
func periodSaid(said string, call tool.SkillCall) speech.Value {
	if blank(said) {
		return nil
	}
	p, _ := timing.Period(said, call.Now, call.Zone) // one that can't be read has been said all the same
	return p
}

// spanOf is from when to when an appointment lasts.
func spanOf(a domain.Appointment, call tool.SkillCall) speech.Value {
	return speech.Span{From: a.Start, To: a.End, AllDay: a.AllDay, Zone: call.Zone.String()}
}

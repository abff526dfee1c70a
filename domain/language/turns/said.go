package turns

import (
	"cmp"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
)

// say is a message, and args are its arguments.
var say = speech.New

type args = speech.Args

// named are plans as a question names them.
func (l Talk) named(all []hearing.Mentioned) speech.List {
	var out speech.List
	for _, m := range all[:min(len(all), maxChosen)] {
		out = append(out, say("named", args{"what": sentences.Named(m.Text), "at": l.moment(m.Start)}))
	}
	return out
}

// which asks which of several plans is meant.
func (l Talk) which(all []hearing.Mentioned) speech.Message {
	return say("spoken.which", args{"how": speech.Kind("one"), "spoken": l.named(all)})
}

// moment is one as a value; nil for none.
func (l Talk) moment(at domain.Millis) speech.Value {
	if at == 0 {
		return nil
	}
	return speech.Time{At: at, Zone: l.Zone().String()}
}

// instead asks when a plan should be instead.
func (l Talk) instead(m hearing.Made) speech.Message {
	out := args{"kind": speech.Kind(m.Tool), "what": sentences.Named(m.Text)}
	switch as := m.As.(type) {
	case speech.Again:
		out["again"] = as
	case speech.Time:
		if out["at"] = as; as.Grain != speech.Day {
			out["at"] = l.moment(cmp.Or(m.Start, as.At))
		}
	default:
		out["at"] = l.moment(m.Start)
	}
	return say("spoken.when_instead", out)
}

// spokenIn are the names of those of which a turn asked which is meant.
func spokenIn(turn language.Turn) (out []speech.Text) {
	for _, p := range turn.Said {
		for _, m := range p.Says {
			all, _ := m.Args["spoken"].(speech.List)
			for _, v := range all {
				if part, ok := v.(speech.Message); ok && m.Args["how"] == speech.Value(speech.Kind("one")) {
					name, _ := part.Args["what"].(speech.Text)
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// asksWhich reports whether a turn asked which of several is meant, of the model's own; how is one of kind several, or "".
func asksWhich(turn language.Turn, how speech.Kind) bool {
	return slices.ContainsFunc(turn.Said, func(p speech.Said) bool {
		return slices.ContainsFunc(p.Says, func(m speech.Message) bool {
			return m.ID == "spoken.which" && (how == "" || m.Args["how"] == speech.Value(how))
		})
	})
}

// namesMore reports whether a question says that there are more than it names.
func namesMore(turn language.Turn) bool {
	says, ok := turn.Values()
	if !ok {
		return strings.Contains(turn.Reply, " more?")
	}
	return slices.ContainsFunc(says, func(m speech.Message) bool {
		plans, _ := m.Args["plans"].(speech.List)
		return slices.ContainsFunc(plans, func(v speech.Value) bool {
			part, ok := v.(speech.Message)
			return ok && part.ID == "more"
		})
	})
}

package turns

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/concern"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// quotedName finds what stands between quotation marks in Chalie's own words: the plan's.
var quotedName = regexp.MustCompile(`“[^”]*”`)

// thingsOf are the words for what such a button looks for: where a table is, there is a restaurant.
func thingsOf(label string) string {
	things := strings.TrimSuffix(strings.TrimPrefix(label, tools.LookForAnother), "?")
	if tools.Stem(things) == "table" || sentences.EatingOut[tools.Stem(things)] {
		things += " table restaurant place Tisch Lokal mesa sitio"
	}
	return things
}

// isOfCard reports whether a button is one of those that every card has: what keeps it back, or tells more
// of it, has words of its own.
func isOfCard(b domain.Pressable) bool {
	return b.Payload["skill"] == tools.SkillNotice || b.Payload["skill"] == tools.SkillMore
}

// takesUnasked hears the answer to what was told unasked of the plans: which of its buttons is meant. A yes
// alone is one only directly behind it, and while nothing else was asked.
func (l Talk) takesUnasked(text string) (Wish, bool) {
	told := l.P.Unasked
	var buttons []domain.Pressable
	var choices []concern.Choice
	another := -1 // the button that looks for one
	plans, named := namedIn(told)
	noticed, of := 0, cmp.Or(plans, quotedName.FindString(told.Text))
	for _, b := range told.Buttons {
		if isOfCard(b) {
			noticed++
			of = plans + strings.Join(quotedName.FindAllString(told.Text, -1), " ") // a card quotes what was heard first
		}
	}
	for i, b := range told.Buttons {
		action, _ := b.Payload["action"].(string)
		switch {
		case b.Payload["declined"] == true || isOfCard(b):
			continue
		case strings.HasPrefix(b.Label, tools.LookForAnother):
			another = len(buttons)
		case action == "":
			continue
		}
		about := b.Label
		if len(told.Buttons)-noticed <= 2 { // what follows for one plan, and to leave it
			about = of
		} else if name := cmp.Or(named[i], quotedName.FindString(b.Label)); name != "" {
			about = name
		}
		if action != "" && slices.ContainsFunc(buttons, func(o domain.Pressable) bool {
			return o.Payload["action"] == action && o.Payload["which"] == b.Payload["which"]
		}) {
			continue // the card of a finding has it, too
		}
		buttons, choices = append(buttons, b), append(choices, concern.Choice{Action: action, About: about})
	}
	bare := l.askedButton(buttons) || told.Latest && !l.AsksOpen()
	if len(choices) == 0 {
		return Wish{}, false
	}
	if bare && saysNo(text) {
		s, _ := sentences.Read(text)
		_, notice := l.Noticed(s) // not this
		return Wish{Stopped: !notice}, !notice
	}
	taken, which := concern.Taken(text, choices, bare)
	if which {
		return Wish{Wanted: []tools.Intent{whichButton(buttons, taken)}}, true
	}
	if another >= 0 && concern.TakesOther(text, thingsOf(buttons[another].Label), bare) {
		taken = []int{another}
	}
	var out Wish
	for _, i := range taken {
		out.Wanted = append(out.Wanted, pressing(buttons[i]))
	}
	return out, len(out.Wanted) > 0
}

// namedIn are the plans that are told of, and the one that each button is for, where it says so, by its place. The buttons
// of what follows for the plans stand last.
func namedIn(told language.Unasked) (plans string, of map[int]string) {
	of = map[int]string{}
	var labels []string
	nameOf := func(v speech.Value) string {
		m, _ := v.(speech.Message)
		what, _ := m.Args["what"].(speech.Text)
		return what.Words
	}
	for _, part := range told.Said {
		for _, m := range part.Says {
			if part.As == speech.Label {
				labels = append(labels, nameOf(m))
				continue
			}
			all, _ := m.Args["plans"].(speech.List)
			for _, v := range append(all, m.Args["plan"]) {
				if name := nameOf(v); name != "" {
					plans += name + " "
				}
			}
		}
	}
	for i, name := range labels {
		of[len(told.Buttons)-len(labels)+i] = name
	}
	return plans, of
}

// pressing is what a button asks for.
func pressing(b domain.Pressable) tools.Intent {
	params := map[string]any{}
	for name, value := range b.Payload {
		if name != "skill" {
			params[name] = value
		}
	}
	tool, _ := b.Payload["skill"].(string)
	return tools.Intent{Tool: tool, Params: params, Label: onButton(b)}
}

// whichButton asks which of several buttons is meant.
func whichButton(buttons []domain.Pressable, several []int) tools.Intent {
	var labels speech.List
	var among []tools.Intent
	for _, i := range several {
		among, labels = append(among, pressing(buttons[i])), append(labels, say("named", args{"what": sentences.Named(buttons[i].Label)}))
	}
	return tools.Intent{Tool: among[0].Tool, Ask: say("spoken.which", args{"how": speech.Kind("one"), "spoken": labels}), Among: among}
}

// onButton is what stands on a button that was shown before.
func onButton(b domain.Pressable) speech.Message {
	return say("label.does", args{"what": sentences.Named(b.Label)})
}

// askedButton reports whether the last reply asked which of the buttons is meant.
func (l Talk) askedButton(buttons []domain.Pressable) bool {
	last, _ := l.Last()
	return len(last.Done) == 0 && slices.ContainsFunc(spokenIn(last), func(name speech.Text) bool {
		return slices.ContainsFunc(buttons, func(b domain.Pressable) bool { return sentences.Named(b.Label) == name })
	})
}

package builtinmodel

import (
	"regexp"

	"chalie/domain"
	"chalie/domain/concern"
)

// quotedName finds what stands between quotation marks in Chalie's own words: the plan's.
var quotedName = regexp.MustCompile(`“[^”]*”`)

// takesUnasked hears the answer to what was told unasked of the plans: which of its buttons is meant. A yes
// alone is one only directly behind it, and while nothing else was asked.
func (l listener) takesUnasked(text string) (wish, bool) {
	told := l.p.Unasked
	var buttons []domain.Pressable
	var choices []concern.Choice
	for _, b := range told.Buttons {
		action, _ := b.Payload["action"].(string)
		if b.Payload["declined"] == true || action == "" {
			continue
		}
		about := b.Label
		if len(told.Buttons) <= 2 { // what follows for one plan, and to leave it
			about = quotedName.FindString(told.Text)
		} else if name := quotedName.FindString(b.Label); name != "" {
			about = name
		}
		buttons, choices = append(buttons, b), append(choices, concern.Choice{Action: action, About: about})
	}
	bare := told.Latest && !l.asksOpen()
	if len(choices) == 0 {
		return wish{}, false
	}
	if bare && saysNo(text) {
		return wish{stopped: true}, true
	}
	var out wish
	for _, i := range concern.Taken(text, choices, bare) {
		params := map[string]any{}
		for name, value := range buttons[i].Payload {
			if name != "skill" {
				params[name] = value
			}
		}
		tool, _ := buttons[i].Payload["skill"].(string)
		out.wanted = append(out.wanted, intent{tool: tool, params: params})
	}
	return out, len(out.wanted) > 0
}

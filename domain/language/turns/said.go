package turns

import (
	"slices"
	"strings"

	"chalie/domain/language"
	"chalie/domain/language/speech"
)

// isSaid reports whether words are what calls of skills said, in any language.
func (l Talk) isSaid(words string, calls []language.Done) bool {
	return slices.ContainsFunc(calls, func(d language.Done) bool {
		return len(d.Said) > 0 && slices.ContainsFunc(speech.All(), func(c *speech.Catalogue) bool {
			return c.Plain(d.Said, speech.Voice{Now: l.P.AsOf, Zone: l.P.Zone}) == words
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

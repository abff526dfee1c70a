package concern

import (
	"slices"

	"chalie/domain"
)

// KeptBy reports whether a program may keep a plan, too: it has a tool that cancels such a thing. where is
// what kind of house the tool says it is for, such as hospital; "" when it doesn't say.
func (p Plan) KeptBy(o domain.Offer) (where string, kept bool) {
	said := wordsOf(o.Tool.Name + " " + o.Tool.Description)
	if !slices.ContainsFunc(said, func(w string) bool { return tabled().cancels[w] }) {
		return "", false
	}
	for _, w := range said {
		if where == "" {
			where = tabled().houses[w]
		}
	}
	said = append(said, wordsOf(o.Interface.Name)...)
	s := Said{senses: sensesOf(said)}
	all := p.words()
	senses := sensesOf(all)
	if differ(senses, s.senses) {
		return "", false
	}
	tied := shared(senses, s.senses) || slices.ContainsFunc(all, func(w string) bool {
		return !isSmall(w) && !tabled().cancels[w] && slices.ContainsFunc(said, func(o string) bool { return alike(o, w) })
	})
	for _, w := range said {
		if _, noun := tabled().nouns[w]; !noun {
			continue
		}
		if s.noun = w; !s.isntUsedOf(senses) && (tied || isAppointment(w)) {
			return where, true
		}
	}
	return "", false
}

// isAppointment reports whether a word is used of what one has with somebody who offers it: no table at a
// restaurant, and no meeting.
func isAppointment(noun string) bool {
	not := tabled().nouns[noun]
	return slices.Contains(not, "meal") && !slices.Contains(not, "health")
}

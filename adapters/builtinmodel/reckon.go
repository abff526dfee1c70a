package builtinmodel

import (
	"cmp"
	"time"

	"chalie/commands/reasoning"
	"chalie/domain/reckon"
)

// workedOut is the answer to a question that can be worked out: a sum, a measure, a day, the
// time elsewhere.
func workedOut(p reasoning.Prompt, text string) (reckon.Answer, bool) {
	return reckon.Read(text, p.AsOf, cmp.Or(p.Zone, time.UTC))
}

// isWorkedOut reports whether a text is such a question, whatever else could be made of its
// words. Where something is missing for the answer a tool may have it.
func (l listener) isWorkedOut(text string) bool {
	worked, ok := workedOut(l.p, text)
	return ok && !worked.Open
}

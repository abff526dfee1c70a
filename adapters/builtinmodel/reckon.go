package builtinmodel

import (
	"cmp"
	"time"

	"chalie/commands/reasoning"
	"chalie/domain/reckon"
)

// workedOut is the answer to a question that can be worked out: a sum, a measure, a day, the
// time elsewhere.
func workedOut(p reasoning.Prompt) (reckon.Answer, bool) {
	return reckon.Read(p.Asked.Text, p.AsOf, cmp.Or(p.Zone, time.UTC))
}

// isWorkedOut reports whether a text is a question that is answered here, whatever else
// could be made of its words.
func (l listener) isWorkedOut(text string) bool {
	if text != l.p.Asked.Text {
		return false // of what was said before nothing is asked any more
	}
	worked, ok := workedOut(l.p)
	return ok && !worked.Open
}

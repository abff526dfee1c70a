package hearing

import "chalie/domain/language/abroad"

// isWorkedOut reports whether a text is such a question, whatever else could be made of its
// words. Where something is missing for the answer a tool may have it.
func (l Listener) isWorkedOut(text string) bool {
	is, known := l.Times.Worked[text]
	if !known {
		worked, ok := abroad.WorkedOut(l.P, text)
		is = ok && !worked.Open
		l.Times.Worked[text] = is
	}
	return is
}

package tools

import (
	"slices"

	"chalie/domain/language/sentences"
)

// asked are ways to ask that name what is wanted by no word of a tool's, each with the words by
// which tools say that they tell it. *of and *rest are what else is said.
var asked = []struct {
	tells   []string
	phrases []sentences.Phrase
}{
	{[]string{"status", "state", "health"}, []sentences.Phrase{"is|are *of running|up|down|online|offline|alive|healthy|working|reachable|ok|okay", "is|are *of running|up|down|online|offline|alive|healthy|working|reachable|ok|okay *rest"}},
	{[]string{"quote", "change"}, []sentences.Phrase{"is|are *of up|down", "is|are *of up|down *rest", "where does|do|is|are *of stand|trade|trading", "where does|do|is|are *of stand|trade|trading *rest"}},
	{[]string{"history", "historical", "performance", "chart"}, []sentences.Phrase{"how has|have|did|does|do *of done|do|perform|performed|fare|fared|develop|developed|move|moved|go|gone", "how has|have|did|does|do *of done|do|perform|performed|fare|fared|develop|developed|move|moved|go|gone *rest"}},
	{[]string{"hour", "opening"}, []sentences.Phrase{"is|are *of open|closed", "is|are *of open|closed *rest", "when|till|until when? does|do|is|are *of open|close|closed|opening|closing", "when|till|until when? does|do|is|are *of open|close|closed|opening|closing *rest", "how long|late is|are *of open", "how long|late is|are *of open *rest"}},
	{[]string{"balance"}, []sentences.Phrase{"how much money? is|are there? left? in|on *of", "how much money? have|do i|we have|got? left? in|on *of", "how much money? have|do i|we have|got? left?", "how much money is|are there? left? in|on *of"}},
	{[]string{"location", "locate", "track", "where"}, []sentences.Phrase{"where is|are *of", "where is|are *of now|currently"}},
	{[]string{"direction", "route"}, []sentences.Phrase{"how do|can i|we get|go|come to|from *of"}},
	{[]string{"details", "info", "profile", "summary"}, []sentences.Phrase{"tell me more? about *of", "what is *of about", "give me details|info|information about|on|of *of"}},
	{[]string{"definition", "define", "meaning"}, []sentences.Phrase{"what does|do *of mean"}},
}

// hearAsked adds what the way of asking says that a tool has to tell.
func (h *Heard) hearAsked(s sentences.Said) {
	for _, a := range asked {
		c, ok := s.Any(a.phrases...)
		if !ok {
			continue
		}
		h.asked = append(h.asked, a.tells...)
		for i := range s.Words {
			if !slices.ContainsFunc(c.Parts, func(p [2]int) bool { return p[0] <= i && i < p[1] }) {
				h.asking = append(h.asking, i)
			}
		}
	}
}

// toldBy are the words by which a tool says that it tells what the way of asking wants.
func (h Heard) toldBy(c *Candidate) []string {
	var out []string
	for _, w := range h.asked {
		if w == "details" && !slices.ContainsFunc(c.things, func(t string) bool { return slices.Contains(h.Terms, t) }) {
			return nil // anything has details
		}
		if t := TermOf(w); c.Looks && !slices.Contains(h.Terms, t) && (c.Terms[t] >= InDescription || slices.Contains(c.name, Stem(w))) {
			out = append(out, t)
		}
	}
	return out
}

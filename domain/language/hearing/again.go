package hearing

import (
	"strings"

	"chalie/domain/language"
)

// another are questions that name only what is asked of otherwise than before.
var another = []phrase{"and what|how about *of", "what|how about *of", "and *of", "and then? *of"}

// asksAgain hears the question before once more, of another time or another name: "and Tuesday?",
// "what about Anna?".
func (l listener) asksAgain(text string) []intent {
	s, ok := read(text)
	if !ok || len(l.p.Recent) == 0 {
		return nil
	}
	c, ok := s.any(another...)
	before := l.hears(l.p.Recent[len(l.p.Recent)-1].Prompt)
	of := c.sentence("of")
	const most = 5
	if !ok || len(of.words) > most || len(before) != 1 || before[0].ask != "" || isPointing(of.all()) {
		return nil
	}
	in := before[0]
	switch param := map[string]string{skillPlans: "which", skillRecall: "about", skillHeard: "about", skillValues: "of", skillList: "list"}[in.tool]; {
	case param == "" || in.tool == skillList && in.params["action"] != "show":
		return nil
	case l.isTimely(of.all()) && (in.tool == skillPlans || in.tool == skillHeard || in.tool == skillValues):
		return []intent{in.with("during", trimFor(of.all()))}
	case l.isTimely(of.all()) || in.params[param] == nil:
		return nil
	default:
		for len(of.words) > 1 && (of.is(0, "my", "the", "our") || of.is(len(of.words)-1, "list")) {
			if of.is(0, "my", "the", "our") {
				of = of.from(1)
			} else {
				of = of.upTo(len(of.words) - 1)
			}
		}
		return []intent{in.with(param, of.all())}
	}
}

// clockAgain is the question for the time once more, of another place: "and in Tokyo?".
func clockAgain(p language.Prompt) string {
	s, ok := read(p.Asked.Text)
	if !ok || len(p.Recent) == 0 {
		return ""
	}
	c, ok := s.any(another...)
	last := strings.ToLower(p.Recent[len(p.Recent)-1].Prompt)
	if _, worked := workedOut(p, last); !ok || !worked || !strings.Contains(last, "time") {
		return ""
	}
	return "what time is it in " + strings.TrimPrefix(c.get("of"), "in ")
}

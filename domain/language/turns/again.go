package turns

import (
	"strings"

	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// another are questions that name only what is asked of otherwise than before.
var another = []sentences.Phrase{"and what|how about *of", "what|how about *of", "and *of", "and then? *of"}

// asksAgain hears the question before once more, of another time or another name: "and Tuesday?",
// "what about Anna?".
func (l Talk) asksAgain(text string) []tools.Intent {
	s, ok := sentences.Read(text)
	if !ok || len(l.P.Recent) == 0 {
		return nil
	}
	c, ok := s.Any(another...)
	before := l.Hears(l.P.Recent[len(l.P.Recent)-1].Prompt)
	of := c.Sentence("of")
	const most = 5
	if !ok || len(of.Words) > most || len(before) != 1 || !before[0].Ask.IsZero() || sentences.IsPointing(of.All()) {
		return nil
	}
	in := before[0]
	switch param := map[string]string{tools.SkillPlans: "which", tools.SkillRecall: "about", tools.SkillHeard: "about", tools.SkillValues: "of", tools.SkillList: "list"}[in.Tool]; {
	case param == "" || in.Tool == tools.SkillList && in.Params["action"] != "show":
		return nil
	case l.IsTimely(of.All()) && (in.Tool == tools.SkillPlans || in.Tool == tools.SkillHeard || in.Tool == tools.SkillValues):
		return []tools.Intent{in.With("during", plans.TrimFor(of.All()))}
	case l.IsTimely(of.All()) || in.Params[param] == nil:
		return nil
	default:
		for len(of.Words) > 1 && (of.Is(0, "my", "the", "our") || of.Is(len(of.Words)-1, "list")) {
			if of.Is(0, "my", "the", "our") {
				of = of.From(1)
			} else {
				of = of.UpTo(len(of.Words) - 1)
			}
		}
		return []tools.Intent{in.With(param, of.All())}
	}
}

// ClockAgain is the question for the time once more, of another place: "and in Tokyo?".
func ClockAgain(p language.Prompt) string {
	s, ok := sentences.Read(p.Asked.Text)
	if !ok || len(p.Recent) == 0 {
		return ""
	}
	c, ok := s.Any(another...)
	last := strings.ToLower(p.Recent[len(p.Recent)-1].Prompt)
	if _, worked := abroad.WorkedOut(p, last); !ok || !worked || !strings.Contains(last, "time") {
		return ""
	}
	return "what time is it in " + strings.TrimPrefix(c.Get("of"), "in ")
}

package hearing

import (
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// overheard hears who asks what came in: "what did the bank say?", "what did I miss?", "any
// news about the train?".
func (l Listener) overheard(s sentences.Said) (tools.Intent, bool) {
	if _, ok := l.Offered(tools.SkillHeard); !ok {
		return tools.Intent{}, false
	}
	ask := tools.Intent{Tool: tools.SkillHeard, Params: map[string]any{}}
	if _, ok := s.Any("what did|have i miss|missed", "what did|have i miss|missed while|when i was away|out|gone|asleep", "did i miss anything|something", "have i missed anything|something", "anything i missed", "what have you heard", "what did you hear", "what happened", "what happened while i was away|out|gone|asleep",
		"any|anything news?", "is|are there any news", "what is the latest", "what is new", "catch me up"); ok {
		return ask, true
	}
	c, ok := s.Any("what did|have i miss|missed *during", "what have you heard *during", "what did you hear *during", "what happened *during", "what came in *during")
	if ok && l.IsTimely(c.Get("during")) {
		ask.Params["during"] = c.Get("during")
		return ask, true
	}
	c, ok = s.Any("what did|has|have the|my? *about say|said|report|reported|write|written|send|sent|tell|told me?", "what does|do the|my? *about say", "did|has|have the|my? *about say|said|report|reported|write|written|send|sent anything|something",
		"any|anything news? from|about|on the|my? *about", "is|are there any|anything news? from|about|on the|my? *about", "what have you heard about|from|of the|my? *about", "what did you hear about|from|of the|my? *about", "have you heard anything|something? about|from|of the|my? *about", "what is the latest on|from|about the|my? *about", "what is new with|from|about the|my? *about")
	about, runs := c.Sentence("about"), false
	if late, asked := s.Any("is|are|was|were the|my? *about late|delayed|punctual|running", "is|are the|my? *about on time|schedule", "is|are the|my? *about running late|behind", "how late is|are the|my? *about", "any messages|message from the|my? *about", "do i have any? messages|message from the|my? *about"); asked && !ok {
		about, ok, runs = late.Sentence("about"), true, true
	}
	for _, w := range about.Words {
		if n := sentences.Nouns[w.Lower]; n != sentences.NoNoun && n != sentences.AnOccasion || about.Is(0, "list", "lists") {
			return tools.Intent{}, false // that is asked of the plans
		}
	}
	if !ok || l.IsOnlyTime(about.All()) && !runs || len(about.Words) > 4 || about.Is(0, "i", "you", "we", "me", "that", "this", "it", "to", "not") {
		return tools.Intent{}, false
	}
	ask.Params["about"], ask.Subject = about.All(), "about"
	return ask, true
}

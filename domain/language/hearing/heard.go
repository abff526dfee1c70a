package hearing

// skillHeard is the skill that tells what signals said.
const skillHeard = "heard"

// overheard hears who asks what came in: "what did the bank say?", "what did I miss?", "any
// news about the train?".
func (l listener) overheard(s said) (intent, bool) {
	if _, ok := l.offered(skillHeard); !ok {
		return intent{}, false
	}
	ask := intent{tool: skillHeard, params: map[string]any{}}
	if _, ok := s.any("what did|have i miss|missed", "what did|have i miss|missed while|when i was away|out|gone|asleep", "did i miss anything|something", "have i missed anything|something", "anything i missed", "what have you heard", "what did you hear", "what happened", "what happened while i was away|out|gone|asleep",
		"any|anything news?", "is|are there any news", "what is the latest", "what is new", "catch me up"); ok {
		return ask, true
	}
	c, ok := s.any("what did|have i miss|missed *during", "what have you heard *during", "what did you hear *during", "what happened *during", "what came in *during")
	if ok && l.isTimely(c.get("during")) {
		ask.params["during"] = c.get("during")
		return ask, true
	}
	c, ok = s.any("what did|has|have the|my? *about say|said|report|reported|write|written|send|sent|tell|told me?", "what does|do the|my? *about say", "did|has|have the|my? *about say|said|report|reported|write|written|send|sent anything|something",
		"any|anything news? from|about|on the|my? *about", "is|are there any|anything news? from|about|on the|my? *about", "what have you heard about|from|of the|my? *about", "what did you hear about|from|of the|my? *about", "have you heard anything|something? about|from|of the|my? *about", "what is the latest on|from|about the|my? *about", "what is new with|from|about the|my? *about")
	about, runs := c.sentence("about"), false
	if late, asked := s.any("is|are|was|were the|my? *about late|delayed|punctual|running", "is|are the|my? *about on time|schedule", "is|are the|my? *about running late|behind", "how late is|are the|my? *about", "any messages|message from the|my? *about", "do i have any? messages|message from the|my? *about"); asked && !ok {
		about, ok, runs = late.sentence("about"), true, true
	}
	for _, w := range about.words {
		if n := nouns[w.lower]; n != noNoun && n != anOccasion || about.is(0, "list", "lists") {
			return intent{}, false // that is asked of the plans
		}
	}
	if !ok || l.isOnlyTime(about.all()) && !runs || len(about.words) > 4 || about.is(0, "i", "you", "we", "me", "that", "this", "it", "to", "not") {
		return intent{}, false
	}
	ask.params["about"], ask.subject = about.all(), "about"
	return ask, true
}

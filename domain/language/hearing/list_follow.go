package hearing

import (
	"encoding/json"
)

// lastList is the list that the last turn was about; "" for none or several.
func (l listener) lastList() string {
	last, ok := l.last()
	if !ok || len(last.Done) != 1 || last.Done[0].Call.Tool != skillList || !last.Done[0].Own || last.Done[0].Error != "" {
		return ""
	}
	var called struct{ Action, List string }
	if json.Unmarshal(last.Done[0].Call.Params, &called) != nil || called.Action == "drop" {
		return ""
	}
	return called.List
}

// goesOnList hears what goes on with the list of the last turn: "and butter", "also bread please",
// "how many are on it?", "take the ham off again".
func (l listener) goesOnList(text string) (intent, bool) {
	name := l.lastList()
	s, ok := read(text)
	if name == "" || !ok || hasAny(s, "list", "lists", "calendar", "remind", "reminder") {
		return intent{}, false // where it goes is said
	}
	also := s.is(0, "and", "also", "plus", "oh")
	s, _ = s.withoutIdle().request()
	for also && len(s.words) > 1 && s.is(0, "and", "also", "plus") {
		s = s.from(1)
	}
	if also && !s.question {
		return l.ofList(intent{tool: skillList, params: map[string]any{"list": name, "action": "add"}}, s.withoutToo())
	}
	on := intent{tool: skillList, params: map[string]any{"list": name}}
	if _, asked := s.any("how many things|items|entries? are|is? on|in it|there|that", "how many things|items|entries? are there", "how many is that", "how long is it"); asked {
		return on.with("action", "show").with("count", true), true
	}
	if _, asked := s.any("what is on it|there now?", "what else is on it|there", "show|read it? to? me? again?", "what does it say"); asked {
		return on.with("action", "show"), true
	}
	if c, ok := s.any("take|remove|get|cross|strike|delete *item off|out again|then|please?", "take|remove|get|cross|strike|delete *item off|out", "take|cross|strike off *item again|then|please?", "take|cross|strike off *item"); ok && !s.question {
		return l.ofList(on.with("action", "remove"), c.sentence("item"))
	}
	if c, ok := s.any("*item too|also", "*item as well", "add|put *item too|also?", "add|put *item as well"); ok && !s.question {
		return l.ofList(on.with("action", "add"), c.sentence("item"))
	}
	return intent{}, false
}

// withoutToo is a sentence without the words that only add it to what was said.
func (s said) withoutToo() said {
	for len(s.words) > 1 && s.is(len(s.words)-1, "too", "also", "please", "then") {
		s = s.upTo(len(s.words) - 1)
	}
	if n := len(s.words); n > 2 && s.is(n-2, "as") && s.is(n-1, "well") {
		s = s.upTo(n - 2)
	}
	return s
}

// ofList is a change of a list by things that a few words name and that nothing else is said of.
func (l listener) ofList(in intent, item said) (intent, bool) {
	for len(item.words) > 1 && item.is(0, "and", "also", "the", "some") {
		item = item.from(1)
	}
	const most = 8
	if !isThing(item) || len(item.words) > most || isNobody(item) || isPointing(item.all()) || l.timing(item.all()).said || hasAny(item, "both", "all", "one", "thanks", "ok", "okay", "on", "onto", "to", "off", "from", "in", "into") || anyOf(item, nounWords()) {
		return intent{}, false
	}
	return in.with("item", itemsOf(item)), true
}

// nounWords are the words for what is planned, which goes on no list by itself.
func nounWords() map[string]bool {
	out := make(map[string]bool, len(nouns))
	for w, n := range nouns {
		out[w] = n != noNoun && n != anOccasion
	}
	return out
}

package lists

import (
	"encoding/json"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// lastList is the list that the last turn was about; "" for none or several.
func (l Lister) lastList() string {
	last, ok := l.Last()
	if !ok || len(last.Done) != 1 || last.Done[0].Call.Tool != tools.SkillList || !last.Done[0].Own || last.Done[0].Error != "" {
		return ""
	}
	var called struct{ Action, List string }
	if json.Unmarshal(last.Done[0].Call.Params, &called) != nil || called.Action == "drop" {
		return ""
	}
	return called.List
}

// GoesOnList hears what goes on with the list of the last turn: "and butter", "also bread please",
// "how many are on it?", "take the ham off again".
func (l Lister) GoesOnList(text string) (tools.Intent, bool) {
	name := l.lastList()
	s, ok := sentences.Read(text)
	if name == "" || !ok || sentences.HasAny(s, "list", "lists", "calendar", "remind", "reminder") {
		return tools.Intent{}, false // where it goes is said
	}
	also := s.Is(0, "and", "also", "plus", "oh")
	s, _ = s.WithoutIdle().Request()
	for also && len(s.Words) > 1 && s.Is(0, "and", "also", "plus") {
		s = s.From(1)
	}
	if also && !s.Question {
		return l.ofList(tools.Intent{Tool: tools.SkillList, Params: map[string]any{"list": name, "action": "add"}}, withoutToo(s))
	}
	on := tools.Intent{Tool: tools.SkillList, Params: map[string]any{"list": name}}
	if _, asked := s.Any("how many things|items|entries? are|is? on|in it|there|that", "how many things|items|entries? are there", "how many is that", "how long is it"); asked {
		return on.With("action", "show").With("count", true), true
	}
	if _, asked := s.Any("what is on it|there now?", "what else is on it|there", "show|read it? to? me? again?", "what does it say"); asked {
		return on.With("action", "show"), true
	}
	if c, ok := s.Any("take|remove|get|cross|strike|delete *item off|out again|then|please?", "take|remove|get|cross|strike|delete *item off|out", "take|cross|strike off *item again|then|please?", "take|cross|strike off *item"); ok && !s.Question {
		return l.ofList(on.With("action", "remove"), c.Sentence("item"))
	}
	if c, ok := s.Any("*item too|also", "*item as well", "add|put *item too|also?", "add|put *item as well"); ok && !s.Question {
		return l.ofList(on.With("action", "add"), c.Sentence("item"))
	}
	return tools.Intent{}, false
}

// withoutToo is a sentence without the words that only add it to what was said.
func withoutToo(s sentences.Said) sentences.Said {
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, "too", "also", "please", "then") {
		s = s.UpTo(len(s.Words) - 1)
	}
	if n := len(s.Words); n > 2 && s.Is(n-2, "as") && s.Is(n-1, "well") {
		s = s.UpTo(n - 2)
	}
	return s
}

// ofList is a change of a list by things that a few words name and that nothing else is said of.
func (l Lister) ofList(in tools.Intent, item sentences.Said) (tools.Intent, bool) {
	for len(item.Words) > 1 && item.Is(0, "and", "also", "the", "some") {
		item = item.From(1)
	}
	const most = 8
	if !sentences.IsThing(item) || len(item.Words) > most || sentences.IsNobody(item) || sentences.IsPointing(item.All()) || l.Timing(item.All()).Said || sentences.HasAny(item, "both", "all", "one", "thanks", "ok", "okay", "on", "onto", "to", "off", "from", "in", "into") || sentences.AnyOf(item, nounWords()) {
		return tools.Intent{}, false
	}
	return in.With("item", ItemsOf(item)), true
}

// nounWords are the words for what is planned, which goes on no list by itself.
func nounWords() map[string]bool {
	out := make(map[string]bool, len(sentences.Nouns))
	for w, n := range sentences.Nouns {
		out[w] = n != sentences.NoNoun && n != sentences.AnOccasion
	}
	return out
}

package lists

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// Pronouns stand for what was named before.
const Pronouns = "it|them|that|those|these|this|him|her|both|one|some|more"

// Swapped hears who wants one entry of a list in place of another: the first goes, the second comes.
func (l Lister) Swapped(s sentences.Said) []tools.Intent {
	all := PlacesOf(s)
	if len(all) != 1 || all[0].To < len(s.Words) || all[0].Name == "" || s.Question || isTaskName(all[0].Name) {
		return nil
	}
	c, ok := s.UpTo(all[0].From).Any("swap|exchange|trade|change|switch out? *old for|with|to *new", "replace|substitute *old with|by *new")
	if !ok || sentences.InWords(OffList, all[0].Prep) && all[0].Prep == "" {
		return nil
	}
	gone, come := l.OnNamed(all[0], "remove"), l.OnNamed(all[0], "add")
	gone.Params["item"], come.Params["item"] = ItemsOf(c.Sentence("old")), ItemsOf(c.Sentence("new"))
	return []tools.Intent{gone, come}
}

// lacking are words behind which stands what somebody wants, has, or is out of.
var lacking = []string{"out of", "low on", "need for", "need", "needs", "want", "wants", "asked for", "asks for", "forget", "get", "got", "buy", "bought", "pick up", "picked up", "purchased", "ate", "drank", "have", "has", "used up", "packed", "finished", "found", "like", "likes", "love", "loves", "use", "do with", "forgot", "forgetting", "bring", "take", "taking", "skip", "grab", "grabbed", "good on", "good for", "is no", "are no", "no more", "used the last of", "the last of", "the last"}

// ThingIn is what a sentence is about: what one needs or has got, or what it says something
// of; or the person, for "him" and "her".
func ThingIn(s sentences.Said, person bool) sentences.Said {
	if person {
		if one, ok := personIn(s); ok {
			return one
		}
	}
	trimmed := func(s sentences.Said) sentences.Said {
		for {
			n := s.Ends([]string{"anymore", "any more", "already", "yet", "this year", "today", "so", "and", "in the house", "at home", "after all", "left", "for christmas"})
			if n == 0 || n >= len(s.Words) {
				break
			}
			s = s.UpTo(len(s.Words) - n)
		}
		for {
			n := Starts(s, []string{"more", "some", "any", "new", "the", "our", "my", "up", "plenty of", "enough", "lots of", "a lot of", "already", "all the", "all", "a new", "no"})
			if n == 0 || n >= len(s.Words) {
				return s
			}
			s = s.From(n)
		}
	}
	for i := range s.Words {
		if n := Starts(s.From(i), lacking); n > 0 && i+n < len(s.Words) && !s.Is(i+n, "to", "been", "something", "not", "all", "longer") && !s.Is(i-1, "to") || n > 0 && i+n < len(s.Words) && s.Is(i, "get", "buy", "pick") {
			if s.Is(i, "got") && i > 0 && !s.Is(i-1, "i", "we", "have", "already", "just", "has", "and") {
				continue // the bananas got eaten
			}
			if thing := trimmed(s.From(i + n)); sentences.IsThing(thing) && Starts(thing, lacking) == 0 {
				return thing
			}
		}
	}
	for i := 1; i < len(s.Words); i++ {
		if thing, short := strings.CutSuffix(s.UpTo(i).All(), "'s"); short && s.Is(i, "been", "gone", "bought", "packed", "done") {
			s, _ = sentences.Read(thing) // the bread's been bought
			return trimmed(s)
		}
		if s.Is(i, "is", "are", "have", "got", "looks", "look", "sounds", "sound", "does", "do", "was", "were", "goes", "needs", "can", "has", "tastes", "seems") && sentences.IsThing(s.UpTo(i)) {
			return trimmed(s.UpTo(i))
		}
	}
	if s.Is(0, "i", "we") && len(s.Words) > 2 && !s.Is(1, "am", "are", "do", "will", "would", "should", "can") && sentences.IsThing(s.From(2)) {
		return trimmed(s.From(2)) // I ate the yoghurt
	}
	if sentences.IsThing(s) {
		return trimmed(s)
	}
	return sentences.Said{}
}

// personIn is the first name in a sentence: "Lisa's present is bought", "for Uncle Bo".
func personIn(s sentences.Said) (sentences.Said, bool) {
	for i, w := range s.Words {
		verb := i == 0 && (Starts(s, lacking) > 0 || Starts(s, Adding) > 0)
		if !isCapital(s, i) || sentences.EmptyWords[w.Lower] || len(w.Lower) < 2 || verb {
			continue
		}
		end := i + 1
		for end < len(s.Words) && !s.Words[end-1].Stop && isCapital(s, end) && !strings.HasSuffix(s.Words[end-1].Lower, "'s") {
			end++
		}
		if name, owns := strings.CutSuffix(s.Part(i, end), "'s"); owns {
			return sentences.Read(name)
		}
		return between(s, i, end), true
	}
	return sentences.Said{}, false
}

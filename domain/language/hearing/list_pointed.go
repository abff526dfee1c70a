package hearing

import "strings"

// pronouns stand for what was named before.
const pronouns = "it|them|that|those|these|this|him|her|both|one|some|more"

// pointed hears what is to happen to what the sentence named before: "we're out of milk, put it
// on the shopping list", "I have to call Ada, make it a task".
func (l listener) pointed(s said) (intent, bool) {
	for i := len(s.words) - 1; i > 0; i-- {
		last, before := s.from(i), s.upTo(i)
		so := last.is(0, "so", "wait", "actually", "rather") || last.begins("i", "mean") || last.begins("no", "wait")
		if !s.words[i-1].stop && !s.words[i-1].colon && !last.is(0, "so", "and", "add", "task", "todo") {
			continue
		}
		last, before = last.bare(), before.bare()
		if len(last.words) == 0 || len(before.words) == 0 {
			continue
		}
		if in, ok := l.pointedTask(before, last, s.words[i-1].stop || s.words[i-1].colon); ok {
			return in, true
		}
		if in, ok := l.pointedEntry(before, last); ok {
			return in, true
		}
		if !so && !(s.words[i-1].stop && before.is(0, "i", "we", "my", "our", "the", "there", "it", "he", "she", "they")) {
			continue
		}
		if in, ok := l.list(last); ok && in.ask == "" && !in.weak && in.params["action"] != "show" && l.isContext(before) {
			return in, true
		}
	}
	return intent{}, false
}

// swapped hears who wants one entry of a list in place of another: the first goes, the second comes.
func (l listener) swapped(s said) []intent {
	all := s.places()
	if len(all) != 1 || all[0].to < len(s.words) || all[0].name == "" || s.question || isTaskName(all[0].name) {
		return nil
	}
	c, ok := s.upTo(all[0].from).any("swap|exchange|trade|change|switch out? *old for|with|to *new", "replace|substitute *old with|by *new")
	if !ok || inWords(offList, all[0].prep) && all[0].prep == "" {
		return nil
	}
	gone, come := l.onNamed(all[0], "remove"), l.onNamed(all[0], "add")
	gone.params["item"], come.params["item"] = itemsOf(c.sentence("old")), itemsOf(c.sentence("new"))
	return []intent{gone, come}
}

// sameList hears what goes on or off a list, and behind it what else goes on or off the same one:
// "put bread on the shopping list and take off the apples".
func (l listener) sameList(s said) []intent {
	for i := 2; i+1 < len(s.words); i++ {
		rest := s.from(i)
		if s.is(i, "and", "then") {
			rest = s.from(i + 1)
		} else if !s.words[i-1].stop {
			continue
		}
		c, ok := rest.any("take|cross|strike|scratch|knock off *item", "take|cross|strike|scratch|knock *item off", "remove|delete *item", "add|put on *item", "add *item")
		before := s.upTo(i)
		all, item := before.places(), c.sentence("item")
		if !ok || len(all) != 1 || all[0].name == "" || len(rest.places()) > 0 || l.planTool(rest) != "" || l.timing(rest.all()).said || isPointing(item.all()) || hasAny(item, "it", "that", "them", "one") || hasStop(item) {
			continue
		}
		first, ok := l.one(before)
		if !ok || first.tool != skillList || first.ask != "" || first.params["action"] == "show" {
			continue
		}
		action := "remove"
		if rest.is(0, "add", "put") {
			action = "add"
		}
		second := l.onNamed(all[0], action)
		second.params["item"], second.subject = itemsOf(item), "item"
		return []intent{first, second}
	}
	return nil
}

// isContext reports whether words only say why something is asked for.
func (l listener) isContext(s said) bool {
	in, heard := l.one(s)
	return !heard || in.weak || in.ask != ""
}

// pointedEntry hears of an entry of a list that was named before: "…, take it off the list".
func (l listener) pointedEntry(before, last said) (intent, bool) {
	if before.is(0, "remind", "set", "wake", "what", "which", "where") {
		return intent{}, false
	}
	c, ok := last.any("*act a|another new? one *rest", "they|he|she|"+pronouns+" belongs|belong|goes|go|should|needs|need|must|has|can|may *rest", "*act "+pronouns+" too? *rest", "*act too? to|on|onto|off|from *rest", "*act "+pronouns)
	if !ok {
		return intent{}, false
	}
	act, rest := c.sentence("act"), c.sentence("rest")
	person := last.is(len(act.words), "him", "her")
	takes := len(act.words) > 0 && act.starts(taking) == len(act.words)
	puts := len(act.words) > 0 && act.starts(adding) == len(act.words)
	if len(act.words) > 0 && len(rest.words) > 0 && !rest.is(0, "to", "on", "onto", "off", "from", "in", "into", "out", "down", "too", "also", "back", "for") && !last.is(len(act.words), "to", "on", "onto", "off", "from") {
		return intent{}, false
	}
	if len(act.words) == 0 { // it belongs on the list
		person = last.is(0, "he", "she")
		puts = !last.question && last.ends([]string{"off"}) == 0
	}
	all := last.places()
	where := last
	if len(all) == 0 && (len(rest.words) == 0 || len(rest.words) == 1 && rest.is(0, "off", "on", "down", "up", "out")) {
		all, where = before.places(), before
		if len(all) == 1 {
			before = before.upTo(all[0].from)
		}
		if takes && len(all) == 1 && before.ends([]string{"done with", "finished with", "through with", "do not need", "no longer need"}) > 0 {
			return l.onNamed(all[0], "drop"), true // it is the list itself
		}
	}
	if takes && act.is(0, "cross", "take", "strike", "scratch", "remove") && len(all) == 0 && last.is(len(last.words)-1, "off") && len(before.places()) == 0 && !before.is(0, "add", "set") {
		if thing := thingIn(before, person); len(thing.words) > 0 && len(rest.words) == 1 {
			return l.removal(before, thing, "done"), true
		}
	}
	if !takes && !puts || len(all) != 1 || len(before.words) == 0 || where.text == "" {
		return intent{}, false
	}
	p := all[0]
	if len(act.words) == 0 && inWords(offList, p.prep) && p.prep != "" {
		takes, puts = true, false // so he can come off the list
	}
	if where.is(p.to, "for", "at", "by", "before") || len(last.words) > p.to && len(last.from(p.to).bare().words) > 0 && len(where.words) == len(last.words) {
		return intent{}, false
	}
	thing := thingIn(before, person)
	if len(thing.words) == 0 {
		return intent{}, false
	}
	change := listChange{s: last, p: p, before: thing}
	none := said{text: thing.text}
	if takes && !(puts && inWords(ontoList, p.prep) && act.is(0, "drop", "mark", "check")) {
		return l.takenOff(change, thing, none)
	}
	return l.putOn(change, thing, none)
}

// lacking are words behind which stands what somebody wants, has, or is out of.
var lacking = []string{"out of", "low on", "need for", "need", "needs", "want", "wants", "asked for", "asks for", "forget", "get", "got", "buy", "bought", "pick up", "picked up", "purchased", "ate", "drank", "have", "has", "used up", "packed", "finished", "found", "like", "likes", "love", "loves", "use", "do with", "forgot", "forgetting", "bring", "take", "taking", "skip", "grab", "grabbed", "good on", "good for", "is no", "are no", "no more", "used the last of", "the last of", "the last"}

// thingIn is what a sentence is about: what one needs or has got, or what it says something
// of; or the person, for "him" and "her".
func thingIn(s said, person bool) said {
	if person {
		if one, ok := personIn(s); ok {
			return one
		}
	}
	trimmed := func(s said) said {
		for {
			n := s.ends([]string{"anymore", "any more", "already", "yet", "this year", "today", "so", "and", "in the house", "at home", "after all", "left", "for christmas"})
			if n == 0 || n >= len(s.words) {
				break
			}
			s = s.upTo(len(s.words) - n)
		}
		for {
			n := s.starts([]string{"more", "some", "any", "new", "the", "our", "my", "up", "plenty of", "enough", "lots of", "a lot of", "already", "all the", "all", "a new", "no"})
			if n == 0 || n >= len(s.words) {
				return s
			}
			s = s.from(n)
		}
	}
	for i := range s.words {
		if n := s.from(i).starts(lacking); n > 0 && i+n < len(s.words) && !s.is(i+n, "to", "been", "something", "not", "all", "longer") && !s.is(i-1, "to") || n > 0 && i+n < len(s.words) && s.is(i, "get", "buy", "pick") {
			if s.is(i, "got") && i > 0 && !s.is(i-1, "i", "we", "have", "already", "just", "has", "and") {
				continue // the bananas got eaten
			}
			if thing := trimmed(s.from(i + n)); isThing(thing) && thing.starts(lacking) == 0 {
				return thing
			}
		}
	}
	for i := 1; i < len(s.words); i++ {
		if thing, short := strings.CutSuffix(s.upTo(i).all(), "'s"); short && s.is(i, "been", "gone", "bought", "packed", "done") {
			s, _ = read(thing) // the bread's been bought
			return trimmed(s)
		}
		if s.is(i, "is", "are", "have", "got", "looks", "look", "sounds", "sound", "does", "do", "was", "were", "goes", "needs", "can", "has", "tastes", "seems") && isThing(s.upTo(i)) {
			return trimmed(s.upTo(i))
		}
	}
	if s.is(0, "i", "we") && len(s.words) > 2 && !s.is(1, "am", "are", "do", "will", "would", "should", "can") && isThing(s.from(2)) {
		return trimmed(s.from(2)) // I ate the yoghurt
	}
	if isThing(s) {
		return trimmed(s)
	}
	return said{}
}

// personIn is the first name in a sentence: "Lisa's present is bought", "for Uncle Bo".
func personIn(s said) (said, bool) {
	for i, w := range s.words {
		verb := i == 0 && (s.starts(lacking) > 0 || s.starts(adding) > 0)
		if !isCapital(s, i) || emptyWords[w.lower] || len(w.lower) < 2 || verb {
			continue
		}
		end := i + 1
		for end < len(s.words) && !s.words[end-1].stop && isCapital(s, end) && !strings.HasSuffix(s.words[end-1].lower, "'s") {
			end++
		}
		if name, owns := strings.CutSuffix(s.part(i, end), "'s"); owns {
			return read(name)
		}
		return s.between(i, end), true
	}
	return said{}, false
}

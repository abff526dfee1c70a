package hearing

import "strings"

// listAsked hears questions about lists and their entries.
func (l listener) listAsked(s said) (intent, bool) {
	for _, hear := range []func(said) (intent, bool){l.whichList, l.toBuy, l.listCounted} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	if s.is(0, "i", "we", "so") && s.starts(asksOf) == 0 {
		for i := 1; i < len(s.words); i++ { // "I'm at the store, what's on the list?"
			if s.words[i-1].stop && s.from(i).starts(asksOf) > 0 && len(s.upTo(i).places()) == 0 {
				return l.placeAsked(s.from(i))
			}
		}
	}
	return l.placeAsked(s)
}

// shownList is a question for a list, for an entry, or for both.
func shownList(list, item string) (intent, bool) {
	in := intent{tool: skillList, params: map[string]any{"action": "show"}}
	if list != "" {
		in.params["list"] = list
	}
	if item != "" {
		in.params["item"] = item
	}
	return in, true
}

// whichList hears who asks on which list an entry is, or whether on any.
func (l listener) whichList(s said) (intent, bool) {
	s.question = false // what it asks for is named as anywhere else
	if c, ok := s.any("which|what list|lists has|have|contains *item", "which|what list|lists is|are *item on", "on|in which|what list|lists is|are|did *item", "which|what list did|do|have i|we put|write|have|get|add *item on|to|in", "is|are there? *item on any list|lists|one? of? my? lists?", "where is|are *item listed|written"); ok {
		item := c.sentence("item")
		if item.is(0, "i", "we") && s.is(1, "lists") {
			return intent{}, false // what lists have I made
		}
		if n := item.ends([]string{"on it", "on them", "in it"}); n > 0 && n < len(item.words) {
			item = item.upTo(len(item.words) - n)
		}
		if n := item.starts([]string{"i put", "i write", "i add", "we put", "i have", "i note"}); n > 0 && n < len(item.words) {
			item = item.from(n)
		}
		return shownList("", itemsOf(item))
	}
	if c, ok := s.any("did|have i|we already? add|put|listed|noted|write|wrote *item down already|yet?", "did|have i|we already|ever|still? add|added|put|listed|noted|wrote|write *item already|yet?", "is|are *item on there|it|them already|yet|still?", "is|are *item already on there|it|them", "did|have i|we already? add|put|added *item on|to|in it|there|them already|yet?"); ok {
		item := c.sentence("item")
		for len(item.words) > 1 && item.is(0, "the", "any", "my", "some") {
			item = item.from(1)
		}
		if isThing(item) && len(item.words) <= 3 && !l.timing(s.all()).said && !hasAny(s, "calendar", "reminder", "alarm") && l.planTool(item) == "" && !hasAny(item, "to", "it", "that", "on") {
			return shownList("", itemsOf(item))
		}
	}
	if c, ok := s.any("where did i|we put *item shopping|grocery or shopping|grocery", "do i|we still? need|have more|any? *item from the store|shop|supermarket", "do i|we still? need|have to buy|get any|more|some? *item", "do i|we still? need any|more? *item"); ok {
		item := c.sentence("item")
		if len(item.words) <= 3 && !item.is(0, "to", "a", "an", "you", "help", "this", "that", "it", "your", "the", "my", "any") && isThing(item) && !l.timing(s.all()).said && !s.words[len(s.words)-1].quoted && s.is(0, "do", "where") {
			return shownList("", itemsOf(item))
		}
	}
	return intent{}, false
}

// toBuy hears who asks what there is to buy, to pack or to give.
func (l listener) toBuy(s said) (intent, bool) {
	if c, ok := s.any("what do|should|must|can i|we need|have|want? to? buy|get|pick at|in|from|when|up|for? i|we? go|am|are|the? *where", "what do i|we need from|at the *where", "who do|should|must i|we need|have? to? buy|get *where for", "who am|are i|we buying|getting *where for", "what am|are i|we getting|buying from|at|in the? *where"); ok {
		name := ""
		for _, w := range c.sentence("where").words {
			if bareNames[w.lower] && !taskWords[w.lower] {
				name = c.said.text[w.start:w.end]
			}
		}
		if name != "" {
			in, _ := shownList(name, "")
			in.params["existing"] = true
			return in, true
		}
	}
	if _, ok := s.any("how many things|items do i|we still? need|have to? buy|get", "what do|should|must i|we still? need|have? to? buy", "what did i|we say i|we needed|need|wanted|had to? get|buy|need?", "what did i|we need|want to? get|buy", "what items|things|stuff did|do|should i|we plan|want|have|need|mean|intend? to? buy|get"); ok {
		return shownList("", "")
	}
	if c, ok := s.any("what do|should|must|did i|we still? need|have? to? buy|get|need at|from|in the *where", "what do|did i|we still? need from|at the *where", "what should|must i|we buy|get|pick up? at|in|from the *where"); ok && c.sentence("where").isShop() {
		in, _ := shownList(c.get("where"), "")
		in.params["existing"] = true
		return in, true
	}
	if c, ok := s.any("how many *name do|should|must|are|am i|we *rest", "what|which|whose *name do|should|must|are|am i|we *rest", "what is|are left|still to pack|buy|get for the|my|our? *name", "what do i|we still need to pack|bring for the|my|our? *name"); ok {
		name := c.sentence("name")
		for i, w := range name.words {
			if inWords("gifts presents groceries", w.lower) && i == len(name.words)-1 && !l.timing(s.all()).said || len(c.sentence("rest").words) == 0 && len(name.words) <= 2 && i == len(name.words)-1 {
				in, _ := shownList(name.part(max(0, i-1), i+1), "")
				in.params["existing"] = true
				return in, true
			}
		}
	}
	return intent{}, false
}

// listCounted hears who asks how much is on a list, or whether somebody or something is.
func (l listener) listCounted(s said) (intent, bool) {
	if c, ok := s.any("am|are i|we getting|giving|buying *item something|anything|presents|gifts for *list"); ok {
		in, _ := shownList(c.get("list"), c.get("item"))
		in.params["existing"] = true
		return in, len(c.sentence("item").words) <= 2 && !l.timing(c.get("list")).wrong
	}
	if c, ok := s.any("number|count of items|things|entries|people on|in the|my? *list", "count up? all? the|my? items|things|entries|people on|in the|my? *list"); ok {
		in, _ := shownList(strings.TrimSuffix(c.get("list"), " list"), "")
		in.params["existing"], in.params["count"] = true, true
		return in, len(c.sentence("list").words) <= 3
	}
	if c, ok := s.any("have|do i|we got|have *item down|listed|noted for|on the|my? *list"); ok {
		in, _ := shownList(strings.TrimSuffix(c.get("list"), " list"), itemsOf(c.sentence("item")))
		in.params["existing"] = true
		return in, len(c.sentence("list").words) <= 3 && isThing(c.sentence("item"))
	}
	return intent{}, false
}

// listTold hears who wants to be told again what is on a list: "remind me what's on my list".
func (l listener) listTold(s said) (intent, bool) {
	if !s.begins("remind", "me") || !s.is(2, "what", "who", "which", "how") {
		return intent{}, false
	}
	return l.list(s.from(2))
}

// asksOf begin a question about a list, or a wish to see it.
var asksOf = []string{"show", "show me", "read", "read me", "read out", "reading out", "tell me", "give me", "open", "open up", "pull up", "bring up", "display", "let me see", "let me hear", "list", "view", "see", "hear", "check", "recite", "get me", "go over", "go through", "look at", "run through", "run me through", "review",
	"read off", "print", "name", "find", "how long is", "remind me what is", "remind me what", "tell me what is", "what is", "what are", "what", "which", "who", "who is", "how many", "is", "are", "do", "does", "did", "have", "has", "anything", "is there anything", "can i see", "can i hear", "may i see", "i want to see", "i would like to see", "i want to hear", "give me a rundown of", "am", "contents of", "the contents of", "status of", "items on", "i would like to know what is", "i would like to know", "i want to know what is", "i need", "i want", "i would like", "have"}

// placeAsked hears a question about the list that a sentence names.
func (l listener) placeAsked(s said) (intent, bool) {
	all := s.places()
	n := s.starts(asksOf)
	if len(s.words) == 1 && s.is(0, "groceries") {
		return shownList(s.all(), "")
	}
	if len(all) == 0 && n > 0 {
		for i := range s.words { // "bring up groceries", "how many people are getting Christmas gifts"
			ends := i == len(s.words)-1 || s.is(i+1, "include", "have", "contain", "includes", "has") && s.is(0, "do", "does") || s.is(i+1, "for") && s.is(0, "check", "list", "read", "show")
			if i < n || !ends || !s.is(i, "groceries", "gifts", "presents") {
				continue
			}
			p := place{from: i, to: i + 1, sure: s.is(i, "groceries")}
			for i-p.from < 2 && !s.endsName(p.from-1) && p.from > n && !s.is(p.from-1, "getting", "giving", "buying") {
				p.from--
			}
			p.name = s.part(p.from, i+1)
			all = []place{s.introduced(p)}
			break
		}
	}
	if len(all) != 1 || all[0].many && all[0].name == "" || isTaskName(all[0].name) {
		return intent{}, false
	}
	p := all[0]
	if s.is(p.from, "a", "an") && hasAny(s.between(p.from, p.to), "of") {
		return intent{}, false // a list of what the world has
	}
	before, after := s.between(0, p.from).bare(), s.between(p.to, len(s.words)).bare()
	in := l.onNamed(p, "show")
	if some, ok := in.someAsked(before, after, p); ok {
		return some, true
	}
	if item, ok := l.entryAsked(s, p, before, after); ok {
		if item != "" {
			in.params["item"] = item
		}
		return in, true
	}
	if len(before.words) == 0 && after.is(0, "what", "how", "who", "read") {
		return in, true
	}
	if c, ok := s.any("number|count of *x", "anything|something on|in *x", "is *x empty"); ok && len(c.sentence("x").words) <= 5 && p.sure {
		return in, true
	}
	return in, n > 0 && p.name != "" && len(after.words) == 0 && !hasAny(before, "add", "put", "remove", "create", "make", "delete", "new") && (p.prep != "" || n == len(before.words) || before.is(0, "how", "who")) && !(s.is(0, "check", "list", "find", "name", "open", "do", "have", "give") && p.prep == "off") && l.isPlainAsk(before, n) && !isTaskName(p.name)
}

// isPlainAsk reports whether nothing stands between the words that ask and the list but what
// asks for its entries.
func (l listener) isPlainAsk(before said, n int) bool {
	for i := range before.words {
		if i < n {
			continue
		}
		if !inWords("is are do does i we have need did put still left me you all items item things thing entries on in the to pack get buy for everything what which who how many people first last next fruit comes after there be am got written so far there's out any of already listed list items' rundown a an names name whole", before.words[i].lower) && before.words[i].start != before.words[i].end {
			return before.is(0, "what", "which", "how") // "what fruit is on the list"
		}
	}
	return true
}

// entryAsked is the entry that a question asks a list for; "" for any.
func (l listener) entryAsked(s said, p place, before, after said) (string, bool) {
	var c captured
	ok := false
	switch {
	case len(after.words) == 0:
		c, ok = before.any("is|are there already|still|also? *item", "is|are|was|were *item", "do|did|have|has i|we already|still|also|ever? have|put|add|added|remember|write|written|get|got|need|note|include *item", "did|have|has you|i|we put|add|added *item", "check|see|tell if|whether there? is|are *item", "check|see|tell me? if|whether *item is|are", "check|see|tell me? if|whether i|we have|put|need *item", "have|do i|we got|have *item down?", "has|have|was|were *item been? added|put|listed|written", "look|search for *item", "am i getting *item")
	case len(before.words) == 0 || before.all() == "does" || before.all() == "do" || before.all() == "did" || before.all() == "has":
		c, ok = after.any("have|has|include|includes|contain|contains|say|says|list|need|mention *item on|in? it?")
		ok = ok && s.is(0, "does", "do", "did")
	case before.is(0, "check", "search") && after.is(0, "for"):
		c, ok = after.any("for *item")
	}
	if !ok || len(after.words) == 0 && p.prep == "" {
		return "", false
	}
	item := c.sentence("item")
	for len(item.words) > 1 && (item.is(len(item.words)-1, "down", "already", "still", "yet", "left", "written", "listed", "there", "in") || item.is(0, "there", "any", "already", "still") && len(item.words) > 1) {
		if item.is(0, "there", "any", "already", "still") {
			item = item.from(1)
		} else {
			item = item.upTo(len(item.words) - 1)
		}
	}
	if _, none := item.any("anything|something|any|things|items|item|entries|nothing|everything|more|there|i|we|you|it|all|what|one|left|new|much else|more|left|new?"); none || len(item.words) > 5 || hasAny(item, "how", "many", "what") {
		return "", true
	}
	return strings.ReplaceAll(itemsOf(item), " or ", ", "), true
}

// tasksAsked hears who asks what there is to do, or what of it is due by then.
func (l listener) tasksAsked(s said) (intent, bool) {
	in := intent{tool: skillPlans, params: map[string]any{"kind": "tasks"}}
	if _, ok := s.any("what have i|we still? got|left? to do around|in|at? the? house|home|place?", "what do i|we still? have|need to do around|in|at the? house|home|place", "what needs|has to be done|doing around|in|at? the? house|home|place?", "what is there|left to do around|in|at? the? house|home|place?"); ok {
		return in, true
	}
	const list = " on|in|from my|the|our? to-do|todo|task|tasks|todos|to-dos list?"
	c, ok := s.any("anything|something|what|which|is|are there? anything|something? due *when"+list, "what is|are due *when"+list, "anything|something|what due *when on|in|from my|the|our? to do list", "is|are there? anything|something due *when on|in|from my|the|our? to do list", "what is|are due *when on|in|from my|the|our? to do list", "do i have anything|something due *when"+list)
	if !ok || !l.isPeriod(c.get("when")) {
		return intent{}, false
	}
	return in.with("during", c.get("when")), true
}

package lists

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// listAsked hears questions about lists and their entries.
func (l Lister) listAsked(s sentences.Said) (tools.Intent, bool) {
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.whichList, l.toBuy, l.listCounted} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	if s.Is(0, "i", "we", "so") && Starts(s, asksOf) == 0 {
		for i := 1; i < len(s.Words); i++ { // "I'm at the store, what's on the list?"
			if s.Words[i-1].Stop && Starts(s.From(i), asksOf) > 0 && len(PlacesOf(s.UpTo(i))) == 0 {
				return l.placeAsked(s.From(i))
			}
		}
	}
	return l.placeAsked(s)
}

// shownList is a question for a list, for an entry, or for both.
func shownList(list, item string) (tools.Intent, bool) {
	in := tools.Intent{Tool: tools.SkillList, Params: map[string]any{"action": "show"}}
	if list != "" {
		in.Params["list"] = list
	}
	if item != "" {
		in.Params["item"] = item
	}
	return in, true
}

// whichList hears who asks on which list an entry is, or whether on any.
func (l Lister) whichList(s sentences.Said) (tools.Intent, bool) {
	s.Question = false // what it asks for is named as anywhere else
	if c, ok := s.Any("which|what list|lists has|have|contains *item", "which|what list|lists is|are *item on", "on|in which|what list|lists is|are|did *item", "which|what list did|do|have i|we put|write|have|get|add *item on|to|in", "is|are there? *item on any list|lists|one? of? my? lists?", "where is|are *item listed|written"); ok {
		item := c.Sentence("item")
		if item.Is(0, "i", "we") && s.Is(1, "lists") {
			return tools.Intent{}, false // what lists have I made
		}
		if n := item.Ends([]string{"on it", "on them", "in it"}); n > 0 && n < len(item.Words) {
			item = item.UpTo(len(item.Words) - n)
		}
		if n := Starts(item, []string{"i put", "i write", "i add", "we put", "i have", "i note"}); n > 0 && n < len(item.Words) {
			item = item.From(n)
		}
		return shownList("", ItemsOf(item))
	}
	if c, ok := s.Any("did|have i|we already? add|put|listed|noted|write|wrote *item down already|yet?", "did|have i|we already|ever|still? add|added|put|listed|noted|wrote|write *item already|yet?", "is|are *item on there|it|them already|yet|still?", "is|are *item already on there|it|them", "did|have i|we already? add|put|added *item on|to|in it|there|them already|yet?"); ok {
		item := c.Sentence("item")
		for len(item.Words) > 1 && item.Is(0, "the", "any", "my", "some") {
			item = item.From(1)
		}
		if sentences.IsThing(item) && len(item.Words) <= 3 && !l.Timing(s.All()).Said && !sentences.HasAny(s, "calendar", "reminder", "alarm") && l.PlanTool(item) == "" && !sentences.HasAny(item, "to", "it", "that", "on") {
			return shownList("", ItemsOf(item))
		}
	}
	if c, ok := s.Any("where did i|we put *item shopping|grocery or shopping|grocery", "do i|we still? need|have more|any? *item from the store|shop|supermarket", "do i|we still? need|have to buy|get any|more|some? *item", "do i|we still? need any|more? *item"); ok {
		item := c.Sentence("item")
		if len(item.Words) <= 3 && !item.Is(0, "to", "a", "an", "you", "help", "this", "that", "it", "your", "the", "my", "any") && sentences.IsThing(item) && !l.Timing(s.All()).Said && !s.Words[len(s.Words)-1].Quoted && s.Is(0, "do", "where") {
			return shownList("", ItemsOf(item))
		}
	}
	return tools.Intent{}, false
}

// toBuy hears who asks what there is to buy, to pack or to give.
func (l Lister) toBuy(s sentences.Said) (tools.Intent, bool) {
	if c, ok := s.Any("what do|should|must|can i|we need|have|want? to? buy|get|pick at|in|from|when|up|for? i|we? go|am|are|the? *where", "what do i|we need from|at the *where", "who do|should|must i|we need|have? to? buy|get *where for", "who am|are i|we buying|getting *where for", "what am|are i|we getting|buying from|at|in the? *where"); ok {
		name := ""
		for _, w := range c.Sentence("where").Words {
			if bareNames[w.Lower] && !taskWords[w.Lower] {
				name = c.Said.Text[w.Start:w.End]
			}
		}
		if name != "" {
			in, _ := shownList(name, "")
			in.Params["existing"] = true
			return in, true
		}
	}
	if _, ok := s.Any("how many things|items do i|we still? need|have to? buy|get", "what do|should|must i|we still? need|have? to? buy", "what did i|we say i|we needed|need|wanted|had to? get|buy|need?", "what did i|we need|want to? get|buy", "what items|things|stuff did|do|should i|we plan|want|have|need|mean|intend? to? buy|get"); ok {
		return shownList("", "")
	}
	if c, ok := s.Any("what do|should|must|did i|we still? need|have? to? buy|get|need at|from|in the *where", "what do|did i|we still? need from|at the *where", "what should|must i|we buy|get|pick up? at|in|from the *where"); ok && isShop(c.Sentence("where")) {
		in, _ := shownList(c.Get("where"), "")
		in.Params["existing"] = true
		return in, true
	}
	if c, ok := s.Any("how many *name do|should|must|are|am i|we *rest", "what|which|whose *name do|should|must|are|am i|we *rest", "what is|are left|still to pack|buy|get for the|my|our? *name", "what do i|we still need to pack|bring for the|my|our? *name"); ok {
		name := c.Sentence("name")
		for i, w := range name.Words {
			if sentences.InWords("gifts presents groceries", w.Lower) && i == len(name.Words)-1 && !l.Timing(s.All()).Said || len(c.Sentence("rest").Words) == 0 && len(name.Words) <= 2 && i == len(name.Words)-1 {
				in, _ := shownList(name.Part(max(0, i-1), i+1), "")
				in.Params["existing"] = true
				return in, true
			}
		}
	}
	return tools.Intent{}, false
}

// listCounted hears who asks how much is on a list, or whether somebody or something is.
func (l Lister) listCounted(s sentences.Said) (tools.Intent, bool) {
	if c, ok := s.Any("am|are i|we getting|giving|buying *item something|anything|presents|gifts for *list"); ok {
		in, _ := shownList(c.Get("list"), c.Get("item"))
		in.Params["existing"] = true
		return in, len(c.Sentence("item").Words) <= 2 && !l.Timing(c.Get("list")).Wrong
	}
	if c, ok := s.Any("number|count of items|things|entries|people on|in the|my? *list", "count up? all? the|my? items|things|entries|people on|in the|my? *list"); ok {
		in, _ := shownList(strings.TrimSuffix(c.Get("list"), " list"), "")
		in.Params["existing"], in.Params["count"] = true, true
		return in, len(c.Sentence("list").Words) <= 3
	}
	if c, ok := s.Any("have|do i|we got|have *item down|listed|noted for|on the|my? *list"); ok {
		in, _ := shownList(strings.TrimSuffix(c.Get("list"), " list"), ItemsOf(c.Sentence("item")))
		in.Params["existing"] = true
		return in, len(c.Sentence("list").Words) <= 3 && sentences.IsThing(c.Sentence("item"))
	}
	return tools.Intent{}, false
}

// ListTold hears who wants to be told again what is on a list: "remind me what's on my list".
func (l Lister) ListTold(s sentences.Said) (tools.Intent, bool) {
	if !s.Begins("remind", "me") || !s.Is(2, "what", "who", "which", "how") {
		return tools.Intent{}, false
	}
	return l.List(s.From(2))
}

// asksOf begin a question about a list, or a wish to see it.
var asksOf = []string{"show", "show me", "read", "read me", "read out", "reading out", "tell me", "give me", "open", "open up", "pull up", "bring up", "display", "let me see", "let me hear", "list", "view", "see", "hear", "check", "recite", "get me", "go over", "go through", "look at", "run through", "run me through", "review",
	"read off", "print", "name", "find", "how long is", "remind me what is", "remind me what", "tell me what is", "what is", "what are", "what", "which", "who", "who is", "how many", "is", "are", "do", "does", "did", "have", "has", "anything", "is there anything", "can i see", "can i hear", "may i see", "i want to see", "i would like to see", "i want to hear", "give me a rundown of", "am", "contents of", "the contents of", "status of", "items on", "i would like to know what is", "i would like to know", "i want to know what is", "i need", "i want", "i would like", "have"}

// placeAsked hears a question about the list that a sentence names.
func (l Lister) placeAsked(s sentences.Said) (tools.Intent, bool) {
	all := PlacesOf(s)
	n := Starts(s, asksOf)
	if len(s.Words) == 1 && s.Is(0, "groceries") {
		return shownList(s.All(), "")
	}
	if len(all) == 0 && n > 0 {
		for i := range s.Words { // "bring up groceries", "how many people are getting Christmas gifts"
			ends := i == len(s.Words)-1 || s.Is(i+1, "include", "have", "contain", "includes", "has") && s.Is(0, "do", "does") || s.Is(i+1, "for") && s.Is(0, "check", "list", "read", "show")
			if i < n || !ends || !s.Is(i, "groceries", "gifts", "presents") {
				continue
			}
			p := Place{From: i, To: i + 1, sure: s.Is(i, "groceries")}
			for i-p.From < 2 && !endsName(s, p.From-1) && p.From > n && !s.Is(p.From-1, "getting", "giving", "buying") {
				p.From--
			}
			p.Name = s.Part(p.From, i+1)
			all = []Place{introduced(s, p)}
			break
		}
	}
	if len(all) != 1 || all[0].many && all[0].Name == "" || isTaskName(all[0].Name) {
		return tools.Intent{}, false
	}
	p := all[0]
	if s.Is(p.From, "a", "an") && sentences.HasAny(between(s, p.From, p.To), "of") {
		return tools.Intent{}, false // a list of what the world has
	}
	before, after := Bare(between(s, 0, p.From)), Bare(between(s, p.To, len(s.Words)))
	in := l.OnNamed(p, "show")
	if some, ok := someAsked(in, before, after, p); ok {
		return some, true
	}
	if item, ok := l.entryAsked(s, p, before, after); ok {
		if item != "" {
			in.Params["item"] = item
		}
		return in, true
	}
	if len(before.Words) == 0 && after.Is(0, "what", "how", "who", "read") {
		return in, true
	}
	if c, ok := s.Any("number|count of *x", "anything|something on|in *x", "is *x empty"); ok && len(c.Sentence("x").Words) <= 5 && p.sure {
		return in, true
	}
	return in, n > 0 && p.Name != "" && len(after.Words) == 0 && !sentences.HasAny(before, "add", "put", "remove", "create", "make", "delete", "new") && (p.Prep != "" || n == len(before.Words) || before.Is(0, "how", "who")) && !(s.Is(0, "check", "list", "find", "name", "open", "do", "have", "give") && p.Prep == "off") && l.isPlainAsk(before, n) && !isTaskName(p.Name)
}

// isPlainAsk reports whether nothing stands between the words that ask and the list but what
// asks for its entries.
func (l Lister) isPlainAsk(before sentences.Said, n int) bool {
	for i := range before.Words {
		if i < n {
			continue
		}
		if !sentences.InWords("is are do does i we have need did put still left me you all items item things thing entries on in the to pack get buy for everything what which who how many people first last next fruit comes after there be am got written so far there's out any of already listed list items' rundown a an names name whole", before.Words[i].Lower) && before.Words[i].Start != before.Words[i].End {
			return before.Is(0, "what", "which", "how") // "what fruit is on the list"
		}
	}
	return true
}

// entryAsked is the entry that a question asks a list for; "" for any.
func (l Lister) entryAsked(s sentences.Said, p Place, before, after sentences.Said) (string, bool) {
	var c sentences.Captured
	ok := false
	switch {
	case len(after.Words) == 0:
		c, ok = before.Any("is|are there already|still|also? *item", "is|are|was|were *item", "do|did|have|has i|we already|still|also|ever? have|put|add|added|remember|write|written|get|got|need|note|include *item", "did|have|has you|i|we put|add|added *item", "check|see|tell if|whether there? is|are *item", "check|see|tell me? if|whether *item is|are", "check|see|tell me? if|whether i|we have|put|need *item", "have|do i|we got|have *item down?", "has|have|was|were *item been? added|put|listed|written", "look|search for *item", "am i getting *item")
	case len(before.Words) == 0 || before.All() == "does" || before.All() == "do" || before.All() == "did" || before.All() == "has":
		c, ok = after.Any("have|has|include|includes|contain|contains|say|says|list|need|mention *item on|in? it?")
		ok = ok && s.Is(0, "does", "do", "did")
	case before.Is(0, "check", "search") && after.Is(0, "for"):
		c, ok = after.Any("for *item")
	}
	if !ok || len(after.Words) == 0 && p.Prep == "" {
		return "", false
	}
	item := c.Sentence("item")
	for len(item.Words) > 1 && (item.Is(len(item.Words)-1, "down", "already", "still", "yet", "left", "written", "listed", "there", "in") || item.Is(0, "there", "any", "already", "still") && len(item.Words) > 1) {
		if item.Is(0, "there", "any", "already", "still") {
			item = item.From(1)
		} else {
			item = item.UpTo(len(item.Words) - 1)
		}
	}
	if _, none := item.Any("anything|something|any|things|items|item|entries|nothing|everything|more|there|i|we|you|it|all|what|one|left|new|much else|more|left|new?"); none || len(item.Words) > 5 || sentences.HasAny(item, "how", "many", "what") {
		return "", true
	}
	return strings.ReplaceAll(ItemsOf(item), " or ", ", "), true
}

// TasksAsked hears who asks what there is to do, or what of it is due by then.
func (l Lister) TasksAsked(s sentences.Said) (tools.Intent, bool) {
	in := tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": "tasks"}}
	if _, ok := s.Any("what have i|we still? got|left? to do around|in|at? the? house|home|place?", "what do i|we still? have|need to do around|in|at the? house|home|place", "what needs|has to be done|doing around|in|at? the? house|home|place?", "what is there|left to do around|in|at? the? house|home|place?"); ok {
		return in, true
	}
	const list = " on|in|from my|the|our? to-do|todo|task|tasks|todos|to-dos list?"
	c, ok := s.Any("anything|something|what|which|is|are there? anything|something? due *when"+list, "what is|are due *when"+list, "anything|something|what due *when on|in|from my|the|our? to do list", "is|are there? anything|something due *when on|in|from my|the|our? to do list", "what is|are due *when on|in|from my|the|our? to do list", "do i have anything|something due *when"+list)
	if !ok || !l.IsPeriod(c.Get("when")) {
		return tools.Intent{}, false
	}
	return in.With("during", c.Get("when")), true
}

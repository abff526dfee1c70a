package hearing

import "strings"

// maxListNameWords bounds the name of a list: what is longer is something else.
const maxListNameWords = 4

// place is where a sentence names a list: "on my shopping list", "the list called party",
// "groceries".
type place struct {
	from, to int    // its words, with what introduces them
	name     string // "" where only "the list" is said
	prep     string // on, to, from …; "" for none
	sure     bool   // a list is spoken of; otherwise it is one only if there is one of that name
	many     bool   // lists are
}

// Words that lead to a list, and away from it.
const (
	ontoList = "on onto to in into for"
	offList  = "from off"
)

// bareNames are names of lists that need no "list" behind them.
var bareNames = wordsIn("groceries grocery shopping gifts presents to-dos todos tasks todo to-do wishlist errands chores")

// notLists are things that entries are put on or taken off, and that aren't kept here.
var notLists = wordsIn("contacts contact playlist playlists friends watchlist library queue facebook favorites favourites cart basket account calendar order dvr music memory mind")

// fronts are words in front of a list's name.
const fronts = "the my our a an this that your his her their new another empty blank whole entire existing active all every both any"

// ended reports whether a list's name can't begin in front of a word.
func (s said) endsName(i int) bool {
	switch {
	case i < 0, s.words[i].stop, s.words[i].colon, s.words[i].quoted, s.words[i].start == s.words[i].end:
		return true
	case s.is(i, "to"):
		return !s.is(i+1, "do", "read", "visit", "watch", "buy", "try", "see", "eat", "pack", "get", "fix", "invite", "call", "cook", "bring", "remember", "ask", "go")
	case inWords(ontoList+" "+offList+" "+fronts+" of with at out up as and so please also pls is are has does need needs what which how many in me i you we use via", s.words[i].lower):
		return true
	case inWords("start create make open begin read show delete remove clear empty check list drop erase edit update add put", s.words[i].lower):
		return !s.is(i-1, "to")
	case i == 0 && s.is(i, "view", "see", "display", "find", "get", "bring", "pull", "share", "print", "name", "rename", "hear"):
		return true
	}
	return false
}

func inWords(all, word string) bool { return strings.Contains(" "+all+" ", " "+word+" ") }

// places are where a sentence names lists.
func (s said) places() []place {
	var out []place
	for i := range s.words {
		switch {
		case s.is(i, "list", "lists", "lst") && (i > 0 || len(s.words) == 1 || s.is(1, "of", "called", "named", "for") || s.words[0].colon):
			if p := s.placeAt(i); !notLists[lastWord(p.name)] {
				for len(out) > 0 && out[len(out)-1].to > p.from {
					out = out[:len(out)-1] // the shopping and grocery lists
				}
				out = append(out, p)
			}
		case !s.words[i].quoted && bareNames[s.words[i].lower] && !s.is(i+1, "list", "lists", "lst"):
			if p, ok := s.barePlace(i); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

func lastWord(text string) string {
	text = strings.ToLower(text)
	return text[strings.LastIndexByte(text, ' ')+1:]
}

// introduced widens a place by the words in front of its name.
func (s said) introduced(p place) place {
	for p.from > 0 && !(p.from == 1 && s.is(0, "empty")) && inWords(fronts, s.words[p.from-1].lower) && !s.words[p.from-1].stop && !s.words[p.from-1].colon && !s.words[p.from-1].quoted {
		p.from--
	}
	if p.from > 0 && (inWords(ontoList+" "+offList, s.words[p.from-1].lower) || s.is(p.from-1, "of") && s.is(p.from-2, "off", "out")) && !s.words[p.from-1].stop && !s.words[p.from-1].quoted {
		p.from--
		p.prep = s.words[p.from].lower
		for p.from > 0 && (s.is(p.from, "of") && s.is(p.from-1, "off", "out") || s.is(p.from, "from") && s.is(p.from-1, "out", "off", "away") || s.is(p.from, "to") && s.is(p.from-1, "on") || s.is(p.from, "on") && s.is(p.from-1, "down")) {
			if s.is(p.from-1, "off", "out", "away") {
				p.prep = "off"
			}
			p.from--
		}
	}
	return p
}

// placeAt is the place around the word "list".
func (s said) placeAt(i int) place {
	p := place{from: i, to: i + 1, sure: true, many: s.is(i, "lists")}
	for i-p.from < maxListNameWords && !s.endsName(p.from-1) {
		p.from--
	}
	if p.many && s.is(p.from-1, "and") && !s.endsName(p.from-2) { // the shopping and grocery lists
		p.from -= 2
	}
	p.name = s.part(p.from, i)
	p = s.withOther(s.introduced(p))
	if p.name != "" || s.words[i].stop || s.words[i].colon || p.many {
		return p
	}
	at := p.to
	if s.is(at, "for") && s.is(at+1, "me", "us") && s.is(at+2, "called", "named", "titled") {
		at += 2
	}
	if s.is(at, "called", "named", "titled", "name") {
		at++
	} else if !s.is(at, "of", "for") {
		return p
	} else {
		at++
	}
	for at < len(s.words)-1 && s.is(at, "the", "my", "our", "a", "all") && !s.words[at].stop {
		at++
	}
	end := at
	for end < len(s.words) && !s.is(end, "with", "please", "on", "from", "containing", "including", "is", "are", "needs", "should", "has") && !(s.is(end, "and") && (s.is(end+1, "add", "put", "include") || hasAny(s.from(end), "it", "them", "that"))) {
		end++
		if s.words[end-1].stop || s.words[end-1].colon {
			break
		}
	}
	if n := end - at; n > 0 && n <= maxListNameWords+1 && !s.is(at, "me", "today", "tomorrow", "this", "following", "mine", "us", "tonight", "next", "that") && !inWords("who that", s.words[end-1].lower) {
		p.name, p.to = s.part(at, end), end
	}
	return p
}

// withOther widens the place of a list by the name of another that goes with it: the shopping and
// the grocery list.
func (s said) withOther(p place) place {
	and := p.from - 1
	if p.prep != "" || p.name == "" || !s.is(and, "and") || !s.is(p.from, "the", "my", "our") {
		return p
	}
	end := and
	if s.is(end-1, "list") {
		end--
	}
	from := end
	for end-from < 2 && !s.endsName(from-1) {
		from--
	}
	other := s.introduced(place{from: from})
	if from == end || other.from == from || !s.is(from-1, "the", "my", "our", "both") {
		return p
	}
	p.name, p.from, p.prep, p.many = s.part(from, end)+" and "+p.name, other.from, other.prep, true
	return p
}

// barePlace is a place without the word "list": "on the Christmas gifts", "groceries: milk".
func (s said) barePlace(i int) (place, bool) {
	p := place{from: i, to: i + 1, sure: false}
	if inWords("groceries grocery shopping", s.words[i].lower) || taskWords[s.words[i].lower] {
		p.sure = true
	}
	for i-p.from < 2 && !s.endsName(p.from-1) {
		p.from--
	}
	p.name = s.part(p.from, i+1)
	if s.is(i+1, "and") && i+2 < len(s.words) && bareNames[s.words[i+2].lower] && !s.words[i].stop { // grocery and shopping
		p.name, p.to, p.many = s.part(p.from, i+3), i+3, true
		i += 2
	}
	front := p.from
	p = s.introduced(p)
	ends := p.to == len(s.words) || s.words[i].stop || s.words[i].colon || s.is(p.to, "please", "pls", "for", "and", "thanks", "too", "again")
	switch {
	case !ends || s.is(p.from, "of"):
		return place{}, false
	case p.prep == "for" || p.prep == "in" || p.prep == "to" && s.is(p.from-1, "go", "going", "drive", "get", "back"):
		return place{}, false
	case p.prep != "":
		return p, true
	case front == 0 && s.words[i].colon:
		return p, true
	}
	return place{}, false
}

// taskWords say that tasks are meant.
var taskWords = wordsIn("task tasks todo todos to-do to-dos")

// adding and taking are the words that begin what is to go on a list and off it; the longer
// before the shorter.
var (
	adding = []string{"write down", "note down", "jot down", "make a note of", "go ahead and add", "i would like you to add", "i want to add", "i need to add", "let's add", "let's put", "let us add", "i would like", "i want", "i need", "we need", "we want", "we could use", "make sure that", "make sure",
		"add in", "add", "put", "stick", "throw", "toss", "pop", "chuck", "slap", "drop", "place", "include", "append", "tack", "attach", "insert", "enter", "record", "write", "note", "jot", "log", "get", "need", "save", "type", "update"}
	taking = []string{"i do not need", "i do not want", "we do not need", "we do not want", "i no longer need", "we no longer need", "get rid of", "cross off", "cross out", "tick off", "check off", "strike off", "strike out", "scratch off", "scratch out", "take off", "take out", "take away", "mark off", "clear off", "throw out", "throw away", "toss out", "clear out", "clean out", "empty out", "wipe out", "kick", "kick off",
		"remove", "delete", "erase", "strike", "scratch", "cross", "tick", "kill", "lose", "ditch", "clear", "uncheck", "untick", "unlist", "take", "mark", "check", "drop", "wipe", "empty", "scrap", "trash", "pull", "bump", "cancel"}
	needing = []string{"should also have", "should have", "should include", "could use", "could do with", "has to have", "must have", "needs", "need", "gets", "get", "plus", "wants", "is missing", "also needs", "also", "requires", "should say", "should contain", "should get", "should read"}
)

// starts is how many words of a sentence are one of some beginnings; 0 for none.
func (s said) starts(with []string) int {
	best := 0
	for _, w := range with {
		best = max(best, s.standsAt(0, w))
	}
	return best
}

// ends is how many words at a sentence's end are one of some endings; 0 for none.
func (s said) ends(with []string) int {
	best := 0
	for _, w := range with {
		if n := strings.Count(w, " ") + 1; n > best && n <= len(s.words) && s.standsAt(len(s.words)-n, w) == n {
			best = n
		}
	}
	return best
}

// idleEnds and idleStarts say nothing of what is to be done.
var (
	idleEnds   = []string{"please", "pls", "plz", "thanks", "thank you", "too", "also", "as well", "for me", "with me", "then", "entirely", "completely", "altogether", "for good", "if it is not there", "if it is not there already", "if it is not already there", "if it is not on it", "and nothing else", "nothing else", "only", "again", "yet", "now", "anymore", "any more", "ok", "okay", "so far", "already", "right now", "chalie", "will you", "would you", "while you are at it", "pretty please", "real quick", "quickly", "when you can", "if you can", "when you get a chance", "if possible"}
	idleStarts = []string{"and", "also", "so", "then", "please", "pls", "plz", "just", "now", "ok", "okay", "well", "oh", "hey", "let's", "let us", "can you", "could you", "would you", "will you", "can u", "could u", "would u", "can we", "could we", "you can", "you could", "you may", "i mean", "i need you to", "i want you to", "i would like you to", "help me", "go ahead and", "actually", "kindly", "chalie", "hi", "hello", "do", "could you please", "quickly", "mind", "would you mind", "no wait", "wait", "rather", "quick", "is it possible to", "would it be possible to", "when you get a chance", "when you have a moment", "when you can", "if you can", "if you could", "if possible"}
)

// wishes say that somebody wants to do what follows.
var wishes = []string{"let me", "i wanna", "i want to", "i would like to", "i need to", "we need to", "we should", "i should", "i have to", "do not forget to", "remember to", "i forgot to"}

// bare is a sentence without what is idle around it.
func (s said) bare() said {
	for len(s.words) > 0 {
		if n := s.starts(idleStarts); n > 0 && n < len(s.words) && !s.begins("do", "not") && !s.begins("do", "i") && !s.begins("do", "we") && !s.begins("can", "i") {
			s = s.from(n)
		} else if n := s.starts(wishes); n > 0 && (s.from(n).starts(adding) > 0 || s.from(n).starts(taking) > 0 || s.from(n).is(0, "see", "hear")) && !s.is(0, "remember", "do") && len(s.places()) > 0 {
			s = s.from(n)
		} else if n := s.ends(idleEnds); n > 0 {
			s = s.upTo(len(s.words) - n)
		} else {
			return s
		}
	}
	return s
}

// between is the part of a sentence from one word up to another.
func (s said) between(from, to int) said {
	s.words = s.words[min(from, to):to]
	return s
}

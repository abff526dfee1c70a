package lists

import (
	"strings"

	"chalie/domain/language/sentences"
)

// Place is where a sentence names a list: "on my shopping list", "the list called party",
// "groceries".
type Place struct {
	From, To int    // its words, with what introduces them
	Name     string // "" where only "the list" is said
	Prep     string // on, to, from …; "" for none
	sure     bool   // a list is spoken of; otherwise it is one only if there is one of that name
	many     bool   // lists are
}

// Words that lead to a list, and away from it.
const (
	OntoList = "on onto to in into for"
	OffList  = "from off"
)

// bareNames are names of lists that need no "list" behind them.
var bareNames = sentences.WordsIn("groceries grocery shopping gifts presents to-dos todos tasks todo to-do wishlist errands chores")

// notLists are things that entries are put on or taken off, and that aren't kept here.
var notLists = sentences.WordsIn("contacts contact playlist playlists friends watchlist library queue facebook favorites favourites cart basket account calendar order dvr music memory mind")

// fronts are words in front of a list's name.
const fronts = "the my our a an this that your his her their new another empty blank whole entire existing active all every both any"

// ended reports whether a list's name can't begin in front of a word.
func endsName(s sentences.Said, i int) bool {
	switch {
	case i < 0, s.Words[i].Stop, s.Words[i].Colon, s.Words[i].Quoted, s.Words[i].Start == s.Words[i].End:
		return true
	case s.Is(i, "to"):
		return !s.Is(i+1, "do", "read", "visit", "watch", "buy", "try", "see", "eat", "pack", "get", "fix", "invite", "call", "cook", "bring", "remember", "ask", "go")
	case sentences.InWords(OntoList+" "+OffList+" "+fronts+" of with at out up as and so please also pls is are has does need needs what which how many in me i you we use via", s.Words[i].Lower):
		return true
	case sentences.InWords("start create make open begin read show delete remove clear empty check list drop erase edit update add put", s.Words[i].Lower):
		return !s.Is(i-1, "to")
	case i == 0 && s.Is(i, "view", "see", "display", "find", "get", "bring", "pull", "share", "print", "name", "rename", "hear"):
		return true
	}
	return false
}

// PlacesOf are where a sentence names lists.
func PlacesOf(s sentences.Said) []Place {
	var out []Place
	for i := range s.Words {
		switch {
		case s.Is(i, "list", "lists", "lst") && (i > 0 || len(s.Words) == 1 || s.Is(1, "of", "called", "named", "for") || s.Words[0].Colon):
			if p := placeAt(s, i); !notLists[lastWord(p.Name)] {
				for len(out) > 0 && out[len(out)-1].To > p.From {
					out = out[:len(out)-1] // the shopping and grocery lists
				}
				out = append(out, p)
			}
		case !s.Words[i].Quoted && bareNames[s.Words[i].Lower] && !s.Is(i+1, "list", "lists", "lst"):
			if p, ok := barePlace(s, i); ok {
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
func introduced(s sentences.Said, p Place) Place {
	for p.From > 0 && !(p.From == 1 && s.Is(0, "empty")) && sentences.InWords(fronts, s.Words[p.From-1].Lower) && !s.Words[p.From-1].Stop && !s.Words[p.From-1].Colon && !s.Words[p.From-1].Quoted {
		p.From--
	}
	if p.From > 0 && (sentences.InWords(OntoList+" "+OffList, s.Words[p.From-1].Lower) || s.Is(p.From-1, "of") && s.Is(p.From-2, "off", "out")) && !s.Words[p.From-1].Stop && !s.Words[p.From-1].Quoted {
		p.From--
		p.Prep = s.Words[p.From].Lower
		for p.From > 0 && (s.Is(p.From, "of") && s.Is(p.From-1, "off", "out") || s.Is(p.From, "from") && s.Is(p.From-1, "out", "off", "away") || s.Is(p.From, "to") && s.Is(p.From-1, "on") || s.Is(p.From, "on") && s.Is(p.From-1, "down")) {
			if s.Is(p.From-1, "off", "out", "away") {
				p.Prep = "off"
			}
			p.From--
		}
	}
	return p
}

// placeAt is the place around the word "list".
func placeAt(s sentences.Said, i int) Place {
	p := Place{From: i, To: i + 1, sure: true, many: s.Is(i, "lists")}
	for i-p.From < sentences.MaxListNameWords && !endsName(s, p.From-1) {
		p.From--
	}
	if p.many && s.Is(p.From-1, "and") && !endsName(s, p.From-2) { // the shopping and grocery lists
		p.From -= 2
	}
	p.Name = s.Part(p.From, i)
	p = withOther(s, introduced(s, p))
	if p.Name != "" || s.Words[i].Stop || s.Words[i].Colon || p.many {
		return p
	}
	at := p.To
	if s.Is(at, "for") && s.Is(at+1, "me", "us") && s.Is(at+2, "called", "named", "titled") {
		at += 2
	}
	if s.Is(at, "called", "named", "titled", "name") {
		at++
	} else if !s.Is(at, "of", "for") {
		return p
	} else {
		at++
	}
	for at < len(s.Words)-1 && s.Is(at, "the", "my", "our", "a", "all") && !s.Words[at].Stop {
		at++
	}
	end := at
	for end < len(s.Words) && !s.Is(end, "with", "please", "on", "from", "containing", "including", "is", "are", "needs", "should", "has") && !(s.Is(end, "and") && (s.Is(end+1, "add", "put", "include") || sentences.HasAny(s.From(end), "it", "them", "that"))) {
		end++
		if s.Words[end-1].Stop || s.Words[end-1].Colon {
			break
		}
	}
	if n := end - at; n > 0 && n <= sentences.MaxListNameWords+1 && !s.Is(at, "me", "today", "tomorrow", "this", "following", "mine", "us", "tonight", "next", "that") && !sentences.InWords("who that", s.Words[end-1].Lower) {
		p.Name, p.To = s.Part(at, end), end
	}
	return p
}

// withOther widens the place of a list by the name of another that goes with it: the shopping and
// the grocery list.
func withOther(s sentences.Said, p Place) Place {
	and := p.From - 1
	if p.Prep != "" || p.Name == "" || !s.Is(and, "and") || !s.Is(p.From, "the", "my", "our") {
		return p
	}
	end := and
	if s.Is(end-1, "list") {
		end--
	}
	from := end
	for end-from < 2 && !endsName(s, from-1) {
		from--
	}
	other := introduced(s, Place{From: from})
	if from == end || other.From == from || !s.Is(from-1, "the", "my", "our", "both") {
		return p
	}
	p.Name, p.From, p.Prep, p.many = s.Part(from, end)+" and "+p.Name, other.From, other.Prep, true
	return p
}

// barePlace is a place without the word "list": "on the Christmas gifts", "groceries: milk".
func barePlace(s sentences.Said, i int) (Place, bool) {
	p := Place{From: i, To: i + 1, sure: false}
	if sentences.InWords("groceries grocery shopping", s.Words[i].Lower) || taskWords[s.Words[i].Lower] {
		p.sure = true
	}
	for i-p.From < 2 && !endsName(s, p.From-1) {
		p.From--
	}
	p.Name = s.Part(p.From, i+1)
	if s.Is(i+1, "and") && i+2 < len(s.Words) && bareNames[s.Words[i+2].Lower] && !s.Words[i].Stop { // grocery and shopping
		p.Name, p.To, p.many = s.Part(p.From, i+3), i+3, true
		i += 2
	}
	front := p.From
	p = introduced(s, p)
	ends := p.To == len(s.Words) || s.Words[i].Stop || s.Words[i].Colon || s.Is(p.To, "please", "pls", "for", "and", "thanks", "too", "again")
	switch {
	case !ends || s.Is(p.From, "of"):
		return Place{}, false
	case p.Prep == "for" || p.Prep == "in" || p.Prep == "to" && s.Is(p.From-1, "go", "going", "drive", "get", "back"):
		return Place{}, false
	case p.Prep != "":
		return p, true
	case front == 0 && s.Words[i].Colon:
		return p, true
	}
	return Place{}, false
}

// taskWords say that tasks are meant.
var taskWords = sentences.WordsIn("task tasks todo todos to-do to-dos")

// Adding and taking are the words that begin what is to go on a list and off it; the longer
// before the shorter.
var (
	Adding = []string{"write down", "note down", "jot down", "make a note of", "go ahead and add", "i would like you to add", "i want to add", "i need to add", "let's add", "let's put", "let us add", "i would like", "i want", "i need", "we need", "we want", "we could use", "make sure that", "make sure",
		"add in", "add", "put", "stick", "throw", "toss", "pop", "chuck", "slap", "drop", "place", "include", "append", "tack", "attach", "insert", "enter", "record", "write", "note", "jot", "log", "get", "need", "save", "type", "update"}
	Taking = []string{"i do not need", "i do not want", "we do not need", "we do not want", "i no longer need", "we no longer need", "get rid of", "cross off", "cross out", "tick off", "check off", "strike off", "strike out", "scratch off", "scratch out", "take off", "take out", "take away", "mark off", "clear off", "throw out", "throw away", "toss out", "clear out", "clean out", "empty out", "wipe out", "kick", "kick off",
		"remove", "delete", "erase", "strike", "scratch", "cross", "tick", "kill", "lose", "ditch", "clear", "uncheck", "untick", "unlist", "take", "mark", "check", "drop", "wipe", "empty", "scrap", "trash", "pull", "bump", "cancel"}
	needing = []string{"should also have", "should have", "should include", "could use", "could do with", "has to have", "must have", "needs", "need", "gets", "get", "plus", "wants", "is missing", "also needs", "also", "requires", "should say", "should contain", "should get", "should read"}
)

// Starts is how many words of a sentence are one of some beginnings; 0 for none.
func Starts(s sentences.Said, with []string) int {
	best := 0
	for _, w := range with {
		best = max(best, s.StandsAt(0, w))
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

// Bare is a sentence without what is idle around it.
func Bare(s sentences.Said) sentences.Said {
	for len(s.Words) > 0 {
		if n := Starts(s, idleStarts); n > 0 && n < len(s.Words) && !s.Begins("do", "not") && !s.Begins("do", "i") && !s.Begins("do", "we") && !s.Begins("can", "i") {
			s = s.From(n)
		} else if n := Starts(s, wishes); n > 0 && (Starts(s.From(n), Adding) > 0 || Starts(s.From(n), Taking) > 0 || s.From(n).Is(0, "see", "hear")) && !s.Is(0, "remember", "do") && len(PlacesOf(s)) > 0 {
			s = s.From(n)
		} else if n := s.Ends(idleEnds); n > 0 {
			s = s.UpTo(len(s.Words) - n)
		} else {
			return s
		}
	}
	return s
}

// between is the part of a sentence from one word up to another.
func between(s sentences.Said, from, to int) sentences.Said {
	s.Words = s.Words[min(from, to):to]
	return s
}

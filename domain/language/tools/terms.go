package tools

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/bynames"
	"chalie/domain/language/deed"
	"chalie/domain/language/sentences"
)

// What a word of a request is worth for a tool, before it is known how rare it is
// among the tools.
const (
	inName        = 8 // it is in the tool's name
	InDescription = 3 // or in what the tool says of itself
	inParameter   = 2
	inInterface   = 2
	asGeneric     = 1 // wherever a word stands that most tools could carry
)

// maxTermWords bounds how much of a tool's own words is read.
const maxTermWords = 60

// terms are the words a tool can be meant by, each with what it is worth.
type terms map[string]int

func (t terms) add(words []string, worth int) {
	for _, w := range words[:min(len(words), maxTermWords)] {
		w = TermOf(w)
		if IsFiller(w) {
			continue
		}
		if isGeneric(w) {
			t[w] = max(t[w], asGeneric)
			continue
		}
		t[w] = max(t[w], worth)
	}
}

// deeds are kinds of what verbs do. A verb of a request has to share one with that of a tool.
type deeds uint16

const (
	toLook deeds = 1 << iota
	toAdd
	toBook
	toRemove
	toSet
	toStart
	toStop
	toSend
	toOrder
	toBuy
)

// reckoning are verbs that only look, too, and are said where they are meant: nobody is shown a
// comparison who doesn't ask for one.
const reckoning = "compare convert calculate compute estimate predict analyze analyse translate rank recommend suggest explain"

// Verbs are what the verbs of requests and of tools' names do.
var Verbs = func() map[string]deeds {
	out := map[string]deeds{}
	for a, words := range map[deeds]string{
		toLook:                   "get show list find search fetch look lookup see read view display query check status browse retrieve describe know give explore scan inspect preview summarize count return " + reckoning,
		toAdd:                    "add append include insert new file save register submit",
		toAdd | toBook:           "create compose generate",
		toBook:                   "schedule plan",
		toBook | toBuy:           "book reserve",
		toAdd | toSet:            "put set",
		toAdd | toBook | toSet:   "make",
		toAdd | toLook:           "open",
		toAdd | toSend:           "write draft post",
		toRemove:                 "remove delete drop erase take cancel discard unsubscribe unfollow",
		toSet:                    "change update adjust modify edit configure move transfer reschedule rename dim brighten raise lower increase decrease reduce",
		toSet | toStart | toStop: "turn switch toggle",
		toSet | toStart:          "activate enable",
		toSet | toStop:           "disable deactivate",
		toStart:                  "start run begin resume launch trigger control",
		toStop:                   "stop pause end halt",
		toSend:                   "send email mail message text",
		toOrder:                  "place",
		toOrder | toBuy:          "order buy purchase",
	} {
		for w := range strings.FieldsSeq(words) {
			out[w] |= a
		}
	}
	return out
}()

// alike are words that people and tools use for the same thing, on a line each.
var alike = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(`price quote cost worth trading trade
alert notify notification warn warning
share stock ticker equity symbol
email mail e-mail gmail
repository repo
pullrequest pr mr
issue bug ticket
cart basket trolley
light lamp bulb
temperature thermostat heating heater warm cold hot warmth
song music tune
weather forecast
rain raining rained rainy
rainfall precipitation
wind windy
snow snowy snowing
sun sunny sunshine
moisture moist dry wet damp
delay delayed late
departure depart departs leave leaves leaving
energy power electricity consumption
deal discount bargain
parcel package shipment
movie film
photo picture image
news headline
vacuum hoover
television tv
blind curtain shutter
label labelled labeled tagged tag
commit commits
restaurant diner
document doc
directory folder
journey trip
calorie kcal
person contact
atm cashpoint
forward ahead
usage used consumption
job vacancy position
candidate applicant
resume résumé cv
loan borrow borrowed borrowing lent checkout
fee fine
wifi wlan wi-fi wireless
speed fast
password passcode passphrase
device gadget
humidity humid
harvest harvested
workout exercise training
sleep slept sleeping asleep
heart pulse
recipe dish
customer client
invoice bill
colleague employee staff coworker
server host
class lesson course lecture
exam test
homework assignment
medication medicine pill drug
match fixture
ranking standings
apartment flat
car vehicle
bike bicycle
taxi cab
transaction payment
route direction
hotel accommodation
`) {
		words := strings.Fields(line)
		for _, w := range words {
			out[Stem(w)] = Stem(words[0])
		}
	}
	return out
}()

// compounds are two words that say one thing, beside those that a tool writes as one.
var compounds = map[[2]string]string{
	{"pull", "request"}: "pullrequest", {"pull", "requests"}: "pullrequest",
	{"how", "much"}: "price", {"how", "expensive"}: "price", {"put", "on"}: "play", {"listen", "to"}: "play", {"watch", "list"}: "watchlist",
}

// unsplit are words of which those that say one thing are one.
func unsplit(words []string) []string {
	var out []string
	for _, w := range words {
		if last := len(out) - 1; last >= 0 && out[last] == "pull" && Stem(w) == "request" {
			out[last] = "pullrequest"
			continue
		}
		out = append(out, w)
	}
	return out
}

// TermOf is what a word is compared by: its stem, or that of the word that means the same.
func TermOf(word string) string {
	s := Stem(word)
	if same, ok := alike[s]; ok {
		return same
	}
	return s
}

// Lexicon is what the tools of interfaces say of themselves. It is read when it is
// needed first: most of what is said needs none of them.
type Lexicon struct {
	Tools  []Candidate
	named  map[[2]string]int  // by interface and word: how many tools are named by it
	alone  map[string]string  // by a noun that most tools could carry: the only tool that is named by it
	shared map[[2]string]bool // by interface and word: what its tools describe themselves by, and none is named by
	held   map[string]int     // by word: how many tools carry it
	isRead bool
}

// lastRead is what was read last, of which tools. They are seldom others a moment later, and nothing
// of it is changed once it is read.
var lastRead atomic.Pointer[readTools]

type readTools struct {
	offered []language.Offered
	lexicon Lexicon
}

// sameWords reports whether a tool says the same of itself.
func sameWords(a, b language.Offered) bool {
	return a.Interface == b.Interface && a.Name == b.Name && a.Description == b.Description && a.Documentation == b.Documentation && a.SideEffects == b.SideEffects &&
		a.Asks == b.Asks && slices.Equal(a.Flags, b.Flags) && slices.Equal(a.Parameters, b.Parameters) && bytes.Equal(a.Schema, b.Schema)
}

// Read reads the tools on offer. Those of Chalie are understood by their own
// sentences.
func (x *Lexicon) Read(offered []language.Offered) {
	if x.isRead {
		return
	}
	if last := lastRead.Load(); last != nil && slices.EqualFunc(last.offered, offered, sameWords) {
		*x = last.lexicon
		return
	}
	defer func() { lastRead.Store(&readTools{slices.Clone(offered), *x}) }()
	x.held, x.isRead = map[string]int{}, true
	for _, o := range offered {
		if o.Interface == OwnInterface {
			continue
		}
		c := candidateOf(o)
		c.readPlain()
		for w := range c.Terms {
			x.held[w]++
		}
		x.Tools = append(x.Tools, c)
	}
	about := map[string]bool{} // by interface
	for _, c := range x.Tools {
		whose := c.Offered.Interface
		about[whose] = about[whose] || len(c.Whose) == 1 && slices.Contains(c.things, TermOf(c.Whose[0]))
	}
	x.named = map[[2]string]int{}
	for _, c := range x.Tools {
		for _, t := range c.things {
			x.named[[2]string{c.Offered.Interface, t}]++
		}
	}
	x.shareChoices()
	x.shared = map[[2]string]bool{}
	for _, c := range x.Tools {
		for t, worth := range c.Terms {
			if (worth == InDescription || worth == inName) && numberWords[t] == 0 {
				x.shared[[2]string{c.Offered.Interface, t}] = true
			}
		}
	}
	x.alone = map[string]string{}
	for _, c := range x.Tools {
		for _, w := range c.name {
			if other, several := x.alone[w]; several && other != c.Offered.Name {
				x.alone[w] = ""
			} else if slices.Contains([]string{"status", "state", "info", "report", "value"}, w) {
				x.alone[w] = c.Offered.Name
			}
		}
	}
	for _, c := range x.Tools {
		for t, worth := range c.Terms {
			if worth == inName && !x.names(&c, t) { // what several are named by is what all are about
				delete(x.shared, [2]string{c.Offered.Interface, t})
			}
		}
		for _, p := range c.slots {
			for _, v := range p.choices {
				for _, w := range textWords(v) {
					delete(x.shared, [2]string{c.Offered.Interface, TermOf(w)})
				}
			}
		}
	}
	for i := range x.Tools {
		x.Tools[i].common = about[x.Tools[i].Offered.Interface]
	}
}

// shareChoices gives the values that a parameter lists to those of the same name that list none: an
// interface has the same rooms for all its tools. They may take others.
func (x *Lexicon) shareChoices() {
	known := map[[2]string][]string{}
	for _, c := range x.Tools {
		for _, p := range c.slots {
			if key := [2]string{c.Offered.Interface, p.Name}; p.closed && len(p.choices) > 1 && known[key] == nil {
				known[key] = p.choices
			}
		}
	}
	for _, c := range x.Tools {
		for i, p := range c.slots {
			if p.Type == domain.TypeString && len(p.choices) == 0 && p.shape == "" {
				c.slots[i].choices = known[[2]string{c.Offered.Interface, p.Name}]
			}
		}
	}
}

// IsVerb reports whether a word is what a tool is named by or begins to describe itself with.
func (x *Lexicon) IsVerb(word string) bool {
	return slices.ContainsFunc(x.Tools, func(c Candidate) bool { return c.about == word || slices.Contains(c.name, Stem(word)) })
}

// describes reports whether the tools of an interface describe themselves by a word.
func (x *Lexicon) describes(whose, term string) bool { return x.shared[[2]string{whose, term}] }

// names reports whether another tool of the interface is named by a word.
func (x *Lexicon) names(c *Candidate, term string) bool {
	n := x.named[[2]string{c.Offered.Interface, term}]
	return n > 1 || n == 1 && !slices.Contains(c.things, term)
}

// candidateOf reads what a tool says of itself.
func candidateOf(o language.Offered) Candidate {
	c := Candidate{Offered: o, Terms: terms{}, Whose: textWords(o.Interface)}
	name, about := unsplit(NameWords(o.Name)), unsplit(textWords(o.Description))
	c.Terms.add(c.Whose, inInterface)
	c.Terms.add(about, InDescription)
	c.Terms.add(name, inName)
	c.aliases = aliasesIn(o.Description)
	for _, a := range c.aliases {
		c.Terms[a] = inName
	}
	for _, p := range o.Parameters {
		c.Terms.add(NameWords(p.Name), inParameter)
		one := slotIn(p, o.Schema)
		for _, choice := range one.choices {
			if !one.closed || isSwitch(choice) {
				continue
			}
			for _, w := range textWords(choice) {
				if t := TermOf(w); c.Terms[t] == 0 {
					c.values = append(c.values, t)
				}
			}
			c.Terms.add(textWords(choice), InDescription)
		}
		c.slots = append(c.slots, one)
	}
	c.leadIn(about)
	for i, w := range name {
		t := TermOf(w)
		c.name = append(c.name, Stem(w))
		if _, isVerb := Verbs[w]; isVerb && c.deeds == 0 && !slices.Contains(c.Whose, w) && c.isVerb(i, name) {
			c.deeds |= Verbs[w]
			c.Verb = w
			continue
		}
		if IsFiller(t) || isGeneric(t) || i == 0 && len(name) > 1 && slices.Contains(c.Whose, w) || slices.Contains(c.things, t) {
			continue
		}
		c.things = append(c.things, t)
		c.ofMany = c.ofMany || isSeveral([]string{w})
	}
	for _, w := range name { // where all is said in words that most tools have, those have to do
		if t := TermOf(w); len(c.things) == 0 && w != c.Verb && isGeneric(t) && len(name) > 1 && c.Verb != "" {
			c.things = append(c.things, t)
			c.Terms[t] = inName
		}
	}
	if slices.Contains(strings.Fields(reckoning), c.Verb) {
		c.own = TermOf(c.Verb)
	}
	if len(c.things) == 0 && len(name) == 1 && c.Verb != "" && !isGeneric(TermOf(c.Verb)) {
		c.things = append(c.things, TermOf(c.Verb)) // the verb is all that there is
	}
	var acts bool // the description begins with a verb that only this tool and its like have
	if len(about) > 0 {
		c.about = about[0]
		if Verbs[c.about] == 0 {
			c.about = infinitive(c.about)
		}
		acts = Verbs[c.about] == 0 && len(about) > 1 && slices.Contains([]string{"a", "an", "the", "your", "all", "one"}, about[1]) && !IsFiller(about[0]) && about[0] != "whether"
		if c.deeds == 0 {
			passive := c.about == "get" && len(about) > 1 && strings.HasSuffix(about[1], "ed") // who gets notified changes something
			if c.deeds = Verbs[c.about]; passive && len(name) > 0 && sameDeeds(name[0]) != nil {
				c.deeds, c.own = 0, TermOf(name[0])
			} else if c.deeds == 0 && o.SideEffects && c.isAct(about) && slices.Contains(name, c.about) && !c.turnsOn() && !(len(about) > 1 && slices.Contains([]string{"of", "for", "and", "from", "in"}, about[1])) {
				c.own = TermOf(c.about) // what it does has a verb of its own
			}
		}
	}
	c.acts, c.synonyms = actsIn(name, about, o.Description)
	c.Looks = !o.SideEffects || !deed.Abroad(o.Name, o.Description) && (c.deeds != 0 && c.deeds&^toLook == 0 || c.deeds == 0 && c.own == "" && !acts)
	if c.Looks {
		c.deeds |= toLook
	}
	return c
}

// isAct reports whether the first word of a description is what the tool does, and not only what it is
// about: "lock the doors", but not "filament left".
func (c *Candidate) isAct(about []string) bool {
	return len(about) < 2 || sameDeeds(about[0]) != nil || about[1] == "or" || slices.Contains(articles, about[1]) || slices.Contains([]string{"your", "one", "another"}, about[1]) ||
		slices.ContainsFunc(c.slots, func(p Slot) bool { return p.Required })
}

// leadIn finds what leads to the tool's parameters in its description: "add a note to a candidate".
func (c *Candidate) leadIn(about []string) {
	for i, w := range about {
		if i == 0 || !slices.Contains([]string{"of", "for", "to", "from", "with", "on", "in", "by", "at", "about"}, w) {
			continue
		}
		for n := i + 1; n < min(i+4, len(about)); n++ {
			t := TermOf(about[n])
			at := slices.IndexFunc(c.slots, func(p Slot) bool {
				return len(p.words) > 0 && p.words[len(p.words)-1] == t && p.Type == domain.TypeString
			})
			if at >= 0 {
				c.slots[at].leads = append(c.slots[at].leads, w)
			}
			if at >= 0 || !IsFiller(about[n]) && about[n] != "another" {
				break
			}
		}
	}
}

// speaksOf reports whether a tool describes itself with a name: a summary from Wikipedia.
func (c *Candidate) speaksOf(name string) bool {
	for i, w := range strings.Fields(c.Offered.Description) {
		w = strings.Trim(w, sentences.Closing+"()'\"")
		if i > 0 && strings.EqualFold(w, name) && w[0] >= 'A' && w[0] <= 'Z' && len(w) > 5 {
			return true
		}
	}
	return false
}

// isVerb reports whether a word of a tool's name says what it does. Some may be a thing, too: an
// order's status.
func (c *Candidate) isVerb(i int, name []string) bool {
	deed := Verbs[name[i]]
	if !c.Offered.SideEffects {
		return deed&toLook != 0
	}
	return deed&(toOrder|toSend) == 0 || len(name) == 1 || !slices.ContainsFunc(name[i+1:], func(w string) bool {
		return Verbs[w]&^(toOrder|toSend) != 0 || slices.Contains([]string{"history", "info", "details", "summary", "report", "overview"}, w)
	})
}

// infinitive is a verb that stands in the third person.
func infinitive(verb string) string {
	for _, ending := range []string{"es", "s"} {
		if bare, ok := strings.CutSuffix(verb, ending); ok && Verbs[bare] != 0 {
			return bare
		}
	}
	if len(verb) > 3 && !strings.HasSuffix(verb, "ss") {
		return strings.TrimSuffix(verb, "s")
	}
	return verb
}

// aliasesIn are the words in brackets in a description, which are other names of what it is about.
func aliasesIn(about string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(about, "(")
		if !ok {
			return out
		}
		inside, after, closed := strings.Cut(rest, ")")
		if !closed {
			return out
		}
		about = after
		if words := textWords(inside); len(words) <= 3 && !strings.ContainsAny(inside, ".:=0123456789") && !slices.Contains(words, "default") && !slices.Contains(words, "optional") {
			for _, w := range words {
				if t := TermOf(w); !IsFiller(t) && !isGeneric(t) && Verbs[w] == 0 {
					out = append(out, t)
				}
			}
		}
	}
}

// NameWords splits an identifier: lightSet, light.set and light_set are two words.
func NameWords(name string) []string { return textWords(bynames.SpacedName(name)) }

// textWords are the words of a text; of a long one, of its beginning.
func textWords(text string) []string {
	const enough = 1 << 10
	return strings.FieldsFunc(strings.ToLower(text[:min(len(text), enough)]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}

// Stem is a word without the commonest endings.
func Stem(word string) string {
	word = strings.TrimSuffix(word, "'s")
	switch {
	case word == "news":
	case len(word) > 8 && strings.HasSuffix(word, "ation") && word != "information":
		return word[:len(word)-3] + "e"
	case len(word) > 9 && strings.HasSuffix(word, "ations"):
		return word[:len(word)-4] + "e"
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 5 && strings.HasSuffix(word, "ing"):
		return whole(single(word[:len(word)-3]))
	case len(word) > 5 && strings.HasSuffix(word, "ed"):
		return whole(single(word[:len(word)-2]))
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us"):
		return word[:len(word)-1]
	}
	return word
}

// whole is a verb with the letter that an ending took: hiring, closed.
func whole(stem string) string {
	if full := stem + "e"; len(stem) > 5 && strings.HasSuffix(stem, "at") && !strings.HasSuffix(stem, "eat") && !strings.HasSuffix(stem, "mat") || Verbs[stem] == 0 && sameDeeds(stem) == nil && (Verbs[full] != 0 || sameDeeds(full) != nil) {
		return full
	}
	return stem
}

// single is a stem without the letter that an ending doubled: shipped, running.
func single(stem string) string {
	if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && strings.IndexByte("bdgmnprt", stem[n-1]) >= 0 {
		return stem[:n-1]
	}
	return stem
}

// rarity is how much a word that n of all tools carry tells.
func rarity(n, all int) int { return bits.Len(uint(all / max(n, 1))) }

// IsFiller reports whether a word holds a sentence together and means nothing here.
func IsFiller(word string) bool {
	switch word {
	case "a", "an", "the", "my", "our", "your", "this", "that", "these", "those", "me", "i", "it", "we", "us", "you", "its", "their",
		"is", "are", "be", "am", "do", "doe", "does", "did", "has", "have", "had", "was", "were", "will", "would", "can", "could", "should", "like", "want", "need",
		"what", "how", "when", "where", "which", "who", "and", "or", "any", "some", "all", "there", "here", "out", "up", "down", "vs", "versus", "against", "between", "than",
		"in", "on", "off", "at", "of", "for", "to", "from", "by", "with", "about", "into", "onto", "as", "if", "please", "now", "today", "today's", "yet", "so far", "over", "per",
		"currently", "right", "again", "so", "just", "many", "much", "one", "i'd", "used", "assigned", "mention", "mentions", "mentioning", "containing", "regarding", "called", "named", "saying", "say", "says",
		"latest", "recent", "last", "current", "biggest", "moment", "everything", "anything", "something", "still", "also", "then", "going", "doing", "goes", "go", "got", "nearest", "closest", "worth", "quick", "quickly", "immediately", "asap":
		return true
	}
	return word == "" || IsNumber(word)
}

// isGeneric reports whether a word says what nearly any tool does.
func isGeneric(word string) bool {
	switch word {
	case "get", "set", "list", "show", "fetch", "create", "update", "read", "write", "run", "do", "make", "send", "add", "delete", "remove", "find", "take", "see", "view",
		"search", "lookup", "look", "query", "check", "tell", "give", "call", "use", "execute", "new", "info", "information", "data", "status", "state", "current", "display",
		"value", "name", "item", "tool", "turn", "switch", "put", "change", "start", "stop", "open", "close", "go", "know", "return", "report", "id", "text", "string", "number", "newest", "period", "day", "time":
		return true
	}
	return false
}

// IsNumber reports whether a word is a number.
func IsNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789.,+-%°#") == "" }

package skill

import (
	"slices"
	"strings"
	"unicode"

	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/relate"
)

// claim is what a memory says of something: "my dentist is Dr Okafor".
type claim struct {
	subject string // "dentist"
	verb    string // "is", "lives in", "works as", "likes"
	value   string // as it was said: "Dr Okafor"
	not     bool   // it says the opposite: isn't, hates
	single  bool   // the subject has one value of a sort: "my dentist", "Bob's birthday"
}

// Words that claims are read by.
var (
	likes    = []string{"likes", "like", "loves", "love", "enjoys", "enjoy", "adores", "adore"}
	hates    = []string{"hates", "hate", "dislikes", "dislike", "loathes", "loathe"}
	places   = []string{"in", "at", "on", "under", "behind", "above", "below", "beneath", "near", "beside", "inside", "next", "by", "between", "opposite", "over", "with"}
	calendar = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	// describing are words that say how something is: it can be several of them.
	describing = []string{"allergic", "afraid", "scared", "good", "bad", "nice", "kind", "old", "young", "tall", "short", "big", "small", "fast", "slow", "happy", "sad", "sick", "ill", "well",
		"ready", "married", "single", "pregnant", "vegan", "vegetarian", "very", "really", "so", "too", "always", "never", "often", "about", "from", "for", "able", "fond", "not"}
	describingEnds = []string{"ing", "ed", "ful", "less", "ive", "ous", "able", "ible", "ish"}
)

// maxSubjectWords bounds what something is called by.
const maxSubjectWords = 6

// claimIn reads what a memory says of something; false when it isn't a sentence of the sort.
func claimIn(text string) (claim, bool) {
	words := strings.Fields(strings.NewReplacer("’", "'").Replace(strings.TrimRight(strings.TrimSpace(text), ".!")))
	for i := 1; i < min(len(words)-1, maxSubjectWords+1); i++ {
		c, from := verbAt(words, i)
		if c.verb == "" || from >= len(words) {
			continue
		}
		c.named(words[:i])
		c.value = strings.Trim(strings.Join(words[from:], " "), `"“”`)
		return c, c.subject != "" && lettersOf(c.value) != ""
	}
	return claim{}, false
}

// verbAt reads the verb at a word, and returns where what follows it begins.
func verbAt(words []string, i int) (c claim, from int) {
	is := func(at int, of ...string) bool { return at < len(words) && slices.Contains(of, plainWord(words[at])) }
	switch {
	case is(i, "is", "are"):
		c, from = claim{verb: "is", not: is(i+1, "not")}, i+1
	case is(i, "isn't", "aren't"):
		c, from = claim{verb: "is", not: true}, i+1
	case is(i, "lives", "live") && is(i+1, places...), is(i, "works", "work") && is(i+1, "as", "at", "for", "in", "with"):
		return claim{verb: strings.TrimSuffix(plainWord(words[i]), "s") + " " + plainWord(words[i+1]), single: true}, i + 2
	case is(i, likes...):
		return claim{verb: "likes"}, i + 1
	case is(i, hates...):
		return claim{verb: "likes", not: true}, i + 1
	case is(i, "doesn't", "don't") && is(i+1, likes...), is(i, "can't", "cannot") && is(i+1, "stand"):
		return claim{verb: "likes", not: true}, i + 2
	case is(i, "does", "do") && is(i+1, "not") && is(i+2, likes...):
		return claim{verb: "likes", not: true}, i + 3
	}
	if is(from, "not") {
		from++
	}
	if is(from, "called", "named") {
		from++
	}
	return c, from
}

// named reads what a claim is about.
func (c *claim) named(words []string) {
	if plainWord(words[0]) == "that" && len(words) > 1 {
		words = words[1:]
	}
	if slices.Contains([]string{"my", "our", "the"}, plainWord(words[0])) {
		words, c.single = words[1:], true
	}
	var plain []string
	for _, w := range words {
		w = plainWord(w)
		plain, c.single = append(plain, w), c.single || strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "s'")
	}
	c.subject = strings.Join(plain, " ")
}

// plainWord is a word in small letters without punctuation around it.
func plainWord(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }))
}

// sort is what a value says: where, when or how much, what sort of thing, or a name. "" says
// how something is, of which several may be so.
func (c claim) sort() string {
	words := strings.Fields(c.value)
	first, second := plainWord(words[0]), ""
	if len(words) > 1 {
		second = plainWord(words[1])
	}
	figure := func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) || slices.Contains(calendar, w) }
	switch {
	case figure(first), slices.Contains(places, first) && figure(second):
		return "figure"
	case slices.Contains(places, first):
		return "place"
	case first == "a" || first == "an":
		return "sort"
	case slices.Contains(describing, first), len(words) < 3 && len(first) > 4 && slices.ContainsFunc(describingEnds, func(end string) bool { return strings.HasSuffix(first, end) }):
		return ""
	}
	return "name"
}

// against reports whether two claims can't both be so.
func (c claim) against(o claim) bool {
	switch {
	case c.subject != o.subject || c.verb != o.verb:
		return false
	case sameWords(c.value, o.value):
		return c.not != o.not
	case c.not || o.not || !c.single || !o.single || c.verb == "likes":
		return false
	}
	// What says more of the same isn't another value.
	mine, others := tongues.PlainWords(strings.ToLower(c.value)), tongues.PlainWords(strings.ToLower(o.value))
	if bynames.HasAll(mine, others) || bynames.HasAll(others, mine) {
		return false
	}
	return c.verb != "is" || c.sort() == o.sort() && c.sort() != ""
}

// Words by which a sentence denies something in the languages that are read, and those that
// come and go with them: "I eat meat", "I don't eat any meat"; "je mange de la viande", "je ne
// mange pas de viande".
var (
	denials = []string{"not", "no", "never", "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "ne", "n", "pas", "jamais", "nunca", "jamás"}
	comers  = []string{"do", "does", "did", "a", "an", "the", "any", "some", "ein", "eine", "einen", "einem", "einer", "de", "d", "la", "le", "les", "l", "du", "des", "un", "une", "una"}
	spelled = strings.NewReplacer("’", "'", "won't", "will not", "can't", "can not", "cannot", "can not", "n't", " not", "i'm", "i am", "j'", "je ", "'re ", " are ")
)

// denied is what a sentence says without denying it, whichever way its words stand; not
// reports whether it denies it.
func denied(text string) (rest string, not bool) {
	var stems []string
	for _, w := range tongues.PlainWords(spelled.Replace(strings.ToLower(text))) {
		switch {
		case slices.Contains(denials, w):
			not = true
		case !slices.Contains(comers, w):
			stems = append(stems, relate.Stem(w))
		}
	}
	slices.Sort(stems)
	return strings.Join(stems, " "), not
}

// opposed reports whether one of two sentences denies what the other says.
func opposed(a, b string) bool {
	one, oneNot := denied(a)
	other, otherNot := denied(b)
	return oneNot != otherNot && one == other && one != ""
}

// contradicted is the memory that a text contradicts, and a question about it. With two
// that contradict it the person has kept both before: that isn't asked again.
func contradicted(text string, all []planned) (old planned, question speech.Message) {
	said, claims := claimIn(text)
	var found []planned
	var now args
	for _, known := range all {
		before, ok := claimIn(known.text)
		denies := opposed(text, known.text)
		if !denies && (!claims || !ok || !said.against(before)) {
			continue
		}
		found, now = append(found, known), args{"value": theirOwn(said.value)}
		if denies || said.not != before.not {
			now = args{"sentence": theirOwn(text)}
		}
	}
	if len(found) != 1 {
		return planned{}, speech.Message{}
	}
	return found[0], say("memory.changed", now, args{"was": found[0].its()})
}

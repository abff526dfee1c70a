package bynames

import (
	"slices"
	"strings"
	"unicode"

	"chalie/domain/language/tongues"
)

// Claim is what a memory says of something: "my dentist is Dr Okafor".
type Claim struct {
	Subject string // "dentist"
	verb    string // "is", "lives in", "works as", "likes"
	Value   string // as it was said: "Dr Okafor"
	not     bool   // it says the opposite: isn't, hates
	single  bool   // the subject has one value of a sort: "my dentist", "Bob's birthday"
}

// Words that claims are read by.
var (
	likes  = []string{"likes", "like", "loves", "love", "enjoys", "enjoy", "adores", "adore"}
	hates  = []string{"hates", "hate", "dislikes", "dislike", "loathes", "loathe"}
	places = []string{"in", "at", "on", "under", "behind", "above", "below", "beneath",
		"near", "beside", "inside", "next", "by", "between", "opposite", "over", "with"}
	calendar = []string{"january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	// describing are words that say how something is: it can be several of them.
	describing = []string{"allergic", "afraid", "scared", "good", "bad", "nice", "kind", "old", "young", "tall", "short",
		"big", "small", "fast", "slow", "happy", "sad", "sick", "ill", "well", "ready", "married", "single",
		"pregnant", "vegan", "vegetarian", "very", "really", "so", "too", "always", "never", "often", "about", "from", "for",
		"able", "fond", "not"}
	describingEnds = []string{"ing", "ed", "ful", "less", "ive", "ous", "able", "ible", "ish"}
)

// maxSubjectWords bounds what something is called by.
const maxSubjectWords = 6

// ClaimIn reads what a memory says of something; false when it isn't a sentence of the sort.
func ClaimIn(text string) (Claim, bool) {
	words := strings.Fields(strings.NewReplacer("’", "'").Replace(strings.TrimRight(strings.TrimSpace(text), ".!")))
	for i := 1; i < min(len(words)-1, maxSubjectWords+1); i++ {
		c, from := verbAt(words, i)
		if c.verb == "" || from >= len(words) {
			continue
		}
		c.named(words[:i])
		c.Value = strings.Trim(strings.Join(words[from:], " "), `"“”`)
		return c, c.Subject != "" && LettersOf(c.Value) != ""
	}
	return Claim{}, false
}

// verbAt reads the verb at a word, and returns where what follows it begins.
func verbAt(words []string, i int) (c Claim, from int) {
	is := func(at int, of ...string) bool { return at < len(words) && slices.Contains(of, plainWord(words[at])) }
	switch {
	case is(i, "is", "are"):
		c, from = Claim{verb: "is", not: is(i+1, "not")}, i+1
	case is(i, "isn't", "aren't"):
		c, from = Claim{verb: "is", not: true}, i+1
	case is(i, "lives", "live") && is(i+1, places...), is(i, "works", "work") && is(i+1, "as", "at", "for", "in", "with"):
		return Claim{verb: strings.TrimSuffix(plainWord(words[i]), "s") + " " + plainWord(words[i+1]), single: true}, i + 2
	case is(i, likes...):
		return Claim{verb: "likes"}, i + 1
	case is(i, hates...):
		return Claim{verb: "likes", not: true}, i + 1
	case is(i, "doesn't", "don't") && is(i+1, likes...), is(i, "can't", "cannot") && is(i+1, "stand"):
		return Claim{verb: "likes", not: true}, i + 2
	case is(i, "does", "do") && is(i+1, "not") && is(i+2, likes...):
		return Claim{verb: "likes", not: true}, i + 3
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
func (c *Claim) named(words []string) {
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
	c.Subject = strings.Join(plain, " ")
}

// plainWord is a word in small letters without punctuation around it.
func plainWord(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }))
}

// sort is what a value says: where, when or how much, what sort of thing, or a name. "" says
// how something is, of which several may be so.
func (c Claim) sort() string {
	words := strings.Fields(c.Value)
	first, second := plainWord(words[0]), ""
	if len(words) > 1 {
		second = plainWord(words[1])
	}
	ends := func(end string) bool { return strings.HasSuffix(first, end) }
	figure := func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) || slices.Contains(calendar, w) }
	switch {
	case figure(first), slices.Contains(places, first) && figure(second):
		return "figure"
	case slices.Contains(places, first):
		return "place"
	case first == "a" || first == "an":
		return "sort"
	case slices.Contains(describing, first):
		return ""
	case len(words) < 3 && len(first) > 4 && slices.ContainsFunc(describingEnds, ends):
		return ""
	}
	return "name"
}

// against reports whether two claims can't both be so.
func (c Claim) against(o Claim) bool {
	switch {
	case c.Subject != o.Subject || c.verb != o.verb:
		return false
	case SameWords(c.Value, o.Value):
		return c.not != o.not
	case c.not || o.not || !c.single || !o.single || c.verb == "likes":
		return false
	}
	// What says more of the same isn't another value.
	mine, others := tongues.PlainWords(strings.ToLower(c.Value)), tongues.PlainWords(strings.ToLower(o.Value))
	if HasAll(mine, others) || HasAll(others, mine) {
		return false
	}
	return c.verb != "is" || c.sort() == o.sort() && c.sort() != ""
}

// Words by which a sentence denies something in the languages that are read, and those that
// come and go with them: "I eat meat", "I don't eat any meat"; "je mange de la viande", "je ne
// mange pas de viande".
var (
	denials = []string{"not", "no", "never", "nicht", "kein", "keine",
		"keinen", "keinem", "keiner", "keines", "nie", "niemals", "ne", "n", "pas", "jamais", "nunca",
		"jamás"}
	comers = []string{"do", "does", "did", "a", "an", "the", "any", "some", "ein", "eine", "einen", "einem", "einer",
		"de", "d", "la", "le", "les", "l", "du", "des",
		"un", "une", "una"}
	spelled = strings.NewReplacer("’", "'", "won't", "will not", "can't", "can not", "cannot", "can not",
		"n't", " not", "i'm", "i am", "j'", "je ", "'re ", " are ")
)

// denied is what a sentence says without denying it, whichever way its words stand; not
// reports whether it denies it.
func denied(text string, stem func(string) string) (rest string, not bool) {
	var stems []string
	for _, w := range tongues.PlainWords(spelled.Replace(strings.ToLower(text))) {
		switch {
		case slices.Contains(denials, w):
			not = true
		case !slices.Contains(comers, w):
			stems = append(stems, stem(w))
		}
	}
	slices.Sort(stems)
	return strings.Join(stems, " "), not
}

// opposed reports whether one of two sentences denies what the other says.
func opposed(a, b string, stem func(string) string) bool {
	one, oneNot := denied(a, stem)
	other, otherNot := denied(b, stem)
	return oneNot != otherNot && one == other && one != ""
}

// Against reports whether a text can't be so beside what was said before, and what it says instead; "" where it says
// the opposite. The stem of a word is how it is compared with others.
func Against(text, before string, stem func(string) string) (instead string, against bool) {
	if opposed(text, before, stem) {
		return "", true
	}
	said, claims := ClaimIn(text)
	was, ok := ClaimIn(before)
	switch {
	case !claims || !ok || !said.against(was):
		return "", false
	case said.not != was.not:
		return "", true
	}
	return said.Value, true
}

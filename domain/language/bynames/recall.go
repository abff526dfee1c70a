package bynames

import "slices"

// askingWords are words of a question about a memory that the memory itself needn't have.
var askingWords = []string{"name", "names", "called", "where", "when", "which", "how", "are", "was", "were",
	"does", "did", "our", "your", "now", "there", "tell", "remember", "can", "t"}

// conditions are words for how somebody is, each with others by which a memory says it. Where one is
// asked for, only what says that of that person is an answer.
var conditions = map[string][]string{
	"allergic": {"allergy", "allergies", "intolerant", "intolerance"},
	"eat":      {"allergic", "allergy", "allergies", "intolerant", "intolerance", "vegetarian", "vegan", "diet"},
	"afraid":   {"fear", "fears", "scared", "phobia"},
}

// oneThing are words for one thing, in each language that is read.
var oneThing = [][]string{
	{"phone", "telephone", "tel", "mobile", "cell", "cellphone"}, {"email", "mail"}, {"birthday", "birthdate"},
	{"doctor", "dr", "physician"},
	{"téléphone", "tel", "portable", "mobile"}, {"telefon", "telefonnummer", "handy", "handynummer", "mobilnummer"},
	{"teléfono", "tel", "móvil", "celular"},
	{"allergisch", "allergie", "allergien"}, {"allergique", "allergiques", "allergie", "allergies"}, //nolint:misspell // German
	{"alérgico", "alérgica", "alergia", "alergias"},
}

// tells reports whether a memory with these words has one that was asked for, or another for it.
func tells(told []string, word string, stem func(string) string) bool {
	among := func(others []string) func(string) bool {
		return func(w string) bool { return slices.Contains(others, w) }
	}
	for _, group := range oneThing {
		if slices.Contains(group, word) && slices.ContainsFunc(told, among(group)) {
			return true
		}
	}
	return slices.ContainsFunc(told, func(w string) bool { return stem(w) == stem(word) }) || HasAll(told, []string{word}) ||
		slices.ContainsFunc(conditions[word], func(w string) bool { return HasAll(told, []string{w}) })
}

// Recall are the memories that have all the words of a question, those that say something of it before those that mention
// it, and of either the latest first; at most as many as are wanted. When there are none, these are those that share the
// most, if that is half of the words. Without words they are the latest. The stem of a word is how it is
// compared with others, and reads are the words of a memory and what it says something of.
func Recall[M any](about string, most int, all []M, stem func(string) string, reads func(M) (text, subject string)) (out []M) {
	words := TellingWords(about)
	asked := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(askingWords, w) })
	if len(asked) == 0 {
		asked = words
	}
	best, mentions := max(1, (len(asked)+1)/2), []M(nil)
	switch {
	case len(asked) == 0:
		best = 0
	case slices.ContainsFunc(asked, func(w string) bool { return conditions[w] != nil }):
		best = len(asked)
	}
	for _, m := range slices.Backward(all) {
		text, subject := reads(m)
		told, shared := TellingWords(text), 0
		for _, w := range asked {
			if tells(told, w, stem) {
				shared++
			}
		}
		if shared > best {
			out, mentions, best = nil, nil, shared
		}
		switch {
		case shared < best:
		case len(asked) > 0 && HasAll(TellingWords(subject), asked):
			out = append(out, m)
		default:
			mentions = append(mentions, m)
		}
	}
	out = append(out, mentions...)
	return out[:min(len(out), most)]
}

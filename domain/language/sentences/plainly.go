package sentences

import (
	_ "embed" // of plainly.txt
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed plainly.txt
var plainlyText string

// rewriting is a way to say something, and how the same is said in the words that the rest of the
// package knows. What names things stays as it was said.
type rewriting struct {
	said Pattern
	as   string
}

// shorthands are what a line of plainly.txt may have for words that many of them have.
var shorthands = strings.NewReplacer(
	"{day}", `(today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening|\w+day)|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening))?)`,
	"{end}", `cancel|delete|remove|erase|drop|scrap|clear|turn off|get rid of`,
	"{kind}", `alarm|reminder|timer|appointment|meeting|event|task`,
)

// rewritings are made in their order.
var rewritings = sync.OnceValue(func() []rewriting {
	var out []rewriting
	for line := range strings.Lines(plainlyText) {
		if said, as, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t=>"); ok {
			out = append(out, rewriting{PatternOf("(?i)" + shorthands.Replace(said)), strings.TrimPrefix(as, " ")})
		}
	}
	return out
})

// passive finds what is asked to be done to something: can bread be removed from the list.
var passive = regexp.MustCompile(`(?i)^(?:(?:can|could|may|please have|would) (.+?) (?:please )?be (?:taken|put)?|(?:i want|i need|(?:i would|i'd) (?:like|want)|please have|have|i would love) (.+?) (?:to be )?)(removed|deleted|cancelled|canceled|erased|cleared|added|moved)\b(.*)$`)

// minding finds a request that asks whether one minds doing it.
var minding = regexp.MustCompile(`(?i)^(.*?)\b(?:would|do) you (?:kindly )?mind (\w+ing)\b`)

// plainly is a sentence in the words that the rest of the package knows.
func (s Said) plainly() Said {
	text, asked := PlainText(s.Text), s.Question
	if of := minding.FindStringSubmatchIndex(text); of != nil {
		text, asked = text[of[2]:of[3]]+baseOf(strings.ToLower(text[of[4]:of[5]]))+text[of[5]:], false
	}
	if of := passive.FindStringSubmatch(text); len(of) > 2 && of[1]+of[2] != "" && !slices.Contains([]string{"you", "i", "we", "he", "she", "they", "there"}, strings.ToLower(of[1]+of[2])) {
		text, asked = baseOf(strings.ToLower(of[3]))+" "+of[1]+of[2]+of[4], false
	}
	if text == s.Text {
		return s
	}
	if again, ok := Read(text); ok {
		again.Question = again.Question && asked
		return again
	}
	return s
}

// PlainText is a text in those words, as far as the table has its forms.
func PlainText(text string) string {
	if len(text) > maxPlainly {
		return text
	}
	text = wellSpelt(text)
	has := Folded(text)
	for _, r := range rewritings() {
		if !r.said.MayBeIn(has) {
			continue
		}
		if again := r.said.ReplaceAllString(text, r.as); again != text {
			text, has = again, Folded(again)
		}
	}
	return text
}

// maxPlainly bounds the text in which ways to say something are looked for.
const maxPlainly = 500

// baseOf is a verb without the ending of what was done, or of doing it: removed, removing.
func baseOf(verb string) string {
	for _, ending := range []string{"ed", "ing"} {
		stem, ok := strings.CutSuffix(verb, ending)
		if !ok || len(stem) < 2 {
			continue
		}
		for _, base := range []string{stem, stem + "e", stem[:len(stem)-1]} {
			if slices.ContainsFunc(Acts, func(a actWords) bool { return a.Words == base }) || base == "move" {
				return base
			}
		}
	}
	return verb
}

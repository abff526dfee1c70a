package tongues

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed answers.txt
var answersText string

// Part is a kind of words that a bare answer is made of.
type Part string

// The parts of an answer, as answers.txt has them, of all languages: who answers one question
// may do so in another language, and no word of one part means another part elsewhere.
const (
	SaysYes   Part = "yes"
	SaysNo    Part = "no"     // to what was asked
	LeavesOff Part = "off"    // leaves what was asked, or what was spoken of last: never mind, stop
	Waits     Part = "wait"   // holds what was asked, and says nothing of what was done
	Cancels   Part = "cancel" // as LeavesOff, but it may as well be the yes to what cancels
	OfBoth    Part = "both"
	OfAll     Part = "all"
	ToBoth    Part = "to both" // what stands before it is said of each
	ToAll     Part = "to all"
	beside    Part = "beside" // says nothing
)

// answerParts are the parts, with the rows of words of each.
var answerParts = sync.OnceValue(func() (out []answerPart) {
	for _, s := range sectionsOf(answersText) {
		part := answerPart{Part: Part(s.name)}
		for _, row := range sequences(s.text) {
			part.rows = append(part.rows, strings.Join(row, " "))
		}
		out = append(out, part)
	}
	return out
})

type answerPart struct {
	Part
	rows []string
}

// AnswerWords are the words, in a row, of a part of an answer.
func AnswerWords(of Part) []string {
	at := slices.IndexFunc(answerParts(), func(p answerPart) bool { return p.Part == of })
	return slices.Clone(answerParts()[at].rows)
}

// Answer is what a message says that says yes or no and nothing else.
type Answer struct{ parts map[Part]bool }

// Bounds of an answer: the message may be a pasted article.
const (
	maxAnswer      = 12 // words
	maxAnswerBytes = 256
)

// AnswerIn reads a message that is nothing but an answer, in whichever of the languages; false
// when it is more, or asks.
func AnswerIn(text string) (Answer, bool) {
	if len(text) > maxAnswerBytes || strings.ContainsRune(text, '?') {
		return Answer{}, false
	}
	words := BareWords(text)
	if len(words) == 0 || len(words) > maxAnswer {
		return Answer{}, false
	}
	best := make([]map[Part]bool, len(words)+1) // what the first so many words say
	best[0] = map[Part]bool{}
	for n := range words {
		for _, at := range partsAt(words, n) {
			if best[n] == nil {
				break
			}
			said := maps.Clone(best[n])
			said[at.Part] = true
			if said[afterNo] = at.Part == SaysYes && (Answer{said}).No() || said[afterNo] && !at.isNo(); !said[afterNo] {
				delete(said, afterNo)
			}
			switch at.Part {
			case OfBoth, OfAll:
				delete(said, takenBack)
			case SaysNo, Waits:
				said[takenBack] = true
			}
			if best[at.end] == nil || (Answer{said}).No() && !(Answer{best[at.end]}).No() {
				best[at.end] = said
			}
		}
	}
	a := Answer{best[len(words)]}
	if a.parts[SaysYes] && a.parts[Cancels] || a.parts[afterNo] {
		return Answer{}, false // yes, cancel it; no, go ahead
	}
	return a, a.No() || a.parts[SaysYes] || a.Both() || a.All()
}

// afterNo is a yes behind the last no: which of them is meant can't be told.
const afterNo Part = "yes after no"

// takenBack is a no behind all that was named: both, no, wait.
const takenBack Part = "taken back"

func (p Part) isNo() bool { return p == SaysNo || p == LeavesOff || p == Waits || p == Cancels }

// partAt is a part of an answer, and where it ends.
type partAt struct {
	Part
	end int
}

// partsAt are the parts that begin at a word, each as long as it can be.
func partsAt(words []string, n int) (out []partAt) {
	for _, part := range answerParts() {
		last := 0
		for _, row := range part.rows {
			if end := n + 1 + strings.Count(row, " "); end <= len(words) && end > last && strings.Join(words[n:end], " ") == row {
				last = end
			}
		}
		if last > 0 {
			out = append(out, partAt{part.Part, last})
		}
	}
	return out
}

// No reports whether an answer says no: also around a yes, and where it only wants one to wait.
func (a Answer) No() bool {
	return a.parts[SaysNo] || a.parts[LeavesOff] || a.parts[Waits] || a.parts[Cancels]
}

// Yes reports whether it says yes, and no no.
func (a Answer) Yes() bool { return a.parts[SaysYes] && !a.No() }

// Both reports whether it is of two things.
func (a Answer) Both() bool { return a.parts[OfBoth] || a.parts[ToBoth] }

// All reports whether it is of all of them.
func (a Answer) All() bool { return a.parts[OfAll] || a.parts[ToAll] }

// Prefers reports whether a no may as well prefer what it names behind it: no, both. No to both doesn't.
func (a Answer) Prefers() bool {
	return a.No() && (a.parts[OfBoth] || a.parts[OfAll]) && !a.parts[takenBack]
}

// Has reports whether it has a part.
func (a Answer) Has(p Part) bool { return a.parts[p] }

// BeginsWithNo reports whether a message begins with a no that something else follows: no, I still
// need it.
func BeginsWithNo(text string) bool {
	if len(text) > maxAnswerBytes {
		return false
	}
	words := BareWords(text)
	for n := 0; n < min(len(words), maxAnswer); {
		next := 0
		for _, at := range partsAt(words, n) {
			switch at.Part {
			case SaysNo, LeavesOff, Waits:
				return true
			case beside, SaysYes:
				next = max(next, at.end)
			}
		}
		if next == 0 {
			return false
		}
		n = next
	}
	return false
}

// outright are noes that begin nothing but a no, and stopped those that do before a stop or who speaks:
// no, the garden; no I need them; but no sugar, wait for Anna.
var (
	outright = set("nope nah naw nay nein nee noe non nan nop")
	stopped  = set("no ne wait warte attends espera")
	speaking = set("i we it they he she you that this please no not don't dont do never ich wir die das der sie es nicht je on il elle c'est j'en lo la los las que me yo")
)

// Refuses reports whether a message begins with a no to what was asked, whatever it goes on with.
func Refuses(text string) bool {
	if len(text) > maxAnswerBytes {
		return false
	}
	words := BareWords(text)
	yes := AnswerWords(SaysYes)
	for len(words) > 0 && (IsBeside(words[0]) || slices.Contains(yes, words[0])) {
		words = words[1:] // a no behind a yes takes it back
	}
	if len(words) == 0 || outright[words[0]] {
		return len(words) > 0
	}
	_, behind, _ := strings.Cut(strings.ToLower(text), words[0])
	behind = strings.TrimLeft(behind, " ")
	return stopped[words[0]] && (strings.IndexAny(behind, ",.;:!…–—-") == 0 || len(words) > 1 && speaking[words[1]])
}

// IsBeside reports whether a word only stands beside an answer: ach, oh, bueno.
func IsBeside(word string) bool { return slices.Contains(AnswerWords(beside), word) }

// BareWords are the words of a message in small letters, without accents and marks.
func BareWords(text string) []string {
	text = strings.NewReplacer("’", "'", "\uFE0F", "").Replace(text)
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,!;:…–—-¡¿\"“”„«»()", r)
	})
	for i, w := range words {
		words[i] = fold(w)
	}
	return words
}

package tongues

import (
	_ "embed" // for the tables
	"slices"
	"strings"
	"sync"
)

// Tongue is a language that requests are read in.
type Tongue struct {
	Name   string // in English
	Tag    string // de, es, fr
	tables func() *tables
}

var (
	//go:embed german.txt
	germanTables string
	//go:embed spanish.txt
	spanishTables string
	//go:embed french.txt
	frenchTables string
)

// German, Spanish and French are all there are.
var (
	German  = newTongue("German", "de", germanTables, germanNumbers)
	Spanish = newTongue("Spanish", "es", spanishTables, spanishNumbers)
	French  = newTongue("French", "fr", frenchTables, frenchNumbers)
)

// All are the languages, in a fixed order.
func All() []*Tongue { return []*Tongue{German, Spanish, French} }

func newTongue(name, tag, source string, numbers func() map[string]string) *Tongue {
	return &Tongue{Name: name, Tag: tag, tables: sync.OnceValue(func() *tables { return tablesOf(source, numbers()) })}
}

// Role is what a word is for in a sentence.
type Role string

// The roles, by the names of their sections.
const (
	And       Role = "and"      // between two of a kind
	Article   Role = "articles" // before a noun
	Idle      Role = "idle"     // behind "I have to" of what is no task: say, admit
	Condition Role = "unless"   // begins a condition, which no time is made of: when I am home
	Vague     Role = "vague"    // names nothing that a task could be: it, all
	Instead   Role = "instead"  // begins what replaces something that was said: no, rather
	Apart     Role = "apart"    // parts things from their list, and is in no list's name
	Negative  Role = "negative" // says that what follows isn't wanted
	Event     Role = "events"   // names what takes place: appointment, meeting
	Feast     Role = "feasts"   // names what lasts all day: birthday
	With      Role = "with"     // before people
	Place     Role = "in"       // before a place
	Beside    Role = "beside"   // before a place behind people, and otherwise of what it is: at the doctor's
	Unto      Role = "unto"     // before the time that something is moved to
	It        Role = "it"       // points at what was spoken of
	Small     Role = "small"    // tells no plan from another
	Every     Role = "all"      // that all are meant
	Clausal   Role = "clausal"  // is in no name of an appointment: pronouns, verbs

	Person  Role = "persons" // may begin a sentence that states something
	Stating Role = "stating" // may stand in such a sentence, of the words that names have none of

	compound Role = "compounds" // ends other words for what takes place

	lead   Role = "leads"   // a preposition before a time
	filler Role = "fillers" // may stand among the words of a time
	timely Role = "timely"  // hardly ever says anything but a time
	timer  Role = "timers"  // lets a length of time alone be one
	or     Role = "or"      // beside a time it says that another would do as well
	alarm  Role = "alarms"  // lets hours alone be a time of day
	spoken Role = "words"   // tells the language
)

// tables are a language's, ready to be looked up.
type tables struct {
	rules                           []rule
	begins                          map[string][]int // rules, by the words that they may begin with
	classes                         map[string]map[string]string
	numbers, ordinals, lists, verbs map[string]string
	sums, places, picks             map[string]string
	roles                           map[Role]map[string]bool
	requests                        []Request
	please, front, back             [][]string // courtesies, anywhere and at the ends
	correct                         [][]string // rows of words that begin what replaces something: make it
	says                            map[Says]string
}

// section is a part of a table: a line with == and a name, and what stands below it.
type section struct{ name, text string }

func sectionsOf(source string) []section {
	var out []section
	for part := range strings.SplitSeq("\n"+source, "\n== ") {
		if name, text, ok := strings.Cut(part, "\n"); ok && name != "" {
			out = append(out, section{name, text})
		}
	}
	return out
}

func tablesOf(source string, numbers map[string]string) *tables {
	t := &tables{numbers: numbers, classes: map[string]map[string]string{}, verbs: map[string]string{}, roles: map[Role]map[string]bool{}, says: map[Says]string{}}
	macros, requests := map[string]string{}, ""
	for _, s := range sectionsOf(source) {
		if class, ok := strings.CutPrefix(s.name, "class "); ok {
			t.classes[class] = pairs(s.text)
			continue
		}
		switch s.name {
		case "rules":
			t.rules = rulesOf(s.text)
		case "requests":
			requests = s.text
		case "macros":
			macros = lines(s.text)
		case "verbs":
			for verb, forms := range lines(s.text) {
				for form := range strings.FieldsSeq(verb + " " + forms) {
					t.verbs[form] = verb
				}
			}
		case "says":
			for name, words := range lines(s.text) {
				t.says[Says(name)] = words
			}
		case "please":
			t.please = sequences(s.text)
		case "front":
			t.front = sequences(s.text)
		case "back":
			t.back = sequences(s.text)
		case "correct":
			t.correct = sequences(s.text)
		case "ordinals":
			t.ordinals = pairs(s.text)
		case "sums":
			t.sums = pairs(s.text)
		case "places":
			t.places = pairs(s.text)
		case "picks":
			t.picks = pairs(s.text)
		case "lists":
			t.lists = pairs(s.text)
		default:
			t.roles[Role(s.name)] = set(s.text)
		}
	}
	t.requests = requestsOf(requests, macros)
	t.index()
	t.listen()
	return t
}

// listen gathers the words that tell the language: all that its tables have, but those that
// names are made of.
func (t *tables) listen() {
	for _, words := range t.classes {
		for phrase := range words {
			if !strings.Contains(phrase, " ") { // the words of a feast are names: san José
				t.speak(phrase)
			}
		}
	}
	for _, words := range []map[string]string{t.numbers, t.lists, t.verbs, t.picks} {
		for word := range words {
			t.speak(word)
		}
	}
	for _, r := range []Role{Instead, Event, Feast} {
		for word := range t.roles[r] {
			t.speak(word)
		}
	}
	for _, r := range t.rules {
		for _, e := range r.elements {
			t.speak(e.words...)
		}
	}
	for _, r := range t.requests {
		for _, p := range r.Phrases {
			for element := range strings.FieldsSeq(p) {
				if element[0] != '*' {
					t.speak(strings.Split(strings.TrimRight(element, "?"), "|")...)
				}
			}
		}
	}
	for _, seq := range slices.Concat(t.please, t.front, t.back, t.correct) {
		t.speak(seq...)
	}
}

func (t *tables) speak(words ...string) {
	for _, w := range words {
		for one := range strings.FieldsSeq(w) {
			t.roles[spoken][strings.TrimRight(one, ":")] = true
		}
	}
}

func (t *tables) is(word string, r Role) bool { return t.roles[r][word] }

// set are words with spaces between.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// pairs are words with what they are in English: word=English. An underscore is a space.
func pairs(words string) map[string]string {
	out := map[string]string{}
	for w := range strings.FieldsSeq(words) {
		word, english, _ := strings.Cut(w, "=")
		out[strings.ReplaceAll(word, "_", " ")] = strings.ReplaceAll(english, "_", " ")
	}
	return out
}

// lines are names with a text, one a line.
func lines(table string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(table) {
		if name, text, _ := strings.Cut(strings.TrimSpace(line), ":"); name != "" {
			out[name] = strings.TrimSpace(text)
		}
	}
	return out
}

// sequences are rows of words, one a line.
func sequences(table string) [][]string {
	var out [][]string
	for line := range strings.Lines(table) {
		if words := strings.Fields(line); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// Tells reports whether a word is one of the language's tables: not of what people keep.
func (t *Tongue) Tells(word string) bool { return t.Is(word, spoken) }

// Is reports whether a word has a role.
func (t *Tongue) Is(word string, r Role) bool { return t.tables().is(word, r) }

// Clause reports whether words say what to do by themselves: den Müll rauszubringen.
func (t *Tongue) Clause(words []string) bool {
	last := len(words) - 1
	if t != German || last < 1 || !t.Is(words[0], Article) || !strings.HasSuffix(words[last], "n") {
		return false
	}
	return words[last-1] == "zu" || strings.Index(words[last], "zu") > 0
}

// Asking is the form of a verb that requests have: erinnere for erinnern; "" for what is
// none.
func (t *Tongue) Asking(word string) string { return t.tables().verbs[word] }

// Plain is a text without the words that say please, wherever they stand.
func (t *Tongue) Plain(text string) string {
	s := &scan{t: t.tables(), words: Words(text)}
	var out strings.Builder
	at := 0
	for i := 0; i < len(s.words); i++ {
		n := 0
		for _, seq := range s.t.please {
			if len(seq) > n && s.begins(i, seq) && len(seq) < len(s.words) {
				n = len(seq)
			}
		}
		if n == 0 {
			continue
		}
		out.WriteString(text[at:s.words[i].Start])
		i += n - 1
		at = s.words[i].End
	}
	out.WriteString(text[at:])
	return strings.TrimLeft(strings.Join(strings.Fields(out.String()), " "), " ,")
}

// begins reports whether words stand at a place.
func (s *scan) begins(i int, words []string) bool {
	for n, w := range words {
		if s.text(i+n) != w {
			return false
		}
	}
	return true
}

// Courtesy is how many of these words only are polite at the front, and how many at the
// end.
func (t *Tongue) Courtesy(words []string) (front, back int) {
	for _, seq := range t.tables().front {
		if len(seq) < len(words) && len(seq) > front && slices.Equal(seq, words[:len(seq)]) {
			front = len(seq)
		}
	}
	for _, seq := range t.tables().back {
		if len(seq) < len(words) && len(seq) > back && slices.Equal(seq, words[len(words)-len(seq):]) {
			back = len(seq)
		}
	}
	return front, back
}

// Corrects is how many of these words begin what replaces something that was said: make it.
func (t *Tongue) Corrects(words []string) int {
	n := 0
	for _, seq := range t.tables().correct {
		if len(seq) < len(words) && len(seq) > n && slices.Equal(seq, words[:len(seq)]) {
			n = len(seq)
		}
	}
	return n
}

// Speaks reports whether any word of a text is one of the language.
func (t *Tongue) Speaks(text string) bool {
	return t.count(wordsOf(text)) > 0 || slices.ContainsFunc(wordsOf(text), func(w string) bool { return t.tables().sums[w] != "" })
}

// Fits reports whether a text may be in the language: none of its words is English and
// nothing else.
func (t *Tongue) Fits(text string) bool {
	return !slices.ContainsFunc(wordsOf(text), func(w string) bool { return english()[w] && !t.speaks(w) && t.tables().sums[w] == "" })
}

// Pick is the English for words that pick from what was named: the first one, both; "" for
// any others.
func (t *Tongue) Pick(text string) string { return t.tables().picks[folded(text)] }

// IsEvent reports whether a word names what takes place. A German one may end with such a
// word: Zahnarzttermin.
func (t *Tongue) IsEvent(word string) bool {
	if t.Is(word, Event) || t.Is(word, Feast) {
		return true
	}
	for end := range t.tables().roles[compound] {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// Names are words by which a plan is found, of those that were said: without articles and
// other small words, and a German Zahnarzttermin by its Zahnarzt.
func (t *Tongue) Names(word string) string {
	lower := fold(word)
	if t.Is(lower, Article) || t.Is(lower, Small) {
		return ""
	}
	if stem, ok := strings.CutSuffix(word, "termin"); ok && t == German {
		return stem
	}
	return word
}

// List is the English name of a list: shopping for Einkaufsliste; "" for one that has none.
// That of tasks is "tasks".
func (t *Tongue) List(name string) string {
	var words []string
	for _, w := range Words(name) {
		if len(words) > 0 || !t.Is(w.Text, Article) {
			words = append(words, w.Text)
		}
	}
	return t.tables().lists[strings.Join(words, " ")]
}

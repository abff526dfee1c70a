package tongue

import (
	"strings"
	"sync"
)

// Tongue is a language that requests are read in.
type Tongue struct {
	Name   string // in English
	source source
	tables func() *tables
}

// source is a language as it is written down: lists of words with spaces between, tables
// with one rule a line. No word has an accent.
type source struct {
	rules    string
	classes  map[string]string // word=English; words of one entry are joined by _
	numbers  map[string]string
	ordinals string            // word=number
	and      string            // between two of a kind
	articles string            // before a noun
	leads    string            // prepositions before a time
	fillers  string            // words that may stand among a time
	timely   string            // words that hardly ever say anything but a time
	timers   string            // what a length of time alone may be said of
	lists    string            // names of lists that have an English one
	words    string            // function words, and others that tell the language
	macros   map[string]string // of phrases
	requests string            // kind: phrase
	verbs    map[string]string // forms of verbs that ask for something, and the one that phrases have
	front    string            // courtesies, with commas between
	back     string
	idle     string // what "I have to" stands before and is no task: say, admit
	unless   string // words that begin a condition
	vague    string // words that name nothing that a task could be: it, all
	instead  string // words that begin what replaces something: no, rather
	apart    string // prepositions that no name of a list has
	negative string // words that say that it isn't wanted
	says     map[Says]string
}

// tables are a source, ready to be looked up.
type tables struct {
	rules                                                                                                       []rule
	classes                                                                                                     map[string]map[string]string
	numbers, ordinals, lists                                                                                    map[string]string
	and, articles, leads, fillers, timely, timers, spoken, hours, idle, unless, vague, instead, apart, negative map[string]bool
	requests                                                                                                    []Request
	front, back                                                                                                 [][]string
	begins                                                                                                      map[string][]int // rules, by their first words
}

// German, Spanish and French are all there are.
var (
	German  = newTongue("German", german)
	Spanish = newTongue("Spanish", spanish)
	French  = newTongue("French", french)
)

// All are the languages, in a fixed order.
func All() []*Tongue { return []*Tongue{German, Spanish, French} }

func newTongue(name string, s source) *Tongue {
	return &Tongue{Name: name, source: s, tables: sync.OnceValue(s.compiled)}
}

func (s source) compiled() *tables {
	t := &tables{
		rules: rulesOf(s.rules), classes: map[string]map[string]string{}, numbers: s.numbers, ordinals: pairs(s.ordinals), lists: pairs(s.lists),
		and: set(s.and), articles: set(s.articles), leads: set(s.leads), fillers: set(s.fillers), timely: set(s.timely), timers: set(s.timers), spoken: set(s.words), idle: set(s.idle), unless: set(s.unless), vague: set(s.vague), instead: set(s.instead), apart: set(s.apart), negative: set(s.negative), hours: set("h uhr heures heure hora horas"),
		front: sequences(s.front), back: sequences(s.back),
	}
	for name, words := range s.classes {
		t.classes[name] = pairs(words)
		for phrase := range t.classes[name] {
			if !strings.Contains(phrase, " ") { // the words of a feast are names: san José
				t.speak(phrase)
			}
		}
	}
	for number := range t.numbers {
		t.speak(number)
	}
	for _, r := range t.rules {
		for _, e := range r.elements {
			t.speak(e.words...)
		}
	}
	t.index()
	t.requests = s.asked()
	for _, r := range t.requests {
		for _, p := range r.Phrases {
			for element := range strings.FieldsSeq(p) {
				if element[0] != '*' {
					t.speak(strings.Split(strings.TrimRight(element, "?:"), "|")...)
				}
			}
		}
	}
	for _, seq := range append(t.front, t.back...) {
		t.speak(seq...)
	}
	for name := range t.lists {
		t.speak(name)
	}
	for word := range t.instead {
		t.speak(word)
	}
	for form := range s.verbs {
		t.speak(form)
	}
	return t
}

// speak adds words to those that tell the language.
func (t *tables) speak(words ...string) {
	for _, w := range words {
		for one := range strings.FieldsSeq(w) {
			t.spoken[strings.TrimRight(one, ":")] = true
		}
	}
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

func pairs(words string) map[string]string {
	out := map[string]string{}
	for w := range strings.FieldsSeq(words) {
		word, english, _ := strings.Cut(w, "=")
		out[strings.ReplaceAll(word, "_", " ")] = strings.ReplaceAll(english, "_", " ")
	}
	return out
}

func sequences(list string) [][]string {
	var out [][]string
	for one := range strings.SplitSeq(list, ",") {
		if words := strings.Fields(one); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

// Article reports whether a word only stands before a noun.
func (t *Tongue) Article(word string) bool { return t.tables().articles[word] }

// Idle reports whether a word behind "I have to" says that it is only talk.
func (t *Tongue) Idle(word string) bool { return t.tables().idle[word] }

// Condition reports whether a word begins a condition, which no time is made of: when I am
// home.
func (t *Tongue) Condition(word string) bool { return t.tables().unless[word] }

// Instead reports whether a word begins what replaces something that was said before.
func (t *Tongue) Instead(word string) bool { return t.tables().instead[word] }

// Vague reports whether a word names nothing that a task could be: it, all.
func (t *Tongue) Vague(word string) bool { return t.tables().vague[word] }

// Clause reports whether words say what to do by themselves: den Müll rauszubringen.
func (t *Tongue) Clause(words []string) bool {
	last := len(words) - 1
	if t != German || last < 1 || !t.Article(words[0]) || !strings.HasSuffix(words[last], "n") {
		return false
	}
	return words[last-1] == "zu" || strings.Index(words[last], "zu") > 0
}

// Apart reports whether a word parts things from their list, and so is in no list's name.
func (t *Tongue) Apart(word string) bool { return t.tables().apart[word] }

// Negative reports whether a word says that what follows isn't wanted.
func (t *Tongue) Negative(word string) bool { return t.tables().negative[word] }

// And reports whether a word joins two things of a kind.
func (t *Tongue) And(word string) bool { return t.tables().and[word] }

// Asking is the form of a verb that requests have: erinnere for erinnern; "" for what is
// none.
func (t *Tongue) Asking(word string) string { return t.source.verbs[word] }

// Courtesy is how many of these words only are polite at the front, and how many at the
// end.
func (t *Tongue) Courtesy(words []string) (front, back int) {
	for _, seq := range t.tables().front {
		if len(seq) < len(words) && len(seq) > front && equal(seq, words[:len(seq)]) {
			front = len(seq)
		}
	}
	for _, seq := range t.tables().back {
		if len(seq) < len(words) && len(seq) > back && equal(seq, words[len(words)-len(seq):]) {
			back = len(seq)
		}
	}
	return front, back
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// List is the English name of a list: shopping for Einkaufsliste; "" for one that has none.
// That of tasks is "tasks".
func (t *Tongue) List(name string) string {
	var words []string
	for _, w := range Words(name) {
		if len(words) > 0 || !t.Article(w.Text) {
			words = append(words, w.Text)
		}
	}
	return t.tables().lists[strings.Join(words, " ")]
}

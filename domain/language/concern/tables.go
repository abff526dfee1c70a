package concern

import (
	_ "embed" // for the words
	"maps"
	"slices"
	"strings"
	"sync"

	"chalie/domain/language/tongues"
)

var (
	//go:embed words.txt
	wordTable string
	//go:embed senses.txt
	senseTable string
)

// changes are the words of a language by which others change a plan.
type changes struct {
	moved, not, to, at, later, earlier map[string]bool
	off                                [][]string // words in this order
}

// tables are the words that are looked up.
type tables struct {
	changes map[*tongues.Tongue]changes
	nouns   map[string][]string // of what takes place, with the senses that it isn't used of
	small   map[string]bool
	cancels map[string]bool   // words of a tool that takes back what takes place
	houses  map[string]string // where such things take place, as it is written
	answers map[string]map[string]bool
	senses  []sense
}

// sense is what a word that begins or ends so is about.
type sense struct {
	form, name string
	is         func(word, form string) bool
}

var tabled = sync.OnceValue(func() tables {
	out := tables{changes: map[*tongues.Tongue]changes{}, nouns: map[string][]string{}, houses: map[string]string{}}
	for part := range strings.SplitSeq("\n"+wordTable, "\n== ") {
		name, text, _ := strings.Cut(part, "\n")
		switch name {
		case "nouns":
			for words, senses := range rows(text) {
				for noun := range strings.FieldsSeq(words) {
					out.nouns[noun] = strings.Fields(senses)
				}
			}
		case "answers":
			out.answers = map[string]map[string]bool{}
			for name, words := range rows(text) {
				out.answers[name] = set(words)
			}
		case "small":
			out.small = set(withoutNotes(text))
		case "cancelling":
			out.cancels = set(withoutNotes(text))
		case "houses":
			for house := range set(withoutNotes(text)) {
				for _, w := range wordsOf(house) {
					out.houses[w] = house
				}
			}
		default:
			for _, t := range tongues.All() {
				if t.Name == name {
					out.changes[t] = changesOf(rows(text))
				}
			}
		}
	}
	for name, forms := range rows(senseTable) {
		for form := range strings.FieldsSeq(forms) {
			one := sense{form, name, strings.HasPrefix}
			switch form[0] {
			case '=':
				one.form, one.is = form[1:], func(word, form string) bool { return word == form }
			case '-':
				one.form, one.is = form[1:], strings.HasSuffix
			}
			out.senses = append(out.senses, one)
		}
	}
	return out
})

func changesOf(rows map[string]string) changes {
	out := changes{moved: set(rows["moved"]), not: set(rows["not"]), to: set(rows["to"]), at: set(rows["at"]), later: set(rows["later"]), earlier: set(rows["earlier"])}
	for words := range strings.FieldsSeq(rows["off"]) {
		out.off = append(out.off, strings.Split(words, "…"))
	}
	return out
}

// rows are the lines of a table, by what stands before their colon.
func rows(table string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(withoutNotes(table)) {
		if name, text, ok := strings.Cut(line, ": "); ok {
			out[name] = strings.TrimSpace(text)
		}
	}
	return out
}

func withoutNotes(table string) string {
	var out strings.Builder
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "#") {
			out.WriteString(line)
		}
	}
	return out.String()
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// wordsOf are the words of a text, without accents and capitals.
func wordsOf(text string) []string {
	var out []string
	for _, w := range tongues.Words(text) {
		if !w.IsMark() {
			out = append(out, w.Text)
		}
	}
	return out
}

// senses are what words are about, each with the wider one that it is in.
func sensesOf(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		for _, s := range tabled().senses {
			if s.is(w, s.form) {
				out[s.name] = true
			}
		}
	}
	for _, name := range slices.Collect(maps.Keys(out)) {
		if wide, _, narrow := strings.Cut(name, "/"); narrow {
			out[wide] = true
		}
	}
	return out
}

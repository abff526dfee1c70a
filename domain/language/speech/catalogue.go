package speech

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // for the tables
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chalie/domain"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Catalogue has the words of a language for all messages. It is safe for concurrent use.
type Catalogue struct {
	Language string // its tag: en
	Version  string // of its tables: the same for the same words

	tag   language.Tag
	says  map[ID]template
	times map[string]template
	kinds map[string]map[string]map[string]string // by the kind, the word and the form
}

var (
	//go:embed english.txt
	englishTable string
	//go:embed german.txt
	germanTable string
	//go:embed french.txt
	frenchTable string
	//go:embed spanish.txt
	spanishTable string
)

// built are the catalogues of the tables, English first.
var built = sync.OnceValue(func() []*Catalogue {
	var out []*Catalogue
	for _, table := range []string{englishTable, germanTable, frenchTable, spanishTable} {
		c, err := Read(table)
		if err != nil {
			panic(err) // a test reads them
		}
		out = append(out, c)
	}
	return out
})

// instead of the built ones; nil for them.
var instead atomic.Pointer[[]*Catalogue]

// Instead has all be said by other catalogues, English first, until back is called. It is for the test that nothing
// of what was said before changes with them.
func Instead(of []*Catalogue) (back func()) {
	instead.Store(&of)
	return func() { instead.Store(nil) }
}

// all are the catalogues that there are, English first.
func all() []*Catalogue {
	if others := instead.Load(); others != nil {
		return *others
	}
	return built()
}

// All are the catalogues that there are, English first.
func All() []*Catalogue { return slices.Clone(all()) }

// English is the catalogue of the words that are recorded with what a skill did.
func English() *Catalogue { return all()[0] }

// In is the catalogue of a language by its tag; false where there is none.
func In(language string) (*Catalogue, bool) {
	for _, c := range all() {
		if c.Language == language {
			return c, true
		}
	}
	return nil, false
}

// Read reads a catalogue: what times and kinds are called in a language. The words of messages stand in the
// tables of messages, unless they stand in a section says. It has to have the words of every message, with the same
// arguments, the forms of every kind, and all that times are written with.
func Read(tables string) (*Catalogue, error) {
	c := &Catalogue{says: map[ID]template{}, times: map[string]template{}, kinds: map[string]map[string]map[string]string{}}
	sum := sha256.New()
	sum.Write([]byte(tables)) // a hash never fails
	for part := range strings.SplitSeq("\n"+tables, "\n== ") {
		name, lines, _ := strings.Cut(part, "\n")
		if err := c.section(strings.TrimSpace(name), lines); err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", c.Language, err)
		}
	}
	words := declared().says[c.Language]
	for _, id := range slices.Sorted(maps.Keys(words)) {
		if _, own := c.says[id]; own {
			continue // another table of a language that is ours
		}
		var err error
		if c.says[id], err = parse(words[id]); err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", c.Language, err)
		}
		fmt.Fprintf(sum, "%s: %s\n", id, words[id])
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", c.Language, err)
	}
	const enough = 6
	c.Version = hex.EncodeToString(sum.Sum(nil)[:enough])
	return c, nil
}

func (c *Catalogue) section(name, lines string) error {
	var err error
	switch name {
	case "":
	case "language":
		c.Language = strings.TrimSpace(lines)
		c.tag, err = language.Parse(c.Language)
		return err
	case "says":
		for id, text := range linesOf(lines) {
			if c.says[ID(id)], err = parse(text); err != nil {
				return err
			}
		}
	case "times":
		for key, text := range linesOf(lines) {
			if c.times[key], err = parse(text); err != nil {
				return err
			}
		}
	default:
		c.kinds[name] = formsOf(lines)
	}
	return nil
}

// formsOf reads a table of the forms of words: its first line names the forms.
func formsOf(table string) map[string]map[string]string {
	out := map[string]map[string]string{}
	var names []string
	for line := range strings.Lines(table) {
		word, forms, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok {
			continue
		}
		cells := strings.Split(forms, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if word = strings.TrimSpace(word); word == "" {
			names = cells
			continue
		}
		out[word] = map[string]string{}
		for i, name := range names[:min(len(names), len(cells))] {
			out[word][name] = cells[i]
		}
	}
	return out
}

// check holds the catalogue to what is declared.
func (c *Catalogue) check() error {
	for id, args := range declared().messages {
		t, ok := c.says[id]
		if !ok {
			return fmt.Errorf("it has no words for the message %s", id)
		}
		t.ofKinds(args)
		named := map[string]bool{}
		t.args(false, named)
		for name, optional := range named {
			switch of, known := args[name]; {
			case !known:
				return fmt.Errorf("its words for %s have an argument %s, which the message hasn't", id, name)
			case of.optional && !optional:
				return fmt.Errorf("its words for %s need the argument %s, which may be missing: put it into [...]", id, name)
			}
		}
		for name, of := range args {
			if _, ok := named[name]; !ok && of.name != isRef {
				return fmt.Errorf("its words for %s don't say the argument %s", id, name)
			}
		}
	}
	for id := range c.says {
		if declared().messages[id] == nil {
			return fmt.Errorf("it has words for %s, which is no message", id)
		}
	}
	for kind, words := range declared().kinds {
		for _, word := range words {
			if len(c.kinds[kind][word]) == 0 {
				return fmt.Errorf("it has no forms of %s, which is a %s", word, kind)
			}
		}
	}
	for key, args := range timeForms() {
		named := map[string]bool{}
		if t, ok := c.times[key]; !ok {
			return fmt.Errorf("it has no form %s of times", key)
		} else if t.args(false, named); !maps.EqualFunc(named, args, func(bool, bool) bool { return true }) {
			return fmt.Errorf("its form %s of times has the arguments %v, and should have %v", key, slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(args)))
		}
	}
	return nil
}

// Voice is when and where something is said: today and tomorrow are told by it.
type Voice struct {
	Now  domain.Millis
	Zone *time.Location // nil is UTC
}

// Say are the words of a message; "" of one that the catalogue hasn't.
func (c *Catalogue) Say(m Message, v Voice) string {
	return c.voice(v).message(m)
}

func (c *Catalogue) voice(v Voice) saying {
	if v.Zone == nil {
		v.Zone = time.UTC
	}
	return saying{c, v}
}

// saying is a catalogue that speaks somewhere at a time.
type saying struct {
	*Catalogue
	Voice
}

func (s saying) message(m Message) string {
	return cmp.Or(m.Words(), s.template(s.says[m.ID], m.Args, ""))
}

// template fills a template; number stands for # in it.
func (s saying) template(t template, args Args, number string) string {
	var out strings.Builder
	for _, n := range t {
		switch {
		case n.words != "" && number != "":
			out.WriteString(strings.ReplaceAll(n.words, "#", number))
		case n.words != "":
			out.WriteString(n.words)
		case n.maybe != nil:
			if n.maybe.has(args) {
				out.WriteString(s.template(n.maybe, args, number))
			}
		case n.choices != nil:
			out.WriteString(s.chosen(n, args))
		default:
			out.WriteString(s.value(args[n.arg], n.style, n.kind, args))
		}
	}
	return out.String()
}

// chosen is the one of several templates that a number or a kind chooses.
func (s saying) chosen(n node, args Args) string {
	key, number := "", ""
	switch v := args[n.arg].(type) {
	case Count:
		number = s.count(v)
		key = s.category(int(v), len(n.style) > 0 && n.style[0] == "ordinal")
	case Kind:
		key = string(v)
	}
	t, ok := n.choices[key]
	if !ok {
		t = n.choices["other"]
	}
	return s.template(t, args, number)
}

// category is the plural of so many, as CLDR names it.
func (s saying) category(n int, ordinal bool) string {
	rules := plural.Cardinal
	if ordinal {
		rules = plural.Ordinal
	}
	names := map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other"}
	return names[rules.MatchPlural(s.tag, max(n, -n), 0, 0, 0, 0)]
}

// categoryOf is the plural of a number of things, or of a measure: one below zero is several, as one with decimals is
// in most languages.
func (s saying) categoryOf(v Value) string {
	number, ok := v.(Number)
	if !ok {
		n, _ := v.(Count)
		return s.category(int(n), false)
	}
	whole, _, broken := strings.Cut(string(number), ".")
	n, err := strconv.Atoi(whole)
	switch {
	case err != nil || strings.HasPrefix(whole, "-"):
		return "other"
	case broken && plural.Cardinal.MatchPlural(s.tag, n, 1, 1, 5, 5) == plural.One:
		return "one"
	case broken:
		return "other"
	}
	return s.category(n, false)
}

// Tables are all that a language of ours is made of, as Read reads it: to begin another with.
func Tables(of string) string {
	own := map[string]string{"en": englishTable, "de": germanTable, "fr": frenchTable, "es": spanishTable}[of]
	var out strings.Builder
	out.WriteString(own)
	out.WriteString("\n== says\n")
	words := declared().says[of]
	for _, id := range slices.Sorted(maps.Keys(words)) {
		fmt.Fprintf(&out, "%s: %s\n", id, words[id])
	}
	return out.String()
}

package speech

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"chalie/domain"
)

// ID names a message in the tables.
type ID string

// Message is something that Chalie says, as a value.
type Message struct {
	ID   ID   `json:"message"`
	Args Args `json:"args,omitempty"`
}

// Args are the arguments of a message by their names.
type Args map[string]Value

// UnmarshalJSON reads the values by what each says it is.
func (a *Args) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	*a = make(Args, len(members))
	for name, member := range members {
		v, err := valueOf(member)
		if err != nil {
			return err
		}
		(*a)[name] = v
	}
	return nil
}

// IsZero reports whether there is no message.
func (m Message) IsZero() bool { return m.ID == "" }

// New is a message; an argument that is nil isn't given.
func New(id ID, args Args) Message {
	maps.DeleteFunc(args, func(_ string, v Value) bool { return v == nil })
	return Message{ID: id, Args: args}
}

// Is reports whether two messages say the same.
func (m Message) Is(other Message) bool {
	return m.ID == other.ID && len(m.Args) == len(other.Args) && (len(m.Args) == 0 || reflect.DeepEqual(m.Args, other.Args))
}

// Asks reports whether a message is a question: its English words have a question mark of their own.
func (m Message) Asks() bool {
	return strings.Contains(m.Words(), "?") || English().says[m.ID].asks(m.Args)
}

// inWords is the id of what isn't a message yet.
const inWords = "words"

// InWords is a sentence that isn't a message yet. It is said, and no value of it is recorded; "" is no message.
func InWords(sentence string) Message {
	if sentence == "" {
		return Message{}
	}
	return Message{ID: inWords, Args: Args{inWords: Text{Words: sentence}}}
}

// Words are the sentence of what isn't a message yet; "" of a message.
func (m Message) Words() string {
	if m.ID != inWords {
		return ""
	}
	sentence, _ := m.Args[inWords].(Text)
	return sentence.Words
}

// Bounds of a message.
const (
	MaxBytes   = 64 << 10 // of all that one answer says, stored
	maxNesting = 4        // of messages that are a part of another
	maxListed  = 1000     // of one list
)

// Check returns an error about what isn't as the tables declare it: an id that isn't there, an argument
// that isn't declared, is missing, or is of another type.
func (m Message) Check() error { return m.check(0) }

func (m Message) check(depth int) error {
	of, known := declared().messages[m.ID]
	switch {
	case !known:
		return wrong(m.ID, "there is no such message: add it to the tables of messages")
	case depth == maxNesting:
		return wrong(m.ID, fmt.Sprintf("it stands in more than %d others", maxNesting))
	}
	for name, v := range m.Args {
		t, known := of[name]
		switch {
		case !known:
			return wrong(m.ID, fmt.Sprintf("it has no argument %s: it takes %s", name, strings.Join(slices.Sorted(maps.Keys(of)), ", ")))
		case v == nil || !v.isA(t):
			return wrong(m.ID, fmt.Sprintf("its argument %s is %T, and should be %s", name, v, t))
		}
		if err := within(m.ID, v, depth); err != nil {
			return err
		}
	}
	for name, t := range of {
		if m.Args[name] == nil && !t.optional {
			return wrong(m.ID, "its argument "+name+" is missing")
		}
	}
	return nil
}

// within checks what a value holds.
func within(of ID, v Value, depth int) error {
	switch v := v.(type) {
	case Message:
		return v.check(depth + 1)
	case List:
		if len(v) > maxListed {
			return wrong(of, fmt.Sprintf("it has a list of %d, the bound is %d", len(v), maxListed))
		}
		for _, one := range v {
			if err := within(of, one, depth); err != nil {
				return err
			}
		}
	case Text:
		if !utf8.ValidString(v.Words) {
			return wrong(of, "it has a text that is no UTF-8")
		}
	}
	return nil
}

func wrong(id ID, why string) error {
	return domain.Invalid("check message", "message", fmt.Sprintf("the message %q can't be said: %s", id, why))
}

//go:embed messages/*.txt
var messageTables embed.FS

// declaredType is what an argument is declared to be.
type declaredType struct {
	name     typeName
	list     bool
	optional bool
	one      map[string]bool // of a kind: its words
	of       string          // its name
}

// String is it as the tables write it.
func (t declaredType) String() string {
	out := string(t.name)
	if t.one != nil {
		out = t.of
	}
	if t.list {
		out += "*"
	}
	if t.optional {
		out += "?"
	}
	return out
}

// declarations are what the tables of messages say.
type declarations struct {
	messages map[ID]map[string]declaredType
	kinds    map[string][]string
	says     map[string]map[ID]string // the words, by language
}

var declared = sync.OnceValue(func() declarations {
	out := declarations{messages: map[ID]map[string]declaredType{}, kinds: map[string][]string{}, says: map[string]map[ID]string{}}
	const folder = "messages"
	files, err := messageTables.ReadDir(folder)
	if err != nil {
		panic(err) // it is a part of the program
	}
	var tables strings.Builder
	for _, file := range files {
		table, err := messageTables.ReadFile(folder + "/" + file.Name())
		if err != nil {
			panic(err)
		}
		tables.Write(table)
		tables.WriteByte('\n')
	}
	out.read(tables.String())
	return out
})

// read reads lines such as
//
//	kind thing: reminder appointment task
//	task.made: what text, until time?
//		en: Task: {what}[, due {until, full}]
func (d declarations) read(tables string) {
	for name, rest := range linesOf(tables) {
		if kind, ok := strings.CutPrefix(name, "kind "); ok {
			d.kinds[kind] = strings.Fields(rest)
		}
	}
	var id ID
	for name, rest := range linesOf(tables) {
		own, isWords := strings.CutPrefix(name, "\t")
		switch {
		case strings.HasPrefix(name, "kind "):
			continue
		case isWords:
			if d.says[own] == nil {
				d.says[own] = map[ID]string{}
			}
			d.says[own][id] = rest
			continue
		}
		id = ID(name)
		d.messages[id] = map[string]declaredType{}
		for arg := range strings.SplitSeq(rest, ",") {
			if arg, typed, ok := strings.Cut(strings.TrimSpace(arg), " "); ok {
				d.messages[id][arg] = d.typeOf(typed)
			}
		}
	}
}

func (d declarations) typeOf(written string) declaredType {
	t := declaredType{}
	written, t.optional = strings.CutSuffix(written, "?")
	written, t.list = strings.CutSuffix(written, "*")
	if words := d.kinds[written]; words != nil {
		t.of, t.one = written, map[string]bool{}
		for _, w := range words {
			t.one[w] = true
		}
		return t
	}
	t.name = typeName(written)
	return t
}

// linesOf are the lines of a table with what stands before and behind the first colon. Those that begin
// with # are left out.
func linesOf(table string) func(yield func(name, rest string) bool) {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(table) {
			line = strings.TrimRight(line, "\n")
			name, rest, ok := strings.Cut(line, ":")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(strings.TrimRight(name, " "), strings.TrimPrefix(rest, " ")) {
				return
			}
		}
	}
}

// Declared are all messages with the types of their arguments, as the tables write them.
func Declared() map[ID]map[string]string {
	out := make(map[ID]map[string]string, len(declared().messages))
	for id, args := range declared().messages {
		out[id] = make(map[string]string, len(args))
		for name, t := range args {
			out[id][name] = t.String()
		}
	}
	return out
}

// Kinds are the words of each kind.
func Kinds() map[string][]string { return maps.Clone(declared().kinds) }

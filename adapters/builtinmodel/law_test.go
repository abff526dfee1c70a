package builtinmodel_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
)

// anySentence is made of what people say, put together in any way.
func anySentence() *rapid.Generator[string] {
	all := append(tableSentences(), reminderSentences()...)
	var words []string
	for _, s := range all {
		words = append(words, strings.Fields(s.said)...)
	}
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return rapid.SampledFrom(all).Draw(t, "sentence").said }),
		rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words"), " ")
		}),
		rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom(all).Draw(t, "first").said + rapid.SampledFrom([]string{" and ", ", ", ". ", " at ", " to ", "\n", " \" "}).Draw(t, "between") + rapid.SampledFrom(all).Draw(t, "second").said
		}),
		rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom(all).Draw(t, "front").said + anyText(50).Draw(t, "behind")
		}),
	)
}

// fixedWords are the values that a call may have though nobody said them so: what
// is to happen, and kinds.
var fixedWords = map[string]bool{
	"add": true, "show": true, "remove": true, "drop": true, "create": true, "progress": true, "complete": true, "move": true, "cancel": true, "done": true,
	"reminders": true, "tasks": true, "lists": true, "appointments": true, "alarms": true, "clear": true, "skip": true, "alarm": true, "recurring": true,
	"dismiss": true, "silence": true, "restore": true,
}

// reckoned is how a time is written that is so long before one that was said.
var reckoned = regexp.MustCompile(`^on \d{1,2} [A-Z][a-z]+ \d{4} `)

// letters are a text's letters and digits, for comparing what was said.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r) {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

// wasSaid reports whether a value is made of what was said: every word of a text
// stands there, a number does, and a switch has a word for it.
func wasSaid(value any, said string) bool {
	switch v := value.(type) {
	case string:
		for word := range strings.FieldsSeq(v) {
			if word == "at" || word == "in" || word == "from" || word == "and" || word == "longer" || word == "later" || word == "shorter" {
				continue // what links a time to what it is for
			}
			if !strings.Contains(letters(said), letters(word)) {
				return false
			}
		}
		return true
	case json.Number:
		if n, err := v.Int64(); err == nil && n > 1 && n <= 12 && strings.Contains(strings.ToLower(said), [...]string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}[n-2]) {
			return true
		}
		return strings.Contains(said, strings.TrimPrefix(v.String(), "0")) || v == "50" && strings.Contains(strings.ToLower(said), "half")
	case bool:
		for _, word := range map[bool][]string{true: {"on", "yes", "true", "enable"}, false: {"off", "no", "false", "disable"}}[v] {
			if strings.Contains(strings.ToLower(said), word) {
				return true
			}
		}
	}
	return false
}

// seen is a text without what can't be seen: slips are mended in that, too.
func seen(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// saidByManyWords are parameters of Chalie's own that people ask for in many ways: "what did I do
// today?" asks for what is done.
var saidByManyWords = map[string]bool{
	"all": true, "next": true, "count": true, "last": true, "conflicts": true, "overdue": true, "recurring": true, "free": true, "done": true,
	"always": true, "until": true, "confirmed": true, "existing": true, "worth": true,
}

// checkCalls holds a reply against what was offered and said.
func checkCalls(t rapid.TB, p language.Prompt, r language.Reply) {
	t.Helper()
	said, plain := strings.Join(append([]string{p.Asked.Text}, p.Steers...), " "), ""
	for _, text := range append([]string{p.Asked.Text}, p.Steers...) {
		plain += " " + sentences.PlainText(text) + " " + sentences.PlainText(seen(text))
	}
	for _, turn := range p.Recent {
		said += " " + turn.Prompt
	}
	for _, c := range r.ToolCalls {
		var tool *language.Offered
		for i := range p.Tools {
			if p.Tools[i].Name == c.Tool {
				tool = &p.Tools[i]
			}
		}
		if tool == nil {
			t.Fatalf("%q calls %s, which isn't on offer", said, c.Tool)
		}
		if err := (domain.Tool{Name: c.Tool, Parameters: tool.Parameters}).CheckParams(c.Params); err != nil {
			t.Fatalf("%q calls %s %s: %v", said, c.Tool, c.Params, err)
		}
		var params map[string]any
		dec := json.NewDecoder(strings.NewReader(string(c.Params)))
		dec.UseNumber()
		if err := dec.Decode(&params); err != nil {
			t.Fatal(err)
		}
		for name, value := range params {
			if text, ok := value.(string); ok && tool.Interface == "Chalie" && (name == "action" || name == "kind") && fixedWords[text] {
				continue
			}
			if c.Tool == "appointment" && name == "what" && value == "blocked" {
				value = "block" // time that is kept free for nothing that was named
			}
			if text, ok := value.(string); ok && c.Tool == "remind" && (name == "what" || name == "text") {
				value = strings.TrimPrefix(text, "alarm") // who is to be woken asks for one by other words
			}
			if text, ok := value.(string); ok && c.Tool == "remind" && name == "when" && reckoned.MatchString(text) {
				continue // so long before a time that was said
			}
			if tool.Interface == "Chalie" && saidByManyWords[name] && value == true {
				continue
			}
			if name == "not" && value == true && slices.ContainsFunc([]string{"not", "n't", "n’t", "n‘t", "dont", "never"}, func(no string) bool { return strings.Contains(strings.ToLower(said), no) }) {
				continue
			}
			if text, ok := value.(string); ok && name == "which" {
				value = strings.TrimPrefix(text, "alarm") // of who isn't to be woken
			}
			if !wasSaid(value, said+" "+plain) {
				t.Fatalf("%q calls %s %s, and nobody said %v", said, c.Tool, c.Params, value)
			}
		}
	}
	if len(r.ToolCalls) == 0 && len(r.Blocks) == 0 {
		t.Fatalf("%q: it says nothing", said)
	}
}

// Whatever is said, a call is for something on offer with all it needs, and every
// value in it was said; and the same is answered the next time.
func TestCallsAreMadeOfWhatWasSaid(t *testing.T) {
	all := offers(t, "")
	rapid.Check(t, func(t *rapid.T) {
		p := all
		p.Asked.Text = anySentence().Draw(t, "said")
		p.Steers = rapid.SliceOfN(anySentence(), 0, 2).Draw(t, "steers")
		p.Tools = nil
		for _, o := range all.Tools {
			if rapid.IntRange(0, 4).Draw(t, "offered") > 0 {
				p.Tools = append(p.Tools, o)
			}
		}
		r := reply(t, p)
		checkCalls(t, p, r)
		if !reflect.DeepEqual(r, reply(t, p)) {
			t.Fatal("the same prompt got another reply")
		}
	})
}

// However often it is asked, with the results of what it called, it ends: no call
// is made twice, and there are few.
func TestItEnds(t *testing.T) {
	all := offers(t, "")
	rapid.Check(t, func(t *rapid.T) {
		p := all
		p.Asked.Text = anySentence().Draw(t, "said")
		seen := map[string]bool{}
		for round := 0; ; round++ {
			r := reply(t, p)
			if len(r.ToolCalls) == 0 {
				return
			}
			if round > 4 {
				t.Fatalf("%q goes on and on", p.Asked.Text)
			}
			for _, c := range r.ToolCalls {
				key := c.Tool + string(c.Params)
				if seen[key] {
					t.Fatalf("%q calls %s twice", p.Asked.Text, key)
				}
				seen[key] = true
				p.Done = append(p.Done, language.Done{
					Call: c, Outcome: domain.EventType(rapid.SampledFrom([]string{"tool.completed", "tool.failed", "tool.outcome_unknown", "call.rejected"}).Draw(t, "outcome")),
					Text: "text", Data: json.RawMessage(`{"reminder_id":"x","task_id":"y"}`), Error: rapid.SampledFrom([]string{"", "trouble"}).Draw(t, "error"), End: domain.ID{15: byte(round + 1)},
				})
			}
			if rapid.Bool().Draw(t, "steered") {
				p.Steers = append(p.Steers, anySentence().Draw(t, "steer"))
			}
		}
	})
}

// Tools may say of themselves whatever they like: nothing is called that wasn't
// meant, and nothing breaks.
func TestHostileTools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := asks(anySentence().Draw(t, "said"))
		for i := range rapid.IntRange(0, 8).Draw(t, "tools") {
			o := language.Offered{Name: fmt.Sprint(anyText(40).Draw(t, "name"), i), Interface: anyText(40).Draw(t, "interface"), Description: anyText(300).Draw(t, "description"), SideEffects: rapid.Bool().Draw(t, "effects")}
			for j := range rapid.IntRange(0, 4).Draw(t, "parameters") {
				o.Parameters = append(o.Parameters, domain.Parameter{
					Name: fmt.Sprint(rapid.OneOf(anyText(20), rapid.SampledFrom([]string{"city", "on", "to", "a", "text", "when", "order_id"})).Draw(t, "parameter"), j), Required: rapid.Bool().Draw(t, "required"),
					Type:        rapid.SampledFrom([]domain.ParameterType{domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean, domain.TypeObject}).Draw(t, "type"),
					Description: anyText(100).Draw(t, "about"),
				})
			}
			p.Tools = append(p.Tools, o)
		}
		r := reply(t, p)
		checkCalls(t, p, r)
		if raw, err := json.Marshal(r); err != nil || len(raw) > domain.MaxPayloadBytes {
			t.Fatalf("it takes %d bytes, %v", len(raw), err)
		}
	})
}

func FuzzSaid(f *testing.F) {
	for _, s := range tableSentences() {
		f.Add(s.said, "no, tomorrow at 8")
	}
	all := offers(f, "")
	f.Fuzz(func(t *testing.T, said, steer string) {
		p := all
		p.Asked.Text, p.Steers = said, []string{steer}
		checkCalls(t, p, reply(t, p))
	})
}

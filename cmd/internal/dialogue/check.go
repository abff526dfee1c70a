package dialogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chalie/domain/language/tongues"
)

// Happened is what came of a turn.
type Happened struct {
	Text     string   // all that the person was told
	Offers   []string // the words of the buttons that they were offered
	Waits    bool     // for their approval
	Answered bool     // they were told something
	Unsure   bool     // the model said last that it isn't sure
	Did      bool     // a skill or tool did, or told, what it was asked for
	Changes  []string // what changed of plans, lists, memories and settings
	Called   []Call   // of programs' tools
}

// Call is a call of a tool.
type Call struct {
	Tool   string
	Params map[string]any
}

// String is the call as it is shown.
func (c Call) String() string {
	params, err := json.Marshal(c.Params)
	if err != nil {
		return c.Tool
	}
	return c.Tool + " " + string(params)
}

// Deeds are what was changed and called, in words.
func (h Happened) Deeds() string {
	out := slices.Clone(h.Changes)
	for _, c := range h.Called {
		out = append(out, c.String())
	}
	return strings.Join(out, ", ")
}

// asks reports whether the person was asked something.
func (h Happened) asks() bool { return strings.Contains(h.Text, "?") || len(h.Offers) > 0 || h.Waits }

// Verdict is what a turn came to.
type Verdict string

// The verdicts: see the command understand for what they mean.
const (
	Right Verdict = "right"
	Asked Verdict = "asked"
	Left  Verdict = "left"
	Wrong Verdict = "wrong"
)

// Verdict is what a turn came to whose check misses something. That what a program said is passed on
// tells nothing else than was meant.
func (d Dialogue) Verdict(t Turn, came Happened) Verdict {
	switch {
	case len(came.Changes) > 0 || len(d.changing(came.Called)) > 0:
		return Wrong
	case came.asks():
		return Asked
	case t.Message == nil && t.Signal == nil && (came.Did || came.Answered && !came.Unsure):
		return Wrong
	}
	return Left
}

// changing are the calls of tools that change something.
func (d Dialogue) changing(called []Call) []Call {
	return slices.DeleteFunc(slices.Clone(called), func(c Call) bool {
		return slices.ContainsFunc(d.Tools, func(t Tool) bool { return t.Name == c.Tool && t.Annotations.ReadOnlyHint })
	})
}

// Missing is what isn't as it has to be after a turn, in words.
func (d Dialogue) Missing(want Check, now Planned, came Happened) []string {
	out := now.missing(want.Plans)
	for _, gone := range want.Gone {
		out = append(out, now.stillThere(gone)...)
	}
	for _, l := range want.List {
		out = append(out, now.wrongList(l)...)
	}
	return slices.Concat(out, came.wrongWords(want), d.wrongDeeds(want, came))
}

// wrongWords is what is wrong with what was said.
func (h Happened) wrongWords(want Check) (out []string) {
	said := strings.Join(append([]string{h.Text}, h.Offers...), "\n")
	for _, words := range want.Says {
		if !Has(said, words) {
			out = append(out, fmt.Sprintf("it doesn't say %q", words))
		}
	}
	for _, group := range want.SaysAny {
		if !slices.ContainsFunc(group, func(words string) bool { return Has(said, words) }) {
			out = append(out, fmt.Sprintf("it says none of %q", []string(group)))
		}
	}
	for _, words := range want.NotSays {
		if Has(said, words) {
			out = append(out, fmt.Sprintf("it says %q", words))
		}
	}
	if want.Asks && !h.asks() {
		out = append(out, "it doesn't ask")
	}
	return out
}

// wrongDeeds is what is wrong with what was done.
func (d Dialogue) wrongDeeds(want Check, came Happened) (out []string) {
	changing := d.changing(came.Called)
	if (want.NothingChanged || want.Asks) && (len(came.Changes) > 0 || len(changing) > 0) {
		out = append(out, "it changed something: "+came.Deeds())
	}
	if want.CallsNone && len(came.Called) > 0 {
		out = append(out, fmt.Sprintf("it called %v", came.Called))
	}
	if want.Calls == nil {
		return out
	}
	for _, w := range *want.Calls {
		if !slices.ContainsFunc(came.Called, w.isMet) {
			out = append(out, fmt.Sprintf("it didn't call %v but %v", Call(w), came.Called))
		}
	}
	if len(changing) > len(*want.Calls) {
		out = append(out, fmt.Sprintf("it called more than wanted: %v", came.Called))
	}
	return out
}

// isMet reports whether a call is the one that is wanted.
func (w WantedCall) isMet(got Call) bool {
	if w.Tool != got.Tool {
		return false
	}
	for name, value := range w.Params {
		if plainly(fmt.Sprint(value)) != plainly(fmt.Sprint(got.Params[name])) {
			return false
		}
	}
	return true
}

// Has reports whether a text has some words, in any case and with or without accents, dashes and
// apostrophes.
func Has(text, words string) bool { return strings.Contains(plainly(text), plainly(words)) }

// plainly is a text as it is compared.
func plainly(text string) string {
	return strings.Join(strings.FieldsFunc(tongues.Fold(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("-'’", r) }), " ")
}

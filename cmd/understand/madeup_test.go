package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chalie/commands/tool"
	"chalie/domain/language/speech"
	"chalie/domain/language/speech/speechtest"
)

// turnsIn plays what is said one after the other, and returns for each turn what was called for and what the
// skills answered, as values. Sentences that aren't values yet are told in English in any case.
func turnsIn(t *testing.T, said []string, words *speech.Catalogue) (out []string, madeUp int) {
	t.Helper()
	h, err := newHouse()
	if err == nil {
		h.told = words
		err = h.open()
	}
	if err == nil {
		err = h.furnish(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	var values strings.Builder
	whenDone = func(_ tool.SkillCall, done tool.SkillDone) {
		raw, err := json.Marshal(done.Said)
		fmt.Fprintf(&values, "\n  %s %v", raw, err)
	}
	defer func() { whenDone = nil }()
	out = make([]string, len(said))
	for i, sentence := range said {
		values.Reset()
		var n int
		var got answer
		if _, none := fmt.Sscanf(sentence, "[%d]", &n); none == nil {
			got, err = h.press(t.Context(), n)
		} else {
			got, err = h.say(t.Context(), sentence)
		}
		if err != nil {
			t.Fatalf("%s: %v", sentence, err)
		}
		out[i] = strings.Join(got.calls, "; ") + values.String()
		if strings.Contains(got.text, "Ŋ") {
			madeUp++
		}
	}
	return out, madeUp
}

// notYet are the dialogues in which a sentence is still read. The list only gets shorter.
var notYet = map[string]bool{}

// What follows of what was said doesn't hang on the words in which it was answered: in a language that nobody
// speaks every dialogue has the same calls and the same values.
func TestDialoguesInNoLanguage(t *testing.T) {
	made := speechtest.MadeUp(t)
	dialogues := map[string]string{}
	for _, talk := range talks {
		dialogues[talk.name] = talk.said
	}
	for _, d := range followUps {
		dialogues[d.name] = d.said
	}
	answered := 0
	for name, text := range dialogues {
		var said []string
		for line := range strings.Lines(strings.TrimSpace(text)) {
			sentence, _, _ := strings.Cut(strings.TrimSpace(line), " → ")
			said = append(said, sentence)
		}
		english, none := turnsIn(t, said, nil)
		madeUp, some := turnsIn(t, said, made)
		answered += some - none
		same := true
		for i := range said {
			if english[i] == madeUp[i] {
				continue
			}
			if same = false; !notYet[name] {
				t.Errorf("%s: %q is in English\n %s\nand in no language\n %s", name, said[i], english[i], madeUp[i])
			}
			break
		}
		if same && notYet[name] {
			t.Errorf("%s goes by values: take it out of the list", name)
		}
	}
	if least := len(dialogues); answered < least {
		t.Errorf("%d turns of %d dialogues are answered in that language: fewer than %d tell nothing", answered, len(dialogues), least)
	}
}

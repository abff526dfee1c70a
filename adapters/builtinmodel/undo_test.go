package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

func TestUndoIsHeard(t *testing.T) {
	for _, said := range []string{
		"undo", "Undo that", "undo that please", "please undo", "can you undo that?", "take that back", "Take it back!", "revert", "revert that", "I didn't mean that", "I didn’t mean to do that",
		"undo the last change", "undo my last change", "undo what you just did", "that was a mistake", "that's not what I meant", "no, undo that", "oops, undo", "put it back", "put it back the way it was", "reverse that",
	} {
		if got := outline(reply(t, offers(t, said))); got != `undo {}` {
			t.Errorf("%q: %s", said, got)
		}
	}
	for _, said := range []string{"did you undo that?", "undo the knot in my shoes", "take that back to the shop", "I didn't mean that we should go", "go back", "\"undo\" was all he said", "put it back on the table"} {
		if got := outline(reply(t, offers(t, said))); strings.HasPrefix(got, "undo") {
			t.Errorf("%q: %s", said, got)
		}
	}
	// Where the skill isn't on offer what was just set is taken back as it was before.
	p := offers(t, "undo that")
	p.Tools = p.Tools[:0:0]
	for _, o := range offers(t, "").Tools {
		if o.Name != "undo" {
			p.Tools = append(p.Tools, o)
		}
	}
	p.Recent = []language.Turn{{Prompt: "x", Reply: "ŋ", Done: []language.Done{made("remind", `{}`, language.Done{Own: true, Data: []byte(`{"reminder_id":"` + firstID + `","text":"call Eve"}`)})}}}
	if got := outline(reply(t, p)); got != `reminder {"action":"cancel","which":"`+firstID+`"}` {
		t.Errorf("without the skill: %s", got)
	}
}

// What is there already, and what is taken back, is answered by the button of the question.
func TestAnswersToQuestions(t *testing.T) {
	asked := func(tool string, answer string) language.Turn {
		button := func(answer string) map[string]any {
			return map[string]any{"label": "ŋ", "payload": map[string]any{"skill": tool, answer: true}}
		}
		d := made(tool, `{}`, language.Done{Text: "ŋ?", Error: "ŋ?", Own: true, Outcome: "tool.failed", Blocks: []domain.Block{{"type": "actions", "buttons": []any{button(answer), button("declined")}}}})
		return language.Turn{Prompt: "x", Reply: "ŋ?", Done: []language.Done{d}}
	}
	there, undone := asked("remind", "again"), asked("undo", "confirmed")
	for _, c := range []struct {
		turn       language.Turn
		said, want string
	}{
		{there, "set it anyway", `remind {"again":true}`}, {there, "Set it anyway, please.", `remind {"again":true}`}, {there, "add it anyway", `remind {"again":true}`},
		{there, "yes", `remind {"again":true}`}, {there, "Yes please", `remind {"again":true}`}, {there, "anyway", `remind {"again":true}`}, {there, "both", `remind {"again":true}`},
		{there, "no", leaves("x")}, {there, "no thanks", leaves("x")}, {there, "never mind", leaves("x")},
		{there, "remind me to call Bob at noon", `remind {"what":"call Bob","when":"at noon"}`},
		{undone, "yes", `undo {"confirmed":true}`}, {undone, "yes, take it back", `undo {"confirmed":true}`}, {undone, "ok", `undo {"confirmed":true}`}, {undone, "no", leaves("x")},
	} {
		p := offers(t, c.said)
		p.Recent = []language.Turn{c.turn}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q: %s, want %s", c.said, got, c.want)
		}
	}
}

// What contradicts a memory is answered by what its question offers, whatever the words of it are.
func TestAnswersToWhatContradicts(t *testing.T) {
	const what, told = "my dentist is Dr Borg", "remember that my dentist is Dr Borg"
	button := func(answer string) map[string]any {
		return map[string]any{"label": "ŋ", "payload": map[string]any{"skill": "remember", "what": what, answer: true}}
	}
	asked := made("remember", `{"what":"my dentist is Dr Borg"}`, language.Done{Text: "ŋ?", Error: "ŋ?", Own: true, Outcome: "tool.failed",
		Blocks: []domain.Block{{"type": "actions", "buttons": []any{button("replace"), button("keep"), button("declined")}}}})
	for said, want := range map[string]string{
		"yes":            `remember {"replace":true,"what":"my dentist is Dr Borg"}`,
		"yes, it is":     `remember {"replace":true,"what":"my dentist is Dr Borg"}`,
		"replace it":     `remember {"replace":true,"what":"my dentist is Dr Borg"}`,
		"keep both":      `remember {"keep":true,"what":"my dentist is Dr Borg"}`,
		"no, keep both":  `remember {"keep":true,"what":"my dentist is Dr Borg"}`,
		"both are right": `remember {"keep":true,"what":"my dentist is Dr Borg"}`,
		"no":             leaves(told),
	} {
		p := offers(t, said)
		p.Recent = []language.Turn{{Prompt: told, Reply: "ŋ?", Done: []language.Done{asked}}}
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

// leaves is the answer to a no to what a text asks for.
func leaves(asked string) string { return "? Then I leave it: “" + asked + "”." }

// What is regretted directly behind a change is taken back.
func TestRegret(t *testing.T) {
	for tool, params := range map[string]string{"list": `{"action":"add","item":"milk","list":"shopping"}`, "task": `{"action":"complete","which":"report"}`, "appointment": `{"when":"on Friday","what":"eye test"}`} {
		p := offers(t, "never mind")
		p.Recent = []language.Turn{{Prompt: "x", Reply: "ŋ", Done: []language.Done{made(tool, params, language.Done{Text: "ŋ", Own: true})}}}
		if got, want := outline(reply(t, p)), `undo {"of":`; !strings.HasPrefix(got, want) {
			t.Errorf("behind a change by %s: %s, want %s", tool, got, want)
		}
	}
}

// What nothing else can answer is asked of the memories.
func TestMemoriesAreAsked(t *testing.T) {
	for said, want := range map[string]string{
		"where is the spare key?":           `recall {"about":"spare key"}`,
		"Where's the spare key":             `recall {"about":"spare key"}`,
		"who is Bob?":                       `recall {"about":"Bob"}`,
		"who's Anna's brother?":             `recall {"about":"Anna's brother"}`,
		"what's my dentist's name?":         `recall {"about":"dentist's name"}`,
		"what is Anna's address?":           `recall {"about":"Anna's address"}`,
		"when is Bob's birthday?":           `plans {"kind":"appointments","which":"Bob birthday"}`,
		"do you know where the bicycle is?": `recall {"about":"bicycle"}`,
		"where did I put my passport?":      `recall {"about":"passport"}`,
		"who is the president?":             "-",
		"what is the capital of France?":    "-",
		"where are you?":                    "-",
		"where are we going?":               "-",
		"where is order A-1771?":            `orderStatus {"order_id":"A-1771"}`,
	} {
		if got := outline(reply(t, offers(t, said))); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

// What is to be kept, and what isn't to be known any more, is said in many ways.
func TestMemorized(t *testing.T) {
	for said, want := range map[string]string{
		"my blood type is 0 negative, remember that":              `remember {"what":"my blood type is 0 negative"}`,
		"The passports are in the top drawer. Remember it please": `remember {"what":"The passports are in the top drawer"}`,
		"for future reference, the plumber's name is Stanislav":   `remember {"what":"the plumber's name is Stanislav"}`,
		"jot down that the lid is at Nasrin's house":              `remember {"what":"the lid is at Nasrin's house"}`,
		"save this: gate code 0917":                               `remember {"what":"gate code 0917"}`,
		"remember I parked on level 3":                            `remember {"what":"I parked on level 3"}`,
		"remmember that the stroller is in the garage":            `remember {"what":"the stroller is in the garage"}`,
		"my wife's ring size is 6":                                `remember {"what":"my wife's ring size is 6"}`,
		"the vet is called Dr. Popov":                             `remember {"what":"the vet is called Dr. Popov"}`,
		"remember this":                                           "? What should I remember?…",
		"delete what you know about Bob":                          `forget {"what":"Bob"}`,
		"erase the memory about my dentist":                       `forget {"what":"dentist"}`,
		"forget where the key is":                                 `forget {"what":"key"}`,
		"I changed dentists, forget Dr Okafor":                    `forget {"what":"Dr Okafor"}`,
		"the spare key isn't under the pot any more, forget it":   `forget {"what":"spare key"}`,
		"forget everything you know about me":                     `forget {"all":true}`,
		"list everything I've asked you to remember":              `recall {}`,
		"does Anna have a brother?":                               `recall {"about":"Anna have a brother"}`,
		"what's under the blue pot?":                              `recall {"about":"blue pot"}`,
		"I'm locked out, where's the extra key?":                  `recall {"about":"extra key"}`,
		"remember when we met":                                    "-",
		"I'll never forget it":                                    "-",
		"forget what Anna likes":                                  `forget {"what":"Anna likes"}`,
		"forget everything about Ann":                             `forget {"what":"Ann"}`,
		"my name is on the door":                                  "-",
		"is Sunday clear?":                                        "",
	} {
		got := outline(reply(t, offers(t, said)))
		if want == "" && !strings.HasPrefix(got, "recall") {
			continue
		}
		if got != want && (!strings.HasSuffix(want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
	p := offers(t, "the good scissors are in the sewing box")
	p.Recent = []language.Turn{answered(t, offers(t, "remember something"))}
	if got := outline(reply(t, p)); got != `remember {"what":"the good scissors are in the sewing box"}` {
		t.Errorf("asked back: %s", got)
	}
}

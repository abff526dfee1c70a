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

// Answers go with the question that was the last reply, and with nothing else.
func TestAnswersToQuestions(t *testing.T) {
	const (
		nothing  = "? Then I leave it"
		anna     = "remind me to call Anna tomorrow at 9"
		twice    = `There is already a reminder "call Anna" tomorrow at 09:00. Say: set it anyway.`
		setAgain = `remind {"again":true,"what":"call Anna","when":"tomorrow at 9"}`
		taxes    = `There is already a task "file the taxes", due on Friday 27 November at 12:00. Say: add it anyway.`
		old      = `The last change was on Monday 16 November at 10:00. Should I take it back: the reminder "call Anna", tomorrow at 09:00? Say yes.`
		foreign  = `The last thing that was done is “light.set” of House, and I can't take that back. Should I take back what you changed before: the memory "x"? Say yes.`
		undo     = `undo {"confirmed":true}`
	)
	for _, c := range []struct{ before, reply, said, want string }{
		{anna, twice, "set it anyway", setAgain},
		{anna, twice, "Set it anyway, please.", setAgain},
		{anna, twice, "add it anyway", setAgain},
		{anna, twice, "yes", setAgain},
		{anna, twice, "Yes please", setAgain},
		{anna, twice, "anyway", setAgain},
		{anna, twice, "both", setAgain},
		{anna, twice, "no", nothing},
		{anna, twice, "no thanks", nothing},
		{anna, twice, "never mind", nothing},
		{anna, twice, "remind me to call Bob at noon", `remind {"what":"call Bob","when":"at noon"}`},
		{"tomorrow at 9", twice, "set it anyway", `remind {"again":true,"what":"call Anna","when":"tomorrow at 09:00"}`},
		{"by Friday at noon", taxes, "yes", `task {"action":"create","again":true,"deadline":"on Friday 27 November at 12:00","what":"file the taxes"}`},
		{"task: tax return", `There is already a task "tax return". Say: add it anyway.`, "add it anyway", `task {"action":"create","again":true,"what":"tax return"}`},
		{"so be it", `There is already a task "tax return". Say: add it anyway.`, "add it anyway", `task {"action":"create","again":true,"what":"tax return"}`},
		{"undo", old, "yes", undo},
		{"undo", old, "yes, take it back", undo},
		{"undo", foreign, "ok", undo},
		{"undo", foreign, "no", nothing},
		{"undo", foreign, "undo", undo},
		{"delete the packing list", `Remove the list packing, with "socks"? Say yes.`, "yes", `list {"action":"drop","confirmed":true,"list":"packing"}`},
		{"delete the packing list", `Remove the list packing, with "socks"? Say yes.`, "no", nothing},
	} {
		p := offers(t, c.said)
		p.Recent = []language.Turn{{Prompt: c.before, Reply: c.reply}}
		if c.want == nothing {
			c.want = leaves(c.before)
		}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, then %q: %s, want %s", c.reply, c.said, got, c.want)
		}
		for _, other := range []string{"Hello.", "“notes” of House answers:\n> " + c.reply} {
			p.Recent[0].Reply = other
			if got := outline(reply(t, p)); got == c.want && !strings.Contains(c.want, "Bob") {
				t.Errorf("%q behind %q: %s", c.said, other, got)
			}
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
	p.Recent = []language.Turn{{Prompt: "remember something", Reply: "What should I remember? Say it in a sentence, such as: the spare key is under the pot."}}
	if got := outline(reply(t, p)); got != `remember {"what":"the good scissors are in the sewing box"}` {
		t.Errorf("asked back: %s", got)
	}
}

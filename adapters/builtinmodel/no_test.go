package builtinmodel_test

import (
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// removing is a turn that asks whether a list should be removed.
func removing() language.Turn {
	turn := told(true, `{}`, `Remove the list shopping, with "milk"? Say yes.`, domain.ActionsBlock(
		domain.Button{Label: "Yes", Skill: "list", Params: map[string]any{"action": "drop", "list": "shopping", "confirmed": true}},
		domain.Button{Label: "No", Skill: "list", Params: map[string]any{"action": "drop", "list": "shopping", "declined": true}}))
	turn.Prompt, turn.Reply = "delete the shopping list", turn.Done[0].Error
	return turn
}

// A no drops the question in whichever language and around whichever yes, and the answer names what
// is left. Without a question it drops nothing.
func TestNoDropsTheQuestion(t *testing.T) {
	for _, said := range []string{
		"no", "wait", "wait no", "no wait", "yes — no, wait", "yes no wait", "nah leave it", "nope", "stop", "hold on a second", "never mind pls", "no, I still need it", "no keep the list", "wait, not that one",
		"nee warte", "ach ne, lass mal", "nein, die brauche ich noch", "halt stopp", "oui euh non attends", "non, garde-la", "laisse tomber", "no, espera", "mejor no, déjala", "olvídalo",
	} {
		p := offers(t, said)
		p.Recent = []language.Turn{removing()}
		if got := outline(reply(t, p)); got != "? Then I leave it: “delete the shopping list”." {
			if p.Recent = append(p.Recent, language.Turn{}); got == "" || got[:2] != "? " || !isLeft(got) {
				t.Errorf("%q: %s", said, got)
			}
		}
		p.Recent = []language.Turn{{Prompt: "hello", Reply: "Hello."}}
		if got := outline(reply(t, p)); isLeft(got) {
			t.Errorf("%q without a question: %s", said, got)
		}
	}
	p := offers(t, "yes")
	p.Recent = []language.Turn{removing(), {Prompt: "wait no", Reply: "Then I leave it: “delete the shopping list”."}}
	if got := outline(reply(t, p)); got != "? I have asked you nothing just now." {
		t.Errorf("a yes behind a no: %s", got)
	}
	p = offers(t, "no, remind me at noon to call Bob")
	p.Recent = []language.Turn{removing()}
	if got := outline(reply(t, p)); got != `remind {"what":"call Bob","when":"at noon"}` {
		t.Errorf("a no that goes on with a request: %s", got)
	}
}

// isLeft reports whether an answer says that something is left, in any language.
func isLeft(got string) bool {
	for _, words := range []string{"Then I leave it", "Dann lasse ich es", "Alors je laisse", "Entonces lo dejo"} {
		if len(got) > len(words)+2 && got[2:2+len(words)] == words {
			return true
		}
	}
	return false
}

// A yes that destroys something counts directly behind the question alone: behind what wasn't
// understood the question is asked again, and then it counts.
func TestYesBehindWhatWasNotUnderstood(t *testing.T) {
	const (
		again  = `? Remove the list shopping, with "milk"? Say yes.`
		remove = `list {"action":"drop","confirmed":true,"list":"shopping"}`
	)
	unclear := turnOf(t, offers(t, ""), "flurb the wibble")
	asked := language.Turn{Prompt: "yes", Reply: removing().Reply}
	for _, c := range []struct {
		name   string
		recent []language.Turn
		want   string
	}{
		{"directly", []language.Turn{removing()}, remove},
		{"behind it", []language.Turn{removing(), unclear}, again + "\n[Yes] [No]"},
		{"asked again", []language.Turn{removing(), unclear, asked}, remove},
	} {
		p := offers(t, "yes")
		p.Recent = c.recent
		if got := outline(reply(t, p)); got != c.want && got != again {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// An offer takes a yes and its own words for three turns.
func TestOfferLivesThreeTurns(t *testing.T) {
	const (
		english = "I have a haircut on Friday at 4pm"
		german  = "ich hab am Donnerstag um 18:30 Elternabend"
		add     = `appointment {"action":"add","what":"haircut","when":"on Friday at 4pm"}`
		enter   = `appointment {"action":"add","what":"Elternabend","when":"on Thursday at 18:30"}`
		nothing = "? I have asked you nothing just now."
	)
	ask, frage := answered(t, offers(t, english)), answered(t, offers(t, german))
	other := language.Turn{Prompt: "what is 2 plus 2", Reply: "4"}
	did := language.Turn{Prompt: "put milk on the shopping list", Reply: "On the list shopping: milk", Done: []language.Done{{Call: domain.ToolCall{Tool: "list", Params: []byte(`{"action":"add","item":"milk"}`)}, Own: true, Outcome: "completed"}}}
	asks := answered(t, offers(t, "remind me to call Bob"))
	for _, c := range []struct {
		recent     []language.Turn
		said, want string
	}{
		{[]language.Turn{ask}, "yes", add},
		{[]language.Turn{ask, other, other}, "yes please", add},
		{[]language.Turn{ask, other, other, other}, "yes", nothing},
		{[]language.Turn{ask, asks}, "yes", "?"},
		{[]language.Turn{ask, did}, "yes", nothing},
		{[]language.Turn{frage, did}, "ja", "? Ich habe gerade nichts gefragt."},
		{[]language.Turn{ask, did}, "add the haircut", add},
		{[]language.Turn{ask, other}, "add the haircut", add},
		{[]language.Turn{ask, other}, "yes, put the haircut in the calendar please", add},
		{[]language.Turn{ask, other}, "add milk", "?"},
		{[]language.Turn{ask, {Prompt: "no", Reply: "Then I leave it."}}, "yes", nothing},
		{[]language.Turn{frage, other}, "ja, trag den Elternabend ein", enter},
		{[]language.Turn{frage, other}, "ja", enter},
		{[]language.Turn{frage, other}, "ja bitte eintragen", enter},
	} {
		p := offers(t, c.said)
		p.Recent = c.recent
		if got := outline(reply(t, p)); got != c.want && (c.want != "?" || got == add) {
			t.Errorf("%q behind %d turns: %s, want %s", c.said, len(c.recent), got, c.want)
		}
	}
}

// Two tools that do what is said are both called, in their order; where one lacks something, both
// are asked about and none is called.
func TestBothTools(t *testing.T) {
	table := language.Offered{Name: "cancel_table", Interface: "Luigi's", Description: "Cancel the table of tonight", SideEffects: true}
	visit := language.Offered{Name: "cancel_visit", Interface: "Hilltop", Description: "Cancel the visit of tomorrow", SideEffects: true}
	numbered := visit
	numbered.Parameters = []domain.Parameter{{Name: "visit_id", Type: domain.TypeString, Required: true, Description: "the number of the visit"}}
	const both = `cancel_table {}; cancel_visit {}`
	for _, c := range []struct {
		said, want string
		visit      language.Offered
	}{
		{"cancel both", both, visit},
		{"Cancel both of them, please.", both, visit},
		{"annule les deux", both, visit},
		{"both", "? I have asked you nothing just now.", visit},
		{"cancel both", "? I would use “cancel_visit” of Hilltop, and need to know: visit_id (the number of the visit). What should it be? Say it alone, or all of it, such as: use cancel_visit visit_id: …", numbered},
	} {
		p := offers(t, c.said)
		p.Recent = nil
		p.Tools = append(skillsOffered(t), table, c.visit)
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q: %s, want %s", c.said, got, c.want)
		}
	}
}

package builtinmodel_test

import (
	"encoding/json"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/speech"
)

const (
	firstID  = "01a40148-9bc0-7001-8000-000000000001"
	secondID = "01a40148-9bc0-7001-8000-000000000002"
)

// told is a turn that rests on the results of calls.
func told(own bool, data string, failed string, blocks ...domain.Block) language.Turn {
	return language.Turn{Prompt: "x", Reply: "y", Done: []language.Done{{
		Call: domain.ToolCall{Tool: "reminder"}, Own: own, Outcome: domain.ToolCompletedType, Text: "y", Data: json.RawMessage(data), Error: failed, Blocks: blocks,
	}}}
}

// tells is a call that made a plan, and told of it by a message.
func tells(tool, data string, id speech.ID, args speech.Args) language.Done {
	return made(tool, `{}`, language.Done{Own: true, Text: "ŋ", Data: json.RawMessage(data), Said: []speech.Said{{As: speech.Did, Says: []speech.Message{{ID: id, Args: args}}}}})
}

// It and both are what the results of skills name by id; what an interface answers names nothing.
func TestSpokenOf(t *testing.T) {
	one := `{"reminder_id":"` + firstID + `","text":"call Eve","due":1795420800000}`
	two := `{"plans":[{"reminder_id":"` + firstID + `","text":"call Eve"},{"reminder_id":"` + secondID + `","text":"call Ann"}]}`
	for _, c := range []struct {
		name, data, said, want string
		own                    bool
	}{
		{"it", one, "cancel it", `reminder {"action":"cancel","which":"` + firstID + `"}`, true},
		{"it moves", one, "move it to Friday", `reminder {"action":"move","when":"Friday","which":"` + firstID + `"}`, true},
		{"both", two, "cancel both", `reminder {"action":"cancel","confirmed":true,"which":"` + firstID + ` and ` + secondID + `"}`, true},
		{"the second", two, "cancel the second one", `reminder {"action":"cancel","which":"` + secondID + `"}`, true},
		{"the one about", two, "cancel the one about Ann", `reminder {"action":"cancel","which":"` + secondID + `"}`, true},
		{"it of an interface", one, "cancel it", "-", false},
		{"both of an interface", two, "cancel both", "? Which two do you mean? Say it with words of both.", false},
	} {
		p := offers(t, c.said)
		p.Recent = []language.Turn{told(c.own, c.data, "")}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// An answer presses the button of a skill's question; a question of an interface has none.
func TestAnswersPress(t *testing.T) {
	which := domain.ActionsBlock(
		domain.Button{Label: "call Eve, tomorrow at 09:00", Skill: "reminder", Params: map[string]any{"action": "cancel", "which": firstID}},
		domain.Button{Label: "call Ann, on Friday at 09:00", Skill: "reminder", Params: map[string]any{"action": "cancel", "which": secondID}})
	sure := domain.ActionsBlock(
		domain.Button{Label: "Yes", Skill: "list", Params: map[string]any{"action": "clear", "list": "shopping", "confirmed": true}},
		domain.Button{Label: "No", Skill: "list", Params: map[string]any{"action": "clear", "list": "shopping", "declined": true}})
	card := domain.ActionsBlock(
		domain.Button{Label: "Your train is cancelled", Skill: "more", Params: map[string]any{"plan": firstID, "signals": secondID}},
		domain.Button{Label: "Main Street is closed: drive to the dentist", Skill: "more", Params: map[string]any{"plan": secondID, "signals": firstID}})
	nothing := leaves("x")
	for _, c := range []struct {
		said, want string
		asked      domain.Block
		own        bool
	}{
		{"the second one", `reminder {"action":"cancel","which":"` + secondID + `"}`, which, true},
		{"the one about Eve", `reminder {"action":"cancel","which":"` + firstID + `"}`, which, true},
		{"Ann", `reminder {"action":"cancel","which":"` + secondID + `"}`, which, true},
		{"both", `reminder {"action":"cancel","confirmed":true,"which":"` + firstID + ` and ` + secondID + `"}`, which, true},
		{"the first one", `more {"plan":"` + firstID + `","signals":"` + secondID + `"}`, card, true},
		{"the second", `more {"plan":"` + secondID + `","signals":"` + firstID + `"}`, card, true},
		{"the one about the dentist", `more {"plan":"` + secondID + `","signals":"` + firstID + `"}`, card, true},
		{"neither", nothing, which, true},
		{"undo", nothing, which, true},
		{"never mind", nothing, which, true},
		{"yes", `list {"action":"clear","confirmed":true,"list":"shopping"}`, sure, true},
		{"yes please", `list {"action":"clear","confirmed":true,"list":"shopping"}`, sure, true},
		{"no", nothing, sure, true},
		{"yes", "? I have asked you nothing just now.", sure, false},
		{"the second one", "-", which, false},
	} {
		p := offers(t, c.said)
		p.Recent = []language.Turn{told(c.own, `{}`, "Which is it?", c.asked)}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q: %s, want %s", c.said, got, c.want)
		}
	}
}

// A pressed button closes the question, and what it did is spoken of.
func TestPressedIsSpokenOf(t *testing.T) {
	p := offers(t, "undo")
	turn := told(true, `{}`, "Which is it?", domain.ActionsBlock(domain.Button{Label: "call Eve", Skill: "reminder", Params: map[string]any{"which": firstID}}))
	turn.Pressed = told(true, `{"reminder_id":"`+firstID+`","text":"call Eve"}`, "").Done
	p.Recent = []language.Turn{turn}
	if got := outline(reply(t, p)); got != "undo {}" {
		t.Errorf("undo: %s", got)
	}
	p.Asked.Text = "move it to Friday"
	if got := outline(reply(t, p)); got != `reminder {"action":"move","when":"Friday","which":"`+firstID+`"}` {
		t.Errorf("it: %s", got)
	}
}

package skill_test

import (
	"slices"
	"strings"
	"testing"
)

// crowded is a planner with things of all kinds, some of which have words in common.
func crowded(t *testing.T) *planner {
	t.Helper()
	p := newPlanner(t) // on Saturday 21 November 2026 at 10:00
	for _, c := range [][2]string{
		{"remind", `{"what":"feed Rex","when":"every day at 19:00"}`},
		{"remind", `{"what":"alarm: rowing","when":"on Monday at 6"}`},
		{"appointment", `{"what":"tea with Bob","when":"on Monday at 16:00"}`},
		{"appointment", `{"what":"choir","when":"every Tuesday at 20:00"}`},
		{"task", `{"what":"call the plumber"}`},
		{"list", `{"action":"add","list":"shopping","item":"tea, rice, oat milk"}`},
		{"list", `{"action":"add","list":"camping","item":"tent, rope, matches"}`},
	} {
		p.call(c[0], c[1])
	}
	return p
}

// What has the words goes, whatever it is, when it is the only one.
func TestRemove(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"which":"Rex"}`, "I won't remind you any more: feed Rex"},
		{`{"which":"rowing"}`, "I won't remind you any more: alarm: rowing"},
		{`{"which":"Bob"}`, "Cancelled: tea with Bob, on Monday 23 November at 16:00."},
		{`{"during":"Monday at 4pm"}`, "Cancelled: tea with Bob, on Monday 23 November at 16:00."},
		{`{"which":"plumber"}`, "Dropped: call the plumber"},
		{`{"which":"called the plumber","action":"done"}`, "Done: call the plumber"},
		{`{"about":"already phoned about the plumber"}`, "Dropped: call the plumber"},
		{`{"which":"rice"}`, "Off the list shopping: rice"},
		{`{"about":"we have enough rice"}`, "Off the list shopping: rice"},
		{`{"which":"rope and rice"}`, "Off the list camping: rope\nOff the list shopping: rice"},
		{`{"which":"rope, Bob"}`, `Remove 2 things: "rope" (on the list camping), "tea with Bob" (on Monday 23 November at 16:00)? Say yes.`},
		{`{"which":"ten"}`, `Do you mean "tent" (on the list camping)? Say yes.`},
		{`{"which":"tents"}`, "Off the list camping: tent"},
		{`{"which":"match"}`, "Off the list camping: matches"},
		{`{"which":"plumb"}`, `Do you mean "call the plumber"? Say yes.`},
		{`{"which":"plumb","confirmed":true}`, "Dropped: call the plumber"},
		{`{"which":"camping"}`, `Remove the list camping, with "tent", "rope", "matches"? Say yes.`},
		{`{"which":"camping","confirmed":true}`, "The list camping is removed."},
		{`{"which":"tea"}`, `Which one is meant: "tea with Bob" (on Monday 23 November at 16:00), "tea" (on the list shopping)?`},
		{`{"during":"Tuesday at 8pm"}`, `"choir" (every Tuesday at 20:00) comes back: should I leave it out only on Tuesday 24 November at 20:00, or end it for good? Say skip, or for good.`},
		{`{"which":"picnic"}`, `There is nothing open like "picnic".`},
		{`{"which":"picnic","during":"Monday"}`, `There is nothing like "picnic" on Monday.`},
		{`{"which":"the last one"}`, "What should I remove? Say words of it, or its time."},
		{`{}`, "What should I remove? Say words of it, or its time."},
		{`{"which":"rice","action":"eat"}`, `What should happen to it: remove, done or skip? "eat" is none of them.`},
	} {
		if got := crowded(t).call("remove", c.params); got != c.want {
			t.Errorf("%s is answered with %q, want %q", c.params, got, c.want)
		}
	}
}

// Of several the buttons take one each, and nothing has happened before.
func TestRemoveAsksWhich(t *testing.T) {
	p := crowded(t)
	done := p.ask("remove", `{"which":"tea"}`)
	if len(done.Entries) > 0 || len(done.Answers) != 2 {
		t.Fatalf("%d entries, %d answers", len(done.Entries), len(done.Answers))
	}
	id, _ := done.Answers[1].With["which"].(string)
	if got := p.call("remove", `{"which":"`+id+`"}`); got != "Off the list shopping: tea" {
		t.Errorf("%s: %q", done.Answers[1].Label, got)
	}
	if got := p.call("remove", `{"which":"tea"}`); !strings.HasPrefix(got, "Cancelled: tea with Bob") {
		t.Errorf("the other one: %q", got)
	}
}

// What was bought goes off its list, unless a task has the words.
func TestBought(t *testing.T) {
	p := crowded(t)
	p.call("task", `{"what":"buy stamps"}`)
	for _, c := range [][2]string{
		{`{"action":"complete","which":"bought stamps"}`, "Done: buy stamps"},
		{`{"action":"complete","which":"bought oat milk and matches"}`, "Off the list shopping: oat milk\nOff the list camping: matches"},
		{`{"action":"complete","which":"got the boat"}`, `There is nothing open like "the boat".`},
	} {
		if got := p.call("task", c[0]); got != c[1] {
			t.Errorf("%s: %q", c[0], got)
		}
	}
}

// Entries are named by their place, and lists together.
func TestListsInPlace(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"action":"remove","list":"camping","item":"the last item"}`, "Off the list camping: matches"},
		{`{"action":"remove","list":"camping","item":"first two things"}`, "Off the list camping: tent, rope"},
		{`{"action":"remove","list":"camping","item":"the fifth one"}`, `There is no open entry like "the fifth one". There is: "tent", "rope", "matches".`},
		{`{"action":"remove","list":"camping","item":"duplicates"}`, "Nothing is on the list camping twice."},
		{`{"action":"remove","list":"shopping","sort":"fruit"}`, `I can't tell which of these are fruit; on the list shopping are "tea", "rice", "oat milk". Which entry is meant?`},
		{`{"action":"remove","list":"shopping","sort":"milk"}`, "Off the list shopping: oat milk"},
		{`{"action":"remove","item":"the plumber"}`, "Dropped: call the plumber"},
		{`{"action":"show","list":"camping","item":"the second item"}`, "The second item on the list camping: rope."},
		{`{"action":"show","list":"camping","item":"the tenth item"}`, "There are 3 on the list camping: tent, rope, matches."},
		{`{"action":"show","list":"shopping","sort":"fruit"}`, `I can't tell which of these are fruit; on the list shopping are "tea", "rice", "oat milk".`},
		{`{"action":"show","list":"camping","count":true}`, "There are 3 on the list camping: tent, rope, matches."},
		{`{"action":"show","count":true}`, "There are 2 lists: shopping, camping."},
		{`{"action":"show","list":"supermarket"}`, "shopping: tea, rice, oat milk"},
		{`{"action":"show","list":"camping and shopping"}`, "Lists: camping: tent, rope, matches; shopping: tea, rice, oat milk"},
		{`{"action":"add","list":"both the shopping and the camping list","item":"rope"}`, "On the list shopping: rope\ncamping: It's there already: rope"},
		{`{"action":"add","list":"shopping and garden","item":"rope"}`, `There is no list "garden"; there are "shopping", "camping".`},
		{`{"action":"add","list":"salt and pepper","item":"rope"}`, "On the list salt and pepper: rope"},
		{`{"action":"remove","list":"shopping and camping","item":"rope"}`, "Off the list camping: rope"},
		{`{"action":"drop","list":"shopping and camping"}`, `Remove 2 lists: "shopping", "camping"? Say yes.`},
		{`{"action":"drop","list":"shopping and camping","confirmed":true}`, "The list shopping is removed.\nThe list camping is removed."},
		{`{"action":"clear","all":true}`, `Take everything off 2 lists: "shopping", "camping"? Say yes.`},
	} {
		if got := crowded(t).call("list", c.params); got != c.want {
			t.Errorf("%s is answered with %q, want %q", c.params, got, c.want)
		}
	}
}

// Several lists that go at once rest on one state of them.
func TestListsTogetherAreOneChange(t *testing.T) {
	done := crowded(t).ask("list", `{"action":"add","list":"shopping and camping","item":"soap"}`)
	if len(done.Entries) != 2 {
		t.Errorf("%d entries", len(done.Entries))
	}
	for i, c := range done.Conditions {
		if slices.Index(done.Conditions, c) != i {
			t.Errorf("the condition %v is given twice", c)
		}
	}
}

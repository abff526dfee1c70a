package skill_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// What contradicts a memory is asked about, and nothing else is.
func TestRememberAsksAboutContradictions(t *testing.T) {
	for _, c := range []struct{ known, said, now string }{
		{"my dentist is Dr Okafor", "my dentist is Dr Borg", "Dr Borg"},
		{"My dentist is Dr Okafor.", "the dentist is Dr Borg", "Dr Borg"},
		{"my dentist is called Dr Okafor", "my dentist is dr borg", "dr borg"},
		{"Anna lives in Malta", "Anna lives in Rome", "Rome"},
		{"I live in Malta", "I live in Rome", "Rome"},
		{"Bob works at the bank", "Bob works at Luigi's", "Luigi's"},
		{"Bob works as a waiter", "bob works as a pilot", "a pilot"},
		{"Bob's birthday is on 3 May", "Bob’s birthday is 4 May", "4 May"},
		{"the wifi password hint is the first cat", "the wifi password hint is the street", "the street"},
		{"the spare key is under the blue pot", "our spare key is in the drawer", "in the drawer"},
		{"my favourite colour is red", "my favourite colour is blue", "blue"},
		{"my flat number is 12", "my flat number is 14", "14"},
		{"my car is a Volvo", "my car is a Fiat", "a Fiat"},
		{"Anna likes fish", "Anna hates fish", `"Anna hates fish"`},
		{"Anna doesn't like fish", "Anna loves fish", `"Anna loves fish"`},
		{"Anna can't stand fish", "Anna likes fish", `"Anna likes fish"`},
		{"Bob is vegan", "Bob is not vegan", `"Bob is not vegan"`},
		{"Anna's cat is allergic to nuts", "Anna's cat isn't allergic to nuts", `"Anna's cat isn't allergic to nuts"`},
		{"I am allergic to nuts", "I am not allergic to nuts", `"I am not allergic to nuts"`},
		{"I'm not allergic to nuts", "I am allergic to nuts", `"I am allergic to nuts"`},
		{"I eat meat", "I don't eat any meat", `"I don't eat any meat"`},
		{"Bob eats meat", "Bob never eats meat", `"Bob never eats meat"`},
		{"ich esse Fleisch", "Fleisch esse ich nicht", `"Fleisch esse ich nicht"`},
		{"Anna hat einen Hund", "Anna hat keinen Hund", `"Anna hat keinen Hund"`},
		{"je mange de la viande", "je ne mange pas de viande", `"je ne mange pas de viande"`},
		{"je n'aime pas le poisson", "j'aime le poisson", `"j'aime le poisson"`},
		{"soy alérgico a las nueces", "no soy alérgico a las nueces", `"no soy alérgico a las nueces"`},

		{"I am allergic to nuts", "I am not allergic to eggs", ""},
		{"I am not allergic to nuts", "Bob is allergic to nuts", ""},
		{"my dentist is Dr Okafor", "my doctor is Dr Borg", ""},
		{"my dentist is Dr Okafor", "my dentist is Dr Okafor in Elm Street", ""},
		{"my dentist is Dr Okafor", "my dentist is nice", ""},
		{"my dentist is Dr Okafor", "my dentist is in Elm Street", ""},
		{"my dentist is Dr Okafor", "my dentist is a friend of Bob", ""},
		{"my sister is allergic to nuts", "my sister is allergic to eggs", ""},
		{"my sister is allergic to nuts", "my sister is moving to Rome", ""},
		{"Bob is Anna's brother", "Bob is a waiter", ""},
		{"Bob is Anna's brother", "Bob is Sue's boss", ""},
		{"Anna likes fish", "Anna likes rice", ""},
		{"Anna likes fish", "Anna loves fish", ""},
		{"Anna likes fish", "Bob hates fish", ""},
		{"Anna likes fish", "Anna hates rice", ""},
		{"Anna lives in Malta", "Anna lives with Bob", ""},
		{"the spare key is under the blue pot", "the bicycle is in the cellar", ""},
		{"Anna has a cat", "Anna has a dog", ""},
	} {
		p := newPlanner(t)
		p.call("remember", fmt.Sprintf(`{"what":%q}`, c.known))
		asked := p.ask("remember", fmt.Sprintf(`{"what":%q}`, c.said))
		want := fmt.Sprintf("I had remembered %q. Is it now %s? Say yes, or keep both.", c.known, c.now)
		if c.now == "" {
			want = "I'll remember: " + c.said
		}
		if got := *asked.Result.Text; got != want || (len(asked.Entries) == 0) != (c.now != "") {
			t.Errorf("%q, then %q: %q, want %q", c.known, c.said, got, want)
		}
	}
}

// What was decided isn't asked again, and what was so is told with its day.
func TestRememberDecides(t *testing.T) {
	const borg, okafor, vella = `"what":"my dentist is Dr Borg"`, `"what":"my dentist is Dr Okafor"`, `"what":"my dentist is Dr Vella"`
	const dentist = `{"about":"my dentist's name"}`
	t.Run("it is so now", func(t *testing.T) {
		p := newPlanner(t)
		p.call("remember", `{"about":"teeth",`+okafor+`}`)
		p.clock.Advance(45 * 24 * time.Hour)
		p.lives([]done{
			{"remember", `{` + borg + `}`, `I had remembered "my dentist is Dr Okafor". Is it now Dr Borg? Say yes, or keep both.`},
			{"remember", `{"replace":true,` + borg + `}`, "I'll remember: my dentist is Dr Borg"},
			{"remember", `{` + borg + `}`, "I know that already: my dentist is Dr Borg"},
			{"recall", dentist, "my dentist is Dr Borg\nUntil 5 January: my dentist is Dr Okafor"},
			{"recall", `{"about":"teeth"}`, "my dentist is Dr Borg\nUntil 5 January: my dentist is Dr Okafor"},
			{"recall", `{}`, "my dentist is Dr Borg"},
			{"undo", `{}`, `Taken back: the memory "my dentist is Dr Borg" is forgotten; I remember "my dentist is Dr Okafor" again.`},
			{"recall", dentist, "my dentist is Dr Okafor"},
			{"remember", `{"replace":true,"what":"Anna has a cat"}`, "I'll remember: Anna has a cat"},
		})
	})
	t.Run("both are", func(t *testing.T) {
		p := newPlanner(t)
		p.lives([]done{
			{"remember", `{` + okafor + `}`, ""},
			{"remember", `{"keep":true,` + borg + `}`, "I'll remember: my dentist is Dr Borg"},
			{"recall", dentist, "my dentist is Dr Borg\nmy dentist is Dr Okafor"},
			{"remember", `{` + okafor + `}`, "I know that already: my dentist is Dr Okafor"},
			{"remember", `{` + vella + `}`, "I'll remember: my dentist is Dr Vella"},
		})
	})
	t.Run("in another year", func(t *testing.T) {
		p := newPlanner(t)
		p.call("remember", `{`+okafor+`}`)
		p.call("remember", `{"replace":true,`+borg+`}`)
		p.clock.Advance(90 * 24 * time.Hour)
		p.lives([]done{{"recall", dentist, "my dentist is Dr Borg\nUntil 21 November 2026: my dentist is Dr Okafor"}})
	})
}

// A question is answered by the memories that have its words, those about it first.
func TestRecallFindsTheOne(t *testing.T) {
	p := newPlanner(t)
	for _, what := range []string{"The spare key is under the blue pot", "My dentist is Dr Okafor", "Bob is Anna's brother", "The key of the shed is with Bob", "Anna is allergic to nuts", "Ada's phone is 555-1234", "Adas Telefonnummer ist 555-9876"} {
		p.call("remember", fmt.Sprintf(`{"what":%q}`, what))
	}
	for about, want := range map[string]string{
		"spare key":                  "The spare key is under the blue pot",
		"where is the spare key?":    "The spare key is under the blue pot",
		"who is Bob?":                "Bob is Anna's brother\nThe key of the shed is with Bob",
		"what's my dentist's name":   "My dentist is Dr Okafor",
		"what is my dentist called?": "My dentist is Dr Okafor",
		"Anna's brother":             "Bob is Anna's brother",
		"nut allergy of Anna":        "Anna is allergic to nuts",
		"the spare wheel of the car": `I remember nothing about "the spare wheel of the car".`,
		"Ada's telephone number":     "Ada's phone is 555-1234",
		"the number of Adas Telefon": "Adas Telefonnummer ist 555-9876",
		"the boiler":                 `I remember nothing about "the boiler".`,
	} {
		if got := p.call("recall", fmt.Sprintf(`{"about":%q}`, about)); got != want {
			t.Errorf("%s: %q, want %q", about, got, want)
		}
	}
}

// The same thing at the same time is asked about, and made when it is said again.
func TestDuplicatesAreAskedAbout(t *testing.T) {
	p := newPlanner(t)
	p.lives([]done{
		{"remind", `{"text":"call Anna tomorrow at 9"}`, ""},
		{"remind", `{"text":"take the pills every day at 8"}`, ""},
		{"task", `{"what":"tax return"}`, ""},
		{"task", `{"what":"file the taxes","deadline":"on Friday at noon"}`, ""},
	})
	before := p.log.Tail()
	p.lives([]done{
		{"remind", `{"what":"Call  anna","when":"tomorrow at 9am"}`, `There is already a reminder "call Anna" tomorrow at 09:00. Say: set it anyway.`},
		{"remind", `{"text":"take the pills every day at 8"}`, `There is already a reminder "take the pills" every day at 08:00. Say: set it anyway.`},
		{"task", `{"what":"Tax return!"}`, `There is already a task "tax return". Say: add it anyway.`},
		{"task", `{"what":"file the taxes","deadline":"on Friday at 12:00"}`, `There is already a task "file the taxes", due on Friday 27 November at 12:00. Say: add it anyway.`},
	})
	if p.log.Tail() != before {
		t.Error("something was set")
	}
	p.lives([]done{
		{"remind", `{"text":"call Anna tomorrow at 9","again":true}`, "I'll remind you tomorrow, Sunday 22 November at 09:00: call Anna"},
		{"task", `{"what":"tax return","again":true}`, "Task: tax return"},
		{"remind", `{"text":"call Anna tomorrow at 10"}`, "I'll remind you tomorrow, Sunday 22 November at 10:00: call Anna"},
		{"remind", `{"text":"call Anne tomorrow at 9"}`, "I'll remind you tomorrow, Sunday 22 November at 09:00: call Anne"},
		{"remind", `{"text":"take the pills tomorrow at 8"}`, "I'll remind you tomorrow, Sunday 22 November at 08:00: take the pills"},
		{"remind", `{"text":"take the pills every day at 9"}`, ""},
		{"task", `{"what":"file the taxes"}`, "Task: file the taxes"},
	})
	if got := len(told[domain.ReminderSet](p)); got != 7 {
		t.Errorf("%d reminders were set", got)
	}
	p.clock.Advance(30 * time.Hour)
	if said := p.call("remind", `{"text":"take the pills every day at 8"}`); !strings.HasPrefix(said, "There is already a reminder") {
		t.Errorf("with the next time told as before: %q", said)
	}
}

// All that is remembered is forgotten only when that was confirmed, and comes back together.
func TestForgetAll(t *testing.T) {
	newPlanner(t).lives([]done{
		{"forget", `{"all":true}`, "I remember nothing."},
		{"remember", `{"what":"Bob is Anna's brother"}`, ""},
		{"remember", `{"what":"My dentist is Dr Okafor"}`, ""},
		{"forget", `{"all":true}`, `Forget all that I remember: "Bob is Anna's brother", "My dentist is Dr Okafor"? Say yes.`},
		{"forget", `{"all":true,"confirmed":true}`, "Forgotten: all that I remembered."},
		{"recall", `{}`, "I remember nothing."},
		{"undo", `{}`, `Taken back: I remember "Bob is Anna's brother" again; I remember "My dentist is Dr Okafor" again.`},
		{"recall", `{}`, "My dentist is Dr Okafor\nBob is Anna's brother"},
	})
}

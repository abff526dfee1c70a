package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// An explicit value that isn't of its parameter makes a question of a request, never a call without it.
func TestValuesSaidByName(t *testing.T) {
	tool := func(name, about, properties string, required string) language.Offered {
		schema := []byte(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`)
		params, ok := domain.ParametersOf(schema)
		if !ok {
			t.Fatalf("%s has no schema", name)
		}
		return language.Offered{Name: name, Interface: "Things", Description: about, Parameters: params, Schema: schema}
	}
	p := offers(t, "")
	p.Tools = append(p.Tools,
		tool("big", "Big numbers", `"n":{"type":"integer"}`, ``),
		tool("greet", "Greets somebody", `"name":{"type":"string"},"times":{"type":"integer"}`, `"name"`),
		tool("mix", "Mixes paint", `"shade":{"type":"string","enum":["red","dark blue"]},"matt":{"type":"boolean"},"for":{"type":"object"},"share":{"type":"number"}`, ``),
		tool("dt", "Takes a moment", `"when":{"type":"string","format":"date-time"}`, `"when"`),
		tool("dated", "Takes a day", `"day":{"type":"string","format":"date"}`, `"day"`),
		tool("clocked", "Takes a time of day", `"at":{"type":"string","format":"time"}`, `"at"`),
		tool("nullable", "Takes nothing, too", `"maybe":{"type":["string","null"]}`, `"maybe"`),
	)
	for _, c := range []struct{ said, want string }{
		{"use big n: 15", `big {"n":15}`},
		{"use big n: three", `big {"n":3}`},
		{"use big n: One", `big {"n":1}`},
		{"use big n: 3, please", `big {"n":3}`},
		{"use big n: 1.5", "? I can't read “1.5” for n of “big” of Things, which takes a whole number. Nothing was called.…"},
		{"use big n: lots", "? I can't read “lots” for n of “big” of Things, which takes a whole number.…"},
		{"use big n: 1 000", "? I can't read “1 000” for n of “big” of Things, which takes a whole number.…"},
		{"use big q: 7", "? “big” of Things has no parameter “q”: its parameters are n.…"},
		{"use big n: 3 q: 7", "? “big” of Things has no parameter “q”: its parameters are n.…"},
		{"use greet name: Ada times: 2", `greet {"name":"Ada","times":2}`},
		{"use greet name: Ada times: many", "? I can't read “many” for times of “greet” of Things, which takes a whole number.…"},
		{"use greet name: Ada times: 2.5", "? I can't read “2.5” for times of “greet” of Things, which takes a whole number.…"},
		{"use greet times: lots", "? I can't read “lots” for times of “greet” of Things, which takes a whole number.…"},
		{"use greet title: Ada", "? “greet” of Things has no parameter “title”: its parameters are name, times.…"},
		{"greet Ada three times", `greet {"name":"Ada","times":3}`},
		{"greet Ada 3 times", `greet {"name":"Ada","times":3}`},
		{"greet Ada twice", `greet {"name":"Ada","times":2}`},
		{"greet Ada 2.5 times", "? I can't read “2.5” for times of “greet” of Things, which takes a whole number.…"},
		{"use mix shade: Dark Blue matt: yes share: 0.5", `mix {"matt":true,"shade":"dark blue","share":0.5}`},
		{"use mix shade: pink", "? I can't read “pink” for shade of “mix” of Things, which takes one of: red, dark blue.…"},
		{"use mix matt: perhaps", "? I can't read “perhaps” for matt of “mix” of Things, which takes yes or no.…"},
		{"use mix share: half", "? I can't read “half” for share of “mix” of Things, which takes a number, such as 1.5.…"},
		{`use mix for: Ada`, "? for of “mix” of Things can't be said in words: invoke it with its parameters.…"},
		{"use dt when: tomorrow at 10", `dt {"when":"2026-11-22T10:00:00+01:00"}`},
		{"use dt when: 2026-12-01T08:00:00Z", `dt {"when":"2026-12-01T08:00:00Z"}`},
		{"use dt tomorrow at 10", `dt {"when":"2026-11-22T10:00:00+01:00"}`},
		{"use dt when: tomorrow", "? I can't read “tomorrow” for when of “dt” of Things, which takes a day and a time of day, such as: tomorrow at 10:00.…"},
		{"use dt when: whenever", "? I can't read “whenever” for when of “dt” of Things, which takes a day and a time of day, such as: tomorrow at 10:00.…"},
		{"use dt when: every day at 9", "? I can't read “every day at 9” for when of “dt” of Things, which takes a day and a time of day, such as: tomorrow at 10:00.…"},
		{"use dt when:", "? I would use “dt” of Things, and need to know: when. What should it be?…"},
		{"use big n: 3 n: 4", "? I can't read “4” for n of “big”…"},
		{"use dated day: tomorrow", `dated {"day":"2026-11-22"}`},
		{"use dated day: 2026-12-24", `dated {"day":"2026-12-24"}`},
		{"use dated day: someday", "? I can't read “someday” for day of “dated” of Things, which takes a day, such as: tomorrow.…"},
		{"use clocked at: 9:30", `clocked {"at":"09:30:00+01:00"}`},
		{"use clocked at: noonish", "? I can't read “noonish” for at of “clocked” of Things, which takes a time of day, such as: 10:00.…"},
		{"use clocked at: 21:15", `clocked {"at":"21:15:00+01:00"}`},
		{"use clocked at: half past nine", `clocked {"at":"09:30:00+01:00"}`},
		{"use dated day: yesterday", `dated {"day":"2026-11-20"}`},
		{"use dated day: in 3 hours", "? I can't read “in 3 hours” for day of…"},
		{"use dated day: in 3 days", `dated {"day":"2026-11-24"}`},
		{"use dated day: tomorrow at 10", "? I can't read “tomorrow at 10” for day of…"},
		{"use dt when: in 2 hours", `dt {"when":"2026-11-21T12:00:00+01:00"}`},
		{"use dt when: yesterday at 9", `dt {"when":"2026-11-20T09:00:00+01:00"}`},
		{"use dated day: next week", "? I can't read “next week” for day of…"},
		{"use dt when: the party tomorrow at 10", "? I can't read “the party tomorrow at 10” for when of…"},
		{"use nullable maybe: null", `nullable {"maybe":null}`},
		{"use nullable maybe: words", `nullable {"maybe":"words"}`},
	} {
		t.Run(c.said, func(t *testing.T) {
			p := p
			p.Asked.Text = c.said
			if got := outline(reply(t, p)); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	for _, c := range []struct{ before, said, want string }{
		{"use dt", "tomorrow at 10", `dt {"when":"2026-11-22T10:00:00+01:00"}`},
		{"use dt", "when: tomorrow at 10", `dt {"when":"2026-11-22T10:00:00+01:00"}`},
		{"use dt when: tomorrow", "tomorrow at 10", `dt {"when":"2026-11-22T10:00:00+01:00"}`},
		{"use dt", "thanks", "? You're welcome."},
		{"use big n: lots", "never mind", "? Then I leave it: “use big n: lots”."},
		{"use dt", "whenever", "? I can't read “whenever” for when of “dt” of Things,…"},
		{"use big n: lots", "use big n: 8", `big {"n":8}`},
		{"use nullable", "null", `nullable {"maybe":null}`},
		{"use big n: lots", "7", `big {"n":7}`},
		{"use greet name: Ada times: many", "3", `greet {"name":"Ada","times":3}`},
		{"use greet name: Ada times: many", "lots", "? I can't read “lots” for times of “greet” of Things, which takes a whole number.…"},
	} {
		t.Run(c.before+", "+c.said, func(t *testing.T) {
			p := p
			p.Asked.Text = c.before
			p.Recent, p.Asked.Text = []language.Turn{answered(t, p)}, c.said
			if got := outline(reply(t, p)); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

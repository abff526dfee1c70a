package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/cmd/internal/dialogue"
)

// inTurn is what was said before, what is said in turn, and what is open then and was told last.
type inTurn struct {
	name        string
	setup, says []string
	open        []string // as a plan is told, with what of its text matters
	tells       string   // a part of the last answer; "?" where it asks and has done nothing
}

// TestTurns has kinds of what only means something behind what was said before.
func TestTurns(t *testing.T) {
	for _, c := range slices.Concat(lengthsInTurn, partsInTurn, daysInTurn, pointedInTurn, severalAtOnce) {
		t.Run(c.name+": "+c.says[len(c.says)-1], func(t *testing.T) {
			d := dialogue.Dialogue{ID: "turns", Now: "2026-06-15T09:00:00", Zone: "Europe/Malta", Setup: c.setup}
			d.Place, _ = time.LoadLocation(d.Zone)
			d.Begins = time.Date(2026, time.June, 15, 9, 0, 0, 0, d.Place)
			for _, say := range c.says {
				d.Turns = append(d.Turns, dialogue.Turn{Say: say})
			}
			s, _, err := opens(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			var came dialogue.Happened
			for n := range d.Turns {
				if came, err = s.plays(t.Context(), n); err != nil {
					t.Fatal(err)
				}
			}
			now, err := s.planned(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var open []string
			for _, p := range now.Plans {
				open = append(open, p.String())
			}
			for _, l := range now.Lists {
				open = append(open, l.Name+": "+strings.Join(l.Items, ", "))
			}
			slices.Sort(open)
			if c.open != nil && !slices.Equal(open, c.open) {
				t.Errorf("open:\n  %s\nwant:\n  %s\nit said: %s", strings.Join(open, "\n  "), strings.Join(c.open, "\n  "), came.Text)
			}
			if !strings.Contains(came.Text, c.tells) || c.tells == "?" && len(came.Changes) > 0 {
				t.Errorf("it said %q and did %v, want %q", came.Text, came.Changes, c.tells)
			}
		})
	}
}

var pottery = []string{"appointment: pottery course on Wednesday at 18:00"}

// lengthsInTurn are how long something takes, or until when.
var lengthsInTurn = []inTurn{
	{"made a length", pottery, []string{"when is the pottery course?", "make it 90 minutes"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T19:30`}, "19:30"},
	{"made a length", pottery, []string{"when is the pottery course?", "actually make that two and a half hours long please"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T20:30`}, ""},
	{"takes a length", nil, []string{"appointment: eye test on Friday at 10:00", "it only takes a quarter of an hour"}, []string{`appointment "eye test" 2026-06-19T10:00 to 2026-06-19T10:15`}, ""},
	{"takes a length", pottery, []string{"the pottery course will take about three hours"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T21:00`}, ""},
	{"goes on until", pottery, []string{"when is the pottery course?", "no, it goes on until 21:15"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T21:15`}, ""},
	{"goes on until", pottery, []string{"when is the pottery course?", "it takes until quarter past eight"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T20:15`}, ""},
	{"ends at", pottery, []string{"the pottery course ends at 8"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T20:00`}, ""},
	{"ends later", pottery, []string{"the pottery course finishes a quarter of an hour later"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T19:15`}, ""},
	{"more", pottery, []string{"when is the pottery course?", "20 minutes longer"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T19:20`}, ""},
	{"more", pottery, []string{"when is the pottery course?", "make it fifteen minutes shorter"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T18:45`}, ""},
	{"more", pottery, []string{"when is the pottery course?", "ten more minutes"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T19:10`}, ""},
	{"enough", pottery, []string{"when is the pottery course?", "forty minutes is enough"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T18:40`}, ""},
	{"not so long", pottery, []string{"when is the pottery course?", "it takes 50 minutes", "not 50, 40"}, []string{`appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T18:40`}, ""},
	{"later is a move", pottery, []string{"when is the pottery course?", "make it half an hour later"}, []string{`appointment "pottery course" 2026-06-17T18:30 to 2026-06-17T19:30`}, ""},
	{"a time is a move", pottery, []string{"when is the pottery course?", "make it 19:00"}, []string{`appointment "pottery course" 2026-06-17T19:00 to 2026-06-17T20:00`}, ""},
	{"a timer is moved", nil, []string{"set a timer for 20 minutes", "make it 30 minutes"}, []string{`reminder "timer" 2026-06-15T09:31`}, ""},
	{"a reminder has none", nil, []string{"remind me on Friday at 9:00 to ring Jo", "make it 90 minutes"}, []string{`reminder "ring Jo" 2026-06-19T09:00`}, "appointments only"},
	{"which", []string{"appointment: pottery course on Wednesday at 18:00", "appointment: eye test on Wednesday at 10:00"}, []string{"what do I have on Wednesday?", "it takes 20 minutes"}, []string{`appointment "eye test" 2026-06-17T10:00 to 2026-06-17T11:00`, `appointment "pottery course" 2026-06-17T18:00 to 2026-06-17T19:00`}, "?"},
}

var picnic = []string{"appointment: picnic with Vera and Tom on Saturday from 12:30 to 15:00 at Linden Park"}

// partsInTurn ask for a part of a plan.
var partsInTurn = []inTurn{
	{"where", picnic, []string{"when is the picnic?", "and where is it?"}, nil, "Linden Park"},
	{"where", picnic, []string{"where's the picnic?"}, nil, "Linden Park"},
	{"where, of one just set", nil, []string{picnic[0], "where is that again?"}, nil, "Linden Park"},
	{"who", picnic, []string{"when is the picnic?", "who is in it?"}, nil, "Vera"},
	{"who", picnic, []string{"when is the picnic?", "so who's coming?"}, nil, "Tom"},
	{"until when", picnic, []string{"where's the picnic?", "when does it end?"}, nil, "15:00"},
	{"until when", picnic, []string{"how long does the picnic last?"}, nil, "12:30 to 15:00"},
	{"how long", picnic, []string{"where's the picnic?", "how long is it?"}, nil, "12:30 to 15:00"},
	{"where, of what a reminder is of", nil, []string{picnic[0], "remind me an hour before it", "where is it?"}, nil, "Linden Park"},
	{"when, of a pronoun", nil, []string{"remind me on Tuesday at 17:00 to ring Bea", "when am I ringing her?"}, nil, "17:00"},
	{"when", nil, []string{"task: return the drill by Friday", "when's that due?"}, nil, "Friday"},
	{"of several", []string{"appointment: picnic on Saturday at 12:00", "appointment: match on Saturday at 16:00"}, []string{"what do I have on Saturday?", "where is it?"}, nil, "?"},
	{"of one by its place", []string{"appointment: picnic on Saturday at 12:00 at Linden Park", "appointment: match on Saturday at 16:00"}, []string{"what do I have on Saturday?", "where's the first one?"}, nil, "Linden Park"},
	{"the clock is no plan", picnic, []string{"when is the picnic?", "what time is it?"}, nil, "It is 09:"},
	{"a memory is no plan", []string{"remember that the ladder is in the cellar"}, []string{"where is the ladder?"}, nil, "cellar"},
}

var regatta = []string{"appointment: regatta on Saturday 20 June at 14:00"}

const regattaOpen = `appointment "regatta" 2026-06-20T14:00 to 2026-06-20T15:00`

// daysInTurn point at a day or a time that was spoken of.
var daysInTurn = []inTurn{
	{"that morning", regatta, []string{"when is the regatta?", "remind me at nine that morning to wax the oars"}, []string{regattaOpen, `reminder "wax the oars" 2026-06-20T09:00`}, ""},
	{"that evening", regatta, []string{"when is the regatta?", "remind me that evening at 8 to thank the crew"}, []string{regattaOpen, `reminder "thank the crew" 2026-06-20T20:00`}, ""},
	{"that day", regatta, []string{"when is the regatta?", "remind me that day at noon to pick up Bo"}, []string{regattaOpen, `reminder "pick up Bo" 2026-06-20T12:00`}, ""},
	{"the same day", regatta, []string{"when is the regatta?", "appointment: supper the same day at 19:00"}, []string{regattaOpen, `appointment "supper" 2026-06-20T19:00 to 2026-06-20T20:00`}, ""},
	{"a day that was asked about", nil, []string{"what do I have on Friday?", "remind me that afternoon at 3 to feed the goats"}, []string{`reminder "feed the goats" 2026-06-19T15:00`}, ""},
	{"the day before", regatta, []string{"when is the regatta?", "remind me the day before at noon to oil the winch"}, []string{regattaOpen, `reminder "oil the winch" 2026-06-19T12:00`}, ""},
	{"the evening before", regatta, []string{"when is the regatta?", "remind me the evening before at 7pm to pack the cooler"}, []string{regattaOpen, `reminder "pack the cooler" 2026-06-19T19:00`}, ""},
	{"two days before", regatta, []string{"when is the regatta?", "remind me two days before it at 10:00 to check the forecast"}, []string{regattaOpen, `reminder "check the forecast" 2026-06-18T10:00`}, ""},
	{"before, of the plan", regatta, []string{"when is the regatta?", "remind me a day before"}, []string{regattaOpen, `reminder "regatta" 2026-06-19T14:00`}, ""},
	{"before, of the plan", regatta, []string{"when is the regatta?", "remind me an hour before it"}, []string{regattaOpen, `reminder "regatta" 2026-06-20T13:00`}, ""},
	{"then", regatta, []string{"when is the regatta?", "remind me then to cheer for Bo"}, []string{regattaOpen, `reminder "cheer for Bo" 2026-06-20T14:00`}, ""},
	{"that morning, of what a reminder goes by", regatta, []string{"when is the regatta?", "remind me the evening before at 8pm to pack the cooler", "remind me that morning at 7 to wake Bo"}, []string{regattaOpen, `reminder "pack the cooler" 2026-06-19T20:00`, `reminder "wake Bo" 2026-06-20T07:00`}, ""},
	{"it, the day after", regatta, []string{"when is the regatta?", "do it the day after, same time"}, []string{`appointment "regatta" 2026-06-21T14:00 to 2026-06-21T15:00`}, ""},
	{"of it, before", []string{"task: file the report by 31 July"}, []string{"when is the report due?", "remind me of it two days before at 9am"}, []string{`reminder "file the report" 2026-07-29T09:00`, `task "file the report" 2026-07-31T09:00`}, ""},
	{"an offer put right", nil, []string{"Carpool with Lene on Wednesday at 7 in the morning.", "no, Thursday"}, []string{`appointment "Carpool with Lene" 2026-06-18T07:00 to 2026-06-18T08:00`}, ""},
	{"an offer put right", nil, []string{"Carpool with Lene on Wednesday at 7 in the morning.", "make it 20 minutes"}, []string{`appointment "Carpool with Lene" 2026-06-17T07:00 to 2026-06-17T07:20`}, ""},
	{"an offer refused", nil, []string{"Carpool with Lene on Wednesday at 7 in the morning.", "no"}, []string{}, ""},
	{"a time of its own", nil, []string{"the dough is ready in 2 hours and 10 minutes, remind me then"}, []string{`reminder "the dough is ready" 2026-06-15T11:10`}, ""},
	{"it isn't known which", nil, []string{"remind me that evening at 8 to thank the crew"}, []string{}, "?"},
	{"of several days", []string{regatta[0], "appointment: eye test on Friday at 10:00"}, []string{"what have I planned?", "remind me that day at noon to pick up Bo"}, []string{`appointment "eye test" 2026-06-19T10:00 to 2026-06-19T11:00`, regattaOpen}, "?"},
	{"a day of its own", regatta, []string{"when is the regatta?", "remind me on Thursday at noon to pick up Bo"}, []string{regattaOpen, `reminder "pick up Bo" 2026-06-18T12:00`}, ""},
}

// pointedInTurn point at a plan or at somebody in what is to be set.
var pointedInTurn = []inTurn{
	{"of it", regatta, []string{"when is the regatta?", "remind me of it on Friday at 18:00"}, []string{regattaOpen, `reminder "regatta" 2026-06-19T18:00`}, ""},
	{"of the other one", []string{"task: prune the roses", "task: sharpen the saw"}, []string{"which tasks are open?", "done with the saw", "remind me of the other one on Friday at 17:00"}, []string{`reminder "prune the roses" 2026-06-19T17:00`, `task "prune the roses"`}, ""},
	{"of the other one of none", nil, []string{"remind me of the other one on Friday at 17:00"}, []string{}, "?"},
	{"him", nil, []string{"remember that Piet has the drill", "remind me tomorrow at 9:00 to ask him for the drill"}, []string{`reminder "ask Piet for the drill" 2026-06-16T09:00`}, ""},
	{"hers", nil, []string{"remember that Bea's birthday is on 3 July", "remind me tomorrow at 9:00 to buy her present"}, nil, ""},
	{"nobody named", nil, []string{"remind me tomorrow at 9:00 to call him"}, []string{`reminder "call him" 2026-06-16T09:00`}, ""},
}

// severalAtOnce are several things in a sentence, of which one lacks something.
var severalAtOnce = []inTurn{
	{"both reminders", nil, []string{"Remind me to water the ferns tomorrow at 8am and remind me to feed the cat tomorrow at 9am."}, []string{`reminder "feed the cat" 2026-06-16T09:00`, `reminder "water the ferns" 2026-06-16T08:00`}, ""},
	{"one lacks its time", nil, []string{"Remind me to water the ferns tomorrow at 8am. And remind me to feed the cat."}, []string{`reminder "water the ferns" 2026-06-16T08:00`}, "feed the cat"},
	{"one lacks its time", nil, []string{"Remind me to water the ferns tomorrow at 8am. Also remind me to feed the cat.", "on Wednesday at noon"}, []string{`reminder "feed the cat" 2026-06-17T12:00`, `reminder "water the ferns" 2026-06-16T08:00`}, ""},
	{"one isn't on the list", []string{"put nails, glue and tape on the shopping list"}, []string{"Got the nails, the glue and the putty."}, []string{"shopping: tape"}, "putty"},
	{"already bought", []string{"put nails, glue and tape on the shopping list"}, []string{"I've already got the nails, the putty and the tape"}, []string{"shopping: glue"}, "putty"},
	{"none is on the list", []string{"put nails, glue and tape on the shopping list"}, []string{"Got the putty and the varnish."}, []string{"shopping: nails, glue, tape"}, "nothing open like"},
}

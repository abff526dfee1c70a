package main

import (
	"strings"
	"testing"
)

// followUps are what is said one after the other, each with what is expected of it alone.
var followUps = []struct{ name, said string }{
	{"a question is answered in a few words", `
remind me → ask
call Anna tomorrow at 9 → remind at=2027-03-02T09:00 what=anna`},
	{"a time is asked for", `
remind me to call Anna → ask
tomorrow at 9 → remind at=2027-03-02T09:00 what=anna`},
	{"what to be reminded of is asked for", `
remind me tomorrow at 9 → ask
call Anna → remind at=2027-03-02T09:00 what=anna`},
	{"a request in full drops the open question", `
remind me to call Anna → ask
put figs on the grocery list → list+ grocery item=figs
tomorrow at 9 → ask || left`},
	{"what goes on goes on the same list, unless another is said", `
put figs on the grocery list → list+ grocery item=figs
and olives → list+ grocery item=olives
put a tent on the holiday list → list+ holiday item=tent`},
	{"it is what was just set", `
remind me to call Anna tomorrow at 9 → remind at=2027-03-02T09:00 what=anna
cancel it → end-new`},
	{"it moves", `
remind me to call Anna tomorrow at 9 → remind at=2027-03-02T09:00 what=anna
move it to Friday → move-new at=2027-03-05T09:00`},
	{"what somebody can't eat", `
remember that Anna is allergic to nuts → remember what=anna+nuts
what is Anna allergic to? → tell nuts
what can't Anna eat? → tell nuts
does Anna have any allergies? → tell nuts
what is Bob allergic to? → tell nothing`},
	{"a number of somebody is offered to be remembered", `
Anna's phone number is 555-1234 → ask
yes → remember what=555-1234
what is Anna's phone number? → tell 555-1234
what's Anna's number? → tell 555-1234`},
	{"where what is planned takes place", `
put lunch with Anna in my calendar tomorrow at noon at Luigi's → appoint at=2027-03-02T12:00 what=lunch
where is my lunch with Anna? → tell luigi's
where's the dinner party? → tell anna's_place
where is the spare key? → tell pot`},
	{"what is waiting is what was asked", `
what's waiting? → tell nothing
remind me to call Anna → ask
what's waiting? → tell approval+call_anna`},
	{"a correction keeps what it doesn't name", `
remind me to call Anna on Friday at 7pm → remind at=2027-03-05T19:00 what=anna
make it 8pm → move-new at=2027-03-05T20:00`},
	{"it is what was told", `
when is the dentist? → tell 11:00
cancel it → end a-dentist`},
	{"the first of several", `
what alarms are set for tomorrow? → tell 06:30+08:00+14:00
cancel the second one → end r-eight`},
	{"both", `
what appointments do I have today? → tell joe+dinner
cancel both → end a-joe,a-dinner || confirm`},
	{"the one with", `
cancel my meeting → ask
the one with Joe → end a-joe`},
	{"the first of those asked about", `
cancel my meeting → ask
the first → end a-joe`},
	{"it moves within its day", `
when is the doctor's appointment? → tell 15:00
move it to 4 → move a-doctor at=2027-03-05T16:00`},
	{"the first of what has the words, whatever it is", `
put bank papers on the holiday list → list+ holiday item=bank_papers
delete bank → ask
the first → end t-bank`},
	{"the second of what has the words", `
put rent money on the holiday list → list+ holiday item=rent_money
get rid of rent → ask
the second one → list- holiday item=rent_money`},
	{"a list that is named as a thing goes when that is confirmed", `
delete holiday → confirm
yes → droplist holiday`},
	{"two lists at once", `
delete the holiday list and the grocery list → confirm
yes → droplist holiday`},
	{"only one time of what comes back goes", `
drop my 8 pm tonight → ask
skip → any`},
	{"it of several", `
what do I have on Friday? → tell doctor+bedtime
move it to 4pm → ask`},
	{"the one about", `
what do I have on Friday? → tell doctor+bedtime
cancel the one about the doctor → end a-doctor`},
	{"the same question of another day", `
what do I have on Friday? → tell doctor
and tomorrow? → tell dentist`},
	{"the same question of another name", `
when is yoga? → tell yoga
and kickball? → tell kickball`},
	{"what was only told is offered", `
the plumber is coming on Thursday at 8 → ask
yes → appoint at=2027-03-04T08:00 what=plumber`},
	{"what was bought goes off its list", `
I bought the milk and the bread → list- shopping item=milk,bread`},
	{"which list", `
put figs on the list → ask
shopping → list+ shopping item=figs`},
	{"a list's name", `
create a new list → ask
books → newlist books`},
	{"yes", `
clear the grocery list → confirm
yes → droplist grocery`},
	{"no", `
clear the grocery list → confirm
no → left`},
	{"yes to several", `
cancel all appointments today → confirm
yes → end a-joe,a-dinner`},
	{"an offer", `
I have a yoga class tomorrow at 5pm → ask
yes → appoint at=2027-03-02T17:00 what=yoga`},
	{"an offer declined", `
I have a yoga class tomorrow at 5pm → ask
no thanks → left`},
	{"the time of an alarm", `
set an alarm for tomorrow → ask
7 → remind at=2027-03-02T07:00 what=alarm`},
	{"undo", `
cancel the dentist appointment → end a-dentist
undo → any`},
	{"a duplicate", `
remind me to water the plants on Thursday at 6pm → ask
set it anyway → remind at=2027-03-04T18:00 what=plants`},
	{"another appointment's time", `
what's next? → any
skip it → any`},
}

func TestFollowUps(t *testing.T) {
	fixed, err := newHouse()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixed.furnish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, d := range followUps {
		t.Run(d.name, func(t *testing.T) {
			h, err := fixed.branch(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(strings.TrimSpace(d.said)) {
				sentence, want, _ := strings.Cut(strings.TrimSpace(line), " → ")
				h.fork = h.log.Tail()
				got, err := h.say(t.Context(), sentence)
				if err != nil {
					t.Fatal(err)
				}
				made, err := h.changes(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range made { // what was just made is "new" from now on
					if len(c.env.Keys) == 0 {
						h.named[c.env.ID] = "new"
					}
				}
				if want == "any" {
					continue
				}
				want = strings.NewReplacer("end-new", "end new", "move-new", "move new").Replace(want)
				expected, err := parseExpectation(want)
				if err != nil {
					t.Fatal(err)
				}
				if _, right, err := h.judge(t.Context(), expected, got); err != nil || !right {
					t.Errorf("%q: %q %s: want %s %v", sentence, got.text, strings.Join(got.calls, "; "), want, err)
				}
			}
		})
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"
)

// talks are what is said one after the other, or pressed ([2] is the second button), each with what
// the answer must say.
var talks = []struct{ name, said string }{
	{"both are the last two spoken of", `
remind me to call Hans tomorrow at 6pm → I'll remind you
remind me to call Otto tomorrow at 7pm → I'll remind you
cancel both → Cancelled 2 reminders: "call Hans" (tomorrow at 18:00), "call Otto" (tomorrow at 19:00).
undo → the reminder "call Hans" is back, tomorrow at 18:00; the reminder "call Otto" is back`},
	{"both of three", `
remind me to call Hans tomorrow at 6pm → I'll remind you
remind me to call Otto tomorrow at 7pm → I'll remind you
remind me to call Kurt tomorrow at 8pm → I'll remind you
cancel both reminders → Cancelled 2 reminders: "call Otto" (tomorrow at 19:00), "call Kurt" (tomorrow at 20:00).`},
	{"both of a kind", `
remind me to call Hans tomorrow at 6pm → I'll remind you
lunch with Bo tomorrow at 1 → Appointment
remind me to call Otto tomorrow at 7pm → I'll remind you
cancel both reminders → Cancelled 2 reminders: "call Hans" (tomorrow at 18:00), "call Otto" (tomorrow at 19:00).`},
	{"both of two kinds", `
remind me to call Hans tomorrow at 6pm → I'll remind you
lunch with Bo tomorrow at 1 → Appointment
cancel both → Cancelled 2 plans: "call Hans" (tomorrow at 18:00), "lunch with Bo" (tomorrow at 13:00).
undo → the reminder "call Hans" is back, tomorrow at 18:00; the appointment "lunch with Bo" is back`},
	{"both of nothing", `
cancel both → Which two do you mean?
never mind → Then I leave it`},
	{"both of one", `
remind me to call Hans tomorrow at 6pm → I'll remind you
cancel both → Which two do you mean? We spoke of “call Hans”
undo → Then I leave it`},
	{"both reminders of ten", `
cancel both reminders → Which reminder is meant:
never mind → Then I leave it`},
	{"both of many that were told", `
what do I have tomorrow? → Reminders
cancel both → Which two do you mean?`},
	{"them", `
remind me to call Hans tomorrow at 6pm → I'll remind you
remind me to call Otto tomorrow at 7pm → I'll remind you
remind me to call Kurt tomorrow at 8pm → I'll remind you
cancel them → Cancel 3 reminders: "call Hans" (tomorrow at 18:00), "call Otto" (tomorrow at 19:00), "call Kurt" (tomorrow at 20:00)? Say yes.
yes → Cancelled 3 reminders
undo → is back, tomorrow at 20:00.`},
	{"by their names", `
remind me to call Hans tomorrow at 6pm → I'll remind you
remind me to call Otto tomorrow at 7pm → I'll remind you
cancel Hans and Otto → Cancelled 2 reminders
never mind → is back, tomorrow at 18:00; the reminder "call Otto" is back`},
	{"its own sentence names no plan", `
remind me every Sunday at 9 to vacuum → every Sunday at 09:00
move it to Saturday → this once on Saturday
cancel it → I won't remind you any more: vacuum
undo → the reminder "vacuum" is back, on Saturday 6 March at 09:00`},
	{"which of several by its day", `
cancel my meeting → Which appointment is meant: "meeting with Joe", "meeting with Rajesh", "staff meeting"?
the one on Wednesday → Cancelled: meeting with Rajesh
undo → is back, on Wednesday`},
	{"by a day alone", `
cancel my meeting → Which appointment is meant
Thursday → Cancelled: staff meeting`},
	{"by its time", `
cancel my meeting → Which appointment is meant
the 4pm one → Cancelled: meeting with Joe`},
	{"all of them", `
cancel my meeting → Which appointment is meant
all of them → Cancelled 3 appointments
undo → "meeting with Joe" is back, today 16:00 to 17:00; the appointment "meeting with Rajesh" is back`},
	{"both of three that are asked about", `
cancel my meeting → Which appointment is meant
both → There are more than two
neither → Then I leave it`},
	{"the first and the third", `
cancel my meeting → Which appointment is meant
the first and the third → Cancelled 2 appointments: "meeting with Joe" (today at 16:00), "staff meeting" (on Thursday 4 March at 10:00).`},
	{"all but one", `
cancel my meeting → Which appointment is meant
all but the first → Cancelled 2 appointments: "meeting with Rajesh" (on Wednesday 3 March at 09:00), "staff meeting"
undo → is back, every Thursday at 10:00`},
	{"the first two", `
cancel my meeting → Which appointment is meant
the first two → Cancelled 2 appointments: "meeting with Joe" (today at 16:00), "meeting with Rajesh"`},
	{"both move", `
remind me to call Hans at 6pm → I'll remind you
remind me to call Otto at 7pm → I'll remind you
move both to Friday → on Friday 5 March at 19:00: call Otto
undo → the reminder "call Hans" is today at 18:00 again; the reminder "call Otto" is today at 19:00 again.`},
	{"the other one", `
what appointments do I have today? → meeting with Joe
cancel the first one → Cancelled: meeting with Joe
and move the other one to 8 → Moved: dinner party, today, Monday 1 March, 20:00`},
	{"all of what", `
cancel everything → All of what?
no → Then I leave it`},
	{"several kinds", `
what do I have tomorrow? → dentist
cancel all of them → These are of several kinds:
never mind → Then I leave it`},
	{"a no behind what was done", `
cancel the dentist and clear the grocery list → Take everything off
no → All right: nothing else was done.`},
	{"undo leaves an open question", `
cancel the dentist → Cancelled: dentist appointment
cancel my meeting → Which appointment is meant
undo → Then I leave it
undo → the appointment "dentist appointment" is back`},
	{"never mind leaves an open question", `
clear the grocery list → Take everything off
never mind → Then I leave it
yes → I have asked you nothing`},
	{"a button, and undo", `
cancel my meeting → Which appointment is meant
[1] → Cancelled: meeting with Joe
undo → the appointment "meeting with Joe" is back`},
	{"a button for no", `
clear the grocery list → Take everything off
[2] → All right: nothing was done.
what's on the grocery list? → eggs`},
	{"a button, and it", `
cancel the alarm → Which alarm is meant
[1] → I won't remind you any more: alarm
never mind → the reminder "alarm" is back`},
	{"an offer's button for no", `
I have a yoga class tomorrow at 5pm → Should I put it in the calendar
[2] → All right: nothing was done.`},
	{"a narrower question", `
cancel the alarm → Which alarm is meant
tomorrow's → Which one do you mean: “wake up”
the one at 8 → I won't remind you any more: alarm`},
	{"a question is still open behind what isn't understood", `
cancel my meeting → Which appointment is meant
hmm → I'm not sure
the last one → Cancelled: staff meeting`},
	{"a request in full drops the question", `
cancel my meeting → Which appointment is meant
put bread on the grocery list → On the list grocery: bread
the first one → I'm not sure`},
	{"it behind what isn't understood", `
remind me to call Hans at 6pm → today, Monday 1 March at 18:00
brillig and the slithy → I'm not sure
make it 7pm → today, Monday 1 March at 19:00: call Hans`},
	{"it behind undo", `
remind me to call Hans at 6pm → I'll remind you
cancel it → I won't remind you any more
undo → is back, today at 18:00
make it every Sunday → every Sunday at 18:00`},
	{"a time in another order", `
remind me to call Hans at 6pm → I'll remind you
make it 7 tomorrow → tomorrow, Tuesday 2 March at 19:00
make it weekdays only → every weekday at 19:00`},
	{"what has ended", `
cancel my meeting with Joe → Cancelled: meeting with Joe
move it to 5pm → “meeting with Joe” is no more. To have it back first, say undo.
undo → is back, today 16:00 to 17:00
move it to 5pm → Moved: meeting with Joe, today, Monday 1 March, 17:00 to 18:00`},
	{"one after the other of what was told", `
what tasks do I have? → call the bank
done with the second one → Done: call the bank
done with the first one → Done: file the taxes
undo → the task "file the taxes" is back, due on Wednesday 31 March at 17:00`},
	{"it of several, chosen", `
what do I have on Friday? → Reminders
move it to 4pm → Which one do you mean
the doctor → Moved: doctor's appointment, on Friday 5 March, 16:00 to 16:30`},
	{"everything", `
cancel everything tomorrow → Cancel the appointment "dentist appointment" (tomorrow at 11:00)? What stays of then: 4 reminders. Say yes.
[1] → Cancelled: dentist appointment
undo → is back, tomorrow 11:00 to 11:30`},
	{"skip or for good", `
cancel all my reminders for tomorrow → skip leaves only this time of them out, and cancels the rest. Say skip, or for good.
skip → Cancelled 2 alarms: "alarm" (tomorrow at 08:00), "alarm: meeting" (tomorrow at 14:00). Skipped 2 alarms: "wake up" (tomorrow at 06:30), "alarm: Finlee's bedtime" (tomorrow at 20:00).
undo → the reminder "alarm" is back`},
	{"one time of a choice", `
cancel my alarm on Saturday → Which alarm is meant
yoga → should I leave it out only on Saturday 6 March at 09:00, or end it for good?
[1] → Skipped: alarm: yoga
undo → is every Saturday at 09:00 again`},
	{"yes isn't enough", `
cancel my staff meeting on Thursday → comes back
yes → Only this once, or for good?
just this once → Skipped: staff meeting, on Thursday 4 March`},
	{"all of what was told comes back in part", `
what reminders do I have tomorrow? → wake up
cancel all of them → Say skip, or for good.
[1] → Cancelled 2 alarms
undo → is back`},
	{"of another kind", `
remind me to iron tomorrow at 5pm → I'll remind you
remind me to iron on Wednesday at 5pm → I'll remind you
cancel the iron → Which reminder is meant: "iron" (tomorrow at 17:00), "iron" (on Wednesday 3 March at 17:00)?
[2] → I won't remind you any more: iron
undo → the reminder "iron" is back, on Wednesday`},
	{"memories", `
remember that my dog is called Rex → my dog is called Rex
remember that my dog likes bones → my dog likes bones
forget my dog → Which memory is meant
both → Forgotten: my dog is called Rex; my dog likes bones
undo → I remember "my dog is called Rex" again; I remember "my dog likes bones" again.`},
	{"a name that is a part of another", `
dinner with Kim on Wednesday at 7pm → Appointment
dinner on Thursday at 7pm → Appointment
cancel dinner → Which appointment is meant
dinner → Cancelled: dinner, on Thursday`},
	{"undo says what is gone", `
remind me to call Hans at 6pm → I'll remind you
undo → the reminder "call Hans", today at 18:00, is removed.`},
}

func TestTalks(t *testing.T) {
	fixed, err := newHouse()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixed.furnish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, talk := range talks {
		t.Run(talk.name, func(t *testing.T) {
			h, err := fixed.branch(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(strings.TrimSpace(talk.said)) {
				sentence, want, _ := strings.Cut(strings.TrimSpace(line), " → ")
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
				if !strings.Contains(got.text, want) {
					t.Errorf("%q answers %q, want %q (%s)", sentence, got.text, want, strings.Join(got.calls, "; "))
				}
			}
		})
	}
}

package skill_test

import "testing"

// A time that another plan says is that plan's, its beginning, its end, or so long from it.
func TestTimesByAnotherPlan(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{"text":"an hour before the dentist to find the card"}`, "I'll remind you tomorrow, Tuesday 2 March at 10:00: find the card"},
		{`{"text":"straight after the staff meeting to call HR"}`, "I'll remind you on Thursday 4 March at 11:00: call HR"},
		{`{"text":"after the staff meeting to call HR"}`, "I'll remind you on Thursday 4 March at 11:00: call HR"},
		{`{"what":"schedule a cleaning","when":"once the dentist appointment is over"}`, "I'll remind you tomorrow, Tuesday 2 March at 11:30: schedule a cleaning"},
		{`{"what":"send the slides","when":"when the meeting with Rajesh is over"}`, "I'll remind you on Wednesday 3 March at 10:00: send the slides"},
		{`{"text":"as soon as the dinner party ends to call a taxi"}`, "I'll remind you today, Monday 1 March at 22:00: call a taxi"},
		{`{"text":"when the staff meeting starts to mute the phone"}`, "I'll remind you on Thursday 4 March at 10:00: mute the phone"},
		{`{"text":"at the end of the staff meeting to collect the badges"}`, "I'll remind you on Thursday 4 March at 11:00: collect the badges"},
		{`{"text":"10 minutes before the staff meeting starts to print"}`, "I'll remind you on Thursday 4 March at 09:50: print"},
		{`{"text":"15 minutes after the dinner party starts to serve"}`, "I'll remind you today, Monday 1 March at 19:15: serve"},
		{`{"text":"10 minutes before the dinner party ends to call a taxi"}`, "I'll remind you today, Monday 1 March at 21:50: call a taxi"},
		{`{"text":"the night before Mary's birthday party to wrap the gift"}`, "I'll remind you on Friday 5 March at 20:00: wrap the gift"},
		{`{"text":"the morning of Mary's birthday party to pick up the cake"}`, "I'll remind you on Saturday 6 March at 09:00: pick up the cake"},
		{`{"text":"on the day of Mary's birthday party to charge the camera"}`, "I'll remind you on Saturday 6 March at 09:00: charge the camera"},
		{`{"text":"3 days before Susan's birthday to buy a card"}`, "I'll remind you on Friday 12 March at 09:00: buy a card"},
		{`{"text":"the week before Susan's birthday"}`, "I'll remind you on Monday 8 March at 09:00: Susan's birthday"},
		{`{"text":"to pick up the prescription the day after the doctor's appointment, at 10 in the morning"}`, "I'll remind you on Saturday 6 March at 10:00: pick up the prescription"},
		{`{"text":"bake one day before Susan's birthday at 6 pm"}`, "I'll remind you on Sunday 14 March at 18:00: bake"},
		{`{"text":"to send tulips on Susan's birthday"}`, "I'll remind you on Monday 15 March at 09:00: send tulips"},
		{`{"text":"during the staff meeting to ask for the keys"}`, "I'll remind you on Thursday 4 March at 10:00: ask for the keys"},
		{`{"text":"at Mary's birthday party to take pictures"}`, "I'll remind you on Saturday 6 March at 18:00: take pictures"},
		{`{"text":"wait at the staff entrance"}`, `No time was found in "wait at the staff entrance": say when, such as "in 2 hours", "tomorrow at 8" or "every Monday at 18:00".`},
		{`{"text":"alarm when the World Cup final starts"}`, `I know no plan like "the World Cup final": when is it? Say the time itself, such as: tomorrow at 8.`},
		{`{"what":"pack","when":"2 hours before my flight on Friday at 10:40"}`, "I'll remind you on Friday 5 March at 08:40: pack"},
	} {
		if said := newBusy(t).call("remind", c.params); said != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.params, said, c.want)
		}
	}
}

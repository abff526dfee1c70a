package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain/language"
)

// TestPlansAreHeard is of sentences about plans that are made, moved, ended and asked after.
func TestPlansAreHeard(t *testing.T) {
	for _, c := range []sentence{
		// Made, whatever they are called.
		{"schedule a call with Ines for Tuesday at 11", `appointment {"action":"add","what":"call with Ines","when":"Tuesday at 11","with":"Ines"}`},
		{"plan a walk with Tom on Sunday at noon", `appointment {"action":"add","what":"walk with Tom","when":"on Sunday at noon","with":"Tom"}`},
		{"let's schedule a 20 minute call with Ed tomorrow at 3 pm", `appointment {"action":"add","until":"20 minute","what":"call with Ed","when":"tomorrow at 3 pm","with":"Ed"}`},
		{"eye test on 3 December at 9:40, add it please", `appointment {"action":"add","what":"eye test","when":"on 3 December at 9:40"}`},
		{"the plumber comes on Monday at 8 in the morning, calendar it", `appointment {"action":"add","what":"plumber comes","when":"on Monday at 8 in the morning"}`},
		{"calendar: team day, 4 December 9am to 5pm", `appointment {"action":"add","what":"team day","when":"4 December 9am to 5pm"}`},
		{"Hearing on 13 April at 9 on the calendar please", `appointment {"action":"add","what":"Hearing","when":"on 13 April at 9"}`},
		{"new calendar event: blood test, 23 March, 9 am", `appointment {"action":"add","what":"blood test","when":"23 March, 9 am"}`},
		{"vet appt for Rex on Friday 4:30pm", `appointment {"action":"add","what":"vet appt for Rex","when":"on Friday 4:30pm"}`},
		{"movie with Dan fri 9:20pm calendar", `appointment {"action":"add","what":"movie with Dan","when":"fri 9:20pm","with":"Dan"}`},
		{"create an annual event for the fair on 14 August", `appointment {"action":"add","what":"fair","when":"annual on 14 August"}`},
		{"add a break right after the staff meeting", `appointment {"action":"add","what":"a break right after the staff meeting"}`},
		{"I have an eye test on Friday at 9:40", "? Should I put it in the calendar: “I have an eye test on Friday at 9:40”? Say yes."},
		{"let's grab lunch with Ray on the 4th at one", `appointment {"action":"add","what":"lunch with Ray","when":"on the 4th at one","with":"Ray"}`},
		{"add Tims bday on june 3", `appointment {"action":"add","what":"Tims bday","when":"on june 3"}`},
		// Only told, and offered.
		{"I have to be at the airport on 3 December at 5:40am", "? Should I put it in the calendar: “I have to be at the airport on 3 December at 5:40am”? Say yes."},
		{"choir every Monday at 7pm", "? Should I put it in the calendar: “choir every Monday at 7pm”? Say yes."},
		{"holiday from 20 December to 2 January", "? Should I put it in the calendar: “holiday from 20 December to 2 January”? Say yes."},
		{"I'm going to the cinema on Saturday at 8", "? Should I put it in the calendar: “I'm going to the cinema on Saturday at 8”? Say yes."},
		{"the plumber is coming on Monday at 8", "? Should I put it in the calendar: “the plumber is coming on Monday at 8”? Say yes."},
		{"my sister is visiting next weekend", "? Should I put it in the calendar: “my sister is visiting next weekend”? Say yes."},
		{"Graduation May 22", "? Should I put it in the calendar: “Graduation May 22”? Say yes."},
		{"pay the electricity bill on friday", "? Should I remind you of it: “pay the electricity bill on friday”? Say yes."},
		{"water the ferns", "? Should I keep it as a task: “water the ferns”? Say yes."},
		{"our vet is Dr Lund", "? Should I remember that: “our vet is Dr Lund”? Say yes."},
		{"the spare key is in the shed now", "? Should I remember that: “the spare key is in the shed now”? Say yes."},
		{"it's raining tomorrow", "-"},
		{"I am tired today", "-"},
		{"I hate mondays", "-"},
		{"play some jazz tomorrow", "-"},
		{"my day is bad", "-"},
		{"my name is on the door", "-"},
		// Notes to oneself.
		{"note to self call mum tomorrow at 5", `remind {"what":"call mum","when":"tomorrow at 5"}`},
		{"note to self: buy stamps", `task {"action":"create","what":"buy stamps"}`},
		{"reminder to self: the wifi code is 1234", `remember {"what":"the wifi code is 1234"}`},
		{"call with Rita tuesday 4pm", "? Should I put it in the calendar: “call with Rita tuesday 4pm”? Say yes."},
		{"schedule my checkup", "? When is it: “checkup”?…"},
		{"schedule something with Ida next week", "? On which day, “next week”?…"},
		{"choir Thursday nights at seven, put it in", `appointment {"action":"add","what":"choir","when":"Thursday nights at seven"}`},
		{"plan a trip to Rome", "-"},
		{"put the bins out at 7", "-"},
		{"add salt at 7 pm", "-"},
		{"I have a headache since 5 pm", "-"},
		// Moved.
		{"make the kickball alarm an hour earlier", `reminder {"action":"move","when":"an hour earlier","which":"kickball alarm"}`},
		{"set the 3 pm alarm to 3:30 instead", `reminder {"action":"move","when":"3:30","which":"3 pm alarm"}`},
		{"from now on the staff meeting is at 9:30", `appointment {"action":"move","always":true,"when":"9:30","which":"staff meeting"}`},
		{"put off the dentist until Monday at 11", `appointment {"action":"move","when":"Monday at 11","which":"dentist"}`},
		{"could we delay the dentist by a quarter of an hour?", `appointment {"action":"move","when":"a quarter of an hour later","which":"dentist"}`},
		{"my train is late, move the alarm to 6 am", `reminder {"about":"train late","action":"move","when":"6 am","which":"alarm"}`},
		{"the dinner party is at 8, not 7", `appointment {"action":"move","when":"8","which":"dinner party"}`},
		{"make the dinner party 8 instead of 7", `appointment {"action":"move","when":"8","which":"dinner party"}`},
		{"the staff meeting starts at 9 now, not 10", `appointment {"action":"move","when":"9","which":"staff meeting"}`},
		{"move the dinner party to 8 tomorrow", `appointment {"action":"move","when":"at 8 tomorrow","which":"dinner party"}`},
		{"move the dinner party to 7 to 10", `appointment {"action":"move","when":"from 7 to 10","which":"dinner party"}`},
		{"move the staff meeting to 11 just this week", `appointment {"action":"move","during":"this week","when":"11","which":"staff meeting"}`},
		{"remind me about the ferns on Friday instead", `reminder {"action":"move","when":"on Friday","which":"the ferns"}`},
		{"remind me about the ferns on Friday instead of Thursday", `reminder {"action":"move","when":"on Friday","which":"the ferns"}`},
		{"remind me to call Bob instead of Ann at 5", `remind {"what":"call Bob instead of Ann","when":"at 5"}`},
		{"the rates are due on Friday now", `task {"action":"move","deadline":"Friday","which":"rates"}`},
		// Kept free, and what a book is a part of.
		{"block 9 to 11 tomorrow for deep work", `appointment {"action":"add","what":"deep work","when":"from 9 to 11 tomorrow"}`},
		{"block out 9 to 11 tomorrow", `appointment {"action":"add","what":"blocked","when":"from 9 to 11 tomorrow"}`},
		{"block that number", "-"},
		{"book fair saturday at 10 am", `appointment {"action":"add","what":"book fair","when":"saturday at 10 am"}`},
		{"book club is on Thursday at 7 pm", `appointment {"action":"add","what":"book club","when":"on Thursday at 7 pm"}`},
		{"schedule a review on Friday at 2pm for an hour and a half", `appointment {"action":"add","until":"an hour and a half","what":"review","when":"on Friday at 2pm"}`},
		{"schedule a review with Bob on Friday at 3 not 4", `appointment {"action":"add","what":"review with Bob","when":"on Friday at 3","with":"Bob"}`},
		// Ended.
		{"never mind the party on Saturday", `appointment {"action":"cancel","during":"Saturday","which":"party"}`},
		{"never mind the weather", "-"},
		{"I won't be at the staff meeting on Thursday", "? Should I cancel it, or skip it this once: “the staff meeting on Thursday”?…"},
		{"practice got rained out, ditch the alarm", `reminder {"about":"practice rained","action":"cancel","which":"alarm"}`},
		{"I can't make it to the meeting with Ravi, cancel it", `appointment {"about":"make meeting Ravi","action":"cancel"}`},
		{"get Susan's birthday off my calendar", `appointment {"action":"cancel","which":"Susan birthday"}`},
		{"find my next event and delete it", `appointment {"action":"cancel","which":"next"}`},
		{"cancel the dentist and the doctor appointments", `appointment {"action":"cancel","which":"the dentist and the doctor appointments"}`},
		{"cancel kickball", `appointment {"action":"cancel","which":"kickball"}`},
		{"skip the bins next time", `appointment {"action":"skip","which":"bins"}`},
		{"skip choir on Monday", `appointment {"action":"skip","during":"Monday","which":"choir"}`},
		{"leave out the drops tonight", `appointment {"action":"skip","during":"tonight","which":"drops"}`},
		{"skip the song", "-"},
		{"skip the next one", "? What should I skip? Say words of it, or its time."},
		{"skip yoga on Fridays", `reminder {"action":"move","except":"on Fridays","which":"yoga"}`},
		{"cancel yoga on Fridays", `appointment {"action":"move","except":"on Fridays","which":"yoga"}`},
		{"don't remind me to plank on Fridays", `reminder {"action":"move","except":"on Fridays","which":"plank"}`},
		{"pause the vacuum reminder for two weeks", `reminder {"action":"pause","during":"for two weeks","which":"vacuum reminder"}`},
		{"pause the staff meeting until April", `appointment {"action":"pause","during":"until April","which":"staff meeting"}`},
		{"pause the music", "-"},
		{"snooze the breathe reminder for 5 minutes", `reminder {"action":"snooze","when":"in 5 minutes","which":"breathe"}`},
		{"there's no staff meeting on Thursday", `appointment {"action":"cancel","during":"Thursday","which":"staff meeting"}`},
		{"cancel swim club on Wednesday", `appointment {"action":"cancel","during":"Wednesday","which":"swim club"}`},
		{"move choir on Monday to Wednesday", `appointment {"action":"move","during":"Monday","when":"Wednesday","which":"choir"}`},
		{"move run on Mondays to Tuesdays", `appointment {"action":"move","always":true,"except":"Mondays","when":"Tuesdays","which":"run"}`},
		{"make the staff meeting biweekly", `appointment {"action":"move","when":"biweekly","which":"staff meeting"}`},
		{"set a timer for pasta 9 minutes", `remind {"what":"timer: pasta","when":"9 minutes"}`},
		{"set a timer for 9 minutes for pasta", `remind {"what":"timer: pasta","when":"9 minutes"}`},
		{"how long is left on my timer?", `plans {"until":true,"which":"timer"}`},
		{"skip the staff meeting this week", `appointment {"action":"skip","during":"this week","which":"staff meeting"}`},
		{"clear tomorrow", `appointment {"action":"cancel","all":true,"during":"tomorrow","which":"tomorrow"}`},
		{"remove Ann from the party", "? I can cancel the whole of it…"},
		{"cancel my 9 o'clock on wednesday", `appointment {"action":"cancel","during":"9 o'clock on wednesday"}`},
		{"cancel this week's staff meeting", `appointment {"action":"cancel","during":"this week","which":"staff meeting"}`},
		{"cancel my subscription", "-"},
		{"no more milk", "-"},
		{"I've watered the plants", `task {"action":"complete","which":"watered the plants"}`},
		// Asked after.
		{"what's next?", `plans {"next":true}`},
		{"when's my next reminder", `plans {"kind":"reminders","next":true}`},
		{"what are my recurring reminders?", `plans {"kind":"reminders","recurring":true}`},
		{"how many tasks do I have?", `plans {"count":true,"kind":"tasks"}`},
		{"what's the first thing on my calendar tomorrow", `plans {"during":"tomorrow","kind":"appointments","next":true}`},
		{"call off the garden party tonight", `appointment {"action":"cancel","during":"tonight","which":"garden party"}`},
		{"please erase my monday morning meeting", `appointment {"action":"cancel","during":"monday morning","which":"meeting"}`},
		{"remove next friday's event", `appointment {"action":"cancel","during":"next friday"}`},
		{"how long until my alarm", `plans {"kind":"alarms","next":true,"until":true}`},
		{"how much time is left before the next alarm rings", `plans {"kind":"alarms","next":true,"until":true}`},
		{"what time am I getting up tomorrow", `plans {"during":"tomorrow","kind":"alarms","next":true}`},
		{"when do I wake up", `plans {"kind":"alarms","next":true,"which":"wake"}`},
		{"what is the last alarm of the day", `plans {"during":"today","kind":"alarms","last":true}`},
		{"which alarms repeat", `plans {"kind":"alarms","recurring":true}`},
		{"what time is my morning alarm", `plans {"during":"morning","kind":"alarms"}`},
		{"do my meetings overlap on thursday", `plans {"conflicts":true,"during":"thursday"}`},
		{"am I double booked tomorrow", `plans {"conflicts":true,"during":"tomorrow"}`},
		{"which day this week am I least busy", `plans {"during":"this week","free":true}`},
		{"have I got time for a walk on friday before noon", `plans {"during":"friday before noon","free":true}`},
		{"how does my week look", `plans {"during":"this week"}`},
		{"is lunch with Ray on the 22nd or 23rd", `plans {"kind":"appointments","which":"lunch Ray"}`},
		{"do I have anything on monday or tuesday", `plans {"during":"monday"}; plans {"during":"tuesday"}`},
		{"what did I have on sunday", "-"},
		{"what's overdue?", `plans {"overdue":true}`},
		{"when is kickball", `plans {"which":"kickball"}`},
		{"what does Anna like?", `recall {"about":"Anna"}`},
		{"what's the gate code?", `recall {"about":"gate code"}`},
		{"where did I park?", `recall {"about":"park"}`},
		{"what does a lion eat", "-"},
		{"how many days until Susan's birthday", `plans {"until":true,"which":"Susan birthday"}`},
		{"what comes after my meeting with Joe", `plans {"after":"meeting Joe"}`},
		{"which days does my wake up alarm ring", `plans {"kind":"alarms","which":"wake"}`},
		{"is Sunday clear", `plans {"during":"Sunday","free":true}`},
		{"when do I have to pay the rent", `plans {"which":"pay rent"}`},
		{"any local events this weekend?", "-"},
		{"tell me that one more time", "-"},
		{"should I go out tonight", "-"},
	} {
		if got := outline(reply(t, offers(t, c.said))); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
			t.Errorf("%s\n got %s\nwant %s", c.said, got, c.want)
		}
	}
}

// What was offered is done when the question whether it should be is answered by yes.
func TestYesToQuestions(t *testing.T) {
	const nothing = "? Then I leave it"
	for _, c := range []struct{ before, said, want string }{
		{"schedule an eye test", "on Friday at 9:40", `appointment {"action":"add","what":"eye test","when":"on Friday at 9:40"}`},
		{"add an event for Friday at 9:40", "eye test", `appointment {"action":"add","what":"eye test","when":"Friday at 9:40"}`},
		{"I have an eye test on Friday at 9:40", "yes", `appointment {"action":"add","what":"eye test","when":"on Friday at 9:40"}`},
		{"I have an eye test on Friday at 9:40", "yes, put it in", `appointment {"action":"add","what":"eye test","when":"on Friday at 9:40"}`},
		{"I have an eye test on Friday at 9:40", "no", nothing},
	} {
		p := offers(t, c.said)
		p.Recent = []language.Turn{answered(t, offers(t, c.before))}
		if c.want == nothing {
			c.want = leaves(c.before)
		}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, then %q: %s, want %s", p.Recent[0].Reply, c.said, got, c.want)
		}
		if p.Recent[0].Says("ask.keep") {
			p.Recent[0].Reply, p.Recent[0].Said = "“notes” of House answers:\n> "+p.Recent[0].Reply, nil
			if got := outline(reply(t, p)); got == c.want {
				t.Errorf("%q behind the words of another: %s", c.said, got)
			}
		}
	}
}

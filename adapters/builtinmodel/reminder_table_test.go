package builtinmodel_test

import (
	"strings"
	"testing"
)

// reminderSentences are ways to ask for reminders and alarms around what they are about.
func reminderSentences() []sentence {
	return []sentence{
		// Words that stand next to a time.
		{"remind me to stir the soup in 45 minutes and again in an hour and a half", `remind {"what":"stir the soup","when":"in 45 minutes"}; remind {"what":"stir the soup","when":"in an hour and a half"}`},
		{"remind me again tomorrow about the invoice", `remind {"what":"the invoice","when":"tomorrow"}`},
		{"remind me to ring Ada tomorrow at 17:00 is fine", `remind {"what":"ring Ada","when":"tomorrow at 17:00"}`},
		{"remind me 2 ring Ada at 17:00", `remind {"what":"ring Ada","when":"at 17:00"}`},
		{"remindme to ring Ada at 17:00", `remind {"what":"ring Ada","when":"at 17:00"}`},
		{"remind me abt the invoice at 17:00", `remind {"what":"the invoice","when":"at 17:00"}`},
		{"set alarms for 6 and 6:30 tomorrow", `remind {"what":"alarm","when":"at 6 tomorrow"}; remind {"what":"alarm","when":"6:30 tomorrow"}`},
		{"alarm at 19:30 called choir", `remind {"what":"alarm: choir","when":"at 19:30"}`},
		{"timer 3 min eggs", `remind {"what":"timer eggs","when":"3 min"}`},
		// Other words for remind me.
		{"tell me at 12:45 that lunch is over", `remind {"what":"lunch is over","when":"at 12:45"}`},
		{"in an hour, tell me to move the car", `remind {"what":"move the car","when":"in an hour"}`},
		{"let me know at 16:40 it's time to leave", `remind {"what":"it's time to leave","when":"at 16:40"}`},
		{"The eggs boil in 10 minutes, shout when it's time", `remind {"what":"The eggs boil","when":"in 10 minutes"}`},
		{"I want to be told on 3 December at 8 to check the rate", `remind {"what":"check the rate","when":"on 3 December at 8"}`},
		{"I need a daily reminder at 18:30 to study", `remind {"what":"study","when":"daily at 18:30"}`},
		{"dentist bill, remind, friday", `remind {"what":"dentist bill","when":"friday"}`},
		{"take the chili off the stove in 25 minutes reminder", `remind {"what":"take the chili off the stove","when":"in 25 minutes"}`},
		{"pool reminders every Monday at 18:00", `remind {"what":"pool","when":"every Monday at 18:00"}`},
		{"tell me a story", "-"},
		{"tell me what you know about Ada at 5", `recall {"about":"Ada at 5"}`},
		// What stands before the asking.
		{"The trash goes out, so every Wednesday at 21:00 give me a reminder", `remind {"what":"The trash goes out","when":"every Wednesday at 21:00"}`},
		{"every 4 hours I need to give Bruno his drops so remind me", `remind {"what":"give Bruno his drops","when":"every 4 hours"}`},
		{"the report has to be in by Friday, don't let me forget", `remind {"what":"the report has to be in","when":"by Friday"}`},
		{"the plumber comes on Thursday at 13:00, remind me at 12:30 that day", `remind {"what":"the plumber comes","when":"on Thursday at 12:30"}`},
		{"the auction ends Sunday at 6 pm, so remind me at 5:50", `remind {"what":"the auction ends","when":"Sunday at 5:50 pm"}`},
		{"the game is on tomorrow at 19:00, I want a reminder to record it", `remind {"what":"record it: the game","when":"on tomorrow at 19:00"}`},
		{"the roast needs 2 hours 15 minutes, remind me when it's done", `remind {"what":"the roast needs 2 hours 15 minutes","when":"in 2 hours 15 minutes"}`},
		{"it takes a while to get to lunch on Friday, remind me when to leave", "? At what time is that: “it takes a while to get to lunch on Friday, when to leave”?…"},
		{"I have a call on 2 December at 16:00, remind me the evening before", `remind {"what":"a call","when":"on 1 December 2026 at 19:00"}`},
		{"We eat at 19:00. Ping me half an hour before.", `remind {"what":"We eat","when":"on 21 November 2026 at 18:30"}`},
		{"he will remind me tomorrow", "-"},
		{"send Ann a reminder at 5", "-"},
		{"who is my dentist, remind me", `recall {"about":"dentist"}`},
		{"you forgot to remind me at 5", "-"},
		{"thanks for reminding me at 5", "-"},
		{"my alarm rang at 5", "-"},
		{"don't forget to remind me at noon to eat", `remind {"what":"eat","when":"at noon"}`},
		{"five minutes, remind me, eggs", `remind {"what":"eggs","when":"five minutes"}`},
		{"remind me to pack at 5, actually just remind me at 6 to pack", `remind {"what":"pack","when":"at 6"}`},
		{"remind me that the sitter arrives at 6, at half past five this evening", `remind {"what":"the sitter arrives at 6","when":"at half past five this evening"}`},
		{"if it rains remind me at 5 to close the window", "? I can't know when or whether that is so: “if it rains”. So I did nothing. When should I remind you of it?"},
		{"the third Friday of every month but May remind me at 10 to pay", `remind {"text":"the third Friday of every month but May at 10 to pay"}`},
		// Idle words.
		{"uh remind me um tomorrow at noon to get the, the propane", `remind {"what":"get the propane","when":"tomorrow at noon"}`},
		{"good morning, remind me at 11 to stretch", `remind {"what":"stretch","when":"at 11"}`},
		// By another plan.
		{"once the staff meeting is over remind me to call HR", `remind {"what":"call HR","when":"once the staff meeting is over"}`},
		{"I have to book a cleaning, so remind me once the dentist appointment is over", `remind {"what":"book a cleaning","when":"once the dentist appointment is over"}`},
		{"wine needs chilling two hours before the party, please remind me", `remind {"text":"wine needs chilling two hours before the party"}`},
		// Several times.
		{"remind me today at 16:00 and tomorrow at 16:00 to move the trailer", `remind {"what":"move the trailer","when":"today at 16:00"}; remind {"what":"move the trailer","when":"tomorrow at 16:00"}`},
		{"remind me about laundry at 19:00, 19:40 and 20:30 tonight", `remind {"what":"laundry","when":"at 19:00 tonight"}; remind {"what":"laundry","when":"19:40 tonight"}; remind {"what":"laundry","when":"20:30 tonight"}`},
		{"remind me at 19:00 to feed Rex and at 21:00 to lock the door", `remind {"what":"feed Rex","when":"at 19:00"}; remind {"what":"lock the door","when":"at 21:00"}`},
		{"remind me on Tuesday and Thursday at 4 pm to swim", `remind {"what":"swim","when":"on Tuesday at 4 pm"}; remind {"what":"swim","when":"Thursday at 4 pm"}`},
		// Small talk.
		{"you are the best", "? Thank you."},
		{"are you a robot?", "? I'm Chalie, a program…"},
		// Alarms.
		{"set two alarms, 6:00 and 6:30", `remind {"text":"alarm 6:00"}; remind {"text":"alarm 6:30"}`},
		{"power nap, wake me in half an hour", `remind {"what":"wake me: power nap","when":"in half an hour"}`},
		{"I've got an early train, wake me up at 4:50 tomorrow", `remind {"text":"wake me up: got an early train at 4:50 tomorrow"}`},
		{"I have to catch the ferry on Friday; alarm at 4:15 a.m. please", `remind {"what":"alarm: catch the ferry","when":"at 4:15 am on Friday"}`},
		{"don't let me oversleep on Saturday, I have to be up by 7:40", `remind {"text":"alarm on Saturday by 7:40"}`},
		{"set an alrm for 18:25", `remind {"what":"alarm","when":"18:25"}`},
		{"I want an alarm on the morning of 10 March", "? At what time, “on the morning of 10 March”?"},
		{"Wake me up at 8 on my birthday", "? When is that, “on my birthday”?…"},
		{"alarm when the World Cup final is on", "? When is that, “when the World Cup final is on”?…"},
		{"set an alarm for 7", `remind {"text":"alarm at 7"}`},
		{"set a 10 minute timer", `remind {"what":"timer","when":"10 minute"}`},
		{"reset the alarm", "? To when should I move it, or should it go? Say: move it to 8, or cancel it, with words of it."},
	}
}

func TestReminderSentences(t *testing.T) {
	for _, c := range reminderSentences() {
		t.Run(c.said, func(t *testing.T) {
			if got := outline(reply(t, offers(t, c.said))); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

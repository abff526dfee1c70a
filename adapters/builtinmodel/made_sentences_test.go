package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain/language"
)

// TestMadeAndChanged is of sentences that make plans or change them, and of questions and refusals
// that sound like one that does.
func TestMadeAndChanged(t *testing.T) {
	for _, c := range []sentence{
		// How often, before the noun.
		{"set a recurring alarm for 6:20 am", `remind {"what":"alarm","when":"recurring at 6:20 am"}`},
		{"create a weekday alarm at 7", `remind {"text":"alarm weekday at 7"}`},
		{"set a weekday reminder at 3 pm to stretch", `remind {"what":"stretch","when":"weekday at 3 pm"}`},
		{"a weekend wake up call at 9 am", `remind {"what":"wake up","when":"weekend at 9 am"}`},
		{"set a recurring alarm for Tuesday at 7", "? How often, and at what time…"},
		{"schedule a recurring call with Ed at 3 pm", "? How often, and at what time…"},
		{"schedule a weekly call with Ed on Tuesday at 3 pm", `appointment {"action":"add","what":"call with Ed","when":"weekly on Tuesday at 3 pm","with":"Ed"}`},
		// At what hour, where and with whom.
		{"set an alarm for 7 15 pm", `remind {"what":"alarm","when":"at 7 15 pm"}`},
		{"set a meeting for 2 tomorrow with Ines", `appointment {"action":"add","what":"meeting with Ines","when":"at 2 tomorrow","with":"Ines"}`},
		{"schedule a dinner for 6 on Friday", "? At what time, “on Friday”?"},
		{"schedule dinner at the harbour with Ines on Friday at 7 pm", `appointment {"action":"add","place":"the harbour","what":"dinner with Ines","when":"on Friday at 7 pm","with":"Ines"}`},
		{"add a cruise from the 2nd to the 9th to my calendar", `appointment {"action":"add","what":"cruise","when":"from the 2nd to the 9th"}`},
		{"block off Friday morning", "? From when to when should I keep it free, “Friday morning”?…"},
		{"block out the whole of Tuesday", `appointment {"action":"add","what":"blocked","when":"Tuesday"}`},
		{"put quiz night on every Tuesday", "? Should I put it in the calendar…"},
		// What is called "the" or "my" is moved.
		{"make the staff meeting start at 10:30 from now on", `appointment {"action":"move","always":true,"when":"10:30","which":"staff meeting"}`},
		{"have my 8 am alarm go off at 8:15", `reminder {"action":"move","when":"8:15","which":"8 am alarm"}`},
		{"make the flight alarm 4:40", `reminder {"action":"move","when":"4:40","which":"flight alarm"}`},
		{"make the alarm ring at 9:20 tonight", `remind {"what":"alarm","when":"9:20 tonight"}`},
		{"make a meeting with Ines at 5 pm tomorrow", `appointment {"action":"add","what":"meeting with Ines","when":"at 5 pm tomorrow","with":"Ines"}`},
		{"make the music start at 7", "-"},
		// By another plan, or by what was said before.
		{"remind me to bring tulips on Susan's birthday", `remind {"text":"to bring tulips on Susan's birthday"}`},
		{"remind me during the staff meeting to ask Ed", `remind {"text":"during the staff meeting to ask Ed"}`},
		{"warn me twelve minutes before the dentist", `remind {"text":"twelve minutes before the dentist"}`},
		{"remind me about the exam two days before", `remind {"text":"two days before the exam"}`},
		{"the bus goes at 7:10 tomorrow morning, wake me an hour earlier", `remind {"what":"wake me: the bus","when":"on 22 November 2026 at 06:10"}`},
		{"tell me when it's time to leave for the opera", "? How long before it should I remind you: “leave for the opera”?…"},
		{"ring me at 4 pm", `remind {"what":"alarm","when":"at 4 pm"}`},
		{"alarm please", "? For when should I set it?…"},
		// Questions and what isn't wished.
		{"I want to know if I have set an alarm for 3", `plans {"during":"3","kind":"alarms"}`},
		{"I wonder whether I have a meeting on Friday", `plans {"during":"Friday","kind":"appointments","which":"meeting"}`},
		{"no alarm tomorrow please", `reminder {"action":"cancel","during":"tomorrow","which":"alarm"}`},
		{"don't wake me on Friday", `reminder {"action":"cancel","during":"Friday","which":"wake"}`},
		{"stop waking me up on weekdays", "? Should an alarm end for good, or be left out once?…"},
		{"no reminder about the rent this month", `reminder {"action":"cancel","during":"this month","which":"rent"}`},
	} {
		if got := outline(reply(t, offers(t, c.said))); got != c.want && (!strings.HasSuffix(c.want, "…") || !strings.HasPrefix(got, strings.TrimSuffix(c.want, "…"))) {
			t.Errorf("%s\n got %s\nwant %s", c.said, got, c.want)
		}
	}
}

// The answer to a question completes what was asked for.
func TestAnswersComplete(t *testing.T) {
	for _, c := range []struct{ before, said, want string }{
		{"block off Friday morning", "from 9 to 12", `appointment {"action":"add","what":"blocked","when":"Friday morning from 9 to 12"}`},
		{"block off Friday morning", "Friday from 9 to 12", `appointment {"action":"add","what":"blocked","when":"Friday from 9 to 12"}`},
		{"set a recurring alarm for Tuesday at 7", "every Tuesday at 7", `remind {"what":"alarm","when":"every Tuesday at 7"}`},
		{"set a recurring alarm", "every day at 7", `remind {"what":"alarm","when":"every day at 7"}`},
		{"schedule a recurring call with Ed at 3 pm", "every Monday", `appointment {"action":"add","what":"call with Ed","when":"every Monday at 3 pm","with":"Ed"}`},
		{"schedule a recurring call with Ed at 3 pm", "every Monday at 3 pm", `appointment {"action":"add","what":"call with Ed","when":"every Monday at 3 pm","with":"Ed"}`},
		{"schedule a dinner for 6 on Friday", "at 7 pm", `appointment {"action":"add","what":"dinner for 6","when":"on Friday at 7 pm"}`},
		{"alarm please", "at 6:30", `remind {"what":"alarm","when":"at 6:30"}`},
		{"put quiz night on every Tuesday", "yes", `appointment {"action":"add","what":"quiz night","when":"every Tuesday"}`},
	} {
		p := offers(t, c.said)
		p.Recent = []language.Turn{answered(t, offers(t, c.before))}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, then %q: %s, want %s", c.before, c.said, got, c.want)
		}
	}
}

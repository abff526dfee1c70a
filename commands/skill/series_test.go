package skill_test

import (
	"strings"
	"testing"
)

// TestPlansOfOtherKinds is of plans that are named as another kind than they are, of several at
// once, and of those that come back.
func TestPlansOfOtherKinds(t *testing.T) {
	for _, c := range []struct{ skill, params, said string }{
		{"appointment", `{"action":"cancel","which":"kickball"}`, "I won't remind you any more: alarm: kickball"},
		{"task", `{"action":"drop","which":"Wednesday 9 am meeting"}`, "Cancelled: meeting with Rajesh"},
		{"task", `{"action":"complete","which":"watered the plants"}`, "Done: water the plants"},
		{"task", `{"action":"complete","which":"paid the rent"}`, "Done: pay the rent"},
		{"appointment", `{"action":"cancel","which":"vet"}`, `There is no open appointment like "vet"`},
		{"appointment", `{"action":"cancel","during":"Sunday"}`, "There is no appointment on Sunday."},
		{"appointment", `{"action":"cancel","about":"I can't make it to the meeting with Rajesh"}`, "Cancelled: meeting with Rajesh"},
		{"appointment", `{"action":"cancel","about":"that haircut"}`, `There is no open appointment like "that haircut"`},
		{"appointment", `{"action":"cancel","which":"the dentist and the doctor appointments"}`, `Cancel 2 appointments: "dentist appointment" (tomorrow at 11:00), "doctor's appointment"`},
		{"appointment", `{"action":"cancel","which":"the dentist and the vet"}`, `There is no open appointment like "the dentist and the vet"`},
		{"reminder", `{"action":"move","which":"wake up","when":"7:15"}`, "I'll remind you this once tomorrow, Tuesday 2 March at 07:15: wake up. Otherwise it stays every weekday at 06:30;"},
		{"reminder", `{"action":"move","which":"wake up","when":"7:15","always":true}`, "I'll remind you every weekday at 07:15, first tomorrow, Tuesday 2 March at 07:15: wake up"},
		{"reminder", `{"action":"move","which":"rent","when":"the 3rd","always":true}`, "I'll remind you every month on the 3rd at 10:00, first on Wednesday 3 March at 10:00: pay the rent"},
		{"reminder", `{"action":"move","which":"wake up","except":"Fridays"}`, "I'll remind you every Monday, Tuesday, Wednesday and Thursday at 06:30, first tomorrow, Tuesday 2 March at 06:30: wake up"},
		{"reminder", `{"action":"move","which":"wake up","except":"Fridays","when":"Saturdays"}`, "I'll remind you every Monday, Tuesday, Wednesday, Thursday and Saturday at 06:30"},
		{"reminder", `{"action":"move","which":"wake up","except":"Sundays"}`, `"wake up" doesn't come then anyway: it comes every weekday at 06:30.`},
		{"reminder", `{"action":"move","which":"wake up","except":"weekdays"}`, `"wake up" comes every weekday at 06:30, and would then have no time left`},
		{"reminder", `{"action":"move","which":"rent","except":"Fridays"}`, `"pay the rent" comes every month on the 1st at 10:00, and I can't leave days of the week out of that`},
		{"appointment", `{"action":"move","which":"dentist","except":"Fridays"}`, `"dentist appointment" comes only once, tomorrow at 11:00. When should it be instead?`},
		{"appointment", `{"action":"move","which":"staff","except":"Thursdays","when":"Fridays"}`, "Changed: staff meeting, every Friday at 10:00, first on Friday 5 March"},
		{"appointment", `{"action":"move","which":"staff","when":"every other week"}`, "Moved: staff meeting, every 2 weeks on Thursday at 10:00"},
		{"reminder", `{"action":"move","which":"wake up","when":"at 8 on Fridays"}`, `"wake up" comes every weekday at 06:30, and can't come at two times of day`},
		{"appointment", `{"action":"move","which":"dentist","when":"Wednesday to Friday"}`, `"dentist appointment" can't be moved to several days`},
		{"appointment", `{"action":"move","which":"dentist","when":"tomorrow at 11"}`, "Appointment: dentist appointment, tomorrow, Tuesday 2 March, 11:00 to 11:30. I'll tell you 30 minutes before. That is how it was."},
		{"appointment", `{"action":"pause","which":"staff","during":"for two weeks"}`, "Skipped 2 times: staff meeting, on Thursday 4 March at 10:00 to Thursday 11 March at 10:00. The next is on Thursday 18 March at 10:00."},
		{"reminder", `{"action":"pause","which":"wake up"}`, "For how long should it rest?"},
		{"reminder", `{"action":"pause","which":"wake up","during":"until Thursday"}`, "Skipped 2 times: wake up, tomorrow at 06:30 to Wednesday 3 March at 06:30."},
		{"reminder", `{"action":"skip","which":"alarm"}`, `Which alarm is meant: "wake up", "alarm: yoga"?`},
		{"appointment", `{"action":"skip","which":"dentist"}`, `"dentist appointment" doesn't come back, so there is nothing to skip`},
		{"appointment", `{"action":"skip","which":"yoga"}`, "Skipped: alarm: yoga, on Saturday 6 March at 09:00."},
		{"appointment", `{"action":"skip","which":"staff","during":"Friday"}`, `"staff meeting" isn't on Friday: it comes every Thursday at 10:00.`},
		{"reminder", `{"action":"snooze"}`, "No reminder has come just now, so there is nothing to snooze."},
		{"appointment", `{"action":"move","which":"staff","when":"9:30","always":true}`, "Moved: staff meeting, every Thursday at 09:30"},
		{"appointment", `{"action":"move","which":"staff","when":"Fridays"}`, "Moved: staff meeting, every Friday at 10:00, first on Friday 5 March, 10:00 to 11:00."},
		{"appointment", `{"action":"move","which":"Susan's birthday","when":"16 March","always":true}`, "Moved: Susan's birthday, every year on 16 March"},
		{"appointment", `{"what":"a break right after the meeting with Joe"}`, "Appointment: break, today, Monday 1 March, 17:00 to 18:00."},
		{"appointment", `{"what":"talk right before Wednesday's meeting with Rajesh","until":"30 minutes"}`, "Appointment: talk, on Wednesday 3 March, 08:30 to 09:00."},
		{"appointment", `{"what":"Ida's birthday","when":"on 2 December"}`, "Appointment: Ida's birthday, every year on 2 December"},
		{"appointment", `{"what":"Ida's birthday party","when":"on 2 December"}`, "Appointment: Ida's birthday party, on Thursday 2 December"},
		{"plans", `{"which":"Susan's birthday","until":true}`, "In 14 days: Susan's birthday, on Monday 15 March, all day"},
		{"plans", `{"which":"meeting with Joe","until":true}`, "In 7 hours and 30 minutes: meeting with Joe, today 16:00 to 17:00"},
		{"plans", `{"after":"meeting with Joe"}`, "After meeting with Joe: dinner party, today 19:00 to 22:00"},
		{"plans", `{"kind":"appointments","which":"Mary's party","during":"on 1 March"}`, `There is no appointment like "mary party" on 1 March. What comes nearest:`},
		{"plans", `{"which":"pizza"}`, `There is no plan like "pizza".`},
	} {
		p := newBusy(t)
		if said := p.call(c.skill, c.params); !strings.HasPrefix(said, c.said) {
			t.Errorf("%s %s answers %q, want %q", c.skill, c.params, said, c.said)
		}
	}
}

package reckon_test

import (
	"testing"

	"chalie/domain/language/reckon"
)

// In whatever order they are said.
func TestZones(t *testing.T) {
	asked(t, []question{
		{"what's 0915 cest in mountain time", "When it is 09:15 on Monday 1 March in Central European time, it is 01:15 on Monday 1 March in Mountain time."},
		{"at 1730 utc what does the clock say in caracas", "When it is 17:30 on Monday 1 March in UTC, it is 13:30 on Monday 1 March in Caracas."},
		{"20h15 in lyon, what is that for us", "When it is 20:15 on Monday 1 March in Lyon, it is 14:15 on Monday 1 March here."},
		{"9:30 pm singapore to my time", "When it is 21:30 on Monday 1 March in Singapore, it is 08:30 on Monday 1 March here."},
		{"eastern to gmt at 6 pm", "When it is 18:00 on Monday 1 March in Eastern time, it is 23:00 on Monday 1 March in GMT."},
		{"from jst to pst 7 am", "When it is 07:00 on Monday 1 March in Japan, it is 14:00 on Sunday 28 February in Pacific time."},
		{"denver 3 pm is when in warsaw", "When it is 15:00 on Monday 1 March in Denver, it is 23:00 on Monday 1 March in Warsaw."},
		{"what time would it be for my aunt in lisbon when it's our 10 pm", "When it is 22:00 on Monday 1 March here, it is 03:00 on Tuesday 2 March in Lisbon."},
		{"tomorrow at noon in seoul is when here", "When it is 12:00 on Tuesday 2 March in Seoul, it is 22:00 on Monday 1 March here."},
		{"when it is 9 am on 20 march in boston what time is it in dublin", "When it is 09:00 on Saturday 20 March in Boston, it is 13:00 on Saturday 20 March in Dublin."},
		{"on friday at 4 pm here, what is it in karachi", "When it is 16:00 on Friday 5 March here, it is 02:00 on Saturday 6 March in Karachi."},
		{"my boss in oslo starts at 8, what time is that here", "When it is 08:00 on Monday 1 March in Oslo, it is 02:00 on Monday 1 March here."},
		{"dinner is at seven in the evening madrid time, what time is that in santiago chile", "When it is 19:00 on Monday 1 March in Madrid, it is 15:00 on Monday 1 March in Santiago."},
		{"the webinar begins 2 pm cet when should i log on", "When it is 14:00 on Monday 1 March in Central European time, it is 08:00 on Monday 1 March here."},
		{"if i phone perth at 9 tonight what time is it there", "When it is 21:00 on Monday 1 March here, it is 10:00 on Tuesday 2 March in Perth."},
		{"how late is it in nairobi", "It is 16:30 on Monday 1 March 2027 in Nairobi."},
		{"is it too early to call denver", "It is 06:30 on Monday 1 March 2027 in Denver."},
		{"my niece flew to hanoi, what time is it there", "It is 20:30 on Monday 1 March 2027 in Hanoi."},
		{"what time is it in oslo and lima", "It is 14:30 on Monday 1 March 2027 in Oslo and 08:30 in Lima."},
		{"convert this time to nepal time", "It is 19:15 on Monday 1 March 2027 in Nepal."},
		{"change mountain to pacific", "It is 06:30 on Monday 1 March 2027 in Mountain time and 05:30 in Pacific time."},
		{"what time will it be in cairo in 5 hours", "20:30 on Monday 1 March 2027 in Cairo."},
		{"is oregon ahead of or behind ohio", "Oregon is 3 hours behind Ohio."},
		{"how much later is it in athens", "Athens is 7 hours ahead of here."},
		{"how far ahead of us is accra", "Accra is 5 hours ahead of here."},
		{"which is ahead, quito or bogota", "Quito is on the same time as Bogota."},
		{"do oslo and rome have the same time", "Oslo is on the same time as Rome."},
		{"how many time zones between denver and boston", "Denver is 2 hours behind Boston."},
		{"what's the gmt offset of nepal", "Nepal keeps Asia/Kathmandu (UTC+5:45): it is 19:15 on Monday 1 March 2027 in Nepal."},
		{"is it already tuesday in suva", "Yes: it is 01:30 on Tuesday 2 March 2027 in Suva."},
		{"is it the same day in reykjavik", "Yes: it is 13:30 on Monday 1 March 2027 in Reykjavík."},
		{"what's 17:20 in 12 hour format", "17:20 is 5:20 pm."},
		{"convert 6 o'clock to military time", "6:00 am is 06:00, and 6:00 pm is 18:00."},
		{"midnight in 24 hour time", "12:00 am is 00:00."},
		{"is it sunday or monday in auckland", "It is 02:30 on Tuesday 2 March 2027 in Auckland."},
		{"if it's sunset in malmo what time is it in kyoto", "(open) I don't know when the sun rises and sets: say a time. Kyoto is 8 hours ahead of Malmö."},
		{"time in helsnki", "It is 15:30 on Monday 1 March 2027 in Helsinki."},
		{"what tme is it in veina", "(open) I don't know the zone of Veina: name a bigger city nearby."},
	})
}

func TestRequestsWithZonesAreNoQuestions(t *testing.T) {
	for _, said := range []string{
		"remind me at 5pm london time to call bob",
		"meeting at 4pm eastern",
		"call with paris at 3 pm london time tomorrow",
		"schedule a call at 10 am pacific",
		"i have a call at 4pm eastern",
		"what do i have at 4pm eastern",
		"what is at 4pm eastern",
		"what's on at 3 pm london time",
		"am i free at 3 pm london time",
		"do i have anything at 10 am pacific",
		"wake me when it is 7 am in berlin",
		"tell me when it is 5 pm in london",
		"let me know when it's 8 am in tokyo",
		"give me a shout at 6 am tokyo time",
		"move the dentist to 2 pm denver time",
		"change my alarm to 6 am tokyo time",
		"lunch at noon in paris",
		"what time does the 5 pm train from boston arrive in denver",
		"my flight lands at 6 pm in denver",
		"how many hours from here to boston",
		"make a call at 3 pm london time, what time is that here",
		"the call is at 3 pm london time, what time is that here and invite bob",
		"who is in london now",
		"what's new in new york right now",
		"my birthday is on october 3",
		"on what day is the lunch on march 23",
	} {
		asked(t, []question{{said, ""}})
	}
}

func TestFollow(t *testing.T) {
	now, zone := present(t)
	for _, c := range []struct{ before, said, want string }{
		{"what is 5 pm london time in paris", "and in tokyo?", "When it is 17:00 on Monday 1 March in London, it is 02:00 on Tuesday 2 March in Tokyo."},
		{"what is 5 pm london time in paris", "what's that here", "When it is 17:00 on Monday 1 March in London, it is 12:00 on Monday 1 March here."},
		{"if it's 3 pm here what time is it in rome", "what about moscow", "When it is 15:00 on Monday 1 March here, it is 23:00 on Monday 1 March in Moscow."},
		{"tokyo 8 am tomorrow, what is that in chicago", "convert that time to utc", "When it is 08:00 on Tuesday 2 March in Tokyo, it is 23:00 on Monday 1 March in UTC."},
		{"what is 5 pm london time in paris", "what time is it in tokyo", ""},
		{"what is 5 pm london time in paris", "remind me then", ""},
		{"what time is it in rome", "and in tokyo?", ""},
		{"meeting at 4pm eastern", "in denver", ""},
		{"remind me at 5pm london time to call bob", "what's that in tokyo", ""},
	} {
		answer, ok := reckon.Follow(c.before, c.said, now, zone)
		if inEnglish(answer) != c.want || ok != (c.want != "") {
			t.Errorf("%q, then %q: %q, %v\nwant %q", c.before, c.said, inEnglish(answer), ok, c.want)
		}
	}
}

package builtinmodel_test

import (
	"testing"

	"chalie/domain/language"
)

// Questions of clocks and zones are answered, and requests that name a zone are done.
func TestZonesAreHeard(t *testing.T) {
	for _, c := range []sentence{
		{"whats 1645 gmt here", "? When it is 16:45 on Saturday 21 November in GMT, it is 17:45 on Saturday 21 November here."},
		{"lima 6 pm, what is that in rome", "? When it is 18:00 on Saturday 21 November in Lima, it is 00:00 on Sunday 22 November in Rome."},
		{"my meeting is at 4pm eastern, what time is that for someone in Denver?", "? When it is 16:00 on Saturday 21 November in Eastern time, it is 14:00 on Saturday 21 November in Denver."},
		{"how late is it in Manila", "? It is 17:00 on Saturday 21 November 2026 in Manila."},
		{"what time will it be for my uncle in Perth when it's our noon", "? When it is 12:00 on Saturday 21 November here, it is 19:00 on Saturday 21 November in Perth."},
		{"pacific to eastern at 11 am", "? When it is 11:00 on Saturday 21 November in Pacific time, it is 14:00 on Saturday 21 November in Eastern time."},
		{"is Cairo ahead or behind", "? Cairo is 1 hour ahead of here."},
		{"how many time zones apart are Quito and Lagos", "? Quito is 6 hours behind Lagos."},
		{"what's the utc offset of Nepal", "? Nepal keeps Asia/Kathmandu (UTC+5:45): it is 14:45 on Saturday 21 November 2026 in Nepal."},
		{"is it the same day in Honolulu", "? No: it is 23:00 on Friday 20 November 2026 in Honolulu."},
		{"19:05 in 12 hour format", "? 19:05 is 7:05 pm."},
		{"my sister's birthday is on 9 may, which weekday is that next year", "? That is Sunday 9 May 2027."},
		{"hows long until the end of the month", "? 10 days until Tuesday 1 December 2026."},
		{"days until new years eve", "? 40 days until Thursday 31 December 2026."},
		{"how long is it from 9:20 to 14:05", "? 4 hours and 45 minutes from 09:20 on Saturday 21 November 2026 to 14:05 on Saturday 21 November 2026."},
		{"remind me at 5pm London time to call Bob", `remind {"what":"call Bob","when":"at 5pm London time"}`},
		{"set an alarm for 6 am Tokyo time", `remind {"what":"alarm","when":"at 6 am Tokyo time"}`},
		{"meeting at 4pm eastern", `appointment {"action":"add","what":"meeting","when":"at 4pm eastern"}`},
		{"schedule a call with Ed at 10 am pacific", `appointment {"action":"add","what":"call with Ed","when":"at 10 am pacific","with":"Ed"}`},
		{"am I free at 3 pm london time", `plans {"during":"at 3 pm london time","free":true}`},
		{"what do I have at 4pm eastern", `plans {"during":"at 4pm eastern"}`},
	} {
		if got := outline(reply(t, offers(t, c.said))); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.said, got, c.want)
		}
	}
}

// A place alone goes with the time that was asked of before, however many places were since.
func TestZonesFollow(t *testing.T) {
	for _, c := range []struct {
		before     []string
		said, want string
	}{
		{[]string{"what is 5 pm London time in Lima"}, "and in Tokyo?", "? When it is 17:00 on Saturday 21 November in London, it is 02:00 on Sunday 22 November in Tokyo."},
		{[]string{"what is 5 pm London time in Lima", "and in Tokyo?"}, "what's that here", "? When it is 17:00 on Saturday 21 November in London, it is 18:00 on Saturday 21 November here."},
		{[]string{"what is 5 pm London time in Lima", "hello"}, "what's that here", "-"},
		{[]string{"what time is it in Lima"}, "and in Tokyo?", "? It is 18:00 on Saturday 21 November 2026 in Tokyo."},
		{[]string{"what is 5 pm London time in Lima"}, "what time is it in Tokyo", "? It is 18:00 on Saturday 21 November 2026 in Tokyo."},
	} {
		p := offers(t, c.said)
		for _, before := range c.before {
			p.Recent = append(p.Recent, language.Turn{Prompt: before, Reply: "Said."})
		}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, then %q\n got %s\nwant %s", c.before, c.said, got, c.want)
		}
	}
}

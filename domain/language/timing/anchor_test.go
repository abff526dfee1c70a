package timing_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/timing"
)

// A text says a time by a plan: which words may name it, when that is, and what the text says besides.
func TestAnchors(t *testing.T) {
	at := func(text string) domain.Millis {
		moment, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return domain.MillisOf(moment)
	}
	now := at("2027-03-01 08:30")
	meeting := domain.Appointment{Start: at("2027-03-04 10:00"), End: at("2027-03-04 11:00")}
	birthday := domain.Appointment{Start: at("2027-03-06 00:00"), End: at("2027-03-07 00:00"), AllDay: true}
	for _, c := range []struct {
		text, behind string
		plan         domain.Appointment
		name, due    string
		what         string
	}{
		{"find the card an hour before the dentist", "", meeting, "the dentist", "2027-03-04 09:00", "find the card"},
		{"right after the meeting to call Ann", "to call Ann", meeting, "the meeting to call Ann", "2027-03-04 11:00", "to call Ann"},
		{"10 minutes before the meeting ends to pack", "ends to pack", meeting, "the meeting ends to pack", "2027-03-04 10:50", "to pack"},
		{"call a taxi once the party is over", "", meeting, "the party", "2027-03-04 11:00", "call a taxi"},
		{"the night before the party, wrap it", ", wrap it", birthday, "the party, wrap it", "2027-03-05 20:00", "wrap it"},
		{"the day after the party at 6 pm", "at 6 pm", birthday, "the party at 6 pm", "2027-03-08 18:00", ""},
		{"send tulips on Susan's birthday", "", birthday, "Susan's birthday", "2027-03-06 09:00", "send tulips"},
	} {
		all := timing.Anchors(c.text)
		if len(all) == 0 || all[0].Name != c.name || !all[0].Fits(c.behind) {
			t.Errorf("%s: %+v, want the plan in %q", c.text, all, c.name)
			continue
		}
		due, what, ok := all[0].Due(c.plan, c.behind, now, time.UTC)
		if !ok || due != at(c.due) || what != c.what {
			t.Errorf("%s: %s, %q, %t, want %s, %q", c.text, due.Time().UTC(), what, ok, c.due, c.what)
		}
	}
	for _, text := range []string{"buy milk", "wait at the", "after lunch", "it is over"} {
		if all := timing.Anchors(text); len(all) > 0 {
			t.Errorf("%s: %+v", text, all)
		}
	}
}

package timing_test

import (
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/timing"
)

// What takes place is read out of its own words where nothing else says when, and ends at another plan where it is
// right before that.
func TestEvent(t *testing.T) {
	at := func(day, hour int) domain.Millis {
		return domain.MillisOf(time.Date(2027, time.March, day, hour, 0, 0, 0, time.UTC))
	}
	now := at(1, 8)
	for _, c := range []struct {
		what, begins string
		want         string
		from         domain.Millis
	}{
		{"choir tomorrow at 6pm", "", "choir", at(2, 18)},
		{"choir", "tomorrow at 6pm", "choir", at(2, 18)},
		{"tomorrow at 6pm", "", "", at(2, 18)},
	} {
		e, err := timing.EventIn(c.what, c.begins, "2 hours", now, time.UTC)
		if err != nil || e.What != c.want || e.Unread != "" || e.Time.Start != c.from || e.Time.End != c.from.Add(2*time.Hour) {
			t.Errorf("%s, %s: %+v (%v)", c.what, c.begins, e, err)
		}
	}
	e, err := timing.EventBy("a rehearsal", at(2, 18), true, "2 hours", now, time.UTC)
	if err != nil || e.What != "rehearsal" || e.Time.Start != at(2, 16) || e.Time.End != at(2, 18) {
		t.Errorf("by another plan: %+v (%v)", e, err)
	}
	a, err := timing.AskedIn("remind me to call Ann tomorrow at 6pm", now, time.UTC)
	if err != nil || a.What != "call Ann" || a.At.At != at(2, 18) {
		t.Errorf("asked: %+v (%v)", a, err)
	}
}

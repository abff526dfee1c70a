package when

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs

	"pgregory.net/rapid"

	"chalie/domain"
)

// ruled is a recurrence as version 1 of the reminders' events had it, with the way in
// which it was counted then. It is what lifted ones are compared with.
type ruled struct {
	Every    int            `json:"every"`
	Unit     string         `json:"unit"`
	Weekdays []time.Weekday `json:"weekdays"`
	Month    time.Month     `json:"month"`
	Day      int            `json:"day"`
	Hour     int            `json:"hour"`
	Minute   int            `json:"minute"`
	Anchor   domain.Millis  `json:"anchor"`
}

func (r ruled) next(after domain.Millis, zone *time.Location) domain.Millis {
	anchor, moment := r.Anchor.Time().In(zone), after.Time().In(zone)
	if after < r.Anchor {
		return r.Anchor
	}
	clock := clockTime{hour: r.Hour, minute: r.Minute}
	switch r.Unit {
	case "minute":
		return after - (after-r.Anchor)%domain.Millis(r.Every*60_000) + domain.Millis(r.Every*60_000)
	case "hour":
		return after - (after-r.Anchor)%domain.Millis(r.Every*3_600_000) + domain.Millis(r.Every*3_600_000)
	}
	for d := dateAt(moment) - 2; ; d++ {
		if at := d.on(clock, zone); r.on(d, dateAt(anchor)) && at.After(moment) {
			return domain.MillisOf(at)
		}
	}
}

// on reports whether it comes on a day, counted from another.
func (r ruled) on(d, anchor date) bool {
	year, month, day := d.split()
	first, begun, _ := anchor.split()
	last := day == min(r.Day, lengthOf(year, month))
	switch r.Unit {
	case "week":
		return slices.Contains(r.Weekdays, d.weekday()) && (weekOf(int(d))-weekOf(int(anchor)))/7%r.Every == 0
	case "month":
		return last && ((year-first)*12+int(month-begun))%r.Every == 0
	case "year":
		return last && month == r.Month && (year-first)%r.Every == 0
	}
	return int(d-anchor)%r.Every == 0
}

// lifted is what a stored reminder of version 1 comes back by.
func (r ruled) lifted(t *rapid.T) domain.Recurrence {
	payload, err := json.Marshal(map[string]any{"text": "x", "due": r.Anchor, "zone": "UTC", "recurrence": r})
	if err != nil {
		t.Fatal(err)
	}
	e := domain.Envelope{Type: domain.ReminderSetType, Version: 1, Payload: domain.Payload{Encoding: domain.EncodingJSON, Bytes: payload}}
	set, err := domain.Decode[domain.ReminderSet](e)
	if err != nil {
		t.Fatal(err)
	}
	return *set.Recurrence
}

// What was stored before rules comes back when it did then, in any zone.
func TestLiftedRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom([]string{"UTC", "Europe/Malta", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"}).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		r := ruled{
			Every: rapid.IntRange(1, 9).Draw(t, "every"), Unit: rapid.SampledFrom([]string{"minute", "hour", "day", "week", "month", "year"}).Draw(t, "unit"),
			Weekdays: []time.Weekday{}, Hour: rapid.IntRange(0, 23).Draw(t, "hour"), Minute: rapid.IntRange(0, 59).Draw(t, "minute"),
		}
		begun := time.Date(rapid.IntRange(2020, 2030).Draw(t, "year"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 28).Draw(t, "day"), r.Hour, r.Minute, 0, 0, zone)
		switch r.Unit {
		case "week":
			r.Weekdays = rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(0, 6), func(n int) time.Weekday { return time.Weekday(n) }), 1, 3, func(d time.Weekday) time.Weekday { return d }).Draw(t, "weekdays")
		case "month", "year":
			r.Day = rapid.IntRange(1, 31).Draw(t, "on")
			if r.Unit == "year" {
				r.Month = time.Month(rapid.IntRange(1, 12).Draw(t, "in"))
				r.Day = min(r.Day, lengthOf(2024, r.Month))
			}
		}
		r.Anchor = domain.MillisOf(begun)
		rule, after := r.lifted(t), r.Anchor.Add(time.Duration(rapid.Int64Range(-1, 2000).Draw(t, "after"))*time.Hour)
		for range 5 {
			want, got := r.next(after, zone), Next(rule, after, zone)
			if got != want {
				t.Fatalf("%s from %s: after %s comes %s, and came %s", rule.Rule, begun, after.Time().In(zone), got.Time().In(zone), want.Time().In(zone))
			}
			after = want
		}
	})
}

// What no version 1 ever wrote is lifted too, and comes back later or not at all.
func TestLiftsWhatNobodyWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ruled{
			Every: rapid.Int().Draw(t, "every"), Unit: rapid.SampledFrom([]string{"", "minute", "hour", "day", "week", "month", "year", "eon"}).Draw(t, "unit"),
			Weekdays: rapid.SliceOfN(rapid.Map(rapid.IntRange(-9, 9), func(n int) time.Weekday { return time.Weekday(n) }), 0, 3).Draw(t, "weekdays"),
			Month:    time.Month(rapid.IntRange(-9, 99).Draw(t, "month")), Day: rapid.IntRange(-99, 99).Draw(t, "day"),
			Hour: rapid.IntRange(-99, 99).Draw(t, "hour"), Minute: rapid.IntRange(-99, 99).Draw(t, "minute"), Anchor: 1763719200000,
		}
		rule, after := r.lifted(t), r.Anchor.Add(time.Duration(rapid.IntRange(0, 1000).Draw(t, "hours"))*time.Hour)
		if next := Next(rule, after, time.UTC); next != 0 && next <= after {
			t.Fatalf("%s: after %s comes %s", rule.Rule, after.Time(), next.Time())
		}
		_ = SayAgain(rule)
	})
}

// A rule that can't be read, or has ended, doesn't come back; what is left out doesn't come.
func TestRulesEnd(t *testing.T) {
	start := domain.MillisOf(time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC))
	day := func(n int) domain.Millis { return start.Add(time.Duration(n) * 24 * time.Hour) }
	for _, c := range []struct {
		rule   string
		except []domain.Millis
		want   []domain.Millis
	}{
		{"", nil, []domain.Millis{0}},
		{"FREQ=SECONDLY", nil, []domain.Millis{0}},
		{"FREQ=MONTHLY;INTERVAL=9223372036854775807", nil, []domain.Millis{0}},
		{"FREQ=DAILY;INTERVAL=9223372036854775807", nil, []domain.Millis{0}},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=9;BYMINUTE=0", nil, []domain.Millis{0}},
		{"FREQ=SOMETIMES", nil, []domain.Millis{0}},
		{"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;COUNT=3", nil, []domain.Millis{day(1), day(2), 0}},
		{"FREQ=DAILY;BYHOUR=9;BYMINUTE=0;UNTIL=20261127T235959Z", nil, []domain.Millis{day(1), 0}},
		{"FREQ=HOURLY;COUNT=2", nil, []domain.Millis{start.Add(time.Hour), 0}},
		{"FREQ=HOURLY;UNTIL=20261126T103000Z", nil, []domain.Millis{start.Add(time.Hour), 0}},
		{"FREQ=DAILY;BYHOUR=9;BYMINUTE=0", []domain.Millis{day(1), day(2)}, []domain.Millis{day(3)}},
	} {
		r := domain.Recurrence{Rule: c.rule, Start: start, Except: c.except}
		at := start
		for _, want := range c.want {
			if at = Next(r, at, time.UTC); at != want {
				t.Errorf("%q comes %s, want %s", c.rule, at.Time(), want.Time())
			}
		}
	}
}

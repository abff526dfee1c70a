package background_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// meeting is an appointment of an hour that begins so long after midnight, UTC, on the first
// day of a bubble, and is told half an hour before.
func meeting(d *diary, text string, begins time.Duration, rule string) domain.AppointmentSet {
	start := d.now().Add(begins)
	before := domain.Millis((30 * time.Minute).Milliseconds())
	out := domain.AppointmentSet{Text: text, Start: start, End: start.Add(time.Hour), Zone: "UTC", Place: "the office", People: []string{"Joe"}, Before: &before, Tell: start - before}
	if rule != "" {
		out.Recurrence = &domain.Recurrence{Rule: rule, Start: start}
	}
	return out
}

// happened is what was told and what passed, each with how long after a moment.
func (d *diary) happened(since domain.Millis) (out []string) {
	d.t.Helper()
	for _, f := range d.firings() {
		out = append(out, fmt.Sprintf("%s: %s", f.at.Sub(since), f.text))
	}
	records, err := d.log.Select(d.t.Context(), domain.Selector{Topic: domain.TopicCommitments}, 1, 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, rec := range records {
		if p, err := domain.Decode[domain.AppointmentPassed](rec.Envelope); err == nil {
			text := fmt.Sprintf("%s: over", rec.RecordedAt.Sub(since))
			if p.Next != 0 {
				text += fmt.Sprintf(", next after %s until %s", p.Next.Sub(since), p.NextEnd.Sub(since))
			}
			if p.NextTell != 0 {
				text += fmt.Sprintf(", told after %s", p.NextTell.Sub(since))
			}
			out = append(out, text)
		}
	}
	return out
}

func TestAppointmentsAreToldBefore(t *testing.T) {
	for _, c := range []struct {
		name   string
		set    func(*diary) domain.AppointmentSet
		asleep time.Duration // before anything runs
		awake  time.Duration
		want   []string
	}{
		{"once", func(d *diary) domain.AppointmentSet { return meeting(d, "meeting with Joe", 16*time.Hour, "") }, 0, 24 * time.Hour,
			[]string{"15h30m0s: In 30 minutes: meeting with Joe, at the office", "17h0m0s: over"}},
		{"weekly", func(d *diary) domain.AppointmentSet {
			return meeting(d, "staff", 16*time.Hour, "FREQ=WEEKLY;BYHOUR=16;BYMINUTE=0")
		}, 0, 24 * time.Hour,
			[]string{"15h30m0s: In 30 minutes: staff, at the office, with Joe", "17h0m0s: over, next after 184h0m0s until 185h0m0s, told after 183h30m0s"}},
		{"not told", func(d *diary) domain.AppointmentSet {
			a := meeting(d, "lunch", 12*time.Hour, "FREQ=DAILY;BYHOUR=12;BYMINUTE=0")
			a.Before, a.Tell = nil, 0
			return a
		}, 0, 24 * time.Hour,
			[]string{"13h0m0s: over, next after 36h0m0s until 37h0m0s"}},
		{"all day", func(d *diary) domain.AppointmentSet {
			a := meeting(d, "Susan's birthday", 24*time.Hour, "")
			before := -domain.Millis((9 * time.Hour).Milliseconds())
			a.AllDay, a.End, a.Before, a.Tell, a.Place, a.People = true, a.Start.Add(24*time.Hour), &before, a.Start-before, "", nil
			return a
		}, 0, 72 * time.Hour, []string{"33h0m0s: Today: Susan's birthday", "48h0m0s: over"}},
		{"a day before", func(d *diary) domain.AppointmentSet {
			a := meeting(d, "flight", 40*time.Hour, "")
			before := domain.Millis((24 * time.Hour).Milliseconds())
			a.Before, a.Tell = &before, a.Start-before
			return a
		}, 0, 20 * time.Hour, []string{"16h0m0s: Tomorrow at 16:00: flight, at the office, with Joe"}},
		{"it has begun", func(d *diary) domain.AppointmentSet { return meeting(d, "call", time.Hour, "") }, 90 * time.Minute, time.Minute,
			[]string{"1h30m0s: Now: call, at the office, with Joe\nIt began today at 01:00."}},
		{"missed", func(d *diary) domain.AppointmentSet {
			return meeting(d, "call", time.Hour, "FREQ=DAILY;BYHOUR=1;BYMINUTE=0")
		}, 72 * time.Hour, time.Minute,
			[]string{"72h0m0s: Missed: call, at the office, with Joe\nIt was on Saturday 1 January 01:00 to 02:00.", "72h0m0s: over, next after 73h0m0s until 74h0m0s, told after 72h30m0s"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDiary(t)
			begun := d.now()
			write(d, c.set(d))
			domaintest.Pass(c.asleep)
			d.start()
			defer d.end()
			domaintest.Pass(c.awake)
			synctest.Wait()
			if got := d.happened(begun); !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
}

// One that was cancelled or moved is told at no other time.
func TestAppointmentsThatChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary(t)
		begun := d.now()
		gone := write(d, meeting(d, "gone", 2*time.Hour, ""))
		moved := write(d, meeting(d, "moved", 3*time.Hour, ""))
		d.start()
		defer d.end()
		domaintest.Pass(time.Minute)
		write(d, domain.AppointmentCancelled{AppointmentID: gone})
		later := begun.Add(5 * time.Hour)
		write(d, domain.Appointment{Start: later, End: later.Add(time.Hour), Zone: "UTC", Tell: later}.Changed(moved, nil))
		domaintest.Pass(10 * time.Hour)
		synctest.Wait()
		if got, want := d.happened(begun), []string{"5h0m0s: Now: moved", "6h0m0s: over"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

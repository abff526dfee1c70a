package builtinmodel_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language"
)

// at is a moment of the week of the tests, which begins at noon of a Thursday.
func at(t *testing.T, text string) domain.Millis {
	t.Helper()
	m, err := time.ParseInLocation("2006-01-02 15:04", text, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return domain.MillisOf(m)
}

// labels are those of a finding's buttons.
func labels(f domain.Finding) (out []string) {
	for _, b := range buttonsOf(f) {
		out = append(out, b["label"].(string))
	}
	return out
}

func buttonsOf(f domain.Finding) (out []map[string]any) {
	for _, b := range f.Blocks {
		if b["type"] == "actions" {
			for _, one := range b["buttons"].([]any) {
				out = append(out, one.(map[string]any))
			}
		}
	}
	return out
}

func TestCards(t *testing.T) {
	week := time.Date(2026, time.March, 5, 12, 0, 0, 0, time.UTC) // a Thursday
	now := domain.MillisOf(week)
	for _, c := range []struct {
		name         string
		kind         domain.ItemKind
		plan, due    string
		source, says string
		headline     string
		move         string // what the button says, and sets
	}{
		{"a cancelled train", domain.ItemAppointment, "train ICE 707 to Hamburg", "2026-03-06 08:15", "rail", "ICE 707 on 6 March is cancelled.", "Your train is cancelled", ""},
		{"a train by its noun", domain.ItemReminder, "catch the train", "2026-03-06 08:15", "rail", "Unfortunately the train is cancelled due to a strike", "Your train is cancelled", ""},
		{"another train", domain.ItemReminder, "train to Hamburg", "2026-03-06 08:15", "rail", "The train to Berlin is cancelled", "The train to Berlin is cancelled: train to Hamburg", ""},
		{"a delay", domain.ItemReminder, "take the train RE5", "2026-03-06 08:15", "rail", "RE5 is delayed by 40 minutes", "Your train is delayed by 40 minutes", ""},
		{"a play that moves", domain.ItemAppointment, "school play", "2026-03-06 19:00", "school", "The school play is moved to 7:30 pm.", "Your play is moved to 7:30 pm", "Friday 6 March at 19:30"},
		{"of its day", domain.ItemAppointment, "school play", "2026-03-06 19:00", "school", "The school play on Friday is moved to 19:30", "Your play is moved to 19:30", "Friday 6 March at 19:30"},
		{"of another day", domain.ItemAppointment, "school play", "2026-03-06 19:00", "school", "The school play on Saturday is moved to 19:30", "School play: “The school play on Saturday is moved to 19:30”", ""},
		{"to another day", domain.ItemAppointment, "school play", "2026-03-06 19:00", "school", "The school play has been postponed to Tuesday", "Your play is postponed to Tuesday", "Tuesday 10 March at 19:00"},
		{"to a day and time", domain.ItemTask, "hand in the form at the town hall", "2026-03-06 10:00", "mail", "Your appointment was moved to 9 March at 14:00", "Your appointment is moved to 9 March at 14:00: hand in the form at the town hall", "Monday 9 March at 14:00"},
		{"a flight", domain.ItemReminder, "flight LH402 to Newark", "2026-03-06 10:40", "airport", "LH402 now departs at 11:25", "Your flight now departs at 11:25", "Friday 6 March at 11:25"},
		{"half past in the evening", domain.ItemReminder, "concert with Anna", "2026-03-06 19:00", "mail", "the concert now starts at 8:30", "Your concert now starts at 8:30", "Friday 6 March at 20:30"},
		{"from a time that isn't the plan's", domain.ItemReminder, "leave for the concert", "2026-03-06 18:00", "mail", "The concert was moved to 20:00 instead of 19:00", "Your concert is moved to 20:00", ""},
		{"the water", domain.ItemReminder, "do the laundry", "2026-03-06 09:00", "waterworks", "The water will be off on Friday morning", "The water will be off on Friday morning: do the laundry", ""},
		{"a road", domain.ItemAppointment, "drive to the dentist", "2026-03-06 09:00", "traffic", "Main Street is closed.", "Main Street is closed: drive to the dentist", ""},
		{"a restaurant", domain.ItemReminder, "dinner reservation at Luigi's", "2026-03-05 20:00", "Luigi's", "Luigi's is closed tonight: the oven broke", "Luigi's is closed tonight: dinner reservation at Luigi's", ""},
		{"a restaurant without dinner", domain.ItemReminder, "dinner reservation at Luigi's", "2026-03-05 20:00", "Luigi's", "Luigi's has no dinner tonight: the oven broke", "Luigi's has no dinner tonight: dinner reservation at Luigi's", ""},
		{"a night into the small hours", domain.ItemReminder, "dinner reservation at Luigi's", "2026-03-06 00:30", "Luigi's", "Luigi's is closed tonight", "Luigi's is closed tonight: dinner reservation at Luigi's", ""},
		{"a day before the small hours", domain.ItemReminder, "dinner reservation at Luigi's", "2026-03-06 00:30", "Luigi's", "Luigi's is closed on Thursday", "Dinner reservation at Luigi's: “Luigi's is closed on Thursday”", ""},
		{"a delivery", domain.ItemReminder, "wait for the parcel from Verto", "2026-03-05 17:00", "courier", "Your parcel from Verto comes between 14:00 and 16:00", "Wait for the parcel from Verto: “Your parcel from Verto comes between 14:00 and 16:00”", ""},
		{"on a list", domain.ItemEntry, "oat milk", "", "Lidl", "Oat milk is 20 percent off today", "Oat milk: “Oat milk is 20 percent off today”", ""},
		{"on a list and plainly", domain.ItemEntry, "oat milk", "", "Lidl", "Oat milk is sold out", "Oat milk is sold out: oat milk", ""},
		{"asked", domain.ItemQuestion, "is the U4 running again?", "", "metro", "The U4 runs again from six", "You asked “is the U4 running again?”: “The U4 runs again from six”", ""},
		{"asked and plainly", domain.ItemQuestion, "is the train to Hamburg on time?", "", "rail", "The train to Hamburg is cancelled", "You asked “is the train to Hamburg on time?”: The train to Hamburg is cancelled", ""},
		{"not cancelled", domain.ItemReminder, "catch the train", "2026-03-06 08:15", "rail", "The train is not cancelled. It leaves as planned.", "Catch the train: “The train is not cancelled”", ""},
		{"may be", domain.ItemReminder, "catch the train", "2026-03-06 08:15", "rail", "The train may be cancelled", "Catch the train: “The train may be cancelled”", ""},
		{"if", domain.ItemReminder, "catch the train", "2026-03-06 08:15", "rail", "If the train is cancelled, take the bus", "Catch the train: “If the train is cancelled, take the bus”", ""},
		{"cancelled unless", domain.ItemReminder, "yoga class", "2026-03-06 08:15", "mail", "The class is cancelled unless four of us come", "Yoga class: “The class is cancelled unless four of us come”", ""},
		{"a question", domain.ItemReminder, "yoga class", "2026-03-06 08:15", "mail", "The class is cancelled?", "Yoga class: “The class is cancelled?”", ""},
		{"another day", domain.ItemReminder, "school play", "2026-03-06 19:00", "school", "The school play is cancelled on Wednesday", "School play: “The school play is cancelled on Wednesday”", ""},
		{"already past", domain.ItemReminder, "school play", "2026-03-05 19:00", "school", "The school play is moved to 11:00", "Your play is moved to 11:00", ""},
		{"no time of its own", domain.ItemTask, "prepare the workshop", "", "mail", "The workshop is moved to Monday at 9", "Your workshop is moved to Monday at 9", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := planned(50, c.kind, c.plan, 0)
			if c.due != "" {
				plan.Moment = at(t, c.due)
			}
			signal := heard(1, c.says)
			signal.Source, signal.SignalType, signal.RecordedAt = c.source, "news", now.Add(-time.Minute)
			p := cycle(language.Related{Signal: signal, Commitment: plan, Score: domain.One})
			p.AsOf = now
			f := reply(t, p).Findings[0]
			if f.Headline != c.headline {
				t.Errorf("the headline is\n%s\nwant\n%s", f.Headline, c.headline)
			}
			want := []string{"Tell me more", "Not this", "Nothing of this kind from " + c.source}
			if c.move != "" {
				want = append([]string{"Move it to " + c.move}, want...)
			}
			if got := labels(f); !reflect.DeepEqual(got, want) {
				t.Errorf("the buttons are %q, want %q", got, want)
			}
			if c.move != "" {
				payload := buttonsOf(f)[0]["payload"].(map[string]any)
				moment, err := time.Parse("Monday 2 January at 15:04", c.move)
				set := payload["when"]
				if c.kind == domain.ItemTask {
					set = payload["deadline"]
				}
				if err != nil || set != moment.Format("on 2 January ")+"2026 at "+moment.Format("15:04") || payload["which"] != plan.EnvelopeID.UUID() || payload["action"] != "move" {
					t.Errorf("the button sets %v", payload)
				}
			}
			if lines := strings.Split(domain.PlainText(f.Card()), "\n"); len(lines) != 2 || lines[0] != c.headline {
				t.Errorf("as text it is %q", lines)
			}
		})
	}
}

// At any hour, tonight is the night of what is planned in two hours, past midnight, too.
func TestTonightAtEveryHour(t *testing.T) {
	for minutes := range 24 * 4 {
		now := at(t, "2026-03-05 00:00").Add(time.Duration(minutes) * 15 * time.Minute)
		plan := planned(50, domain.ItemReminder, "dinner reservation at Luigi's", 0)
		plan.Moment = now.Add(2 * time.Hour)
		signal := heard(1, "Luigi's is closed tonight")
		signal.RecordedAt = now
		p := cycle(language.Related{Signal: signal, Commitment: plan, Score: domain.One})
		p.AsOf = now
		if f := reply(t, p).Findings[0]; f.Headline != "Luigi's is closed tonight: dinner reservation at Luigi's" {
			t.Errorf("at %s it says %q", now.Time().UTC().Format("15:04"), f.Headline)
		}
	}
}

// What comes in later says only what is new.
func TestMoreOnAPlan(t *testing.T) {
	plan := planned(50, domain.ItemReminder, "train ICE 707 to Hamburg", 0)
	plan.Moment = at(t, "2026-03-06 08:15")
	for says, want := range map[string]string{
		"ICE 707 is delayed by 20 minutes":   "More on your train: it is delayed by 20 minutes",
		"A bus goes instead of ICE 707":      "More on your train: “A bus goes instead of ICE 707”",
		"Hamburg main station is closed":     "More on “train ICE 707 to Hamburg”: Hamburg main station is closed",
		"In Hamburg the doors open at seven": "More on “train ICE 707 to Hamburg”: “In Hamburg the doors open at seven”",
	} {
		told, news := heard(1, "ICE 707 is late"), heard(2, says)
		told.RecordedAt, news.RecordedAt = at(t, "2026-03-05 11:00"), at(t, "2026-03-05 11:30")
		p := cycle(language.Related{Signal: told, Commitment: plan, Score: domain.One, Known: domain.GateAlreadyTold}, language.Related{Signal: news, Commitment: plan, Score: domain.One})
		p.AsOf = at(t, "2026-03-05 12:00")
		all := reply(t, p).Findings
		if len(all) != 2 || all[0].Headline != want || strings.Contains(domain.PlainText(all[0].Card()), "is late") {
			t.Errorf("%s: %q, want %q", says, domain.PlainText(all[0].Card()), want)
		}
		if ids := domain.Subjects(all[1].Evidence); len(ids) != 2 || ids[0] != told.EnvelopeID {
			t.Errorf("%s: what was told rests on %v", says, ids)
		}
	}
}

func TestAlternatives(t *testing.T) {
	table := language.Offered{Name: "find_table", Interface: "Tables", Description: "Find a free table for lunch or dinner in town.", Parameters: []domain.Parameter{text("day", false, "The day, as YYYY-MM-DD."), text("time", false, "The time, as HH:MM.")}}
	with := func(change func(*language.Offered)) language.Offered {
		out := table
		change(&out)
		return out
	}
	for _, c := range []struct {
		name    string
		offered []language.Offered
		want    string
	}{
		{"none", nil, ""},
		{"one that finds tables", []language.Offered{table}, `Look for another table? find_table map[day:2026-03-05 time:20:00]`},
		{"by an undeclared tool", []language.Offered{with(func(o *language.Offered) { o.SideEffects = true })}, `Look for another table? find_table map[day:2026-03-05 time:20:00]`},
		{"one that books", []language.Offered{with(func(o *language.Offered) { o.Name, o.SideEffects = "book_table", true })}, ""},
		{"one that lists what was reserved", []language.Offered{{Name: "list_reservations", Interface: "Luigi's", Description: "The reservations of a guest."}}, ""},
		{"one that lists what is free", []language.Offered{{Name: "list_tables", Interface: "Tables", Description: "Tables for dinner that are free."}}, `Look for another table? list_tables map[]`},
		{"one whose words have no meal", []language.Offered{with(func(o *language.Offered) { o.Description = "Find a free table." })}, `Look for another table? find_table map[day:2026-03-05 time:20:00]`},
		{"one for something else", []language.Offered{{Name: "find_song", Interface: "Player", Description: "Find a song."}}, ""},
		{"one that needs what isn't known", []language.Offered{with(func(o *language.Offered) { o.Parameters = append(o.Parameters, text("guest", true, "Who it is for.")) })}, ""},
		{"one whose words try something", []language.Offered{with(func(o *language.Offered) { o.Flags = []string{"high injection: orders"} })}, ""},
		{"Chalie's own", []language.Offered{with(func(o *language.Offered) { o.Interface = "Chalie" })}, ""},
	} {
		plan := planned(50, domain.ItemReminder, "dinner reservation at Luigi's", 0)
		plan.Moment = at(t, "2026-03-05 20:00")
		for says, gone := range map[string]bool{"Luigi's is closed tonight": true, "Luigi's is late": false} {
			signal := heard(1, says)
			signal.RecordedAt = at(t, "2026-03-05 11:00")
			p := cycle(language.Related{Signal: signal, Commitment: plan, Score: domain.One})
			p.AsOf, p.Offerable = at(t, "2026-03-05 12:00"), c.offered
			first := buttonsOf(reply(t, p).Findings[0])[0]
			payload := first["payload"].(map[string]any)
			skill := payload["skill"]
			delete(payload, "skill")
			got := fmt.Sprintf("%s %s %v", first["label"], skill, payload)
			if want := c.want; !gone || want == "" {
				if !strings.HasPrefix(got, "Tell me more") {
					t.Errorf("%s, %s: %s", c.name, says, got)
				}
			} else if got != want {
				t.Errorf("%s: %s, want %s", c.name, got, want)
			}
		}
	}
}

package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"chalie/adapters/demo"
	"chalie/domain"
	"chalie/domain/domaintest"
)

var rewrite = flag.Bool("rewrite", false, "write golden files anew, such as the stories' transcripts")

// The stories run a whole Chalie with interfaces that speak to it over the
// network. The transcript of each is what happens today, and stands in
// testdata/stories.

// TestRestaurantIsClosed: a broadcast is overheard, weighs, and fades. Nothing is
// planned that it bears on, so it reaches nobody by itself; TestLuigis has the other
// half.
func TestRestaurantIsClosed(t *testing.T) {
	v := openVillage(t)
	r := v.program("restaurant")
	v.listen(r)
	v.chapter("The restaurant broadcasts that it is closed.")
	v.broadcasts(r, r.News)
	v.taken(r.Name, 1)
	v.mind()
	v.log()
	v.chapter("Three hours on, nothing is planned that it bears on, and nothing was said.")
	v.clock.Advance(3 * time.Hour)
	v.mind()
	v.quiet()
	v.chapter("The person asks.")
	v.say("Can we go to Luigi's tonight?")
	v.log()
	v.chapter("The next day it is out of mind.")
	v.clock.Advance(15 * time.Hour)
	v.mind()
	v.end("restaurant")
}

// TestHospitalSignal: what concerns everybody is overheard.
func TestHospitalSignal(t *testing.T) {
	v := openVillage(t)
	h := v.program("hospital")
	v.pair(h)
	v.chapter("A wing is closed to visitors.")
	v.came(h.News.Content, h.Send(t.Context(), "/api/signals", h.News, nil))
	v.mind()
	v.quiet()
	v.log()
	v.chapter("What it didn't declare it may not send.")
	v.refused(h.Send(t.Context(), "/api/signals", demo.Signal{Type: "advert", Content: "Buy vitamins", Energy: 1}, nil))
	v.log()
	v.end("hospital_signal")
}

// TestHospitalMessage: what is said to Chalie reaches the person.
func TestHospitalMessage(t *testing.T) {
	v := openVillage(t)
	h := v.program("hospital")
	v.pair(h)
	v.chapter("An appointment moves.")
	v.came(movedWords, informs(t.Context(), h, movedWords, ""))
	v.frames("notification")
	v.log()
	v.chapter("Something can't wait.")
	v.came(alarmWords, informs(t.Context(), h, alarmWords, "critical"))
	v.frames("escalation")
	v.mind()
	v.log()
	v.end("hospital_message")
}

// TestHospitalTool: the person wants something done.
func TestHospitalTool(t *testing.T) {
	v := openVillage(t)
	h := v.program("hospital")
	v.pair(h)
	v.chapter("It asks for what is missing.")
	v.say("Cancel my appointment.")
	v.log()
	v.chapter("The bare answer is enough.")
	v.say("apt_2041")
	v.log()
	v.chapter("The hospital says that it can't be done twice.")
	v.invoke("cancel_appointment", `{"appointment_id":"apt_2041"}`)
	v.log()
	v.chapter("Parameters are checked before anything is sent.")
	v.invoke("cancel_appointment", `{"reason":2,"soon":true}`)
	v.log()
	v.chapter("What is left.")
	v.invoke("list_appointments", `{}`)
	v.chapter("Without the hospital there are no tools.")
	v.remove(h.Name)
	v.invoke("list_appointments", `{}`)
	v.refused(informs(t.Context(), h, "Are you there?", ""))
	v.log()
	v.end("hospital_tool")
}

// TestHospitalAndDinner: what the hospital moves and the person cancels isn't tonight's dinner.
func TestHospitalAndDinner(t *testing.T) {
	const moved, movedTomorrow = "Your appointment moved to 3pm.", "Your appointment tomorrow moved to 3pm."
	v := openVillage(t)
	h := v.programForOne("hospital")
	v.pair(h)
	v.chapter("Tonight there is a dinner, and nothing else.")
	v.say("put dinner at Luigi's in my calendar tonight at 8pm")
	v.came(moved, informs(t.Context(), h, moved, ""))
	v.frames("notification")
	v.chapter("What is cancelled is the hospital's.")
	v.say("Cancel my appointment.")
	v.chapter("With an appointment that it may mean it says so.")
	v.say("put a cardiology appointment in my calendar tomorrow at 2pm")
	v.came(movedTomorrow, informs(t.Context(), h, movedTomorrow, ""))
	v.frames("notification")
	v.say("ok, move it")
	v.chapter("Of one that both may keep it asks where.")
	v.say("cancel my cardiology appointment")
	v.say("in my plans")
	v.say("what is planned?")
	v.end("hospital_dinner")
}

// TestStockExchange: thousands of prices, and the latest are in mind.
func TestStockExchange(t *testing.T) {
	v := openVillage(t)
	x := v.program("exchange")
	v.listen(x)
	v.log()
	v.chapter("A minute of prices.")
	const prices = 5000
	x.Broadcast(demo.Prices(prices)...)
	v.taken(x.Name, prices)
	v.mind()
	v.counts()
	v.chapter("One jumps.")
	v.broadcasts(x, x.News)
	v.taken(x.Name, prices+1)
	v.mind()
	v.quiet()
	v.chapter("The person asks.")
	v.say("How is my portfolio?")
	v.end("stock_exchange")
}

// TestChatInterface: everything that was heard comes together, and what is said has
// tools of two interfaces called, one of which has to be approved.
func TestChatInterface(t *testing.T) {
	v := openVillage(t)
	r, h := v.programForOne("restaurant"), v.programForOne("hospital")
	v.pair(r)
	v.pair(h)
	v.listen(r)
	v.chapter("The world turns.")
	v.came(movedWords, informs(t.Context(), h, movedWords, ""))
	v.frames("notification")
	v.broadcasts(r, r.News)
	v.taken(r.Name, 1)
	v.log()
	v.chapter("The person speaks, on one of two devices.")
	second := v.device()
	v.sayFrom(second, "What's new?")
	v.sayFrom(second, "What did I miss?")
	v.chapter("Cancel both, of which the restaurant's tool wants a yes first.")
	v.asked(second, "Cancel both.")
	v.log()
	v.chapter("Yes.")
	v.sayFrom(second, "Yes.")
	v.frames("done")
	v.log()
	v.end("chat")
}

// openVillage starts a Chalie for a person with one device, in an empty world.
func openVillage(t *testing.T) *village {
	t.Helper()
	return openIdling(t, 0)
}

// openIdling is openVillage with a Chalie that thinks when nothing was said or done for
// a while.
func openIdling(t *testing.T, idleAfter time.Duration) *village {
	t.Helper()
	s := beginIdling(t, t.TempDir(), domaintest.NewClock(), 0, idleAfter)
	v := &village{story: s, streams: map[string]domain.ID{}, names: newNicknames()}
	v.cookie = register(t, s.app.SetupLink())
	v.names.give(s.app.Addr(), "chalie")
	v.person = v.device()
	v.log()
	return v
}

// program starts one of the demo's programs. Chalie stops before it does.
func (v *village) program(what string) *demo.Program {
	v.t.Helper()
	return v.started(demo.Open(what))
}

// programForOne starts one that keeps a single thing, and needs no number of it.
func (v *village) programForOne(what string) *demo.Program {
	v.t.Helper()
	return v.started(demo.OpenForOne(what))
}

func (v *village) started(p *demo.Program, err error) *demo.Program {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(p.Close)
	v.names.give(p.Addr(), p.Name)
	return p
}

// What the hospital has to tell the patient.
const (
	movedWords = "Your appointment with Dr. Okafor is at 15:00 tomorrow, not at 14:00"
	alarmWords = "Your blood test needs a doctor today: please ring the ward"
)

// informs sends a message from the hospital.
func informs(ctx context.Context, h *demo.Program, text, severity string) error {
	return h.Send(ctx, "/api/messages", map[string]any{"text": text, "topic": "health", "metadata": map[string]string{"severity": severity}}, nil)
}

// end stops Chalie and compares the transcript with the one of that name.
func (v *village) end(name string) {
	v.t.Helper()
	for _, d := range v.devices {
		d.close() // Chalie waits for those that are there to take their leave
	}
	v.stop()
	got := asAlone(v.names.in(v.told.String()))
	path := filepath.Join("testdata", "stories", name+".golden")
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			v.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			v.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		v.t.Fatal(err)
	}
	if got != string(want) {
		v.t.Errorf("%s holds\n%s\nand this happened\n%s\nrun with -rewrite if that is meant", path, want, got)
	}
}

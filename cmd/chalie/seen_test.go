package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"chalie/domain/domaintest"
)

// TestSeenOnADevice: a reminder is in mind while nobody has seen it, and out once a device shows
// it. What was decided meanwhile is decided so again.
func TestSeenOnADevice(t *testing.T) {
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	d := v.listening(register(t, v.setup), 1)[0]
	v.chalie("tool", "invoke", "task", "what=feed the cat")
	v.chalie("tool", "invoke", "task", "action=complete", "which=cat")
	v.chalie("tool", "invoke", "remind", "what=stretch", "when=in 1 second")
	told := d.hears("notification")
	if world := v.chalie("world", "--json"); !strings.Contains(world, `"over":"over/3"`) || kept(world, "stretch") != "" || kept(world, "feed the cat") != "over" {
		t.Errorf("before it was seen the world is %s", world)
	}
	seen := fmt.Sprintf(`{"type":"seen","exchange_ids":[%q]}`, told.ExchangeID.UUID())
	d.tells(seen)
	d.tells(seen)
	domaintest.Until(t, "it is out of mind", func() bool { return kept(v.chalie("world", "--json"), "stretch") == "over" })
	d.tells("what's going on?")
	if answer := d.hears("message"); !strings.Contains(answer.wire, "feed the cat (done at") || !strings.Contains(answer.wire, "stretch (told at") {
		t.Errorf("it answers %s", answer.wire)
	}
	if log := v.chalie("log", "--type", "told.seen", "--json"); strings.Count(log, `"told.seen"`) != 1 {
		t.Errorf("it was recorded in\n%s", log)
	}
	if says := v.chalie("replay", "--all"); !strings.Contains(says, "All is decided as it was") {
		t.Errorf("the replay says %s", says)
	}
	v.stop()
}

// TestAProgramsMessageSeenOnADevice: a message is in mind for what the person says next, and out once a
// device of theirs shows it. The program that sent it learns nothing of that.
func TestAProgramsMessageSeenOnADevice(t *testing.T) {
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	d := v.listening(register(t, v.setup), 1)[0]
	bearer := "Authorization: Bearer " + v.pair(startProgram(t, "hilltop")).Token
	v.wants(http.StatusAccepted, http.MethodPost, "/api/messages", `{"text":"Your scan moved to 3pm."}`, bearer)
	told := d.hears("notification")
	mind := func() string { return v.chalie("world", "--json") }
	if world := mind(); !strings.Contains(world, `"kind":"message","label":"Your scan moved to 3pm.","salience":1,`) || !strings.Contains(world, `"source":"hilltop"`) || kept(world, "Your scan moved to 3pm.") != "" {
		t.Errorf("before it was seen the world is %s", world)
	}
	d.tells("what is on your mind?")
	if answer := d.hears("message"); !strings.Contains(answer.wire, "Your scan moved to 3pm. (from hilltop, ") {
		t.Errorf("it answers %s", answer.wire)
	}
	if why := strings.Join(strings.Fields(v.chalie("why", "last")), " "); !strings.Contains(why, "counts as much as a signal with an activation energy of 0.70") {
		t.Errorf("why says %s", why)
	}
	if kept(mind(), "Your scan moved to 3pm.") != "" {
		t.Error("it is out once the person has spoken")
	}
	d.tells(fmt.Sprintf(`{"type":"seen","exchange_ids":[%q]}`, told.ExchangeID.UUID()))
	domaintest.Until(t, "it is out of mind", func() bool { return kept(mind(), "Your scan moved to 3pm.") == "over" })
	d.tells("what is on your mind?")
	if answer := d.hears("message"); strings.Contains(answer.wire, "Your scan") {
		t.Errorf("it answers %s", answer.wire)
	}
	for _, path := range []string{"/api/log", "/api/traces/" + told.ExchangeID.UUID(), "/api/world"} {
		if _, answer, err := v.ask(http.MethodGet, path, "", bearer); err != nil || strings.Contains(answer, "scan") || strings.Contains(answer, "told.seen") {
			t.Errorf("%s tells its program %s, %v", path, answer, err)
		}
	}
	if says := v.chalie("replay", "--all"); !strings.Contains(says, "All is decided as it was") {
		t.Errorf("the replay says %s", says)
	}
	v.stop()
}

// kept is the gate that keeps an item with a label out of mind; "" for one that is in.
func kept(world, label string) string {
	_, item, _ := strings.Cut(world, `"label":"`+label+`"`)
	item, _, _ = strings.Cut(item, "}")
	_, gate, _ := strings.Cut(item, `"gate":"`)
	gate, _, _ = strings.Cut(gate, `"`)
	return gate
}

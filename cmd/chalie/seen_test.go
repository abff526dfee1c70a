package main

import (
	"fmt"
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
	if world := v.chalie("world", "--json"); !strings.Contains(world, `"over":"over/2"`) || kept(world, "stretch") != "" || kept(world, "feed the cat") != "over" {
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

// kept is the gate that keeps an item with a label out of mind; "" for one that is in.
func kept(world, label string) string {
	_, item, _ := strings.Cut(world, `"label":"`+label+`"`)
	item, _, _ = strings.Cut(item, "}")
	_, gate, _ := strings.Cut(item, `"gate":"`)
	gate, _, _ = strings.Cut(gate, `"`)
	return gate
}

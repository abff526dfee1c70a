package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestCrashReminders kills the program while reminders fall due. Each is told once on
// every device, whatever was told before the kill and whatever fell due while nothing
// ran.
func TestCrashReminders(t *testing.T) {
	t.Parallel()
	const many = 12
	seed := domaintest.Seed(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	cookie := register(t, v.setup)
	for round := range min(2, crashRounds(t)) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		devices := v.listening(cookie, 2)
		for i := range many {
			v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/remind/invoke",
				fmt.Sprintf(`{"params":{"what":"round %d number %d","when":"in 1 second"}}`, round, i))
		}
		v.awaits("timer.due", round*many+1+rng.IntN(many))
		v.end()
		v = startVictim(t, v.data)
		v.ready()
		for i, d := range devices {
			if err := d.connect(v.address); err != nil {
				t.Fatal(err)
			}
			told := map[string]int{}
			for len(told) < many {
				told[d.hears("notification").Content]++
			}
			for content, n := range told {
				if n != 1 || !strings.Contains(content, fmt.Sprintf("round %d number ", round)) {
					t.Errorf("round %d of seed %d: device %d was told %q %d times", round, seed, i, content, n)
				}
			}
		}
	}
	v.stop()
	v = startVictim(t, v.data) // with nothing left to tell
	v.ready()
	due := map[domain.ID]int{}
	for _, rec := range v.records() {
		if rec.Envelope.Type == "timer.due" {
			due[decode[domain.TimerDue](t, rec.Envelope).SubjectID]++
		}
	}
	for id, n := range due {
		if n != 1 {
			t.Errorf("reminder %s fell due %d times", id, n)
		}
	}
	if want := min(2, crashRounds(t)) * many; len(due) != want {
		t.Errorf("%d reminders fell due, want %d", len(due), want)
	}
	v.stop()
}

// A reminder that comes back and was missed several times is told once, and then
// again when it is due again.
func TestMissedReminders(t *testing.T) {
	t.Parallel()
	clock, data := domaintest.NewClock(), filepath.Join(t.TempDir(), "data")
	s := begin(t, data, clock, 0)
	for _, when := range []string{"every day at 8", "in 2 hours"} {
		if status, answer := s.post("/api/tools/remind/invoke", fmt.Sprintf(`{"params":{"what":"water the plants","when":%q}}`, when)); status != http.StatusOK {
			t.Fatal(status, answer)
		}
	}
	for _, missed := range []struct {
		days int
		told int // in all, from the start
	}{{3, 2}, {0, 2}, {1, 3}, {0, 3}, {5, 4}, {0, 4}} {
		s.stop()
		clock.Advance(time.Duration(missed.days) * 24 * time.Hour)
		s = begin(t, data, clock, 0)
		v := &victim{t: t, data: data, api: s.api}
		v.awaits("timer.due", missed.told)
		told := 0
		for _, rec := range v.records() {
			if rec.Envelope.Type == "reasoning.concluded" && decode[domain.ReasoningConcluded](t, rec.Envelope).Shown == domain.ShownNotification {
				told++
			}
		}
		if told != missed.told {
			t.Errorf("%d days later there was told %d times, want %d", missed.days, told, missed.told)
		}
	}
	s.stop()
}

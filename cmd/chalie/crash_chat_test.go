package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestCrashChat kills the program in the middle of answers, again and again.
// After each restart the devices resume: each must end with every answer whole,
// each frame once and in order, and every message that was acknowledged must be
// answered without being asked again.
func TestCrashChat(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t)
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	cookie := register(t, v.setup)
	devices := []*device{newDevice(t, cookie), newDevice(t, cookie)}
	for _, d := range devices {
		if err := d.connect(v.address); err != nil {
			t.Fatal(err)
		}
		if err := d.attend(); err != nil {
			t.Fatal(err)
		}
	}
	for round := range crashRounds(t) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		for i, d := range devices {
			if err := d.connect(v.address); err != nil {
				t.Fatalf("device %d: %v", i, err)
			}
		}
		chatUntilKilled(t, v, devices, round, rng)
		v.end()
		v = startVictim(t, data)
		v.ready()
		for i, d := range devices {
			if err := settle(d, v.address); err != nil {
				t.Fatalf("round %d, device %d: %v", round, i, err)
			}
		}
		compare(t, devices)
		if t.Failed() {
			t.Fatalf("in round %d of seed %d", round, seed)
		}
	}
	v.stop()
}

// chatUntilKilled talks on the first device while both listen, until the program
// dies at a random moment.
func chatUntilKilled(t *testing.T, v *victim, devices []*device, round int, rng *rand.Rand) {
	var talking sync.WaitGroup
	frames := 1 + rng.IntN(40) // the kill comes a moment after so many
	moment := time.Duration(rng.IntN(3000)) * time.Microsecond
	for i, d := range devices {
		talking.Go(func() {
			for n := range 1 << 20 {
				if i == 0 && n%2 == 0 { // two frames each: more is under way all the time
					if err := d.say(fmt.Sprintf("round %d message %d", round, n)); err != nil {
						return
					}
				}
				if _, err := d.next(); err != nil {
					if !hungUp(err) {
						t.Errorf("device %d: %v", i, err)
					}
					return
				}
				if i == 0 && n == frames {
					time.AfterFunc(moment, v.kill)
				}
			}
		})
	}
	talking.Wait()
}

// settle resumes, and does nothing but listen until all that it saw acknowledged
// is answered.
func settle(d *device, address string) error {
	if err := d.connect(address); err != nil {
		return err
	}
	for open(d.frames) > 0 {
		if _, err := d.next(); err != nil {
			return fmt.Errorf("%d answers are open: %w", open(d.frames), err)
		}
	}
	return nil
}

// open is how many messages were acknowledged and not answered.
func open(frames []heard) int {
	n := 0
	for _, h := range frames {
		switch h.name() {
		case "status processing":
			n++
		case "done":
			n--
		}
	}
	return n
}

// compare checks that every device has the same frames, and that they are whole
// answers: as many of each kind.
func compare(t *testing.T, devices []*device) {
	t.Helper()
	// One may have heard more of what the other asked last.
	end := min(devices[0].last, devices[1].last)
	var lists [2][]heard
	for i, d := range devices {
		lists[i] = slices.DeleteFunc(slices.Clone(d.frames), func(h heard) bool { return h.Seq > end })
	}
	if len(lists[0]) != len(lists[1]) {
		t.Fatalf("the devices have %d and %d frames", len(lists[0]), len(lists[1]))
	}
	exchanges := map[domain.ID]bool{}
	for i, h := range lists[0] {
		if o := lists[1][i]; h.Seq != o.Seq || h.Type != o.Type || h.ExchangeID != o.ExchangeID {
			t.Fatalf("frame %d is %s %d on one device and %s %d on the other", i, h.name(), h.Seq, o.name(), o.Seq)
		}
		switch h.Type {
		case "gap", "error":
			t.Fatalf("frame %d is %+v", i, h)
		case "message":
			if exchanges[h.ExchangeID] {
				t.Fatalf("exchange %s was answered twice", h.ExchangeID)
			}
			exchanges[h.ExchangeID] = true
		}
	}
}

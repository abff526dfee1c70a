package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

var answered = []string{
	"status processing", "status thinking", "status retrieving_memory", "status thinking", "status responding", "message", "done",
}

func TestChatReachesEveryDevice(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	cookie := register(t, v.setup)
	devices := []*device{newDevice(t, cookie), newDevice(t, cookie), newDevice(t, cookie)}
	for _, d := range devices {
		if err := d.connect(v.address); err != nil {
			t.Fatal(err)
		}
		if err := d.attend(); err != nil {
			t.Fatal(err)
		}
	}
	if err := devices[0].say("what is on your mind?"); err != nil {
		t.Fatal(err)
	}
	var first []heard
	for i, d := range devices {
		if _, err := d.until(isDone); err != nil {
			t.Fatalf("device %d: %v", i, err)
		}
		if !slices.Equal(d.names(), answered) {
			t.Fatalf("device %d heard %q", i, d.names())
		}
		m, done := d.frames[len(answered)-2], d.frames[len(answered)-1]
		if len(m.Blocks) == 0 || m.Topic == nil || m.Mode == "" || m.Confidence == nil || m.ExchangeID.IsZero() || done.DurationMS == nil {
			t.Errorf("device %d heard %+v and %+v", i, m, done)
		}
		if first == nil {
			first = d.frames
		}
		for j := range first {
			if d.frames[j].Seq != first[j].Seq {
				t.Errorf("frame %d has number %d on device %d, and %d on the first", j, d.frames[j].Seq, i, first[j].Seq)
			}
		}
	}
	v.stop()
}

// TestGapThenBuffer lets a device miss more than the buffer holds.
func TestGapThenBuffer(t *testing.T) {
	t.Parallel()
	messages := 300/len(answered) + 1 // half as many frames again as the buffer holds
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	cookie := register(t, v.setup)
	away, there := newDevice(t, cookie), newDevice(t, cookie)
	for _, d := range []*device{there, away} {
		if err := d.connect(v.address); err != nil {
			t.Fatal(err)
		}
		if err := d.attend(); err != nil {
			t.Fatal(err)
		}
	}
	talk := func(text string, listeners ...*device) {
		t.Helper()
		if err := there.say(text); err != nil {
			t.Fatal(err)
		}
		for _, d := range listeners {
			if _, err := d.until(isDone); err != nil {
				t.Fatal(err)
			}
		}
	}
	talk("hello", there, away)
	away.close()
	known := len(there.frames)
	for i := range messages {
		talk(fmt.Sprintf("message %d", i), there)
	}
	missed := there.frames[known:]

	seen := away.last
	away.frames = nil
	if err := away.connect(v.address); err != nil {
		t.Fatal(err)
	}
	if _, err := away.until(func(h heard) bool { return h.Seq == there.last }); err != nil {
		t.Fatal(err)
	}
	buffered := missed[len(missed)-200:]
	gap := away.frames[0]
	want := heard{Type: "gap", Seq: missed[len(missed)-201].Seq, From: seen + 1, To: missed[len(missed)-201].Seq}
	if gap.Type != want.Type || gap.Seq != want.Seq || gap.From != want.From || gap.To != want.To {
		t.Errorf("the gap is %+v, want %+v", gap, want)
	}
	if len(away.frames) != 1+len(buffered) {
		t.Fatalf("%d frames came after the gap, want %d", len(away.frames)-1, len(buffered))
	}
	for i, h := range away.frames[1:] {
		if h.Seq != buffered[i].Seq || h.Type != buffered[i].Type {
			t.Fatalf("frame %d is %s %d, want %s %d", i, h.Type, h.Seq, buffered[i].Type, buffered[i].Seq)
		}
	}
	if gap.To.Position() == 0 || gap.To >= buffered[0].Seq {
		t.Errorf("the gap reaches to %d, and the buffer begins at %d", gap.To, buffered[0].Seq)
	}
	v.stop()
}

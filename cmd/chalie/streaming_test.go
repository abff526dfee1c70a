package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// halting is a model that says its pieces, and waits after each until it is told to go on.
type halting struct {
	pieces []string
	goOn   chan struct{}
}

func (h *halting) think(q question) thought {
	if q.cycle {
		return thought{text: nothingFound}
	}
	return thought{aloud: func(say func(string)) {
		for _, p := range h.pieces {
			say(p)
			select {
			case <-h.goOn:
			case <-q.Context().Done():
				return
			}
		}
	}}
}

// deltas is what a device was sent of an answer, piece by piece, since it was last taken back.
func (d *device) deltas() string {
	var out strings.Builder
	for _, h := range d.made {
		if h.Type == "retracted" {
			out.Reset()
		}
		for _, e := range h.Events {
			if e.Type == domain.StreamText {
				out.WriteString(e.Delta)
			}
		}
	}
	return out.String()
}

// recordedDeltas is the same as the log has it.
func recordedDeltas(t *testing.T, records []domain.Record) string {
	t.Helper()
	var out strings.Builder
	for _, rec := range records {
		p, err := domain.Decode[domain.ModelStreamed](rec.Envelope)
		if err != nil {
			continue
		}
		if p.Withdrawn != "" {
			out.Reset()
		}
		for _, e := range p.Events {
			if e.Type == domain.StreamText {
				out.WriteString(e.Delta)
			}
		}
	}
	return out.String()
}

// A model's words reach every device as they are made, also one that was away in between; what
// it got is what was recorded, no secret is in it, and what is exported is decided the same.
func TestWordsArriveAsTheyAreMade(t *testing.T) {
	t.Parallel()
	h := &halting{pieces: []string{"Take the bus ", "at seven. The pass", "word is hun", "ter2, and the ", "house is green."}, goOn: make(chan struct{})}
	model, data := startMind(t, h.think), filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	cookie := register(t, v.setup)
	devices := v.listening(cookie, 2)
	there, away := devices[0], devices[1]
	there.tells("how do I get in?")
	for _, d := range devices {
		if first := d.hears("delta"); first.Part != 1 || first.Attempt != 1 || d.deltas() != "Take the " {
			t.Fatalf("first comes %s", first.wire)
		}
	}
	away.close()
	h.goOn <- struct{}{}
	there.hears("delta")
	if err := away.connect(v.address); err != nil {
		t.Fatal(err)
	}
	away.hears("delta") // it came while nobody was there
	for range 2 {
		h.goOn <- struct{}{}
		for _, d := range devices {
			d.hears("delta")
		}
	}
	h.goOn <- struct{}{}
	h.goOn <- struct{}{}
	const whole = "Take the bus at seven. The password is [redacted: password], and the house is green."
	for i, d := range devices {
		said := d.hears("message")
		if got := domain.PlainText(said.Blocks); got != whole || d.deltas() != whole {
			t.Errorf("device %d was sent %q, and then %q", i, d.deltas(), got)
		}
		for _, f := range slices.Concat(d.made, d.frames) {
			if strings.Contains(f.wire, "hun") {
				t.Errorf("device %d was sent %s", i, f.wire)
			}
		}
		d.hears("done")
	}
	if got := recordedDeltas(t, v.records()); got != whole {
		t.Errorf("recorded was %q", got)
	}
	// Once the answer is there, of what it was made of only the last part is sent.
	late := newDevice(t, cookie)
	late.last = 1
	if err := late.connect(v.address); err != nil {
		t.Fatal(err)
	}
	late.hears("done")
	if got := late.deltas(); got == whole || !strings.HasSuffix(whole, got) {
		t.Errorf("who comes later is sent %q", got)
	}
	if shown := v.chalie("trace", "show", there.frames[0].ExchangeID.String()); strings.Count(shown, "model.streamed") != 1 || !strings.Contains(shown, "answers as it goes, in ") {
		t.Errorf("the trace is shown as\n%s", shown)
	}
	v.stop()

	file := filepath.Join(t.TempDir(), "log.jsonl")
	v.chalie("export", "--out", file)
	v.data = filepath.Join(t.TempDir(), "elsewhere")
	v.chalie("import", file)
	if out := v.chalie("replay", "--all"); !strings.Contains(out, "All is decided as it was") {
		t.Errorf("of the copy is said\n%s", out)
	}
}

// An answer that is cancelled shows how far it came.
func TestACancelledAnswerShowsHowFarItCame(t *testing.T) {
	t.Parallel()
	h := &halting{pieces: []string{"First you take the bus. Then you walk"}, goOn: make(chan struct{})}
	model := startMind(t, h.think)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	d := v.listening(register(t, v.setup), 1)[0]
	d.tells("how do I get there?")
	d.hears("delta")
	v.chalie("cancel")
	said := d.hears("message")
	if got := domain.PlainText(said.Blocks); got != "First you take the bus. Then you\nStopped." {
		t.Errorf("it ends with %q", got)
	}
	d.hears("done")
	v.stop()
}

// What was said by an attempt that broke off, or by a process that was killed, is taken back
// when the answer is made anew.
func TestWhatDoesNotCountIsTakenBack(t *testing.T) {
	t.Parallel()
	broken := false
	h := &halting{pieces: []string{"It is at seven, ", "I think."}, goOn: make(chan struct{})}
	model := startMind(t, func(q question) thought {
		if q.cycle || broken {
			return h.think(q)
		}
		broken = true
		return thought{aloud: func(say func(string)) {
			say("It is at eight, ")
			<-h.goOn
			panic(http.ErrAbortHandler)
		}}
	})
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	cookie := register(t, v.setup)
	d := v.listening(cookie, 1)[0]
	d.tells("when is it?")
	d.hears("delta")
	h.goOn <- struct{}{}
	if back := d.hears("retracted"); !strings.Contains(back.Reason, "broke off") {
		t.Errorf("it is taken back with %s", back.wire)
	}
	if again := d.hears("delta"); again.Attempt != 2 || d.deltas() != "It is at " {
		t.Errorf("then comes %s", again.wire)
	}
	v.kill()
	v.end()
	v = startVictim(t, data, model.flags()...)
	v.ready()
	if err := d.connect(v.address); err != nil {
		t.Fatal(err)
	}
	if back := d.hears("retracted"); !strings.Contains(back.Reason, "interrupted") {
		t.Errorf("it is taken back with %s", back.wire)
	}
	d.hears("delta")
	h.goOn <- struct{}{}
	h.goOn <- struct{}{}
	said := d.hears("message")
	if got := domain.PlainText(said.Blocks); got != "It is at seven, I think." || d.deltas() != got {
		t.Errorf("it ends with %q after %q", got, d.deltas())
	}
	d.hears("done")
	v.stop()
}

// A model that fails after it has said something takes that back, and the next one answers.
func TestAFailedModelTakesItsWordsBack(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	model := startMind(t, func(q question) thought {
		if q.cycle {
			return thought{text: nothingFound}
		}
		return thought{refuse: true, aloud: func(say func(string)) {
			say("It is at eight, ")
			<-goOn
		}}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	d := v.listening(register(t, v.setup), 1)[0]
	d.tells("when is it?")
	d.hears("delta")
	goOn <- struct{}{}
	if back := d.hears("retracted"); !strings.Contains(back.Reason, "will not answer this") {
		t.Errorf("it is taken back with %s", back.wire)
	}
	if said := domain.PlainText(d.hears("message").Blocks); strings.Contains(said, "eight") || !strings.Contains(said, "instead") {
		t.Errorf("it ends with %q", said)
	}
	d.hears("done")
	v.stop()
}

package main

import (
	"path/filepath"
	"testing"

	"chalie/domain"
)

// A cycle of Chalie's own makes room as soon as the person says something: the
// question that it put to the model is given up, and the message is answered in its
// place. Afterwards the cycle goes on.
func TestYieldsToItsPerson(t *testing.T) {
	t.Parallel()
	asked, givenUp, room := make(chan struct{}, 64), make(chan struct{}, 1), make(chan struct{})
	model := startMind(t, func(q question) thought {
		if !q.cycle {
			select {
			case <-room:
			case <-q.Context().Done():
			}
			return thought{text: "Hello."}
		}
		asked <- struct{}{}
		select {
		case <-room: // whatever is thought later
		case <-q.Context().Done():
			givenUp <- struct{}{}
		}
		return thought{text: nothingFound}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), append(model.flags(), "--idle-after", "500ms", "--debounce", "0s")...)
	v.ready()
	d := v.listening(register(t, v.setup), 1)[0]
	hear(t, asked)
	d.tells("hello")
	hear(t, givenUp)
	yielded := v.awaits("reasoning.yielded", 1)[0]
	close(room) // only now the message can be answered
	if m := d.hears("message"); domain.PlainText(m.Blocks) != "Hello." {
		t.Errorf("it answers %+v", m)
	}
	answer := d.hears("done").ExchangeID
	resumed := v.awaits("reasoning.resumed", 1)[0]
	if resumed.Envelope.Trace != yielded.Envelope.Trace {
		t.Errorf("%s made room, and %s goes on", yielded.Envelope.Trace, resumed.Envelope.Trace)
	}
	for known := 1; ; known++ {
		ended := v.awaits("reasoning.concluded", known)
		if last := ended[len(ended)-1]; last.Envelope.Trace == yielded.Envelope.Trace {
			if end := decode[domain.ReasoningConcluded](t, last.Envelope); end.Outcome != domain.OutcomeHeld {
				t.Errorf("the cycle ends with %+v", end)
			}
			break
		}
		known = len(ended)
	}

	at := map[domain.EventType]domain.Record{}
	steps := 0 // of the cycle, between the message and making room
	for _, rec := range v.records() {
		switch e := rec.Envelope; {
		case e.Trace.ID == answer:
			at[e.Type] = rec
		case e.Trace == yielded.Envelope.Trace && at["message.received"].Position > 0 && rec.Position < yielded.Position:
			steps++
		}
	}
	if steps > 0 {
		t.Errorf("the cycle took %d steps more before it made room", steps)
	}
	if end := at["reasoning.concluded"]; yielded.Position > at["model.replied"].Position || resumed.Position < end.Position {
		t.Errorf("it made room at %d and went on at %d; the message was answered from %d to %d", yielded.Position, resumed.Position, at["model.called"].Position, end.Position)
	}
	t.Logf("it made room %d ms after the message was recorded at %d, at %d; the model was asked for the answer at %d",
		yielded.RecordedAt-at["message.received"].RecordedAt, at["message.received"].Position, yielded.Position, at["model.called"].Position)
	v.stop()
}

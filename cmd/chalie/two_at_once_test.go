package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"chalie/domain"
)

// Two things said at once are answered in order, and the second is told that it waits.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	free, asked := make(chan struct{}), make(chan struct{}, 1)
	model := startMind(t, func(q question) thought {
		if q.message == "first" {
			asked <- struct{}{}
			select {
			case <-free:
			case <-q.Context().Done():
			}
		}
		return thought{text: "to the " + q.message}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	devices := v.listening(register(t, v.setup), 2)
	devices[0].tells("first")
	hear(t, asked)
	devices[1].tells("second")
	waits := devices[0].hears("status waiting")
	close(free)
	var told []string
	for i, d := range devices {
		d.hears("done")
		d.hears("done")
		want := []string{"status processing", "status thinking", "status retrieving_memory", "status thinking", "status processing", "status waiting",
			"status responding", "message", "done", "status thinking", "status retrieving_memory", "status thinking", "status responding", "message", "done"}
		if !slices.Equal(d.names(), want) {
			t.Fatalf("device %d heard %q", i, d.names())
		}
		first, second := d.frames[0].ExchangeID, d.frames[4].ExchangeID
		for n, h := range d.frames {
			if of := map[bool]domain.ID{true: first, false: second}[n < 4 || n >= 6 && n <= 8]; h.ExchangeID != of {
				t.Errorf("frame %d, %s, is of %s, want %s", n, h.name(), h.ExchangeID, of)
			}
		}
		if waits.ExchangeID != second {
			t.Errorf("it was %s that waits, want %s", waits.ExchangeID, second)
		}
		told = append(told, domain.PlainText(d.frames[7].Blocks), domain.PlainText(d.frames[13].Blocks))
	}
	if want := []string{"to the first", "to the second", "to the first", "to the second"}; !slices.Equal(told, want) {
		t.Errorf("they were told %q", told)
	}
	v.stop()
}

// An answer that is cancelled in the middle of a question to the model ends at its
// next step, and the question is given up.
func TestCancelDuringAModelCall(t *testing.T) {
	t.Parallel()
	asked, givenUp := make(chan struct{}, 1), make(chan struct{}, 1)
	model := startMind(t, func(q question) thought {
		if q.message == "think hard" {
			asked <- struct{}{}
			<-q.Context().Done()
			givenUp <- struct{}{}
		}
		return thought{text: "Here."}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	devices := v.listening(register(t, v.setup), 2)
	for _, way := range []struct {
		name   string
		cancel func(exchange domain.ID)
	}{
		{"by a frame", func(exchange domain.ID) {
			devices[1].tells(`{"type":"cancel","exchange_id":"` + exchange.UUID() + `"}`)
		}},
		{"by a frame that names none", func(domain.ID) { devices[1].tells(`{"type":"cancel"}`) }},
		{"by the API", func(exchange domain.ID) {
			v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/messages/"+exchange.UUID()+"/cancel", "")
		}},
		{"by the API, the latest", func(domain.ID) {
			v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/messages/latest/cancel", "")
		}},
	} {
		devices[0].tells("think hard")
		exchange := devices[0].hears("status thinking").ExchangeID
		hear(t, asked)
		way.cancel(exchange)
		hear(t, givenUp)
		for i, d := range devices {
			if m := d.hears("message"); m.ExchangeID != exchange || domain.PlainText(m.Blocks) != "Stopped." {
				t.Errorf("%s: device %d was told %+v", way.name, i, m)
			}
			d.hears("done")
		}
		var types []domain.EventType
		for _, rec := range v.records() {
			if rec.Envelope.Trace.ID == exchange {
				types = append(types, rec.Envelope.Type)
			}
		}
		if want := []domain.EventType{"message.received", "reasoning.started", "model.called", "cancel.received", "reasoning.concluded"}; !slices.Equal(types, want) {
			t.Errorf("%s: the log has %q", way.name, types)
		}
	}
	// It goes on as if nothing had been.
	devices[0].tells("hello")
	if m := devices[0].hears("message"); domain.PlainText(m.Blocks) != "Here." {
		t.Errorf("then it answers %+v", m)
	}
	v.wants(http.StatusConflict, http.MethodPost, "socket:/api/messages/"+devices[0].hears("done").ExchangeID.UUID()+"/cancel", "")
	v.stop()
}

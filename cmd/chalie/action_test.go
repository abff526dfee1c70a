package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// A button does what it says, without a model, or says why it can't.
func TestActions(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	devices := v.listening(register(t, v.setup), 2)
	for _, c := range []struct {
		payload string
		frames  []string
		says    string           // in the message, or in the error
		event   domain.EventType // what it leaves in the log; "" for nothing
	}{
		{`{"skill":"remind","text":"call Anna in 2 hours"}`, []string{"message", "done"}, "call Anna", "reminder.set"},
		{`{"skill":"task","what":"tax return"}`, []string{"task", "message", "done"}, "tax return", "task.created"},
		{`{"skill":"somersault"}`, []string{"error", "done"}, "somersault", ""},
		{`{"skill":"remind","when":5}`, []string{"error", "done"}, "when", ""},
		{`{"skill":"remind","whom":"Anna"}`, []string{"error", "done"}, "whom", ""},
	} {
		before := len(v.records())
		var exchange domain.ID
		devices[0].tells(`{"type":"action","payload":` + c.payload + `}`)
		for i, d := range devices {
			d.frames = nil
			exchange = d.hears("done").ExchangeID
			if !slices.Equal(d.names(), c.frames) {
				t.Errorf("%s: device %d heard %q", c.payload, i, d.names())
				continue
			}
			told := d.frames[len(d.frames)-2]
			if said := told.Message + domain.PlainText(told.Blocks); !strings.Contains(said, c.says) || told.ExchangeID != exchange {
				t.Errorf("%s: device %d is told %q", c.payload, i, said)
			}
			if told.Type == "error" && !told.Recoverable {
				t.Errorf("%s: device %d can't go on", c.payload, i)
			}
		}
		var types []domain.EventType
		for _, rec := range v.records()[before:] {
			if rec.Envelope.Trace.ID == exchange {
				types = append(types, rec.Envelope.Type)
			}
		}
		if slices.Contains(types, "model.called") || c.event != "" && !slices.Contains(types, c.event) || c.event == "" && slices.Contains(types, "tool.dispatched") {
			t.Errorf("%s leaves in the log %q", c.payload, types)
		}
	}
	// What is no action at all is told to who sent it alone, and the socket stays.
	devices[0].frames = nil
	devices[0].tells(`{"type":"action","payload":"remind"}`)
	if h := devices[0].hears("error"); !h.Recoverable || !h.ExchangeID.IsZero() {
		t.Errorf("an action that is none is answered %+v", h)
	}
	if plans := v.chalie("plans", "list"); !strings.Contains(plans, "call Anna") || !strings.Contains(plans, "tax return") {
		t.Errorf("planned is\n%s", plans)
	}
	v.stop()
}

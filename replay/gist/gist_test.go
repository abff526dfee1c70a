package gist_test

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/gist"
)

// Every event type is told in words: none shows its JSON. A type that isn't in the
// list of what says enough by its name needs a line of its own.
func TestEveryTypeIsTold(t *testing.T) {
	sayEnough := []domain.EventType{"operator.logged_out", "session.extended", domain.ForeignType}
	for _, d := range domain.Events().Definitions() {
		e := domain.Envelope{Type: d.Type, Version: d.Version, Payload: domaintest.AnyPayload(d)}
		told := gist.Of(e)
		raw := told == gist.Line(string(e.Payload.Bytes))
		for _, known := range sayEnough {
			if known == d.Type {
				raw = false
			}
		}
		if raw {
			t.Errorf("%s is told as %s", d.Type, told)
		}
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
		if told := gist.Of(e); told != "(erased)" {
			t.Errorf("an erased %s is told as %q", d.Type, told)
		}
	}
}

// What names an interface or a stream names it as the lists do.
func TestGistsName(t *testing.T) {
	id, err := domain.ParseID(interfaceID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env  domain.Envelope
		want string
	}{
		{envelope(t, domain.InterfaceCameOnline{InterfaceID: id}), "interface " + interfaceID + " answers again"},
		{envelope(t, domain.InterfaceRemoved{InterfaceID: id}), "interface " + interfaceID + " is shut out"},
		{envelope(t, domain.InterfaceWentOffline{InterfaceID: id, Failures: 3, Reason: "no answer"}), "interface " + interfaceID + ", after 3 failed checks: no answer"},
		{envelope(t, domain.StreamRemoved{StreamID: id}), "stream " + interfaceID + " is heard no more"},
		{withFault(envelope(t, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed, DurationMS: 5}), "model_failed", "the model is gone"), "the model is gone (failed after 5 ms)"},
	} {
		if got := gist.Of(c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.env.Type, got, c.want)
		}
	}
}

const interfaceID = "01890000-0000-7000-8000-000000000009"

func envelope[P any](t *testing.T, payload P) domain.Envelope {
	t.Helper()
	entry, err := domain.New(domain.Lineage{}, domain.ID{15: 1}, 1, "tools", payload)
	if err != nil {
		t.Fatal(err)
	}
	return entry.Envelope
}

func withFault(e domain.Envelope, code domain.Code, message string) domain.Envelope {
	e.Errors = []domain.Fault{{Code: code, Message: message}}
	return e
}

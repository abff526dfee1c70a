package main

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// Every event type is told in words: none shows its JSON. A type that isn't in the
// list of what says enough by its name needs a line of its own.
func TestEveryTypeIsTold(t *testing.T) {
	sayEnough := []domain.EventType{"operator.logged_out", "session.extended", domain.ForeignType}
	for _, d := range domain.Events().Definitions() {
		e := domain.Envelope{Type: d.Type, Version: d.Version, Payload: domaintest.AnyPayload(d)}
		told := gist(e)
		raw := told == oneLine(string(e.Payload.Bytes))
		for _, known := range sayEnough {
			if known == d.Type {
				raw = false
			}
		}
		if raw {
			t.Errorf("%s is told as %s", d.Type, told)
		}
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
		if told := gist(e); told != "(erased)" {
			t.Errorf("an erased %s is told as %q", d.Type, told)
		}
	}
}

// What names an interface or a stream names it as the lists do.
func TestGistsName(t *testing.T) {
	id := mustID(t, invocationID)
	for _, c := range []struct {
		env  domain.Envelope
		want string
	}{
		{toolEnvelope(t, domain.InterfaceCameOnline{InterfaceID: id}), "interface " + invocationID + " answers again"},
		{toolEnvelope(t, domain.InterfaceRemoved{InterfaceID: id}), "interface " + invocationID + " is shut out"},
		{toolEnvelope(t, domain.InterfaceWentOffline{InterfaceID: id, Failures: 3, Reason: "no answer"}), "interface " + invocationID + ", after 3 failed checks: no answer"},
		{toolEnvelope(t, domain.StreamRemoved{StreamID: id}), "stream " + invocationID + " is heard no more"},
		{withFault(toolEnvelope(t, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed, DurationMS: 5}), "model_failed", "the model is gone"), "the model is gone (failed after 5 ms)"},
	} {
		if got := gist(c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.env.Type, got, c.want)
		}
	}
}

package narrate_test

import (
	"encoding/json"
	"testing"

	"chalie/domain"
	"chalie/replay/narrate"
)

func TestToolGists(t *testing.T) {
	said, why := "cancelled", "no such appointment"
	invoked := domain.ToolInvoked{Tool: "cancel", Params: json.RawMessage(`{"id":"7"}`)}
	for _, c := range []struct {
		name string
		env  domain.Envelope
		want string
	}{
		{"invoked", envelope(t, invoked), "cancel with id 7"},
		{"invoked without parameters", envelope(t, domain.ToolInvoked{Tool: "cancel", Params: json.RawMessage(`{}`)}), "cancel"},
		{"allowed", envelope(t, (&domain.Rulebook{}).Decide(domain.Invoking{})), `allowed: the rule "harmless"`},
		{"denied", envelope(t, domain.PolicyDecided{Verdict: domain.VerdictDenied, RegimeID: "closed/1", ReasonCodes: []string{"a", "b"}}), `denied: the rule "a", the rule "b"`},
		{"dispatched", envelope(t, domain.ToolDispatched{}), "the call leaves"},
		{"a text", envelope(t, domain.ToolCompleted{Text: &said, DurationMS: 30}), "cancelled (after 30 ms)"},
		{"blocks", envelope(t, domain.ToolCompleted{Blocks: []domain.Block{domain.TextBlock("see", domain.FormatPlain)}, DurationMS: 2000}), "see (after 2 s)"},
		{"data", envelope(t, domain.ToolCompleted{Data: json.RawMessage(`{"a":1}`)}), "a 1 (after 0 ms)"},
		{"nothing", envelope(t, domain.ToolCompleted{}), "(after 0 ms)"},
		{"an error", withFault(envelope(t, domain.ToolCompleted{Error: &why}), domain.CodeToolError, why), "no such appointment (after 0 ms)"},
		{"an error beside a text", withFault(envelope(t, domain.ToolCompleted{Error: &why, Text: &said}), domain.CodeToolError, why), "no such appointment (after 0 ms; it also said: cancelled)"},
		{"failed", withFault(envelope(t, domain.ToolFailed{Reason: "http_error", Dispatched: true, DurationMS: 5}), "http_error", "it answered 500"), "it answered 500 (http error after 5 ms)"},
		{"not sent", withFault(envelope(t, domain.ToolFailed{Reason: "denied"}), "denied", "denied by the policy"), "denied by the policy (denied)"},
		{"unknown", withFault(envelope(t, domain.ToolOutcomeUnknown{Reason: "interrupted"}), "interrupted", "Chalie ended"), "Chalie ended (interrupted)"},
	} {
		if got := narrate.Line(c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	erased := envelope(t, invoked)
	erased.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if got := narrate.Line(erased); got != "(erased)" {
		t.Errorf("erased: %q", got)
	}
}

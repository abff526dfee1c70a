package narrate_test

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/narrate"
)

// Every event type is told in words: none shows its JSON. A type that isn't in the
// list of what says enough by its name needs a line of its own.
func TestEveryTypeIsTold(t *testing.T) {
	sayEnough := []domain.EventType{"operator.logged_out", "session.extended", "session.elsewhere_seen", domain.ForeignMessageType}
	for _, d := range domain.Events().Definitions() {
		e := domain.Envelope{Type: d.Type, Version: d.Version, Payload: domaintest.AnyPayload(d)}
		told := narrate.Line(e)
		raw := told == narrate.OneLine(string(e.Payload.Bytes))
		for _, known := range sayEnough {
			if known == d.Type {
				raw = false
			}
		}
		if raw {
			t.Errorf("%s is told as %s", d.Type, told)
		}
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
		if told := narrate.Line(e); told != "(erased)" {
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
		if got := narrate.Line(c.env); got != c.want {
			t.Errorf("%s: %q, want %q", c.env.Type, got, c.want)
		}
	}
}

// A browser is told by its name, not by all that it calls itself.
func TestClient(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36": "Chrome on Linux",
		"curl/8.5.0": "curl", "chalie-poller/2": "chalie-poller", "(((": "another client",
	} {
		if got := narrate.Client(agent); got != want {
			t.Errorf("%s is told as %q, want %q", agent, got, want)
		}
	}
}

// What a model writes as Markdown is told without its marks; what is no mark stays.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"> The table is **free** at `8`":      "The table is free at 8",
		"# Tonight\n- soup\n* bread\n1. tea":  "Tonight\nsoup\nbread\n1. tea",
		"see [the menu](https://x.example)":   "see the menu",
		"_really_ and __so__, not snake_case": "really and so, not snake_case",
		"2 * 3 * 4 > 5":                       "2 * 3 * 4 > 5",
		"```go\nx := 1\n```":                  "x := 1",
	} {
		if got := narrate.Plain(text); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
	p := domain.ModelReplied{Findings: []domain.Finding{{Blocks: []domain.Block{domain.TextBlock("The **oven** is broken", domain.FormatPlain)}}}}
	if got := narrate.Line(envelope(t, p)); got != "found: The oven is broken" {
		t.Errorf("a look that found something is told as %q", got)
	}
}

// One line is one line, whatever stood in it: on a screen, in a page, and in a picture.
func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"  two\n\tlines ":              "two lines",
		"a\x1b[2Jb\x07":                "a[2Jb",
		"left\u202eright\u2066\u200b":  "leftright",
		"p\ue000q\ufffd\xff":           "pq",
		"n\ufffe\uffffo":               "no",
		"Rückfrage: 予約 🍝 <b>&amp;</b>": "Rückfrage: 予約 🍝 <b>&amp;</b>",
		"":                             "",
	} {
		if got := narrate.OneLine(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// A login is told with what is known of where it came from.
func TestLoginsAreTold(t *testing.T) {
	for want, p := range map[string]domain.OperatorLoggedIn{
		"from this machine, with curl":                  {From: domain.ThisMachine, UserAgent: "curl"},
		"from 192.168.1.7":                              {From: "192.168.1.7"},
		"through a proxy at 192.168.1.7, with curl":     {From: "192.168.1.7", Relayed: true, UserAgent: "curl"},
		"through a proxy on this machine, with Firefox": {From: domain.ThisMachine, Relayed: true, UserAgent: "Firefox"},
		"with Firefox":                                  {UserAgent: "Firefox"},
		"":                                              {},
	} {
		if got := narrate.Line(envelope(t, p)); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
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

package narrate

import (
	"strings"
	"testing"

	"chalie/domain"
)

// Each type of the catalogue has an entry, and there is no other; each says all that is said
// of an event, and names only fields that the type has.
func TestEveryTypeHasAnEntry(t *testing.T) {
	defined := map[domain.EventType]bool{}
	for _, d := range domain.Events().Definitions() {
		defined[d.Type] = true
		entry, ok := known(d.Type)
		switch {
		case !ok:
			t.Errorf("%s has no entry: add one to the list of its noun", d.Type)
			continue
		case entry.Kind == "" || entry.Lead == "":
			t.Errorf("nobody said what a trace is called that begins with %s, and what it began with", d.Type)
		case entry.Origin == "" || entry.Why == "":
			t.Errorf("nobody said whether %s is given to a replay or decided again, and why", d.Type)
		}
		for path, why := range entry.Measured {
			if !hasField(d, path) || why == "" {
				t.Errorf("%s of %s isn't compared (%q), and there is no such field", path, d.Type, why)
			}
		}
		for _, path := range entry.Since {
			if !hasField(d, path) {
				t.Errorf("%s of %s was added later, and there is no such field", path, d.Type)
			}
		}
	}
	for name := range entries {
		if !defined[name] {
			t.Errorf("%s has an entry, and there is no such type", name)
		}
	}
}

func hasField(d domain.Definition, path string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "payload."), ".")
	for _, field := range d.Fields {
		if field.Name == name {
			return true
		}
	}
	return false
}

// A type of a newer version is told by its name.
func TestUnknownType(t *testing.T) {
	e := domain.Envelope{Type: "kettle.boiled_over", Version: 1, Payload: domain.JSONPayload([]byte(`{"text":"the tea"}`))}
	for got, want := range map[string]string{
		Line(e): `{"text":"the tea"}`, Label(e, ""): "kettle.boiled_over: the tea", Kind(e.Type): "Kettle boiled over", Lead(e.Type, "Ada", "tea"): "Kettle boiled over:",
	} {
		if got != want {
			t.Errorf("it is told as %q, want %q", got, want)
		}
	}
}

package domain

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyID draws ids that are not none.
func anyID(t *rapid.T, label string) ID {
	var id ID
	copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, label))
	if id.IsZero() {
		id[15] = 1
	}
	return id
}

func TestIDSpellings(t *testing.T) {
	// RFC 9562's example of a version 7 UUID.
	id, err := ParseID("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")
	if err != nil {
		t.Fatal(err)
	}
	if got := id.UUID(); got != "017f22e2-79b0-7cc3-98c4-dc0c0c07398f" {
		t.Errorf("UUID %s", got)
	}
	if got := id.String(); got != "01FWHE4YDGFK1SHH6W1G60EECF" {
		t.Errorf("ULID %s", got)
	}
	if got := id.Millis(); got != 1645557742000 {
		t.Errorf("minted at %d, want 1645557742000", got)
	}
}

func TestIDRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := anyID(t, "id")
		hex := strings.ReplaceAll(id.UUID(), "-", "")
		for _, s := range []string{id.String(), id.UUID(), hex} {
			for _, spelling := range []string{s, strings.ToLower(s), strings.ToUpper(s)} {
				if got, err := ParseID(spelling); got != id || err != nil {
					t.Fatalf("ParseID(%q) = %s, %v, want %s", spelling, got, err, id)
				}
			}
		}
		text, err := json.Marshal(id)
		if err != nil {
			t.Fatal(err)
		}
		var back ID
		if err := json.Unmarshal(text, &back); err != nil || back != id {
			t.Fatalf("JSON %s reads as %s, %v", text, back, err)
		}
	})
}

func TestIDsSortAsTheirSpellings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyID(t, "a"), anyID(t, "b")
		less := string(a[:]) < string(b[:])
		if less != (a.String() < b.String()) || less != (a.UUID() < b.UUID()) {
			t.Fatalf("%s and %s sort differently from their bytes", a, b)
		}
	})
}

func TestParseIDRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":                       "",
		"a word":                        "yesterday",
		"a ULID one short":              "01FWHE4YDGFK1SHH6W1G60EEC",
		"a ULID with a U":               "01FWHE4YDGFK1SHH6W1G60EECU",
		"a ULID over 128 bits":          "81FWHE4YDGFK1SHH6W1G60EECF",
		"a UUID with a dash astray":     "017f22e27-9b0-7cc3-98c4-dc0c0c07398f",
		"a UUID with a letter too far":  "017f22e2-79b0-7cc3-98c4-dc0c0c07398g",
		"a UUID in braces":              "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
		"hex one short":                 "017f22e279b07cc398c4dc0c0c07398",
		"hex with a letter too far":     "017f22e279b07cc398c4dc0c0c07398x",
		"text of many bytes per letter": strings.Repeat("é", 16),
		"36 letters without dashes":     strings.Repeat("a", 36),
		"the nil ULID":                  strings.Repeat("0", 26),
		"the nil UUID":                  "00000000-0000-0000-0000-000000000000",
		"nil in hex":                    strings.Repeat("0", 32),
		"something long":                strings.Repeat("x", 10_000),
	} {
		id, err := ParseID(in)
		if !id.IsZero() || CategoryOf(err) != Validation {
			t.Errorf("%s: %s, %v, want a validation error", name, id, err)
			continue
		}
		if !strings.Contains(err.Error(), "ULID (26 characters), a UUID (36) or 32 hex digits") || len(err.Error()) > 200 {
			t.Errorf("%s: %q doesn't say what to give, briefly", name, err)
		}
	}
}

func TestNoneIsTheEmptyText(t *testing.T) {
	var none ID
	if none.String() != "" || none.UUID() != "" {
		t.Errorf("none is written %q and %q", none.String(), none.UUID())
	}
	back := ID{1}
	if err := json.Unmarshal([]byte(`""`), &back); err != nil || !back.IsZero() {
		t.Errorf("the empty text reads as %s, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`"?"`), &back); CategoryOf(err) != Validation {
		t.Errorf("bad text: %v", err)
	}
}

func TestLineage(t *testing.T) {
	first, second := TraceID{ID{1}}, TraceID{ID{2}}
	cause := Envelope{ID: ID{9}, Trace: first, Parent: ID{8}, Principal: "operator"}
	for _, c := range []struct {
		name string
		got  Lineage
		want Lineage
	}{
		{"something arrives from outside", Begin(first, "clock"), Lineage{Trace: first, Principal: "clock"}},
		{"an envelope causes another", Continue(cause), Lineage{Trace: first, Parent: cause.ID, Principal: "operator"}},
		{"an episode is caused by an earlier one", Resume(cause, second), Lineage{Trace: second, Parent: cause.ID, Principal: "operator"}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
}

// A chain of causes keeps trace and principal, and each points to the one
// before.
func TestLineageOfAChain(t *testing.T) {
	lin := Begin(TraceID{ID{7}}, PrincipalOperator)
	parent := ID{}
	for i := byte(1); i < 5; i++ {
		entry, err := New(lin, ID{i}, 1000, "test", SystemStopped{Reason: "done"})
		if err != nil {
			t.Fatal(err)
		}
		e := entry.Envelope
		if e.Trace != (TraceID{ID{7}}) || e.Principal != PrincipalOperator || e.Parent != parent {
			t.Errorf("envelope %d: trace %s, principal %s, parent %s", i, e.Trace, e.Principal, e.Parent)
		}
		parent, lin = e.ID, Continue(e)
	}
}

func TestEvidenceShape(t *testing.T) {
	text, err := json.Marshal(Evidence{EnvelopeID: ID{15: 1}, Role: "reminder", Weight: 250_000})
	const want = `{"envelope_id":"00000000000000000000000001","role":"reminder","weight":250000}`
	if string(text) != want || err != nil {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}

package domain

import (
	"encoding/json"
	"testing"
)

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

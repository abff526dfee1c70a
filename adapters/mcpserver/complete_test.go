package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/explain"
)

// What a prompt and an address take is completed by what can be asked about: by its words, or its id.
func TestCompletions(t *testing.T) {
	s := openShop(t, time.Hour)
	told, kept, plan, trace := domain.ID{0xa1}, domain.ID{0xa2}, domain.ID{0xa3}, domain.TraceID{ID: domain.ID{0xa4}}
	answers := map[string]any{
		"/api/why": explain.Latest{
			Told: []explain.Told{{ID: told, Said: "I will remind you tomorrow at 9\nto call the dentist, as the bank said. " + strings.Repeat("It is long. ", 20)}, {ID: domain.ID{0xb1}, Said: "42"}},
			Kept: []explain.Kept{{ID: kept, Label: "The bus is late"}},
		},
		"/api/plans": api.Plans{
			Reminders: []api.Plan{{ID: api.UUID{ID: plan}, Text: "call the dentist"}, {ID: api.UUID{ID: domain.ID{0xb3}}, Text: "water the plants"}},
			Lists:     []api.PlanList{{Name: "shopping"}},
		},
		"/api/traces": api.TracePage{Traces: []api.Trace{{TraceID: trace.ID}}},
	}
	s.api = func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewEncoder(w).Encode(answers[r.URL.Path]); err != nil {
			t.Error(err)
		}
	}
	session := s.connect(accepts)
	complete := func(ref *mcp.CompleteReference, name, begun string) []string {
		t.Helper()
		out, err := session.Complete(t.Context(), &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: name, Value: begun}})
		if err != nil {
			t.Fatal(err)
		}
		if out.Completion.Total != len(out.Completion.Values) || out.Completion.HasMore {
			t.Errorf("%d of %d are given, and more: %t", len(out.Completion.Values), out.Completion.Total, out.Completion.HasMore)
		}
		return out.Completion.Values
	}
	why, trc, not := &mcp.CompleteReference{Type: "ref/resource", URI: "chalie://why/{id}"}, &mcp.CompleteReference{Type: "ref/resource", URI: "chalie://trace/{id}"},
		&mcp.CompleteReference{Type: "ref/resource", URI: "chalie://why-not/{id}"}
	prompt := &mcp.CompleteReference{Type: "ref/prompt", Name: "why_did_you"}
	for _, c := range []struct {
		ref         *mcp.CompleteReference
		name, begun string
		want        []string
	}{
		{prompt, "what", "Denti", []string{"dentist, as the bank said.", "call the dentist"}},
		{why, "id", "la", []string{"last"}},
		{why, "id", "bank", []string{"as the bank said", "bank"}},
		{why, "id", told.UUID()[:5], []string{told.UUID()}},
		{why, "id", "water", nil}, // nothing was told of it, so nothing is found by it
		{trc, "id", trace.UUID()[:6], []string{trace.UUID()}},
		{not, "id", "bus", []string{"The bus is late"}},
		{not, "id", "water", []string{"water the plants"}},
		{not, "id", "pay", []string{"pay"}},
		{not, "id", kept.UUID()[:5], []string{kept.UUID()}},
		{not, "id", "nothing of it", nil},
	} {
		got := complete(c.ref, c.name, c.begun)
		fits := len(got) == len(c.want)
		for _, want := range c.want {
			fits = fits && slices.ContainsFunc(got, func(value string) bool { return strings.Contains(value, want) })
		}
		if !fits {
			t.Errorf("%q of %s is completed by %q, want %q", c.begun, c.ref.URI+c.ref.Name, got, c.want)
		}
		for _, value := range got {
			if len(value) > 120 || strings.ContainsAny(value, "\n…") {
				t.Errorf("%q is offered", value)
			}
		}
	}
	if all := complete(why, "id", ""); len(all) < 5 || all[0] != "last" || slices.Contains(all, "42") {
		t.Errorf("without a word it is completed by %q", all)
	}
	for _, ref := range []*mcp.CompleteReference{{Type: "ref/prompt", Name: "sing"}, {Type: "ref/resource", URI: "chalie://plans"}} {
		if _, err := session.Complete(t.Context(), &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: "what"}}); err == nil || !strings.Contains(err.Error(), "resources/templates/list") {
			t.Errorf("%v is answered with %v", ref, err)
		}
	}
}

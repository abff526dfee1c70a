package tool_test

import (
	"slices"
	"testing"

	"chalie/commands/commandstest"
	"chalie/domain"
)

// A yes for the future is recorded with the call, beside what was said of the tool before,
// and only of a tool that asks for no other reason.
func TestYesForTheFuture(t *testing.T) {
	always, never, yes := domain.AskAlways, domain.AskNever, true
	for _, c := range []struct {
		name  string
		tool  domain.Tool
		said  *domain.CapabilityChanged
		plain bool // it is no yes for the future
		want  *domain.CapabilityChanged
	}{
		{name: "nothing said", tool: domain.Tool{Name: "list_shapes"}, want: &domain.CapabilityChanged{Ask: &never}},
		{name: "something else said", tool: domain.Tool{Name: "list_shapes"}, said: &domain.CapabilityChanged{Unasked: &yes}, want: &domain.CapabilityChanged{Unasked: &yes, Ask: &never}},
		{name: "a plain call", tool: domain.Tool{Name: "list_shapes"}, plain: true},
		{name: "always ask", tool: domain.Tool{Name: "list_shapes"}, said: &domain.CapabilityChanged{Ask: &always}},
		{name: "said before", tool: domain.Tool{Name: "list_shapes"}, said: &domain.CapabilityChanged{Ask: &never}},
		{name: "it wants approval", tool: domain.Tool{Name: "list_shapes", RequiresApproval: true}},
		{name: "it may move money", tool: domain.Tool{Name: "pay"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			id := w.Pair("board", 9009, c.tool)
			capability := id.UUID() + "/" + c.tool.Name
			book := &domain.Rulebook{}
			if c.said != nil {
				c.said.CapabilityID = capability
				book.Manifests = map[string]domain.CapabilityChanged{capability: *c.said}
			}
			w.Regime = book
			in := inAnEpisode(t, w)
			in.Tool, in.Params, in.FromNowOn = c.tool.Name, nil, !c.plain
			in.Footing = &domain.Footing{OwnReading: true}
			out, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
			if err != nil {
				t.Fatal(err)
			}
			records := w.Records(domain.TopicPolicy)
			if c.want == nil {
				if len(records) > 0 {
					t.Fatalf("recorded is %s", records[0].Envelope.Payload.Bytes)
				}
				return
			}
			if len(records) != 1 {
				t.Fatalf("%d changes are recorded", len(records))
			}
			steps := w.Records(domain.TopicTools)
			e := records[0].Envelope
			said := commandstest.Decoded[domain.CapabilityChanged](t, records[0])
			if said.CapabilityID != capability || *said.Ask != never || (said.Unasked != nil) != (c.want.Unasked != nil) {
				t.Errorf("recorded is %+v", said)
			}
			if e.Parent != out.ID || e.Principal != domain.PrincipalOperator || !slices.Equal(e.Keys, []domain.Key{domain.PolicyKey}) || records[0].Position != steps[1].Position+1 {
				t.Errorf("it is recorded as %+v at %d", e, records[0].Position)
			}
			if dispatched := steps[2].Envelope; dispatched.Parent != steps[1].Envelope.ID {
				t.Errorf("the call rests on %s, not on its decision", dispatched.Parent)
			}
			if err := book.Evolve(records[0]); err != nil {
				t.Fatal(err)
			}
			in = inAnEpisode(t, w)
			in.Tool, in.Params, in.FromNowOn = c.tool.Name, nil, true
			in.Footing = &domain.Footing{OwnReading: true}
			if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err != nil || len(w.Records(domain.TopicPolicy)) != 1 {
				t.Errorf("said again: %v, %d changes", err, len(w.Records(domain.TopicPolicy)))
			}
		})
	}
}

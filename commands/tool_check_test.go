package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// wantsAt is a checker that wants the word "at" in what is answered.
type wantsAt struct{}

func (wantsAt) Check(schema, value json.RawMessage) ([]string, bool) {
	if !strings.Contains(string(schema), "type") {
		return nil, false
	}
	if strings.Contains(string(value), `"at"`) {
		return nil, true
	}
	return []string{"at is missing in " + string(value)}, true
}

// booking is a workshop whose tool says what it returns and tells its state.
func booking(t *testing.T, returns, snapshot string) *workshop {
	w := newWorkshop(t)
	w.formats = wantsAt{}
	w.pair("desk", 9005, domain.Tool{Name: "book", Parameters: []domain.Parameter{}, Returns: []byte(returns), StateSnapshot: snapshot})
	return w
}

func TestAnswersAreChecked(t *testing.T) {
	verified := append(slices.Clone(wholeCall), "tool.verified")
	for _, c := range []struct {
		name, returns string
		answer        commands.Result
		want          []domain.EventType
		issues        int
	}{
		{"as declared", `{"type":"object"}`, commands.Result{Data: []byte(`{"at":1}`)}, verified, 0},
		{"in a text", `{"type":"object"}`, answered(` {"at":1}`), verified, 0},
		{"otherwise", `{"type":"object"}`, commands.Result{Data: []byte(`{"on":1}`)}, verified, 1},
		{"a plain text", `{"type":"object"}`, answered("at three"), verified, 1},
		{"nothing", `{"type":"object"}`, commands.Result{}, verified, 1},
		{"no schema", `{"what":"a date"}`, commands.Result{}, wholeCall, 0},
		{"nothing declared", ``, commands.Result{}, wholeCall, 0},
		{"its own failure", `{"type":"object"}`, commands.Result{Error: new("full")}, wholeCall, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := booking(t, c.returns, "")
			w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return c.answer, nil }
			in := inAnEpisode(t, w)
			in.Tool, in.Params = "book", nil
			for range 2 { // told the same from the log
				got, err := w.tools().Call(t.Context(), ada, in)
				if err != nil || got.Outcome != "tool.completed" || len(got.Issues) != c.issues {
					t.Errorf("told %+v, %v", got, err)
				}
			}
			records := w.happened(c.want...)
			lawfulTools(t, records, true)
			if len(records) < 5 {
				return
			}
			if v := decoded[domain.ToolVerified](t, records[4]); v.Passed != (c.issues == 0) || len(v.Errors) != c.issues || records[4].Envelope.Parent != records[3].Envelope.ID {
				t.Errorf("verified %+v", v)
			}
		})
	}
}

func TestStatesAreTaken(t *testing.T) {
	w := booking(t, `{"type":"object"}`, "list_bookings")
	seats := 1
	w.peer.do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
		if call.Capability == "book" {
			seats++
			return commands.Result{Data: []byte(`{"at":1}`)}, nil
		}
		return commands.Result{Data: fmt.Appendf(nil, `{"seats":%d}`, seats), Text: new(fmt.Sprint(seats, " booked"))}, nil
	}
	got, err := w.tools().Invoke(t.Context(), ada, commands.Invocation{Tool: "book"})
	if err != nil || got.Outcome != "tool.completed" {
		t.Fatalf("told %+v, %v", got, err)
	}
	records := w.happened("tool.invoked", "policy.decided", "tool.state_taken", "tool.dispatched", "tool.completed", "tool.state_taken", "tool.verified")
	lawfulTools(t, records, true)
	before, after := decoded[domain.StateTaken](t, records[2]), decoded[domain.StateTaken](t, records[5])
	if string(before.State) != `{"seats":1}` || before.When != domain.BeforeCall || string(after.State) != `{"seats":2}` || after.When != domain.AfterCall || after.Description != "2 booked" {
		t.Errorf("taken are %+v and %+v", before, after)
	}
	id := got.ID.UUID()
	if want := map[string]int{id: 1, id + "-before": 1, id + "-after": 1}; fmt.Sprint(w.peer.calls) != fmt.Sprint(want) {
		t.Errorf("called were %v", w.peer.calls)
	}
}

// That a state can't be had is recorded, and stops nothing.
func TestStateThatCantBeHad(t *testing.T) {
	for name, answer := range map[string]func() (commands.Result, error){
		"lost": func() (commands.Result, error) {
			return commands.Result{}, peerFails(commands.CodePeerUnknown, "it went away")
		},
		"an error": func() (commands.Result, error) { return commands.Result{Error: new("not today")}, nil },
		"too large": func() (commands.Result, error) {
			return commands.Result{Data: make([]byte, domain.MaxStateBytes+1)}, nil
		},
	} {
		w := booking(t, "", "list_bookings")
		w.peer.do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
			if call.Capability == "book" {
				return answered("done"), nil
			}
			return answer()
		}
		got, err := w.tools().Invoke(t.Context(), ada, commands.Invocation{Tool: "book"})
		if err != nil || got.Outcome != "tool.completed" {
			t.Errorf("%s: told %+v, %v", name, got, err)
		}
		records := w.happened("tool.invoked", "policy.decided", "tool.state_taken", "tool.dispatched", "tool.completed", "tool.state_taken")
		if taken := decoded[domain.StateTaken](t, records[2]); taken.Problem == "" || len(taken.State) > 0 && string(taken.State) != "null" {
			t.Errorf("%s: taken %+v", name, taken)
		}
	}
}

// Where the log fails at a dispatch, what was taken before it is not in the way.
func TestStateAndARefusedDispatch(t *testing.T) {
	w := booking(t, "", "list_bookings")
	w.door.set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "tool.state_taken" {
			return diskFull()
		}
		return nil
	}, nil)
	got, err := w.tools().Invoke(t.Context(), ada, commands.Invocation{Tool: "book"})
	if err != nil || got.Fault.Code != domain.CodeNotDispatched {
		t.Errorf("told %+v, %v", got, err)
	}
	lawfulTools(t, w.happened("tool.invoked", "policy.decided", "tool.failed"), true)
}

// An interface may have something else done for what it is doing, by the same gate:
// the principal stays, it waits for the person, and what isn't under way has no part in it.
func TestNested(t *testing.T) {
	w := newWorkshop(t)
	desk := w.pair("desk", 9005, domain.Tool{Name: "book", Parameters: []domain.Parameter{}})
	self := commands.Caller{Name: "desk", Source: "interface/desk", Principal: domain.Principal(desk.UUID())}
	var inner commands.Invoked
	tools := w.tools()
	w.peer.do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
		parent, err := domain.ParseID(call.Key)
		if err != nil {
			return commands.Result{}, err
		}
		in := cancels()
		in.Parent = parent
		inner, err = tools.Invoke(t.Context(), self, in)
		return answered("asked"), err
	}
	outer, err := tools.Invoke(t.Context(), ada, commands.Invocation{Tool: "book"})
	if err != nil || outer.Outcome != "tool.completed" || inner.Outcome != "approval.proposed" {
		t.Fatalf("told %+v and %+v, %v", outer, inner, err)
	}
	for _, rec := range w.records(domain.TopicTools) {
		if id, _ := domain.InvocationOf(rec.Envelope); id != inner.ID {
			continue
		}
		if e := rec.Envelope; e.Trace.ID != outer.ID || e.Principal != domain.PrincipalOperator {
			t.Errorf("%s is in %s, by %s", e.Type, e.Trace, e.Principal)
		}
		if rec.Envelope.Type == "policy.decided" {
			d := decoded[domain.PolicyDecided](t, rec)
			if d.Depth != 1 || d.ParentInvocationID != outer.ID || d.Actor != domain.InterfaceActor(desk) || d.Channel != domain.ChannelNested || d.ReasonCodes[0] != "through_a_token" {
				t.Errorf("decided %+v", d)
			}
		}
	}
	in := cancels()
	in.Parent = outer.ID
	_, err = tools.Invoke(t.Context(), self, in)
	refused(t, err, domain.Policy, "parent_not_under_way")
	other := self
	other.Principal = domain.Principal(w.ids.NewID().UUID())
	_, err = tools.Invoke(t.Context(), other, in)
	refused(t, err, domain.Policy, "other_principal")
}

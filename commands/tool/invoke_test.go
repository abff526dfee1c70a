package tool_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

func TestAnswersAreChecked(t *testing.T) {
	verified := append(slices.Clone(wholeCall), "tool.verified")
	for _, c := range []struct {
		name, returns string
		answer        commands.Result
		want          []domain.EventType
		issues        int
	}{
		{"as declared", `{"type":"object"}`, commands.Result{Data: []byte(`{"at":1}`)}, verified, 0},
		{"in a text", `{"type":"object"}`, commandstest.Answered(` {"at":1}`), verified, 0},
		{"otherwise", `{"type":"object"}`, commands.Result{Data: []byte(`{"on":1}`)}, verified, 1},
		{"too much to check", `{"type":"object"}`, commands.Result{Data: []byte(`{"heavy":1}`)}, verified, 1},
		{"in words", `{"type":"object"}`, commandstest.Answered("at three"), wholeCall, 0},
		{"in words, a number in them", `{"type":"number"}`, commandstest.Answered("3"), wholeCall, 0},
		{"in blocks", `{"type":"object"}`, commands.Result{Blocks: []domain.Block{domain.TextBlock("at three", domain.FormatPlain)}}, wholeCall, 0},
		{"a list in a text", `{"type":"object"}`, commandstest.Answered(`["on"]`), verified, 1},
		{"words, where a text is declared", `{"type":["string","null"]}`, commandstest.Answered("at three"), verified, 1},
		{"words, where one of some texts is", `{"anyOf":[{"enum":["at four"]},{"type":"object"}]}`, commandstest.Answered("at three"), verified, 1},
		{"nothing", `{"type":"object"}`, commands.Result{}, verified, 1},
		{"no schema", `{"what":"a date"}`, commands.Result{}, wholeCall, 0},
		{"nothing declared", ``, commands.Result{}, wholeCall, 0},
		{"its own failure", `{"type":"object"}`, commands.Result{Error: new("full")}, wholeCall, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := commandstest.Booking(t, c.returns, "")
			w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return c.answer, nil }
			in := inAnEpisode(t, w)
			in.Tool, in.Params = "book", nil
			for range 2 { // told the same from the log
				got, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
				if err != nil || got.Outcome != "tool.completed" || len(got.Issues) != c.issues {
					t.Errorf("told %+v, %v", got, err)
				}
			}
			records := w.Happened(c.want...)
			lawfulTools(t, records, true)
			if len(records) < 5 {
				return
			}
			if v := commandstest.Decoded[domain.ToolVerified](t, records[4]); v.Passed != (c.issues == 0) || len(v.Errors) != c.issues || len(v.Plain) != c.issues || records[4].Envelope.Parent != records[3].Envelope.ID {
				t.Errorf("verified %+v", v)
			}
		})
	}
}

// Params that aren't what the schema says are refused in plain words, and those that are
// recorded of it go along.
func TestParamsAreChecked(t *testing.T) {
	w := commandstest.Booking(t, "", "")
	w.Pair("board", 9009, domain.Tool{Name: "sketch", Schema: []byte(`{"type":"object"}`)})
	_, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "sketch", Params: []byte(`{"on":1}`)})
	wrong, ok := errors.AsType[tool.Misfits](err)
	if domain.CategoryOf(err) != domain.Validation || commands.InWords(err) != "“at” is missing" || !ok || wrong.Words() != `at is missing in {"on":1}` {
		t.Errorf("the error is %v, recorded as %q", err, wrong.Words())
	}
}

func TestStatesAreTaken(t *testing.T) {
	w := commandstest.Booking(t, `{"type":"object"}`, "list_bookings")
	seats := 1
	w.Peer.Do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
		if call.Capability == "book" {
			seats++
			return commands.Result{Data: []byte(`{"at":1}`)}, nil
		}
		return commands.Result{Data: fmt.Appendf(nil, `{"seats":%d}`, seats), Text: new(fmt.Sprint(seats, " booked"))}, nil
	}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "book"})
	if err != nil || got.Outcome != "tool.completed" {
		t.Fatalf("told %+v, %v", got, err)
	}
	records := w.Happened("tool.invoked", "policy.decided", "tool.state_taken", "tool.dispatched", "tool.completed", "tool.state_taken", "tool.verified")
	lawfulTools(t, records, true)
	before, after := commandstest.Decoded[domain.StateTaken](t, records[2]), commandstest.Decoded[domain.StateTaken](t, records[5])
	if string(before.State) != `{"seats":1}` || before.When != domain.BeforeCall || string(after.State) != `{"seats":2}` || after.When != domain.AfterCall || after.Description != "2 booked" {
		t.Errorf("taken are %+v and %+v", before, after)
	}
	id := got.ID.UUID()
	if want := map[string]int{id: 1, id + "-before": 1, id + "-after": 1}; fmt.Sprint(w.Peer.Calls) != fmt.Sprint(want) {
		t.Errorf("called were %v", w.Peer.Calls)
	}
}

// That a state can't be had is recorded, and stops nothing.
func TestStateThatCantBeHad(t *testing.T) {
	for name, answer := range map[string]func() (commands.Result, error){
		"lost": func() (commands.Result, error) {
			return commands.Result{}, commandstest.PeerFails(commands.CodePeerUnknown, "it went away")
		},
		"an error": func() (commands.Result, error) { return commands.Result{Error: new("not today")}, nil },
		"too large": func() (commands.Result, error) {
			return commands.Result{Data: make([]byte, domain.MaxStateBytes+1)}, nil
		},
	} {
		w := commandstest.Booking(t, "", "list_bookings")
		w.Peer.Do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
			if call.Capability == "book" {
				return commandstest.Answered("done"), nil
			}
			return answer()
		}
		got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "book"})
		if err != nil || got.Outcome != "tool.completed" {
			t.Errorf("%s: told %+v, %v", name, got, err)
		}
		records := w.Happened("tool.invoked", "policy.decided", "tool.state_taken", "tool.dispatched", "tool.completed", "tool.state_taken")
		if taken := commandstest.Decoded[domain.StateTaken](t, records[2]); taken.Problem == "" || len(taken.State) > 0 && string(taken.State) != "null" {
			t.Errorf("%s: taken %+v", name, taken)
		}
	}
}

// Where the log fails at a dispatch, what was taken before it is not in the way.
func TestStateAndARefusedDispatch(t *testing.T) {
	w := commandstest.Booking(t, "", "list_bookings")
	w.Door.Set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "tool.state_taken" {
			return diskFull()
		}
		return nil
	}, nil)
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "book"})
	if err != nil || got.Fault.Code != domain.CodeNotDispatched {
		t.Errorf("told %+v, %v", got, err)
	}
	lawfulTools(t, w.Happened("tool.invoked", "policy.decided", "tool.failed"), true)
}

// An interface may have something else done for what it is doing, by the same gate:
// the principal stays, it waits for the person, and what isn't under way has no part in it.
func TestNested(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	desk := w.Pair("desk", 9005, domain.Tool{Name: "book", Parameters: []domain.Parameter{}})
	self := commands.Caller{Name: "desk", Source: "interface/desk", Principal: domain.Principal(desk.UUID())}
	var inner tool.Invoked
	tools := w.Tools()
	w.Peer.Do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
		parent, err := domain.ParseID(call.Key)
		if err != nil {
			return commands.Result{}, err
		}
		in := commandstest.Cancels()
		in.Parent = parent
		inner, err = tools.Invoke(t.Context(), self, in)
		return commandstest.Answered("asked"), err
	}
	outer, err := tools.Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "book"})
	if err != nil || outer.Outcome != "tool.completed" || inner.Outcome != "approval.proposed" {
		t.Fatalf("told %+v and %+v, %v", outer, inner, err)
	}
	for _, rec := range w.Records(domain.TopicTools) {
		if id, _ := domain.InvocationOf(rec.Envelope); id != inner.ID {
			continue
		}
		if e := rec.Envelope; e.Trace.ID != outer.ID || e.Principal != domain.PrincipalOperator {
			t.Errorf("%s is in %s, by %s", e.Type, e.Trace, e.Principal)
		}
		if rec.Envelope.Type == "policy.decided" {
			d := commandstest.Decoded[domain.PolicyDecided](t, rec)
			if d.Depth != 1 || d.ParentInvocationID != outer.ID || d.Actor != domain.InterfaceActor(desk) || d.Channel != domain.ChannelNested || d.ReasonCodes[0] != "through_a_token" {
				t.Errorf("decided %+v", d)
			}
		}
	}
	in := commandstest.Cancels()
	in.Parent = outer.ID
	_, err = tools.Invoke(t.Context(), self, in)
	commandstest.Refused(t, err, domain.Policy, "parent_not_under_way")
	other := self
	other.Principal = domain.Principal(w.IDs.NewID().UUID())
	_, err = tools.Invoke(t.Context(), other, in)
	commandstest.Refused(t, err, domain.Policy, "other_principal")
}

// What a program does for the person by an op of its own that changes nothing is a part of the
// person's call, and waits for nobody. Anything else does.
func TestNestedPart(t *testing.T) {
	harmless, changes := false, true
	op := func(name string, t domain.Tool) domain.Tool {
		t.Name, t.Kind, t.Parameters = name, domain.KindOp, []domain.Parameter{}
		return t
	}
	for _, c := range []struct {
		name string
		op   domain.Tool
		by   commands.Caller
		want domain.EventType
	}{
		{"pure", op("add", domain.Tool{SideEffects: &harmless, Autonomy: domain.AutonomyFull}), commandstest.Ada, domain.ToolCompletedType},
		{"it changes something", op("add", domain.Tool{SideEffects: &changes, Autonomy: domain.AutonomyFull}), commandstest.Ada, domain.ApprovalProposedType},
		{"it is supervised", op("add", domain.Tool{SideEffects: &harmless, Autonomy: domain.AutonomySupervised}), commandstest.Ada, domain.ApprovalProposedType},
		{"it wants approval", op("add", domain.Tool{SideEffects: &harmless, Autonomy: domain.AutonomyFull, RequiresApproval: true}), commandstest.Ada, domain.ApprovalProposedType},
	} {
		w := commandstest.NewWorkshop(t)
		desk := w.Pair("sums", 9005, op("sum", domain.Tool{}), c.op)
		self := commands.Caller{Name: "sums", Source: "interface/sums", Principal: domain.Principal(desk.UUID())}
		var inner tool.Invoked
		tools := w.Tools()
		w.Peer.Do = func(_ context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
			if call.Capability == "add" {
				return commandstest.Answered("3"), nil
			}
			parent, err := domain.ParseID(call.Key)
			if err != nil {
				return commands.Result{}, err
			}
			inner, err = tools.Invoke(t.Context(), self, tool.Invocation{Tool: "add", Parent: parent})
			return commandstest.Answered("asked"), err
		}
		if outer, err := tools.Invoke(t.Context(), c.by, tool.Invocation{Tool: "sum"}); err != nil || outer.Outcome != domain.ToolCompletedType || inner.Outcome != c.want {
			t.Errorf("%s: told %+v and %+v, %v", c.name, outer, inner, err)
		}
	}
}

// inAnEpisode is a tool call of a reply that stands in the log.
func inAnEpisode(t *testing.T, w *commandstest.Workshop) tool.Invocation {
	t.Helper()
	said := w.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: said}, domain.PrincipalOperator), said, 1, "api", domain.MessageReceived{Text: "cancel it"})
	if err == nil {
		_, err = w.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	in := commandstest.Cancels()
	in.Parent, in.CallKey, in.Channel = said, domain.CallKey(said, 0), domain.ChannelChat
	return in
}

// until calls as a reasoner does: again with a new process while it fails.
func until(t *testing.T, w *commandstest.Workshop, in tool.Invocation) tool.Invoked {
	t.Helper()
	out, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
	for range 3 {
		if err == nil {
			break
		}
		w.Restart()
		out, err = w.Tools().Call(t.Context(), commandstest.Ada, in)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCall(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	first, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
	if err != nil || first.Outcome != "tool.completed" || orNone(first.Result.Text) != "done" {
		t.Fatalf("told %+v, %v", first, err)
	}
	records := w.Happened(wholeCall...)
	for _, rec := range records {
		if rec.Envelope.Trace.ID != in.Parent {
			t.Errorf("%s is in trace %s", rec.Envelope.Type, rec.Envelope.Trace)
		}
	}
	if e := records[0].Envelope; e.Parent != in.Parent || !slices.Equal(e.Keys, []domain.Key{in.CallKey}) {
		t.Errorf("invoked with %+v", e)
	}
	tail := w.Log.Tail()
	again, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(first) && orNone(again.Result.Text) != "done" || again.ID != first.ID {
		t.Errorf("told %+v, then %+v, %v", first, again, err)
	}
	if w.Log.Tail() != tail || w.Peer.Times() != 1 {
		t.Errorf("%d more records, %d calls", w.Log.Tail()-tail, w.Peer.Times())
	}
}

// Killed just before or just after any append, the call goes on, and is made at
// most once.
func TestKilledAtEveryStepOfACallInAnEpisode(t *testing.T) {
	for _, c := range []struct {
		step     int
		recorded bool
		end      domain.EventType
		calls    int
	}{
		{1, false, "tool.completed", 1}, {1, true, "tool.completed", 1},
		{2, false, "tool.completed", 1}, {2, true, "tool.outcome_unknown", 0},
		{3, false, "tool.outcome_unknown", 1}, {3, true, "tool.completed", 1},
	} {
		t.Run(fmt.Sprintf("step %d, recorded %t", c.step, c.recorded), func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			in := inAnEpisode(t, w)
			w.FailAt(c.step, c.recorded, commandstest.Dead)
			if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
				t.Fatal("the log took everything")
			}
			got := until(t, w, in)
			if got.Outcome != c.end || w.Peer.Times() != c.calls {
				t.Errorf("%s after %d calls, want %s after %d", got.Outcome, w.Peer.Times(), c.end, c.calls)
			}
			if ends := lawfulTools(t, w.Records(domain.TopicTools), true); len(ends) != 1 || ends[got.ID] != c.end {
				t.Errorf("the ends are %v", ends)
			}
		})
	}
}

// The start leaves the calls of episodes to them.
func TestRecoverLeavesEpisodes(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	w.FailAt(2, false, commandstest.Dead)
	if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.Restart()
	w.Happened("tool.invoked", "policy.decided")
	if got := until(t, w, in); got.Outcome != "tool.completed" {
		t.Errorf("told %+v", got)
	}
}

func TestCallGivenUp(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	w.FailAt(2, false, commandstest.Dead)
	if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.Door.Set(nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.Tools().Call(ctx, commandstest.Ada, in)
	commandstest.Refused(t, err, domain.Dependency, "cancelled")
	if !domain.IsRetriable(err) {
		t.Error("it can't be tried again")
	}
	w.Happened("tool.invoked", "policy.decided")
}

func TestCallOfWhatIsGone(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	w.FailAt(2, false, commandstest.Dead)
	if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.Door.Set(nil, nil)
	commandstest.Shelve(t, w.Registry, w.IDs.NewID(), domain.InterfaceWentOffline{InterfaceID: w.Tools().Offers()[0].Interface.ID, Failures: 3})
	got := until(t, w, in)
	if got.Outcome != "tool.failed" || got.Fault.Code != domain.CodeNotDispatched || w.Peer.Times() != 0 {
		t.Errorf("told %+v", got)
	}
}

// What can't be called at all is an error, and nothing is recorded.
func TestCallRefused(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	for _, spoil := range []func(*tool.Invocation){
		func(in *tool.Invocation) { in.CallKey = "" },
		func(in *tool.Invocation) { in.Key = "both" },
		func(in *tool.Invocation) { in.Params = []byte(`{}`) },
	} {
		bad := in
		spoil(&bad)
		if _, err := w.Tools().Call(t.Context(), commandstest.Ada, bad); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	bad := in
	bad.Tool = "fly"
	_, err := w.Tools().Call(t.Context(), commandstest.Ada, bad)
	commandstest.Refused(t, err, domain.NotFound, domain.CodeNoTool)
	w.Happened()
}

func TestCalledAtOnce(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	tools := w.Tools()
	var running sync.WaitGroup
	for range 16 {
		running.Go(func() {
			if got, err := tools.Call(t.Context(), commandstest.Ada, in); err != nil || got.Outcome != "tool.completed" {
				t.Errorf("told %+v, %v", got, err)
			}
		})
	}
	running.Wait()
	w.Happened(wholeCall...)
	if w.Peer.Times() != 1 {
		t.Errorf("%d calls", w.Peer.Times())
	}
}

// What was cancelled before the call left doesn't leave; what has left is settled.
func TestACancelledCall(t *testing.T) {
	for _, c := range []struct {
		name string
		at   domain.EventType // whose append the first process dies of
		then []domain.EventType
	}{
		{"before it leaves", "tool.dispatched", []domain.EventType{"tool.invoked", "policy.decided", "tool.failed"}},
		{"after it left", "tool.completed", []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			in := inAnEpisode(t, w)
			w.Door.Set(func(b domain.Batch) error {
				if b.Entries[0].Envelope.Type == c.at {
					return &domain.Error{Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true, Message: "dead"}
				}
				return nil
			}, nil)
			if out, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
				t.Fatalf("told %+v", out)
			}
			w.Door.Set(nil, nil)
			made := w.Peer.Times()
			in.Cancelled = true
			if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err != nil {
				t.Fatal(err)
			}
			w.Happened(c.then...)
			if w.Peer.Times() != made {
				t.Error("it was called after it was cancelled")
			}
		})
	}
}

// A log may hold a tool from before schemas had a bound. It isn't called, which is said by its
// name; nothing is recorded, and the tool beside it is.
func TestToolsThatWereTakenInUnbounded(t *testing.T) {
	var defs strings.Builder
	for i := range 40 {
		fmt.Fprintf(&defs, `"a%d":{"allOf":[{"$ref":"#/$defs/a%[2]d"},{"$ref":"#/$defs/a%[2]d"}]},`, i, i+1)
	}
	heavy := []byte(`{"$defs":{` + defs.String() + `"a40":{"type":"string"}},"type":"object","properties":{"q":{"$ref":"#/$defs/a0"}}}`)
	for name, sketch := range map[string]domain.Tool{
		"what it takes":   {Name: "sketch", Schema: heavy},
		"what it returns": {Name: "sketch", Returns: heavy},
	} {
		t.Run(name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			w.Pair("board", 9009, sketch, domain.Tool{Name: "wipe"})
			in := inAnEpisode(t, w)
			in.Tool, in.Params = "sketch", nil
			_, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
			if domain.CodeOf(err) != domain.CodeSchemaTooLarge || !strings.Contains(err.Error(), "tool sketch can't be used") {
				t.Errorf("the error is %v", err)
			}
			if records := w.Records(domain.TopicTools); len(records) > 0 {
				t.Errorf("%d steps are recorded", len(records))
			}
			in.Tool = "wipe"
			if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err != nil {
				t.Error(err)
			}
		})
	}
}

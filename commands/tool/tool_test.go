package tool_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

var wholeCall = []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.completed"}

func TestInvoke(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	url := "https://hospital.example/apt_1"
	answer := commands.Result{Text: new(string), Data: []byte(`{"ok":true}`), Blocks: []domain.Block{domain.TextBlock("done", domain.FormatPlain)}, OpenURL: &url}
	*answer.Text = "cancelled"
	began := domain.MillisOf(w.Clock.Now())
	var call commands.Call
	w.Peer.Do = func(_ context.Context, at commands.Endpoint, c commands.Call) (commands.Result, error) {
		w.Happened(wholeCall[:3]...)
		if at != (commands.Endpoint{Host: "127.0.0.1", Port: 9001}) {
			t.Errorf("called at %+v", at)
		}
		call = c
		w.Clock.Advance(millis(1200))
		return answer, nil
	}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "hospital.cancel", Params: []byte(` {"urgent": null, "id" : "apt_1"}`), Channel: "chat"})
	if err != nil {
		t.Fatal(err)
	}
	want := tool.Invoked{ID: got.ID, Outcome: "tool.completed", Result: answer}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("told\n%+v\nwant\n%+v", got, want)
	}
	if call.Lineage.Trace.ID != got.ID || call.Lineage.Principal != domain.PrincipalOperator || call.Lineage.Parent.IsZero() {
		t.Errorf("called in %+v", call.Lineage)
	}
	call.Lineage = domain.Lineage{}
	if want := (commands.Call{Capability: "cancel", Params: []byte(`{"id":"apt_1","urgent":null}`), Key: got.ID.UUID()}); !reflect.DeepEqual(call, want) {
		t.Errorf("called with %+v, want %+v", call, want)
	}
	if w.Peer.Times() != 1 {
		t.Errorf("%d calls", w.Peer.Times())
	}

	records := w.Happened(wholeCall...)
	hospital := w.Tools().Offers()[0].Interface
	parents := []domain.ID{{}, got.ID, records[1].Envelope.ID, records[2].Envelope.ID}
	for i, rec := range records {
		e := rec.Envelope
		wantEnvelope := domain.Envelope{ID: e.ID, Trace: domain.TraceID{ID: got.ID}, Parent: parents[i], Timestamp: began,
			Kind:   []domain.Kind{domain.KindCommand, domain.KindEvent, domain.KindEvent, domain.KindResult}[i],
			Source: []domain.Source{"api", "policy", "tools", "tools"}[i], Principal: domain.PrincipalOperator,
			Type: wholeCall[i], Version: e.Version, Keys: []domain.Key{domain.InvocationKey(got.ID)}, Payload: e.Payload}
		if i == 0 {
			wantEnvelope.ID, wantEnvelope.Keys = got.ID, nil
		}
		if i == 3 {
			wantEnvelope.Timestamp = began.Add(millis(1200))
		}
		if !reflect.DeepEqual(e, wantEnvelope) {
			t.Errorf("%s is\n%+v\nwant\n%+v", e.Type, e, wantEnvelope)
		}
	}
	params := call.Params
	if got, want := commandstest.Decoded[domain.ToolInvoked](t, records[0]), (domain.ToolInvoked{InterfaceID: hospital.ID, Tool: "cancel",
		Params: params, Actor: "operator", Channel: "chat"}); !reflect.DeepEqual(got, want) {
		t.Errorf("invoked %+v, want %+v", got, want)
	}
	if got, want := commandstest.Decoded[domain.PolicyDecided](t, records[1]), (domain.PolicyDecided{DecisionID: records[1].Envelope.ID, InvocationID: got.ID, Actor: "operator", Channel: "chat",
		CapabilityID: hospital.ID.UUID() + "/cancel", CapabilityVersion: "1.2", SideEffects: true, Autonomy: domain.AutonomyFull,
		RegimeID: (&domain.Rulebook{}).ID(), Verdict: domain.VerdictAllowed, Allowed: true,
		ReasonCodes: []string{"asked_in_words", "has_side_effects", "autonomy_full"}, Obligations: []string{}, Words: []domain.Words{}, Carried: []domain.ID{}}); !reflect.DeepEqual(got, want) {
		t.Errorf("decided %+v, want %+v", got, want)
	}
	if sent := commandstest.Decoded[domain.ToolDispatched](t, records[2]); sent.InvocationID != got.ID {
		t.Errorf("dispatched %+v", sent)
	}
	if end, want := commandstest.Decoded[domain.ToolCompleted](t, records[3]), (domain.ToolCompleted{InvocationID: got.ID, Text: answer.Text, Data: answer.Data,
		Blocks: answer.Blocks, OpenURL: answer.OpenURL, DurationMS: 1200}); !reflect.DeepEqual(end, want) {
		t.Errorf("completed %+v, want %+v", end, want)
	}
	lawfulTools(t, records, true)
}

func TestInvokeWithoutParameters(t *testing.T) {
	for _, params := range []string{"", "null", "{}", " { } "} {
		w := commandstest.NewWorkshop(t)
		w.Peer.Do = func(_ context.Context, _ commands.Endpoint, c commands.Call) (commands.Result, error) {
			if string(c.Params) != "{}" {
				t.Errorf("%q is sent as %s", params, c.Params)
			}
			return commands.Result{}, nil
		}
		got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: "status", Params: []byte(params)})
		if err != nil || !reflect.DeepEqual(got, tool.Invoked{ID: got.ID, Outcome: "tool.completed"}) {
			t.Errorf("%q: told %+v, %v", params, got, err)
		}
		records := w.Happened(wholeCall...)
		if in := commandstest.Decoded[domain.ToolInvoked](t, records[0]); string(in.Params) != "{}" || in.Channel != "api" {
			t.Errorf("%q: invoked %+v", params, in)
		}
	}
}

func TestInvokeForACause(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	said := w.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: said}, domain.PrincipalOperator), said, 1, "api", domain.MessageReceived{Text: "cancel it"})
	if err == nil {
		_, err = w.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	in := commandstest.Cancels()
	in.Parent = said
	outer, err := w.Tools().Invoke(t.Context(), commandstest.Ada, in)
	if err != nil {
		t.Fatal(err)
	}
	records := w.Happened(wholeCall...)
	if e := records[0].Envelope; e.Parent != said || e.Trace.ID != said || outer.ID == said {
		t.Errorf("%s of %s is in trace %s", outer.ID, e.Parent, e.Trace)
	}
	for i, rec := range records {
		in.Parent = rec.Envelope.ID
		if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, in); err != nil {
			t.Fatal(err)
		}
		inner := w.Records(domain.TopicTools)[4*(i+1):]
		if e := inner[0].Envelope; e.Parent != rec.Envelope.ID || e.Trace.ID != said {
			t.Errorf("nested in %s: it comes from %s in %s", rec.Envelope.Type, e.Parent, e.Trace)
		}
		invoked, decided := commandstest.Decoded[domain.ToolInvoked](t, inner[0]), commandstest.Decoded[domain.PolicyDecided](t, inner[1])
		if invoked.ParentInvocationID != outer.ID || decided.ParentInvocationID != outer.ID {
			t.Errorf("nested in %s: the parent invocation is %s and %s", rec.Envelope.Type, invoked.ParentInvocationID, decided.ParentInvocationID)
		}
	}
	tail := w.Log.Tail()
	_, err = w.Tools().Invoke(t.Context(), commandstest.Station, in)
	commandstest.Refused(t, err, domain.Policy, "other_principal")
	in.Parent = w.IDs.NewID()
	_, err = w.Tools().Invoke(t.Context(), commandstest.Ada, in)
	commandstest.Refused(t, err, domain.NotFound, "not_found")
	if w.Log.Tail() != tail || w.Peer.Times() != 5 {
		t.Errorf("%d more records, %d calls", w.Log.Tail()-tail, w.Peer.Times())
	}
}

func TestNothingToInvoke(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	lab := w.Pair("lab", 9002, domain.Tool{Name: "status"}, domain.Tool{Name: "test"})
	commandstest.Shelve(t, w.Registry, w.IDs.NewID(), domain.InterfaceWentOffline{InterfaceID: w.Pair("bank", 9003, domain.Tool{Name: "pay"}), Failures: 3})
	given := func(name, params string) tool.Invocation {
		return tool.Invocation{Tool: name, Params: []byte(params)}
	}
	for _, c := range []struct {
		name     string
		in       tool.Invocation
		category domain.Category
		code     domain.Code
		says     []string
	}{
		{"unknown", given("fly", "{}"), domain.NotFound, domain.CodeNoTool, []string{`"fly"`, "list the tools"}},
		{"ambiguous", given("status", "{}"), domain.NotFound, domain.CodeAmbiguousTool, []string{"2 interfaces", "hospital.status, lab.status"}},
		{"offline", given("pay", "{}"), domain.NotFound, domain.CodeToolOffline, []string{"bank, which is offline"}},
		{"offline by its qualified name", given("bank.pay", "{}"), domain.NotFound, domain.CodeToolOffline, []string{"bank"}},
		{"unknown comes before wrong parameters", given("fly", "7"), domain.NotFound, domain.CodeNoTool, nil},
		{"no object", given("cancel", "[]"), domain.Validation, "invalid", []string{"not a JSON object"}},
		{"missing, wrong and unknown", given("cancel", `{"urgent":"yes","why":1}`), domain.Validation, "invalid",
			[]string{"id is required (string)", "urgent must be of type boolean", "why is not a parameter of cancel"}},
		{"too large", given("cancel", `{"id":"`+strings.Repeat("x", domain.MaxParamsBytes)+`"}`), domain.Validation, "invalid", []string{"params has 262153 bytes"}},
		{"a channel that is too long", tool.Invocation{Tool: "test", Channel: strings.Repeat("c", 129)}, domain.Validation, "invalid", []string{"channel"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, c.in)
			commandstest.Refused(t, err, c.category, c.code)
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q doesn't say %q", err, part)
				}
			}
			if !got.ID.IsZero() {
				t.Errorf("it has the id %s", got.ID)
			}
		})
	}
	t.Run("given up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := w.Tools().Invoke(ctx, commandstest.Ada, commandstest.Cancels())
		commandstest.Refused(t, err, domain.Dependency, "cancelled")
	})
	w.Happened()
	if w.Peer.Times() != 0 {
		t.Errorf("%d calls", w.Peer.Times())
	}

	for _, name := range []string{"lab.status", lab.UUID() + ".status", lab.String() + ".status"} {
		w.Peer.Do = func(_ context.Context, at commands.Endpoint, _ commands.Call) (commands.Result, error) {
			if at.Port != 9002 {
				t.Errorf("%s is called at %d", name, at.Port)
			}
			return commandstest.Answered("ok"), nil
		}
		if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, tool.Invocation{Tool: name}); err != nil {
			t.Error(err)
		}
	}
}

func TestOffers(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Pair("lab", 9002, domain.Tool{Name: "status"})
	var names []string
	for _, o := range w.Tools().Offers() {
		names = append(names, o.Name)
	}
	if want := []string{"cancel", "hospital.status", "lab.status"}; !slices.Equal(names, want) {
		t.Errorf("offered are %v, want %v", names, want)
	}
}

func TestDenied(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Regime = &refusingRegime{}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil {
		t.Fatal(err)
	}
	records := w.Happened("tool.invoked", "policy.decided", "tool.failed")
	lawfulTools(t, records, true)
	detail := "the rule “nobody_asked” of the policy forbids cancel; nothing was sent"
	if end, want := commandstest.Decoded[domain.ToolFailed](t, records[2]), (domain.ToolFailed{InvocationID: got.ID, Reason: domain.CodeDenied, Detail: detail}); end != want {
		t.Errorf("failed %+v, want %+v", end, want)
	}
	fault := domain.Fault{Code: domain.CodeDenied, Category: domain.Policy, Message: detail}
	if !reflect.DeepEqual(records[2].Envelope.Errors, []domain.Fault{fault}) || !reflect.DeepEqual(got.Fault, &fault) || orNone(got.Result.Error) != detail {
		t.Errorf("told %+v, recorded %+v", got, records[2].Envelope.Errors)
	}
	if decided := commandstest.Decoded[domain.PolicyDecided](t, records[1]); decided.Allowed || w.Peer.Times() != 0 {
		t.Errorf("decided %+v, and called %d times", decided, w.Peer.Times())
	}
}

// What a call rests on forbids it where the rule that it is under doesn't.
func TestDeniedByWhatItRestsOn(t *testing.T) {
	for code, detail := range map[string]string{
		domain.ReasonNotMarked: "nobody asked for it, and cancel isn't marked as safe to use unasked; nothing was sent",
		domain.ReasonCarries:   "nobody asked for it, and cancel would have been sent words of memories, plans or the conversation; nothing was sent",
	} {
		w := commandstest.NewWorkshop(t)
		w.Regime = &refusingRegime{because: []string{code}}
		if got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels()); err != nil || orNone(got.Result.Error) != detail {
			t.Errorf("%s: told %q, %v", code, orNone(got.Result.Error), err)
		}
	}
}

func TestConfigureTools(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	for name, spoil := range map[string]func(*tool.Config){
		"Log":         func(c *tool.Config) { c.Log = nil },
		"Reader":      func(c *tool.Config) { c.Reader = nil },
		"Tail":        func(c *tool.Config) { c.Tail = nil },
		"Book":        func(c *tool.Config) { c.Book = nil },
		"Invocations": func(c *tool.Config) { c.Invocations = nil },
		"Applied":     func(c *tool.Config) { c.Applied = nil },
		"Peer":        func(c *tool.Config) { c.Peer = nil },
		"Regime":      func(c *tool.Config) { c.Regime = nil },
		"Tokens":      func(c *tool.Config) { c.Tokens = nil },
		"Clock":       func(c *tool.Config) { c.Clock = nil },
		"IDs":         func(c *tool.Config) { c.IDs = nil },
		"Within":      func(c *tool.Config) { c.Within = -1 },
	} {
		cfg := w.Config()
		spoil(&cfg)
		if _, err := tool.New(cfg); domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

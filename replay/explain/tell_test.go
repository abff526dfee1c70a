package explain_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/explain"
)

// reminded: a reminder that was moved falls due, and is told with its words.
func reminded(p *past) string {
	asked := p.message("remind me: dinner at Luigi's in 2 hours")
	due := domain.MillisOf(p.clock.Now().Add(2 * time.Hour))
	set := then(p, asked, domain.ReminderSet{Text: "dinner at Luigi's", Due: due, Zone: "UTC"})
	later := domain.ReminderChanged{ReminderID: set.Envelope.ID, Due: due + 60_000, Zone: "UTC"}
	changed := then(p, p.message("one minute later"), later, later.Keys()...)
	p.clock.Advance(2*time.Hour + time.Minute)
	timer := domain.TimerDue{SubjectID: set.Envelope.ID, Kind: domain.ItemReminder, Due: due + 60_000}
	id := p.ids.NewID()
	fired := add(p, domain.Resume(changed.Envelope, domain.TraceID{ID: id}), id, timer, timer.Keys())
	p.concluded(fired, domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Blocks: says("Dinner at Luigi's").Blocks, Topic: "reminder",
		Evidence: []domain.Evidence{asks(fired), {EnvelopeID: set.Envelope.ID, Role: "planned", Weight: domain.One}},
	})
	return "last"
}

func asks(rec domain.Record) domain.Evidence { return asked(rec.Envelope.ID) }

// plannedKinds: plans of each kind are evidence.
func plannedKinds(p *past) string {
	asked := p.message("help me")
	task := then(p, asked, domain.TaskCreated{Text: "buy candles", Deadline: domain.MillisOf(p.clock.Now().Add(72 * time.Hour))})
	entry := domain.ListItemAdded{ListID: p.ids.NewID(), Text: "milk"}
	item := then(p, asked, entry, entry.Keys()...)
	memory := then(p, asked, domain.MemoryRemembered{Text: "Ada is allergic to nuts"})
	progress := domain.TaskProgressed{TaskID: task.Envelope.ID, Percent: 40, Note: "red ones"}
	progressed := then(p, asked, progress, progress.Keys()...)
	idle := domain.TaskCreated{Text: "tidy up"}
	own := begin(p, domain.PrincipalCore, idle)
	var evidence []domain.Evidence
	for i, rec := range []domain.Record{task, item, memory, progressed, own} {
		evidence = append(evidence, domain.Evidence{EnvelopeID: rec.Envelope.ID, Role: "planned", Weight: domain.One - domain.PPM(i)*100_000})
	}
	p.answered(domain.PrincipalOperator, "What is open?", nil, evidence...)
	return "last"
}

// approved: the person says yes to what a policy wants approved.
func approved(p *past) string {
	hospital := p.paired("hospital").Envelope.ID
	opening := p.message("Cancel my appointment")
	called := then(p, opening, domain.ModelCalled{Model: "builtin/1"})
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", ToolCalls: []domain.ToolCall{{Tool: "cancel"}}})
	invoked := then(p, replied, domain.ToolInvoked{InterfaceID: hospital, Tool: "cancel", Params: []byte(`{}`)}, domain.CallKey(replied.Envelope.ID, 0))
	id := invoked.Envelope.ID
	key := domain.InvocationKey(id)
	decided := then(p, invoked, domain.PolicyDecided{InvocationID: id, RegimeID: "sha256:0123456789abcdef0123456789abcdef", Verdict: domain.VerdictApproval, ReasonCodes: []string{"approval_required"}, ProposalToken: "aa"}, key)
	then(p, decided, domain.ApprovalProposed{InvocationID: id, ProposalToken: "aa", Summary: "cancel the appointment"}, key)
	p.clock.Advance(time.Minute)
	yes := p.message("yes")
	lineage := domain.Lineage{Trace: opening.Envelope.Trace, Parent: yes.Envelope.ID, Principal: domain.PrincipalOperator}
	granted := add(p, lineage, p.ids.NewID(), domain.ApprovalGranted{InvocationID: id, Actor: "operator", Correlator: domain.ByPlainText, MessageID: yes.Envelope.ID}, []domain.Key{key})
	state := then(p, granted, domain.StateTaken{InvocationID: id, When: domain.BeforeCall, Description: "one appointment"}, key)
	left := then(p, state, domain.ToolDispatched{InvocationID: id}, key)
	text := "Cancelled."
	completed := then(p, left, domain.ToolCompleted{InvocationID: id, Text: &text, DurationMS: 1500}, key)
	verified := then(p, completed, domain.ToolVerified{InvocationID: id, Errors: []string{"no date"}}, key)
	again := then(p, verified, domain.ModelCalled{Model: "builtin/1"})
	said := then(p, again, says("It is cancelled."))
	p.concluded(said, domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: said.Envelope.ID,
		Evidence: []domain.Evidence{asks(opening), {EnvelopeID: completed.Envelope.ID, Role: "tool", Weight: domain.One}},
	})
	return "last"
}

// usedTool is the n-th tool call of a reply, through to its end.
func (p *past) usedTool(reply domain.Record, n int, owner domain.ID, tool string, end func(id domain.ID) domain.Record) domain.Record {
	p.t.Helper()
	return p.decided(reply, n, owner, tool, domain.PolicyDecided{RegimeID: "open/1", Allowed: true, ReasonCodes: []string{"regime_allows_everything"}}, end)
}

func (p *past) decided(reply domain.Record, n int, owner domain.ID, tool string, verdict domain.PolicyDecided, end func(id domain.ID) domain.Record) domain.Record {
	p.t.Helper()
	invoked := then(p, reply, domain.ToolInvoked{InterfaceID: owner, Tool: tool, Params: []byte(`{"day":"today"}`)}, domain.CallKey(reply.Envelope.ID, n))
	id := invoked.Envelope.ID
	verdict.InvocationID = id
	decided := then(p, invoked, verdict, domain.InvocationKey(id))
	if verdict.Allowed {
		then(p, decided, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	}
	return end(id)
}

// after is how a tool call ends: what came last has its invocation's key.
func after[P any](p *past, payload func(id domain.ID) P) func(id domain.ID) domain.Record {
	return func(id domain.ID) domain.Record {
		p.t.Helper()
		steps, err := p.log.Select(p.t.Context(), domain.Selector{Key: domain.InvocationKey(id)}, 1, 100)
		if err != nil || len(steps) == 0 {
			p.t.Fatal("no step of the invocation", err)
		}
		return then(p, steps[len(steps)-1], payload(id), domain.InvocationKey(id))
	}
}

func answers(p *past, text string) func(domain.ID) domain.Record {
	return after(p, func(id domain.ID) domain.ToolCompleted {
		return domain.ToolCompleted{InvocationID: id, Text: &text, DurationMS: 120}
	})
}

func (p *past) concluded(cause domain.Record, end domain.ReasoningConcluded) domain.Record {
	p.t.Helper()
	return then(p, cause, end, domain.ConcludedKey(cause.Envelope.Trace), end.ShownKey())
}

func asked(id domain.ID) domain.Evidence {
	return domain.Evidence{EnvelopeID: id, Role: "asked", Weight: domain.One}
}

func (p *past) message(text string) domain.Record {
	p.t.Helper()
	return begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: text, Source: "text", ImageIDs: []domain.ID{}})
}

func says(text string) domain.ModelReplied {
	return domain.ModelReplied{Model: "builtin/1", Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}}
}

// throughTools: a reply asks for three tools. One answers, one is denied, one is
// none; the next call knows them all.
func throughTools(p *past) string {
	hospital := p.paired("hospital").Envelope.ID
	opening := p.message("When is my appointment?")
	trace := opening.Envelope.Trace
	started := then(p, opening, domain.ReasoningStarted{}, domain.StepKey(trace, 1))
	called := then(p, started, domain.ModelCalled{Model: "builtin/1"})
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", ToolCalls: []domain.ToolCall{{Tool: "appointments"}, {Tool: "bill"}, {Tool: "bill"}, {Tool: "nothing"}}})
	completed := p.usedTool(replied, 0, hospital, "appointments", answers(p, "At three."))
	p.decided(replied, 1, hospital, "bill", domain.PolicyDecided{RegimeID: "careful/1", ReasonCodes: []string{"autonomy_exceeded"}},
		after(p, func(id domain.ID) domain.ToolFailed {
			return domain.ToolFailed{InvocationID: id, Reason: domain.CodeDenied, Detail: "the policy denied it"}
		}))
	rejected := then(p, replied, domain.CallRejected{Tool: "nothing", Reason: "there is no such tool"}, domain.CallKey(replied.Envelope.ID, 2))
	again := then(p, rejected, domain.ModelCalled{Model: "builtin/1"})
	said := then(p, again, says("At three."))
	concluded := p.concluded(said, domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: said.Envelope.ID,
		Evidence: []domain.Evidence{asked(opening.Envelope.ID), {EnvelopeID: completed.Envelope.ID, Role: "tool", Weight: domain.One}},
	})
	return fmt.Sprint(domain.SeqOf(concluded.Position, 1))
}

// pressed: a button's answer is the tool's.
func pressed(p *past) string {
	opening := begin(p, domain.PrincipalOperator, domain.ActionReceived{Skill: "remind", Payload: []byte(`{"skill":"remind"}`)})
	completed := p.usedTool(opening, 0, domain.ID{}, "remind", answers(p, "I will remind you."))
	p.concluded(completed, domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: completed.Envelope.ID, Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
	})
	return "last"
}

// secondTry: the first model fails, the second's answer isn't good enough at first.
func secondTry(p *past) string {
	opening := p.message("Add it up")
	started := then(p, opening, domain.ReasoningStarted{})
	called := then(p, started, domain.ModelCalled{Model: "far/1"})
	entry, err := domain.New(domain.Continue(called.Envelope), p.ids.NewID(), 1, "reasoning", domain.ModelFailed{Model: "far/1"})
	if err != nil {
		p.t.Fatal(err)
	}
	entry.Envelope.Errors = []domain.Fault{{Code: "busy", Message: "it is busy"}}
	broken := p.put(entry)
	called = then(p, broken, domain.ModelCalled{Model: "builtin/1", Instead: broken.Envelope.ID})
	first := then(p, called, says("4"))
	checked := then(p, first, domain.AnswerVerified{Outcome: domain.VerifiedFailure, Confidence: 900_000, Issues: []string{"it is 5"}})
	called = then(p, checked, domain.ModelCalled{Model: "builtin/1", Instead: broken.Envelope.ID, Verification: checked.Envelope.ID})
	second := then(p, called, says("5"))
	p.concluded(second, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: second.Envelope.ID, Evidence: []domain.Evidence{asked(opening.Envelope.ID)}})
	return "last"
}

func cancelled(p *past) string {
	opening := p.message("Count to a million")
	started := then(p, opening, domain.ReasoningStarted{})
	then(p, opening, domain.CancelReceived{}, domain.CancelKey(opening.Envelope.Trace))
	end := p.concluded(started, domain.ReasoningConcluded{Outcome: domain.OutcomeCancelled, Evidence: []domain.Evidence{asked(opening.Envelope.ID)}})
	return end.Envelope.ID.UUID()
}

func imageAndWait(p *past) string {
	image := begin(p, domain.PrincipalOperator, domain.ImageUploaded{MediaType: "image/png", Width: 4, Height: 3})
	first := p.message("First")
	second := begin(p, domain.PrincipalOperator, domain.MessageReceived{Source: "text", ImageIDs: []domain.ID{image.Envelope.ID}})
	queued := then(p, second, domain.MessageQueued{Behind: first.Envelope.ID})
	return fmt.Sprintf("pos:%d", queued.Position)
}

// A call to the model doesn't rest on tool calls that came after it, or on those of
// another trace.
func TestCallsThatWereNotKnown(t *testing.T) {
	p := newPast(t)
	opening := p.message("When?")
	called := then(p, opening, domain.ModelCalled{Model: "builtin/1"})
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", ToolCalls: []domain.ToolCall{{Tool: "a"}, {Tool: "b"}}})
	again := then(p, replied, domain.ModelCalled{Model: "builtin/1"})
	later := p.usedTool(replied, 0, domain.ID{}, "a", answers(p, "late"))
	stranger := begin(p, "stranger", domain.CallRejected{Tool: "b"}, domain.CallKey(replied.Envelope.ID, 1))
	last := then(p, later, domain.ModelCalled{Model: "builtin/1"})
	for _, c := range []struct {
		target domain.Record
		never  []domain.ID
	}{{again, []domain.ID{later.Envelope.ID, stranger.Envelope.ID}}, {last, []domain.ID{stranger.Envelope.ID}}} {
		for _, n := range p.explained(c.target.Envelope.ID.String()).Nodes {
			for _, id := range c.never {
				if n.ID == id {
					t.Errorf("%s is among the causes of the call at %d", n.Type, c.target.Position)
				}
			}
		}
	}
	var causes []explain.Edge
	for _, e := range p.explained(last.Envelope.ID.String()).Edges {
		if e.To == last.Envelope.ID {
			causes = append(causes, e)
		}
	}
	if len(causes) != 1 || causes[0].From != later.Envelope.ID {
		t.Errorf("the last call is caused by %+v", causes)
	}
}

// A tool that was used in another episode is told as used earlier.
func TestToolsUsedEarlier(t *testing.T) {
	p := newPast(t)
	asked := p.message("remind me of dinner")
	called := then(p, asked, domain.ModelCalled{})
	replied := then(p, called, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "remind"}}})
	done := "done"
	end := p.usedTool(replied, 0, domain.ID{}, "remind", after(p, func(id domain.ID) domain.ToolCompleted {
		return domain.ToolCompleted{InvocationID: id, Text: &done}
	}))
	p.clock.Advance(time.Hour)
	later := p.message("what is planned?")
	for of, want := range map[domain.ID]string{
		p.concluded(end, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}).Envelope.ID: "\nChalie used the tool remind with day today, ",
		p.concluded(later, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld,
			Evidence: []domain.Evidence{{EnvelopeID: end.Envelope.ID, Role: "tool", Weight: domain.One}}}).Envelope.ID: "\nEarlier, at 13:00, Chalie used the tool remind with day today, ",
	} {
		if told := strings.Join(p.explained(of.String()).Sentences, "\n"); !strings.Contains(told, want) {
			t.Errorf("%q isn't in\n%s", want, told)
		}
	}
}

// What the person said no to, or nothing in time, was never used, and nothing failed.
func TestToolsThatWereNotApproved(t *testing.T) {
	for name, story := range map[string]func(*past) string{"you said no": toolRefused, "you said nothing in time": toolExpired} {
		p := newPast(t)
		end := p.explained(story(p)).Target.ID
		failed, err := p.log.Find(t.Context(), end)
		if err != nil {
			t.Fatal(err)
		}
		held := p.concluded(failed, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{{EnvelopeID: end, Role: "tool", Weight: domain.One}}})
		told := strings.Join(p.explained(held.Envelope.ID.String()).Sentences, "\n")
		if !strings.Contains(told, "wanted to use") || !strings.Contains(told, name) || strings.Contains(told, "failed") || !strings.Contains(told, "was not called, because "+name) {
			t.Errorf("%s is told as\n%s", name, told)
		}
	}
}

// What has changed in the person's surroundings is told once, and to them.
func TestSurroundingsAreYours(t *testing.T) {
	p := newPast(t)
	signal, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.AmbientContext, Source: domain.ServiceSurroundings, Energy: 450_000,
		Content: "the person's surroundings changed: place"})
	if err != nil {
		t.Fatal(err)
	}
	opening := begin(p, domain.ServiceSurroundings, signal, domain.SpineTypeKey(domain.AmbientContext))
	held := p.concluded(opening, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
	if told := p.explained(held.Envelope.ID.String()).Sentences; told[1] != "It had begun because at 13:00 your surroundings changed: place." {
		t.Errorf("it is told as %q", told)
	}
}

// What was kept back in view of what was told before quotes that, though it is no
// cause.
func TestHeldInViewOf(t *testing.T) {
	p := newPast(t)
	l := cycleOf(p)
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 450_000})
	if err != nil {
		t.Fatal(err)
	}
	opening := begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
	held := p.concluded(opening, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
		Rejected: []domain.Rejected{{EnvelopeID: l.closure.Envelope.ID, Because: l.ended.Envelope.ID, Score: 910_000, Gate: domain.GateAlreadyTold}}})
	why := strings.Join(p.explained(held.Envelope.ID.String()).Sentences, "\n")
	if !strings.Contains(why, `though the case for it was 0.91 of 1; it was compared with "Luigi's is closed tonight"`) || strings.Contains(why, "no longer kept") {
		t.Errorf("it says\n%s", why)
	}
}

// What is an event today can be explained, in clear, sealed and erased.
func TestEveryTypeIsExplained(t *testing.T) {
	for _, d := range domain.Events().Definitions() {
		p := newPast(t)
		label := func(payload domain.Payload) string {
			id := p.ids.NewID()
			rec := p.put(domain.Entry{Topic: d.Topic, Envelope: domain.Envelope{
				ID: id, Trace: domain.TraceID{ID: id}, Timestamp: 1, Kind: d.Kind, Source: "test", Principal: domain.PrincipalOperator,
				Type: d.Type, Version: d.Version, Payload: payload,
			}})
			why := p.explained(rec.Envelope.ID.String())
			if len(why.Sentences) == 0 || strings.Contains(strings.Join(why.Sentences, " "), "%!") {
				t.Errorf("%s is told as %q", d.Type, why.Sentences)
			}
			return why.Nodes[0].Label
		}
		if got := label(domaintest.AnyPayload(d)); got == "" {
			t.Errorf("%s is %q", d.Type, got)
		}
		if got := label(domain.Payload{Encoding: domain.EncodingErased}); got != "(erased)" {
			t.Errorf("an erased %s is %q", d.Type, got)
		}
		if got := label(domain.Payload{Encoding: domain.EncodingSealed, KeyID: "k", Bytes: []byte{1, 2}}); got != "(sealed)" {
			t.Errorf("a sealed %s is %q", d.Type, got)
		}
		// What a foreign writer stored under the name.
		if got := label(domain.JSONPayload([]byte(`[1,"x",null]`))); got == "" {
			t.Errorf("a %s of another shape is %q", d.Type, got)
		}
	}
}

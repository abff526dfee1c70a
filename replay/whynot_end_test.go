package replay_test

import (
	"time"

	"chalie/domain"
)

// heldCycle: asked about the cycle itself, by its end.
func heldCycle(p *past) string {
	_, end := p.found(p.dinner(), p.closure("lab-rss"), p.alarm, domain.GateCooldown, "told 12 min ago, cooldown 30 min")
	return end.Envelope.ID.String()
}

func foundNothing(p *past) string {
	plan, noise := p.dinner(), p.signal("A comet will pass near the Moon", 0.7)
	opening, _ := p.idled(p.mind(bears(noise, plan, 260_000)), nil, domain.ReasoningConcluded{})
	return opening.Envelope.ID.String()
}

func heldLast(p *past) string {
	foundNothing(p)
	p.answered(domain.PrincipalOperator, "And now?", nil)
	return "last"
}

func messageAnswered(p *past) string {
	return p.answered(domain.PrincipalOperator, "What is new?", nil).opening.Envelope.ID.String()
}

func messageFailed(p *past) string {
	opening := p.message("Add it up")
	end := domain.ReasoningConcluded{Outcome: domain.OutcomeFailed, Evidence: []domain.Evidence{asked(opening.Envelope.ID)}}
	entry, err := domain.New(domain.Continue(opening.Envelope), p.ids.NewID(), 1, "reasoning", end)
	if err != nil {
		p.t.Fatal(err)
	}
	entry.Envelope.Keys = []domain.Key{domain.ConcludedKey(opening.Envelope.Trace), end.ShownKey()}
	entry.Envelope.Errors = []domain.Fault{{Code: "model_failed", Message: "no model gave an answer: ask again"}}
	p.put(entry)
	return opening.Envelope.ID.String()
}

func messageWaits(p *past) string {
	first, second := p.message("First"), p.message("Second")
	then(p, second, domain.MessageQueued{Behind: first.Envelope.ID})
	begin(p, domain.PrincipalCore, domain.SystemStopped{Reason: "asked to"})
	return second.Envelope.ID.String()
}

// messageHeld: an interface says the same twice within a minute.
func messageHeld(p *past) string {
	first := p.answered("hospital", "Your appointment moved to three", nil)
	p.clock.Advance(20 * time.Second)
	again := begin(p, "hospital", domain.MessageReceived{Text: "Your appointment moved to three", Source: "portal", ImageIDs: []domain.ID{}})
	started := then(p, again, p.mind(), domain.StepKey(again.Envelope.Trace, 1))
	replied := then(p, started, says("Your appointment moved to three"), domain.StepKey(again.Envelope.Trace, 2))
	p.concluded(replied, domain.ReasoningConcluded{
		Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{asked(again.Envelope.ID)},
		Rejected: []domain.Rejected{{EnvelopeID: again.Envelope.ID, Because: first.concluded.Envelope.ID, Score: 800_000, Gate: domain.GateAlreadyTold, Detail: "told 20 s ago in the same words, not again within 1 min"}},
	})
	return again.Envelope.ID.String()
}

func reminderWaits(p *past) string {
	plan := p.dinner()
	p.signal("A comet will pass near the Moon", 0.7)
	p.clock.Advance(10 * time.Minute)
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return plan.Envelope.ID.String()
}

func (p *past) falls(plan domain.Record, due domain.Millis) domain.Record {
	p.t.Helper()
	timer := domain.TimerDue{SubjectID: plan.Envelope.ID, Kind: domain.ItemReminder, Due: due}
	id := p.ids.NewID()
	opening := add(p, domain.Resume(plan.Envelope, domain.TraceID{ID: id}), id, timer, timer.Keys())
	return p.concluded(opening, domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Blocks: says("Reminder: dinner").Blocks,
		Evidence: []domain.Evidence{{EnvelopeID: plan.Envelope.ID, Role: "planned", Weight: domain.One}}})
}

func reminderTold(p *past) string {
	plan := p.dinner()
	p.clock.Advance(2 * time.Hour)
	return p.falls(plan, domain.MillisOf(p.clock.Now())).Envelope.ID.String()
}

func reminderEnded(p *past) string {
	plan := p.dinner()
	p.clock.Advance(time.Hour)
	gone := domain.ReminderCancelled{ReminderID: plan.Envelope.ID}
	return then(p, p.message("forget the dinner"), gone, gone.Keys()...).Envelope.ID.String()
}

func reminderLate(p *past) string {
	plan := p.dinner()
	p.clock.Advance(time.Hour)
	begin(p, domain.PrincipalCore, domain.SystemStopped{Reason: "asked to"})
	p.clock.Advance(3 * time.Hour)
	p.signal("by another program, on the same log", 0.5)
	return plan.Envelope.ID.String()
}

func taskOpen(p *past) string {
	task := then(p, p.message("I have to hand in the report"), domain.TaskCreated{Text: "hand in the report"})
	p.signal("A comet will pass near the Moon", 0.7)
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return task.Envelope.ID.String()
}

// wanted is an invocation of an interface's tool in a cycle, and what the policy in
// force says to it.
func (p *past) wanted(owner domain.ID) (invoked, decided domain.Record) {
	p.t.Helper()
	records, err := p.log.Select(p.t.Context(), domain.Selector{Topic: domain.TopicPolicy}, 1, 100)
	if err != nil {
		p.t.Fatal(err)
	}
	var book domain.Rulebook
	for _, rec := range records {
		if err := book.Evolve(rec); err != nil {
			p.t.Fatal(err)
		}
	}
	actor := domain.ActorReasoning
	invoked = begin(p, domain.PrincipalOperator, domain.ToolInvoked{InterfaceID: owner, Tool: "appointments", Params: []byte(`{"day":"today"}`), Actor: actor, Channel: domain.ChannelBackground})
	offer := domain.Offer{Name: "appointments", Tool: domain.Tool{Name: "appointments"}, Interface: &domain.Interface{ID: owner}}
	verdict := book.Decide(domain.Invoking{InvocationID: invoked.Envelope.ID, Actor: actor, Channel: domain.ChannelBackground, Manifest: book.Manifest(offer)})
	return invoked, then(p, invoked, verdict, domain.InvocationKey(invoked.Envelope.ID))
}

// governed puts a policy in force that trusts so far.
func (p *past) governed(autonomy domain.Autonomy) {
	p.t.Helper()
	rules := domain.DefaultPolicy()
	rules.Autonomy = autonomy
	begin(p, domain.PrincipalOperator, domain.PolicyChanged{Policy: rules}, domain.PolicyKey)
}

func toolDenied(p *past) string {
	p.governed(domain.AutonomyReadonly)
	invoked, decided := p.wanted(p.paired("hospital").Envelope.ID)
	id := invoked.Envelope.ID
	then(p, decided, domain.ToolFailed{InvocationID: id, Reason: domain.CodeDenied, Detail: "the policy denied it"}, domain.InvocationKey(id))
	return id.String()
}

// proposed is an invocation that waits for the person.
func (p *past) proposed() (id domain.ID, proposal domain.Record) {
	p.t.Helper()
	invoked, decided := p.wanted(p.paired("hospital").Envelope.ID)
	id = invoked.Envelope.ID
	return id, then(p, decided, domain.ApprovalProposed{InvocationID: id, ExpiresAt: domain.MillisOf(p.clock.Now().Add(15 * time.Minute))}, domain.InvocationKey(id), domain.ProposedKey)
}

func toolRefused(p *past) string {
	id, proposal := p.proposed()
	no := then(p, proposal, domain.ApprovalRefused{InvocationID: id}, domain.InvocationKey(id))
	then(p, no, domain.ToolFailed{InvocationID: id, Reason: domain.CodeApprovalRefused, Detail: "you said no"}, domain.InvocationKey(id))
	return id.String()
}

func toolExpired(p *past) string {
	id, proposal := p.proposed()
	p.clock.Advance(15 * time.Minute)
	late := then(p, proposal, domain.ApprovalExpired{InvocationID: id}, domain.InvocationKey(id))
	return then(p, late, domain.ToolFailed{InvocationID: id, Reason: domain.CodeApprovalExpired, Detail: "nobody decided"}, domain.InvocationKey(id)).Envelope.ID.String()
}

func toolWaits(p *past) string {
	id, _ := p.proposed()
	return id.String()
}

func toolOffline(p *past) string {
	p.governed(domain.AutonomyFull)
	invoked, decided := p.wanted(p.paired("hospital").Envelope.ID)
	id := invoked.Envelope.ID
	left := then(p, decided, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	then(p, left, domain.ToolFailed{InvocationID: id, Reason: "unreachable", Detail: "hospital doesn't answer at 127.0.0.1:9000"}, domain.InvocationKey(id))
	return id.String()
}

func toolUsed(p *past) string {
	p.governed(domain.AutonomyFull)
	invoked, decided := p.wanted(p.paired("hospital").Envelope.ID)
	id, text := invoked.Envelope.ID, "At three."
	left := then(p, decided, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	then(p, left, domain.ToolCompleted{InvocationID: id, Text: &text}, domain.InvocationKey(id))
	return id.String()
}

// toolByName: it was asked for twice, and went with who offered it.
func toolByName(p *past) string {
	id := p.registered("Doorbell")
	for _, autonomy := range []domain.Autonomy{domain.AutonomyReadonly, domain.AutonomyFull} {
		p.governed(autonomy)
		invoked, decided := p.wanted(id)
		then(p, decided, domain.ToolFailed{InvocationID: invoked.Envelope.ID, Reason: "unreachable", Detail: "nobody answers"}, domain.InvocationKey(invoked.Envelope.ID))
		p.clock.Advance(time.Hour)
	}
	begin(p, domain.PrincipalOperator, domain.InterfaceRemoved{InterfaceID: id}, domain.InterfaceKey(id))
	return "appointments"
}

// registered is an interface with a tool, which waits for the person.
func (p *past) registered(name string) domain.ID {
	p.t.Helper()
	id := p.ids.NewID()
	begin(p, domain.Interface{ID: id}.Principal(), domain.InterfaceRegistered{InterfaceID: id, Name: name, Host: "127.0.0.1", Port: 9100,
		Scopes: domain.Scopes{Signals: map[string]string{"alarm": "it rings"}}}, domain.InterfaceKey(id))
	begin(p, domain.PrincipalCore, domain.CapabilitiesChanged{InterfaceID: id, Tools: []domain.Tool{{Name: "ring", Description: "Rings"}}}, domain.InterfaceKey(id))
	return id
}

func toolUnapproved(p *past) string {
	p.registered("Doorbell")
	return "ring"
}

func toolGoneOffline(p *past) string {
	id := p.registered("Doorbell")
	begin(p, domain.PrincipalOperator, domain.ScopesApproved{InterfaceID: id, Approved: domain.NewApproval(nil, []string{"alarm"}, nil)}, domain.InterfaceKey(id))
	begin(p, domain.PrincipalCore, domain.InterfaceWentOffline{InterfaceID: id, Reason: "three checks in a row failed"}, domain.InterfaceKey(id))
	return "Doorbell.ring"
}

// toolNotChosen: the model could have called it, and once called it wrongly.
func toolNotChosen(p *past) string {
	id := p.registered("Doorbell")
	begin(p, domain.PrincipalOperator, domain.ScopesApproved{InterfaceID: id, Approved: domain.NewApproval(nil, []string{"alarm"}, nil)}, domain.InterfaceKey(id))
	opening := p.message("ring the bell")
	trace := opening.Envelope.Trace
	started := then(p, opening, domain.ReasoningStarted{}, domain.StepKey(trace, 1))
	called := then(p, started, domain.ModelCalled{Model: "builtin/1", Tools: []string{"ring"}}, domain.StepKey(trace, 2))
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", ToolCalls: []domain.ToolCall{{Tool: "ring"}}}, domain.StepKey(trace, 3))
	then(p, replied, domain.CallRejected{Tool: "ring", Reason: "how_long is required"}, domain.CallKey(replied.Envelope.ID, 0))
	p.concluded(replied, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: replied.Envelope.ID})
	return "ring"
}

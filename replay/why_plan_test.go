package replay_test

import (
	"time"

	"chalie/domain"
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

package replay_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
)

// Whatever is asked about is told so that somebody who never saw a log understands it:
// one of each kind, to be read from the top.
func TestEachKindIsTold(t *testing.T) {
	type kind struct {
		name   string
		target func(p *past) string
	}
	at := func(story func(*past) string, position string) func(*past) string {
		return func(p *past) string { story(p); return position }
	}
	var out strings.Builder
	for _, k := range []kind{
		{"an answered message", luigis},
		{"a notice that nobody asked for", noticed},
		{"one that can't wait", cycle},
		{"a message that was passed on", passedOn},
		{"a reminder that fell due, as it was told", reminded},
		{"its falling due", at(reminded, "pos:5")},
		{"a reminder", at(reminded, "pos:2")},
		{"a reminder that was moved", at(reminded, "pos:4")},
		{"the result of a tool", at(throughTools, "pos:11")},
		{"a tool's call, by its id", invokedByID(throughTools, 0)},
		{"a call that was denied, by its id", invokedByID(throughTools, 1)},
		{"the denial", at(throughTools, "pos:13")},
		{"the permission", at(throughTools, "pos:9")},
		{"a call that was no call", at(throughTools, "pos:15")},
		{"a tool that the person used themselves", usedDirectly},
		{"a question for approval", at(approved, "pos:9")},
		{"an approval", at(approved, "pos:11")},
		{"something held back", heldBack},
		{"a signal that was held back", cycleNoise},
		{"a signal that was told of", at(cycle, "pos:6")},
		{"a signal alone", func(p *past) string { return p.closure("lab").Envelope.ID.String() }},
		{"a pairing", at(luigis, "pos:4")},
		{"a pairing key", at(luigis, "pos:2")},
		{"a token", at(passedOn, "pos:1")},
		{"a message without an answer yet", underWay},
		{"a message that had to wait", imageAndWait},
		{"a failure", failed},
		{"a cancelled answer", cancelled},
		{"the cancel", at(cancelled, "pos:3")},
		{"the beginning of a thought", at(cycle, "pos:10")},
		{"room that was made", cycleYielded},
		{"a call to the model", steered},
		{"what the model said", at(luigis, "pos:9")},
		{"an answer that was checked", at(secondTry, "pos:7")},
		{"what Chalie noticed", at(cycle, "pos:9")},
		{"something erased", at(erasedPast, "pos:1")},
	} {
		p := newPast(t)
		why := p.explained(k.target(p))
		out.WriteString("== " + k.name + "\n" + strings.Join(why.Sentences, "\n") + "\n\n")
	}
	golden(t, filepath.Join("testdata", "why", "kinds.golden"), out.String())
}

// invokedByID is the n-th tool call of a story.
func invokedByID(story func(*past) string, n int) func(*past) string {
	return func(p *past) string {
		story(p)
		records, err := p.log.Select(p.t.Context(), domain.Selector{Topic: domain.TopicTools}, 1, 1000)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, rec := range records {
			if rec.Envelope.Type != "tool.invoked" {
				continue
			}
			if n == 0 {
				return rec.Envelope.ID.UUID()
			}
			n--
		}
		p.t.Fatal("there is no such call")
		return ""
	}
}

// noticed: a cycle finds that a signal bears on a reminder, by rules that find the same
// today.
func noticed(p *past) string {
	who := domain.Interface{ID: p.paired("Luigi's").Envelope.ID}.Principal()
	due := domain.MillisOf(p.clock.Now().Add(98 * time.Minute))
	plan := then(p, p.message("remind me: dinner reservation at Luigi's at 14:38"), domain.ReminderSet{Text: "dinner reservation at Luigi's", Due: due, Zone: "UTC"})
	heard := p.closure(who)
	return p.tells(heard, plan, due, 820_000, domain.ShownNotification)
}

// scoreOf is by how much a signal bears on a reminder.
func scoreOf(p *past, heard, plan domain.Record, due domain.Millis) domain.PPM {
	said, err := domain.Decode[domain.SignalReceived](heard.Envelope)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := domain.PlanText(plan.Envelope)
	if err != nil {
		p.t.Fatal(err)
	}
	return relate.Between(
		relate.Read(relate.Text{ID: heard.Envelope.ID, Kind: relate.Signal, Text: said.Content, Source: said.Source, At: heard.RecordedAt}, time.UTC),
		relate.Read(relate.Text{ID: plan.Envelope.ID, Kind: relate.Reminder, Text: text, At: plan.RecordedAt, Due: due}, time.UTC),
	).Score
}

// heldBack is the same, and it was told before.
func heldBack(p *past) string {
	who := domain.Interface{ID: p.paired("Luigi's").Envelope.ID}.Principal()
	due := domain.MillisOf(p.clock.Now().Add(98 * time.Minute))
	plan := then(p, p.message("remind me: dinner reservation at Luigi's at 14:38"), domain.ReminderSet{Text: "dinner reservation at Luigi's", Due: due, Zone: "UTC"})
	heard := p.closure(who)
	p.tells(heard, plan, due, 820_000, domain.ShownNotification)
	p.clock.Advance(20 * time.Minute)
	return p.tells(heard, plan, due, 787_000, domain.ShownNot)
}

// tells is a cycle that relates a signal to a reminder, and shows that or keeps it back.
func (p *past) tells(heard, plan domain.Record, due domain.Millis, salience domain.PPM, shown domain.Showing) string {
	p.t.Helper()
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 500_000})
	if err != nil {
		p.t.Fatal(err)
	}
	opening := begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
	trace := opening.Envelope.Trace
	score := scoreOf(p, heard, plan, due)
	started := then(p, opening, domain.ReasoningStarted{
		AsOf: domain.MillisOf(p.clock.Now()), Zone: "UTC",
		World: domain.WorldSeen{Items: []domain.SeenItem{
			{EnvelopeID: heard.Envelope.ID, Kind: domain.ItemSignal, Salience: salience, Bonus: score},
			{EnvelopeID: plan.Envelope.ID, Kind: domain.ItemReminder, Phase: domain.PhasePending, Moment: due, Salience: 910_000, Bonus: score},
		}},
		Relations: []domain.SeenRelation{{Signal: heard.Envelope.ID, Commitment: plan.Envelope.ID, Score: score}},
	}, domain.StepKey(trace, 1))
	rests := []domain.Evidence{{EnvelopeID: heard.Envelope.ID, Role: "heard", Weight: score}, {EnvelopeID: plan.Envelope.ID, Role: "planned", Weight: score}}
	replied := then(p, started, domain.ModelReplied{Model: "builtin/1", Findings: []domain.Finding{{Blocks: says("Luigi's is closed tonight").Blocks, Topic: "luigis", Evidence: rests}}}, domain.StepKey(trace, 2))
	end := domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
		Rejected: []domain.Rejected{{EnvelopeID: heard.Envelope.ID, Because: plan.Envelope.ID, Score: score, Gate: domain.GateAlreadyTold, Detail: "told 20 min ago"}}}
	if shown != domain.ShownNot {
		end = domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: shown, Reply: replied.Envelope.ID, Findings: []int{0}, Evidence: append(end.Evidence, rests...)}
	}
	return p.concluded(replied, end).Envelope.ID.String()
}

// usedDirectly: the person calls a tool without a word.
func usedDirectly(p *past) string {
	hospital := p.paired("hospital").Envelope.ID
	invoked := begin(p, domain.PrincipalOperator, domain.ToolInvoked{InterfaceID: hospital, Tool: "appointments", Params: []byte(`{}`), Actor: "operator"})
	id := invoked.Envelope.ID
	decided := then(p, invoked, domain.PolicyDecided{InvocationID: id, RegimeID: "sha256:0123456789abcdef0123456789abcdef", Allowed: true, Verdict: domain.VerdictAllowed, ReasonCodes: []string{"asked_directly"}}, domain.InvocationKey(id))
	then(p, decided, domain.ToolDispatched{InvocationID: id}, domain.InvocationKey(id))
	return answers(p, "At three.")(id).Envelope.ID.String()
}

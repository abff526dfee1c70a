package replay_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

// signal is something heard from a program with a token.
func (p *past) signal(content string, energy float64) domain.Record {
	p.t.Helper()
	return begin(p, "lab-rss", domain.SignalReceived{SignalType: "news", Content: content, Source: "rss", ActivationEnergy: energy})
}

// dinner is a reminder of the person's, due in two hours.
func (p *past) dinner() domain.Record {
	p.t.Helper()
	return then(p, p.message("remind me: dinner reservation at Luigi's in 2 hours"),
		domain.ReminderSet{Text: "dinner reservation at Luigi's", Due: domain.MillisOf(p.clock.Now().Add(2 * time.Hour)), Zone: "UTC"})
}

// mind is the world state by the rules of today, folded from all that is in the log,
// with what is said to bear on what.
func (p *past) mind(relations ...domain.SeenRelation) domain.ReasoningStarted {
	p.t.Helper()
	rules, now := domain.DefaultWorldRules(), domain.MillisOf(p.clock.Now())
	records, err := p.log.Select(p.t.Context(), domain.Selector{}, 1, 10_000)
	if err != nil {
		p.t.Fatal(err)
	}
	var w domain.World
	for _, rec := range records {
		if err := w.Evolve(rules, rec); err != nil {
			p.t.Fatal(err)
		}
	}
	var bonuses []domain.Relation
	for _, r := range relations {
		if r.Score >= domain.DefaultWorldRules().Surfaces {
			bonuses = append(bonuses, domain.Relation{A: r.Signal, B: r.Commitment, Bonus: r.Score})
		}
	}
	return domain.ReasoningStarted{AsOf: now, Zone: "UTC", Relations: relations, World: domain.SeenIn(w.Assemble(rules, bonuses, now), p.log.Tail())}
}

// bears says that a signal bears on a plan.
func bears(heard, plan domain.Record, score domain.PPM) domain.SeenRelation {
	return domain.SeenRelation{Signal: heard.Envelope.ID, Commitment: plan.Envelope.ID, Score: score}
}

// idled is a cycle with its end.
func (p *past) idled(started domain.ReasoningStarted, findings []domain.Finding, end domain.ReasoningConcluded) (opening, concluded domain.Record) {
	p.t.Helper()
	opening = p.noticed()
	trace := opening.Envelope.Trace
	begun := then(p, opening, started, domain.StepKey(trace, 1))
	called := then(p, begun, domain.ModelCalled{Model: "builtin/1"}, domain.StepKey(trace, 2))
	replied := then(p, called, domain.ModelReplied{Model: "builtin/1", Findings: findings}, domain.StepKey(trace, 3))
	end.Evidence = append([]domain.Evidence{asked(opening.Envelope.ID)}, end.Evidence...)
	if end.Outcome == "" {
		end.Outcome = domain.OutcomeHeld
	}
	if end.Shown != "" {
		end.Reply = replied.Envelope.ID
	}
	return opening, p.concluded(replied, end)
}

func (p *past) noticed() domain.Record {
	p.t.Helper()
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 450_000})
	if err != nil {
		p.t.Fatal(err)
	}
	return begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
}

func heardAnd(plan domain.Record, weight domain.PPM, heard ...domain.Record) []domain.Evidence {
	var out []domain.Evidence
	for _, h := range heard {
		out = append(out, domain.Evidence{EnvelopeID: h.Envelope.ID, Role: "heard", Weight: weight})
	}
	return append(out, domain.Evidence{EnvelopeID: plan.Envelope.ID, Role: "planned", Weight: weight})
}

func (p *past) whyNot(target string, trial replay.Trial) (replay.Silence, error) {
	p.t.Helper()
	q, err := replay.ParseQuestion(target)
	if err != nil {
		return replay.Silence{}, err
	}
	out, err := replay.WhyNot(p.t.Context(), p.log, q, replay.Asking{Zone: time.FixedZone("", 3600), Trial: trial})
	p.refers(out.Sentences, out.Parts)
	for _, c := range out.Considered {
		p.refers([]string{c.Words}, [][]narrate.Part{c.Parts})
	}
	return out, err
}

// silent writes an answer by positions, which are easier to read than ids.
func silent(s replay.Silence) string {
	var b bytes.Buffer
	for _, parts := range s.Parts {
		fmt.Fprintln(&b, inParts(parts))
	}
	fmt.Fprintf(&b, "\n%d %s | %s", s.Target.Position, s.Target.Type, s.Target.Label)
	if s.Never != "" {
		fmt.Fprintf(&b, " never=%s", s.Never)
	}
	if !s.Surfaced.IsZero() {
		b.WriteString(" surfaced")
	}
	if s.Cut {
		b.WriteString(" cut")
	}
	b.WriteString("\n\n")
	for _, c := range s.Considered {
		fmt.Fprintf(&b, "%3d %s gate=%s", c.Position, c.Kind, c.Gate)
		for _, name := range slices.Sorted(maps.Keys(c.Numbers)) {
			fmt.Fprintf(&b, " %s=%v", name, c.Numbers[name])
		}
		b.WriteString("\n")
	}
	for _, c := range s.Failed {
		fmt.Fprintf(&b, "in vain: %s\n", changeLine(c))
	}
	if s.Change != nil {
		fmt.Fprintf(&b, "change: %s\n", changeLine(*s.Change))
	}
	return b.String()
}

func changeLine(c replay.Remedy) string {
	line := fmt.Sprintf("%s verified=%t", c.Kind, c.Verified)
	if c.Edit != nil {
		line += fmt.Sprintf(" edit %s=%s", c.Edit.Field, c.Edit.Value)
	}
	if !c.Without.IsZero() {
		line += " without one"
	}
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		line += fmt.Sprintf(" %s=%s", name, c.Set[name])
	}
	if c.Policy != nil {
		line += " policy"
	}
	if c.NotTried != "" {
		line += " not tried: " + c.NotTried
	}
	return line
}

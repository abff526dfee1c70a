package replay_test

import (
	"time"

	"chalie/domain"
)

// looked is a cycle with the pair it found and what it kept back.
type looked struct {
	plan, closure, noise, weather             domain.Record
	opening, started, replied, yielded, ended domain.Record
}

// cycleOf: the day after a plan was made, and changed, a signal bears on it and
// others don't.
func cycleOf(p *past) looked {
	p.t.Helper()
	var l looked
	l.plan = then(p, p.message("remind me: dinner at eight tomorrow"), domain.ReminderSet{Text: "dinner", Due: domain.MillisOf(p.clock.Now().Add(24 * time.Hour)), Zone: "UTC"})
	words := "dinner reservation at Luigi's"
	due := domain.MillisOf(p.clock.Now().Add(25 * time.Hour))
	change := domain.ReminderChanged{ReminderID: l.plan.Envelope.ID, Text: &words, Due: due, Zone: "UTC"}
	changed := then(p, p.message("it's at Luigi's, and an hour later"), change, change.Keys()...)
	issued := domain.TokenIssued{Name: "lab-rss", TokenHash: "aa", Signals: []string{}}
	begin(p, domain.PrincipalOperator, issued, issued.Keys()...)
	p.clock.Advance(23 * time.Hour)
	l.closure = p.closure("lab-rss")
	l.noise = begin(p, "lab-rss", domain.SignalReceived{SignalType: "stock", Content: "ACME rose by 3%", Source: "exchange", ActivationEnergy: 0.7})
	l.weather = begin(p, "lab-rss", domain.SignalReceived{SignalType: "weather", Content: "Rain at Luigi's", Source: "sky", ActivationEnergy: 0.4})
	p.clock.Advance(10 * time.Minute)
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 450_000})
	if err != nil {
		p.t.Fatal(err)
	}
	l.opening = begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
	trace := l.opening.Envelope.Trace
	l.started = then(p, l.opening, domain.ReasoningStarted{
		AsOf: domain.MillisOf(p.clock.Now()),
		World: domain.WorldSeen{
			Items: []domain.SeenItem{{EnvelopeID: l.plan.Envelope.ID, TextID: changed.Envelope.ID, Kind: domain.ItemReminder,
				Phase: domain.PhasePending, Moment: due, Salience: 890_000, Bonus: 300_000}},
			LeftOut: []domain.SeenItem{{EnvelopeID: l.closure.Envelope.ID, Kind: domain.ItemSignal, Salience: 120_000, Gate: domain.GateBelowThreshold}},
		},
		Relations: []domain.SeenRelation{{Signal: l.closure.Envelope.ID, Commitment: l.plan.Envelope.ID, Score: 620_000}},
	}, domain.StepKey(trace, 1))
	waiting := p.message("Hello?")
	l.yielded = then(p, l.started, domain.ReasoningYielded{To: waiting.Envelope.ID}, domain.StepKey(trace, 2))
	resumed := then(p, l.yielded, domain.ReasoningResumed{}, domain.StepKey(trace, 3))
	called := then(p, resumed, domain.ModelCalled{Model: "builtin/1"}, domain.StepKey(trace, 4))
	l.replied = then(p, called, domain.ModelReplied{Model: "builtin/1", Findings: []domain.Finding{
		{Blocks: says("Rain at Luigi's tonight.").Blocks, Topic: "weather", Confidence: 400_000, Evidence: []domain.Evidence{{EnvelopeID: l.weather.Envelope.ID, Role: "heard", Weight: 400_000}}},
		{Blocks: says("Luigi's is closed tonight").Blocks, Topic: "luigis", Confidence: 800_000, Evidence: []domain.Evidence{
			{EnvelopeID: l.closure.Envelope.ID, Role: "heard", Weight: 910_000}, {EnvelopeID: l.plan.Envelope.ID, Role: "planned", Weight: 620_000},
		}},
	}}, domain.StepKey(trace, 5))
	l.ended = p.concluded(l.replied, domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation, Reply: l.replied.Envelope.ID, Findings: []int{1},
		Evidence: []domain.Evidence{
			asked(l.opening.Envelope.ID), {EnvelopeID: l.closure.Envelope.ID, Role: "heard", Weight: 910_000}, {EnvelopeID: l.plan.Envelope.ID, Role: "planned", Weight: 620_000},
		},
		Rejected: []domain.Rejected{
			{EnvelopeID: l.weather.Envelope.ID, Because: l.plan.Envelope.ID, Score: 400_000, Gate: "cooldown", Detail: "told 12 min ago, cooldown 30 min"},
			{EnvelopeID: l.plan.Envelope.ID, Score: 400_000, Gate: "cooldown"},
			{EnvelopeID: l.noise.Envelope.ID, Gate: "unrelated"},
		},
	})
	return l
}

// cycle: what was found is told with both that it rests on; for whom it made room
// meanwhile, and what was not shown, is no cause.
func cycle(p *past) string {
	cycleOf(p)
	return "last"
}

// cycleNoise: a signal tells why it was kept back.
func cycleNoise(p *past) string { return cycleOf(p).weather.Envelope.ID.String() }

// cycleReply: what was found but not told rests on something, too, when that is
// asked for.
func cycleReply(p *past) string { return cycleOf(p).replied.Envelope.ID.String() }

func cycleYielded(p *past) string { return cycleOf(p).yielded.Envelope.ID.String() }

// cycleErased: nothing of the cycle can be read any more.
func cycleErased(p *past) string {
	other := newPast(p.t)
	cycleOf(other)
	records, err := other.log.Select(p.t.Context(), domain.Selector{}, 1, 100)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, rec := range records {
		p.put(erased(rec))
	}
	return "last"
}

// inline: a conclusion that shows its own words, of something planned.
func inline(p *past) string {
	plan := p.message("water the plants at 8")
	fired, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.ScheduleFired, Source: domain.ServiceScheduler, Content: "water the plants", ContentRef: plan.Envelope.ID, Energy: 500_000})
	if err != nil {
		p.t.Fatal(err)
	}
	id := p.ids.NewID()
	due := then(p, plan, domain.SteerReceived{Text: "it is time"})
	opening := add(p, domain.Resume(due.Envelope, domain.TraceID{ID: id}), id, fired, nil)
	end := p.concluded(opening, domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Blocks: says("Time to water the plants.").Blocks, Topic: "plans",
		Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
	})
	return end.Envelope.ID.String()
}

// unknownType: a newer version wrote an envelope with evidence, a foreign writer
// one that says it is evidence and isn't read as such.
func unknownType(p *past) string {
	heard := p.closure(domain.PrincipalOperator)
	foreign := domain.Envelope{
		ID: p.ids.NewID(), Trace: p.ids.NewTrace(), Timestamp: 1, Kind: domain.KindStream, Source: "somewhere", Principal: "stranger",
		Type: domain.ForeignMessageType, Version: 1, Payload: domain.JSONPayload([]byte(`{"evidence":[{"envelope_id":"` + heard.Envelope.ID.String() + `"}]}`)),
	}
	stored := p.put(domain.Entry{Topic: domain.TopicSystem, Envelope: foreign})
	id := p.ids.NewID()
	dreamt := domain.Envelope{
		ID: id, Trace: domain.TraceID{ID: id}, Parent: stored.Envelope.ID, Timestamp: 1, Kind: domain.KindEvent, Source: "dreams", Principal: domain.PrincipalCore,
		Type: "dream.dreamt", Version: 3, Payload: domain.JSONPayload([]byte(`{"title":"of sheep\u0007","evidence":[{"envelope_id":"` + heard.Envelope.ID.String() + `","role":"seen","weight":250000}],"used":7}`)),
	}
	return p.put(domain.Entry{Topic: "dreams", Envelope: dreamt}).Envelope.ID.String()
}

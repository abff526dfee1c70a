package replay_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// The answers in testdata are what is told today, one for each gate.
func TestSilences(t *testing.T) {
	for name, story := range map[string]func(*past) string{
		"unrelated":         unrelatedSignal,
		"nearly_related":    nearlyRelated,
		"faded":             fadedSignal,
		"faint":             faintSignal,
		"crowded":           crowdedSignal,
		"pushed_out":        pushedOut,
		"out_of_reach":      outOfReach,
		"cooldown":          cooledDown,
		"already_told":      toldBefore,
		"attention":         focused,
		"not_brought":       notBrought,
		"not_used":          notUsed,
		"told_after_all":    toldAfterAll,
		"erased_signal":     erasedSignal,
		"erased_decision":   erasedDecision,
		"never_looked":      neverLooked,
		"not_running":       notRunning,
		"dropped":           droppedCycle,
		"under_way_cycle":   underWayCycle,
		"yielded_cycle":     yieldedCycle,
		"hostile":           hostileSignal,
		"held_cycle":        heldCycle,
		"found_nothing":     foundNothing,
		"held_last":         heldLast,
		"message_answered":  messageAnswered,
		"message_failed":    messageFailed,
		"message_waits":     messageWaits,
		"message_held":      messageHeld,
		"reminder_waits":    reminderWaits,
		"reminder_told":     reminderTold,
		"reminder_ended":    reminderEnded,
		"reminder_late":     reminderLate,
		"task_open":         taskOpen,
		"tool_denied":       toolDenied,
		"tool_refused":      toolRefused,
		"tool_expired":      toolExpired,
		"tool_waits":        toolWaits,
		"tool_offline":      toolOffline,
		"tool_used":         toolUsed,
		"tool_by_name":      toolByName,
		"tool_unapproved":   toolUnapproved,
		"tool_gone_offline": toolGoneOffline,
		"tool_not_chosen":   toolNotChosen,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPast(t)
			got, err := p.whyNot(story(p), nil)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "whynot", name+".golden"), silent(got))
		})
	}
}

// unrelatedSignal: it was in mind in two cycles, and has nothing to do with what is
// planned.
func unrelatedSignal(p *past) string {
	p.dinner()
	noise := p.signal("A comet will pass near the Moon", 0.7)
	for range 2 {
		p.clock.Advance(10 * time.Minute)
		p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	}
	return noise.Envelope.ID.String()
}

// nearlyRelated: a relation was found, too weak to be told.
func nearlyRelated(p *past) string {
	plan, heard := p.dinner(), p.signal("Restaurants are full tonight", 0.7)
	p.clock.Advance(10 * time.Minute)
	p.idled(p.mind(bears(heard, plan, 310_000)), nil, domain.ReasoningConcluded{})
	return heard.Envelope.ID.UUID()
}

// fadedSignal: one cycle had it in mind, the next one a day later didn't, and those
// after that aren't looked at.
func fadedSignal(p *past) string {
	p.dinner()
	noise := p.signal("Heavy rain expected", 0.4)
	p.clock.Advance(10 * time.Minute)
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	p.clock.Advance(24 * time.Hour)
	for range 3 {
		p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	}
	return noise.Envelope.ID.String()
}

// faintSignal: it never weighed enough, just so.
func faintSignal(p *past) string {
	faint := p.signal("Luigi's is closed tonight", 0.074999)
	p.dinner()
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return faint.Envelope.ID.String()
}

func crowdedSignal(p *past) string {
	quiet := p.signal("The library opens later", 0.2)
	p.dinner()
	for _, loud := range []string{"Stock markets rally", "A comet passes", "The marathon draws crowds", "Heavy snow in the Andes", "A new phone"} {
		p.signal(loud, 0.5)
	}
	p.clock.Advance(time.Hour)
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return quiet.Envelope.ID.String()
}

func (p *past) noise(n int) {
	p.t.Helper()
	for range n {
		p.signal("more of it", 0.5)
	}
}

func pushedOut(p *past) string {
	quiet := p.signal("The library opens later", 0.9)
	p.noise(120)
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return quiet.Envelope.ID.String()
}

// outOfReach: so much came after it that the first cycle doesn't even list it.
func outOfReach(p *past) string {
	quiet := p.signal("The library opens later", 0.9)
	p.noise(250)
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return quiet.Envelope.ID.String()
}

// found is a cycle that tells of one signal, and another that keeps back what was
// heard since.
func (p *past) found(plan, told domain.Record, hears func() domain.Record, gate domain.Gate, detail string) (kept, end domain.Record) {
	p.t.Helper()
	relation := bears(told, plan, 700_000)
	finding := func(rec domain.Record, text string) domain.Finding {
		return domain.Finding{Blocks: says(text).Blocks, Topic: "general", Confidence: 700_000, Evidence: heardAnd(plan, 700_000, rec)}
	}
	_, first := p.idled(p.mind(relation), []domain.Finding{finding(told, "Luigi's is closed tonight bears on your dinner.")}, domain.ReasoningConcluded{
		Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Findings: []int{0}, Evidence: heardAnd(plan, 700_000, told)})
	p.clock.Advance(5 * time.Minute)
	kept = hears()
	p.clock.Advance(7*time.Minute + 30*time.Second)
	var rejected []domain.Rejected
	for _, ev := range heardAnd(plan, 640_000, kept) {
		rejected = append(rejected, domain.Rejected{EnvelopeID: ev.EnvelopeID, Because: first.Envelope.ID, Score: ev.Weight, Gate: gate, Detail: detail})
	}
	_, end = p.idled(p.mind(relation, bears(kept, plan, 640_000)), []domain.Finding{finding(kept, "Luigi's has a fire alarm.")}, domain.ReasoningConcluded{Rejected: rejected})
	return kept, end
}

func (p *past) alarm() domain.Record { return p.signal("Fire alarm at Luigi's", 0.6) }

func cooledDown(p *past) string {
	kept, _ := p.found(p.dinner(), p.closure("lab-rss"), p.alarm, domain.GateCooldown, "told 12 min ago, cooldown 30 min")
	return kept.Envelope.ID.String()
}

func toldBefore(p *past) string {
	again := func() domain.Record { return p.closure("lab-rss") }
	kept, _ := p.found(p.dinner(), again(), again, domain.GateAlreadyTold, "told 12 min ago in the same words, not again within 24 h")
	return kept.Envelope.ID.String()
}

// What was told at once with something else is quoted by its own words, and what could
// have helped is about it alone.
func TestToldBesideOthers(t *testing.T) {
	p := newPast(t)
	dinner := p.dinner()
	visit := begin(p, domain.PrincipalOperator, domain.ReminderSet{Text: "see Rosa at the Northwick hospital", Due: domain.MillisOf(p.clock.Now().Add(3 * time.Hour)), Zone: "UTC"})
	closed, entrance := p.closure("lab-rss"), p.signal("Northwick hospital closes its entrance", 0.8)
	finding := func(rec, plan domain.Record, text string) domain.Finding {
		return domain.Finding{Blocks: says(text).Blocks, Topic: "general", Confidence: 700_000, Evidence: heardAnd(plan, 700_000, rec)}
	}
	mind := p.mind(bears(closed, dinner, 700_000), bears(entrance, visit, 700_000))
	_, first := p.idled(mind, []domain.Finding{finding(closed, dinner, "Luigi's is closed, and so is your dinner."), finding(entrance, visit, "The entrance to Rosa is closed.")},
		domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Findings: []int{0, 1},
			Evidence: append(heardAnd(dinner, 700_000, closed), heardAnd(visit, 700_000, entrance)...)})
	p.clock.Advance(10 * time.Minute)
	closed2, entrance2 := p.closure("lab-rss"), p.signal("northwick hospital  closes its entrance", 0.8)
	var rejected []domain.Rejected
	for _, ev := range append(heardAnd(dinner, 640_000, closed2), heardAnd(visit, 640_000, entrance2)...) {
		rejected = append(rejected, domain.Rejected{EnvelopeID: ev.EnvelopeID, Because: first.Envelope.ID, Score: ev.Weight, Gate: domain.GateAlreadyTold})
	}
	_, held := p.idled(p.mind(bears(closed2, dinner, 640_000), bears(entrance2, visit, 640_000)),
		[]domain.Finding{finding(closed2, dinner, "Luigi's is closed."), finding(entrance2, visit, "The entrance is closed.")}, domain.ReasoningConcluded{Rejected: rejected})

	sentences := func(rec domain.Record) []string {
		out, err := p.whyNot(rec.Envelope.ID.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return out.Sentences
	}
	said := strings.Join(sentences(entrance2), "\n")
	if !strings.Contains(said, `had been told 10 min before: "The entrance to Rosa is closed."`) || strings.Contains(said, "Luigi") {
		t.Errorf("of the second it says\n%s", said)
	}
	if said = strings.Join(sentences(closed2), "\n"); !strings.Contains(said, `"Luigi's is closed, and so is your dinner."`) || strings.Contains(said, "Rosa") {
		t.Errorf("of the first it says\n%s", said)
	}
	why := strings.Join(p.explained(held.Envelope.ID.String()).Sentences, "\n")
	for _, want := range []string{`"northwick hospital closes its entrance": `, `it was compared with "The entrance to Rosa is closed."`, `it was compared with "Luigi's is closed, and so is your dinner."`} {
		if !strings.Contains(why, want) {
			t.Errorf("why the cycle told nothing has no %q:\n%s", want, why)
		}
	}
}

// focused: the person's window said that they are.
func focused(p *past) string {
	plan, kept := p.dinner(), p.closure("lab-rss")
	state := domain.AttentionFocused
	begin(p, domain.PrincipalOperator, domain.ContextUpdated{Attention: &state})
	p.clock.Advance(10 * time.Minute)
	var rejected []domain.Rejected
	for _, ev := range heardAnd(plan, 700_000, kept) {
		rejected = append(rejected, domain.Rejected{EnvelopeID: ev.EnvelopeID, Score: ev.Weight, Gate: domain.GateAttention, Detail: "attention is focused"})
	}
	p.idled(p.mind(bears(kept, plan, 700_000)), nil, domain.ReasoningConcluded{Rejected: rejected})
	return kept.Envelope.ID.String()
}

func notBrought(p *past) string {
	plan, heard := p.dinner(), p.closure("lab-rss")
	p.idled(p.mind(bears(heard, plan, 700_000)), nil, domain.ReasoningConcluded{})
	return heard.Envelope.ID.String()
}

// notUsed: the person asked for something else.
func notUsed(p *past) string {
	heard := p.signal("A comet will pass near the Moon", 0.7)
	p.clock.Advance(time.Minute)
	p.answered(domain.PrincipalOperator, "When is dinner?", p.mind().World.Items)
	return heard.Envelope.ID.String()
}

// toldAfterAll: it was kept back once, and told by the next cycle.
func toldAfterAll(p *past) string {
	plan, heard := p.dinner(), p.closure("lab-rss")
	relation := bears(heard, plan, 700_000)
	p.idled(p.mind(relation), nil, domain.ReasoningConcluded{Rejected: []domain.Rejected{{EnvelopeID: heard.Envelope.ID, Score: 700_000, Gate: domain.GateAttention}}})
	p.clock.Advance(10 * time.Minute)
	p.idled(p.mind(relation), []domain.Finding{{Blocks: says("Luigi's is closed tonight.").Blocks, Evidence: heardAnd(plan, 700_000, heard)}},
		domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Findings: []int{0}, Evidence: heardAnd(plan, 700_000, heard)})
	return heard.Envelope.ID.String()
}

func erasedSignal(p *past) string {
	other := newPast(p.t)
	other.dinner()
	noise := other.signal("A comet will pass near the Moon", 0.7)
	other.idled(other.mind(), nil, domain.ReasoningConcluded{})
	p.copied(other, noise.Envelope.ID)
	return noise.Envelope.ID.String()
}

func erasedDecision(p *past) string {
	other := newPast(p.t)
	other.dinner()
	noise := other.signal("A comet will pass near the Moon", 0.7)
	_, end := other.idled(other.mind(), nil, domain.ReasoningConcluded{})
	p.copied(other, end.Envelope.ID)
	return noise.Envelope.ID.String()
}

// copied is another past with some of it erased.
func (p *past) copied(other *past, gone ...domain.ID) {
	p.t.Helper()
	records, err := other.log.Select(p.t.Context(), domain.Selector{}, 1, 1000)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, rec := range records {
		entry := domain.Entry{Topic: rec.Topic, Envelope: rec.Envelope}
		for _, id := range gone {
			if rec.Envelope.ID == id {
				entry = erased(rec)
			}
		}
		p.put(entry)
	}
}

func neverLooked(p *past) string {
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return p.signal("A comet will pass near the Moon", 0.7).Envelope.ID.String()
}

func notRunning(p *past) string {
	begin(p, domain.PrincipalCore, domain.SystemStarted{Version: "1"})
	heard := p.signal("A comet will pass near the Moon", 0.7)
	p.clock.Advance(time.Minute)
	begin(p, domain.PrincipalCore, domain.SystemStopped{Reason: "asked to"})
	return heard.Envelope.ID.String()
}

func droppedCycle(p *past) string {
	heard := p.signal("A comet will pass near the Moon", 0.7)
	signal := p.noticed()
	then(p, signal, domain.SpineSignalDropped{Consumer: "background", Signal: signal.Envelope.ID, Reason: domain.DroppedForOverflow}, domain.DroppedKey("background", signal.Envelope.ID))
	return heard.Envelope.ID.String()
}

func underWayCycle(p *past) string {
	heard := p.signal("A comet will pass near the Moon", 0.7)
	opening := p.noticed()
	then(p, opening, p.mind(), domain.StepKey(opening.Envelope.Trace, 1))
	return heard.Envelope.ID.String()
}

func yieldedCycle(p *past) string {
	plan, heard := p.dinner(), p.closure("lab-rss")
	p.idled(p.mind(bears(heard, plan, 700_000)), nil, domain.ReasoningConcluded{Outcome: domain.OutcomeYielded})
	return heard.Envelope.ID.String()
}

func hostileSignal(p *past) string {
	p.dinner()
	noise := begin(p, "evil\x1b[2Jname\u202e", domain.SignalReceived{SignalType: "a\nb", Content: "line\r\nline\x1b]0;x\x07 <script>alert(1)</script>", Source: "\x1b[31mred", ActivationEnergy: 0.7})
	p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	return noise.Envelope.ID.String()
}

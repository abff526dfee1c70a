package explain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"chalie/domain"
	"chalie/replay/explain"
	"chalie/replay/narrate"
)

// What answers rest on is in testdata, one for each gate.
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
			got, err := p.whyNot(story(p), helping{})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "whynot", name+".golden"), inquiry(got))
			transcript(t, "whynot/"+name, got.Parts)
		})
	}
}

// helping is a trial with which every change helps.
type helping struct{}

func (helping) Try(context.Context, explain.Attempt) (explain.Tried, error) {
	return explain.Tried{Helps: true}, nil
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

// What there isn't says so, and what to ask instead.
func TestNothingToAskAbout(t *testing.T) {
	p := newPast(t)
	unknown := p.ids.NewID()
	for target, want := range map[string]struct {
		code domain.Code
		says string
	}{
		"last":                         {"nothing_kept", "the id of a signal"},
		unknown.String():               {"no_envelope", "the name of a tool"},
		unknown.UUID():                 {"no_envelope", "the id of a signal"},
		"pos:3":                        {"no_envelope", "pos:42"},
		"pos:0":                        {"invalid", "pos:42"},
		"seq:1":                        {"invalid", "pos:42"},
		"160":                          {"no_frame", "160"},
		"":                             {"invalid", "the name of a tool"},
		"sing":                         {"no_tool", "the words \"sing\", and no tool"},
		"line\nbreak":                  {"invalid", "line break"},
		"\x1b[2J":                      {"invalid", "the name of a tool"},
		strings.Repeat("z", 5000):      {"invalid", "zzz…"},
		"<script>alert(1)</script>":    {"no_tool", "<script>"},
		"00000000000000000000000000.x": {"no_tool", "0000"},
	} {
		_, err := p.whyNot(target, nil)
		if domain.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 400 {
			t.Errorf("%q: %v", target, err)
		}
	}
	token := begin(p, domain.PrincipalOperator, domain.TokenIssued{Name: "house", TokenHash: "aa", Signals: []string{}})
	if _, err := p.whyNot(token.Envelope.ID.String(), nil); domain.CodeOf(err) != "nothing_to_tell" || !strings.Contains(err.Error(), "ask about a signal") {
		t.Errorf("of a token: %v", err)
	}
}

// Any record of an episode asks about what opened it, and any step of an invocation
// about that.
func TestAsksAboutTheWhole(t *testing.T) {
	p := newPast(t)
	heard := p.signal("A comet will pass near the Moon", 0.7)
	opening, ended := p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	invoked, decided := p.wanted(p.paired("hospital").Envelope.ID)
	steps, err := p.log.Select(t.Context(), domain.Selector{Trace: opening.Envelope.Trace}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	want := map[domain.ID]domain.ID{heard.Envelope.ID: heard.Envelope.ID, ended.Envelope.ID: opening.Envelope.ID, decided.Envelope.ID: invoked.Envelope.ID}
	for _, rec := range steps {
		want[rec.Envelope.ID] = opening.Envelope.ID
	}
	for id, about := range want {
		got, err := p.whyNot(id.String(), nil)
		if err != nil || got.Target.ID != about || len(got.Considered) != 1 {
			t.Errorf("%s asks about %s with %d decisions, want %s: %v", id, got.Target.ID, len(got.Considered), about, err)
		}
	}
}

// Of a signal that is in mind in very many decisions some are looked at, and it is
// said that there are more.
func TestManyDecisions(t *testing.T) {
	p := newPast(t)
	heard := p.signal("A comet will pass near the Moon", 0.7)
	started := p.mind()
	for range 600 {
		p.answered(domain.PrincipalOperator, "And now?", started.World.Items)
	}
	got, err := p.whyNot(heard.Envelope.ID.String(), nil)
	if err != nil || !got.Cut || len(got.Considered) != 500 || len(got.Sentences) > 20 || !strings.Contains(strings.Join(got.Sentences, "\n"), "more decisions than were looked at") {
		t.Errorf("%d decisions, cut %t, %q: %v", len(got.Considered), got.Cut, got.Sentences, err)
	}
}

// Of a plan the latest decisions count.
func TestLatestOfAPlan(t *testing.T) {
	p := newPast(t)
	task := then(p, p.message("I have to hand in the report"), domain.TaskCreated{Text: "hand in the report"})
	for range 100 {
		p.clock.Advance(time.Minute)
		p.noise(40)
		p.idled(p.mind(), nil, domain.ReasoningConcluded{})
	}
	last := p.log.Tail()
	got, err := p.whyNot(task.Envelope.ID.String(), nil)
	n := len(got.Considered)
	if err != nil || !got.Cut || n != 61 || got.Considered[n-2].Position != last || got.Considered[n-1].Gate != domain.GateNoDeadline {
		t.Errorf("%d decisions, cut %t: %v", n, got.Cut, err)
	}
}

// Of many runs of decisions the first are told and the last, which is the clock's.
func TestTheClockIsAlwaysTold(t *testing.T) {
	p := newPast(t)
	task := then(p, p.message("I have to hand in the report"), domain.TaskCreated{Text: "hand in the report"})
	const turns = 8
	for range turns {
		p.clock.Advance(time.Minute)
		p.idled(p.mind(), nil, domain.ReasoningConcluded{})
		p.answered(domain.PrincipalOperator, "And now?", p.mind().World.Items)
	}
	got, err := p.whyNot(task.Envelope.ID.String(), nil)
	said := strings.Join(got.Sentences, "\n")
	if err != nil || !strings.Contains(said, "By the clock: it has no deadline") || strings.Count(said, "looked over") < 2 {
		t.Errorf("%q: %v", said, err)
	}
	if more := 2*turns + 1 - 6; !strings.Contains(said, fmt.Sprintf("on %d occasions more", more)) {
		t.Errorf("want %d more in %q", more, said)
	}
}

// What is told fits on lines, and steers no terminal.
func TestHostileSilences(t *testing.T) {
	p := newPast(t)
	begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "x", Source: "text", ImageIDs: []domain.ID{}})
	plan := then(p, p.message("evil"), domain.TaskCreated{Text: "buy\x1b[2J\u202e milk " + strings.Repeat("z", 3000)})
	heard := begin(p, "evil\x1b[2Jname\u202e", domain.SignalReceived{SignalType: "a\nb", Content: "line\r\nline\x1b]0;x\x07" + strings.Repeat("y", 5000), ActivationEnergy: 1})
	p.idled(p.mind(bears(heard, plan, 400_000)), nil, domain.ReasoningConcluded{Rejected: []domain.Rejected{{EnvelopeID: heard.Envelope.ID, Gate: "sp\x1b[31mooky", Detail: "\x1b"}}})
	p.idled(p.mind(bears(heard, plan, 400_000)), nil, domain.ReasoningConcluded{})
	got, err := p.whyNot(heard.Envelope.ID.String(), nil)
	if err != nil || len(got.Considered) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	lines := append([]string{got.Target.Label}, got.Sentences...)
	for _, c := range got.Considered {
		lines = append(lines, c.Words)
	}
	for _, line := range lines {
		if strings.IndexFunc(line, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) >= 0 || len([]rune(line)) > 900 {
			t.Errorf("%q", line)
		}
	}
}

// Lists are never null, so that whoever reads them needs no special case.
func TestSilenceAsJSON(t *testing.T) {
	p := newPast(t)
	got, err := p.whyNot(p.signal("A comet", 0.7).Envelope.ID.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil || !strings.Contains(string(text), `"considered":[]`) || !strings.Contains(string(text), `"smallest_change":`) || !strings.Contains(string(text), `"never":"no_cycle"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// A log that fails is not taken for one that knows nothing.
func TestFailingLogOfANotTold(t *testing.T) {
	p := newPast(t)
	heard := p.signal("A comet", 0.7)
	if err := p.log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"last", heard.Envelope.ID.String(), "ring"} {
		if _, err := p.whyNot(target, nil); domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("%s: %v", target, err)
		}
	}
}

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
	w := domain.NewWorld()
	for _, rec := range records {
		if err := w.Evolve(rec); err != nil {
			p.t.Fatal(err)
		}
	}
	var bonuses []domain.Relation
	for _, r := range relations {
		if r.Score >= rules.Surfaces {
			bonuses = append(bonuses, domain.Relation{A: r.Signal, B: r.Commitment, Bonus: r.Score})
		}
	}
	return domain.ReasoningStarted{AsOf: now, Zone: "UTC", Relations: relations, World: domain.SeenIn(w.Assemble(bonuses, now), p.log.Tail())}
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

func (p *past) whyNot(target string, trial explain.Trial) (explain.NotTold, error) {
	p.t.Helper()
	q, err := explain.ParseQuestion(target)
	if err != nil {
		return explain.NotTold{}, err
	}
	out, err := explain.WhyNot(p.t.Context(), p.log, q, explain.Asking{Zone: time.FixedZone("", 3600), Trial: trial})
	p.refers(out.Sentences, out.Parts)
	for _, c := range out.Considered {
		p.refers([]string{c.Words}, [][]narrate.Part{c.Parts})
	}
	return out, err
}

// inquiry writes an answer by positions, which are easier to read than ids.
// silent writes what an answer rests on.
func inquiry(s explain.NotTold) string {
	var b bytes.Buffer
	for _, parts := range s.Parts {
		fmt.Fprintln(&b, spoken(parts))
	}
	fmt.Fprintf(&b, "\n%d %s", s.Target.Position, s.Target.Type)
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

func changeLine(c explain.Counterfactual) string {
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
	return line
}

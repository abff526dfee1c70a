package reasoning_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/notices"
	"chalie/projections/small"
)

// noticeDesk is the policy over a log that its folds follow whenever it asks.
type noticeDesk struct {
	t     reporter
	clock *domaintest.Clock
	ids   domain.IDs
	log   *memlog.Log

	told     *notices.Projection
	unwanted *projections.InMemory[domain.Unwanted]
	around   *projections.InMemory[domain.ContextUpdated]
	store    projections.Store // of told
	through  domain.Position
	signals  int // heard
	policy   *reasoning.NoticePolicy
}

// reporter is a test, or a property's.
type reporter interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
	Context() context.Context
}

func newNoticeDesk(t reporter) *noticeDesk {
	clock := domaintest.NewClock()
	d := &noticeDesk{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: memlog.New(clock), store: projections.NewMemStore()}
	d.begin()
	return d
}

// begin is a start of the program: folds as they were saved.
func (d *noticeDesk) begin() {
	d.t.Helper()
	var err error
	d.told, d.unwanted, d.around, d.through = notices.New(), small.Unwanted(), small.Surroundings(), 0
	if err = d.told.Load(d.store); err != nil {
		d.t.Fatal(err)
	}
	d.policy, err = reasoning.NewNotices(reasoning.NoticeConfig{Told: d.told, Unwanted: d.unwanted, Surroundings: d.around, Applied: d, Env: commands.Env{Log: d.log, Reader: d.log, Tail: d.log, Clock: d.clock, IDs: d.ids, Logger: slog.New(slog.DiscardHandler)}})
	if err != nil {
		d.t.Fatal(err)
	}
}

// restart saves what is folded, or not, and begins again.
func (d *noticeDesk) restart(save bool) {
	d.t.Helper()
	if save {
		if err := d.WaitFor(d.t.Context(), d.log.Tail()); err != nil {
			d.t.Fatal(err)
		}
		if err := d.store.Update(d.through, d.told.Save); err != nil {
			d.t.Fatal(err)
		}
		d.told.Saved()
	}
	d.begin()
}

// WaitFor folds what is new: into told what its store doesn't have.
func (d *noticeDesk) WaitFor(ctx context.Context, pos domain.Position) error {
	saved, err := d.store.Checkpoint()
	if err != nil {
		return err
	}
	records, err := d.log.Select(ctx, domain.Selector{}, d.through+1, 10_000)
	for _, rec := range records {
		if err == nil && rec.Position > saved {
			err = d.told.Apply(rec)
		}
		if err == nil {
			err = d.around.Apply(rec)
		}
		if err == nil {
			err = d.unwanted.Apply(rec)
		}
		d.through = rec.Position
	}
	if err == nil && d.through < pos {
		err = fmt.Errorf("folded through %d, want %d", d.through, pos)
	}
	return err
}

// add appends one envelope and returns its id.
func add[P any](d *noticeDesk, lin domain.Lineage, payload P) domain.ID {
	d.t.Helper()
	id := d.ids.NewID()
	if lin.Trace.IsZero() {
		lin = domain.Begin(domain.TraceID{ID: id}, lin.Principal)
	}
	entry, err := domain.New(lin, id, domain.MillisOf(d.clock.Now()), "test", payload)
	if err != nil {
		d.t.Fatal(err)
	}
	if c, ok := any(payload).(domain.ReasoningConcluded); ok {
		entry.Envelope.Keys = []domain.Key{c.ShownKey()}
	}
	if _, err := d.log.Append(d.t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		d.t.Fatal(err)
	}
	return id
}

// heard is a signal that says what none before it did, planned anything that is none.
func (d *noticeDesk) heard() domain.ID {
	d.signals++
	return d.hears("station", "", fmt.Sprintf("news %d", d.signals))
}

// hears is a signal of a source; without a topic when that is "".
func (d *noticeDesk) hears(source, topic, words string) domain.ID {
	sig := domain.SignalReceived{SignalType: "a", Source: source, Content: words}
	if topic != "" {
		sig.Topic = &topic
	}
	return add(d, domain.Lineage{Principal: "station"}, sig)
}

func (d *noticeDesk) planned() domain.ID {
	return add(d, domain.Lineage{Principal: domain.PrincipalOperator}, domain.MessageReceived{Text: "remind me"})
}

// tells shows findings, as a cycle does, and returns the conclusion.
func (d *noticeDesk) tells(findings ...domain.Finding) domain.ID {
	d.t.Helper()
	lin := domain.Begin(domain.TraceID{ID: d.ids.NewID()}, "reasoning")
	reply := add(d, lin, domain.ModelReplied{Findings: findings, Topic: "general"})
	c := domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: reply}
	for i, f := range findings {
		c.Findings, c.Evidence = append(c.Findings, i), append(c.Evidence, f.Evidence...)
	}
	return add(d, lin, c)
}

// passesOn shows what an interface said.
func (d *noticeDesk) passesOn(from domain.Principal, topic, text string) domain.ID {
	d.t.Helper()
	lin := domain.Begin(domain.TraceID{ID: d.ids.NewID()}, from)
	reply := add(d, lin, domain.ModelReplied{Blocks: saying(text), Topic: topic})
	return add(d, lin, domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: reply})
}

func (d *noticeDesk) attends(how string) {
	add(d, domain.Lineage{Principal: domain.PrincipalOperator}, domain.ContextUpdated{Attention: &how})
}

// judge asks twice, which must make no difference.
func (d *noticeDesk) judge(n reasoning.Notice) reasoning.Verdict {
	d.t.Helper()
	n.At = domain.MillisOf(d.clock.Now())
	v, err := d.policy.Judge(d.t.Context(), n)
	if err != nil {
		d.t.Fatal(err)
	}
	if again, err := d.policy.Judge(d.t.Context(), n); err != nil || again != v {
		d.t.Errorf("asked again it says %+v, %v, and first %+v", again, err, v)
	}
	return v
}

func saying(text string) []domain.Block {
	return []domain.Block{domain.TextBlock(text, domain.FormatPlain)}
}

func on(ids ...domain.ID) (out []domain.Evidence) {
	for _, id := range ids {
		out = append(out, domain.Evidence{EnvelopeID: id, Role: "named", Weight: domain.One})
	}
	return out
}

func found(topic, text string, ids ...domain.ID) domain.Finding {
	return domain.Finding{Topic: topic, Blocks: saying(text), Evidence: on(ids...), Confidence: domain.One / 2}
}

func noticeOf(f domain.Finding) reasoning.Notice {
	return reasoning.Notice{Topic: f.Topic, Blocks: f.Blocks, Urgent: f.Urgent, Evidence: f.Evidence, Score: f.Confidence}
}

func TestFindings(t *testing.T) {
	d := newNoticeDesk(t)
	s1, s2, s3, c1, c2 := d.heard(), d.heard(), d.heard(), d.planned(), d.planned()
	urgent := func(f domain.Finding) domain.Finding { f.Urgent = true; return f }
	asked := domain.Evidence{EnvelopeID: d.heard(), Role: "asked", Weight: domain.One}
	first := d.tells(found("Dinner", "Luigi's is closed", s1, c1))
	for _, c := range []struct {
		name    string
		after   time.Duration // since it was told
		finding domain.Finding
		gate    domain.Gate
		detail  string
	}{
		{"something else", 12 * time.Minute, found("trains", "late", s2, c2), "", ""},
		{"the plan", 12 * time.Minute, found("dinner", "the street is closed", s2, c1), domain.GateCooldown, "told 12 min ago, cooldown 30 min"},
		{"the plan, on another topic", 40 * time.Second, found("trains", "the street is closed", s2, c1), domain.GateCooldown, "told 40 s ago, cooldown 30 min"},
		{"another plan, on the topic", 40 * time.Second, found("dinner", "the street is closed", s2, c2), "", ""},
		{"the plan, just before it is over", 30*time.Minute - time.Millisecond, found("dinner", "the street is closed", s2, c1), domain.GateCooldown, "told 29 min ago, cooldown 30 min"},
		{"the plan, when it is over", 30 * time.Minute, found("dinner", "the street is closed", s2, c1), "", ""},
		{"the plan, and it can't wait", 12 * time.Minute, urgent(found("dinner", "the street is closed", s2, c1)), "", ""},
		{"the same", 12 * time.Minute, found("dinner", "Luigi's is closed", s1, c1), domain.GateAlreadyTold, "told 12 min ago on the same evidence"},
		{"the same evidence in other words, for ever", 90 * 24 * time.Hour, found("evening", "no Luigi's", c1, s1), domain.GateAlreadyTold, "told 90 days ago on the same evidence"},
		{"the same evidence, urgent", 3 * time.Hour, urgent(found("evening", "no Luigi's", s1, c1)), domain.GateAlreadyTold, "told 3 h ago on the same evidence"},
		{"the same evidence, of another cycle", 3 * time.Hour, domain.Finding{Topic: "evening", Blocks: saying("no"), Evidence: append(on(s1, c1), asked)}, domain.GateAlreadyTold, "told 3 h ago on the same evidence"},
		{"what was heard, alone", 3 * time.Hour, found("evening", "no Luigi's", s1), domain.GateAlreadyTold, "told 3 h ago on the same evidence"},
		{"what is planned, alone", 3 * time.Hour, found("evening", "dinner soon", c1), "", ""},
		{"with something new", 3 * time.Hour, found("evening", "no Luigi's, and rain", s1, c1, s2), "", ""},
		{"with another plan", 3 * time.Hour, found("evening", "no Luigi's for Ben", s1, c2), "", ""},
		{"without evidence", 3 * time.Hour, found("evening", "hello"), "", ""},
		{"the same words on other evidence", 3 * time.Hour, found("evening", "luigi's  IS closed", s3, c1), domain.GateAlreadyTold, "told 3 h ago in the same words, not again within 24 h"},
		{"the same words, urgent", 3 * time.Hour, urgent(found("evening", "Luigi's is closed", s3, c1)), domain.GateAlreadyTold, "told 3 h ago in the same words, not again within 24 h"},
		{"the same words, a day later", 24 * time.Hour, found("evening", "Luigi's is closed", s3, c1), "", ""},
		{"words as long", 3 * time.Hour, found("evening", "Luigi's is clothed"[:17], s3, c1), "", ""},
		{"a clock that went back", -time.Hour, found("dinner", "the street is closed", s2, c1), domain.GateCooldown, "told 0 s ago, cooldown 30 min"},
	} {
		told := d.clock.Now()
		d.clock.Set(told.Add(c.after))
		want := verdict{Gate: c.gate, Detail: c.detail}
		if c.gate != "" {
			want.Because = first
		}
		if got := plain(d.judge(noticeOf(c.finding))); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
		d.clock.Set(told)
	}
}

// What is told of one plan holds up nothing about another. What is about no plan goes by its
// sources, each on one topic at a time.
func TestCooldownIsPerPlan(t *testing.T) {
	d := newNoticeDesk(t)
	train, play, flight, lease := d.planned(), d.planned(), d.planned(), d.planned()
	both := d.tells(found("general", "the train is cancelled", d.hears("rail", "Trains", "cancelled"), train),
		found("general", "the play moved", d.hears("school", "", "moved"), play))
	for _, c := range []struct {
		name    string
		finding domain.Finding
		gate    domain.Gate
	}{
		{"another plan, and no topic", found("general", "it leaves earlier", d.hears("mail", "", "LH402 leaves at 11:25"), flight), ""},
		{"another plan, of the same source without a topic", found("general", "the door", d.hears("school", "", "the door is broken"), lease), ""},
		{"another plan, of the same source on the same topic", found("general", "late", d.hears("RAIL", " trains ", "late"), flight), ""},
		{"no plan, of the same source on the same topic", found("general", "late", d.hears("RAIL", " trains ", "very late")), domain.GateCooldown},
		{"no plan, of the same source on another topic", found("general", "fares", d.hears("rail", "tickets", "fares rise")), ""},
		{"another plan, of the same source on another topic", found("general", "prices", d.hears("rail", "tickets", "prices rise"), flight), ""},
		{"another plan, of another source on the same topic", found("general", "late", d.hears("city", "trains", "late"), flight), ""},
		{"one of the plans", found("general", "wet", d.hears("city", "", "wet"), play), domain.GateCooldown},
		{"one of the plans and another", found("general", "wet", d.hears("city", "", "wet"), flight, play), domain.GateCooldown},
	} {
		want := verdict{Gate: c.gate}
		if c.gate != "" {
			want.Because, want.Detail = both, "told 5 min ago, cooldown 30 min"
		}
		then := d.clock.Now()
		d.clock.Advance(5 * time.Minute)
		if got := plain(d.judge(noticeOf(c.finding))); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
		d.clock.Set(then)
	}
	// What rests on neither has only its own topic.
	d = newNoticeDesk(t)
	asked := domain.Evidence{EnvelopeID: d.heard(), Role: "context", Weight: domain.One}
	of := func(topic, text string) domain.Finding {
		return domain.Finding{Topic: topic, Blocks: saying(text), Evidence: []domain.Evidence{asked}}
	}
	first := d.tells(of("Energy", "you are tired"), of("general", "you are away"))
	d.clock.Advance(time.Minute)
	for _, c := range []struct {
		topic string
		gate  domain.Gate
	}{{"energy ", domain.GateCooldown}, {"General", ""}, {"", ""}, {"place", ""}} {
		if got := d.judge(noticeOf(of(c.topic, "something else"))); got.Gate != c.gate || c.gate != "" && got.Because != first {
			t.Errorf("on %q: %+v, want %q", c.topic, got, c.gate)
		}
	}
}

// A signal that says again what was told of a plan is no news, however the text about
// it changed meanwhile: it says how long there is left.
func TestTheSameWordsAgain(t *testing.T) {
	d := newNoticeDesk(t)
	dinner, party := d.planned(), d.planned()
	closed := func() domain.ID { return d.hears("city", "", "Luigi's is closed tonight") }
	first := d.tells(found("general", "Luigi's is closed bears on your dinner (due in 11 h 19 min)", closed(), dinner))
	d.clock.Advance(time.Hour)
	second := d.tells(found("general", "the street is blocked (due in 10 h)", d.hears("city", "", "The street is blocked"), dinner))
	for _, c := range []struct {
		name    string
		after   time.Duration
		finding domain.Finding
		because domain.ID
	}{
		{"again", 10 * time.Hour, found("general", "closed (due in 14 min)", closed(), dinner), first},
		{"in other letters", 10 * time.Hour, found("general", "closed (due in 14 min)", d.hears("City", "", "luigi's  is CLOSED tonight"), dinner), first},
		{"both, told one by one", 10 * time.Hour, found("general", "closed and blocked", closed(), d.hears("city", "", "the street is blocked"), dinner), second},
		{"and something new", 10 * time.Hour, found("general", "closed and wet", closed(), d.heard(), dinner), domain.ID{}},
		{"of another source", 10 * time.Hour, found("general", "closed (due in 14 min)", d.hears("news", "", "Luigi's is closed tonight"), dinner), domain.ID{}},
		{"of another plan", 10 * time.Hour, found("general", "closed (due in 14 min)", closed(), party), domain.ID{}},
		{"of two plans, one of which is new", 10 * time.Hour, found("general", "closed (due in 14 min)", closed(), dinner, party), domain.ID{}},
		{"of no plan", 10 * time.Hour, found("general", "closed", closed()), first},
		{"a day later", 23 * time.Hour, found("general", "closed (due in 14 min)", closed(), dinner), domain.ID{}},
	} {
		then := d.clock.Now()
		d.clock.Advance(c.after)
		got := d.judge(noticeOf(c.finding))
		if got.Because != c.because || (got.Gate == domain.GateAlreadyTold) == c.because.IsZero() {
			t.Errorf("%s: %+v, want it because of %s", c.name, got, c.because)
		}
		d.clock.Set(then)
	}
}

func TestAttentionHoldsWhatCanWait(t *testing.T) {
	for _, c := range []struct {
		attention string
		urgent    bool
		from      domain.Principal
		gate      domain.Gate
	}{
		{"", false, "", ""},
		{domain.AttentionFocused, false, "", domain.GateAttention},
		{domain.AttentionFocused, true, "", ""},
		{domain.AttentionFocused, false, "portal", ""},
		{domain.AttentionAmbient, false, "", ""},
		{domain.AttentionDistracted, false, "", ""},
	} {
		d := newNoticeDesk(t)
		if c.attention != "" {
			d.attends(c.attention)
		}
		n := noticeOf(found("dinner", "closed", d.heard(), d.planned()))
		n.Urgent, n.From = c.urgent, c.from
		want := verdict{Gate: c.gate}
		if c.gate != "" {
			want.Detail = "attention is focused"
		}
		if got := plain(d.judge(n)); got != want {
			t.Errorf("%q, urgent %v, from %q: %+v, want %+v", c.attention, c.urgent, c.from, got, want)
		}
	}
	// It is the latest that counts.
	d := newNoticeDesk(t)
	d.attends(domain.AttentionFocused)
	n := noticeOf(found("dinner", "closed", d.heard(), d.planned()))
	if got := d.judge(n); got.Gate != domain.GateAttention {
		t.Fatalf("%+v", got)
	}
	d.attends(domain.AttentionAmbient)
	if got := d.judge(n); got.Gate != "" {
		t.Errorf("not focused any more: %+v", got)
	}
}

func TestWhatInterfacesSayIsAddressed(t *testing.T) {
	d := newNoticeDesk(t)
	first := d.passesOn("portal", "health", "Your appointment moved to 3 PM")
	for _, c := range []struct {
		name        string
		after       time.Duration
		from        domain.Principal
		topic, text string
		gate        domain.Gate
	}{
		{"the same at once", 10 * time.Second, "portal", "health", "your appointment moved to 3 pm", domain.GateAlreadyTold},
		{"something else on the topic", 10 * time.Second, "portal", "health", "Bring your card", ""},
		{"the same of another", 10 * time.Second, "clinic", "health", "Your appointment moved to 3 PM", ""},
		{"the same on another topic", 10 * time.Second, "portal", "work", "Your appointment moved to 3 PM", ""},
		{"the same a minute later", time.Minute, "portal", "health", "Your appointment moved to 3 PM", ""},
	} {
		then := d.clock.Now()
		d.clock.Advance(c.after)
		got := d.judge(reasoning.Notice{From: c.from, Topic: c.topic, Blocks: saying(c.text)})
		if got.Gate != c.gate || (c.gate != "") != (got.Because == first) || c.gate != "" && got.Detail() != "told 10 s ago in the same words, not again within 1 min" {
			t.Errorf("%s: %+v, want %q", c.name, got, c.gate)
		}
		d.clock.Set(then)
	}
	// A finding that says the same is told already; its topic isn't cooled down by it.
	if got := d.judge(noticeOf(found("health", "your appointment moved to 3 pm", d.heard()))); got.Gate != domain.GateAlreadyTold || got.Because != first {
		t.Errorf("the same as a finding: %+v", got)
	}
	if got := d.judge(noticeOf(found("health", "a bed is free", d.heard()))); got.Gate != "" {
		t.Errorf("another finding: %+v", got)
	}
}

func TestWhatTheRulesDontSee(t *testing.T) {
	d := newNoticeDesk(t)
	s, c := d.heard(), d.planned()
	f := found("dinner", "closed", s, c)
	// Held, or answered to who asked: not told unasked.
	lin := domain.Begin(domain.TraceID{ID: d.ids.NewID()}, "reasoning")
	add(d, lin, domain.ModelReplied{Findings: []domain.Finding{f}})
	add(d, lin, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
	lin = domain.Begin(domain.TraceID{ID: d.ids.NewID()}, domain.PrincipalOperator)
	reply := add(d, lin, domain.ModelReplied{Blocks: f.Blocks, Topic: f.Topic, Used: f.Evidence})
	add(d, lin, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply})
	if got := d.judge(noticeOf(f)); got.Gate != "" {
		t.Errorf("%+v", got)
	}
	// Of two findings, one was kept back.
	lin = domain.Begin(domain.TraceID{ID: d.ids.NewID()}, "reasoning")
	other := found("trains", "late", d.heard(), d.planned())
	reply = add(d, lin, domain.ModelReplied{Findings: []domain.Finding{f, other}})
	end := add(d, lin, domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownEscalation, Reply: reply, Findings: []int{1}})
	if got := d.judge(noticeOf(f)); got.Gate != "" {
		t.Errorf("kept back: %+v", got)
	}
	if got := d.judge(noticeOf(other)); got.Gate != domain.GateAlreadyTold || got.Because != end {
		t.Errorf("told: %+v", got)
	}
}

func TestWhatIsToldWithoutAReply(t *testing.T) {
	d := newNoticeDesk(t)
	end := add(d, domain.Lineage{Principal: "reminders"}, domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification,
		Blocks: saying("Dinner now"), Topic: "dinner"})
	if got := d.judge(noticeOf(found("evening", "dinner now", d.heard()))); got.Gate != domain.GateAlreadyTold || got.Because != end {
		t.Errorf("%+v", got)
	}
}

func TestErasedTextsEqualNothing(t *testing.T) {
	d := newNoticeDesk(t)
	first := d.tells(found("dinner", "closed", d.heard(), d.planned()))
	d.clock.Advance(time.Hour)
	n := noticeOf(found("evening", "closed", d.heard(), d.planned()))
	if got := d.judge(n); got.Gate != domain.GateAlreadyTold || got.Because != first {
		t.Fatalf("%+v", got)
	}
	policy, err := reasoning.NewNotices(reasoning.NoticeConfig{Told: d.told, Unwanted: d.unwanted, Surroundings: d.around, Applied: d, Env: commands.Env{Log: d.log, Reader: erasing{d.log}, Tail: d.log, Clock: d.clock, IDs: d.ids, Logger: slog.New(slog.DiscardHandler)}})
	if err != nil {
		t.Fatal(err)
	}
	n.At = domain.MillisOf(d.clock.Now())
	if got, err := policy.Judge(t.Context(), n); err != nil || got.Gate != "" {
		t.Errorf("erased: %+v, %v", got, err)
	}
}

// erasing is a log whose payloads are gone.
type erasing struct{ domain.Reader }

func (e erasing) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := e.Reader.Find(ctx, id)
	rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	return rec, err
}

func TestFailuresAreReturned(t *testing.T) {
	failure := errors.New("no disk")
	d := newNoticeDesk(t)
	d.tells(found("dinner", "closed", d.heard(), d.planned()))
	n := noticeOf(found("evening", "closed", d.heard(), d.planned()))
	n.At = domain.MillisOf(d.clock.Now())
	ok := reasoning.NoticeConfig{Told: d.told, Unwanted: d.unwanted, Surroundings: d.around, Applied: d, Env: commands.Env{Log: d.log, Reader: d.log, Tail: d.log, Clock: d.clock, IDs: d.ids, Logger: slog.New(slog.DiscardHandler)}}
	for name, change := range map[string]func(*reasoning.NoticeConfig){
		"the folds":    func(c *reasoning.NoticeConfig) { c.Applied = brokenLog{err: failure} },
		"the log":      func(c *reasoning.NoticeConfig) { c.Reader = brokenLog{d.log, failure} },
		"the evidence": func(c *reasoning.NoticeConfig) { c.Told = brokenBook{d.told, failure} },
	} {
		cfg := ok
		change(&cfg)
		policy, err := reasoning.NewNotices(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := policy.Judge(t.Context(), n); !errors.Is(err, failure) || v != (reasoning.Verdict{}) {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	for name, change := range map[string]func(*reasoning.NoticeConfig){
		"no book": func(c *reasoning.NoticeConfig) { c.Told = nil }, "no log": func(c *reasoning.NoticeConfig) { c.Reader = nil },
	} {
		cfg := ok
		change(&cfg)
		if _, err := reasoning.NewNotices(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type brokenLog struct {
	domain.Reader
	err error
}

func (f brokenLog) WaitFor(context.Context, domain.Position) error { return f.err }

func (f brokenLog) Find(context.Context, domain.ID) (domain.Record, error) {
	return domain.Record{}, f.err
}

type brokenBook struct {
	reasoning.PastNotices
	err error
}

func (f brokenBook) Together(domain.Pair, domain.Millis) (domain.PastNotice, bool, error) {
	return domain.PastNotice{}, false, f.err
}

// TestVerdictsOutliveARestart tells and judges at random, restarts in between, and
// compares with folds from the start of the log.
func TestVerdictsOutliveARestart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newNoticeDesk(t)
		ids := []domain.ID{d.heard(), d.heard(), d.planned(), d.planned()}
		draw := func() domain.Finding {
			return found(rapid.SampledFrom([]string{"dinner", "trains"}).Draw(t, "topic"), rapid.SampledFrom([]string{"a b", "c", "d"}).Draw(t, "text"),
				rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, 3, rapid.ID[domain.ID]).Draw(t, "evidence")...)
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			d.clock.Advance(time.Duration(rapid.IntRange(0, 100).Draw(t, "minutes")) * time.Minute)
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				d.restart(rapid.Bool().Draw(t, "saved"))
			case 1:
				d.attends(rapid.SampledFrom([]string{domain.AttentionFocused, domain.AttentionAmbient}).Draw(t, "attention"))
			case 2:
				d.passesOn("portal", "dinner", "c")
			default:
				f := draw()
				if d.judge(noticeOf(f)).Gate == "" {
					d.tells(f)
				}
			}
			f := noticeOf(draw())
			f.Urgent = rapid.Bool().Draw(t, "urgent")
			if rapid.IntRange(0, 3).Draw(t, "directed") == 0 {
				f.From = "portal"
			}
			got := d.judge(f)
			anew := *d
			anew.store = projections.NewMemStore()
			anew.begin()
			if want := (&anew).judge(f); !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, and folded anew %+v", got, want)
			}
		}
	})
}

// A cooldown and what was told already last as long as they do, from the first record
// of a clock that is right, and what was told before it went wrong is known still.
func TestAClockAheadCostsNoCooldown(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, off := range []time.Duration{year, time.Hour, -year} {
		t.Run(off.String(), func(t *testing.T) {
			d := newNoticeDesk(t)
			rules := domain.DefaultNoticeRules()
			trains, dinner := d.planned(), d.planned()
			before := d.tells(found("Trains", "late", d.heard(), trains))
			d.clock.Advance(off)
			ahead := d.tells(found("Dinner", "closed", d.heard(), dinner))
			d.clock.Advance(-off)
			d.restart(true)
			d.heard() // the clock is right again
			news := noticeOf(found("Dinner", "open again", d.heard(), dinner))
			for _, c := range []struct {
				topic    string
				plan, by domain.ID
			}{{"Trains", trains, before}, {"Dinner", dinner, ahead}} {
				if off < 0 && c.by == ahead {
					continue // it was told long ago, by the clock of then
				}
				n := noticeOf(found(c.topic, "something else", d.heard(), c.plan))
				if v := d.judge(n); v.Gate != domain.GateCooldown || v.Because != c.by {
					t.Errorf("at once on %s: %+v, want the cooldown of %s", c.topic, v, c.by)
				}
			}
			passes := func(long time.Duration) {
				for ; long > 0; long -= 10 * time.Minute {
					d.clock.Advance(10 * time.Minute)
					d.heard()
				}
			}
			passes(rules.Cooldown)
			if v := d.judge(news); v.Gate != "" {
				t.Errorf("after the cooldown: %+v", v)
			}
			again := noticeOf(found("Other", "closed", d.heard()))
			if v := d.judge(again); off > 0 && (v.Gate != domain.GateAlreadyTold || v.Because != ahead) {
				t.Errorf("the same words within a day: %+v", v)
			}
			passes(rules.Repeated)
			if v := d.judge(again); v.Gate != "" {
				t.Errorf("the same words after a day: %+v", v)
			}
		})
	}
}

// What the person doesn't want to be told is held before anything else is asked, until they take
// that back.
func TestUnwanted(t *testing.T) {
	d := newNoticeDesk(t)
	train, play := d.planned(), d.planned()
	cancelled, late, moved := d.hears("rail", "", "cancelled"), d.hears("rail", "", "late"), d.hears("school", "", "moved")
	d.tells(found("general", "the train is cancelled", cancelled, train))
	d.clock.Advance(time.Hour)
	me := domain.Lineage{Principal: domain.PrincipalOperator}
	not := add(d, me, domain.NoticeDismissed{PlanID: train, Signals: []domain.ID{cancelled}})
	check := func(when string, want map[string]domain.Gate) {
		t.Helper()
		for name, f := range map[string]domain.Finding{
			"that":              found("general", "cancelled", cancelled, train),
			"of another plan":   found("general", "cancelled", cancelled, play),
			"another signal":    found("general", "late", late, train),
			"with a new one":    found("general", "cancelled and late", cancelled, late, train),
			"in the same words": found("general", "cancelled", d.hears("rail", "", "Cancelled"), train),
			"of another kind":   found("general", "moved", moved, play),
			"urgent, as it is":  {Topic: "general", Blocks: saying("now"), Urgent: true, Evidence: on(cancelled, train)},
		} {
			if got := d.judge(noticeOf(f)); got.Gate != want[name] {
				t.Errorf("%s, %s is %+v, want %q", when, name, got, want[name])
			} else if got.Gate == domain.GateDismissed && got.Because != not {
				t.Errorf("%s, %s is held because of %v", when, name, got.Because)
			}
		}
	}
	check("when one is dismissed", map[string]domain.Gate{"that": domain.GateDismissed, "urgent, as it is": domain.GateDismissed, "in the same words": domain.GateDismissed})
	silent := add(d, me, domain.NoticeSilenced{Source: "Rail", SignalType: "a", SignalID: cancelled})
	check("when rail is silenced too", map[string]domain.Gate{
		"that": domain.GateDismissed, "urgent, as it is": domain.GateDismissed, "in the same words": domain.GateDismissed, "of another plan": domain.GateSilenced, "another signal": domain.GateSilenced, "with a new one": domain.GateDismissed,
	})
	standing := func() []domain.Gate {
		t.Helper()
		out, err := d.policy.Standing(t.Context(), domain.MillisOf(d.clock.Now()), []domain.SeenRelation{
			{Signal: cancelled, Commitment: train}, {Signal: cancelled, Commitment: play}, {Signal: late, Commitment: train}, {Signal: moved, Commitment: play},
			{Signal: d.hears("rail ", "", "CANCELLED"), Commitment: train},
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got, want := standing(), []domain.Gate{domain.GateDismissed, domain.GateSilenced, domain.GateSilenced, "", domain.GateDismissed}; !reflect.DeepEqual(got, want) {
		t.Errorf("the pairs stand %q, want %q", got, want)
	}
	add(d, me, domain.NoticeRestored{OfID: not})
	add(d, me, domain.NoticeRestored{OfID: silent})
	check("when both are taken back", map[string]domain.Gate{"that": domain.GateAlreadyTold, "urgent, as it is": domain.GateAlreadyTold, "in the same words": domain.GateAlreadyTold})
	if got, want := standing(), []domain.Gate{domain.GateAlreadyTold, "", "", "", domain.GateAlreadyTold}; !reflect.DeepEqual(got, want) {
		t.Errorf("the pairs stand %q, want %q", got, want)
	}
}

// verdict is a verdict as it is recorded.
type verdict struct {
	Gate    domain.Gate
	Because domain.ID
	Detail  string
}

func plain(v reasoning.Verdict) verdict { return verdict{v.Gate, v.Because, v.Detail()} }

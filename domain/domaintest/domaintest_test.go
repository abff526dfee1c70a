package domaintest_test

import (
	"fmt"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// TestConformanceOverOlderRecords holds the suite to its word that it reads
// only what it wrote, also across a reopening.
func TestConformanceOverOlderRecords(t *testing.T) {
	domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
		log := memlog.New(clock)
		old := domaintest.NewIDs(clock, 2)
		if _, err := log.Append(t.Context(), domain.Batch{Entries: domaintest.NewEntries(old, "elsewhere", 3)}); err != nil {
			t.Fatal(err)
		}
		return domaintest.Subject{Log: log, Reopen: func(_ *testing.T, log domain.Log) domain.Log { return log }}
	})
}

func TestIDs(t *testing.T) {
	clock := domaintest.NewClock()
	a, b := domaintest.NewIDs(clock, 1), domaintest.NewIDs(clock, 2)
	again := domaintest.NewIDs(domaintest.NewClock(), 1)
	seen := map[domain.ID]bool{}
	var last domain.ID
	for i := range 100 {
		if i == 50 {
			clock.Advance(-time.Hour)
		}
		id := a.NewID()
		if string(id[:]) <= string(last[:]) {
			t.Fatalf("%s follows %s", id, last)
		}
		if id[6]>>4 != 7 || id[8]>>6 != 2 {
			t.Fatalf("%s is no UUIDv7", id.UUID())
		}
		if same := again.NewID(); same != id {
			t.Fatalf("another run mints %s, want %s", same, id)
		}
		if other := b.NewID(); seen[id] || seen[other] || other == id {
			t.Fatalf("%s or %s was minted twice", id, other)
		}
		seen[id], last = true, id
	}
}

// counter is the smallest event-sourced thing: it may be raised to a level once.
type counter struct{ level int }

type raised struct{ To int }

func raiseTo(level int) func(counter) ([]raised, error) {
	return func(c counter) ([]raised, error) {
		switch {
		case level < c.level:
			return nil, domain.Invalid("raise", "level", fmt.Sprintf("it stands at %d already", c.level))
		case level == c.level:
			return nil, nil
		}
		return []raised{{To: level}}, nil
	}
}

func TestDecision(t *testing.T) {
	rules := domaintest.Rules[counter, raised]{Evolve: func(_ counter, e raised) counter { return counter{e.To} }}
	rules.Given().When(t, raiseTo(2)).Then(raised{2})
	rules.Given(raised{1}, raised{2}).When(t, raiseTo(2)).Then()
	rules.Given(raised{3}).When(t, raiseTo(2)).ThenRefused(domain.Validation, "invalid")
}

// TestDecisionFails checks that wrong expectations are reported.
func TestDecisionFails(t *testing.T) {
	rules := domaintest.Rules[counter, raised]{Evolve: func(c counter, _ raised) counter { return c }}
	for name, check := range map[string]func(testing.TB){
		"other event":    func(t testing.TB) { rules.Given().When(t, raiseTo(2)).ThenOnly(raised{3}) },
		"no event":       func(t testing.TB) { rules.Given().When(t, raiseTo(2)).ThenOnly() },
		"twice":          func(t testing.TB) { rules.Given().When(t, raiseTo(2)).Then(raised{2}) },
		"not refused":    func(t testing.TB) { rules.Given().When(t, raiseTo(2)).ThenRefused(domain.Validation, "") },
		"refused":        func(t testing.TB) { rules.Given().When(t, raiseTo(-1)).Then() },
		"other category": func(t testing.TB) { rules.Given().When(t, raiseTo(-1)).ThenRefused(domain.Policy, "") },
	} {
		fake := &failing{TB: t}
		check(fake)
		if !fake.failed {
			t.Errorf("%s: the wrong expectation was met", name)
		}
	}
}

// failing notes failures instead of reporting them.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Failed() bool          { return f.failed }
func (f *failing) Errorf(string, ...any) { f.failed = true }
func (f *failing) Fatalf(string, ...any) { f.failed = true }
